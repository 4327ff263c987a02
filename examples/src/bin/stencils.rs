//! Eight stencils in two dimensions, those of Remmelg's thesis (Automatic Performance Optimisation of Parallel Programs for GPUs
//! via Rewrite Rules, 2019): one kernel each, which reads every element from memory once. The picture shows what they make
//! of a photograph.

use accelerate::{Error, Matrix, accelerate};
use anyhow::{Context, Result};
use clap::Parser;
use examples::{Function, Options, check, difference, function, grey, known, random, save};
use std::path::PathBuf;

accelerate! {
    /// All eight neighbours; nothing lies outside (SHOC).
    #[fused(kernels = 1)]
    pub fn stencil2d(image: &Matrix<f32>) -> Matrix<f32> {
        image.stencil(Constant(0.0), |w| {
            let straight = w[(-1, 0)] + w[(1, 0)] + w[(0, 1)] + w[(0, -1)];
            let across = w[(-1, -1)] + w[(-1, 1)] + w[(1, -1)] + w[(1, 1)];
            0.25 * w[(0, 0)] + 0.15 * straight + 0.05 * across
        })
    }

    /// How far speckles may spread: the coefficient of an anisotropic diffusion (Rodinia). `q0` is the speckles' scale.
    #[fused(kernels = 1)]
    pub fn srad1(image: &Matrix<f32>, q0: f32) -> Matrix<f32> {
        image.stencil(Clamp, |w| {
            let c = w[(0, 0)];
            let (n, s, e, w) = (w[(-1, 0)] - c, w[(1, 0)] - c, w[(0, 1)] - c, w[(0, -1)] - c);
            let g2 = (n * n + s * s + e * e + w * w) / (c * c);
            let l = (n + s + e + w) / c;
            let den = 1.0 + 0.25 * l;
            let q = (0.5 * g2 - 0.0625 * l * l) / (den * den);
            (1.0 / (1.0 + (q - q0) / (q0 * (1.0 + q0)))).clamp(0.0, 1.0)
        })
    }

    /// A step of that diffusion.
    #[fused(kernels = 1)]
    pub fn srad2(image: &Matrix<f32>, spread: &Matrix<f32>) -> Matrix<f32> {
        image.stencil2(Clamp, spread, Clamp, |w, k| {
            let c = w[(0, 0)];
            let (n, s, e, w) = (w[(-1, 0)] - c, w[(1, 0)] - c, w[(0, 1)] - c, w[(0, -1)] - c);
            c + 0.125 * (k[(0, 0)] * n + k[(1, 0)] * s + k[(0, 0)] * w + k[(0, 1)] * e)
        })
    }

    /// A step of the heat in a chip of so much power (Rodinia, constants of a grid of 1024).
    #[fused(kernels = 1)]
    pub fn hotspot(image: &Matrix<f32>, power: &Matrix<f32>) -> Matrix<f32> {
        image.stencil2(Clamp, power, Clamp, |w, p| {
            let c = w[(0, 0)];
            let down = 0.1 * (w[(-1, 0)] + w[(1, 0)] - 2.0 * c);
            let along = 0.1 * (w[(0, 1)] + w[(0, -1)] - 2.0 * c);
            c + 1.365333 * (p[(0, 0)] + down + along + 4.882813e-5 * (80.0 - c))
        })
    }

    /// The inverse of the gradient's length, added.
    #[fused(kernels = 1)]
    pub fn gradient(image: &Matrix<f32>) -> Matrix<f32> {
        image.stencil(Clamp, |w| {
            let c = w[(0, 0)];
            let (n, s, e, w) = (w[(-1, 0)] - c, w[(1, 0)] - c, w[(0, 1)] - c, w[(0, -1)] - c);
            c + 1.0 / (0.0001 + n * n + s * s + e * e + w * w).sqrt()
        })
    }

    #[fused(kernels = 1)]
    pub fn jacobi5(image: &Matrix<f32>) -> Matrix<f32> {
        image.stencil(Clamp, |w| {
            (5.0 * w[(-1, 0)] + 12.0 * w[(0, -1)] + 15.0 * w[(0, 0)] + 5.0 * w[(1, 0)] + 12.0 * w[(0, 1)]) / 118.0
        })
    }

    #[fused(kernels = 1)]
    pub fn jacobi9(image: &Matrix<f32>) -> Matrix<f32> {
        image.stencil(Clamp, |w| {
            let above = 7.0 * w[(-1, -1)] + 5.0 * w[(-1, 0)] + 9.0 * w[(-1, 1)];
            let here = 12.0 * w[(0, -1)] + 15.0 * w[(0, 0)] + 12.0 * w[(0, 1)];
            let below = 9.0 * w[(1, -1)] + 5.0 * w[(1, 0)] + 7.0 * w[(1, 1)];
            (above + here + below) / 118.0
        })
    }

    const WEIGHTS: [[f32; 5]; 5] = [
        [2.0, 4.0, 5.0, 4.0, 2.0],
        [4.0, 9.0, 12.0, 9.0, 4.0],
        [5.0, 12.0, 15.0, 12.0, 5.0],
        [4.0, 9.0, 12.0, 9.0, 4.0],
        [2.0, 4.0, 5.0, 4.0, 2.0],
    ];

    /// A blur that weighs 25 pixels.
    #[fused(kernels = 1)]
    pub fn gaussian(image: &Matrix<f32>) -> Matrix<f32> {
        image.stencil(Clamp, |w| {
            let mut sum = 0.0;
            for dy in -2..=2 {
                for dx in -2..=2 {
                    sum += WEIGHTS[(dy + 2) as usize][(dx + 2) as usize] * w[(dy, dx)];
                }
            }
            sum / 159.0
        })
    }
}

