//! Measuring, with a progress bar for what takes longer than a second.

use accelerate::{Device, Error};
use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use std::time::{Duration, Instant};

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

/// Prints what a step cost: device, kernels, time, and the bytes, where they are known.
pub fn report(label: &str, device: &Device, kernels: u32, bytes: Option<u64>, time: Duration) {
    let seconds = time.as_secs_f64();
    let traffic = bytes.map_or(String::new(), |bytes| {
        let (size, rate) = (bytes as f64 / 1e6, bytes as f64 / 1e9 / seconds);
        format!("  {size:>9.3} MB  {rate:>7.2} GB/s")
    });
    println!(
        "{label:<22} {:<24} {kernels} kernel{}  {:>9.3} ms{traffic}",
        device.name(),
        if kernels == 1 { " " } else { "s" },
        seconds * 1e3,
    );
}
