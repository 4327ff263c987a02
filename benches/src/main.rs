//! Ratios against hand-written rayon, JAX, numba and OpenBLAS, each pair measured in turns in one run.

mod applications;
mod gpu;
mod libraries;
mod measure;
mod outputs;
mod programs;
mod rivals;
mod rows;
mod windows;

use accelerate::{Device, Matrix, Vector};
use clap::Parser;
use measure::{duel, time};
use std::io::IsTerminal;

/// Measures against rivals and prints ratios.
#[derive(Parser)]
struct Arguments {
    /// Interleaved runs of each pair
    #[arg(long, default_value_t = 20)]
    rounds: u32,
    /// Python with JAX, numba and numpy, or with torch and CuPy for a GPU
    #[arg(long, default_value = "python3")]
    python: String,
    /// Divide the sizes by this much, for a quick look
    #[arg(long, default_value_t = 1)]
    shrink: usize,
    /// Where to compute: `cpu` or `cuda`
    #[arg(long, default_value = "cpu")]
    device: String,
    /// Measure only what has this in its name
    #[arg(long, default_value = "")]
    only: String,
}

impl Arguments {
    fn wants(&self, program: &str) -> bool {
        program.contains(&self.only)
    }

    /// Times our `run` against a rival's and prints a line.
    fn row(
        &self,
        (program, rival, aim): (&str, &str, f64),
        run: impl FnMut(),
        other: impl FnMut() -> Option<f64>,
    ) {
        if !self.wants(program) {
            return;
        }
        let shown = std::io::stderr().is_terminal();
        if shown {
            eprint!("{program} against {rival} ..");
        }
        let measured = duel(self.rounds, run, other);
        if shown {
            eprint!("\r\x1b[K");
        }
        match measured {
            Some((ours, theirs)) => println!(
                "| {program} | {:.3} | {rival} | {:.3} | {:.3} | {aim} |",
                ours * 1e3,
                theirs * 1e3,
                ours / theirs
            ),
            None => println!("| {program} | | {rival} | skipped: not available | | {aim} |"),
        }
    }
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let device = if arguments.device == "cuda" {
        Device::cuda(0)?
    } else {
        Device::cpu()
    };
    println!(
        "device: {}; {} interleaved runs; shortest times\n",
        device.name(),
        arguments.rounds
    );
    if arguments.device == "cuda" {
        gpu::run(&device, &arguments)?;
        println!("\n| program | ours, ms | on the CPU | rival, ms | ratio | aim |");
        println!("|---|---|---|---|---|---|");
        applications::run(&device, &arguments)?;
    } else {
        on_cpu(&device, &arguments)?;
    }
    if arguments.wants("call") {
        calls(&device)?;
    }
    Ok(())
}

fn on_cpu(device: &Device, arguments: &Arguments) -> anyhow::Result<()> {
    println!("| program | ours, ms | rival | rival, ms | ratio | aim |");
    println!("|---|---|---|---|---|---|");
    against_rayon(device, arguments)?;
    rows::against_rayon(device, arguments)?;
    windows::against_rayon(device, arguments)?;
    outputs::against_rayon(device, arguments)?;
    applications::run(device, arguments)?;
    libraries::against_ndarray(device, arguments)?;
    libraries::against_python(device, arguments)
}

fn values(seed: u32, n: usize) -> Vec<f32> {
    let step = |k: usize| (k as u32).wrapping_mul(2_654_435_761).wrapping_add(seed) >> 8;
    (0..n)
        .map(|k| step(k) as f32 / (1 << 23) as f32 - 1.0)
        .collect()
}

