//! Ink in a stirred fluid, by Stam's stable method (Stable Fluids, 1999; Real-Time Fluid Dynamics for Games, 2003): what is
//! added, spreads, is made free of divergence, and is carried along. 160 sweeps over the grid a step, and none waits.

use accelerate::{Device, Matrix, Vector, accelerate};
use anyhow::Result;
use clap::Parser;
use examples::{
    Options, agrees, animate, check, difference, equal, function, heat, progress, rgb, save,
};
use image::RgbImage;
use std::path::PathBuf;
use std::time::Duration;

accelerate! {
    /// A velocity, in widths and heights of the grid.
    pub struct Flow {
        pub x: f32,
        pub y: f32,
    }

    impl Add for Flow {
        type Output = Flow;
        fn add(self, other: Flow) -> Flow {
            Flow { x: self.x + other.x, y: self.y + other.y }
        }
    }

    impl Mul<f32> for Flow {
        type Output = Flow;
        fn mul(self, by: f32) -> Flow {
            Flow { x: self.x * by, y: self.y * by }
        }
    }

    impl Div<f32> for Flow {
        type Output = Flow;
        fn div(self, by: f32) -> Flow {
            Flow { x: self.x / by, y: self.y / by }
        }
    }

    /// What is in each cell.
    pub struct Fluid {
        pub velocity: Matrix<Flow>,
        pub ink: Matrix<f32>,
    }

    /// What is added in each step: where, what velocity, how much ink.
    pub struct Sources {
        pub places: Vector<(usize, usize)>,
        pub velocity: Vector<Flow>,
        pub ink: Vector<f32>,
    }

    /// The equations of the spreading of `start` solved by so many sweeps of Jacobi's method.
    fn diffuse<T>(start: Matrix<T>, outside: T, rate: f32, sweeps: usize) -> Matrix<T> {
        let (height, width) = start.shape();
        let a = rate * (width * height) as f32;
        let mut now = start;
        if a > 0.0 {
            for _ in 0..sweeps {
                now = now.stencil2(Constant(outside), &start, Constant(outside), |w, s| {
                    (s[(0, 0)] + (w[(0, -1)] + w[(-1, 0)] + w[(0, 1)] + w[(1, 0)]) * a) / (1.0 + 4.0 * a)
                });
            }
        }
        now
    }

    /// Takes away what would pile up somewhere: the gradient of a pressure, which is found by sweeps.
    fn project(velocity: Matrix<Flow>, sweeps: usize) -> Matrix<Flow> {
        let rest = Flow { x: 0.0, y: 0.0 };
        let inflow = velocity.stencil(Constant(rest), |v| -0.5 * (v[(0, 1)].x - v[(0, -1)].x + v[(1, 0)].y - v[(-1, 0)].y));
        let mut pressure = inflow;
        for _ in 0..sweeps {
            pressure = pressure.stencil2(Constant(0.0), &inflow, Constant(0.0), |p, d| {
                (d[(0, 0)] + (p[(0, -1)] + p[(-1, 0)] + p[(0, 1)] + p[(1, 0)])) / 4.0
            });
        }
        velocity.stencil2(Constant(rest), &pressure, Constant(0.0), |v, p| Flow {
            x: v[(0, 0)].x - 0.5 * (p[(0, 1)] - p[(0, -1)]),
            y: v[(0, 0)].y - 0.5 * (p[(1, 0)] - p[(-1, 0)]),
        })
    }

    /// What the velocity carries to each cell: from between four cells upstream.
    fn advect<T>(what: Matrix<T>, outside: T, velocity: &Matrix<Flow>, dt: f32) -> Matrix<T> {
        let (height, width) = what.shape();
        let (w, h) = (width as f32, height as f32);
        // A row and a column of the outside around.
        let at = |i: i32, j: i32| {
            if i >= 0 && j >= 0 && i < height as i32 && j < width as i32 { what[(i as usize, j as usize)] } else { outside }
        };
        velocity.map_indexed(|(i, j), v| {
            let x = (j as f32 - dt * w * v.x).clamp(-0.5, w + 0.5);
            let y = (i as f32 - dt * h * v.y).clamp(-0.5, h + 0.5);
            let (j0, i0) = ((x + 1.0) as i32 - 1, (y + 1.0) as i32 - 1);
            let (s, t) = (x - j0 as f32, y - i0 as f32);
            let above = at(i0, j0) * (1.0 - s) + at(i0, j0 + 1) * s;
            let below = at(i0 + 1, j0) * (1.0 - s) + at(i0 + 1, j0 + 1) * s;
            above * (1.0 - t) + below * t
        })
    }

    /// So many steps, each with so many sweeps for each of its equations.
    pub fn stir(
        fluid: Fluid, sources: &Sources, viscosity: f32, diffusion: f32, dt: f32, sweeps: usize, steps: usize,
    ) -> Fluid {
        let rest = Flow { x: 0.0, y: 0.0 };
        let (mut velocity, mut ink) = (fluid.velocity, fluid.ink);
        for _ in 0..steps {
            let pushed = velocity.scatter(|a, b| a + b, &sources.velocity, |k, _| Some(sources.places[k]));
            let smooth = project(diffuse(pushed, rest, dt * viscosity, sweeps), sweeps);
            velocity = project(advect(smooth, rest, &smooth, dt), sweeps);
            let inked = ink.scatter(|a, b| a + b, &sources.ink, |k, _| Some(sources.places[k]));
            ink = advect(diffuse(inked, 0.0, dt * diffusion, sweeps), 0.0, &velocity, dt);
        }
        Fluid { velocity, ink }
    }
}

