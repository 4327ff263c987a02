//! Statistics of a column of a CSV file: mean, variance, RMSE against a forecast, differences, moving average.

use accelerate::{Vector, accelerate};
use anyhow::{Context, ensure};
use clap::Parser;
use examples::{Options, check, difference, measure, report};
use std::path::PathBuf;

accelerate! {
    /// Mean and variance (of the whole population), in two passes.
    pub fn moments(xs: &Vector<f32>) -> (f32, f32) {
        let mean = xs.mean();
        (mean, xs.map(|x| (x - mean) * (x - mean)).mean())
    }

    /// Root of the mean of the squared differences.
    #[fused(kernels = 1)]
    pub fn rmse(xs: &Vector<f32>, ys: &Vector<f32>) -> f32 {
        let squares = xs.zip(ys).map(|(x, y)| (x - y) * (x - y));
        (squares.sum() / xs.len() as f32).sqrt()
    }

    /// The change from each value to the next.
    #[fused(kernels = 1)]
    pub fn forward_difference(xs: &Vector<f32>) -> Vector<f32> {
        xs.tail().zip(xs.init()).map(|(next, x)| next - x)
    }

    /// Each value with its neighbours, weighted 1, 2, 1.
    #[fused(kernels = 1)]
    pub fn moving_average(xs: &Vector<f32>) -> Vector<f32> {
        let inner = xs.tail().init();
        zip((xs.take(inner.len()), inner, xs.skip(2))).map(|(a, b, c)| (a + 2.0 * b + c) / 4.0)
    }
}

/// Computes statistics of a column of numbers.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,
    /// A CSV file with a header line
    #[arg(default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/data/series.csv"))]
    file: PathBuf,
    /// The column's name or position (from 0)
    #[arg(long, default_value = "value")]
    column: String,
    /// Repeat the column up to this many values
    #[arg(long)]
    size: Option<usize>,
}

fn main() -> anyhow::Result<()> {
    let Arguments {
        options,
        file,
        column,
        size,
    } = Arguments::parse();
    let device = options.open()?;
    let read = read_column(&file, &column)?;
    ensure!(
        read.len() >= 3,
        "{} has {} values in `{column}`: at least 3 are needed",
        file.display(),
        read.len()
    );
    let size = size.unwrap_or(read.len()).max(3);
    let values: Vec<f32> = read.iter().copied().cycle().take(size).collect();
    // The forecast that tomorrow will be like today.
    let forecast: Vec<f32> = values[..1]
        .iter()
        .chain(&values[..size - 1])
        .copied()
        .collect();
    let xs = Vector::from_slice(&device, &values)?;
    let ys = Vector::from_slice(&device, &forecast)?;
    let n = size as u64;

    let ((mean, variance), time) = measure("moments", 5, || moments(&device, &xs))?;
    report(
        "mean and variance",
        &device,
        moments::KERNELS.len(),
        8 * n + 8,
        time,
    );
    let (error, time) = measure("rmse", 5, || rmse(&device, &xs, &ys))?;
    report("rmse", &device, rmse::KERNELS.len(), 8 * n + 4, time);
    let (changes, time) = measure("difference", 5, || {
        forward_difference(&device, &xs)?.to_vec()
    })?;
    report(
        "forward difference",
        &device,
        forward_difference::KERNELS.len(),
        8 * n,
        time,
    );
    let (smooth, time) = measure("average", 5, || moving_average(&device, &xs)?.to_vec())?;
    report(
        "moving average",
        &device,
        moving_average::KERNELS.len(),
        8 * n,
        time,
    );

    println!(
        "values {size}, mean {mean:.4}, variance {variance:.4}, deviation {:.4}",
        variance.sqrt()
    );
    println!("rmse of yesterday as a forecast {error:.4}");
    println!("first differences {:?}", &changes[..changes.len().min(5)]);
    println!("smoothed {:?}", &smooth[..smooth.len().min(5)]);
    if options.check {
        let wide = || values.iter().map(|&x| f64::from(x));
        let exact_mean = wide().sum::<f64>() / n as f64;
        let exact_variance = wide().map(|x| (x - exact_mean).powi(2)).sum::<f64>() / n as f64;
        let squares = wide()
            .zip(&forecast)
            .map(|(x, &y)| (x - f64::from(y)).powi(2));
        let exact_error = (squares.sum::<f64>() / n as f64).sqrt();
        let exact = [exact_mean as f32, exact_variance as f32, exact_error as f32];
        check(
            "moments and rmse",
            difference(&[mean, variance, error], &exact),
            1e-4,
        )?;
        let plain: Vec<f32> = values.windows(2).map(|w| w[1] - w[0]).collect();
        check("forward difference", difference(&changes, &plain), 0.0)?;
        let plain: Vec<f32> = values
            .windows(3)
            .map(|w| (w[0] + 2.0 * w[1] + w[2]) / 4.0)
            .collect();
        check("moving average", difference(&smooth, &plain), 0.0)?;
    }
    Ok(())
}

/// The numbers of one column; lines without a number there are left out.
fn read_column(file: &PathBuf, column: &str) -> anyhow::Result<Vec<f32>> {
    let text =
        std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut lines = text.lines();
    let header = lines
        .next()
        .with_context(|| format!("{} is empty", file.display()))?;
    let by_name = header.split(',').position(|name| name.trim() == column);
    let position = by_name
        .or_else(|| column.parse().ok())
        .with_context(|| format!("no column `{column}` in `{header}`"))?;
    Ok(lines
        .filter_map(|line| line.split(',').nth(position)?.trim().parse().ok())
        .collect())
}