/// Applies stencils to a photograph.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Width and height that the photograph is brought to
    #[arg(long, default_value_t = 2048)]
    size: usize,
    /// A PNG or JPEG file
    #[arg(default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/data/rocket.jpg"))]
    file: PathBuf,
    /// Where to write the picture
    #[arg(long, default_value = "target/pictures/stencils.png")]
    output: PathBuf,
}

/// A constant in place of Rodinia's statistics of a region.
const Q0: f32 = 0.053787220269;

type Window<'a> = &'a dyn Fn(isize, isize) -> f64;

/// On the device, of the image and a second grid.
type Work<'a> = &'a dyn Fn(&Matrix<f32>, &Matrix<f32>) -> Result<Matrix<f32>, Error>;
/// In `f64`, at one place of both.
type Plain = fn(Window, Window) -> f64;

struct Stencil<'a> {
    function: Function,
    work: Work<'a>,
    plain: Plain,
    /// What it makes of a constant 1 away from the edges, where that is known.
    of_one: Option<f64>,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let (options, n) = (&arguments.options, arguments.size);
    let functions = [
        function!(stencil2d),
        function!(srad1),
        function!(srad2),
        function!(hotspot),
        function!(gradient),
        function!(jacobi5),
        function!(jacobi9),
        function!(gaussian),
    ];
    let device = &options.start(&functions)?;
    let photo = image::open(&arguments.file);
    let photo = photo.with_context(|| format!("cannot read {}", arguments.file.display()))?;
    let photo = photo.resize_exact(n as u32, n as u32, image::imageops::FilterType::Triangle);
    // From 0.05 to 1: some of the stencils divide by a pixel.
    let levels = photo.into_luma8().into_raw().into_iter();
    let pixels: Vec<f32> = levels.map(|x| 0.05 + f32::from(x) / 268.5).collect();
    let others = random(1, n * n, 0.0, 0.2);
    let mut changed = pixels.clone();
    changed[n * n / 2 + n / 2] = options.constant(changed[n * n / 2 + n / 2]);
    let image = Matrix::from_vec(device, (n, n), changed)?;
    let other = Matrix::from_vec(device, (n, n), others.clone())?;
    let ones = Matrix::from_vec(device, (9, 9), vec![1.0; 81])?;
    let zeros = Matrix::from_vec(device, (9, 9), vec![0.0; 81])?;

    let stencils = [
        Stencil {
            function: functions[0],
            work: &|image, _| stencil2d(device, image),
            plain: plain::stencil2d,
            of_one: Some(1.05),
        },
        Stencil {
            function: functions[1],
            work: &|image, _| srad1(device, image, Q0),
            plain: plain::srad1,
            of_one: None,
        },
        Stencil {
            function: functions[2],
            work: &|image, other| srad2(device, image, other),
            plain: plain::srad2,
            of_one: Some(1.0),
        },
        Stencil {
            function: functions[3],
            work: &|image, other| hotspot(device, image, other),
            plain: plain::hotspot,
            of_one: None,
        },
        Stencil {
            function: functions[4],
            work: &|image, _| gradient(device, image),
            plain: plain::gradient,
            of_one: Some(101.0),
        },
        Stencil {
            function: functions[5],
            work: &|image, _| jacobi5(device, image),
            plain: plain::jacobi5,
            of_one: Some(49.0 / 118.0),
        },
        Stencil {
            function: functions[6],
            work: &|image, _| jacobi9(device, image),
            plain: plain::jacobi9,
            of_one: Some(81.0 / 118.0),
        },
        Stencil {
            function: functions[7],
            work: &|image, _| gaussian(device, image),
            plain: plain::gaussian,
            of_one: Some(1.0),
        },
    ];
    let mut pictures = Vec::new();
    for stencil in &stencils {
        let name = stencil.function.name;
        let (result, time) = options.measure(name, 5, || {
            let result = (stencil.work)(&image, &other)?;
            device.synchronize()?;
            Ok(result)
        })?;
        let sizes = ["image", "spread", "power"]
            .map(|grid| [0, 1].map(|axis| format!("{grid}.shape().{axis}")));
        let sizes: Vec<(&str, usize)> = sizes
            .as_flattened()
            .iter()
            .map(|extent| (extent.as_str(), n))
            .collect();
        stencil.function.report(device, &sizes, time);
        let found = result.to_vec()?;
        if options.check {
            let clamped = name != "stencil2d";
            let at = |grid: &[f32], k: usize, dy: isize, dx: isize| {
                let (i, j) = ((k / n) as isize + dy, (k % n) as isize + dx);
                let edge = n as isize - 1;
                let (y, x) = (i.clamp(0, edge), j.clamp(0, edge));
                let inside = clamped || (y, x) == (i, j);
                if inside {
                    f64::from(grid[(y * n as isize + x) as usize])
                } else {
                    0.0
                }
            };
            let expected = (0..n * n).map(|k| {
                (stencil.plain)(&|dy, dx| at(&pixels, k, dy, dx), &|dy, dx| {
                    at(&others, k, dy, dx)
                })
            });
            let expected: Vec<f64> = expected.collect();
            check(
                &format!("{name} in f64"),
                difference(&found, &expected),
                1e-4,
            )?;
            if let Some(of_one) = stencil.of_one {
                let middle = (stencil.work)(&ones, &zeros)?.get((4, 4))?;
                known(
                    &format!("{name} of a constant"),
                    middle.into(),
                    of_one,
                    1e-6,
                )?;
            }
        }
        pictures.push(found);
    }
    save(&arguments.output, sheet(n, &pictures))
}

