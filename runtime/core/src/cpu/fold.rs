//! Reductions in 32 virtual lanes, which take turns at the elements of a row; what they hold is combined in a fixed tree.
//! Where the operator is not known to commute, each 32 neighbours are combined in a tree, and those in order.
//!
//! Lanes that a row is too short for hold nothing, and combine with nothing: no identity is needed. Rows for which vectors do
//! not pay go element by element. What is done depends on the operator and on the length of the row, not on the machine.

use super::chunks::{Chunk, Size};
use super::dispatch::Work;
use super::state::State;
use crate::failure::Failure;
use crate::lanes::{Ahead, Lanes, Mask, One, VIRTUAL, Value};

/// Reductions over one domain, computed together: the state holds all their leaves. All methods are
/// `#[inline(always)]` in generated code, but for long bodies.
pub trait Fold: Sync + Copy {
    /// Operations per point, about.
    const COST: u32;
    /// Whether operands may change places.
    const COMMUTES: bool;
    /// Whether elements come from anywhere in memory, one after the other, and little else is done about them: lanes that
    /// a row is too short for would cost as much as others, and many lanes gain nothing.
    const NARROW: bool;
    /// What the points of a row share.
    type Outer: Copy;
    /// The leaves.
    type State: State;
    /// The domain.
    fn size(&self) -> Size;
    /// The coordinates of a row.
    fn outer(&self, row: u64) -> Self::Outer;
    /// The elements at `first..first + W` of a row, in the lanes that live; anything in others.
    fn element<L: Lanes>(
        &self,
        outer: Self::Outer,
        first: u64,
        live: L::Mask,
        failures: &Failure,
    ) -> <Self::State as State>::Of<L>;
    /// The operators of a state and the elements at `first..first + W` of a row: a sum may take a product that is not rounded.
    #[inline(always)]
    fn accumulate<L: Lanes>(
        &self,
        outer: Self::Outer,
        first: u64,
        state: <Self::State as State>::Of<L>,
        failures: &Failure,
    ) -> <Self::State as State>::Of<L> {
        let all = L::Mask::splat(true);
        let element = self.element::<L>(outer, first, all, failures);
        self.combine::<L>(state, element, all, failures)
    }
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
        if in_lanes::<F>() && self.columns() >= SHORT {
            return self.in_turns::<L>();
        }
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

impl<F: Fold> FoldChunk<'_, F> {
    #[inline(always)]
    fn columns(&self) -> u64 {
        self.chunk.columns.1 - self.chunk.columns.0
    }

    /// The lanes go on from row to row: they are combined with each other at the end. Those that the first row is too short for,
    /// all rows are.
    #[inline(always)]
    fn in_turns<L: Lanes>(self) -> F::State {
        let FoldChunk {
            fold,
            chunk: Chunk { rows, columns },
            failures,
        } = self;
        let mut lanes = L::group(F::State::ZERO.splat::<L>());
        for row in rows.0..rows.1 {
            let begun = row > rows.0;
            take_turns::<L, F>(fold, fold.outer(row), &mut lanes, begun, columns, failures);
        }
        let there = (columns.1 - columns.0).min(VIRTUAL as u64) as usize;
        halves::<L, F>(fold, lanes, there, failures)
    }
}

/// Columns from which on vectors pay.
const SHORT: u64 = VIRTUAL as u64 / 4;

/// Vectors that make up the virtual lanes.
pub(super) type Block<L, F> = <L as Lanes>::Group<<<F as Fold>::State as State>::Of<L>>;

#[inline(always)]
fn fold_row<L: Lanes, F: Fold>(
    fold: &F,
    row: u64,
    columns: (u64, u64),
    failures: &Failure,
) -> F::State {
    let outer = fold.outer(row);
    let short = match (F::NARROW, F::COMMUTES) {
        (false, _) => SHORT,
        (true, true) => 2 * VIRTUAL as u64,
        (true, false) => u64::MAX,
    };
    // Vectors do not pay yet.
    if columns.1 - columns.0 < short {
        return one_by_one(fold, outer, columns, failures);
    }
    match F::COMMUTES {
        true => in_few(fold, outer, columns, failures),
        false => in_order::<L, F>(fold, outer, columns, failures),
    }
}

