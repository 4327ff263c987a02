//! Gravity between all pairs of bodies, step after step on the device: one kernel, in tiles, and the loop around it waits
//! for nothing. Two discs of stars that pass each other, as a picture or an animation.
//!
//! The attraction is softened as usual, m r / (|r|^2 + e^2)^(3/2) (Nyland, Harris, Prins: Fast N-Body Simulation with CUDA,
//! GPU Gems 3, 2007), and velocities change before places do (semi-implicit Euler), so that the energy drifts little.

use accelerate::{Device, Error, Vector, accelerate};
use anyhow::Result;
use clap::Parser;
use examples::{Canvas, Options, agrees, animate, check, difference, function, known};
use examples::{progress, random, save};
use image::RgbImage;
use std::path::PathBuf;
use std::time::Duration;

accelerate! {
    /// A vector of space.
    pub struct Space {
        pub x: f64,
        pub y: f64,
        pub z: f64,
    }

    impl Space {
        fn dot(self, other: Space) -> f64 {
            self.x * other.x + self.y * other.y + self.z * other.z
        }
    }

    impl Add for Space {
        type Output = Space;
        fn add(self, other: Space) -> Space {
            Space { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
        }
    }

    impl Sub for Space {
        type Output = Space;
        fn sub(self, other: Space) -> Space {
            Space { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
        }
    }

    impl Mul<f64> for Space {
        type Output = Space;
        fn mul(self, by: f64) -> Space {
            Space { x: self.x * by, y: self.y * by, z: self.z * by }
        }
    }

    /// Where a body is, how it moves, and how much it weighs.
    pub struct Body {
        pub place: Space,
        pub velocity: Space,
        pub mass: f64,
    }

    /// What all bodies do to one at a place. `softening` is the square of a length.
    fn acceleration(bodies: &Vector<Body>, here: Space, softening: f64) -> Space {
        let pulls = bodies.map(|there| {
            let r = there.place - here;
            let d = r.dot(r) + softening;
            r * (there.mass / (d * d.sqrt()))
        });
        pulls.fold(Space { x: 0.0, y: 0.0, z: 0.0 }, |a, b| a + b)
    }

    /// Lets time pass.
    #[fused(kernels = 1)]
    pub fn advance(bodies: &Vector<Body>, dt: f64, softening: f64, steps: usize) -> Vector<Body> {
        let mut bodies = bodies;
        for _ in 0..steps {
            bodies = bodies.map(|Body { place, velocity, mass }| {
                let velocity = velocity + acceleration(&bodies, place, softening) * dt;
                Body { place: place + velocity * dt, velocity, mass }
            });
        }
        bodies
    }

    /// The energy of motion and that of attraction; the sum of both stays the same in nature. One kernel for the bodies, which
    /// threads share pairs of, and one for their sum.
    #[fused(kernels = 2)]
    pub fn energy(bodies: &Vector<Body>, softening: f64) -> (f64, f64) {
        let energies = bodies.map(|here| {
            let depths = bodies.map(|there| {
                let r = there.place - here.place;
                there.mass / (r.dot(r) + softening).sqrt()
            });
            // Each pair is met twice, and each body meets itself.
            let depth = depths.sum() - here.mass / softening.sqrt();
            (0.5 * here.mass * here.velocity.dot(here.velocity), -0.5 * here.mass * depth)
        });
        energies.sum()
    }
}

/// Lets stars attract each other.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Number of bodies
    #[arg(long, default_value_t = 4096)]
    size: usize,
    /// Steps from one picture to the next
    #[arg(long, default_value_t = 20)]
    steps: usize,
    /// Pictures; the last one is kept
    #[arg(long, default_value_t = 20)]
    pictures: usize,
    /// Also write all pictures as an animation
    #[arg(long)]
    animate: bool,
    /// Where to write the picture
    #[arg(long, default_value = "target/pictures/n_body.png")]
    output: PathBuf,
}

const STEP: f64 = 0.01;
const SOFTENING: f64 = 0.02 * 0.02;

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let (options, steps) = (&arguments.options, arguments.steps);
    let device = options.start(&[function!(advance), function!(energy)])?;
    let start = galaxies(&device, arguments.size)?;
    let pairs = (arguments.size as f64).powi(2) * steps as f64;

    let total = |bodies: &Vector<Body>| -> Result<f64, Error> {
        let (motion, attraction) = energy(&device, bodies, SOFTENING)?;
        Ok(motion + attraction)
    };
    let before = total(&start)?;
    let (mut bodies, time) = options.measure("advance", 1, || {
        let bodies = advance(&device, &start, STEP, SOFTENING, steps)?;
        device.synchronize()?;
        Ok(bodies)
    })?;
    function!(advance).report(&device, &[], time);
    println!(
        "{:.2} billion pairs a second",
        pairs / 1e9 / time.as_secs_f64()
    );
    let whole = time * arguments.pictures as u32;
    let bar =
        (whole > Duration::from_secs(1)).then(|| progress("advance", arguments.pictures as u64));
    let mut frames = vec![picture(&start)?, picture(&bodies)?];
    for _ in 1..arguments.pictures {
        bodies = advance(&device, &bodies, STEP, SOFTENING, steps)?;
        frames.push(picture(&bodies)?);
        bar.iter().for_each(|bar| bar.inc(1));
    }
    bar.iter().for_each(|bar| bar.finish_and_clear());
    let (after, taken) = (total(&bodies)?, arguments.pictures * steps);
    println!(
        "energy {before:.6}, after {taken} steps {after:.6}: drift {:.1e}",
        ((after - before) / before).abs()
    );
    save(&arguments.output, frames[frames.len() - 1].clone())?;
    if arguments.animate {
        let output = arguments.output.with_extension("gif");
        animate(&output, frames, Duration::from_millis(60))?;
    }
    if options.check {
        compare(&device, options, &start)?;
        agrees(
            "the energy drifts by less than a percent",
            (after - before).abs() < 0.01 * before.abs(),
        )?;
    }
    Ok(())
}

