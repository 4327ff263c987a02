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

/// One sum per row.
pub(crate) fn row_sums(m: &[f32], columns: usize, out: &mut [f32]) {
    m.par_chunks(columns)
        .zip(out.par_iter_mut())
        .for_each(|(row, out)| {
            let mut lanes = [0.0f32; LANES];
            let chunks = row.chunks_exact(LANES);
            let tail: f32 = chunks.remainder().iter().sum();
            for chunk in chunks {
                for k in 0..LANES {
                    lanes[k] += chunk[k];
                }
            }
            *out = lanes.iter().sum::<f32>() + tail;
        });
}
