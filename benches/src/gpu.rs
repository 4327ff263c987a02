//! Kernels on a GPU against the libraries that are there, each pair measured in turns, as shares of what the device can do.

use crate::measure::{Peers, duel};
use crate::{Arguments, programs, values};
use accelerate::{Device, Matrix, Vector};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Calls that are timed together: how long it takes to wait for a device is no program's.
const CALLS: u32 = 10;

/// What a program must at least do.
#[derive(Clone, Copy)]
enum Work {
    /// Bytes read and written once.
    Bytes(usize),
    /// Floating-point operations.
    Operations(usize),
}

/// The lines of a table.
struct Table<'a> {
    device: &'a Device,
    arguments: &'a Arguments,
    peers: Option<Peers>,
}

impl Table<'_> {
    /// One line for each peer. A program that fails has a line that says so; the rows after it are measured.
    fn row<T>(
        &mut self,
        name: &str,
        work: Work,
        peers: &[(&str, &str)],
        mut program: impl FnMut(&Device) -> accelerate::Result<T>,
    ) {
        if !self.arguments.wants(name) {
            return;
        }
        let device = self.device;
        let mut run = || {
            for _ in 0..CALLS {
                drop(program(device).expect("the program runs"));
            }
            device.synchronize().expect("the program ends");
        };
        for (key, peer) in peers {
            let ask = || match &mut self.peers {
                Some(peers) => peers.run(key, peer),
                None => None,
            };
            let measured = catch_unwind(AssertUnwindSafe(|| {
                match duel(self.arguments.rounds, &mut run, ask) {
                    Some((ours, theirs)) => (ours, Some(theirs)),
                    None => (
                        duel(self.arguments.rounds, &mut run, || Some(0.0))
                            .map_or(f64::NAN, |(ours, _)| ours),
                        None,
                    ),
                }
            }));
            let Ok((ours, theirs)) = measured else {
                println!("| {name} | failed | | {peer} | | |");
                return;
            };
            let each = |time: f64| time / f64::from(CALLS);
            let (ours, theirs) = (each(ours), theirs.map(each));
            let rate = match work {
                Work::Bytes(bytes) => format!("{:.0} GB/s", bytes as f64 / ours * 1e-9),
                Work::Operations(count) => format!("{:.0} GFLOP/s", count as f64 / ours * 1e-9),
            };
            let other = match theirs {
                Some(theirs) => format!("{:.4} | {:.3}", theirs * 1e3, ours / theirs),
                None => "not available |".to_owned(),
            };
            println!("| {name} | {:.4} | {rate} | {peer} | {other} |", ours * 1e3);
        }
    }
}

/// Prints the table.
pub(crate) fn run(device: &Device, arguments: &Arguments) -> anyhow::Result<()> {
    println!("| program | ours, ms | rate | rival | rival, ms | ratio |");
    println!("|---|---|---|---|---|---|");
    let mut table = Table {
        device,
        arguments,
        peers: Peers::on_gpu(&arguments.python).ok(),
    };
    vectors(&mut table)?;
    matrices(&mut table)?;
    products(&mut table)?;
    sparse(&mut table)
}

