//! Sorting networks by combinators of Obsidian (Claessen, Sheeran, Svensson: Expressive Array Constructs in an Embedded GPU Kernel
//! Programming Language, 2012): blocks of 512 are sorted by one kernel that keeps them in shared memory, and merged by
//! columns of comparators in device memory until their distances fit into blocks again.

use accelerate::{Error, Matrix, Vector, accelerate};
use anyhow::{Result, bail};
use clap::Parser;
use examples::{Function, Options, equal, function, random_integers};

accelerate! {
    /// Two that are compared: the less one goes where the index has a 0 in `bit`.
    fn compare<T: Number>(keys: &Vector<T>, mask: usize, bit: usize) -> Vector<T> {
        keys.map_indexed(|i, x| {
            let y = keys[i ^ mask];
            if i & bit == 0 { x.min(y) } else { x.max(y) }
        })
    }

    /// Elements that are `2^i` apart meet.
    fn ilv<T: Number>(keys: &Vector<T>, i: usize) -> Vector<T> {
        compare(keys, 1 << i, 1 << i)
    }

    /// Elements as far from the middle of a run of `2^(i + 1)`, on both sides of it, meet.
    fn vee<T: Number>(keys: &Vector<T>, i: usize) -> Vector<T> {
        compare(keys, (2 << i) - 1, 1 << i)
    }

    /// As `vee(j)`, of elements that are `2^i` apart.
    fn ilv_vee<T: Number>(keys: &Vector<T>, i: usize, j: usize) -> Vector<T> {
        compare(keys, ((2 << j) - 1) << i, 1 << (i + j))
    }

    /// Sorts what first rises and then falls, or the other way round.
    fn bmerge<T: Number>(keys: &Vector<T>, m: usize) -> Vector<T> {
        let mut keys = keys.clone();
        for i in (0..m).rev() {
            keys = ilv(&keys, i);
        }
        keys
    }

    /// The network of merges of ever longer runs.
    fn tsort<T: Number>(keys: &Vector<T>, m: usize) -> Vector<T> {
        let mut keys = keys.clone();
        for run in 0..m {
            keys = bmerge(&vee(&keys, run), run);
        }
        keys
    }

    /// The network that is the same from both ends.
    fn vsort<T: Number>(keys: &Vector<T>, m: usize) -> Vector<T> {
        let mut keys = keys.clone();
        for i in 1..=m {
            for j in 1..=i {
                keys = ilv_vee(&keys, m - i, i - j);
            }
        }
        keys
    }

    /// Each block of 8, by merges.
    #[fused(kernels = 1)]
    pub fn small_by_merges(keys: &Vector<u8>) -> Matrix<u8> {
        keys.chunks_exact(8).map(|block| tsort(&block, 3))
    }

    /// Each block of 8, by the other network.
    #[fused(kernels = 1)]
    pub fn small(keys: &Vector<u8>) -> Matrix<u8> {
        keys.chunks_exact(8).map(|block| vsort(&block, 3))
    }

    /// Each block of 512.
    #[fused(kernels = 1)]
    pub fn blocks(keys: &Vector<i32>) -> Matrix<i32> {
        keys.chunks_exact(512).map(|block| vsort(&block, 9))
    }

    /// All `2^m` of them.
    pub fn large(keys: &Vector<i32>, m: usize) -> Vector<i32> {
        let mut keys = blocks(keys).flatten();
        for run in 9..m {
            keys = vee(&keys, run);
            for i in (9..run).rev() {
                keys = ilv(&keys, i);
            }
            keys = keys.chunks_exact(512).map(|block| bmerge(&block, 9)).flatten();
        }
        keys
    }

    /// The sort that is built in.
    pub fn built_in(keys: &Vector<i32>) -> Vector<i32> {
        keys.sort()
    }
}

/// Sorts by networks.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Number of keys: a power of two, and at least 512
    #[arg(long, default_value_t = 1 << 20)]
    size: usize,
}

fn main() -> Result<()> {
    let Arguments { options, size } = Arguments::parse();
    let functions = [
        function!(large),
        function!(blocks),
        function!(built_in),
        function!(small),
    ];
    let device = options.start(&functions)?;
    if !size.is_power_of_two() || size < 512 {
        bail!("{size} keys: write a power of two from 512 on");
    }
    let m = size.ilog2() as usize;
    let mut keys: Vec<i32> = random_integers(1, size, 1 << 32)
        .into_iter()
        .map(|key| key as i32)
        .collect();
    let mut sorted = keys.clone();
    sorted.sort_unstable();
    let mut in_blocks = keys.clone();
    in_blocks
        .chunks_mut(512)
        .for_each(|block| block.sort_unstable());
    keys[0] = options.constant(keys[0]);
    let keys = Vector::from_vec(&device, keys)?;

    let run = |function: Function, sort: &dyn Fn() -> Result<Sorted, Error>| -> Result<Vec<i32>> {
        let (sorted, time) = options.measure(function.name, 3, || {
            let sorted = sort()?;
            device.synchronize()?;
            Ok(sorted)
        })?;
        function.report(&device, &[("keys.len()", size)], time);
        Ok(match sorted {
            Sorted::Blocks(keys) => keys.to_vec()?,
            Sorted::All(keys) => keys.to_vec()?,
        })
    };
    let by_network = run(functions[0], &|| Ok(Sorted::All(large(&device, &keys, m)?)))?;
    let blocks = run(functions[1], &|| {
        Ok(Sorted::Blocks(blocks(&device, &keys)?))
    })?;
    let built_in = run(functions[2], &|| Ok(Sorted::All(built_in(&device, &keys)?)))?;
    if options.check {
        equal("all, by Rust's sort", &by_network, &sorted)?;
        equal("blocks, by Rust's sort", &blocks, &in_blocks)?;
        equal("the built-in sort, by Rust's", &built_in, &sorted)?;
        // What sorts all zeros and ones sorts everything (Knuth: The Art of Computer Programming, 5.3.4).
        let bits = |number: usize| (0..8).map(move |bit| (number >> bit & 1) as u8);
        let inputs: Vec<u8> = (0..256).flat_map(bits).collect();
        let mut expected = inputs.clone();
        expected
            .chunks_mut(8)
            .for_each(|block| block.sort_unstable());
        let inputs = Vector::from_vec(&device, inputs)?;
        let merged = small_by_merges(&device, &inputs)?.to_vec()?;
        equal("all zeros and ones by merges", &merged, &expected)?;
        let mirrored = small(&device, &inputs)?.to_vec()?;
        equal(
            "all zeros and ones by the other network",
            &mirrored,
            &expected,
        )?;
    }
    Ok(())
}

/// What a function gives.
enum Sorted {
    Blocks(Matrix<i32>),
    All(Vector<i32>),
}
