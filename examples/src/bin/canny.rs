//! Canny's edge detector (A Computational Approach to Edge Detection, 1986), from the photograph to the last edge on the
//! device: blur, gradient, ridges, and then weak ridges that touch strong ones, spread until nothing changes.

use accelerate::{Matrix, accelerate};
use anyhow::{Context, Result};
use clap::Parser;
use examples::{Options, agrees, equal, function, grey, save};
use std::path::PathBuf;

accelerate! {
    /// Brightness from 0 to 255.
    fn brightness(image: &Matrix<(u8, u8, u8)>) -> Matrix<f32> {
        image.map(|(r, g, b)| 0.3 * r as f32 + 0.59 * g as f32 + 0.11 * b as f32)
    }

    /// Weights 1, 4, 6, 4, 1 along both axes.
    fn blur(image: &Matrix<f32>) -> Matrix<f32> {
        let across = image.stencil(Clamp, |w| {
            (w[(0, -2)] + 4.0 * w[(0, -1)] + 6.0 * w[(0, 0)] + 4.0 * w[(0, 1)] + w[(0, 2)]) / 16.0
        });
        across.stencil(Clamp, |w| {
            (w[(-2, 0)] + 4.0 * w[(-1, 0)] + 6.0 * w[(0, 0)] + 4.0 * w[(1, 0)] + w[(2, 0)]) / 16.0
        })
    }

    /// How steep the image is, and in which of four directions: 1 to 4, or 0 where it is flat.
    fn gradient(image: &Matrix<f32>, low: f32) -> Matrix<(f32, u8)> {
        image.stencil(Clamp, |w| {
            let (left, right) = (w[(-1, -1)] + 2.0 * w[(0, -1)] + w[(1, -1)], w[(-1, 1)] + 2.0 * w[(0, 1)] + w[(1, 1)]);
            let (above, below) = (w[(-1, -1)] + 2.0 * w[(-1, 0)] + w[(-1, 1)], w[(1, -1)] + 2.0 * w[(1, 0)] + w[(1, 1)]);
            let (dx, dy) = (right - left, above - below);
            let eighths = (dy.atan2(dx) - f32::consts::FRAC_PI_8) * 4.0 / f32::consts::PI;
            let turn = if eighths <= 0.0 { eighths + 8.0 } else { eighths };
            let flat = dx.abs() <= low && dy.abs() <= low;
            ((dx * dx + dy * dy).sqrt(), if flat { 0 } else { 1 + (turn as u8) % 4 })
        })
    }

    /// The pixels that are steeper than both neighbours along their direction: 2 where at least `high`, 1 where at least
    /// `low`, 0 elsewhere.
    fn ridges(gradient: &Matrix<(f32, u8)>, low: f32, high: f32) -> Matrix<u8> {
        gradient.stencil(Clamp, |w| {
            let (steep, direction) = w[(0, 0)];
            let (one, other) = match direction {
                1 => (w[(-1, 1)].0, w[(1, -1)].0),
                2 => (w[(-1, 0)].0, w[(1, 0)].0),
                3 => (w[(-1, -1)].0, w[(1, 1)].0),
                _ => (w[(0, -1)].0, w[(0, 1)].0),
            };
            if direction == 0 || steep < low || steep < one || steep < other {
                0
            } else if steep >= high {
                2
            } else {
                1
            }
        })
    }

    /// Strong and weak edges of a photograph: 2 and 1.
    pub fn candidates(image: &Matrix<(u8, u8, u8)>, low: f32, high: f32) -> Matrix<u8> {
        ridges(&gradient(&blur(&brightness(image)), low), low, high)
    }

    /// Weak edges next to strong ones become strong, until none does. Gives 255 for strong edges, 0 elsewhere, and the
    /// number of rounds.
    pub fn hysteresis(marks: &Matrix<u8>) -> (Matrix<u8>, u32) {
        let mut marks = marks;
        let mut rounds = 0;
        loop {
            let grown = marks.stencil(Clamp, |w| {
                let mut strongest = 0;
                for dy in -1..=1 {
                    for dx in -1..=1 {
                        strongest = strongest.max(w[(dy, dx)]);
                    }
                }
                if w[(0, 0)] == 1 { strongest } else { w[(0, 0)] }
            });
            let done = (grown == marks).all_all();
            marks = grown;
            rounds += 1;
            if done {
                break;
            }
        }
        (marks.map(|mark| if mark == 2 { 255 } else { 0 }), rounds)
    }

    /// Canny's edges: 255, or 0.
    pub fn canny(image: &Matrix<(u8, u8, u8)>, low: f32, high: f32) -> Matrix<u8> {
        hysteresis(&candidates(image, low, high)).0
    }
}

/// Finds the edges in a photograph.
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
    #[arg(long, default_value = "target/pictures/canny.png")]
    output: PathBuf,
}

