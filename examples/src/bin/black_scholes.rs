//! Prices of European options by the formula of Black and Scholes (The Pricing of Options and Corporate Liabilities, 1973):
//! one kernel, 20 bytes an option. `cnd` is called twice; what the two calls share is computed once.

use accelerate::{Vector, accelerate};
use clap::Parser;
use examples::{Options, check, difference, function, known, random};

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
    #[fused(bytes = 20 * options.len())]
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
    let device = options.start(&[function!(black_scholes)])?;
    let price =
        |market: &Market| black_scholes(&device, market, RISKLESS, options.constant(VOLATILITY));
    let prices = random(1, size, 5.0, 30.0);
    let strikes = random(2, size, 1.0, 100.0);
    let years = random(3, size, 0.25, 10.0);
    let columns = (prices.clone(), strikes.clone(), years.clone());
    let market = Vector::from_columns(&device, columns)?;
    let (priced, time) = options.measure("black_scholes", 10, || {
        let priced = price(&market)?;
        device.synchronize()?;
        Ok(priced)
    })?;
    function!(black_scholes).report(&device, &[("options.len()", size)], time);
    let found = priced.to_vec()?;
    println!("   price   strike    years     call      put");
    for (k, (call, put)) in found.iter().enumerate().take(5) {
        let (price, strike, years) = (prices[k], strikes[k], years[k]);
        println!("{price:>8.2} {strike:>8.2} {years:>8.2} {call:>8.4} {put:>8.4}");
    }
    if options.check {
        let (calls, puts): (Vec<f32>, Vec<f32>) = found.into_iter().unzip();
        let plain = |k: usize| plain(prices[k].into(), strikes[k].into(), years[k].into());
        let (exact_calls, exact_puts): (Vec<f64>, Vec<f64>) = (0..size).map(plain).unzip();
        check("calls in f64", difference(&calls, &exact_calls), 1e-4)?;
        check("puts in f64", difference(&puts, &exact_puts), 1e-4)?;
        // Whatever the volatility: a call less a put is the share less what the strike is worth today.
        let (apart, parity): (Vec<f64>, Vec<f64>) = (0..size)
            .map(|k| {
                let [price, strike, years] = [prices[k], strikes[k], years[k]].map(f64::from);
                let discounted = strike * (-f64::from(RISKLESS) * years).exp();
                (f64::from(calls[k]) - f64::from(puts[k]), price - discounted)
            })
            .unzip();
        check(
            "call - put = S - K exp(-rT)",
            difference(&apart, &parity),
            1e-4,
        )?;
        let even = Vector::from_vec(&device, vec![(100.0, 100.0, 1.0)])?;
        let (call, put) = price(&even)?.get(0)?;
        known("call of S = K = 100, T = 1", call.into(), 12.8215847, 1e-5)?;
        known("put of S = K = 100, T = 1", put.into(), 10.8414520, 1e-5)?;
    }
    Ok(())
}

type Market = Vector<(f32, f32, f32)>;

/// The same formula in `f64`, one option at a time.
fn plain(price: f64, strike: f64, years: f64) -> (f64, f64) {
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
        let tail = (-0.5 * d * d).exp() / std::f64::consts::TAU.sqrt() * poly;
        if d > 0.0 { 1.0 - tail } else { tail }
    };
    let (riskless, volatility) = (f64::from(RISKLESS), f64::from(VOLATILITY));
    let spread = volatility * years.sqrt();
    let d1 = ((price / strike).ln() + (riskless + 0.5 * volatility * volatility) * years) / spread;
    let (c1, c2) = (cnd(d1), cnd(d1 - spread));
    let discounted = strike * (-riskless * years).exp();
    (
        price * c1 - discounted * c2,
        discounted * (1.0 - c2) - price * (1.0 - c1),
    )
}
