//! The Mandelbrot set as a picture, or as an animation that dives into it: a `while` loop per pixel, one kernel.

use accelerate::{Device, accelerate};
use anyhow::Result;
use clap::Parser;
use examples::{Options, animate, equal, function, known, progress, rgb, save};
use std::path::PathBuf;
use std::time::Duration;

accelerate! {
    /// Rounds until the orbit of each point leaves the disc of radius 2, at most `limit`.
    #[fused(kernels = 1)]
    #[fused(bytes = 4 * width * height)]
    pub fn mandelbrot(width: usize, height: usize, corner: (f32, f32), extent: (f32, f32), limit: i32) -> Matrix<i32> {
        generate((height, width), |(row, column)| {
            let cx = corner.0 + column as f32 * extent.0 / width as f32;
            let cy = corner.1 + row as f32 * extent.1 / height as f32;
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
    /// Draw so many pictures of a dive to the bottom of a valley, as an animation of 400 pixels
    #[arg(long, value_name = "PICTURES")]
    zoom: Option<u32>,
    /// Where to write the picture, or `.gif` in its place the animation
    #[arg(long, default_value = "target/pictures/mandelbrot.png")]
    output: PathBuf,
}

/// The plane from -2.1 to 1.1 and from -1.2 to 1.2, rounded as the known sums take it.
const CORNER: (f32, f32) = (-2.1, -1.2);
const EXTENT: (f32, f32) = (1.1 - CORNER.0, 1.2 - CORNER.1);

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let (options, limit, width) = (&arguments.options, arguments.limit, arguments.size);
    let device = options.start(&[function!(mandelbrot)])?;
    if let Some(pictures) = arguments.zoom {
        return zoom(&device, &arguments, pictures);
    }
    let height = width * 3 / 4;
    let corner = (options.constant(CORNER.0), CORNER.1);
    let (rounds, time) = options.measure("mandelbrot", 5, || {
        let rounds = mandelbrot(&device, width, height, corner, EXTENT, limit)?;
        device.synchronize()?;
        Ok(rounds)
    })?;
    let rounds = rounds.to_vec()?;
    function!(mandelbrot).report(&device, &[("width", width), ("height", height)], time);
    let colours = rounds.iter().map(|&n| colour(n, limit)).collect();
    save(&arguments.output, rgb((height, width), colours))?;
    if options.check {
        check(&rounds, (height, width), limit)?;
    }
    Ok(())
}

/// Compares with the same loop in plain Rust: no rounding is open, so every pixel must be equal.
fn check(found: &[i32], (height, width): (usize, usize), limit: i32) -> Result<()> {
    let plain = |k: usize| {
        let cx = CORNER.0 + (k % width) as f32 * EXTENT.0 / width as f32;
        let cy = CORNER.1 + (k / width) as f32 * EXTENT.1 / height as f32;
        let (mut x, mut y, mut rounds) = (cx, cy, 0);
        while rounds < limit && x * x + y * y < 4.0 {
            (x, y) = (cx + (x * x - y * y), cy + 2.0 * x * y);
            rounds += 1;
        }
        rounds
    };
    let expected: Vec<i32> = (0..found.len()).map(plain).collect();
    equal("rounds of each pixel", found, &expected)?;
    if (width, height, limit) == (1600, 1200, 255) {
        let sum: i64 = found.iter().copied().map(i64::from).sum();
        let inside = found.iter().filter(|&&n| n == limit).count();
        known("sum of all rounds", sum as f64, 104_332_610.0, 0.0)?;
        known("pixels inside", inside as f64, 380_682.0, 0.0)?;
    }
    Ok(())
}

/// Each picture shows a little less of the one before, around a point that stays where it is.
fn zoom(device: &Device, arguments: &Arguments, pictures: u32) -> Result<()> {
    const SHAPE: (usize, usize) = (300, 400);
    const POINT: (f32, f32) = (-0.743_643_9, 0.131_825_9);
    let limit = 4 * arguments.limit;
    let bar = progress("zoom", pictures.into());
    let mut frames = Vec::new();
    for picture in 0..pictures {
        let scale = 0.0005f32.powf(picture as f32 / pictures as f32);
        let extent = (scale * EXTENT.0, scale * EXTENT.1);
        let corner = (
            POINT.0 + scale * (CORNER.0 - POINT.0),
            POINT.1 + scale * (CORNER.1 - POINT.1),
        );
        let rounds = mandelbrot(device, SHAPE.1, SHAPE.0, corner, extent, limit)?;
        let rounds = rounds.to_vec()?.into_iter();
        frames.push(rgb(SHAPE, rounds.map(|n| colour(n, limit)).collect()));
        bar.inc(1);
    }
    bar.finish_and_clear();
    let output = arguments.output.with_extension("gif");
    animate(&output, frames, Duration::from_millis(50))
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
