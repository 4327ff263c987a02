//! The entries: kernels of independent elements and of rows, over threads.

use super::blocks::{self, FoldBlocks};
use super::chunks::Size;
use super::dispatch::{Versions, Work};
use super::each::{Each, EachChunk};
use super::fold::{Fold, FoldChunk, in_lanes, is_empty, join};
use super::scan::{Scan, ScanChunks, both, columns, together};
use super::threads;
use crate::failure::Failure;
use crate::lanes::Lanes;
use std::marker::PhantomData;
use std::sync::Mutex;

/// A kernel of rows: its phases in order, for one row.
pub trait Rows: Sync {
    /// Operations per point, about.
    const COST: u32;
    /// Rows, and points of the longest phase of a row, about.
    fn size(&self) -> Size;
    /// Works on a row.
    fn row<X: Execute>(&self, row: u64, run: X);
}

/// How the phases of a row run.
pub trait Execute: Copy {
    /// Where failures go.
    fn failures(&self) -> &Failure;
    /// The same way, with failures going elsewhere.
    fn reporting(self, to: &Failure) -> impl Execute;
    /// A reduction; `None` over an empty domain.
    fn fold<F: Fold>(self, fold: &F) -> Option<F::State>;
    /// The same, block by block, in a row of the kernel.
    fn fold_blocks<F: FoldBlocks>(self, row: u64, fold: &F) -> Option<F::State>;
    /// Independent elements.
    fn each<E: Each>(self, each: &E);
    /// A scan; gives what all operands combine to, `None` over an empty axis, and what is reduced of its points.
    fn scan<S: Scan>(self, scan: &S) -> (Option<S::State>, S::Gathered);
}

/// On this thread, on lanes chosen already; but for a fold so long that other threads may help.
struct Inline<'a, V, L> {
    failures: &'a Failure,
    lanes: PhantomData<(V, L)>,
}

impl<V, L> Clone for Inline<'_, V, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V, L> Copy for Inline<'_, V, L> {}

impl<V: Versions, L: Lanes> Execute for Inline<'_, V, L> {
    #[inline(always)]
    fn failures(&self) -> &Failure {
        self.failures
    }
    #[inline(always)]
    fn reporting(self, to: &Failure) -> impl Execute {
        Inline::<V, L> {
            failures: to,
            lanes: PhantomData,
        }
    }
    #[inline(always)]
    fn fold<F: Fold>(self, fold: &F) -> Option<F::State> {
        let size = fold.size();
        if size.pays(F::COST) {
            return spread::<V, F>(*fold, self.failures);
        }
        if is_empty(size) {
            return None;
        }
        if let Some(chunk) = size.whole() {
            let failures = self.failures;
            return Some(
                FoldChunk {
                    fold,
                    chunk,
                    failures,
                }
                .run::<L>(),
            );
        }
        let mut result = None;
        // The chunks of a long row, as when threads share it: the same bits.
        for index in 0..size.chunks() {
            let work = FoldChunk {
                fold,
                chunk: size.chunk(index),
                failures: self.failures,
            };
            let next = work.run::<L>();
            result = Some(match result {
                None => next,
                Some(result) => join(fold, result, next, self.failures),
            });
        }
        result
    }
    fn fold_blocks<F: FoldBlocks>(self, row: u64, fold: &F) -> Option<F::State> {
        blocks::fold_blocks::<V, F>(fold, row, self.failures)
    }
    #[inline(always)]
    fn each<E: Each>(self, body: &E) {
        let size = body.size();
        for index in 0..size.chunks() {
            let work = EachChunk {
                body,
                chunk: size.chunk(index),
                failures: self.failures,
            };
            work.run::<L>();
        }
    }
    #[inline(always)]
    fn scan<S: Scan>(self, scan: &S) -> (Option<S::State>, S::Gathered) {
        scan_in_order(scan, self.failures, self)
    }
}

/// A fold over threads: of a copy, so that elsewhere it need not be in memory.
#[cold]
#[inline(never)]
fn spread<V: Versions, F: Fold>(fold: F, failures: &Failure) -> Option<F::State> {
    Spread::<V>::new(failures).fold(&fold)
}

/// How a piece of work runs on this thread. No closure: that would be a function without the instruction set of its caller.
trait Start: Copy {
    fn start<W: Work>(self, work: W) -> W::Result;
}

impl<V: Versions, L: Lanes> Start for Inline<'_, V, L> {
    #[inline(always)]
    fn start<W: Work>(self, work: W) -> W::Result {
        work.run::<L>()
    }
}

impl<V: Versions> Start for Spread<'_, V> {
    fn start<W: Work>(self, work: W) -> W::Result {
        V::run(work)
    }
}

/// A scan on this thread, chunk by chunk.
#[inline(always)]
fn scan_in_order<S: Scan>(
    scan: &S,
    failures: &Failure,
    how: impl Start,
) -> (Option<S::State>, S::Gathered) {
    let size = scan.size();
    let (mut carry, mut before) = (None, None);
    let mut gathered = S::NOTHING;
    // As threads do it, so that the bits are the same: points are stored a chunk later than their elements are combined.
    let apart = in_lanes::<S>() && size.chunks() > 1;
    for index in 0..size.chunks() + u64::from(apart) {
        let own = (index < size.chunks()).then(|| columns(size, index));
        let here = own.map(|own| (own, carry));
        let (combines, stores) = match apart {
            true => (own, std::mem::replace(&mut before, here)),
            false => (None, here),
        };
        let (next, part) = how.start(ScanChunks {
            scan,
            combines,
            stores,
            failures,
        });
        gathered = together::<S>(gathered, part);
        if own.is_some() {
            carry = both(scan, carry, next, failures);
        }
    }
    (carry, gathered)
}

