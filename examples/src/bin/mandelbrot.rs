//! The Mandelbrot set as a picture: a `while` loop per pixel, one kernel.

use accelerate::accelerate;
use anyhow::Context;
use clap::Parser;
use examples::{Options, measure, report};
use std::path::PathBuf;

accelerate! {
    /// Rounds until the orbit of each point leaves the disc of radius 2, at most `limit`.
    #[fused(kernels = 1)]
    pub fn mandelbrot(width: usize, height: usize, corner: (f32, f32), step: (f32, f32), limit: i32) -> Matrix<i32> {
        generate((height, width), |(row, column)| {
            let (cx, cy) = (corner.0 + column as f32 * step.0, corner.1 + row as f32 * step.1);
            let (mut x, mut y) = (cx, cy);
            let mut rounds = 0;
            while rounds < limit && x * x + y * y < 4.0 {
                (x, y) = (cx + (x * x - y * y), cy + 2.0 * x * y);
                rounds += 1;
            }
            rounds
        })
    }
}

/// Draws the Mandelbrot set.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Width of the picture in pixels; the height is three quarters of it
    #[arg(long, default_value_t = 1600)]
    size: usize,
    /// Rounds after which a point counts as inside
    #[arg(long, default_value_t = 255)]
    limit: i32,
    /// Where to write the picture
    #[arg(long, default_value = "target/pictures/mandelbrot.png")]
    output: PathBuf,
}

fn main() -> anyhow::Result<()> {
    let Arguments {
        options,
        size: width,
        limit,
        output,
    } = Arguments::parse();
    let device = options.open()?;
    let height = width * 3 / 4;
    let corner = (-2.1f32, -1.2f32);
    let step = (3.2 / width as f32, 2.4 / height as f32);
    let (rounds, time) = measure("mandelbrot", 5, || {
        let rounds = mandelbrot(&device, width, height, corner, step, limit)?;
        device.synchronize()?;
        Ok(rounds)
    })?;
    let rounds = rounds.to_vec()?;
    report(
        "mandelbrot",
        &device,
        mandelbrot::KERNELS.len(),
        4 * (width * height) as u64,
        time,
    );
    if options.check {
        check(&rounds, width, corner, step, limit)?;
    }
    if let Some(folder) = output.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let colours = rounds.iter().flat_map(|&n| colour(n, limit)).collect();
    let picture = image::RgbImage::from_raw(width as u32, height as u32, colours)
        .context("a picture of that size")?;
    picture
        .save(&output)
        .with_context(|| format!("cannot write {}", output.display()))?;
    println!("wrote {}", output.display());
    Ok(())
}

/// Compares with the same loop in plain Rust: the arithmetic is exact, so every pixel must be equal.
fn check(
    found: &[i32],
    width: usize,
    corner: (f32, f32),
    step: (f32, f32),
    limit: i32,
) -> anyhow::Result<()> {
    let plain = |k: usize| {
        let (cx, cy) = (
            corner.0 + (k % width) as f32 * step.0,
            corner.1 + (k / width) as f32 * step.1,
        );
        let (mut x, mut y, mut rounds) = (cx, cy, 0);
        while rounds < limit && x * x + y * y < 4.0 {
            (x, y) = (cx + (x * x - y * y), cy + 2.0 * x * y);
            rounds += 1;
        }
        rounds
    };
    let wrong = found
        .iter()
        .enumerate()
        .filter(|&(k, &rounds)| rounds != plain(k))
        .count();
    anyhow::ensure!(wrong == 0, "{wrong} pixels differ from plain Rust");
    println!("mandelbrot: every pixel agrees with plain Rust");
    Ok(())
}

/// Dark blue over white to black.
fn colour(rounds: i32, limit: i32) -> [u8; 3] {
    if rounds >= limit {
        return [0, 0, 0];
    }
    let t = (rounds as f32 / limit as f32).sqrt();
    let channel = |power: f32| (255.0 * t.powf(power)) as u8;
    [channel(1.6), channel(1.0), 64 + channel(0.6) / 4 * 3]
}
