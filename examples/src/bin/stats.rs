//! Statistics of a column of a CSV file: mean, variance, RMSE against a forecast, differences, moving average.

use accelerate::{Vector, accelerate};
use anyhow::{Context, ensure};
use clap::Parser;
use examples::{Options, check, difference, equal, function, known};
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
    let functions = [
        function!(moments),
        function!(rmse),
        function!(forward_difference),
        function!(moving_average),
    ];
    let device = options.start(&functions)?;
    let read = read_column(&file, &column)?;
    ensure!(
        read.len() >= 3,
        "{} has {} values in `{column}`: at least 3 are needed",
        file.display(),
        read.len()
    );
    let size = size.unwrap_or(read.len()).max(3);
    let mut values: Vec<f32> = read.iter().copied().cycle().take(size).collect();
    // The forecast that tomorrow will be like today.
    let forecast: Vec<f32> = values[..1]
        .iter()
        .chain(&values[..size - 1])
        .copied()
        .collect();
    let exact = Exact::new(&values, &forecast);
    values[0] = options.constant(values[0]);
    let xs = Vector::from_slice(&device, &values)?;
    let ys = Vector::from_slice(&device, &forecast)?;

    let sizes = [("xs.len()", size), ("ys.len()", size)];
    let ((mean, variance), time) = options.measure("moments", 5, || moments(&device, &xs))?;
    functions[0].report(&device, &sizes, time);
    let (error, time) = options.measure("rmse", 5, || rmse(&device, &xs, &ys))?;
    functions[1].report(&device, &sizes, time);
    let (changes, time) = options.measure("difference", 5, || {
        forward_difference(&device, &xs)?.to_vec()
    })?;
    functions[2].report(&device, &sizes, time);
    let (smooth, time) =
        options.measure("average", 5, || moving_average(&device, &xs)?.to_vec())?;
    functions[3].report(&device, &sizes, time);

    println!(
        "values {size}, mean {mean:.4}, variance {variance:.4}, deviation {:.4}",
        variance.sqrt()
    );
    println!("rmse of yesterday as a forecast {error:.4}");
    println!("first differences {:?}", &changes[..changes.len().min(5)]);
    println!("smoothed {:?}", &smooth[..smooth.len().min(5)]);
    if options.check {
        check(
            "mean, variance and rmse in f64",
            difference(&[mean, variance, error], &exact.moments),
            1e-5,
        )?;
        equal("forward difference", &changes, &exact.changes)?;
        equal("moving average", &smooth, &exact.smooth)?;
        // A constant c apart everywhere: c. Equal steps: the same again, without the ends.
        let line = |start: f32| (0..size.min(1 << 20)).map(|k| start + k as f32).collect();
        let [xs, ys] = [
            Vector::from_vec(&device, line(0.0))?,
            Vector::from_vec(&device, line(2.5))?,
        ];
        known(
            "rmse of what is 2.5 apart",
            rmse(&device, &xs, &ys)?.into(),
            2.5,
            1e-6,
        )?;
        let smooth = moving_average(&device, &xs)?.to_vec()?;
        equal(
            "moving average of equal steps",
            &smooth,
            &xs.to_vec()?[1..size.min(1 << 20) - 1],
        )?;
    }
    Ok(())
}

/// The same in plain Rust.
struct Exact {
    /// Mean, variance, error of the forecast.
    moments: [f64; 3],
    changes: Vec<f32>,
    smooth: Vec<f32>,
}

impl Exact {
    fn new(values: &[f32], forecast: &[f32]) -> Exact {
        let n = values.len() as f64;
        let wide = || values.iter().map(|&x| f64::from(x));
        let mean = wide().sum::<f64>() / n;
        let variance = wide().map(|x| (x - mean).powi(2)).sum::<f64>() / n;
        let errors = wide().zip(forecast).map(|(x, &y)| x - f64::from(y));
        let error = (errors.map(|error| error * error).sum::<f64>() / n).sqrt();
        let average = |w: &[f32]| (w[0] + 2.0 * w[1] + w[2]) / 4.0;
        Exact {
            moments: [mean, variance, error],
            changes: values.windows(2).map(|w| w[1] - w[0]).collect(),
            smooth: values.windows(3).map(average).collect(),
        }
    }
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
