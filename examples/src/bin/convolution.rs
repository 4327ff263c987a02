//! A convolution of 17 by 17 weights, which are data: the discs that a lens makes of lights out of focus. One kernel, in tiles that
//! keep what neighbours share.

use accelerate::{Matrix, accelerate};
use anyhow::{Context, Result};
use clap::Parser;
use examples::{Options, check, difference, equal, function, random_integers, rgb, save};
use std::path::PathBuf;

accelerate! {
    /// The sum of the pixels around each, by weights for 17 by 17 of them.
    #[fused(kernels = 1)]
    pub fn convolution(image: &Matrix<(f32, f32, f32)>, weights: &Matrix<f32>) -> Matrix<(f32, f32, f32)> {
        image.stencil(Clamp, |w| {
            let (mut red, mut green, mut blue) = (0.0, 0.0, 0.0);
            for dy in -8..=8 {
                for dx in -8..=8 {
                    let weight = weights[((dy + 8) as usize, (dx + 8) as usize)];
                    let (r, g, b) = w[(dy, dx)];
                    red += weight * r;
                    green += weight * g;
                    blue += weight * b;
                }
            }
            (red, green, blue)
        })
    }
}

/// Takes a photograph out of focus.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,
    /// A PNG or JPEG file
    #[arg(default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/data/rocket.jpg"))]
    file: PathBuf,
    /// Resize the photograph to this width first
    #[arg(long)]
    size: Option<u32>,
    /// Where to write the picture
    #[arg(long, default_value = "target/pictures/convolution.png")]
    output: PathBuf,
}

type Pixel = (f32, f32, f32);

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let (options, file) = (&arguments.options, &arguments.file);
    let device = options.start(&[function!(convolution)])?;
    let photo = image::open(file).with_context(|| format!("cannot read {}", file.display()))?;
    let photo = match arguments.size {
        Some(width) => photo.thumbnail(width, u32::MAX),
        None => photo,
    };
    let photo = photo.to_rgb8();
    let shape = (photo.height() as usize, photo.width() as usize);
    // Light itself, not the levels that stand for it.
    let light = |level: u8| (f32::from(level) / 255.0).powf(2.2);
    let pixels: Vec<Pixel> = photo
        .pixels()
        .map(|p| (light(p[0]), light(p[1]), light(p[2])))
        .collect();
    let disc = disc();
    let mut changed = disc.clone();
    changed[144] = options.constant(changed[144]);
    let image = Matrix::from_slice(&device, shape, &pixels)?;
    let weights = Matrix::from_vec(&device, (17, 17), changed)?;
    let (result, time) = options.measure("convolution", 3, || {
        let result = convolution(&device, &image, &weights)?;
        device.synchronize()?;
        Ok(result)
    })?;
    let sizes = [
        ("image.shape().0", shape.0),
        ("image.shape().1", shape.1),
        ("weights.shape().0", 17),
        ("weights.shape().1", 17),
    ];
    function!(convolution).report(&device, &sizes, time);
    let operations = 6.0 * 289.0 * pixels.len() as f64;
    println!("{:.2} GFLOP/s", operations / 1e9 / time.as_secs_f64());
    let found = result.to_vec()?;
    let level = |light: f32| (255.0 * light.clamp(0.0, 1.0).powf(1.0 / 2.2)).round() as u8;
    let colours = found.iter().map(|p| [level(p.0), level(p.1), level(p.2)]);
    save(&arguments.output, rgb(shape, colours.collect()))?;
    if options.check {
        let expected = plain(shape, &pixels, &disc);
        let flat: Vec<f32> = found.iter().flat_map(|p| [p.0, p.1, p.2]).collect();
        check("sums in f64", difference(&flat, &expected), 1e-5)?;
        // Sums of small integers are exact, in whatever order.
        let integers = |seed, count, bound| {
            random_integers(seed, count, bound)
                .into_iter()
                .map(|x| x as f32)
        };
        let whole: Vec<Pixel> = integers(1, pixels.len(), 256)
            .map(|x| (x, 255.0 - x, 1.0))
            .collect();
        let weights: Vec<f32> = integers(2, 289, 8).collect();
        let expected = plain(shape, &whole, &weights);
        let image = Matrix::from_vec(&device, shape, whole)?;
        let weights = Matrix::from_vec(&device, (17, 17), weights)?;
        let found = convolution(&device, &image, &weights)?.to_vec()?;
        let found: Vec<f64> = found
            .iter()
            .flat_map(|p| [p.0, p.1, p.2].map(f64::from))
            .collect();
        equal("sums of integers", &found, &expected)?;
    }
    Ok(())
}

/// Equal weights within a circle, none outside.
fn disc() -> Vec<f32> {
    let inside = |k: usize| {
        let (y, x) = ((k / 17) as f32 - 8.0, (k % 17) as f32 - 8.0);
        (8.3 - y.hypot(x)).clamp(0.0, 1.0)
    };
    let weights: Vec<f32> = (0..289).map(inside).collect();
    let total: f32 = weights.iter().sum();
    weights.iter().map(|weight| weight / total).collect()
}

/// The same in `f64`.
fn plain((height, width): (usize, usize), pixels: &[Pixel], weights: &[f32]) -> Vec<f64> {
    let near = |k: usize, d: usize, n: usize| (k + d).saturating_sub(8).min(n - 1);
    let pixel = |at: usize| {
        let mut sums = [0.0; 3];
        for (k, &weight) in weights.iter().enumerate() {
            let (y, x) = (
                near(at / width, k / 17, height),
                near(at % width, k % 17, width),
            );
            let (r, g, b) = pixels[y * width + x];
            for (sum, x) in sums.iter_mut().zip([r, g, b]) {
                *sum += f64::from(weight) * f64::from(x);
            }
        }
        sums
    };
    (0..height * width).flat_map(pixel).collect()
}