/// Stirs ink into a fluid.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Width and height of the grid
    #[arg(long, default_value_t = 256)]
    size: usize,
    /// Pictures
    #[arg(long, default_value_t = 48)]
    pictures: usize,
    /// Steps from one picture to the next
    #[arg(long, default_value_t = 1)]
    steps: usize,
    /// Sweeps for each equation
    #[arg(long, default_value_t = 40)]
    sweeps: usize,
    /// Where to write the animation
    #[arg(long, default_value = "target/pictures/fluid.gif")]
    output: PathBuf,
}

const VISCOSITY: f32 = 1e-6;
const DIFFUSION: f32 = 2e-7;
const STEP: f32 = 0.1;

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let (options, n, steps) = (&arguments.options, arguments.size, arguments.steps);
    let device = options.start(&[function!(stir)])?;
    let sources = sources(&device, n)?;
    let mut fluid = at_rest(&device, n)?;
    let next = |fluid: Fluid| {
        stir(
            &device,
            fluid,
            &sources,
            VISCOSITY,
            DIFFUSION,
            STEP,
            arguments.sweeps,
            steps,
        )
    };
    let (_, time) = options.measure("stir", 1, || {
        let after = next(fluid.clone())?;
        device.synchronize()?;
        Ok(after)
    })?;
    function!(stir).report(&device, &[], time);
    let sweeps = (4 * arguments.sweeps * steps * n * n) as f64;
    println!(
        "{:.2} million cells swept a second",
        sweeps / 1e6 / time.as_secs_f64()
    );
    let whole = time * arguments.pictures as u32;
    let bar = (whole > Duration::from_secs(1)).then(|| progress("stir", arguments.pictures as u64));
    let mut frames = Vec::new();
    for _ in 0..arguments.pictures {
        fluid = next(fluid)?;
        frames.push(picture(&fluid)?);
        bar.iter().for_each(|bar| bar.inc(1));
    }
    bar.iter().for_each(|bar| bar.finish_and_clear());
    if let Some(last) = frames.last() {
        save(&arguments.output.with_extension("png"), last.clone())?;
    }
    animate(&arguments.output, frames, Duration::from_millis(60))?;
    if options.check {
        compare(&device, options, n.min(64))?;
    }
    Ok(())
}

