//! Reductions: 32 virtual lanes, then a fixed tree; or in order where the operator is not known to commute.

use super::chunks::{Chunk, Size};
use super::dispatch::Work;
use super::state::State;
use crate::failure::Failure;
use crate::lanes::{Lanes, Mask, One, VIRTUAL, Value};

/// Reductions over one domain, computed together: the state holds all their leaves. All methods are
/// `#[inline(always)]` in generated code.
pub trait Fold: Sync {
    /// Operations per point, about.
    const COST: u32;
    /// Whether operands may change places.
    const COMMUTES: bool;
    /// What the points of a row share.
    type Outer: Copy;
    /// The leaves.
    type State: State;
    /// The domain.
    fn size(&self) -> Size;
    /// The coordinates of a row.
    fn outer(&self, row: u64) -> Self::Outer;
    /// The elements at `first..first + W` of a row.
    fn element<L: Lanes>(
        &self,
        outer: Self::Outer,
        first: u64,
        failures: &Failure,
    ) -> <Self::State as State>::Of<L>;
    /// The operators, in the lanes that live.
    fn combine<L: Lanes>(
        &self,
        left: <Self::State as State>::Of<L>,
        right: <Self::State as State>::Of<L>,
        live: L::Mask,
        failures: &Failure,
    ) -> <Self::State as State>::Of<L>;
}

/// Combines two results.
#[inline(always)]
pub(super) fn join<F: Fold>(
    fold: &F,
    left: F::State,
    right: F::State,
    failures: &Failure,
) -> F::State {
    F::State::one(fold.combine::<One>(left.of_one(), right.of_one(), true, failures))
}

/// A chunk of a reduction's domain; at least one point.
pub(super) struct FoldChunk<'a, F> {
    pub(super) fold: &'a F,
    pub(super) chunk: Chunk,
    pub(super) failures: &'a Failure,
}

impl<F: Fold> Work for FoldChunk<'_, F> {
    type Result = F::State;
    #[inline(always)]
    fn run<L: Lanes>(self) -> F::State {
        let mut result = None;
        for row in self.chunk.rows.0..self.chunk.rows.1 {
            let next = fold_row::<L, F>(self.fold, row, self.chunk.columns, self.failures);
            result = Some(match result {
                None => next,
                Some(result) => join(self.fold, result, next, self.failures),
            });
        }
        result.unwrap_or(F::State::ZERO)
    }
}

#[inline(always)]
fn fold_row<L: Lanes, F: Fold>(
    fold: &F,
    row: u64,
    (first, last): (u64, u64),
    failures: &Failure,
) -> F::State {
    let outer = fold.outer(row);
    if last - first < VIRTUAL as u64 {
        return in_order::<One, F>(fold, outer, (first, last), failures);
    }
    if !F::COMMUTES {
        return in_order::<L, F>(fold, outer, (first, last), failures);
    }
    // The first 32 elements start the virtual lanes, so that no identity is needed.
    let width = L::W as u64;
    let mut lanes = block::<L, F>(fold, outer, first, failures);
    let mut column = first + VIRTUAL as u64;
    while column + VIRTUAL as u64 <= last {
        for group in 0..L::GROUPS {
            let element = fold.element::<L>(outer, column + group as u64 * width, failures);
            let lane = &mut lanes.as_mut()[group];
            *lane = fold.combine::<L>(*lane, element, L::Mask::splat(true), failures);
        }
        column += VIRTUAL as u64;
    }
    if column < last {
        tail::<L, F>(fold, outer, &mut lanes, column, last, failures);
    }
    // The tree.
    let mut values = [F::State::ZERO; VIRTUAL];
    for group in 0..L::GROUPS {
        F::State::spread::<L>(
            lanes.as_ref()[group],
            &mut values[group * L::W..(group + 1) * L::W],
        );
    }
    let mut step = VIRTUAL / 2;
    while step > 0 {
        for lane in 0..step {
            values[lane] = join(fold, values[lane], values[lane + step], failures);
        }
        step /= 2;
    }
    values[0]
}

#[inline(always)]
fn block<L: Lanes, F: Fold>(
    fold: &F,
    outer: F::Outer,
    first: u64,
    failures: &Failure,
) -> L::Group<<F::State as State>::Of<L>> {
    let mut lanes = L::group(fold.element::<L>(outer, first, failures));
    for group in 1..L::GROUPS {
        lanes.as_mut()[group] = fold.element::<L>(outer, first + (group * L::W) as u64, failures);
    }
    lanes
}

/// The last elements, fewer than 32, into the first virtual lanes: a block that ends with them, shifted.
#[inline(always)]
fn tail<L: Lanes, F: Fold>(
    fold: &F,
    outer: F::Outer,
    lanes: &mut L::Group<<F::State as State>::Of<L>>,
    column: u64,
    last: u64,
    failures: &Failure,
) {
    let rest = (last - column) as usize;
    let elements = block::<L, F>(fold, outer, last - VIRTUAL as u64, failures);
    let mut values = [F::State::ZERO; 2 * VIRTUAL];
    for group in 0..L::GROUPS {
        F::State::spread::<L>(
            elements.as_ref()[group],
            &mut values[group * L::W..(group + 1) * L::W],
        );
    }
    for group in 0..L::GROUPS {
        let from = VIRTUAL - rest + group * L::W;
        let live = L::Mask::first(rest.saturating_sub(group * L::W));
        let element = F::State::gathered::<L>(&values[from..from + L::W]);
        let lane = &mut lanes.as_mut()[group];
        let combined = fold.combine::<L>(*lane, element, live, failures);
        *lane = F::State::select::<L>(live, combined, *lane);
    }
}

#[inline(always)]
fn in_order<L: Lanes, F: Fold>(
    fold: &F,
    outer: F::Outer,
    (first, last): (u64, u64),
    failures: &Failure,
) -> F::State {
    let mut result = None;
    let mut column = first;
    let mut values = [F::State::ZERO; VIRTUAL];
    while column < last {
        let count = if last - column >= L::W as u64 {
            F::State::spread::<L>(
                fold.element::<L>(outer, column, failures),
                &mut values[..L::W],
            );
            L::W
        } else {
            values[0] = F::State::one(fold.element::<One>(outer, column, failures));
            1
        };
        for &value in &values[..count] {
            result = Some(match result {
                None => value,
                Some(result) => join(fold, result, value, failures),
            });
        }
        column += count as u64;
    }
    result.unwrap_or(F::State::ZERO)
}

/// Whether a domain has points.
#[inline(always)]
pub(super) fn is_empty(size: Size) -> bool {
    size.rows == 0 || size.columns == 0
}