fn against_rayon(device: &Device, arguments: &Arguments) -> anyhow::Result<()> {
    let n = 32_000_000 / arguments.shrink;
    let (x, y) = (values(1, n), values(2, n));
    let (xs, ys) = (
        Vector::from_slice(device, &x)?,
        Vector::from_slice(device, &y)?,
    );
    let run = || {
        programs::dot(device, &xs, &ys).expect("dot runs");
    };
    let rival = || {
        Some(time(|| {
            std::hint::black_box(rivals::dot(&x, &y));
        }))
    };
    arguments.row((&format!("dot {n}"), "rayon", 1.15), run, rival);

    let mut out = vec![0.0; n];
    let run = || {
        let result = programs::saxpy(device, 2.5, &xs, &ys).expect("saxpy runs");
        device.synchronize().expect("saxpy ends");
        drop(result);
    };
    let rival = || Some(time(|| rivals::saxpy(2.5, &x, &y, &mut out)));
    arguments.row((&format!("saxpy {n}"), "rayon", 1.15), run, rival);

    let text: Vec<u8> = x.iter().map(|x| (x * 128.0 + 128.0) as u8).collect();
    let letters = Vector::from_slice(device, &text)?;
    let mut capitals = vec![0; n];
    rivals::capitals(&text, &mut capitals);
    anyhow::ensure!(
        programs::capitals(device, &letters)?.to_vec()? == capitals,
        "capitals: not the same"
    );
    let run = || {
        let result = programs::capitals(device, &letters).expect("capitals run");
        device.synchronize().expect("capitals end");
        drop(result);
    };
    let rival = || Some(time(|| rivals::capitals(&text, &mut capitals)));
    arguments.row((&format!("capitals {n}"), "rayon", 1.15), run, rival);

    let run = || {
        programs::running_sums(device, &xs).expect("running sums run");
        device.synchronize().expect("running sums end");
    };
    let rival = || Some(time(|| rivals::running_sums(&x, &mut out)));
    arguments.row((&format!("scan {n}"), "rayon", 1.15), run, rival);

    let (rows, columns) = (8192 / arguments.shrink, 4096);
    let m = values(3, rows * columns);
    let matrix = Matrix::from_vec(device, (rows, columns), m.clone())?;
    let mut sums = vec![0.0; rows];
    let run = || {
        programs::row_sums(device, &matrix).expect("row sums run");
        device.synchronize().expect("row sums end");
    };
    let rival = || Some(time(|| rivals::row_sums(&m, columns, &mut sums)));
    arguments.row(
        (&format!("row sums {rows}x{columns}"), "rayon", 1.15),
        run,
        rival,
    );

    for bins in [256, 4_000_000] {
        let hash = |k: usize| (k as u32).wrapping_mul(2_654_435_761) >> 7;
        let keys: Vec<u32> = (0..n).map(|k| hash(k) % bins).collect();
        let on_device = Vector::from_slice(device, &keys)?;
        if bins == 256 {
            let run = || {
                programs::histogram(device, &on_device).expect("histogram runs");
                device.synchronize().expect("histogram ends");
            };
            let rival = || {
                Some(time(|| {
                    std::hint::black_box(rivals::histogram(&keys));
                }))
            };
            arguments.row(
                (&format!("histogram {n}, {bins} bins"), "rayon", 1.15),
                run,
                rival,
            );
        } else {
            let run = || {
                programs::sums_by_key(device, &on_device, &xs, bins as usize).expect("sums run");
                device.synchronize().expect("sums end");
            };
            let rival = || {
                Some(time(|| {
                    std::hint::black_box(rivals::sums_by_key(&keys, &x, bins as usize));
                }))
            };
            arguments.row(
                (&format!("sums {n}, {bins} bins"), "1 thread", 1.15),
                run,
                rival,
            );
        }
    }

    let n = n / 2;
    let hash = |k: usize| (k as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    let keys: Vec<u32> = (0..n).map(|k| hash(k) as u32).collect();
    let on_device = Vector::from_slice(device, &keys)?;
    let run = || {
        programs::sorted(device, &on_device).expect("sort runs");
        device.synchronize().expect("sort ends");
    };
    let rival = || {
        let mut keys = keys.clone();
        Some(time(|| rivals::sort(&mut keys)))
    };
    arguments.row((&format!("sort {n}"), "voracious", 1.3), run, rival);
    transposes(device, arguments)?;
    smvm(device, arguments)
}

fn transposes(device: &Device, arguments: &Arguments) -> anyhow::Result<()> {
    let side = 8192 / arguments.shrink;
    let m = values(8, side * side);
    let matrix = Matrix::from_vec(device, (side, side), m.clone())?;
    let mut out = vec![0.0; side * side];
    let run = || {
        programs::transpose(device, &matrix).expect("transpose runs");
        device.synchronize().expect("transpose ends");
    };
    let rival = || Some(time(|| rivals::transpose(&m, side, &mut out)));
    arguments.row(
        (&format!("transpose {side}x{side}"), "rayon", 1.1),
        run,
        rival,
    );

    let run = || {
        programs::plus_transpose(device, &matrix).expect("the sum runs");
        device.synchronize().expect("the sum ends");
    };
    let rival = || Some(time(|| rivals::plus_transpose(&m, side, &mut out)));
    arguments.row(
        (&format!("m + m.transpose() {side}x{side}"), "rayon", 1.1),
        run,
        rival,
    );
    Ok(())
}

fn smvm(device: &Device, arguments: &Arguments) -> anyhow::Result<()> {
    let rows = 262_144 / arguments.shrink;
    let hash = |k: usize| (k as u32).wrapping_mul(2_654_435_761) >> 7;
    // From none to 63 in a row.
    let mut offsets = vec![0u32];
    for row in 0..rows {
        offsets.push(offsets[row] + hash(row) % 64);
    }
    let n = offsets[rows] as usize;
    let columns: Vec<u32> = (0..n).map(|k| hash(k) % rows as u32).collect();
    let (entries, x) = (values(4, n), values(5, rows));
    let on_device = (
        Vector::from_slice(device, &offsets)?,
        Vector::from_slice(device, &columns)?,
        Vector::from_slice(device, &entries)?,
        Vector::from_slice(device, &x)?,
    );
    let mut out = vec![0.0; rows];
    let run = || {
        let (offsets, columns, entries, x) = &on_device;
        programs::smvm(device, offsets, columns, entries, x).expect("smvm runs");
        device.synchronize().expect("smvm ends");
    };
    let rival = || {
        Some(time(|| {
            rivals::smvm(&offsets, &columns, &entries, &x, &mut out);
        }))
    };
    arguments.row((&format!("smvm {n}"), "rayon", 1.15), run, rival);
    Ok(())
}

/// What a call costs when there is nothing to do.
fn calls(device: &Device) -> anyhow::Result<()> {
    let empty = Vector::from_vec(device, Vec::<f32>::new())?;
    let rounds = 100_000;
    let call = || {
        for _ in 0..rounds {
            programs::increment(device, &empty).expect("nothing to do");
        }
    };
    call();
    println!(
        "\ncall on an empty array: {:.0} ns",
        time(call) * 1e9 / f64::from(rounds)
    );
    Ok(())
}
