//! Comparing what a device has computed with what is known.

use anyhow::{Result, bail, ensure};
use std::fmt;

/// Numbers that comparisons are made in `f64` of.
pub trait Number: Copy {
    fn wide(self) -> f64;
}

impl Number for f32 {
    fn wide(self) -> f64 {
        self.into()
    }
}

impl Number for f64 {
    fn wide(self) -> f64 {
        self
    }
}

/// The largest difference of two slices, relative to 1 or to the expected value where that is larger.
pub fn difference<A: Number, B: Number>(found: &[A], expected: &[B]) -> f64 {
    assert_eq!(found.len(), expected.len(), "results of different lengths");
    let errors = found
        .iter()
        .zip(expected)
        .map(|(a, b)| (a.wide() - b.wide()).abs() / b.wide().abs().max(1.0));
    errors.fold(0.0, |worst, error| {
        if error > worst || error.is_nan() {
            error
        } else {
            worst
        }
    })
}

/// Fails unless `error` is at most `limit`.
pub fn check(what: &str, error: f64, limit: f64) -> Result<()> {
    if error > limit || error.is_nan() {
        bail!("check failed: {what}: off by {error:e}, more than {limit:e}");
    }
    println!("check: {what}: within {error:.1e} (allowed {limit:.0e})");
    Ok(())
}

/// Fails unless all is equal.
pub fn equal<T: PartialEq + fmt::Debug>(what: &str, found: &[T], expected: &[T]) -> Result<()> {
    let (n, m) = (found.len(), expected.len());
    ensure!(n == m, "check failed: {what}: {n} values instead of {m}");
    if let Some(at) = (0..n).find(|&at| found[at] != expected[at]) {
        let (wrong, right) = (&found[at], &expected[at]);
        bail!("check failed: {what}: {wrong:?} instead of {right:?} at {at}");
    }
    println!("check: {what}: {n} equal");
    Ok(())
}

/// Fails unless a value is the published one, off by at most `limit` of it.
pub fn known(what: &str, found: f64, published: f64, limit: f64) -> Result<()> {
    let error = (found - published).abs() / published.abs().max(f64::MIN_POSITIVE);
    if error > limit || error.is_nan() {
        bail!("check failed: {what}: {found} instead of the known {published}");
    }
    println!("check: {what}: {found}, known {published}");
    Ok(())
}

/// Fails unless something holds.
pub fn agrees(what: &str, holds: bool) -> Result<()> {
    ensure!(holds, "check failed: {what}");
    println!("check: {what}");
    Ok(())
}
