//! Poisson's equation in a periodic cube by V-cycles of the multigrid method: MG of the NAS Parallel Benchmarks (Bailey et al.,
//! 1994), with the classes and the norms published there. The recursion over grids is the host's; all that it calls is queued,
//! and the host synchronizes only to read the norm.

use accelerate::{Cube, Device, Error, accelerate};
use anyhow::{Result, bail};
use clap::Parser;
use examples::{Options, check, function, heat, known, rgb, save};
use std::path::{Path, PathBuf};

accelerate! {
    /// A weight for each point of a cube of 27 around each, by how many of its offsets are not 0.
    fn weighed(grid: &Cube<f64>, weights: [f64; 4]) -> Cube<f64> {
        grid.stencil(Wrap, |w| {
            let mut sum = 0.0;
            for dz in -1..=1 {
                for dy in -1..=1 {
                    for dx in -1..=1 {
                        sum += weights[(dz * dz + dy * dy + dx * dx) as usize] * w[(dz, dy, dx)];
                    }
                }
            }
            sum
        })
    }

    /// `v - A u`
    #[fused(kernels = 1)]
    pub fn residual(v: &Cube<f64>, u: &Cube<f64>) -> Cube<f64> {
        v - weighed(u, [-8.0 / 3.0, 0.0, 1.0 / 6.0, 1.0 / 12.0])
    }

    /// `u + S r`: a step towards `A u = v`, of which `r` is missing.
    #[fused(kernels = 1)]
    pub fn smoothed(u: &Cube<f64>, r: &Cube<f64>, smoother: [f64; 4]) -> Cube<f64> {
        u + weighed(r, smoother)
    }

    /// On the coarsest grid, that step alone.
    #[fused(kernels = 1)]
    pub fn started(r: &Cube<f64>, smoother: [f64; 4]) -> Cube<f64> {
        weighed(r, smoother)
    }

    /// A grid of half the points along each axis: at each odd index what is around it.
    #[fused(kernels = 1)]
    pub fn coarser(grid: &Cube<f64>) -> Cube<f64> {
        weighed(grid, [0.5, 0.25, 0.125, 0.0625]).slice(s![1..;2, 1..;2, 1..;2])
    }

    /// A grid of twice the points along each axis: those with even indices lie between others.
    #[fused(kernels = 1)]
    pub fn finer(grid: &Cube<f64>) -> Cube<f64> {
        let (n, _, _) = grid.shape();
        generate((2 * n, 2 * n, 2 * n), |(z, y, x)| {
            // The points before and behind along an axis, which are the same one for odd indices.
            let around = |i: usize| ((i / 2 + n - 1 + i % 2) % n, i / 2);
            let ((z0, z1), (y0, y1), (x0, x1)) = (around(z), around(y), around(x));
            let line = |z: usize, y: usize| grid[(z, y, x0)] + grid[(z, y, x1)];
            (line(z0, y0) + line(z0, y1) + line(z1, y0) + line(z1, y1)) / 8.0
        })
    }

    /// The root of the mean square.
    #[fused(kernels = 1)]
    pub fn norm(grid: &Cube<f64>) -> f64 {
        (grid.map(|x| x * x).sum_all() / grid.len() as f64).sqrt()
    }
}

/// Solves Poisson's equation.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Points along each axis, a power of two: 32, 128 and 256 are the classes S, W and A
    #[arg(long, default_value_t = 128)]
    size: usize,
    /// V-cycles
    #[arg(long, default_value_t = 4)]
    cycles: usize,
    /// Where to write the picture
    #[arg(long, default_value = "target/pictures/multigrid.png")]
    output: PathBuf,
}

