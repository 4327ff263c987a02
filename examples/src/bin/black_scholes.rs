//! Prices of European options by the formula of Black and Scholes: one kernel, 20 bytes an option.

use accelerate::{Vector, accelerate};
use clap::Parser;
use examples::{Options, check, difference, measure, random, report};

const RISKLESS: f32 = 0.02;
const VOLATILITY: f32 = 0.3;

accelerate! {
    /// Cumulative normal distribution, by the polynomial of Abramowitz and Stegun, 26.2.17.
    fn cnd(d: f32) -> f32 {
        let k = 1.0 / (1.0 + 0.2316419 * d.abs());
        let poly = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
        let tail = 0.3989422804 * (-0.5 * d * d).exp() * poly;
        if d > 0.0 { 1.0 - tail } else { tail }
    }

    /// Prices European options: (call, put) for each (price, strike, years).
    #[fused(kernels = 1)]
    pub fn black_scholes(options: &Vector<(f32, f32, f32)>, riskless: f32, volatility: f32) -> Vector<(f32, f32)> {
        options.map(|(price, strike, years)| {
            let spread = volatility * years.sqrt();
            let d1 = ((price / strike).ln() + (riskless + 0.5 * volatility * volatility) * years) / spread;
            let d2 = d1 - spread;
            let discounted = strike * (-riskless * years).exp();
            let (c1, c2) = (cnd(d1), cnd(d2));
            (price * c1 - discounted * c2, discounted * (1.0 - c2) - price * (1.0 - c1))
        })
    }
}

/// Prices European options.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Number of options
    #[arg(long, default_value_t = 4_000_000)]
    size: usize,
}

fn main() -> anyhow::Result<()> {
    let Arguments { options, size } = Arguments::parse();
    let device = options.open()?;
    let prices = random(1, size, 5.0, 30.0);
    let strikes = random(2, size, 1.0, 100.0);
    let years = random(3, size, 0.25, 10.0);
    let market = Vector::from_columns(&device, (prices.clone(), strikes.clone(), years.clone()))?;
    let (priced, time) = measure("black_scholes", 10, || {
        let priced = black_scholes(&device, &market, RISKLESS, VOLATILITY)?;
        device.synchronize()?;
        Ok(priced)
    })?;
    report(
        "black_scholes",
        &device,
        black_scholes::KERNELS.len(),
        20 * size as u64,
        time,
    );
    let found = priced.to_vec()?;
    if let (Some((call, put)), Some(price)) = (found.first(), prices.first()) {
        println!(
            "first option: price {price:.2}, strike {:.2}, call {call:.4}, put {put:.4}",
            strikes[0]
        );
    }
    if options.check {
        let (calls, puts): (Vec<f32>, Vec<f32>) = found.into_iter().unzip();
        let plain = |k: usize| plain(prices[k].into(), strikes[k].into(), years[k].into());
        let (expected_calls, expected_puts): (Vec<f32>, Vec<f32>) = (0..size).map(plain).unzip();
        check("calls", difference(&calls, &expected_calls), 1e-4)?;
        check("puts", difference(&puts, &expected_puts), 1e-4)?;
    }
    Ok(())
}

/// The same formula in `f64`, one option at a time.
fn plain(price: f64, strike: f64, years: f64) -> (f32, f32) {
    let cnd = |d: f64| {
        let k = 1.0 / (1.0 + 0.2316419 * d.abs());
        let terms = [
            1.330274429,
            -1.821255978,
            1.781477937,
            -0.356563782,
            0.31938153,
        ];
        let poly = terms.iter().fold(0.0, |sum, a| (sum + a) * k);
        let tail = 0.3989422804 * (-0.5 * d * d).exp() * poly;
        if d > 0.0 { 1.0 - tail } else { tail }
    };
    let (riskless, volatility) = (f64::from(RISKLESS), f64::from(VOLATILITY));
    let spread = volatility * years.sqrt();
    let d1 = ((price / strike).ln() + (riskless + 0.5 * volatility * volatility) * years) / spread;
    let (c1, c2) = (cnd(d1), cnd(d1 - spread));
    let discounted = strike * (-riskless * years).exp();
    (
        (price * c1 - discounted * c2) as f32,
        (discounted * (1.0 - c2) - price * (1.0 - c1)) as f32,
    )
}
