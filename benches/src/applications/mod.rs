//! Whole programs against the same by hand. Results are compared before anything is timed.

pub(crate) mod programs;
mod rivals;
mod segments;

use crate::Arguments;
use crate::measure::{close, time};
use accelerate::{Device, Matrix, Vector};

/// Numbers without order, below 2^32.
fn hash(k: usize) -> u32 {
    ((k as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}

/// From 0 to 1.
fn fraction(k: usize) -> f32 {
    (hash(k) >> 8) as f32 / (1 << 24) as f32
}

/// Each program's line.
pub(crate) fn run(device: &Device, arguments: &Arguments) -> anyhow::Result<()> {
    conjugate_gradients(device, arguments)?;
    inverse_cdf(device, arguments)?;
    hashes(device, arguments)?;
    k_means(device, arguments)?;
    n_body(device, arguments)?;
    nearest(device, arguments)?;
    segments::run(device, arguments)
}

/// Rows of eight entries around the diagonal, which is larger than all others together.
fn conjugate_gradients(device: &Device, arguments: &Arguments) -> anyhow::Result<()> {
    let n = 1_000_000 / arguments.shrink;
    let name = format!("conjugate gradients {n}");
    if !arguments.wants(&name) {
        return Ok(());
    }
    const STEPS: [usize; 4] = [1, 2, 100, 1000];
    let (mut offsets, mut columns, mut values) = (vec![0u32], Vec::new(), Vec::new());
    for row in 0..n {
        let below = STEPS.iter().rev().filter_map(|step| row.checked_sub(*step));
        let above = STEPS
            .iter()
            .map(|step| row + step)
            .filter(|&column| column < n);
        for column in below.chain([row]).chain(above) {
            columns.push(column as u32);
            values.push(if column == row { 10.0 } else { -1.0 });
        }
        offsets.push(columns.len() as u32);
    }
    let b: Vec<f64> = (0..n).map(|k| f64::from(fraction(k)) - 0.5).collect();
    let on_device = (
        Vector::from_slice(device, &offsets)?,
        Vector::from_slice(device, &columns)?,
        Vector::from_slice(device, &values)?,
        Vector::from_slice(device, &b)?,
    );
    let tolerance = 1e-3;
    let run = || {
        let (offsets, columns, values, b) = &on_device;
        let x = programs::conjugate_gradients(device, offsets, columns, values, b, tolerance);
        x.expect("conjugate gradients run")
    };
    let matrix = rivals::Sparse {
        offsets: &offsets,
        columns: &columns,
        values: &values,
    };
    let by_hand = || rivals::conjugate_gradients(&matrix, &b, tolerance);
    let far = |(a, b): (&f64, &f64)| (a - b).abs() > 1e-6;
    anyhow::ensure!(
        !run().to_vec()?.iter().zip(&by_hand()).any(far),
        "{name}: not the same"
    );
    let rival = || drop(std::hint::black_box(by_hand()));
    row(device, arguments, (&name, 1.5), run, rival);
    Ok(())
}

fn inverse_cdf(device: &Device, arguments: &Arguments) -> anyhow::Result<()> {
    let n = 1_000_000 / arguments.shrink;
    let name = format!("inverse CDF {n}");
    // Sums of integers below 2^24 are exact in any order.
    let weights: Vec<f32> = (0..1000).map(|k| (hash(k) % 16) as f32).collect();
    let ids: Vec<u32> = (0..n).map(|k| hash(k) % 1000).collect();
    let us: Vec<f32> = (0..n).map(|k| fraction(k) * 7.5 * n as f32).collect();
    let on_device = (
        Vector::from_slice(device, &weights)?,
        Vector::from_slice(device, &ids)?,
        Vector::from_slice(device, &us)?,
    );
    let run = || {
        let (weights, ids, us) = &on_device;
        programs::inverse_cdf(device, weights, ids, us)
    };
    let rival = |out: &mut [u32]| rivals::inverse_cdf(&weights, &ids, &us, out);
    same(device, arguments, (&name, 1.5), vec![0; n], run, rival)
}

/// Times `run` to the end of what it has launched.
fn row<T>(
    device: &Device,
    arguments: &Arguments,
    (program, aim): (&str, f64),
    run: impl Fn() -> T,
    mut rival: impl FnMut(),
) {
    let run = || {
        let result = run();
        device.synchronize().expect("the program ends");
        drop(result);
    };
    arguments.row((program, "rayon", aim), run, || Some(time(&mut rival)));
}

/// A row where results are the same to the bit.
fn same<T: accelerate::Element + PartialEq + Clone>(
    device: &Device,
    arguments: &Arguments,
    (program, aim): (&str, f64),
    blank: Vec<T>,
    run: impl Fn() -> accelerate::Result<Vector<T>>,
    mut rival: impl FnMut(&mut [T]),
) -> anyhow::Result<()> {
    if !arguments.wants(program) {
        return Ok(());
    }
    let mut out = blank;
    rival(&mut out);
    anyhow::ensure!(run()?.to_vec()? == out, "{program}: not the same");
    row(device, arguments, (program, aim), run, || rival(&mut out));
    Ok(())
}

fn hashes(device: &Device, arguments: &Arguments) -> anyhow::Result<()> {
    let n = 1_000_000 / arguments.shrink;
    let xs: Vec<u32> = (0..n).map(hash).collect();
    let on_device = Vector::from_slice(device, &xs)?;
    let run = || programs::loops_in_turn(device, &on_device);
    let rival = |out: &mut [u32]| rivals::loops_in_turn(&xs, out);
    let name = format!("loops in turn {n}");
    same(device, arguments, (&name, 1.1), vec![0; n], run, rival)?;

    let block = |k: usize| std::array::from_fn(|word| hash(16 * k + word));
    let blocks: Vec<[u32; 16]> = (0..n).map(block).collect();
    let on_device = Vector::from_slice(device, &blocks)?;
    let run = || programs::sha256(device, &on_device);
    let rival = |out: &mut [[u32; 8]]| rivals::sha256(&blocks, out);
    let (name, blank) = (format!("SHA-256 {n}"), vec![[0; 8]; n]);
    same(device, arguments, (&name, 1.1), blank, run, rival)?;

    let run = || programs::md5(device, &on_device);
    let rival = |out: &mut [[u32; 4]]| rivals::md5(&blocks, out);
    let (name, blank) = (format!("MD5 {n}"), vec![[0; 4]; n]);
    same(device, arguments, (&name, 1.1), blank, run, rival)?;

    let n = 4 * n;
    let run = || programs::philox(device, n, [1, 2]);
    let rival = |out: &mut [[u32; 4]]| rivals::philox([1, 2], out);
    let (name, blank) = (format!("Philox {n}"), vec![[0; 4]; n]);
    same(device, arguments, (&name, 1.1), blank, run, rival)
}

fn k_means(device: &Device, arguments: &Arguments) -> anyhow::Result<()> {
    let (n, centres, rounds) = (1_000_000 / arguments.shrink, 16, 10);
    let name = format!("k-means {n}, {centres} centres");
    if !arguments.wants(&name) {
        return Ok(());
    }
    let point = |k: usize| (fraction(2 * k), fraction(2 * k + 1));
    let points: Vec<(f32, f32)> = (0..n).map(point).collect();
    let start = &points[..centres];
    let on_device = (
        Vector::from_slice(device, &points)?,
        Vector::from_slice(device, start)?,
    );
    let run = || {
        let (points, start) = &on_device;
        programs::k_means(device, points, start, rounds).expect("k-means runs")
    };
    let by_hand = || rivals::k_means(&points, start, rounds);
    let far = |(a, b): (&(f32, f32), &(f32, f32))| (a.0 - b.0).abs().max((a.1 - b.1).abs()) > 1e-3;
    anyhow::ensure!(
        !run().to_vec()?.iter().zip(&by_hand()).any(far),
        "{name}: not the same"
    );
    let rival = || drop(std::hint::black_box(by_hand()));
    row(device, arguments, (&name, 1.1), run, rival);
    Ok(())
}

/// Bodies `(x, y, z, mass)` in a cube.
pub(crate) fn bodies(n: usize) -> Vec<(f32, f32, f32, f32)> {
    let body = |k: usize| {
        let [x, y, z, mass] = [0, 1, 2, 3].map(|part| fraction(4 * k + part));
        (x, y, z, mass)
    };
    (0..n).map(body).collect()
}

fn n_body(device: &Device, arguments: &Arguments) -> anyhow::Result<()> {
    let n = 16_384 / arguments.shrink;
    let name = format!("n-body {n}");
    if !arguments.wants(&name) {
        return Ok(());
    }
    let bodies = bodies(n);
    let on_device = Vector::from_slice(device, &bodies)?;
    let mut out = vec![(0.0, 0.0, 0.0); n];
    rivals::n_body(&bodies, &mut out);
    let flat = |all: &[(f32, f32, f32)]| -> Vec<f32> {
        all.iter().flat_map(|&(x, y, z)| [x, y, z]).collect()
    };
    let ours = programs::n_body(device, &on_device)?.to_vec()?;
    anyhow::ensure!(close(&flat(&ours), &flat(&out)), "{name}: not the same");
    let run = || programs::n_body(device, &on_device).expect("n-body runs");
    row(device, arguments, (&name, 1.0), run, || {
        rivals::n_body(&bodies, &mut out)
    });
    Ok(())
}

/// For each point the nearest of as many others, of 64 coordinates each.
fn nearest(device: &Device, arguments: &Arguments) -> anyhow::Result<()> {
    let (n, width) = ((4096 / arguments.shrink).next_multiple_of(64), 64);
    let name = format!("nearest of {n}, 64 coordinates");
    if !arguments.wants(&name) {
        return Ok(());
    }
    // Whole numbers, so that distances are exact.
    let places = |from: usize| -> Vec<f32> {
        (0..n * width)
            .map(|k| (hash(from + k) % 64) as f32)
            .collect()
    };
    let (points, others) = (places(0), places(n * width));
    let on_device = (
        Matrix::from_slice(device, (n, width), &points)?,
        Matrix::from_slice(device, (n, width), &others)?,
    );
    let mut out = vec![0; n];
    rivals::nearest(&points, &others, width, &mut out);
    let run = || programs::nearest(device, &on_device.0, &on_device.1).expect("nearest runs");
    anyhow::ensure!(run().to_vec()? == out, "{name}: not the same");
    row(device, arguments, (&name, 1.0), run, || {
        rivals::nearest(&points, &others, width, &mut out)
    });
    Ok(())
}