/// The lanes of vector `group` that belong to the first `there` virtual lanes.
#[inline(always)]
pub(super) fn living<L: Lanes>(there: usize, group: usize) -> L::Mask {
    L::Mask::first(there.saturating_sub(group * L::W))
}

/// Operands in the lanes that live; others keep the left one.
#[inline(always)]
pub(super) fn merge<L: Lanes, F: Fold>(
    fold: &F,
    left: <F::State as State>::Of<L>,
    right: <F::State as State>::Of<L>,
    live: L::Mask,
    failures: &Failure,
) -> <F::State as State>::Of<L> {
    F::State::select::<L>(live, fold.combine::<L>(left, right, live, failures), left)
}

#[inline(always)]
fn one_by_one<F: Fold>(
    fold: &F,
    outer: F::Outer,
    (first, last): (u64, u64),
    failures: &Failure,
) -> F::State {
    let element = |column| F::State::one(fold.element::<One>(outer, column, true, failures));
    let rest = (first + 1).min(last)..last;
    rest.map(element).fold(element(first), |left, right| {
        join(fold, left, right, failures)
    })
}

/// Virtual lanes of narrow reductions.
const FEW: usize = 4;

#[inline(always)]
fn in_few<F: Fold>(
    fold: &F,
    outer: F::Outer,
    (first, last): (u64, u64),
    failures: &Failure,
) -> F::State {
    let element = |column| F::State::one(fold.element::<One>(outer, column, true, failures));
    let mut lanes = [F::State::ZERO; FEW];
    let whole = first + (last - first) / FEW as u64 * FEW as u64;
    for (lane, column) in lanes.iter_mut().zip(first..whole) {
        *lane = element(column);
    }
    for column in (first + FEW as u64..whole).step_by(FEW) {
        for (k, lane) in lanes.iter_mut().enumerate() {
            *lane = join(fold, *lane, element(column + k as u64), failures);
        }
    }
    for (lane, column) in lanes.iter_mut().zip(whole..last) {
        *lane = join(fold, *lane, element(column), failures);
    }
    let [a, b, c, d] = lanes;
    let (left, right) = (join(fold, a, c, failures), join(fold, b, d, failures));
    join(fold, left, right, failures)
}

/// Combines columns with the lanes, which have `begun` or begin with the first ones.
#[inline(always)]
fn take_turns<L: Lanes, F: Fold>(
    fold: &F,
    outer: F::Outer,
    lanes: &mut Block<L, F>,
    mut begun: bool,
    (mut column, last): (u64, u64),
    failures: &Failure,
) {
    loop {
        while begun && column + VIRTUAL as u64 <= last {
            take_whole_turn::<L, F>(fold, outer, lanes, column, failures);
            column += VIRTUAL as u64;
        }
        if column >= last {
            break;
        }
        // The last elements may not be enough for all lanes.
        let there = (last - column).min(VIRTUAL as u64) as usize;
        for group in 0..L::GROUPS.min(there.div_ceil(L::W)) {
            let live = living::<L>(there, group);
            let element = fold.element::<L>(outer, column + (group * L::W) as u64, live, failures);
            let lane = &mut lanes.as_mut()[group];
            let both = L::Mask::and(live, L::Mask::splat(begun));
            let combined = fold.combine::<L>(*lane, element, both, failures);
            let combined = F::State::select::<L>(both, combined, element);
            *lane = F::State::select::<L>(live, combined, *lane);
        }
        begun = true;
        column += VIRTUAL as u64;
    }
}

/// Combines as many columns as there are lanes with them, all of which have begun.
#[inline(always)]
fn take_whole_turn<L: Lanes, F: Fold>(
    fold: &F,
    outer: F::Outer,
    lanes: &mut Block<L, F>,
    column: u64,
    failures: &Failure,
) {
    for group in 0..L::GROUPS {
        let first = column + (group * L::W) as u64;
        let lane = &mut lanes.as_mut()[group];
        *lane = fold.accumulate::<L>(outer, first, *lane, failures);
    }
}