/// Over threads.
struct Spread<'a, V> {
    failures: &'a Failure,
    versions: PhantomData<V>,
}

impl<'a, V> Spread<'a, V> {
    fn new(failures: &'a Failure) -> Self {
        Spread {
            failures,
            versions: PhantomData,
        }
    }
}

impl<V> Clone for Spread<'_, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V> Copy for Spread<'_, V> {}

impl<V: Versions> Execute for Spread<'_, V> {
    fn failures(&self) -> &Failure {
        self.failures
    }
    fn reporting(self, to: &Failure) -> impl Execute {
        Spread::<V>::new(to)
    }
    fn fold<F: Fold>(self, fold: &F) -> Option<F::State> {
        let size = fold.size();
        if is_empty(size) {
            return None;
        }
        let part = |index| {
            let work = FoldChunk {
                fold,
                chunk: size.chunk(index),
                failures: self.failures,
            };
            V::run(work)
        };
        let shared = match size.pays(F::COST) {
            true => threads::collect(size.chunks(), part),
            false => Vec::new(),
        };
        let mut result = None;
        for index in 0..size.chunks() {
            let next = match shared.get(index as usize) {
                Some(&next) => next,
                None => part(index),
            };
            result = Some(match result {
                None => next,
                Some(result) => join(fold, result, next, self.failures),
            });
        }
        result
    }
    fn fold_blocks<F: FoldBlocks>(self, row: u64, fold: &F) -> Option<F::State> {
        blocks::fold_blocks::<V, F>(fold, row, self.failures)
    }
    fn each<E: Each>(self, body: &E) {
        let size = body.size();
        let part = |index| {
            let work = EachChunk {
                body,
                chunk: size.chunk(index),
                failures: self.failures,
            };
            V::run(work);
        };
        threads::each(size.pays(E::COST), size.chunks(), &part);
    }
    fn scan<S: Scan>(self, scan: &S) -> (Option<S::State>, S::Gathered) {
        let failures = self.failures;
        let size = scan.size();
        if !size.pays(S::COST) || size.chunks() == 1 || rayon::current_num_threads() == 1 {
            return scan_in_order(scan, failures, self);
        }
        // First what a chunk combines to, for the thread that has the next one; then its points, while they are in a cache.
        let gathers = const { size_of::<S::Gathered>() > 0 };
        let parts = Mutex::new(vec![
            S::NOTHING;
            if gathers { size.chunks() as usize } else { 0 }
        ]);
        let total = threads::chain(
            size.chunks(),
            |next, before| {
                let (own, part) = V::run(ScanChunks {
                    scan,
                    combines: next.map(|index| columns(size, index)),
                    stores: before.map(|(index, carry)| (columns(size, index), carry)),
                    failures,
                });
                if let (true, Some((index, _))) = (gathers, before) {
                    parts.lock().expect("nobody panics here")[index as usize] = part;
                }
                own
            },
            |carry, own| both(scan, carry, own, failures),
        );
        let mut gathered = S::NOTHING;
        for part in parts.into_inner().expect("nobody panicked") {
            gathered = together::<S>(gathered, part);
        }
        (total, gathered)
    }
}

/// Some rows on one thread.
pub(super) struct RowRange<'a, V, R> {
    kernel: &'a R,
    rows: (u64, u64),
    failures: &'a Failure,
    versions: PhantomData<V>,
}

impl<'a, V, R> RowRange<'a, V, R> {
    pub(super) fn new(kernel: &'a R, rows: (u64, u64), failures: &'a Failure) -> Self {
        RowRange {
            kernel,
            rows,
            failures,
            versions: PhantomData,
        }
    }
}

impl<V: Versions, R: Rows> Work for RowRange<'_, V, R> {
    type Result = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        for row in self.rows.0..self.rows.1 {
            let run = Inline::<V, L> {
                failures: self.failures,
                lanes: PhantomData,
            };
            self.kernel.row(row, run);
        }
    }
}

/// Runs a kernel of independent elements.
pub fn elementwise<V: Versions, E: Each>(kernel: &E, failures: &Failure) {
    Spread::<V>::new(failures).each(kernel);
}

/// Runs a kernel of a single row.
pub fn row<V: Versions, R: Rows>(kernel: &R, failures: &Failure) {
    kernel.row(0, Spread::<V>::new(failures));
}

/// Runs a kernel of rows.
pub fn rows<V: Versions, R: Rows>(kernel: &R, failures: &Failure) {
    let size = kernel.size();
    // Few long rows: the threads share each row's phases.
    let long = Size { rows: 1, ..size };
    if size.rows == 1 || (size.rows < 64 && long.pays(R::COST)) {
        for row in 0..size.rows {
            kernel.row(row, Spread::<V>::new(failures));
        }
        return;
    }
    let chunk = Size {
        rows: size.rows,
        columns: size.columns.clamp(1, 16 * 1024 - 1),
    };
    let part = |index| {
        V::run(RowRange::<V, R>::new(
            kernel,
            chunk.chunk(index).rows,
            failures,
        ));
    };
    threads::each(size.pays(R::COST), chunk.chunks(), &part);
}
