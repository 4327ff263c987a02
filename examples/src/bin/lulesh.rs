//! A blast from a corner of a cube of gas, on hexahedra that move with it: LULESH of Lawrence Livermore National Laboratory
//! (Karlin, Keasler, Neely: LULESH 2.0 Updates and Changes, 2013), with the cycles and energies that its code gives. The whole
//! run is one function: forces, accelerations, volumes, artificial viscosity, equation of state and the next step of time.

use accelerate::accelerate;
use anyhow::Result;
use clap::Parser;
use examples::{Options, agrees, check, function, heat, known, rgb, save};
use std::path::{Path, PathBuf};

accelerate! {
    /// A vector of space.
    pub struct Space {
        pub x: f64,
        pub y: f64,
        pub z: f64,
    }

    impl Space {
        const ZERO: Space = Space { x: 0.0, y: 0.0, z: 0.0 };

        fn dot(self, other: Space) -> f64 {
            self.x * other.x + self.y * other.y + self.z * other.z
        }

        fn cross(self, other: Space) -> Space {
            Space {
                x: self.y * other.z - self.z * other.y,
                y: self.z * other.x - self.x * other.z,
                z: self.x * other.y - self.y * other.x,
            }
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

    // -- Geometry of an element. Its corners go around its lower face, then around its upper one.

    /// What the eight nodes of an element have.
    fn corners(nodes: &Cube<Space>, at: (usize, usize, usize)) -> [Space; 8] {
        let (z, y, x) = at;
        [
            nodes[(z, y, x)], nodes[(z, y, x + 1)], nodes[(z, y + 1, x + 1)], nodes[(z, y + 1, x)],
            nodes[(z + 1, y, x)], nodes[(z + 1, y, x + 1)], nodes[(z + 1, y + 1, x + 1)], nodes[(z + 1, y + 1, x)],
        ]
    }

    fn volume(c: [Space; 8]) -> f64 {
        let first = (c[3] - c[1] + (c[7] - c[2])).dot((c[6] - c[3]).cross(c[2] - c[0]));
        let second = (c[4] - c[3] + (c[5] - c[7])).dot((c[6] - c[4]).cross(c[7] - c[0]));
        let third = (c[1] - c[4] + (c[2] - c[5])).dot((c[6] - c[1]).cross(c[5] - c[0]));
        (first + second + third) / 12.0
    }

    /// Sixteen times the square of the area of a face.
    fn face(a: Space, b: Space, c: Space, d: Space) -> f64 {
        let (f, g) = (c - a - (d - b), c - a + (d - b));
        f.dot(f) * g.dot(g) - f.dot(g) * f.dot(g)
    }

    /// The volume over the area of the largest face.
    fn length(c: [Space; 8], volume: f64) -> f64 {
        let level = face(c[0], c[1], c[2], c[3]).max(face(c[4], c[5], c[6], c[7]));
        let front = face(c[0], c[1], c[5], c[4]).max(face(c[1], c[2], c[6], c[5]));
        let back = face(c[2], c[3], c[7], c[6]).max(face(c[3], c[0], c[4], c[7]));
        4.0 * volume / level.max(front).max(back).sqrt()
    }

    /// How fast the volume grows, relative to itself.
    fn growth(c: [Space; 8], v: [Space; 8]) -> f64 {
        let (a, b, d, e) = (c[6] - c[0], c[5] - c[3], c[7] - c[1], c[4] - c[2]);
        let (xi, eta, zeta) = ((a + b - d - e) * 0.125, (a - b + d - e) * 0.125, (a + b + d + e) * 0.125);
        let (u, v1, w) = (eta.cross(zeta), zeta.cross(xi), xi.cross(eta));
        let across = (Space::ZERO - u - v1 - w).dot(v[0] - v[6]) + (u - v1 - w).dot(v[1] - v[7])
            + (u + v1 - w).dot(v[2] - v[4]) + (v1 - u - w).dot(v[3] - v[5]);
        across / (8.0 * eta.dot(v1))
    }

    /// A quarter of what a face pushes on each of its corners.
    fn push(a: Space, b: Space, c: Space, d: Space) -> Space {
        ((d + c - b - a) * 0.5).cross((c + b - d - a) * 0.5) * 0.25
    }

    /// The derivative of the volume by a corner's place.
    fn slope(c: [Space; 8], k: [usize; 6]) -> Space {
        let r = |i: usize| c[k[i]];
        ((r(1) + r(2)).cross(r(0) + r(1)) + (r(0) + r(4)).cross(r(3) + r(4)) - (r(2) + r(5)).cross(r(3) + r(5))) * (1.0 / 12.0)
    }

    const AROUND: [[usize; 6]; 8] = [
        [1, 2, 3, 4, 5, 7], [2, 3, 0, 5, 6, 4], [3, 0, 1, 6, 7, 5], [0, 1, 2, 7, 4, 6],
        [7, 6, 5, 0, 3, 1], [4, 7, 6, 1, 0, 2], [5, 4, 7, 2, 1, 3], [6, 5, 4, 3, 2, 0],
    ];
    /// How corners move when an element changes its form but neither its volume nor its sides.
    const MODES: [[f64; 8]; 4] = [
        [1.0, 1.0, -1.0, -1.0, -1.0, -1.0, 1.0, 1.0],
        [1.0, -1.0, -1.0, 1.0, -1.0, 1.0, 1.0, -1.0],
        [1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0],
        [-1.0, 1.0, -1.0, 1.0, 1.0, -1.0, 1.0, -1.0],
    ];

    // -- Forces.

    /// The forces of an element on its corners: its pressure, and what keeps it from taking the form of an hourglass.
    fn forces(c: [Space; 8], v: [Space; 8], pressure: f64, stiffness: f64, volume: f64) -> [Space; 8] {
        let (below, front) = (push(c[0], c[1], c[2], c[3]), push(c[0], c[4], c[5], c[1]));
        let (right, back) = (push(c[1], c[5], c[6], c[2]), push(c[2], c[6], c[7], c[3]));
        let (left, above) = (push(c[3], c[7], c[4], c[0]), push(c[4], c[7], c[6], c[5]));
        let normals = [
            below + front + left, below + front + right, below + right + back, below + back + left,
            front + left + above, front + right + above, right + back + above, back + left + above,
        ];
        let mut sums = normals;
        for k in 0..8 {
            sums[k] = normals[k] * pressure;
        }
        for mode in 0..4 {
            let mut form = Space::ZERO;
            for k in 0..8 {
                form = form + c[k] * MODES[mode][k];
            }
            let mut shares = [0.0; 8];
            let mut speed = Space::ZERO;
            for k in 0..8 {
                shares[k] = MODES[mode][k] - slope(c, AROUND[k]).dot(form) / volume;
                speed = speed + v[k] * shares[k];
            }
            for k in 0..8 {
                sums[k] = sums[k] - speed * (stiffness * shares[k]);
            }
        }
        sums
    }

    /// The sum over the elements around each node of what each has for it.
    fn gathered(elements: &Cube<[Space; 8]>) -> Cube<Space> {
        let (n, _, _) = elements.shape();
        generate((n + 1, n + 1, n + 1), |(z, y, x)| {
            let part = |dz: usize, dy: usize, dx: usize, corner: usize| {
                if z >= dz && y >= dy && x >= dx && z - dz < n && y - dy < n && x - dx < n {
                    elements[(z - dz, y - dy, x - dx)][corner]
                } else {
                    Space::ZERO
                }
            };
            part(0, 0, 0, 0) + part(0, 0, 1, 1) + part(0, 1, 1, 2) + part(0, 1, 0, 3)
                + part(1, 0, 0, 4) + part(1, 0, 1, 5) + part(1, 1, 1, 6) + part(1, 1, 0, 7)
        })
    }

    // -- Viscosity.

    /// How an element is passed in three directions: how fast its sides come together, and how far they are apart.
    pub struct Passing {
        pub speed: Space,
        pub width: Space,
    }

    fn passing(c: [Space; 8], v: [Space; 8], volume: f64) -> Passing {
        let mean = |r: [Space; 8]| (
            (r[1] + r[2] + r[6] + r[5] - (r[0] + r[3] + r[7] + r[4])) * 0.25,
            (r[3] + r[2] + r[6] + r[7] - (r[0] + r[1] + r[5] + r[4])) * 0.25,
            (r[4] + r[5] + r[6] + r[7] - (r[0] + r[1] + r[2] + r[3])) * 0.25,
        );
        let ((i, j, k), (vi, vj, vk)) = (mean(c), mean(v));
        let (a, b, d) = (j.cross(k), k.cross(i), i.cross(j));
        let width = |a: Space| volume / (a.dot(a) + 1e-36).sqrt();
        let speed = |a: Space, v: Space| (a * (1.0 / (volume + 1e-36))).dot(v);
        Passing {
            speed: Space { x: speed(a, vi), y: speed(b, vj), z: speed(d, vk) },
            width: Space { x: width(a), y: width(b), z: width(d) },
        }
    }

    /// How smoothly a speed goes on to both neighbours: 0 at a jump, 1 where it does not change.
    fn limiter(before: f64, here: f64, behind: f64) -> f64 {
        let norm = 1.0 / (here + 1e-36);
        let (before, behind) = (before * norm, behind * norm);
        let mean = 0.5 * (before + behind);
        mean.min(2.0 * before).min(2.0 * behind).max(0.0).min(1.0)
    }

    // -- The equation of state.

    fn pressure(energy: f64, compression: f64) -> f64 {
        let p = 2.0 / 3.0 * (compression + 1.0) * energy;
        if p.abs() < 1e-7 { 0.0 } else { p.max(0.0) }
    }

    fn sound(energy: f64, volume: f64, compression: f64, pressure: f64) -> f64 {
        let square = 2.0 / 3.0 * energy + volume * volume * (2.0 / 3.0 * (compression + 1.0)) * pressure;
        if square <= 0.1111111e-36 { 0.3333333e-18 } else { square.sqrt() }
    }

    fn cut(energy: f64) -> f64 {
        if energy.abs() < 1e-7 { 0.0 } else { energy.max(-1e15) }
    }

    /// Energy, pressure, viscosity and speed of sound.
    pub struct Gas {
        pub energy: f64,
        pub pressure: f64,
        pub viscosity: f64,
        pub sound: f64,
    }

    /// What becomes of a gas whose relative volume changes by `change` to `volume`; `linear` and `square` are its viscosity's parts.
    fn state(old: Gas, volume: f64, change: f64, linear: f64, square: f64) -> Gas {
        let volume = volume.max(1e-9).min(1e9);
        let compression = 1.0 / volume - 1.0;
        let half = 1.0 / (volume - 0.5 * change) - 1.0;
        let before = old.pressure + old.viscosity;
        let viscosity = |energy: f64, volume: f64, compression: f64, p: f64| {
            if change > 0.0 { 0.0 } else { sound(energy, volume, compression, p) * linear + square }
        };
        let energy = (old.energy - 0.5 * change * before).max(-1e15);
        let p_half = pressure(energy, half);
        let q_half = viscosity(energy, 1.0 / (1.0 + half), half, p_half);
        let energy = cut(energy + 0.5 * change * (3.0 * before - 4.0 * (p_half + q_half)));
        let p = pressure(energy, compression);
        let q = viscosity(energy, volume, compression, p);
        let energy = cut(energy - (7.0 * before - 8.0 * (p_half + q_half) + (p + q)) * change / 6.0);
        let p = pressure(energy, compression);
        let q = viscosity(energy, volume, compression, p);
        Gas {
            energy,
            pressure: p,
            viscosity: if q.abs() < 1e-7 { 0.0 } else { q },
            sound: sound(energy, volume, compression, p),
        }
    }

    // -- The run.

    /// The energy in each of so many elements along each side at the time `stop`, and the number of cycles, if `energy` is put
    /// into the one at the corner of a cube of edge 1.125, and time first goes on by `first`.
    pub fn blast(n: usize, energy: f64, first: f64, stop: f64) -> (Cube<f64>, u32) {
        let shape = (n, n, n);
        let place = |i: usize| 1.125 * i as f64 / n as f64;
        let start = generate((n + 1, n + 1, n + 1), |(z, y, x)| Space { x: place(x), y: place(y), z: place(z) });
        let at_start = generate(shape, |at| volume(corners(&start, at)));
        let eighths = at_start.map(|v| {
            let part = Space { x: v / 8.0, y: 0.0, z: 0.0 };
            [part, part, part, part, part, part, part, part]
        });
        let masses = gathered(&eighths).map(|sum| sum.x);
        let mut places = start;
        let mut speeds = start.map(|_| Space::ZERO);
        let mut gas = at_start.map_indexed(|(z, y, x), _| {
            let energy = if z + y + x == 0 { energy } else { 0.0 };
            Gas { energy, pressure: 0.0, viscosity: 0.0, sound: 0.0 }
        });
        let mut volumes = at_start.map(|_| 1.0);
        let (mut time, mut dt, mut cycles) = (0.0, first, 0);
        let (mut courant, mut hydro) = (1e20, 1e20);
        while time < stop {
            if cycles > 0 {
                let limit = if hydro < 0.5 * courant { 2.0 / 3.0 * hydro } else { 0.5 * courant };
                let ratio = limit / dt;
                let next = if ratio >= 1.0 && ratio < 1.1 { dt } else if ratio > 1.2 { 1.2 * dt } else { limit };
                dt = next.min(0.01);
            }
            let left = stop - time;
            let left = if left > dt && left < 4.0 * dt / 3.0 { 2.0 * dt / 3.0 } else { left };
            dt = dt.min(left);

            let pushes = generate(shape, |at| {
                let Gas { pressure, viscosity, sound, .. } = gas[at];
                let volume = at_start[at] * volumes[at];
                let stiffness = 0.03 * sound * at_start[at] / volume.cbrt();
                forces(corners(&places, at), corners(&speeds, at), pressure + viscosity, stiffness, volume)
            });
            speeds = zip((gathered(&pushes), &masses, &speeds)).map_indexed(|(z, y, x), (force, mass, old)| {
                // No flow through the three sides that meet where the blast begins.
                let held = Space {
                    x: if x == 0 { 0.0 } else { force.x },
                    y: if y == 0 { 0.0 } else { force.y },
                    z: if z == 0 { 0.0 } else { force.z },
                };
                let new = old + held * (dt / mass);
                let still = |v: f64| if v.abs() < 1e-7 { 0.0 } else { v };
                Space { x: still(new.x), y: still(new.y), z: still(new.z) }
            });
            places = places.zip_with(&speeds, |place, speed| place + speed * dt);

            let relative = generate(shape, |at| volume(corners(&places, at)) / at_start[at]);
            let rates = generate(shape, |at| {
                let (c, v) = (corners(&places, at), corners(&speeds, at));
                let mut halfway = c;
                for k in 0..8 {
                    halfway[k] = c[k] - v[k] * (0.5 * dt);
                }
                growth(halfway, v)
            });
            let passings = generate(shape, |at| {
                passing(corners(&places, at), corners(&speeds, at), at_start[at] * relative[at])
            });
            let viscosities = generate(shape, |(z, y, x)| {
                let Passing { speed, width } = passings[(z, y, x)];
                // The same beyond the sides where the blast begins, nothing beyond the others.
                let here = limiter(
                    if x == 0 { speed.x } else { passings[(z, y, x - 1)].speed.x },
                    speed.x,
                    if x + 1 == n { 0.0 } else { passings[(z, y, x + 1)].speed.x },
                );
                let along = limiter(
                    if y == 0 { speed.y } else { passings[(z, y - 1, x)].speed.y },
                    speed.y,
                    if y + 1 == n { 0.0 } else { passings[(z, y + 1, x)].speed.y },
                );
                let up = limiter(
                    if z == 0 { speed.z } else { passings[(z - 1, y, x)].speed.z },
                    speed.z,
                    if z + 1 == n { 0.0 } else { passings[(z + 1, y, x)].speed.z },
                );
                let density = 1.0 / relative[(z, y, x)];
                let jump = |speed: f64, width: f64| (speed * width).min(0.0);
                let (a, b, c) = (jump(speed.x, width.x), jump(speed.y, width.y), jump(speed.z, width.z));
                let linear = a * (1.0 - here) + b * (1.0 - along) + c * (1.0 - up);
                let square = a * a * (1.0 - here * here) + b * b * (1.0 - along * along) + c * c * (1.0 - up * up);
                if rates[(z, y, x)] > 0.0 { (0.0, 0.0) } else { (-0.5 * density * linear, 2.0 / 3.0 * density * square) }
            });
            gas = zip((&gas, &relative, &volumes, viscosities)).map(|(gas, volume, old, (linear, square))| {
                state(gas, volume, volume - old, linear, square)
            });
            volumes = relative.map(|v| if (v - 1.0).abs() < 1e-10 { 1.0 } else { v });

            let steps = generate(shape, |at| {
                let (rate, sound) = (rates[at], gas[at].sound);
                let length = length(corners(&places, at), at_start[at] * relative[at]);
                let shock = if rate < 0.0 { 256.0 * length * length * rate * rate } else { 0.0 };
                if rate == 0.0 {
                    (1e20, 1e20)
                } else {
                    (length / (sound * sound + shock).sqrt(), 0.1 / (rate.abs() + 1e-20))
                }
            });
            (courant, hydro) = steps.fold_all((1e20, 1e20), |a, b| (a.0.min(b.0), a.1.min(b.1)));
            time += dt;
            cycles += 1;
        }
        (gas.map(|gas| gas.energy), cycles)
    }
}

/// Runs a blast.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Elements along each side
    #[arg(long, default_value_t = 30)]
    size: usize,
    /// Where to write the picture
    #[arg(long, default_value = "target/pictures/lulesh.png")]
    output: PathBuf,
}

/// When the run ends.
const STOP: f64 = 1e-2;
/// Elements, cycles and the energy at the corner of LULESH 2.0.3.
const KNOWN: [(usize, u32, f64); 4] = [
    (5, 72, 7.853665e3),
    (10, 231, 2.720531e4),
    (30, 932, 2.025075e5),
    (45, 1477, 4.234875e5),
];

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let (options, n) = (&arguments.options, arguments.size);
    let device = options.start(&[function!(blast)])?;
    let energy = 3.948746e7 * (n as f64 / 45.0).powi(3);
    let first = 0.5 * (1.125 / n as f64) / (2.0 * energy).sqrt();
    let deposit = options.constant(energy);
    let ((energies, cycles), time) = options.measure("blast", 0, || {
        let (energies, cycles) = blast(&device, n, deposit, first, STOP)?;
        Ok((energies.to_vec()?, cycles))
    })?;
    function!(blast).report(&device, &[], time);
    let each = time.as_secs_f64() / f64::from(cycles);
    println!(
        "{cycles} cycles, {:.3} ms each; {:.6e} is left at the corner",
        each * 1e3,
        energies[0]
    );
    println!(
        "{:.2} million elements a second",
        (n * n * n) as f64 / 1e6 / each
    );
    draw(n, &energies, &arguments.output)?;
    if options.check {
        for (size, known_cycles, energy) in KNOWN {
            if size == n {
                known(
                    &format!("cycles of {n}^3 elements"),
                    cycles.into(),
                    known_cycles.into(),
                    0.0,
                )?;
                known(
                    &format!("energy at the corner of {n}^3"),
                    energies[0],
                    energy,
                    1e-6,
                )?;
            }
        }
        // None of the three directions is before another.
        let at = |z: usize, y: usize, x: usize| energies[(z * n + y) * n + x];
        let differs = (0..n * n * n).map(|k| {
            let (z, y, x) = (k / (n * n), k / n % n, k % n);
            (at(z, y, x) - at(x, z, y))
                .abs()
                .max((at(z, y, x) - at(y, z, x)).abs())
        });
        let worst = differs.fold(0.0, f64::max) / energies[0];
        check(
            "directions differ, of the energy at the corner",
            worst,
            1e-10,
        )?;
        agrees(
            "energies are finite",
            energies.iter().all(|energy| energy.is_finite()),
        )?;
    }
    Ok(())
}

/// The energy of the lowest layer of elements, as logarithms.
fn draw(n: usize, energies: &[f64], to: &Path) -> Result<()> {
    let pixels = 512 / n * n;
    let scale = (pixels / n).max(1);
    let level = |energy: f64| {
        ((energy.max(1.0) / energies[0].max(10.0)).ln() / energies[0].max(10.0).ln()) as f32 + 1.0
    };
    let colour = |k: usize| {
        let (i, j) = (k / (n * scale) / scale, k % (n * scale) / scale);
        heat(level(energies[(n - 1 - i) * n + j]))
    };
    let shape = (n * scale, n * scale);
    save(to, rgb(shape, (0..shape.0 * shape.1).map(colour).collect()))
}