/// The virtual lanes, of which the first `there` hold something: each half with the other one.
#[inline(always)]
fn halves<L: Lanes, F: Fold>(
    fold: &F,
    mut lanes: Block<L, F>,
    there: usize,
    failures: &Failure,
) -> F::State {
    let mut step = L::GROUPS / 2;
    while step > 0 {
        for group in 0..step {
            let right = lanes.as_ref()[group + step];
            let live = living::<L>(there, group + step);
            let left = &mut lanes.as_mut()[group];
            *left = merge::<L, F>(fold, *left, right, live, failures);
        }
        step /= 2;
    }
    let mut lanes = lanes.as_ref()[0];
    macro_rules! steps {
        ($($step:literal)*) => {$(
            if $step < L::W {
                let live = L::Mask::first(there.saturating_sub($step).min($step));
                let right = F::State::ordered::<L, Ahead<$step>>(lanes);
                lanes = merge::<L, F>(fold, lanes, right, live, failures);
            }
        )*};
    }
    steps!(16 8 4 2 1);
    F::State::lane::<L>(lanes, 0)
}

#[inline(always)]
fn in_order<L: Lanes, F: Fold>(
    fold: &F,
    outer: F::Outer,
    columns: (u64, u64),
    failures: &Failure,
) -> F::State {
    let mut result = None;
    take_in_order::<L, F>(fold, outer, &mut result, columns, failures);
    result.unwrap_or(F::State::ZERO)
}

/// Combines columns with what those before combine to.
#[inline(always)]
fn take_in_order<L: Lanes, F: Fold>(
    fold: &F,
    outer: F::Outer,
    result: &mut Option<F::State>,
    (mut column, last): (u64, u64),
    failures: &Failure,
) {
    let mut take = |next| {
        *result = Some(match *result {
            None => next,
            Some(result) => join(fold, result, next, failures),
        });
    };
    let many = (VIRTUAL * L::W) as u64;
    while column + many <= last {
        for block in vectors::<L, F>(fold, outer, column, failures).chunks_exact_mut(L::GROUPS) {
            take(by_twos(fold, block, failures));
        }
        column += many;
    }
    while column < last {
        let there = (last - column).min(VIRTUAL as u64) as usize;
        let block = block::<L, F>(fold, outer, column, there, failures);
        take(neighbours::<L, F>(fold, block, there, failures));
        column += VIRTUAL as u64;
    }
}

/// Whether operands may change places, and lanes pay.
pub(super) const fn in_lanes<F: Fold>() -> bool {
    F::COMMUTES && !F::NARROW
}

/// A fold of columns, some at a time.
pub(super) struct Part<L: Lanes, F: Fold> {
    first: u64,
    columns: (u64, u64),
    lanes: Block<L, F>,
    result: Option<F::State>,
}

impl<L: Lanes, F: Fold> Part<L, F> {
    #[inline(always)]
    pub(super) fn new(columns: (u64, u64)) -> Self {
        Part {
            first: columns.0,
            columns,
            lanes: L::group(F::State::ZERO.splat::<L>()),
            result: None,
        }
    }

    /// How many are taken at once: few, so that others are computed while memory is waited for; in order, as many as pay.
    pub(super) const MANY: u64 = match in_lanes::<F>() {
        true => VIRTUAL as u64,
        false => (VIRTUAL * L::W) as u64,
    };

    /// Takes the next ones unless they are the first ones or fewer than are taken at once; whether they are taken, or none are
    /// left.
    #[inline(always)]
    pub(super) fn take_whole(&mut self, fold: &F, outer: F::Outer, failures: &Failure) -> bool {
        let (column, last) = self.columns;
        let next = column + Self::MANY;
        if column >= last {
            return true;
        }
        if !in_lanes::<F>() || column == self.first || next > last {
            return false;
        }
        take_whole_turn::<L, F>(fold, outer, &mut self.lanes, column, failures);
        self.columns.0 = next;
        true
    }

    /// Takes the next ones; whether there were any.
    #[inline(always)]
    pub(super) fn take(&mut self, fold: &F, outer: F::Outer, failures: &Failure) -> bool {
        let (column, last) = self.columns;
        let next = (column + Self::MANY).min(last);
        match in_lanes::<F>() {
            true => {
                let begun = column > self.first;
                let lanes = &mut self.lanes;
                take_turns::<L, F>(fold, outer, lanes, begun, (column, next), failures);
            }
            false => {
                let result = &mut self.result;
                take_in_order::<L, F>(fold, outer, result, (column, next), failures);
            }
        }
        self.columns.0 = next;
        column < last
    }

