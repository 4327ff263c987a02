//! Segments of any length: what is made for each element, and rows of different lengths that are normalized.

use super::{fraction, hash, row};
use crate::Arguments;
use accelerate::{Device, Segmented, Vector, accelerate};
use rayon::prelude::*;

accelerate! {
    /// So many multiples of each number, one after the other.
    pub fn multiples(counts: &Vector<u32>, xs: &Vector<f32>) -> Vector<f32> {
        xs.zip(counts).flat_map(|(x, count)| generate(count as usize, |k| x * (k as f32 - 0.5)))
    }

    /// Each segment's share of its softmax.
    pub fn softmax(rows: &Segmented<f32>) -> Segmented<f32> {
        rows.map_segments(|row| {
            let largest = row.max();
            let powers = row.map(|x| (x - largest).exp());
            let sum = powers.sum();
            powers.map(|x| x / sum)
        })
    }
}

/// Segments that a thread takes at once.
const TOGETHER: usize = 256;

/// The parts of these lengths.
fn parts<'a>(mut all: &'a mut [f32], lengths: &[u32]) -> Vec<&'a mut [f32]> {
    let part = |&length: &u32| {
        let (part, rest) = std::mem::take(&mut all).split_at_mut(length as usize);
        all = rest;
        part
    };
    lengths.iter().map(part).collect()
}

/// The lines of both programs, of segments of 16 elements on average.
pub(super) fn run(device: &Device, arguments: &Arguments) -> anyhow::Result<()> {
    let segments = 250_000 / arguments.shrink;
    let lengths: Vec<u32> = (0..segments).map(|k| hash(k) % 32).collect();
    let n = lengths.iter().sum::<u32>() as usize;
    let xs: Vec<f32> = (0..segments).map(fraction).collect();
    let values: Vec<f32> = (0..n).map(fraction).collect();
    let mut offsets = vec![0usize];
    offsets.extend(lengths.iter().scan(0, |end, &length| {
        *end += length as usize;
        Some(*end)
    }));
    let far = |(a, b): (&f32, &f32)| (a - b).abs() > 1e-5 * b.abs().max(1.0);
    let same = |name: &str, a: &[f32], b: &[f32]| {
        let same = a.len() == b.len() && !a.iter().zip(b).any(far);
        anyhow::ensure!(same, "{name}: not the same");
        Ok(())
    };

    let name = format!("flat_map {n}");
    if arguments.wants(&name) {
        let counts = Vector::from_slice(device, &lengths)?;
        let numbers = Vector::from_slice(device, &xs)?;
        let ours = || multiples(device, &counts, &numbers).expect("it runs");
        let by_hand = || {
            let mut out = vec![0.0; n];
            let parts = parts(&mut out, &lengths).into_par_iter().zip(&xs);
            parts.with_min_len(TOGETHER).for_each(|(part, x)| {
                for (k, to) in part.iter_mut().enumerate() {
                    *to = x * (k as f32 - 0.5);
                }
            });
            out
        };
        same(&name, &ours().to_vec()?, &by_hand())?;
        let rival = || drop(std::hint::black_box(by_hand()));
        row(device, arguments, (&name, 1.5), ours, rival);
    }

    let name = format!("softmax of segments {n}");
    if arguments.wants(&name) {
        let rows = Vector::from_slice(device, &offsets)?;
        let rows = Segmented::new(Vector::from_slice(device, &values)?, rows)?;
        let ours = || softmax(device, &rows).expect("it runs");
        let by_hand = || {
            let mut out = vec![0.0; n];
            let parts = parts(&mut out, &lengths).into_par_iter().zip(&offsets);
            parts.with_min_len(TOGETHER).for_each(|(part, &at)| {
                let row = &values[at..at + part.len()];
                let largest = row.iter().copied().fold(f32::NAN, f32::max);
                let mut sum = 0.0;
                for (to, x) in part.iter_mut().zip(row) {
                    *to = (x - largest).exp();
                    sum += *to;
                }
                part.iter_mut().for_each(|to| *to /= sum);
            });
            out
        };
        same(&name, &ours().values().to_vec()?, &by_hand())?;
        let rival = || drop(std::hint::black_box(by_hand()));
        row(device, arguments, (&name, 1.5), ours, rival);
    }
    Ok(())
}
