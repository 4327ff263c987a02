//! The same computations by hand with rayon: the best shapes known for each (32 lanes that LLVM turns into vectors,
//! chunks that stay in cache).

use rayon::prelude::*;

const LANES: usize = 32;
const CHUNK: usize = 1 << 16;

/// Sum of products.
pub(crate) fn dot(xs: &[f32], ys: &[f32]) -> f32 {
    let partial = |(xs, ys): (&[f32], &[f32])| {
        let mut lanes = [0.0f32; LANES];
        let (x_chunks, y_chunks) = (xs.chunks_exact(LANES), ys.chunks_exact(LANES));
        let tail: f32 = x_chunks
            .remainder()
            .iter()
            .zip(y_chunks.remainder())
            .map(|(x, y)| x * y)
            .sum();
        for (x, y) in x_chunks.zip(y_chunks) {
            for k in 0..LANES {
                lanes[k] += x[k] * y[k];
            }
        }
        lanes.iter().sum::<f32>() + tail
    };
    xs.par_chunks(CHUNK)
        .zip(ys.par_chunks(CHUNK))
        .map(partial)
        .sum()
}

/// `a x + y` into a buffer that is used again.
pub(crate) fn saxpy(a: f32, xs: &[f32], ys: &[f32], out: &mut [f32]) {
    let chunks = out
        .par_chunks_mut(CHUNK)
        .zip(xs.par_chunks(CHUNK))
        .zip(ys.par_chunks(CHUNK));
    chunks.for_each(|((out, xs), ys)| {
        for ((out, x), y) in out.iter_mut().zip(xs).zip(ys) {
            *out = a * x + y;
        }
    });
}

/// ASCII letters as capitals, into a buffer that is used again.
pub(crate) fn capitals(text: &[u8], out: &mut [u8]) {
    let chunks = out.par_chunks_mut(CHUNK).zip(text.par_chunks(CHUNK));
    chunks.for_each(|(out, text)| {
        for (out, c) in out.iter_mut().zip(text) {
            *out = c.to_ascii_uppercase();
        }
    });
}

fn sum(xs: &[f32]) -> f32 {
    let mut lanes = [0.0f32; LANES];
    let chunks = xs.chunks_exact(LANES);
    let tail: f32 = chunks.remainder().iter().sum();
    for chunk in chunks {
        for k in 0..LANES {
            lanes[k] += chunk[k];
        }
    }
    lanes.iter().sum::<f32>() + tail
}

/// One sum per row.
pub(crate) fn row_sums(m: &[f32], columns: usize, out: &mut [f32]) {
    m.par_chunks(columns)
        .zip(out.par_iter_mut())
        .for_each(|(row, out)| {
            *out = sum(row);
        });
}

/// Rows and columns of a block that is transposed while it is in a cache.
const BLOCK: usize = 64;

/// Elements of a square matrix and of its transpose, block by block: threads share the rows.
fn with_transposed(m: &[f32], side: usize, out: &mut [f32], of: impl Fn(usize, f32) -> f32 + Sync) {
    let rows = out.par_chunks_mut(BLOCK * side).enumerate();
    rows.for_each(|(block, out)| {
        let first = block * BLOCK;
        for column in (0..side).step_by(BLOCK) {
            let end = (column + BLOCK).min(side);
            for (row, out) in out.chunks_mut(side).enumerate() {
                let row = first + row;
                for (k, out) in (column..end).zip(&mut out[column..end]) {
                    *out = of(row * side + k, m[k * side + row]);
                }
            }
        }
    });
}

/// The transpose of a square matrix.
pub(crate) fn transpose(m: &[f32], side: usize, out: &mut [f32]) {
    with_transposed(m, side, out, |_, x| x);
}

/// A square matrix and its transpose.
pub(crate) fn plus_transpose(m: &[f32], side: usize, out: &mut [f32]) {
    with_transposed(m, side, out, |at, x| m[at] + x);
}

/// Running sums, in rounds of tiles that stay in cache: their sums, then each from where it starts, four quarters at once
/// so that additions need not wait for each other.
pub(crate) fn running_sums(xs: &[f32], out: &mut [f32]) {
    const QUARTER: usize = 1 << 12;
    const TILE: usize = 4 * QUARTER;
    const ROUND: usize = 16 * TILE;
    let mut carry = 0.0;
    for (xs, out) in xs.chunks(ROUND).zip(out.chunks_mut(ROUND)) {
        let mut starts: Vec<f32> = xs.par_chunks(QUARTER).map(sum).collect();
        for start in &mut starts {
            carry += std::mem::replace(start, carry);
        }
        let tiles = out.par_chunks_mut(TILE).zip(xs.par_chunks(TILE));
        tiles
            .zip(starts.par_chunks(4))
            .for_each(|((out, xs), starts)| {
                if let ([a, b, c, d], TILE) = (starts, xs.len()) {
                    let mut sums = [*a, *b, *c, *d];
                    for k in 0..QUARTER {
                        for (quarter, sum) in sums.iter_mut().enumerate() {
                            *sum += xs[quarter * QUARTER + k];
                            out[quarter * QUARTER + k] = *sum;
                        }
                    }
                    return;
                }
                let mut sum = starts[0];
                for (out, x) in out.iter_mut().zip(xs) {
                    sum += x;
                    *out = sum;
                }
            });
    }
}

/// Keys below 256, counted in four tables per chunk, so that an element need not wait for its latest change.
pub(crate) fn histogram(keys: &[u32]) -> Vec<u32> {
    let count = |keys: &[u32]| {
        let mut tables = [[0u32; 256]; 4];
        let fours = keys.chunks_exact(4);
        for &key in fours.remainder() {
            tables[0][key as usize] += 1;
        }
        for four in fours {
            for (table, &key) in tables.iter_mut().zip(four) {
                table[key as usize] += 1;
            }
        }
        tables
    };
    let add = |mut a: [[u32; 256]; 4], b: [[u32; 256]; 4]| {
        for (a, b) in a.iter_mut().flatten().zip(b.iter().flatten()) {
            *a += b;
        }
        a
    };
    let tables = keys
        .par_chunks(keys.len().div_ceil(64).max(CHUNK))
        .map(count)
        .reduce(|| [[0; 256]; 4], add);
    (0..256)
        .map(|bin| tables.iter().map(|table| table[bin]).sum())
        .collect()
}

/// Sums over many bins, one thread: there is no safe and simple way to share them.
pub(crate) fn sums_by_key(keys: &[u32], xs: &[f32], bins: usize) -> Vec<f32> {
    let mut sums = vec![0.0; bins];
    for (&key, x) in keys.iter().zip(xs) {
        sums[key as usize] += x;
    }
    sums
}

/// A sparse matrix times a vector: threads share the rows.
pub(crate) fn smvm(offsets: &[u32], columns: &[u32], values: &[f32], xs: &[f32], out: &mut [f32]) {
    out.par_iter_mut()
        .zip(offsets.par_windows(2))
        .with_min_len(1 << 10)
        .for_each(|(out, ends)| {
            let row = ends[0] as usize..ends[1] as usize;
            let (columns, values) = (&columns[row.clone()], &values[row]);
            let terms = columns.iter().zip(values);
            *out = terms
                .map(|(&column, value)| value * xs[column as usize])
                .sum();
        });
}

/// In place, on all threads.
pub(crate) fn sort(keys: &mut [u32]) {
    use voracious_radix_sort::RadixSort;
    keys.voracious_mt_sort(rayon::current_num_threads());
}
