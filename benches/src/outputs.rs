//! Arrays that are results and are reduced, too, in one pass, against rayon by hand.

use crate::measure::{close, time};
use crate::{Arguments, values};
use accelerate::{Device, Matrix, Vector, accelerate};

accelerate! {
    /// What is left after a step along a direction, and the square of its length.
    #[fused(kernels = 1)]
    pub fn residual(r: &Vector<f32>, direction: &Vector<f32>, step: f32) -> (Vector<f32>, f32) {
        let left = r - step * direction;
        (left, left.dot(&left))
    }

    /// The mean of each point's neighbours, and the most that any point has changed.
    #[fused(kernels = 1)]
    pub fn relaxed(u: &Matrix<f32>) -> (Matrix<f32>, f32) {
        let next = u.stencil(Clamp, |w| (w[(0, -1)] + w[(0, 1)] + w[(-1, 0)] + w[(1, 0)]) / 4.0);
        (next, next.zip(u).map(|(new, old)| (new - old).abs()).max_all())
    }
}

mod rivals {
    use rayon::prelude::*;

    const CHUNK: usize = 1 << 14;

    /// In eight lanes, as LLVM does not reorder sums.
    pub(super) fn residual(r: &[f32], direction: &[f32], step: f32, out: &mut [f32]) -> f32 {
        let chunks = r.par_chunks(CHUNK).zip(direction.par_chunks(CHUNK));
        let parts = chunks
            .zip(out.par_chunks_mut(CHUNK))
            .map(|((r, direction), out)| {
                let mut lanes = [0.0f32; 8];
                let whole = r.len() / 8 * 8;
                for at in (0..whole).step_by(8) {
                    for (lane, sum) in lanes.iter_mut().enumerate() {
                        let left = r[at + lane] - step * direction[at + lane];
                        out[at + lane] = left;
                        *sum += left * left;
                    }
                }
                for at in whole..r.len() {
                    let left = r[at] - step * direction[at];
                    out[at] = left;
                    lanes[0] += left * left;
                }
                lanes.iter().sum::<f32>()
            });
        parts.sum()
    }

    /// A row's neighbours in slices of one length, then its changes in eight lanes while it is in the cache.
    pub(super) fn relaxed(u: &[f32], columns: usize, out: &mut [f32]) -> f32 {
        let (rows, last) = (u.len() / columns, columns - 1);
        let row = |(i, out): (usize, &mut [f32])| {
            let at = |i: usize| &u[i * columns..(i + 1) * columns];
            let (own, above, below) = (at(i), at(i.max(1) - 1), at((i + 1).min(rows - 1)));
            let sides = own[..last - 1].iter().zip(&own[2..]);
            let ends = above[1..last].iter().zip(&below[1..last]);
            for (out, ((left, right), (above, below))) in
                out[1..last].iter_mut().zip(sides.zip(ends))
            {
                *out = (left + right + above + below) / 4.0;
            }
            out[0] = (own[0] + own[1] + above[0] + below[0]) / 4.0;
            out[last] = (own[last - 1] + own[last] + above[last] + below[last]) / 4.0;
            let mut lanes = [0.0f32; 8];
            for (out, own) in out.chunks(8).zip(own.chunks(8)) {
                for (most, (new, old)) in lanes.iter_mut().zip(out.iter().zip(own)) {
                    *most = most.max((new - old).abs());
                }
            }
            lanes.iter().copied().fold(0.0, f32::max)
        };
        let changes = out.par_chunks_mut(columns).enumerate().map(row);
        changes.reduce(|| 0.0, f32::max)
    }
}

pub(crate) fn against_rayon(device: &Device, arguments: &Arguments) -> anyhow::Result<()> {
    let n = 16_000_000 / arguments.shrink;
    let (r, direction) = (values(11, n), values(12, n));
    let r_there = Vector::from_slice(device, &r)?;
    let direction_there = Vector::from_slice(device, &direction)?;
    let mut out = vec![0.0; n];
    let theirs = rivals::residual(&r, &direction, 0.25, &mut out);
    let (left, ours) = residual(device, &r_there, &direction_there, 0.25)?;
    anyhow::ensure!(close(&left.to_vec()?, &out), "residuals: not the same");
    anyhow::ensure!(
        (ours - theirs).abs() <= 1e-3 * theirs,
        "squares: {ours} and {theirs}"
    );
    let run = || {
        residual(device, &r_there, &direction_there, 0.25).expect("residuals run");
    };
    let rival = || {
        Some(time(|| {
            std::hint::black_box(rivals::residual(&r, &direction, 0.25, &mut out));
        }))
    };
    arguments.row((&format!("residual {n}"), "rayon", 1.15), run, rival);

    let (rows, columns) = (4096 / arguments.shrink, 4096);
    let u = values(13, rows * columns);
    let there = Matrix::from_vec(device, (rows, columns), u.clone())?;
    let mut out = vec![0.0; rows * columns];
    let theirs = rivals::relaxed(&u, columns, &mut out);
    let (next, ours) = relaxed(device, &there)?;
    anyhow::ensure!(close(&next.to_vec()?, &out), "relaxations: not the same");
    anyhow::ensure!(close(&[ours], &[theirs]), "changes: {ours} and {theirs}");
    let run = || {
        relaxed(device, &there).expect("relaxations run");
    };
    let rival = || {
        Some(time(|| {
            std::hint::black_box(rivals::relaxed(&u, columns, &mut out));
        }))
    };
    arguments.row(
        (&format!("relaxation {rows}x{columns}"), "rayon", 1.15),
        run,
        rival,
    );
    Ok(())
}
