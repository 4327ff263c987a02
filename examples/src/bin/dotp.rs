//! Dot product: a map fused into a reduction, one kernel that reads each element once.

use accelerate::{Vector, accelerate};
use clap::Parser;
use examples::{Options, check, function, known, random, random_integers};

accelerate! {
    /// The sum of the products of two vectors.
    #[fused(kernels = 1)]
    #[fused(bytes = 4 * xs.len() + 4 * ys.len() + 4)]
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
    let device = options.start(&[function!(dotp)])?;
    let (mut x, y) = (random(1, size, -1.0, 1.0), random(2, size, -1.0, 1.0));
    let exact: f64 = x.iter().zip(&y).map(product).sum();
    let scale: f64 = x.iter().zip(&y).map(|pair| product(pair).abs()).sum();
    if let Some(first) = x.first_mut() {
        *first = options.constant(*first);
    }
    let xs = Vector::from_vec(&device, x)?;
    let ys = Vector::from_vec(&device, y)?;
    let (sum, time) = options.measure("dotp", 10, || dotp(&device, &xs, &ys))?;
    println!("{sum}");
    let sizes = [("xs.len()", size), ("ys.len()", size)];
    function!(dotp).report(&device, &sizes, time);
    if options.check {
        let error = (f64::from(sum) - exact).abs() / scale.max(1.0);
        check("the sum in f64", error, 1e-6)?;
        // Sums of small integers are exact, in whatever order.
        let n = size.min(1 << 20);
        let [x, y] = [3, 4].map(|seed| -> Vec<f32> {
            let integers = random_integers(seed, n, 9).into_iter();
            integers.map(|x| x as f32 - 4.0).collect()
        });
        let exact = x.iter().zip(&y).map(product).sum();
        let [xs, ys] = [Vector::from_vec(&device, x)?, Vector::from_vec(&device, y)?];
        let sum = dotp(&device, &xs, &ys)?;
        known("of integers from -4 to 4", sum.into(), exact, 0.0)?;
    }
    Ok(())
}

fn product((&x, &y): (&f32, &f32)) -> f64 {
    f64::from(x) * f64::from(y)
}