/// Compares with plain Rust and with published values.
fn compare(device: &Device, options: &Options, start: &Vector<Body>) -> Result<()> {
    let dt = options.constant(STEP);
    let after = advance(device, start, dt, SOFTENING, 3)?;
    let mut plain = Plain::new(start)?;
    let momentum = plain.momentum();
    for _ in 0..3 {
        plain.step(STEP, SOFTENING);
    }
    let after = Plain::new(&after)?;
    let error = difference(after.places.as_flattened(), plain.places.as_flattened());
    check("places after three steps", error, 1e-12)?;
    check("momentum", difference(&after.momentum(), &momentum), 1e-12)?;

    // Bodies of mass 1 at (i, 2i, 3i), of "Comparing Parallel Functional Array Languages", arXiv:2505.08906.
    let line = |i: usize| Space {
        x: i as f64,
        y: 2.0 * i as f64,
        z: 3.0 * i as f64,
    };
    let row = Vector::from_fn(device, 1000, |i| Body {
        place: line(i),
        velocity: line(0),
        mass: 1.0,
    })?;
    let first = |steps| {
        let after = advance(device, &row, 0.01, 1e-9, steps)?;
        anyhow::Ok(after.get(0)?.place.x)
    };
    known(
        "1000 bodies in a row, one step",
        first(1)?,
        3.138283761585e-6,
        1e-11,
    )?;
    known(
        "1000 bodies in a row, ten steps",
        first(10)?,
        1.726101738735e-4,
        1e-11,
    )
}

/// Two discs on their way past each other. All masses together are 1, and so is each disc's radius.
fn galaxies(device: &Device, n: usize) -> Result<Vector<Body>> {
    let [radii, angles, heights] = [1, 2, 3].map(|seed| random(seed, n, 0.0, 1.0));
    let body = |k: usize| {
        let side = if k.is_multiple_of(2) { 1.0 } else { -1.0 };
        let radius = f64::from(radii[k]).sqrt();
        let (sin, cos) = (std::f64::consts::TAU * f64::from(angles[k])).sin_cos();
        // Inside of a disc that is as dense everywhere; slower, since it is thin.
        let speed = side * 0.8 * radius.sqrt() * 0.5f64.sqrt();
        let tilt = if k.is_multiple_of(2) { 0.3 } else { 1.2 };
        let turned = |x: f64, y: f64| (x, y * f64::cos(tilt), y * f64::sin(tilt));
        let (x, y, z) = turned(radius * cos, radius * sin);
        let (u, v, w) = turned(-speed * sin, speed * cos);
        let height = 0.05 * (f64::from(heights[k]) - 0.5);
        Body {
            place: Space {
                x: x + 1.3 * side,
                y: y + 0.5 * side,
                z: z + height,
            },
            velocity: Space {
                x: u - 0.5 * side,
                y: v,
                z: w,
            },
            mass: 1.0 / n as f64,
        }
    };
    Ok(Vector::from_fn(device, n, body)?)
}

/// Each star shines a little.
fn picture(bodies: &Vector<Body>) -> Result<RgbImage> {
    let mut canvas = Canvas::new(512);
    for (k, Body { place, .. }) in bodies.to_vec()?.iter().enumerate() {
        let colour = if k.is_multiple_of(2) {
            [60, 100, 170]
        } else {
            [170, 100, 50]
        };
        canvas.glow((0.5 + place.x / 5.0, 0.5 + place.y / 5.0), colour);
    }
    Ok(canvas.picture())
}

/// The same in plain Rust.
struct Plain {
    places: Vec<[f64; 3]>,
    velocities: Vec<[f64; 3]>,
    masses: Vec<f64>,
}

impl Plain {
    fn new(bodies: &Vector<Body>) -> Result<Plain> {
        let bodies = bodies.to_vec()?;
        let array = |space: Space| [space.x, space.y, space.z];
        Ok(Plain {
            places: bodies.iter().map(|body| array(body.place)).collect(),
            velocities: bodies.iter().map(|body| array(body.velocity)).collect(),
            masses: bodies.iter().map(|body| body.mass).collect(),
        })
    }

    fn momentum(&self) -> [f64; 3] {
        let mut sum = [0.0; 3];
        for (velocity, mass) in self.velocities.iter().zip(&self.masses) {
            for c in 0..3 {
                sum[c] += mass * velocity[c];
            }
        }
        sum
    }

    fn step(&mut self, dt: f64, softening: f64) {
        for (here, velocity) in self.places.iter().zip(&mut self.velocities) {
            for (there, mass) in self.places.iter().zip(&self.masses) {
                let r: [f64; 3] = std::array::from_fn(|c| there[c] - here[c]);
                let d = r.iter().map(|x| x * x).sum::<f64>() + softening;
                let scale = dt * mass / d.powf(1.5);
                for c in 0..3 {
                    velocity[c] += scale * r[c];
                }
            }
        }
        for (place, velocity) in self.places.iter_mut().zip(&self.velocities) {
            for c in 0..3 {
                place[c] += dt * velocity[c];
            }
        }
    }
}
