//! A matrix that the reconstruction of magnetic resonance images needs, Q of Parboil (Stone et al.: Accelerating Advanced MRI
//! Reconstructions on GPUs, 2008): for each voxel the sum over all samples of a sine and a cosine. One kernel.

use accelerate::{Vector, accelerate};
use anyhow::Result;
use clap::Parser;
use examples::{Options, check, difference, function, heat, known, random, rgb, save};
use std::path::PathBuf;

accelerate! {
    /// Where a sample was taken, and what was found.
    pub struct Sample {
        pub place: (f32, f32, f32),
        pub real: f32,
        pub imaginary: f32,
    }

    /// The real and the imaginary part for each voxel.
    #[fused(kernels = 1)]
    pub fn q(voxels: &Vector<(f32, f32, f32)>, samples: &Vector<Sample>) -> Vector<(f32, f32)> {
        voxels.map(|(x, y, z)| {
            let parts = samples.map(|sample| {
                let magnitude = sample.real * sample.real + sample.imaginary * sample.imaginary;
                let (kx, ky, kz) = sample.place;
                let angle = 2.0 * f32::consts::PI * (kx * x + ky * y + kz * z);
                (magnitude * angle.cos(), magnitude * angle.sin())
            });
            parts.sum()
        })
    }
}

/// Computes Q.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Voxels along each side of a slice
    #[arg(long, default_value_t = 128)]
    size: usize,
    /// Samples
    #[arg(long, default_value_t = 2048)]
    samples: usize,
    /// Where to write the picture
    #[arg(long, default_value = "target/pictures/mri_q.png")]
    output: PathBuf,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let (options, n) = (&arguments.options, arguments.size);
    let device = options.start(&[function!(q)])?;
    // A slice, one unit across.
    let unit = |k: usize| k as f32 / n as f32 - 0.5;
    let places: Vec<_> = (0..n * n)
        .map(|k| (unit(k % n), unit(k / n), 0.0))
        .collect();
    let exact = samples(arguments.samples);
    let mut changed = exact.clone();
    changed[0].real = options.constant(changed[0].real);
    let voxels = Vector::from_slice(&device, &places)?;
    let samples = Vector::from_vec(&device, changed)?;
    let (result, time) = options.measure("q", 3, || {
        let result = q(&device, &voxels, &samples)?;
        device.synchronize()?;
        Ok(result)
    })?;
    let sizes = [("voxels.len()", n * n), ("samples.len()", samples.len())];
    function!(q).report(&device, &sizes, time);
    let pairs = (n * n * samples.len()) as f64;
    println!(
        "{:.1} million sines and cosines a second",
        pairs / 1e6 / time.as_secs_f64()
    );
    let found = result.to_vec()?;
    let sizes: Vec<f32> = found.iter().map(|(re, im)| re.hypot(*im).ln_1p()).collect();
    let largest = sizes.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    let colours = sizes.iter().map(|size| heat(size / largest)).collect();
    save(&arguments.output, rgb((n, n), colours))?;
    if options.check {
        // About 4096 voxels of large slices.
        let chosen: Vec<usize> = (0..n * n).step_by((n * n / 4096).max(1)).collect();
        let expected: Vec<f64> = chosen
            .iter()
            .flat_map(|&k| plain(places[k], &exact))
            .collect();
        let found_there: Vec<f32> = chosen
            .iter()
            .flat_map(|&k| [found[k].0, found[k].1])
            .collect();
        let total: f64 = exact.iter().map(magnitude).sum();
        let scaled = |values: Vec<f64>| -> Vec<f64> { values.iter().map(|x| x / total).collect() };
        let found_there = scaled(found_there.into_iter().map(f64::from).collect());
        check(
            "sines and cosines in f64",
            difference(&found_there, &scaled(expected)),
            1e-5,
        )?;
        let middle = found[n / 2 * n + n / 2];
        known(
            "the middle: the sum of all magnitudes",
            middle.0.into(),
            total,
            1e-5,
        )?;
    }
    Ok(())
}

/// Points of a ball, most of them near its middle.
fn samples(count: usize) -> Vec<Sample> {
    let [x, y, z, real, imaginary] = [1, 2, 3, 4, 5].map(|seed| random(seed, count, -1.0, 1.0));
    let sample = |k: usize| {
        let reach = 40.0 * (x[k] * x[k] + y[k] * y[k] + z[k] * z[k]);
        Sample {
            place: (reach * x[k], reach * y[k], reach * z[k]),
            real: real[k],
            imaginary: imaginary[k],
        }
    };
    (0..count).map(sample).collect()
}

fn magnitude(sample: &Sample) -> f64 {
    f64::from(sample.real).powi(2) + f64::from(sample.imaginary).powi(2)
}

/// Both parts for a voxel, in `f64`.
fn plain((x, y, z): (f32, f32, f32), samples: &[Sample]) -> [f64; 2] {
    samples.iter().fold([0.0, 0.0], |[re, im], sample| {
        let (kx, ky, kz) = sample.place;
        let along = |k: f32, x: f32| f64::from(k) * f64::from(x);
        let angle = std::f64::consts::TAU * (along(kx, x) + along(ky, y) + along(kz, z));
        let magnitude = magnitude(sample);
        [re + magnitude * angle.cos(), im + magnitude * angle.sin()]
    })
}
