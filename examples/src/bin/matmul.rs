//! Matrix product, written as the nested program that it abbreviates: one kernel, which works in tiles.

use accelerate::{Device, Matrix, accelerate};
use clap::Parser;
use examples::{Options, check, difference, equal, function, random, random_integers};

accelerate! {
    /// The product of two matrices.
    #[fused(kernels = 1)]
    pub fn matmul(a: &Matrix<f32>, b: &Matrix<f32>) -> Matrix<f32> {
        a.rows().map(|row| b.columns().map(|column| row.zip(column).map(|(x, y)| x * y).sum()))
    }
}

/// Multiplies two square matrices.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Rows and columns of each matrix
    #[arg(long, default_value_t = 512)]
    size: usize,
}

fn main() -> anyhow::Result<()> {
    let Arguments { options, size } = Arguments::parse();
    let device = options.start(&[function!(matmul)])?;
    let (mut left, right) = (
        random(1, size * size, -1.0, 1.0),
        random(2, size * size, -1.0, 1.0),
    );
    let expected = plain(size, &left, &right);
    if let Some(first) = left.first_mut() {
        *first = options.constant(*first);
    }
    let [a, b] = matrices(&device, size, [left, right])?;
    let (product, time) = options.measure("matmul", 3, || {
        let product = matmul(&device, &a, &b)?;
        device.synchronize()?;
        Ok(product)
    })?;
    let sizes = [
        ("a.shape().0", size),
        ("a.shape().1", size),
        ("b.shape().0", size),
        ("b.shape().1", size),
    ];
    function!(matmul).report(&device, &sizes, time);
    let operations = 2.0 * (size as f64).powi(3);
    println!("{:.2} GFLOP/s", operations / 1e9 / time.as_secs_f64());
    if options.check {
        let error = difference(&product.to_vec()?, &expected);
        check("the product in f64", error, 1e-5 * (size as f64).sqrt())?;
        // Sums of small integers are exact, in whatever order.
        let [left, right] = [3, 4].map(|seed| -> Vec<f32> {
            let integers = random_integers(seed, size * size, 5).into_iter();
            integers.map(|x| x as f32).collect()
        });
        let expected = plain(size, &left, &right);
        let [a, b] = matrices(&device, size, [left, right])?;
        let product = matmul(&device, &a, &b)?.to_vec()?;
        let product: Vec<f64> = product.into_iter().map(f64::from).collect();
        equal("of integers from 0 to 4", &product, &expected)?;
    }
    Ok(())
}

fn matrices(
    device: &Device,
    size: usize,
    values: [Vec<f32>; 2],
) -> anyhow::Result<[Matrix<f32>; 2]> {
    let [a, b] = values;
    let matrix = |values| Matrix::from_vec(device, (size, size), values);
    Ok([matrix(a)?, matrix(b)?])
}

/// The product in `f64`.
fn plain(size: usize, left: &[f32], right: &[f32]) -> Vec<f64> {
    let mut product = vec![0.0; size * size];
    for i in 0..size {
        for k in 0..size {
            let x = f64::from(left[i * size + k]);
            for j in 0..size {
                product[i * size + j] += x * f64::from(right[k * size + j]);
            }
        }
    }
    product
}
