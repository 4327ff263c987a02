//! Matrix product, written as the nested program that it abbreviates.

use accelerate::{Matrix, accelerate};
use clap::Parser;
use examples::{Options, check, difference, measure, random, report};

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
    let device = options.open()?;
    let (left, right) = (
        random(1, size * size, -1.0, 1.0),
        random(2, size * size, -1.0, 1.0),
    );
    let a = Matrix::from_vec(&device, (size, size), left.clone())?;
    let b = Matrix::from_vec(&device, (size, size), right.clone())?;
    let (product, time) = measure("matmul", 3, || {
        let product = matmul(&device, &a, &b)?;
        device.synchronize()?;
        Ok(product)
    })?;
    let elements = (size * size) as u64;
    report(
        "matmul",
        &device,
        matmul::KERNELS.len(),
        12 * elements,
        time,
    );
    println!(
        "{:.2} GFLOP/s",
        2.0 * (elements * size as u64) as f64 / 1e9 / time.as_secs_f64()
    );
    if options.check {
        let mut expected = vec![0.0f32; size * size];
        for i in 0..size {
            for k in 0..size {
                let x = left[i * size + k];
                for j in 0..size {
                    expected[i * size + j] += x * right[k * size + j];
                }
            }
        }
        check("matmul", difference(&product.to_vec()?, &expected), 1e-3)?;
    }
    Ok(())
}
