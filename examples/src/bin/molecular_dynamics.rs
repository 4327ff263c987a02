//! Forces between atoms that are near each other, by the potential of Lennard and Jones, as in SHOC (Danalis et al.: The Scalable
//! Heterogeneous Computing Benchmark Suite, 2010): each atom adds up those of a list of 128 neighbours. One kernel.

use accelerate::{Matrix, Vector, accelerate};
use anyhow::Result;
use clap::Parser;
use examples::{Canvas, Options, agrees, check, function, heat, random, save};
use std::path::{Path, PathBuf};

accelerate! {
    /// A vector of space.
    pub struct Space {
        pub x: f32,
        pub y: f32,
        pub z: f32,
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

    impl Mul<f32> for Space {
        type Output = Space;
        fn mul(self, by: f32) -> Space {
            Space { x: self.x * by, y: self.y * by, z: self.z * by }
        }
    }

    /// The force on each atom. A column of `neighbours` is the list of one atom, so that threads side by side read side by side.
    #[fused(kernels = 1)]
    pub fn forces(atoms: &Vector<Space>, neighbours: &Matrix<u32>, cut: f32) -> Vector<Space> {
        atoms.zip(neighbours.columns()).map(|(here, list)| {
            let pushes = list.map(|k| {
                let r = here - atoms[k as usize];
                let inverse = 1.0 / (r.x * r.x + r.y * r.y + r.z * r.z);
                let sixth = inverse * inverse * inverse;
                if inverse > 1.0 / cut { r * (inverse * sixth * (1.5 * sixth - 2.0)) } else { r * 0.0 }
            });
            pushes.sum()
        })
    }
}

/// Computes forces between atoms.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Number of atoms
    #[arg(long, default_value_t = 12288)]
    size: usize,
    /// Length of the list of each
    #[arg(long, default_value_t = 128)]
    neighbours: usize,
    /// Where to write the picture
    #[arg(long, default_value = "target/pictures/atoms.png")]
    output: PathBuf,
}

/// The square of the distance from which on atoms do not meet.
const CUT: f32 = 16.0;
/// How far the box reaches.
const BOX: f32 = 20.0;

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let (options, n) = (&arguments.options, arguments.size);
    let device = options.start(&[function!(forces)])?;
    let [x, y, z] = [1, 2, 3].map(|seed| random(seed, n, 0.0, BOX));
    let exact: Vec<Space> = (0..n)
        .map(|k| Space {
            x: x[k],
            y: y[k],
            z: z[k],
        })
        .collect();
    let count = arguments.neighbours.min(n - 1);
    let lists = nearest(&exact, count);
    let mut changed = exact.clone();
    changed[0].x = options.constant(changed[0].x);
    let atoms = Vector::from_vec(&device, changed)?;
    let by_rank = (0..count * n).map(|k| lists[k % n][k / n]).collect();
    let neighbours = Matrix::from_vec(&device, (count, n), by_rank)?;
    let (result, time) = options.measure("forces", 5, || {
        let result = forces(&device, &atoms, &neighbours, CUT)?;
        device.synchronize()?;
        Ok(result)
    })?;
    let sizes = [
        ("atoms.len()", n),
        ("neighbours.shape().0", count),
        ("neighbours.shape().1", n),
    ];
    function!(forces).report(&device, &sizes, time);
    println!(
        "{:.1} million pairs a second",
        (count * n) as f64 / 1e6 / time.as_secs_f64()
    );
    let found = result.to_vec()?;
    draw(&exact, &found, &arguments.output)?;
    if options.check {
        // Forces differ by many orders of magnitude: each is compared with the sum of the magnitudes that it is made of.
        let off = (0..n).map(|k| {
            let (force, scale) = plain(k, &exact, &lists[k]);
            let found = [found[k].x, found[k].y, found[k].z];
            let errors = found
                .iter()
                .zip(force)
                .map(|(&a, b)| (f64::from(a) - b).abs());
            errors.fold(0.0, f64::max) / scale.max(f64::MIN_POSITIVE)
        });
        check(
            "forces in f64, of their parts",
            off.fold(0.0, f64::max),
            3e-3,
        )?;
        // Two atoms push each other in opposite directions, and where the potential is lowest not at all.
        let pair = |distance: f32| -> Result<[Space; 2]> {
            let at = |x| Space { x, y: 0.0, z: 0.0 };
            let atoms = Vector::from_vec(&device, vec![at(0.0), at(distance)])?;
            let others = Matrix::from_vec(&device, (1, 2), vec![1, 0])?;
            let forces = forces(&device, &atoms, &others, CUT)?.to_vec()?;
            Ok([forces[0], forces[1]])
        };
        let [left, right] = pair(1.0)?;
        agrees(
            "two atoms push each other alike",
            left.x == -right.x && left.x == 0.5,
        )?;
        let [balanced, _] = pair(0.75f32.powf(1.0 / 6.0))?;
        check(
            "atoms at the distance of no force",
            balanced.x.abs().into(),
            1e-5,
        )?;
    }
    Ok(())
}

