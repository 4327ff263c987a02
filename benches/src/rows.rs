//! Operations on the rows of a matrix, long ones and short ones, against rayon by hand.

use crate::measure::{close, time};
use crate::{Arguments, values};
use accelerate::{Device, Matrix, Vector, accelerate};

accelerate! {
    /// Running sums of each row.
    #[fused(kernels = 1)]
    pub fn running_sums_of_rows(m: &Matrix<f32>) -> Matrix<f32> {
        m.rows().map(|row| row.cumsum())
    }

    /// The largest sum of absolute values of a row.
    pub fn infinity_norm(m: &Matrix<f32>) -> f32 {
        m.rows().map(|row| row.map(|x| x.abs()).sum()).max()
    }

    /// Each row through exponentials to shares of one.
    #[fused(kernels = 1)]
    pub fn shares(m: &Matrix<f32>) -> Matrix<f32> {
        m.rows().map(|row| {
            let top = row.max();
            let powers = row.map(|x| (x - top).exp());
            let total = powers.sum();
            powers.map(|p| p / total)
        })
    }

    /// The mean over rows of what a classifier's outputs say against the right class.
    pub fn cross_entropy(outputs: &Matrix<f32>, classes: &Vector<u32>) -> f32 {
        let losses = outputs.rows().zip(classes).map(|(row, class)| {
            let top = row.max();
            let total = row.map(|x| (x - top).exp()).sum();
            total.ln() + top - row[class as usize]
        });
        losses.sum() / classes.len() as f32
    }
}

mod rivals {
    use rayon::prelude::*;

    pub(super) fn running_sums(m: &[f32], columns: usize, out: &mut [f32]) {
        let rows = m.par_chunks(columns).zip(out.par_chunks_mut(columns));
        rows.for_each(|(row, out)| {
            let mut sum = 0.0;
            for (x, out) in row.iter().zip(out) {
                sum += x;
                *out = sum;
            }
        });
    }

    /// In eight lanes, as LLVM does not reorder sums.
    pub(super) fn infinity_norm(m: &[f32], columns: usize) -> f32 {
        let sum = |row: &[f32]| {
            let mut lanes = [0.0f32; 8];
            let chunks = row.chunks_exact(8);
            let rest: f32 = chunks.remainder().iter().map(|x| x.abs()).sum();
            for chunk in chunks {
                for (lane, x) in lanes.iter_mut().zip(chunk) {
                    *lane += x.abs();
                }
            }
            lanes.iter().sum::<f32>() + rest
        };
        m.par_chunks(columns).map(sum).reduce(|| 0.0, f32::max)
    }

    pub(super) fn shares(m: &[f32], columns: usize, out: &mut [f32]) {
        let rows = m.par_chunks(columns).zip(out.par_chunks_mut(columns));
        rows.with_min_len(256).for_each(|(row, out)| {
            let top = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let mut total = 0.0;
            for (x, out) in row.iter().zip(out.iter_mut()) {
                *out = (x - top).exp();
                total += *out;
            }
            for out in out {
                *out /= total;
            }
        });
    }

    pub(super) fn cross_entropy(m: &[f32], columns: usize, classes: &[u32]) -> f32 {
        let rows = m.par_chunks(columns).zip(classes).with_min_len(256);
        let losses = rows.map(|(row, &class)| {
            let top = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let total: f32 = row.iter().map(|x| (x - top).exp()).sum();
            total.ln() + top - row[class as usize]
        });
        losses.sum::<f32>() / classes.len() as f32
    }
}

pub(crate) fn against_rayon(device: &Device, arguments: &Arguments) -> anyhow::Result<()> {
    let (rows, columns) = (8192 / arguments.shrink, 1000);
    let m = values(9, rows * columns);
    let matrix = Matrix::from_vec(device, (rows, columns), m.clone())?;
    let mut out = vec![0.0; rows * columns];
    rivals::running_sums(&m, columns, &mut out);
    let ours = running_sums_of_rows(device, &matrix)?.to_vec()?;
    anyhow::ensure!(close(&ours, &out), "running sums: not the same");
    let run = || {
        running_sums_of_rows(device, &matrix).expect("running sums run");
        device.synchronize().expect("running sums end");
    };
    let rival = || Some(time(|| rivals::running_sums(&m, columns, &mut out)));
    let name = format!("scans of rows {rows}x{columns}");
    arguments.row((&name, "rayon", 1.15), run, rival);

    let theirs = rivals::infinity_norm(&m, columns);
    let ours = infinity_norm(device, &matrix)?;
    anyhow::ensure!(close(&[ours], &[theirs]), "norms: {ours} and {theirs}");
    let run = || {
        infinity_norm(device, &matrix).expect("the norm runs");
    };
    let rival = || {
        Some(time(|| {
            std::hint::black_box(rivals::infinity_norm(&m, columns));
        }))
    };
    let name = format!("infinity norm {rows}x{columns}");
    arguments.row((&name, "rayon", 1.15), run, rival);

    let (rows, columns) = (1_000_000 / arguments.shrink, 10);
    let m = values(10, rows * columns);
    let matrix = Matrix::from_vec(device, (rows, columns), m.clone())?;
    let mut out = vec![0.0; rows * columns];
    rivals::shares(&m, columns, &mut out);
    let ours = shares(device, &matrix)?.to_vec()?;
    anyhow::ensure!(close(&ours, &out), "shares: not the same");
    let run = || {
        shares(device, &matrix).expect("shares run");
        device.synchronize().expect("shares end");
    };
    let rival = || Some(time(|| rivals::shares(&m, columns, &mut out)));
    let name = format!("softmax {rows}x{columns}");
    arguments.row((&name, "rayon", 1.0), run, rival);

    let classes: Vec<u32> = (0..rows as u32).map(|row| row * 7 % 10).collect();
    let on_device = Vector::from_slice(device, &classes)?;
    let theirs = rivals::cross_entropy(&m, columns, &classes);
    let ours = cross_entropy(device, &matrix, &on_device)?;
    anyhow::ensure!((ours - theirs).abs() < 0.01, "losses: {ours} and {theirs}");
    let run = || {
        cross_entropy(device, &matrix, &on_device).expect("the loss runs");
    };
    let rival = || {
        Some(time(|| {
            std::hint::black_box(rivals::cross_entropy(&m, columns, &classes));
        }))
    };
    let name = format!("cross entropy {rows}x{columns}");
    arguments.row((&name, "rayon", 1.0), run, rival);
    Ok(())
}