const LOW: f32 = 50.0;
const HIGH: f32 = 100.0;

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let (options, file) = (&arguments.options, &arguments.file);
    let functions = [
        function!(canny),
        function!(candidates),
        function!(hysteresis),
    ];
    let device = options.start(&functions)?;
    let photo = image::open(file).with_context(|| format!("cannot read {}", file.display()))?;
    let photo = match arguments.size {
        Some(width) => photo.thumbnail(width, u32::MAX),
        None => photo,
    };
    let photo = photo.to_rgb8();
    let (width, height) = (photo.width() as usize, photo.height() as usize);
    println!("{}: {width} x {height} pixels", file.display());
    let pixels: Vec<(u8, u8, u8)> = photo.pixels().map(|p| (p[0], p[1], p[2])).collect();
    let image = Matrix::from_slice(&device, (height, width), &pixels)?;
    let low = options.constant(LOW);

    let (edges, time) =
        options.measure("canny", 5, || canny(&device, &image, low, HIGH)?.to_vec())?;
    functions[0].report(&device, &[], time);
    let (marks, time) = options.measure("candidates", 5, || {
        let marks = candidates(&device, &image, low, HIGH)?;
        device.synchronize()?;
        Ok(marks)
    })?;
    let sizes = [("image.shape().0", height), ("image.shape().1", width)];
    functions[1].report(&device, &sizes, time);
    let ((spread, rounds), time) =
        options.measure("hysteresis", 5, || hysteresis(&device, &marks))?;
    functions[2].report(&device, &[], time);
    let count = edges.iter().filter(|&&edge| edge > 0).count();
    println!("{count} pixels of edges, after {rounds} rounds");
    save(&arguments.output, grey((height, width), edges.clone()))?;
    if options.check {
        let marks = marks.to_vec()?;
        equal("edges by a flood", &edges, &flood(width, &marks))?;
        equal("edges in two steps", &spread.to_vec()?, &edges)?;
        let plain = Plain::new(width, &pixels);
        let differing = (0..marks.len()).filter(|&k| plain.mark(k).0 != marks[k]);
        let doubtful = differing.clone().all(|k| plain.mark(k).1 < 1e-3);
        let differing = differing.count();
        let name = format!("candidates in f64, but for {differing} within rounding of a threshold");
        agrees(&name, doubtful && differing * 1000 <= marks.len())?;
    }
    Ok(())
}

/// What is strong, or weak and joined to something strong by what is weak.
fn flood(width: usize, marks: &[u8]) -> Vec<u8> {
    let mut edges = vec![0; marks.len()];
    let mut next: Vec<usize> = (0..marks.len()).filter(|&k| marks[k] == 2).collect();
    while let Some(k) = next.pop() {
        if edges[k] == 255 {
            continue;
        }
        edges[k] = 255;
        let (i, j) = (k / width, k % width);
        for i in i.saturating_sub(1)..=(i + 1).min(marks.len() / width - 1) {
            for j in j.saturating_sub(1)..=(j + 1).min(width - 1) {
                next.extend((marks[i * width + j] > 0).then_some(i * width + j));
            }
        }
    }
    edges
}

/// The same in `f64`.
struct Plain {
    width: usize,
    height: usize,
    /// Differences across and upwards.
    slopes: Vec<(f64, f64)>,
}

impl Plain {
    fn new(width: usize, pixels: &[(u8, u8, u8)]) -> Plain {
        let mut plain = Plain {
            width,
            height: pixels.len() / width,
            slopes: Vec::new(),
        };
        let weigh = |&(r, g, b): &(u8, u8, u8)| {
            0.3 * f64::from(r) + 0.59 * f64::from(g) + 0.11 * f64::from(b)
        };
        let bright: Vec<f64> = pixels.iter().map(weigh).collect();
        let weights = [1.0, 4.0, 6.0, 4.0, 1.0];
        let blur = |from: &[f64], (down, across): (isize, isize)| -> Vec<f64> {
            let term = |k: usize, d: usize| {
                let d = d as isize - 2;
                weights[(d + 2) as usize] / 16.0 * from[plain.at(k, down * d, across * d)]
            };
            let pixel = |k| (0..5).map(|d| term(k, d)).sum();
            (0..from.len()).map(pixel).collect()
        };
        let blurred = blur(&blur(&bright, (0, 1)), (1, 0));
        let slope = |k: usize| {
            let v = |dy, dx| blurred[plain.at(k, dy, dx)];
            (
                v(-1, 1) + 2.0 * v(0, 1) + v(1, 1) - v(-1, -1) - 2.0 * v(0, -1) - v(1, -1),
                v(-1, -1) + 2.0 * v(-1, 0) + v(-1, 1) - v(1, -1) - 2.0 * v(1, 0) - v(1, 1),
            )
        };
        plain.slopes = (0..pixels.len()).map(slope).collect();
        plain
    }

    /// The neighbour of a pixel, at the edge the nearest one.
    fn at(&self, k: usize, dy: isize, dx: isize) -> usize {
        let move_by = |x: usize, d: isize, n: usize| x.saturating_add_signed(d).min(n - 1);
        let (i, j) = (k / self.width, k % self.width);
        move_by(i, dy, self.height) * self.width + move_by(j, dx, self.width)
    }

    /// Strong, weak or nothing, and how far the nearest threshold is away.
    fn mark(&self, k: usize) -> (u8, f64) {
        let (low, high) = (f64::from(LOW), f64::from(HIGH));
        let steep = |k: usize| self.slopes[k].0.hypot(self.slopes[k].1);
        let (dx, dy) = self.slopes[k];
        let eighths = (dy.atan2(dx) / std::f64::consts::FRAC_PI_4 - 0.5).rem_euclid(8.0);
        let (oy, ox) = [(-1, 1), (-1, 0), (-1, -1), (0, -1)][eighths as usize % 4];
        let here = steep(k);
        let [one, other] = [self.at(k, oy, ox), self.at(k, -oy, -ox)].map(steep);
        let kept =
            (dx.abs() > low || dy.abs() > low) && here >= low && here >= one && here >= other;
        let mark = if kept { 1 + u8::from(here >= high) } else { 0 };
        let turn = (eighths - eighths.round()).abs();
        let distances = [
            turn,
            (dx.abs() - low).abs(),
            (dy.abs() - low).abs(),
            (here - low).abs(),
            (here - high).abs(),
            (here - one).abs(),
            (here - other).abs(),
        ];
        (mark, distances.into_iter().fold(f64::INFINITY, f64::min))
    }
}
