//! A radix sort that is written in the language, beside the one that is built in: for each bit of the keys from the lowest
//! on, all with a 0 go before all with a 1, and keep their order (Blelloch: Prefix Sums and Their Applications, 1990). Where
//! each goes is computed by two scans, or by a partition.

use accelerate::{Device, Error, Vector, accelerate};
use anyhow::Result;
use clap::Parser;
use examples::{Function, Options, equal, function, random_integers};

accelerate! {
    /// The bits of a key so that signed numbers are in the order of unsigned ones.
    fn digits(key: i32) -> u32 {
        key as u32 ^ 0x8000_0000
    }

    /// Pairs in the order of their keys, by two scans and a scatter for each bit.
    pub fn by_scans(pairs: &Vector<(i32, u32)>) -> Vector<(i32, u32)> {
        let n = pairs.len();
        let mut pairs = pairs;
        for bit in 0..32 {
            let ones = pairs.map(|(key, _)| (digits(key) >> bit) & 1);
            let (down, _) = ones.map(|one| 1 - one).scan_exclusive(0, |a, b| a + b);
            let (up, _) = ones.rscan_exclusive(0, |a, b| a + b);
            let to = zip((ones, down, up)).map(|(one, down, up)| {
                if one == 1 { n - 1 - up as usize } else { down as usize }
            });
            pairs = pairs.scatter_unique(pairs, |i, _| Some(to[i]));
        }
        pairs
    }

    /// The same by partitions.
    pub fn by_partitions(pairs: &Vector<(i32, u32)>) -> Vector<(i32, u32)> {
        let mut pairs = pairs;
        for bit in 0..32 {
            let (zeros, ones) = pairs.partition(|(key, _)| (digits(key) >> bit) & 1 == 0);
            pairs = zeros.concat(ones);
        }
        pairs
    }

    /// The same by the sort that is built in.
    pub fn built_in(pairs: &Vector<(i32, u32)>) -> Vector<(i32, u32)> {
        pairs.sort_by_key(|(key, _)| key)
    }
}

/// Sorts pairs by their keys.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Number of pairs
    #[arg(long, default_value_t = 2_000_000)]
    size: usize,
}

type Pairs = Vector<(i32, u32)>;
type Sort = fn(&Device, &Pairs) -> Result<Pairs, Error>;

fn main() -> Result<()> {
    let Arguments { options, size } = Arguments::parse();
    let ways: [(Function, Sort); 3] = [
        (function!(by_scans), by_scans),
        (function!(by_partitions), by_partitions),
        (function!(built_in), built_in),
    ];
    let device = options.start(&ways.map(|(function, _)| function))?;
    // Half of them from a few, so that equal keys show whether each keeps its place.
    let keys = random_integers(1, size, 1 << 32).into_iter().enumerate();
    let keys = keys.map(|(k, key)| {
        if k % 2 == 0 {
            key as i32
        } else {
            key as i32 % 1000
        }
    });
    let mut pairs: Vec<(i32, u32)> = keys.zip(0..).collect();
    let mut expected = pairs.clone();
    expected.sort_by_key(|&(key, _)| key);
    if let Some(first) = pairs.first_mut() {
        first.0 = options.constant(first.0);
    }
    let pairs = Vector::from_vec(&device, pairs)?;
    for (function, sort) in ways {
        let (sorted, time) = options.measure(function.name, 3, || {
            let sorted = sort(&device, &pairs)?;
            device.synchronize()?;
            Ok(sorted)
        })?;
        function.report(&device, &[], time);
        println!(
            "{:.1} million pairs a second",
            size as f64 / 1e6 / time.as_secs_f64()
        );
        if options.check {
            let name = format!("{}, Rust's stable sort", function.name);
            equal(&name, &sorted.to_vec()?, &expected)?;
        }
    }
    Ok(())
}
