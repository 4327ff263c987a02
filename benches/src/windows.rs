//! Loops over wide windows against rayon by hand, each row of the window over the whole row of the image.

use crate::measure::{close, time};
use crate::{Arguments, values};
use accelerate::{Device, Matrix, accelerate};

accelerate! {
    /// Weighted sums of 9 by 9 neighbours.
    #[fused(kernels = 1)]
    pub fn convolution_9(image: &Matrix<f32>, weights: &Matrix<f32>) -> Matrix<f32> {
        image.stencil(Clamp, |w| {
            let mut sum = 0.0;
            for dy in -4..=4 {
                for dx in -4..=4 {
                    sum += weights[((dy + 4) as usize, (dx + 4) as usize)] * w[(dy, dx)];
                }
            }
            sum
        })
    }

    /// Weighted sums of 17 by 17 neighbours.
    #[fused(kernels = 1)]
    pub fn convolution_17(image: &Matrix<f32>, weights: &Matrix<f32>) -> Matrix<f32> {
        image.stencil(Clamp, |w| {
            let mut sum = 0.0;
            for dy in -8..=8 {
                for dx in -8..=8 {
                    sum += weights[((dy + 8) as usize, (dx + 8) as usize)] * w[(dy, dx)];
                }
            }
            sum
        })
    }

    /// The greatest of 17 by 17 neighbours.
    #[fused(kernels = 1)]
    pub fn dilation(image: &Matrix<f32>) -> Matrix<f32> {
        image.stencil(Clamp, |w| {
            let mut most = w[(0, 0)];
            for dy in -8..=8 {
                for dx in -8..=8 {
                    most = most.max(w[(dy, dx)]);
                }
            }
            most
        })
    }
}

mod rivals {
    use rayon::prelude::*;

    /// `step` is given what is there, the neighbour's weight, and the neighbour.
    fn windows(
        image: &[f32],
        columns: usize,
        weights: &[f32],
        out: &mut [f32],
        step: impl Fn(f32, f32, f32) -> f32 + Sync,
    ) {
        let rows = image.len() / columns;
        let size = weights.len().isqrt();
        let radius = size / 2;
        let inside = |place: usize, length: usize| place.saturating_sub(radius).min(length - 1);
        let of_row = |(y, out): (usize, &mut [f32])| {
            for dy in 0..size {
                let line = &image[inside(y + dy, rows) * columns..][..columns];
                for dx in 0..size {
                    let by = weights[dy * size + dx];
                    for x in (0..radius).chain(columns - radius..columns) {
                        out[x] = step(out[x], by, line[inside(x + dx, columns)]);
                    }
                    let middle = &mut out[radius..columns - radius];
                    for (out, &x) in middle.iter_mut().zip(&line[dx..]) {
                        *out = step(*out, by, x);
                    }
                }
            }
        };
        out.par_chunks_mut(columns).enumerate().for_each(of_row);
    }

    pub(super) fn convolution(image: &[f32], columns: usize, weights: &[f32], out: &mut [f32]) {
        out.fill(0.0);
        windows(image, columns, weights, out, |sum, by, x| sum + by * x);
    }

    pub(super) fn dilation(image: &[f32], columns: usize, out: &mut [f32]) {
        out.fill(f32::NEG_INFINITY);
        let step = |most: f32, _, x| most.max(x);
        windows(image, columns, &[1.0; 17 * 17], out, step);
    }
}

pub(crate) fn against_rayon(device: &Device, arguments: &Arguments) -> anyhow::Result<()> {
    let n = 2048 / arguments.shrink;
    let pixels = values(12, n * n);
    let image = Matrix::from_vec(device, (n, n), pixels.clone())?;
    let mut out = vec![0.0; n * n];
    for size in [9, 17] {
        let weights = values(13, size * size);
        let on_device = Matrix::from_slice(device, (size, size), &weights)?;
        let ours = || match size {
            9 => convolution_9(device, &image, &on_device),
            _ => convolution_17(device, &image, &on_device),
        };
        rivals::convolution(&pixels, n, &weights, &mut out);
        anyhow::ensure!(close(&ours()?.to_vec()?, &out), "convolution: not the same");
        let run = || {
            ours().expect("the convolution runs");
            device.synchronize().expect("the convolution ends");
        };
        let rival = || Some(time(|| rivals::convolution(&pixels, n, &weights, &mut out)));
        let name = format!("convolution {size}x{size} {n}x{n}");
        arguments.row((&name, "rayon", 1.0), run, rival);
    }
    rivals::dilation(&pixels, n, &mut out);
    anyhow::ensure!(
        dilation(device, &image)?.to_vec()? == out,
        "dilation: not the same"
    );
    let run = || {
        dilation(device, &image).expect("the dilation runs");
        device.synchronize().expect("the dilation ends");
    };
    let rival = || Some(time(|| rivals::dilation(&pixels, n, &mut out)));
    arguments.row(
        (&format!("dilation 17x17 {n}x{n}"), "rayon", 1.0),
        run,
        rival,
    );
    Ok(())
}
