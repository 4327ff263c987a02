//! What the examples share: the command line, the choice of a device, timing and comparison.

use accelerate::{Device, Error};
use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use std::time::{Duration, Instant};

/// Options that every example takes.
#[derive(clap::Args, Clone, Debug)]
pub struct Options {
    /// Where to compute: `best`, `cpu`, `cuda` or `cuda:1`
    #[arg(long, default_value = "best")]
    pub device: String,
    /// Compare with plain sequential Rust, and fail if the results differ
    #[arg(long)]
    pub check: bool,
}

impl Options {
    /// The device that was asked for.
    pub fn open(&self) -> Result<Device> {
        let device = match self.device.as_str() {
            "best" => Device::best(),
            "cpu" => Ok(Device::cpu()),
            "cuda" => Device::cuda(0),
            other => match other.strip_prefix("cuda:").map(str::parse) {
                Some(Ok(ordinal)) => Device::cuda(ordinal),
                _ => bail!("unknown device `{other}`: write `best`, `cpu`, `cuda` or `cuda:1`"),
            },
        };
        device.with_context(|| format!("no device `{}`", self.device))
    }
}

/// Runs `work` once to warm up and `rounds` times measured, with a progress bar if that takes more than a second, and
/// returns the last result and the shortest time.
pub fn measure<T>(
    label: &str,
    rounds: u32,
    mut work: impl FnMut() -> Result<T, Error>,
) -> Result<(T, Duration)> {
    let start = Instant::now();
    let mut result = work()?;
    let mut best = start.elapsed();
    let bar =
        (best * (rounds + 1) > Duration::from_secs(1)).then(|| progress(label, rounds.into()));
    for _ in 0..rounds {
        let start = Instant::now();
        result = work()?;
        best = best.min(start.elapsed());
        if let Some(bar) = &bar {
            bar.inc(1);
        }
    }
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    Ok((result, best))
}

/// A progress bar of `length` steps.
pub fn progress(label: &str, length: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} [{bar:40}] {pos}/{len} {elapsed}")
        .expect("the template is well-formed")
        .progress_chars("=> ");
    ProgressBar::new(length)
        .with_style(style)
        .with_message(label.to_owned())
}

/// Prints what a step cost: device, kernels, bytes and time.
pub fn report(label: &str, device: &Device, kernels: usize, bytes: u64, time: Duration) {
    let seconds = time.as_secs_f64();
    println!(
        "{label:<22} {:<24} {kernels} kernel{}  {:>9.3} MB  {:>9.3} ms  {:>7.2} GB/s",
        device.name(),
        if kernels == 1 { " " } else { "s" },
        bytes as f64 / 1e6,
        seconds * 1e3,
        bytes as f64 / 1e9 / seconds,
    );
}

/// The largest difference of two slices, relative to 1 or to the expected value where that is larger.
pub fn difference(found: &[f32], expected: &[f32]) -> f32 {
    assert_eq!(found.len(), expected.len(), "results of different lengths");
    let errors = found
        .iter()
        .zip(expected)
        .map(|(a, b)| (a - b).abs() / b.abs().max(1.0));
    errors.fold(0.0, |worst, error| {
        if error > worst || error.is_nan() {
            error
        } else {
            worst
        }
    })
}

/// Fails unless `error` is at most `limit`.
pub fn check(what: &str, error: f32, limit: f32) -> Result<()> {
    if error > limit || error.is_nan() {
        bail!("{what}: differs from plain Rust by {error:e}, more than {limit:e}");
    }
    println!("{what}: agrees with plain Rust (largest relative difference {error:.1e})");
    Ok(())
}

/// Reproducible values in `low..high`: a linear congruential generator (Knuth's constants).
pub fn random(seed: u64, n: usize, low: f32, high: f32) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * ((state >> 40) as f32 / (1u64 << 24) as f32)
    };
    (0..n).map(|_| next()).collect()
}