/// A grid without velocity or ink.
fn at_rest(device: &Device, n: usize) -> Result<Fluid> {
    Ok(Fluid {
        velocity: Matrix::from_vec(device, (n, n), vec![Flow { x: 0.0, y: 0.0 }; n * n])?,
        ink: Matrix::from_vec(device, (n, n), vec![0.0; n * n])?,
    })
}

/// Two jets, one to the right and one to the left, a little above and below each other.
fn sources(device: &Device, n: usize) -> Result<Sources> {
    let (mut places, mut velocity) = (Vec::new(), Vec::new());
    let half = (n / 40).max(1);
    for (row, column, x) in [(n * 9 / 20, n / 8, 0.5), (n * 11 / 20, n * 7 / 8, -0.5)] {
        for i in row - half..row + half {
            for j in column - half..column + half {
                places.push((i, j));
                velocity.push(Flow { x, y: 0.0 });
            }
        }
    }
    Ok(Sources {
        ink: Vector::from_vec(device, vec![1.0; places.len()])?,
        places: Vector::from_vec(device, places)?,
        velocity: Vector::from_vec(device, velocity)?,
    })
}

fn picture(fluid: &Fluid) -> Result<RgbImage> {
    let ink = fluid.ink.to_vec()?;
    let colours = ink.iter().map(|ink| heat(1.0 - (-0.35 * ink).exp()));
    Ok(rgb(fluid.ink.shape(), colours.collect()))
}

/// Compares with `f64`, and with what must not change.
fn compare(device: &Device, options: &Options, n: usize) -> Result<()> {
    let (sweeps, steps) = (10, 2);
    let sources = sources(device, n)?;
    let after = stir(
        device,
        at_rest(device, n)?,
        &sources,
        options.constant(VISCOSITY),
        DIFFUSION,
        STEP,
        sweeps,
        steps,
    )?;
    let mut plain = Plain::new(n, sweeps);
    for _ in 0..steps {
        plain.step(&sources)?;
    }
    let velocity = after.velocity.to_vec()?;
    for (name, component, expected) in [
        (
            "velocity across",
            velocity.iter().map(|v| v.x).collect::<Vec<_>>(),
            &plain.x,
        ),
        (
            "velocity down",
            velocity.iter().map(|v| v.y).collect(),
            &plain.y,
        ),
        ("ink", after.ink.to_vec()?, &plain.ink),
    ] {
        check(
            &format!("{name} after two steps in f64"),
            difference(&component, expected),
            1e-4,
        )?;
    }
    // Where nothing moves or spreads, ink stays as it is, bit for bit.
    let ink = examples::random(1, n * n, 0.0, 1.0);
    let still = Fluid {
        ink: Matrix::from_slice(device, (n, n), &ink)?,
        ..at_rest(device, n)?
    };
    let nothing = Sources {
        places: Vector::from_vec(device, Vec::new())?,
        velocity: Vector::from_vec(device, Vec::new())?,
        ink: Vector::from_vec(device, Vec::new())?,
    };
    let after = stir(device, still, &nothing, 0.0, 0.0, STEP, sweeps, steps)?;
    equal("ink at rest", &after.ink.to_vec()?, &ink)?;
    let rest = after
        .velocity
        .to_vec()?
        .iter()
        .all(|v| v.x == 0.0 && v.y == 0.0);
    agrees("a fluid at rest stays at rest", rest)
}

/// The same in plain Rust, each component by itself.
struct Plain {
    n: usize,
    sweeps: usize,
    x: Vec<f64>,
    y: Vec<f64>,
    ink: Vec<f64>,
}

impl Plain {
    fn new(n: usize, sweeps: usize) -> Plain {
        let zeros = || vec![0.0; n * n];
        Plain {
            n,
            sweeps,
            x: zeros(),
            y: zeros(),
            ink: zeros(),
        }
    }

