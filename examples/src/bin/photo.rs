//! A photograph through fused kernels: luminance, contrast, gamma, vignette, half size, blur.

use accelerate::{Device, Error, Matrix, accelerate};
use anyhow::Context;
use clap::Parser;
use examples::{Function, Options, function, grey, save};
use image::RgbImage;
use std::path::{Path, PathBuf};

accelerate! {
    /// Brightness of each pixel from 0 to 1 (weights of ITU-R BT.601).
    #[fused(kernels = 1)]
    pub fn luminance(image: &Matrix<(u8, u8, u8)>) -> Matrix<f32> {
        image.map(|(r, g, b)| (0.299 * r as f32 + 0.587 * g as f32 + 0.114 * b as f32) / 255.0)
    }

    /// Stretches the contrast so that the darkest pixel becomes 0 and the brightest 1.
    #[fused(kernels = 2)]
    pub fn stretch(image: &Matrix<f32>) -> Matrix<f32> {
        let low = image.min_all();
        let high = image.max_all();
        let scale = if high > low { 1.0 / (high - low) } else { 0.0 };
        image.map(|x| (x - low) * scale)
    }

    /// Raises each pixel to a power.
    #[fused(kernels = 1)]
    pub fn gamma(image: &Matrix<f32>, exponent: f32) -> Matrix<f32> {
        image.map(|x| x.powf(exponent))
    }

    /// Darkens towards the corners.
    #[fused(kernels = 1)]
    pub fn vignette(image: &Matrix<f32>, strength: f32) -> Matrix<f32> {
        let (height, width) = image.shape();
        let (cy, cx) = (0.5 * height as f32, 0.5 * width as f32);
        image.map_indexed(|(i, j), x| {
            let (dy, dx) = ((i as f32 + 0.5 - cy) / cy, (j as f32 + 0.5 - cx) / cx);
            x * (1.0 - strength * 0.5 * (dx * dx + dy * dy))
        })
    }

    /// Half the size: each pixel is the mean of a square of four.
    #[fused(kernels = 1)]
    pub fn halve(image: &Matrix<f32>) -> Matrix<f32> {
        let (height, width) = image.shape();
        generate((height / 2, width / 2), |(i, j)| {
            let (y, x) = (2 * i, 2 * j);
            0.25 * (image[(y, x)] + image[(y, x + 1)] + image[(y + 1, x)] + image[(y + 1, x + 1)])
        })
    }

    /// The mean of each pixel's neighbourhood of 5x5, with the edge pixels repeated.
    #[fused(kernels = 1)]
    pub fn blur(image: &Matrix<f32>) -> Matrix<f32> {
        let (height, width) = image.shape();
        generate((height, width), |(y, x)| {
            let mut sum = 0.0;
            for dy in 0..5 {
                for dx in 0..5 {
                    let i = (y + dy).max(2).min(height + 1) - 2;
                    let j = (x + dx).max(2).min(width + 1) - 2;
                    sum += image[(i, j)];
                }
            }
            sum / 25.0
        })
    }

    /// All steps but the last two at once: what was four programs above is two kernels.
    #[fused(kernels = 2)]
    pub fn develop(image: &Matrix<(u8, u8, u8)>, exponent: f32, strength: f32) -> Matrix<f32> {
        vignette(&gamma(&stretch(&luminance(image)), exponent), strength)
    }

    /// Levels from 0 to 255.
    #[fused(kernels = 1)]
    pub fn levels(image: &Matrix<f32>) -> Matrix<u8> {
        image.map(|x| (x * 255.0).round() as u8)
    }
}

/// Processes a photograph step by step and writes a picture for each.
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
    /// Folder for the pictures
    #[arg(long, default_value = "target/pictures")]
    output: PathBuf,
}

const GAMMA: f32 = 0.8;
const VIGNETTE: f32 = 0.6;

/// A step that has been run: its name and its picture.
struct Step {
    name: &'static str,
    picture: Matrix<f32>,
}

fn main() -> anyhow::Result<()> {
    let Arguments {
        options,
        file,
        size,
        output,
    } = Arguments::parse();
    let functions = [
        function!(luminance),
        function!(stretch),
        function!(gamma),
        function!(vignette),
        function!(halve),
        function!(blur),
        function!(develop),
        function!(levels),
    ];
    let device = options.start(&functions)?;
    let photo = open(&file, size)?;
    let (width, height) = photo.dimensions();
    println!(
        "{}: {width} x {height} pixels, on {}",
        file.display(),
        device.name()
    );
    let pixels: Vec<(u8, u8, u8)> = photo.pixels().map(|p| (p[0], p[1], p[2])).collect();
    let image = Matrix::from_vec(&device, (height as usize, width as usize), pixels)?;
    let steps = process(&device, &options, &image)?;

    for (number, step) in steps.iter().enumerate() {
        let path = output.join(format!("{}_{}.png", number + 1, step.name));
        let levels = levels(&device, &step.picture)?.to_vec()?;
        save(&path, grey(step.picture.shape(), levels))?;
    }
    if options.check {
        check(&photo, &steps)
    } else {
        Ok(())
    }
}