    /// What all of them combine to.
    #[inline(always)]
    pub(super) fn end(self, fold: &F, failures: &Failure) -> Option<F::State> {
        let many = self.columns.1 - self.first;
        match in_lanes::<F>() && many > 0 {
            true => {
                let there = many.min(VIRTUAL as u64) as usize;
                Some(halves::<L, F>(fold, self.lanes, there, failures))
            }
            false => self.result,
        }
    }
}

/// What each of 32 vectors of elements combines to: neighbours in a tree, of two vectors at once, so that no lane idles.
#[inline(always)]
fn vectors<L: Lanes, F: Fold>(
    fold: &F,
    outer: F::Outer,
    first: u64,
    failures: &Failure,
) -> [F::State; VIRTUAL] {
    let all = L::Mask::splat(true);
    let levels = L::W.trailing_zeros() as usize;
    let mut wholes = [F::State::ZERO; VIRTUAL];
    // By level, what waits for the next one of as many vectors.
    let mut waiting = [F::State::ZERO.splat::<L>(); VIRTUAL.trailing_zeros() as usize];
    for vector in 0..VIRTUAL {
        let mut lanes = fold.element::<L>(outer, first + (vector * L::W) as u64, all, failures);
        let mut level = 0;
        while level < levels && vector >> level & 1 == 1 {
            let (left, right) = F::State::pairs::<L>(waiting[level], lanes);
            lanes = fold.combine::<L>(left, right, all, failures);
            level += 1;
        }
        match level < levels {
            true => waiting[level] = lanes,
            false => F::State::spread::<L>(lanes, &mut wholes[vector + 1 - L::W..][..L::W]),
        }
    }
    wholes
}

/// Neighbours with neighbours, in a tree.
#[inline(always)]
fn by_twos<F: Fold>(fold: &F, states: &mut [F::State], failures: &Failure) -> F::State {
    let mut step = 1;
    while step < states.len() {
        for at in (0..states.len() - step).step_by(2 * step) {
            states[at] = join(fold, states[at], states[at + step], failures);
        }
        step *= 2;
    }
    states[0]
}

/// Up to 32 elements, of which the first `there` are there.
#[inline(always)]
pub(super) fn block<L: Lanes, F: Fold>(
    fold: &F,
    outer: F::Outer,
    first: u64,
    there: usize,
    failures: &Failure,
) -> Block<L, F> {
    let mut lanes = L::group(F::State::ZERO.splat::<L>());
    for group in 0..L::GROUPS.min(there.div_ceil(L::W)) {
        let live = living::<L>(there, group);
        lanes.as_mut()[group] =
            fold.element::<L>(outer, first + (group * L::W) as u64, live, failures);
    }
    lanes
}

/// Every `2 * STEP`-th lane.
const fn every<const STEP: usize>() -> u32 {
    let (mut bits, mut lane) = (0, 0);
    while lane < VIRTUAL {
        bits |= 1 << lane;
        lane += 2 * STEP;
    }
    bits
}

/// The virtual lanes, of which the first `there` hold something: each with its neighbour, then those with theirs.
#[inline(always)]
fn neighbours<L: Lanes, F: Fold>(
    fold: &F,
    mut lanes: Block<L, F>,
    there: usize,
    failures: &Failure,
) -> F::State {
    for group in 0..L::GROUPS.min(there.div_ceil(L::W)) {
        let own = &mut lanes.as_mut()[group];
        let there = there - group * L::W;
        macro_rules! steps {
            ($($step:literal)*) => {$(
                if $step < L::W {
                    let live = L::Mask::of_bits(const { every::<$step>() });
                    let live = live.and(L::Mask::first(there.saturating_sub($step)));
                    let right = F::State::ordered::<L, Ahead<$step>>(*own);
                    *own = merge::<L, F>(fold, *own, right, live, failures);
                }
            )*};
        }
        steps!(1 2 4 8 16);
    }
    let mut own = [F::State::ZERO; VIRTUAL];
    for (own, &lanes) in own.iter_mut().zip(lanes.as_ref()) {
        *own = F::State::lane::<L>(lanes, 0);
    }
    by_twos(fold, &mut own[..there.div_ceil(L::W)], failures)
}

/// Whether a domain has points.
#[inline(always)]
pub(super) fn is_empty(size: Size) -> bool {
    size.rows == 0 || size.columns == 0
}
