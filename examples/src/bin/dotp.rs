//! Dot product: a map fused into a reduction, one kernel that reads each element once.

use accelerate::{Vector, accelerate};
use clap::Parser;
use examples::{Options, check, measure, random, report};

accelerate! {
    /// The sum of the products of two vectors.
    #[fused(kernels = 1)]
    pub fn dotp(xs: &Vector<f32>, ys: &Vector<f32>) -> f32 {
        xs.zip(ys).map(|(x, y)| x * y).sum()
    }
}

/// Computes a dot product.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Number of elements
    #[arg(long, default_value_t = 20_000_000)]
    size: usize,
}

fn main() -> anyhow::Result<()> {
    let Arguments { options, size } = Arguments::parse();
    let device = options.open()?;
    let (x, y) = (random(1, size, -1.0, 1.0), random(2, size, -1.0, 1.0));
    let xs = Vector::from_slice(&device, &x)?;
    let ys = Vector::from_slice(&device, &y)?;
    let (sum, time) = measure("dotp", 10, || dotp(&device, &xs, &ys))?;
    println!("{sum}");
    report(
        "dotp",
        &device,
        dotp::KERNELS.len(),
        8 * size as u64 + 4,
        time,
    );
    if options.check {
        let exact: f64 = x
            .iter()
            .zip(&y)
            .map(|(&x, &y)| f64::from(x) * f64::from(y))
            .sum();
        let scale: f64 = x
            .iter()
            .zip(&y)
            .map(|(&x, &y)| f64::from(x * y).abs())
            .sum();
        check(
            "dotp",
            ((f64::from(sum) - exact).abs() / scale.max(1.0)) as f32,
            1e-6,
        )?;
    }
    Ok(())
}
