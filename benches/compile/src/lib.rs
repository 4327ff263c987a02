//! How long the compiler takes: for each function of the corpus and in each pass, and for programs as they grow.
//!
//! Times are of the processor, where the system tells them: what else runs on the machine takes little part.

mod clock;
mod corpus;
mod families;
#[path = "../../../tests/listing.rs"]
mod listing;

pub use clock::{Stopwatch, Times, Work, measure};
pub use corpus::{Report, corpus};
pub use families::{FAMILIES, Family};

/// The times of a family at its sizes, in seconds: the shortest of `runs` runs of each.
pub fn growth(family: &Family, sizes: &[usize], runs: usize) -> Vec<f64> {
    let time = |&size: &usize| {
        let source = (family.source)(size);
        let all = (0..runs).map(|_| measure(&source).total());
        all.fold(f64::INFINITY, f64::min)
    };
    sizes.iter().map(time).collect()
}

/// By how much the times grow where the length doubles, at most.
pub fn steepest(lengths: &[f64], times: &[f64]) -> f64 {
    let steps = lengths.windows(2).zip(times.windows(2));
    steps
        .map(|(n, t)| (t[1] / t[0]).powf(1.0 / (n[1] / n[0]).log2()))
        .fold(0.0, f64::max)
}