    fn at(&self, grid: &[f64], i: isize, j: isize) -> f64 {
        let inside = 0..self.n as isize;
        if inside.contains(&i) && inside.contains(&j) {
            grid[i as usize * self.n + j as usize]
        } else {
            0.0
        }
    }

    fn each(&self, cell: impl Fn(isize, isize) -> f64) -> Vec<f64> {
        let n = self.n;
        (0..n * n)
            .map(|k| cell((k / n) as isize, (k % n) as isize))
            .collect()
    }

    fn around(&self, grid: &[f64], i: isize, j: isize) -> f64 {
        self.at(grid, i, j - 1)
            + self.at(grid, i, j + 1)
            + self.at(grid, i - 1, j)
            + self.at(grid, i + 1, j)
    }

    fn diffuse(&self, start: &[f64], rate: f64) -> Vec<f64> {
        let a = rate * (self.n * self.n) as f64;
        let mut now = start.to_vec();
        for _ in 0..self.sweeps {
            now = self.each(|i, j| {
                (self.at(start, i, j) + a * self.around(&now, i, j)) / (1.0 + 4.0 * a)
            });
        }
        now
    }

    fn project(&self, (x, y): (Vec<f64>, Vec<f64>)) -> (Vec<f64>, Vec<f64>) {
        let inflow = self.each(|i, j| {
            let across = self.at(&x, i, j + 1) - self.at(&x, i, j - 1);
            -0.5 * (across + self.at(&y, i + 1, j) - self.at(&y, i - 1, j))
        });
        let mut p = inflow.clone();
        for _ in 0..self.sweeps {
            p = self.each(|i, j| (self.at(&inflow, i, j) + self.around(&p, i, j)) / 4.0);
        }
        (
            self.each(|i, j| {
                self.at(&x, i, j) - 0.5 * (self.at(&p, i, j + 1) - self.at(&p, i, j - 1))
            }),
            self.each(|i, j| {
                self.at(&y, i, j) - 0.5 * (self.at(&p, i + 1, j) - self.at(&p, i - 1, j))
            }),
        )
    }

    fn advect(&self, what: &[f64], x: &[f64], y: &[f64]) -> Vec<f64> {
        let (n, dt) = (self.n as f64, f64::from(STEP));
        self.each(|i, j| {
            let back = |k: isize, v: f64| (k as f64 - dt * n * v).clamp(-0.5, n + 0.5);
            let (u, v) = (back(j, self.at(x, i, j)), back(i, self.at(y, i, j)));
            let (j0, i0) = (u.floor(), v.floor());
            let (s, t) = (u - j0, v - i0);
            let corner = |di, dj| self.at(what, i0 as isize + di, j0 as isize + dj);
            let above = corner(0, 0) * (1.0 - s) + corner(0, 1) * s;
            let below = corner(1, 0) * (1.0 - s) + corner(1, 1) * s;
            above * (1.0 - t) + below * t
        })
    }

    fn step(&mut self, sources: &Sources) -> Result<()> {
        let places = sources.places.to_vec()?;
        for ((&(i, j), v), ink) in places
            .iter()
            .zip(sources.velocity.to_vec()?)
            .zip(sources.ink.to_vec()?)
        {
            self.x[i * self.n + j] += f64::from(v.x);
            self.y[i * self.n + j] += f64::from(v.y);
            self.ink[i * self.n + j] += f64::from(ink);
        }
        let rate = f64::from(STEP) * f64::from(VISCOSITY);
        let (x, y) = self.project((self.diffuse(&self.x, rate), self.diffuse(&self.y, rate)));
        (self.x, self.y) = self.project((self.advect(&x, &x, &y), self.advect(&y, &x, &y)));
        let spread = self.diffuse(&self.ink, f64::from(STEP) * f64::from(DIFFUSION));
        self.ink = self.advect(&spread, &self.x, &self.y);
        Ok(())
    }
}
