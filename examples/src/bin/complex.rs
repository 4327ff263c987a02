//! A Julia set by complex numbers with operators: the type, its methods and `a * b` are written once, for the device and for the host.

use accelerate::accelerate;
use anyhow::Result;
use clap::Parser;
use examples::{Options, agrees, animate, equal, function, heat, progress, rgb, save};
use std::f32::consts::TAU;
use std::path::PathBuf;
use std::time::Duration;

accelerate! {
    pub struct Complex<T> {
        pub re: T,
        pub im: T,
    }

    impl<T: Float> Complex<T> {
        pub fn new(re: T, im: T) -> Self {
            Complex { re, im }
        }

        pub fn norm_squared(self) -> T {
            self.re * self.re + self.im * self.im
        }
    }

    impl<T: Float> Add for Complex<T> {
        type Output = Self;

        fn add(self, other: Self) -> Self {
            Complex::new(self.re + other.re, self.im + other.im)
        }
    }

    impl<T: Float> Mul for Complex<T> {
        type Output = Self;

        fn mul(self, other: Self) -> Self {
            Complex::new(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)
        }
    }

    /// Rounds of `z * z + c` until each point of a square around zero leaves the disc of radius 2, at most `limit`.
    #[fused(kernels = 1)]
    #[fused(bytes = 4 * size * size)]
    pub fn julia(size: usize, c: Complex<f32>, limit: i32) -> Matrix<i32> {
        let place = |k: usize| (k as f32 + 0.5) * (3.2 / size as f32) - 1.6;
        generate((size, size), |(row, column)| {
            let mut z = Complex::new(place(column), place(row));
            let mut rounds = 0;
            while rounds < limit && z.norm_squared() < 4.0 {
                z = z * z + c;
                rounds += 1;
            }
            rounds
        })
    }
}

/// Draws a Julia set.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Width and height of the picture in pixels
    #[arg(long, default_value_t = 1200)]
    size: usize,
    /// Rounds after which a point counts as inside
    #[arg(long, default_value_t = 200)]
    limit: i32,
    /// Draw so many pictures of 300 pixels, of constants on a circle, as an animation
    #[arg(long, value_name = "PICTURES")]
    turn: Option<u32>,
    /// Where to write the picture, or `.gif` in its place the animation
    #[arg(long, default_value = "target/pictures/complex.png")]
    output: PathBuf,
}

/// The constant of the picture.
const C: (f32, f32) = (-0.8, 0.156);

fn main() -> Result<()> {
    let Arguments {
        options,
        size,
        limit,
        turn,
        output,
    } = Arguments::parse();
    let device = options.start(&[function!(julia)])?;
    if let Some(pictures) = turn {
        let bar = progress("turn", pictures.into());
        let mut frames = Vec::new();
        for picture in 0..pictures {
            let angle = TAU * picture as f32 / pictures as f32;
            let c = Complex::new(0.7885 * angle.cos(), 0.7885 * angle.sin());
            let rounds = julia(&device, 300, c, limit)?.to_vec()?;
            frames.push(rgb((300, 300), colours(&rounds, limit)));
            bar.inc(1);
        }
        bar.finish_and_clear();
        return animate(
            &output.with_extension("gif"),
            frames,
            Duration::from_millis(60),
        );
    }
    let c = Complex::new(options.constant(C.0), C.1);
    let (rounds, time) = options.measure("julia", 5, || {
        let rounds = julia(&device, size, c, limit)?;
        device.synchronize()?;
        Ok(rounds)
    })?;
    let rounds = rounds.to_vec()?;
    function!(julia).report(&device, &[("size", size)], time);
    save(&output, rgb((size, size), colours(&rounds, limit)))?;
    if options.check {
        check(&rounds, size, limit)?;
    }
    Ok(())
}

/// Compares with real numbers in plain Rust: no rounding is open, so every pixel must be equal. And with the operators of the
/// block, used by the host.
fn check(found: &[i32], size: usize, limit: i32) -> Result<()> {
    let place = |k: usize| (k as f32 + 0.5) * (3.2 / size as f32) - 1.6;
    let plain = |k: usize| {
        let (mut x, mut y, mut rounds) = (place(k % size), place(k / size), 0);
        while rounds < limit && x * x + y * y < 4.0 {
            (x, y) = (x * x - y * y + C.0, x * y + y * x + C.1);
            rounds += 1;
        }
        rounds
    };
    let expected: Vec<i32> = (0..found.len()).map(plain).collect();
    equal("rounds of each pixel", found, &expected)?;
    let by_operators = |k: usize| {
        let mut z = Complex::new(place(k % size), place(k / size));
        let escapes = |_: &i32| {
            let inside = z.norm_squared() < 4.0;
            z = z * z + Complex::new(C.0, C.1);
            !inside
        };
        (0..limit).find(escapes).unwrap_or(limit)
    };
    let mut sample = (0..found.len()).step_by(found.len().div_ceil(1000));
    let same = sample.all(|k| by_operators(k) == found[k]);
    agrees("the host's operators give the same rounds", same)
}

/// Bright where points leave late.
fn colours(rounds: &[i32], limit: i32) -> Vec<[u8; 3]> {
    let colour = |&n: &i32| match n == limit {
        true => [0, 0, 0],
        false => heat((n as f32 / limit as f32).powf(0.4)),
    };
    rounds.iter().map(colour).collect()
}
