//! Scans: tiles of a fixed length, each of runs that advance side by side; chunks of tiles go to threads.
//!
//! Operands keep their order, and are bracketed by the extent alone: (what stands before the chunk, with (the tiles
//! before in the chunk, with the runs before in the tile)), with the run. So neither threads nor lanes change a bit.

use super::chunks::Size;
use super::dispatch::Work;
use super::fold::{Fold, join};
use super::state::State;
use crate::failure::Failure;
use crate::lanes::{Lanes, One, Value};

/// Scans of one axis, computed together: the operands and operators of a [`Fold`], and what is done at each point.
pub trait Scan: Fold {
    /// Whether anybody asks for what stands before a point.
    const BEFORE: bool;
    /// Stores at the points `first..first + W`, at each of which the operands up to it combine to `through`, and those
    /// before it to `before`: anything at the first point, or if nobody asks.
    fn at<L: Lanes>(
        &self,
        first: u64,
        through: <Self::State as State>::Of<L>,
        before: <Self::State as State>::Of<L>,
        failures: &Failure,
    );
}

/// Runs of a tile: operators wait for their own run only, so several are under way at once.
const RUNS: usize = 8;
/// Elements of a run; a multiple of every number of lanes.
const RUN: usize = 32;
const TILE: usize = RUNS * RUN;

/// A chunk of a scan's axis.
pub(super) struct ScanChunk<'a, S: Scan> {
    pub(super) scan: &'a S,
    pub(super) columns: (u64, u64),
    /// What stands before it.
    pub(super) carry: Option<S::State>,
    /// Whether its points are stored, or only its own elements combined.
    pub(super) stores: bool,
    pub(super) failures: &'a Failure,
}

impl<S: Scan> Work for ScanChunk<'_, S> {
    type Result = Option<S::State>;
    /// What the chunk's own elements combine to.
    #[inline(always)]
    fn run<L: Lanes>(self) -> Option<S::State> {
        let mut own = None;
        let (mut first, last) = self.columns;
        while first < last {
            let count = (last - first).min(TILE as u64) as usize;
            let carry = both(self.scan, self.carry, own, self.failures);
            let carry = carry.filter(|_| self.stores);
            let next = tile::<L, S>(self.scan, first, count, carry, self.stores, self.failures);
            own = both(self.scan, own, Some(next), self.failures);
            first += count as u64;
        }
        own
    }
}

/// Combines what is there: seldom, so one function for all instruction sets.
#[inline(never)]
pub(super) fn both<F: Fold>(
    fold: &F,
    left: Option<F::State>,
    right: Option<F::State>,
    failures: &Failure,
) -> Option<F::State> {
    match (left, right) {
        (Some(left), Some(right)) => Some(join(fold, left, right, failures)),
        (left, right) => left.or(right),
    }
}

/// A tile, after `carry`; gives what its own elements combine to.
#[inline(always)]
fn tile<L: Lanes, S: Scan>(
    scan: &S,
    first: u64,
    count: usize,
    carry: Option<S::State>,
    stores: bool,
    failures: &Failure,
) -> S::State {
    // A place in front, for what stands before the first element.
    let mut states = [S::State::ZERO; TILE + 1];
    elements::<L, S>(scan, first, &mut states[1..=count], failures);
    let runs = count.div_ceil(RUN);
    if count == TILE {
        for k in 1..RUN {
            for run in 0..RUNS {
                let at = 1 + run * RUN + k;
                states[at] = join(scan, states[at - 1], states[at], failures);
            }
        }
    } else {
        for at in (2..=count).filter(|at| (at - 1) % RUN != 0) {
            states[at] = join(scan, states[at - 1], states[at], failures);
        }
    }
    // What stands before each run.
    let mut own = None;
    let mut before = [None; RUNS];
    for (run, before) in before.iter_mut().enumerate().take(runs) {
        *before = own;
        own = both(
            scan,
            own,
            Some(states[((run + 1) * RUN).min(count)]),
            failures,
        );
    }
    if stores {
        states[0] = carry.unwrap_or(S::State::ZERO);
        for (run, &before) in before.iter().enumerate().take(runs) {
            if let Some(before) = both(scan, carry, before, failures) {
                let end = ((run + 1) * RUN).min(count);
                after::<L, S>(scan, before, &mut states[1 + run * RUN..=end], failures);
            }
        }
        store::<L, S>(scan, first, &states[..=count], failures);
    }
    own.unwrap_or(S::State::ZERO)
}

/// The elements from `first` on.
#[inline(always)]
fn elements<L: Lanes, S: Scan>(scan: &S, first: u64, to: &mut [S::State], failures: &Failure) {
    let outer = scan.outer(0);
    let mut groups = to.chunks_exact_mut(L::W);
    let mut column = first;
    for group in &mut groups {
        S::State::spread::<L>(scan.element::<L>(outer, column, failures), group);
        column += L::W as u64;
    }
    for state in groups.into_remainder() {
        *state = S::State::one(scan.element::<One>(outer, column, failures));
        column += 1;
    }
}

/// Combines each state with what stands before the run.
#[inline(always)]
fn after<L: Lanes, S: Scan>(scan: &S, before: S::State, run: &mut [S::State], failures: &Failure) {
    let all = L::Mask::splat(true);
    let left = S::State::gathered::<L>(&[before; RUN][..L::W]);
    let mut groups = run.chunks_exact_mut(L::W);
    for group in &mut groups {
        let through = scan.combine::<L>(left, S::State::gathered::<L>(group), all, failures);
        S::State::spread::<L>(through, group);
    }
    for state in groups.into_remainder() {
        *state = join(scan, before, *state, failures);
    }
}

/// Stores at all points of a tile; `states` begins with what stands before it.
#[inline(always)]
fn store<L: Lanes, S: Scan>(scan: &S, first: u64, states: &[S::State], failures: &Failure) {
    let count = states.len() - 1;
    let mut at = 0;
    while at + L::W <= count {
        let through = S::State::gathered::<L>(&states[at + 1..=at + L::W]);
        let before = match S::BEFORE {
            true => S::State::gathered::<L>(&states[at..at + L::W]),
            false => through,
        };
        scan.at::<L>(first + at as u64, through, before, failures);
        at += L::W;
    }
    for at in at..count {
        let (before, through) = (states[at].of_one(), states[at + 1].of_one());
        scan.at::<One>(first + at as u64, through, before, failures);
    }
}

/// The columns of a chunk.
pub(super) fn columns(size: Size, index: u64) -> (u64, u64) {
    size.chunk(index).columns
}
