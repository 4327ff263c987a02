//! Chunks over threads. What is generic here is small: the thread pool's own code is compiled once, in this crate, and not
//! again for every kernel of every user.

use rayon::prelude::*;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

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

/// A place in a chain: what comes before it, and what comes after.
pub(super) struct Link<'a, T: Default> {
    before: &'a OnceLock<T>,
    after: &'a OnceLock<T>,
}

/// Looks for what another thread is about to tell before this one sleeps.
const LOOKS: u32 = 1000;

impl<T: Copy + Default> Link<'_, T> {
    /// What the one before has told; waits for it.
    pub(super) fn before(&self) -> T {
        for _ in 0..LOOKS {
            if let Some(&told) = self.before.get() {
                return told;
            }
            std::hint::spin_loop();
        }
        *self.before.wait()
    }

    /// Tells the one after.
    pub(super) fn tell(&self, told: T) {
        let _ = self.after.set(told);
    }
}

impl<T: Default> Drop for Link<'_, T> {
    /// Nobody waits for one who has panicked.
    fn drop(&mut self) {
        let _ = self.after.set(T::default());
    }
}

/// Calls `part` once for every index below `count`, on any thread: each is told something by the one before, and tells the
/// one after. What the last one tells. An index is begun after all before it, by a thread that goes on till it has
/// told, so waiting ends.
pub(super) fn chain<T: Copy + Default + Send + Sync>(
    count: u64,
    part: impl Fn(u64, Link<'_, T>) + Sync,
) -> T {
    let told: Vec<OnceLock<T>> = (0..=count).map(|_| OnceLock::new()).collect();
    let _ = told[0].set(T::default());
    let next = AtomicU64::new(0);
    for_each(rayon::current_num_threads() as u64, &|_| {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                break;
            }
            let [before, after] = &told[index as usize..][..2] else {
                unreachable!("two were asked for");
            };
            part(index, Link { before, after });
        }
    });
    *told[count as usize].wait()
}

#[cfg(test)]
mod tests {
    use super::chain;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn each_is_told_by_the_one_before() {
        let count = |index, link: super::Link<'_, u64>| {
            assert_eq!(link.before(), index);
            link.tell(index + 1);
        };
        for links in [0, 1, 1000] {
            assert_eq!(chain(links, count), links);
        }
    }

    #[test]
    fn nobody_waits_for_one_who_panics() {
        let part = |index, link: super::Link<'_, u64>| match index {
            50 => panic!("as it should"),
            _ => link.tell(link.before()),
        };
        assert!(catch_unwind(AssertUnwindSafe(|| chain(100, part))).is_err());
    }
}
