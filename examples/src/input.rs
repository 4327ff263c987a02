//! Input that is the same on every run.

/// A linear congruential generator (Knuth's constants).
fn states(seed: u64) -> impl Iterator<Item = u64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    std::iter::from_fn(move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        Some(state)
    })
}

/// Reproducible values in `low..high`.
pub fn random(seed: u64, n: usize, low: f32, high: f32) -> Vec<f32> {
    let unit = |state| (state >> 40) as f32 / (1u64 << 24) as f32;
    states(seed)
        .take(n)
        .map(|state| low + (high - low) * unit(state))
        .collect()
}

/// Reproducible integers from 0 up to but not including `bound`.
pub fn random_integers(seed: u64, n: usize, bound: u64) -> Vec<u64> {
    states(seed)
        .take(n)
        .map(|state| ((u128::from(state) * u128::from(bound)) >> 64) as u64)
        .collect()
}
