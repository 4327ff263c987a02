//! Chunks over threads. What is generic here is small: the thread pool's own code is compiled once, in this crate, and not
//! again for every kernel of every user.

use rayon::prelude::*;
use std::sync::OnceLock;

/// Calls `part` once for every index below `count`, on any thread.
pub(super) fn for_each(count: u64, part: &(dyn Fn(u64) + Sync)) {
    (0..count).into_par_iter().for_each(part);
}

/// Calls `part` once for every index below `count`, on any thread if threads share the work.
pub(super) fn each(shares: bool, count: u64, part: &(dyn Fn(u64) + Sync)) {
    match shares {
        true => for_each(count, part),
        false => (0..count).for_each(part),
    }
}

/// Calls both, the second one on any thread if threads share the work.
pub(super) fn both(shares: bool, first: impl FnOnce() + Send, second: impl FnOnce() + Send) {
    match shares {
        true => _ = rayon::join(first, second),
        false => {
            first();
            second();
        }
    }
}

/// What `part` gives for every index below `count`, in order.
pub(super) fn collect<T: Send + Sync>(count: u64, part: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let slots: Vec<OnceLock<T>> = (0..count).map(|_| OnceLock::new()).collect();
    for_each(count, &|index| {
        let _ = slots[index as usize].set(part(index));
    });
    let filled = |slot: OnceLock<T>| slot.into_inner().expect("every index is reached");
    slots.into_iter().map(filled).collect()
}