/// Of the classes S, W and A.
const SMOOTHER: [f64; 4] = [-3.0 / 8.0, 1.0 / 32.0, -1.0 / 64.0, 0.0];

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let (options, n) = (&arguments.options, arguments.size);
    let functions = [
        function!(residual),
        function!(smoothed),
        function!(started),
        function!(coarser),
        function!(finer),
        function!(norm),
    ];
    let device = options.start(&functions)?;
    if !n.is_power_of_two() || n < 4 {
        bail!("a cube of {n} points along an axis: write a power of two from 4 on");
    }
    let mut smoother = SMOOTHER;
    smoother[1] = options.constant(smoother[1]);
    let charges = charges(n);
    let v = Cube::from_slice(&device, (n, n, n), &charges)?;
    let solve = || -> Result<(Cube<f64>, Vec<f64>), Error> {
        let mut u = Cube::from_vec(&device, (n, n, n), vec![0.0; n * n * n])?;
        let mut r = v.clone();
        let mut norms = Vec::new();
        for _ in 0..arguments.cycles {
            let correction = cycle(&device, &r, smoother)?;
            u = accelerate!(&device, |u: &Cube<f64>,
                                      correction: &Cube<f64>|
             -> Cube<f64> { u + correction })?;
            r = residual(&device, &v, &u)?;
            norms.push(norm(&device, &r)?);
        }
        Ok((u, norms))
    };
    let ((u, norms), time) = options.measure("multigrid", 1, solve)?;
    println!(
        "{n} points along each axis: {:.3} ms a cycle",
        time.as_secs_f64() * 1e3 / arguments.cycles as f64
    );
    for (cycle, norm) in norms.iter().enumerate() {
        println!("residual after cycle {}: {norm:.13e}", cycle + 1);
    }
    let found = u.to_vec()?;
    draw(n, &found, &arguments.output)?;
    if options.check {
        let last = norms.last().copied().unwrap_or(0.0);
        match (n, arguments.cycles) {
            (32, 4) => known("norm of class S", last, 0.5307707005734e-4, 1e-10)?,
            (128, 4) => known("norm of class W", last, 0.6467329375339e-5, 1e-10)?,
            (256, 4) => known("norm of class A", last, 0.2433365309069e-5, 1e-10)?,
            _ => {}
        }
        // The equation by itself, at each point of the solution.
        let squares = (0..n * n * n).map(|k| (charges[k] - laplacian(n, &found, k)).powi(2));
        let exact = (squares.sum::<f64>() / (n * n * n) as f64).sqrt();
        known("the norm in plain Rust", last, exact, 1e-9)?;
        check(
            "what is left of 20 charges",
            last / (20.0 / (n as f64).powi(3)).sqrt(),
            0.02,
        )?;
    }
    Ok(())
}

/// What solves `A z = r` nearly: `M r` of the benchmark.
fn cycle(device: &Device, r: &Cube<f64>, smoother: [f64; 4]) -> Result<Cube<f64>, Error> {
    let (n, _, _) = r.shape();
    if n == 2 {
        return started(device, r, smoother);
    }
    let z = finer(device, &cycle(device, &coarser(device, r)?, smoother)?)?;
    smoothed(device, &z, &residual(device, r, &z)?, smoother)
}

/// -1 at the ten least, +1 at the ten greatest values of the benchmark's random numbers.
fn charges(n: usize) -> Vec<f64> {
    let mut state = 314_159_265u64;
    let mut numbers: Vec<(u64, usize)> = (0..n * n * n)
        .map(|k| {
            // 5^13 modulo 2^46.
            state = state.wrapping_mul(1_220_703_125) & ((1 << 46) - 1);
            (state, k)
        })
        .collect();
    let mut charges = vec![0.0; n * n * n];
    let count = numbers.len();
    numbers.select_nth_unstable(10);
    numbers[..10].iter().for_each(|&(_, k)| charges[k] = -1.0);
    numbers.select_nth_unstable(count - 10);
    numbers[count - 10..]
        .iter()
        .for_each(|&(_, k)| charges[k] = 1.0);
    charges
}

/// `A u` at a point.
fn laplacian(n: usize, u: &[f64], k: usize) -> f64 {
    let place = [k / (n * n), k / n % n, k % n];
    let mut sum = 0.0;
    for offsets in 0..27 {
        let offsets = [offsets / 9, offsets / 3 % 3, offsets % 3];
        let away = offsets.iter().filter(|&&offset| offset != 1).count();
        let at = |axis: usize| (place[axis] + n + offsets[axis] - 1) % n;
        let weight = [-8.0 / 3.0, 0.0, 1.0 / 6.0, 1.0 / 12.0][away];
        sum += weight * u[(at(0) * n + at(1)) * n + at(2)];
    }
    sum
}

/// The potential, added up along the first axis.
fn draw(n: usize, u: &[f64], to: &Path) -> Result<()> {
    let mut sums = vec![0.0; n * n];
    for plane in u.chunks(n * n) {
        sums.iter_mut().zip(plane).for_each(|(sum, x)| *sum += x);
    }
    let reach = sums
        .iter()
        .map(|x: &f64| x.abs())
        .fold(f64::MIN_POSITIVE, f64::max);
    let colours = sums.iter().map(|x| heat((0.5 + 0.5 * x / reach) as f32));
    save(to, rgb((n, n), colours.collect()))
}