/// All pictures beside each other, each from its darkest to its brightest value.
fn sheet(n: usize, pictures: &[Vec<f32>]) -> image::GrayImage {
    const SIDE: usize = 256;
    let tile = |values: &Vec<f32>| -> Vec<u8> {
        let at = |k: usize| values[(k / SIDE * n / SIDE) * n + k % SIDE * n / SIDE];
        let values: Vec<f32> = (0..SIDE * SIDE).map(at).collect();
        let low = values.iter().copied().fold(f32::INFINITY, f32::min);
        let high = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let scale = 255.0 / (high - low).max(f32::MIN_POSITIVE);
        values.iter().map(|x| ((x - low) * scale) as u8).collect()
    };
    let tiles: Vec<Vec<u8>> = pictures.iter().map(tile).collect();
    let (down, across) = (2, pictures.len() / 2);
    let level = |k: usize| {
        let (i, j) = (k / (across * SIDE), k % (across * SIDE));
        tiles[i / SIDE * across + j / SIDE][i % SIDE * SIDE + j % SIDE]
    };
    let levels = (0..down * SIDE * across * SIDE).map(level).collect();
    grey((down * SIDE, across * SIDE), levels)
}

/// The same in `f64`, written as tables of weights where they are such.
mod plain {
    use super::{Q0, Window};

