//! Attention of a neural network, without a mask and without a scale: each query takes the values of the keys that it is like,
//! weighed by the softmax of the products (Dao, Fu, Ermon, Rudra, Re: FlashAttention, 2022).

use accelerate::{Device, Error, Matrix, accelerate};
use anyhow::Result;
use clap::Parser;
use examples::{Options, check, difference, function, known, random};

accelerate! {
    /// `softmax(q k^T) v`
    pub fn attention(q: &Matrix<f32>, k: &Matrix<f32>, v: &Matrix<f32>) -> Matrix<f32> {
        let scores = q.matmul(k.transpose());
        let weights = scores.rows().map(|row| {
            let highest = row.max();
            let powers = row.map(|score| (score - highest).exp());
            let total = powers.sum();
            powers.map(|power| power / total)
        });
        weights.matmul(v)
    }
}

/// Computes attention.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Queries, keys and values
    #[arg(long, default_value_t = 2048)]
    size: usize,
    /// The length of each
    #[arg(long, default_value_t = 64)]
    width: usize,
}

fn main() -> Result<()> {
    let Arguments {
        options,
        size,
        width,
    } = Arguments::parse();
    let device = &options.start(&[function!(attention)])?;
    let values = |seed, reach: f32| random(seed, size * width, -reach, reach);
    let [q, k, v] = [values(1, 0.6), values(2, 0.6), values(3, 1.0)];
    let mut changed = q.clone();
    changed[0] = options.constant(changed[0]);
    let run = |q: &[f32], k: &[f32], v: &[f32]| -> Result<Matrix<f32>, Error> {
        let matrix = |values| Matrix::from_slice(device, (size, width), values);
        attention(device, &matrix(q)?, &matrix(k)?, &matrix(v)?)
    };
    let (found, time) = time(device, &options, (size, width), [&changed, &k, &v])?;
    let sizes =
        ["q", "k", "v"].map(|name| [format!("{name}.shape().0"), format!("{name}.shape().1")]);
    let sizes = sizes
        .iter()
        .flat_map(|[rows, columns]| [(rows.as_str(), size), (columns.as_str(), width)]);
    function!(attention).report(device, &sizes.collect::<Vec<_>>(), time);
    let operations = 4.0 * width as f64 * (size as f64).powi(2);
    println!("{:.2} GFLOP/s", operations / 1e9 / time.as_secs_f64());
    if options.check {
        check(
            "softmax in f64",
            difference(&found, &plain(width, &q, &k, &v)),
            1e-5,
        )?;
        let ones = vec![1.0; size * width];
        let result = run(&ones, &ones, &ones)?.to_vec()?;
        let square: f64 = result.iter().map(|&x| f64::from(x).powi(2)).sum();
        let exact = ((size * width) as f64).sqrt();
        known("the norm where all are 1", square.sqrt(), exact, 1e-6)?;
        // The order of the keys is without meaning.
        let turned = |values: &[f32]| {
            [&values[width * (size / 3)..], &values[..width * (size / 3)]].concat()
        };
        let again = run(&q, &turned(&k), &turned(&v))?.to_vec()?;
        check(
            "keys and values in another order",
            difference(&again, &run(&q, &k, &v)?.to_vec()?),
            1e-5,
        )?;
    }
    Ok(())
}

/// Runs it on the device; the result and the shortest time.
fn time(
    device: &Device,
    options: &Options,
    shape: (usize, usize),
    values: [&[f32]; 3],
) -> Result<(Vec<f32>, std::time::Duration)> {
    let [q, k, v] = values.map(|values| Matrix::from_slice(device, shape, values));
    let (q, k, v) = (q?, k?, v?);
    let (result, time) = options.measure("attention", 3, || {
        let result = attention(device, &q, &k, &v)?;
        device.synchronize()?;
        Ok(result)
    })?;
    Ok((result.to_vec()?, time))
}

/// One query after the other, in `f64`.
fn plain(width: usize, q: &[f32], k: &[f32], v: &[f32]) -> Vec<f64> {
    let dot = |a: &[f32], b: &[f32]| -> f64 {
        let terms = a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b));
        terms.sum()
    };
    let query = |query: &[f32]| {
        let powers: Vec<f64> = k.chunks(width).map(|key| dot(query, key).exp()).collect();
        let total: f64 = powers.iter().sum();
        let mut result = vec![0.0; width];
        for (power, value) in powers.iter().zip(v.chunks(width)) {
            for (sum, &x) in result.iter_mut().zip(value) {
                *sum += power / total * f64::from(x);
            }
        }
        result
    };
    q.chunks(width).flat_map(query).collect()
}
