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

/// The same with memory of a thread, which `start` gives.
pub(super) fn each_with<T: Send>(
    shares: bool,
    count: u64,
    start: impl Fn() -> T + Send + Sync,
    part: &(dyn Fn(&mut T, u64) + Sync),
) {
    match shares {
        true => (0..count).into_par_iter().for_each_init(start, part),
        false => {
            let mut memory = start();
            (0..count).for_each(|index| part(&mut memory, index));
        }
    }
}

/// What `part` gives for every index below `count`, in order, with memory of a thread.
pub(super) fn collect_with<M: Send, T: Send>(
    shares: bool,
    count: u64,
    start: impl Fn() -> M + Send + Sync,
    part: impl Fn(&mut M, u64) -> T + Send + Sync,
) -> Vec<T> {
    match shares {
        true => (0..count).into_par_iter().map_init(start, part).collect(),
        false => {
            let mut memory = start();
            (0..count).map(|index| part(&mut memory, index)).collect()
        }
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
pub(super) fn collect<T: Send>(count: u64, part: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let mut values: Vec<T> = Vec::with_capacity(count as usize);
    let places = Places(values.as_mut_ptr());
    for_each(count, &|index| {
        // SAFETY: there is room, and no other index has this place.
        unsafe { places.at(index as usize).write(part(index)) };
    });
    // SAFETY: all of them have been written: had one panicked, so had `for_each`.
    unsafe { values.set_len(count as usize) };
    values
}

/// Places of values, each for one thread.
pub(super) struct Places<T>(pub(super) *mut T);

// SAFETY: each place is one thread's, which moves a value there.
unsafe impl<T: Send> Sync for Places<T> {}

impl<T> Places<T> {
    pub(super) fn at(&self, index: usize) -> *mut T {
        self.0.wrapping_add(index)
    }
}

/// A place in a chain: what comes before it, and what comes after.
struct Link<'a, T: Default> {
    before: &'a OnceLock<T>,
    after: &'a OnceLock<T>,
}

/// Looks for what another thread is about to tell before this one sleeps.
const LOOKS: u32 = 1000;

impl<T: Copy + Default> Link<'_, T> {
    /// What the one before has told; waits for it.
    fn before(&self) -> T {
        for _ in 0..LOOKS {
            if let Some(&told) = self.before.get() {
                return told;
            }
            std::hint::spin_loop();
        }
        *self.before.wait()
    }

    /// Tells the one after.
    fn tell(&self, told: T) {
        let _ = self.after.set(told);
    }
}

impl<T: Default> Drop for Link<'_, T> {
    /// Nobody waits for one who has panicked.
    fn drop(&mut self) {
        let _ = self.after.set(T::default());
    }
}

/// Chains the indices below `count`, on any thread: `work` begins with the next one, which gives something, and ends with the
/// one that it began before, if any, given what all before that one `join` to. What all of them join to. An index is begun
/// after all before it, by a thread that goes on till it has told the next one, so waiting ends.
pub(super) fn chain<T: Copy + Default + Send + Sync>(
    count: u64,
    work: impl Fn(Option<u64>, Option<(u64, T)>) -> T + Sync,
    join: impl Fn(T, T) -> T + Sync,
) -> T {
    let told: Vec<OnceLock<T>> = (0..=count).map(|_| OnceLock::new()).collect();
    let _ = told[0].set(T::default());
    let next = AtomicU64::new(0);
    for_each(rayon::current_num_threads() as u64, &|_| {
        let mut begun = None;
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                if begun.is_some() {
                    work(None, begun);
                }
                break;
            }
            let [before, after] = &told[index as usize..][..2] else {
                unreachable!("two were asked for");
            };
            let link = Link { before, after };
            let own = work(Some(index), begun);
            let before = link.before();
            link.tell(join(before, own));
            begun = Some((index, before));
        }
    });
    *told[count as usize].wait()
}

#[cfg(test)]
mod tests {
    use super::chain;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    #[test]
    fn each_ends_with_what_all_before_it_give() {
        for count in [0, 1, 1000] {
            let ended = AtomicU64::new(0);
            let work = |next: Option<u64>, begun: Option<(u64, u64)>| {
                if let Some((index, before)) = begun {
                    assert_eq!(before, index);
                    ended.fetch_add(1, Relaxed);
                }
                u64::from(next.is_some())
            };
            assert_eq!(chain(count, work, |a, b| a + b), count);
            assert_eq!(ended.into_inner(), count);
        }
    }

    #[test]
    fn nobody_waits_for_one_who_panics() {
        let work = |next, _: Option<(u64, u64)>| match next {
            Some(50) => panic!("as it should"),
            _ => 1,
        };
        assert!(catch_unwind(AssertUnwindSafe(|| chain(100, work, |a, b| a + b))).is_err());
    }
}