    fn weighed<const N: usize>(w: Window, weights: [[f64; N]; N], divisor: f64) -> f64 {
        let half = (N / 2) as isize;
        let terms = (0..N * N)
            .map(|k| weights[k / N][k % N] * w((k / N) as isize - half, (k % N) as isize - half));
        terms.sum::<f64>() / divisor
    }

    /// Differences to the north, south, east and west.
    fn around(w: Window) -> [f64; 4] {
        [w(-1, 0), w(1, 0), w(0, 1), w(0, -1)].map(|x| x - w(0, 0))
    }

    pub(super) fn stencil2d(w: Window, _: Window) -> f64 {
        weighed(
            w,
            [[0.05, 0.15, 0.05], [0.15, 0.25, 0.15], [0.05, 0.15, 0.05]],
            1.0,
        )
    }

    pub(super) fn srad1(w: Window, _: Window) -> f64 {
        let (c, around, q0) = (w(0, 0), around(w), f64::from(Q0));
        let g2 = around.iter().map(|d| d * d).sum::<f64>() / (c * c);
        let l = around.iter().sum::<f64>() / c;
        let q = (g2 / 2.0 - l * l / 16.0) / (1.0 + l / 4.0).powi(2);
        (1.0 / (1.0 + (q - q0) / (q0 * (1.0 + q0)))).clamp(0.0, 1.0)
    }

    pub(super) fn srad2(w: Window, k: Window) -> f64 {
        let spread = [k(0, 0), k(1, 0), k(0, 1), k(0, 0)];
        let flows = around(w).into_iter().zip(spread).map(|(d, k)| d * k);
        w(0, 0) + 0.125 * flows.sum::<f64>()
    }

    pub(super) fn hotspot(w: Window, p: Window) -> f64 {
        let heat = p(0, 0) + 0.1 * around(w).iter().sum::<f64>() + 4.882813e-5 * (80.0 - w(0, 0));
        w(0, 0) + 1.365333 * heat
    }

    pub(super) fn gradient(w: Window, _: Window) -> f64 {
        let squares = around(w).iter().map(|d| d * d).sum::<f64>();
        w(0, 0) + 1.0 / (1e-4 + squares).sqrt()
    }

    pub(super) fn jacobi5(w: Window, _: Window) -> f64 {
        weighed(
            w,
            [[0.0, 5.0, 0.0], [12.0, 15.0, 12.0], [0.0, 5.0, 0.0]],
            118.0,
        )
    }

    pub(super) fn jacobi9(w: Window, _: Window) -> f64 {
        weighed(
            w,
            [[7.0, 5.0, 9.0], [12.0, 15.0, 12.0], [9.0, 5.0, 7.0]],
            118.0,
        )
    }

    pub(super) fn gaussian(w: Window, _: Window) -> f64 {
        let outer = [2.0, 4.0, 5.0, 4.0, 2.0];
        let inner = [4.0, 9.0, 12.0, 9.0, 4.0];
        weighed(
            w,
            [outer, inner, [5.0, 12.0, 15.0, 12.0, 5.0], inner, outer],
            159.0,
        )
    }
}