fn vectors(table: &mut Table<'_>) -> anyhow::Result<()> {
    let device = table.device;
    let n = (64 << 20) / table.arguments.shrink;
    let xs = Vector::from_vec(device, values(1, n))?;
    let ys = Vector::from_vec(device, values(2, n))?;
    let copied = [("copy", "torch")];
    table.row("increment (copy)", Work::Bytes(8 * n), &copied, |device| {
        programs::increment(device, &xs)
    });
    table.row(
        "saxpy",
        Work::Bytes(12 * n),
        &[("saxpy", "torch")],
        |device| programs::saxpy(device, 2.5, &xs, &ys),
    );
    let peers = [("dot", "torch"), ("dot", "cupy")];
    table.row("dot", Work::Bytes(8 * n), &peers, |device| {
        programs::dot(device, &xs, &ys)
    });
    let peers = [("scan", "torch"), ("scan", "cupy")];
    table.row("scan", Work::Bytes(8 * n), &peers, |device| {
        programs::running_sums(device, &xs)
    });
    let peers = [("filter", "torch"), ("filter", "cupy")];
    table.row("filter", Work::Bytes(6 * n), &peers, |device| {
        programs::positive(device, &xs)
    });

    let hash = |k: usize| ((k as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32;
    let keys = Vector::from_vec(device, (0..n).map(|k| hash(k) % 256).collect())?;
    let peers = [("histogram", "torch"), ("histogram", "cupy")];
    table.row("histogram 256", Work::Bytes(4 * n), &peers, |device| {
        programs::histogram(device, &keys)
    });
    drop(keys);
    let bins = 4_000_000;
    let keys = Vector::from_vec(device, (0..n).map(|k| hash(k) % bins).collect())?;
    let peers = [("sums", "torch")];
    table.row("sums by key", Work::Bytes(8 * n), &peers, |device| {
        programs::sums_by_key(device, &keys, &xs, bins as usize)
    });
    drop(keys);
    let keys = Vector::from_vec(device, (0..n / 2).map(hash).collect())?;
    let peers = [("sort", "torch"), ("sort", "cupy")];
    table.row("sort u32", Work::Bytes(4 * n), &peers, |device| {
        programs::sorted(device, &keys)
    });
    let n = 8_000_000 / table.arguments.shrink;
    let scaled = |seed, low: f32, high: f32| -> Vec<f32> {
        let unit = values(seed, n).into_iter();
        unit.map(|x| low + (high - low) * 0.5 * (x + 1.0)).collect()
    };
    let market = (
        scaled(1, 5.0, 30.0),
        scaled(2, 1.0, 100.0),
        scaled(3, 0.25, 10.0),
    );
    let market = Vector::from_columns(device, market)?;
    let peers = [("black_scholes", "jax")];
    table.row("Black-Scholes", Work::Bytes(20 * n), &peers, |device| {
        programs::black_scholes(device, &market, 0.02, 0.3)
    });
    Ok(())
}

fn matrices(table: &mut Table<'_>) -> anyhow::Result<()> {
    let device = table.device;
    let side = 8192 / table.arguments.shrink;
    let m = Matrix::from_vec(device, (side, side), values(3, side * side))?;
    let (read, moved) = (4 * side * side, 8 * side * side);
    let peers = [("row_sums", "torch"), ("row_sums", "cupy")];
    table.row("row sums", Work::Bytes(read), &peers, |device| {
        programs::row_sums(device, &m)
    });
    let peers = [("column_sums", "torch"), ("column_sums", "cupy")];
    table.row("column sums", Work::Bytes(read), &peers, |device| {
        programs::column_sums(device, &m)
    });
    table.row(
        "transpose",
        Work::Bytes(moved),
        &[("transpose", "torch")],
        |device| programs::transpose(device, &m),
    );
    let peers = [("plus_transpose", "torch")];
    table.row("m + m.transpose()", Work::Bytes(moved), &peers, |device| {
        programs::plus_transpose(device, &m)
    });
    let peers = [("blur", "torch")];
    table.row("blur 5x5", Work::Bytes(moved), &peers, |device| {
        programs::blur(device, &m)
    });
    let columns = 1024;
    let rows = side * side / columns;
    let m = Matrix::from_vec(device, (rows, columns), values(3, rows * columns))?;
    let peers = [("softmax", "torch")];
    table.row(
        "softmax x1024",
        Work::Bytes(8 * rows * columns),
        &peers,
        |device| programs::softmax(device, &m),
    );
    Ok(())
}

fn products(table: &mut Table<'_>) -> anyhow::Result<()> {
    let device = table.device;
    for side in [512, 1024, 4096] {
        let side = side / table.arguments.shrink.min(64);
        let [a, b] =
            [4, 5].map(|seed| Matrix::from_vec(device, (side, side), values(seed, side * side)));
        let (a, b) = (a?, b?);
        let key = format!("matmul{side}");
        let name = format!("matmul {side}");
        let work = Work::Operations(2 * side * side * side);
        table.row(&name, work, &[(&key, "torch")], |device| {
            programs::matmul(device, &a, &b)
        });
    }
    let n = 65_536 / table.arguments.shrink.min(1024);
    let bodies = (values(1, n), values(2, n), values(3, n), values(4, n));
    let bodies = Vector::from_columns(device, bodies)?;
    table.row(
        "n-body",
        Work::Operations(20 * n * n),
        &[("nbody", "jax")],
        |device| programs::forces(device, &bodies),
    );
    Ok(())
}

fn sparse(table: &mut Table<'_>) -> anyhow::Result<()> {
    let device = table.device;
    let rows = (1 << 20) / table.arguments.shrink;
    let hash = |k: usize| (k as u32).wrapping_mul(2_654_435_761) >> 7;
    // From none to 63 in a row.
    let mut offsets = vec![0u32];
    for row in 0..rows {
        offsets.push(offsets[row] + hash(row) % 64);
    }
    let n = offsets[rows] as usize;
    let columns = (0..n).map(|k| hash(k) % rows as u32).collect();
    let (offsets, columns, entries, x) = (
        Vector::from_vec(device, offsets)?,
        Vector::from_vec(device, columns)?,
        Vector::from_vec(device, values(4, n))?,
        Vector::from_vec(device, values(5, rows))?,
    );
    let work = Work::Bytes(8 * n + 12 * rows);
    let peers = [("smvm", "torch"), ("smvm", "cupy")];
    table.row("smvm", work, &peers, |device| {
        programs::smvm(device, &offsets, &columns, &entries, &x)
    });
    Ok(())
}
