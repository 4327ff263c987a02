//! How often nodes of programs and statements of plans are looked at: what compiling costs, as a number that is the same on every
//! machine. It is counted where debug assertions are on.

use std::cell::Cell;

thread_local! {
    static VISITS: Cell<u64> = const { Cell::new(0) };
}

/// Counts one.
#[inline]
pub(crate) fn count() {
    #[cfg(debug_assertions)]
    VISITS.set(VISITS.get() + 1);
}

/// Counts what another thread has counted for this one.
pub(crate) fn add(others: Option<u64>) {
    VISITS.set(VISITS.get() + others.unwrap_or(0));
}

/// How often this thread has looked at something; none where it is not counted.
pub fn visits() -> Option<u64> {
    cfg!(debug_assertions).then(|| VISITS.get())
}
