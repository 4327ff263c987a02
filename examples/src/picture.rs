//! Pictures: PNG files, animations, and drawing of points and lines.

use anyhow::{Context, Result};
use image::codecs::gif::{GifEncoder, Repeat};
use image::{Delay, DynamicImage, Frame, GrayImage, Rgb, RgbImage};
use std::fs::File;
use std::path::Path;
use std::time::Duration;

/// A picture of colours, row by row.
pub fn rgb((height, width): (usize, usize), colours: Vec<[u8; 3]>) -> RgbImage {
    let picture = RgbImage::from_raw(width as u32, height as u32, colours.into_flattened());
    picture.expect("a colour for each pixel")
}

/// A picture of levels of grey, row by row.
pub fn grey((height, width): (usize, usize), levels: Vec<u8>) -> GrayImage {
    let picture = GrayImage::from_raw(width as u32, height as u32, levels);
    picture.expect("a level for each pixel")
}

/// Writes a picture.
pub fn save(path: &Path, picture: impl Into<DynamicImage>) -> Result<()> {
    write(path, |path| Ok(picture.into().save(path)?))
}

/// Writes pictures one after the other as an animated GIF that begins anew at its end.
pub fn animate(path: &Path, frames: Vec<RgbImage>, delay: Duration) -> Result<()> {
    let delay = Delay::from_saturating_duration(delay);
    write(path, |path| {
        let mut encoder = GifEncoder::new_with_speed(File::create(path)?, 10);
        encoder.set_repeat(Repeat::Infinite)?;
        for frame in frames {
            let frame = DynamicImage::from(frame).into_rgba8();
            encoder.encode_frame(Frame::from_parts(frame, 0, 0, delay))?;
        }
        Ok(())
    })
}

fn write(path: &Path, write: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    write(path).with_context(|| format!("cannot write {}", path.display()))?;
    println!("wrote {}", path.display());
    Ok(())
}

/// A colour for 0 (black) to 1 (white) by way of violet, red and yellow.
pub fn heat(level: f32) -> [u8; 3] {
    const STOPS: [[f32; 3]; 6] = [
        [0.0, 0.0, 4.0],
        [66.0, 10.0, 104.0],
        [147.0, 38.0, 103.0],
        [221.0, 81.0, 58.0],
        [252.0, 165.0, 10.0],
        [252.0, 255.0, 164.0],
    ];
    let place = level.clamp(0.0, 1.0) * (STOPS.len() - 1) as f32;
    let stop = (place as usize).min(STOPS.len() - 2);
    let part = place - stop as f32;
    std::array::from_fn(|c| {
        (STOPS[stop][c] + part * (STOPS[stop + 1][c] - STOPS[stop][c])).round() as u8
    })
}

/// A colour of its own for each of `count`.
pub fn spread(which: usize, count: usize) -> [u8; 3] {
    let turn = which as f32 / count.max(1) as f32;
    std::array::from_fn(|c| {
        let angle = std::f32::consts::TAU * (turn + c as f32 / 3.0);
        (150.0 + 90.0 * angle.cos()) as u8
    })
}

/// A picture that is drawn in the unit square, from its lower left.
pub struct Canvas {
    pixels: RgbImage,
}

impl Canvas {
    /// A black square.
    pub fn new(size: u32) -> Canvas {
        Canvas::on(RgbImage::new(size, size))
    }

    /// On top of a picture.
    pub fn on(pixels: RgbImage) -> Canvas {
        Canvas { pixels }
    }

    fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let (width, height) = self.pixels.dimensions();
        (x * f64::from(width), (1.0 - y) * f64::from(height))
    }

    fn put(&mut self, x: f64, y: f64, paint: impl FnOnce(&mut Rgb<u8>)) {
        if x >= 0.0
            && y >= 0.0
            && let Some(pixel) = self.pixels.get_pixel_mut_checked(x as u32, y as u32)
        {
            paint(pixel);
        }
    }

    /// A dot of so many pixels across.
    pub fn dot(&mut self, at: (f64, f64), width: u32, colour: [u8; 3]) {
        let (x, y) = self.place(at);
        let radius = f64::from(width) / 2.0;
        for dy in 0..width {
            for dx in 0..width {
                let (dx, dy) = (f64::from(dx) - radius + 0.5, f64::from(dy) - radius + 0.5);
                if dx * dx + dy * dy <= radius * radius {
                    self.put(x + dx, y + dy, |pixel| pixel.0 = colour);
                }
            }
        }
    }

    /// Lightens a pixel and, less, those around it, so that many at one place shine.
    pub fn glow(&mut self, at: (f64, f64), colour: [u8; 3]) {
        let (x, y) = self.place(at);
        for (dx, dy, part) in [(0, 0, 1), (-1, 0, 3), (1, 0, 3), (0, -1, 3), (0, 1, 3)] {
            self.put(x + f64::from(dx), y + f64::from(dy), |pixel| {
                for (level, more) in pixel.0.iter_mut().zip(colour) {
                    *level = level.saturating_add(more / part);
                }
            });
        }
    }

    /// A straight line.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: [u8; 3]) {
        let ((x, y), (u, v)) = (self.place(from), self.place(to));
        let steps = (u - x).abs().max((v - y).abs()).ceil().max(1.0);
        for step in 0..=steps as u32 {
            let part = f64::from(step) / steps;
            let at = (x + part * (u - x), y + part * (v - y));
            self.put(at.0, at.1, |pixel| pixel.0 = colour);
        }
    }

    /// The picture.
    pub fn picture(self) -> RgbImage {
        self.pixels
    }
}