/// The nearest others of each atom, found among those in the cells around.
fn nearest(atoms: &[Space], count: usize) -> Vec<Vec<u32>> {
    const CELLS: usize = 5;
    let cell = |atom: &Space| [atom.x, atom.y, atom.z].map(|x| (x / BOX * CELLS as f32) as usize);
    let mut cells = vec![Vec::new(); CELLS * CELLS * CELLS];
    for (k, atom) in atoms.iter().enumerate() {
        let [x, y, z] = cell(atom);
        cells[(z * CELLS + y) * CELLS + x].push(k as u32);
    }
    let around = |x: usize, reach: usize| x.saturating_sub(reach)..=(x + reach).min(CELLS - 1);
    let list = |k: usize| {
        let here = &atoms[k];
        let [x, y, z] = cell(here);
        let away = |&other: &u32| {
            let other = &atoms[other as usize];
            (here.x - other.x).powi(2) + (here.y - other.y).powi(2) + (here.z - other.z).powi(2)
        };
        let mut others: Vec<u32> = Vec::new();
        for reach in 1..=CELLS {
            others.clear();
            for (z, y) in around(z, reach).flat_map(|z| around(y, reach).map(move |y| (z, y))) {
                for x in around(x, reach) {
                    others.extend(&cells[(z * CELLS + y) * CELLS + x]);
                }
            }
            others.retain(|&other| other as usize != k);
            if others.len() >= count {
                break;
            }
        }
        others.sort_by(|a, b| away(a).total_cmp(&away(b)));
        others.truncate(count);
        others
    };
    (0..atoms.len()).map(list).collect()
}

/// The force on an atom in `f64`, and the sum of the magnitudes of its parts.
fn plain(k: usize, atoms: &[Space], list: &[u32]) -> ([f64; 3], f64) {
    let wide = |atom: &Space| [atom.x, atom.y, atom.z].map(f64::from);
    let here = wide(&atoms[k]);
    let (mut force, mut scale) = ([0.0; 3], 0.0);
    for &other in list {
        let there = wide(&atoms[other as usize]);
        let r: [f64; 3] = std::array::from_fn(|c| here[c] - there[c]);
        let square: f64 = r.iter().map(|x| x * x).sum();
        if square < f64::from(CUT) {
            let sixth = square.powi(-3);
            let size = sixth / square * (1.5 * sixth - 2.0);
            (0..3).for_each(|c| force[c] += size * r[c]);
            scale += size.abs() * square.sqrt();
        }
    }
    (force, scale)
}

/// The atoms from one side, the brighter the stronger the force.
fn draw(atoms: &[Space], forces: &[Space], to: &Path) -> Result<()> {
    let mut canvas = Canvas::new(512);
    for (atom, force) in atoms.iter().zip(forces) {
        let size = (force.x * force.x + force.y * force.y + force.z * force.z).sqrt();
        let level = 0.2 + 0.06 * (size + 1e-6).log10().clamp(-3.0, 10.0);
        canvas.dot(
            (f64::from(atom.x / BOX), f64::from(atom.y / BOX)),
            3,
            heat(level + 0.18),
        );
    }
    save(to, canvas.picture())
}
