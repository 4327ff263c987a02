//! Work on several threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs on as many threads as cargo allows.
pub(crate) fn in_parallel<T: Sync, R: Send>(items: &[T], run: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let jobs = std::env::var("NUM_JOBS")
        .ok()
        .and_then(|jobs| jobs.parse().ok());
    let threads = jobs.unwrap_or(1).min(items.len());
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((index, item)) = {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    items.get(index).map(|item| (index, item))
                } {
                    let result = run(item);
                    results
                        .lock()
                        .expect("no thread panics")
                        .push((index, result));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no thread panics");
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_their_order() {
        let items: Vec<usize> = (0..100).collect();
        assert_eq!(in_parallel(&items, |item| item * 2)[99], 198);
    }
}