/// Runs every step and tells what each cost.
fn process(
    device: &Device,
    options: &Options,
    image: &Matrix<(u8, u8, u8)>,
) -> anyhow::Result<Vec<Step>> {
    let (exponent, strength) = (options.constant(GAMMA), VIGNETTE);
    let mut steps: Vec<Step> = Vec::new();
    let mut run = |function: Function,
                   (height, width): (usize, usize),
                   work: &dyn Fn() -> Result<Matrix<f32>, Error>| {
        let (picture, time) = options.measure(function.name, 5, || {
            let picture = work()?;
            device.synchronize()?;
            Ok(picture)
        })?;
        let sizes = [("image.shape().0", height), ("image.shape().1", width)];
        function.report(device, &sizes, time);
        steps.push(Step {
            name: function.name,
            picture: picture.clone(),
        });
        anyhow::Ok(picture)
    };
    let shape = image.shape();
    let grey = run(function!(luminance), shape, &|| luminance(device, image))?;
    let wide = run(function!(stretch), shape, &|| stretch(device, &grey))?;
    let curved = run(function!(gamma), shape, &|| gamma(device, &wide, exponent))?;
    let dark = run(function!(vignette), shape, &|| {
        vignette(device, &curved, strength)
    })?;
    let small = run(function!(halve), shape, &|| halve(device, &dark))?;
    run(function!(blur), small.shape(), &|| blur(device, &small))?;
    run(function!(develop), shape, &|| {
        develop(device, image, exponent, strength)
    })?;
    Ok(steps)
}

/// Reads a picture and brings it to the width asked for.
fn open(file: &Path, width: Option<u32>) -> anyhow::Result<RgbImage> {
    let picture = image::open(file).with_context(|| format!("cannot read {}", file.display()))?;
    let picture = match width {
        Some(width) => {
            let height = (u64::from(width) * u64::from(picture.height())
                / u64::from(picture.width()))
            .max(1);
            picture.resize_exact(
                width.max(1),
                height as u32,
                image::imageops::FilterType::Triangle,
            )
        }
        None => picture,
    };
    Ok(picture.to_rgb8())
}

/// A picture in plain Rust: its width and its pixels.
type Plain = (usize, Vec<f32>);

/// Compares each step with plain Rust, in levels of 255.
fn check(photo: &RgbImage, steps: &[Step]) -> anyhow::Result<()> {
    let width = photo.width() as usize;
    let weigh = |p: &image::Rgb<u8>| {
        (0.299 * f32::from(p[0]) + 0.587 * f32::from(p[1]) + 0.114 * f32::from(p[2])) / 255.0
    };
    let grey: Plain = (width, photo.pixels().map(weigh).collect());
    let low = grey.1.iter().copied().fold(f32::INFINITY, f32::min);
    let high = grey.1.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let scale = if high > low { 1.0 / (high - low) } else { 0.0 };
    let wide: Plain = (width, grey.1.iter().map(|x| (x - low) * scale).collect());
    let curved: Plain = (width, wide.1.iter().map(|x| x.powf(GAMMA)).collect());
    let dark = plain_vignette(&curved);
    let small = plain_halve(&dark);
    let soft = plain_blur(&small);
    let expected = [grey, wide, curved, dark.clone(), small, soft, dark];
    for (step, (_, plain)) in steps.iter().zip(&expected) {
        let found = step.picture.to_vec()?;
        anyhow::ensure!(
            found.len() == plain.len(),
            "check failed: {}: a picture of another size",
            step.name
        );
        let worst = found
            .iter()
            .zip(plain)
            .map(|(a, b)| 255.0 * (a - b).abs())
            .fold(0.0, f32::max);
        anyhow::ensure!(
            worst < 0.01,
            "check failed: {}: {worst} levels from plain Rust",
            step.name
        );
        println!("check: {}: within {worst:.5} levels of 255", step.name);
    }
    Ok(())
}

fn plain_vignette((width, pixels): &Plain) -> Plain {
    let height = pixels.len() / width.max(&1);
    let (cy, cx) = (0.5 * height as f32, 0.5 * *width as f32);
    let at = |(k, x): (usize, &f32)| {
        let (i, j) = (k / width, k % width);
        let (dy, dx) = ((i as f32 + 0.5 - cy) / cy, (j as f32 + 0.5 - cx) / cx);
        x * (1.0 - VIGNETTE * 0.5 * (dx * dx + dy * dy))
    };
    (*width, pixels.iter().enumerate().map(at).collect())
}

fn plain_halve((width, pixels): &Plain) -> Plain {
    let (height, half) = (pixels.len() / width.max(&1), width / 2);
    let mut small = Vec::with_capacity(height / 2 * half);
    for i in 0..height / 2 {
        for j in 0..half {
            let corner = 2 * i * width + 2 * j;
            let below = corner + width;
            small.push(
                0.25 * (pixels[corner] + pixels[corner + 1] + pixels[below] + pixels[below + 1]),
            );
        }
    }
    (half, small)
}

fn plain_blur((width, pixels): &Plain) -> Plain {
    let height = if *width == 0 { 0 } else { pixels.len() / width };
    let mut soft = Vec::with_capacity(pixels.len());
    for y in 0..height {
        for x in 0..*width {
            let mut sum = 0.0;
            for dy in 0..5 {
                for dx in 0..5 {
                    let i = (y + dy).saturating_sub(2).min(height - 1);
                    let j = (x + dx).saturating_sub(2).min(width - 1);
                    sum += pixels[i * width + j];
                }
            }
            soft.push(sum / 25.0);
        }
    }
    (*width, soft)
}
