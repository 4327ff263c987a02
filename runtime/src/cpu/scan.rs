//! Scans: blocks of 32 elements in virtual lanes, each from what stands before it; chunks of blocks go to threads.
//!
//! Operands keep their order, and are bracketed by the extent alone: (what stands before the chunk, with the blocks before
//! in the chunk), with the elements of the block. So neither threads nor lanes change a bit.

use super::chunks::Size;
use super::dispatch::Work;
use super::fold::{Block, Fold, block, in_order, join, living};
use super::state::State;
use crate::failure::Failure;
use crate::lanes::{Before, Lanes, Mask, Middle, One, VIRTUAL};

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
        let (scan, failures) = (self.scan, self.failures);
        let (mut first, last) = self.columns;
        let outer = scan.outer(0);
        if !self.stores {
            return (first < last).then(|| in_order::<L, S>(scan, outer, self.columns, failures));
        }
        let mut own = None;
        while first < last {
            let there = (last - first).min(VIRTUAL as u64) as usize;
            let mut lanes = block::<L, S>(scan, outer, first, there, failures);
            prefixes::<L, S>(scan, &mut lanes, there, failures);
            let at = there - 1;
            let through = S::State::lane::<L>(lanes.as_ref()[at / L::W], at % L::W);
            let before = either(scan, self.carry, own, failures);
            store::<L, S>(scan, first, lanes, there, before, failures);
            own = either(scan, own, Some(through), failures);
            first += VIRTUAL as u64;
        }
        own
    }
}

/// Combines what is there.
#[inline(always)]
fn either<F: Fold>(
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

/// Combines what is there: seldom, so one function for all instruction sets.
#[inline(never)]
pub(super) fn both<F: Fold>(
    fold: &F,
    left: Option<F::State>,
    right: Option<F::State>,
    failures: &Failure,
) -> Option<F::State> {
    either(fold, left, right, failures)
}

/// The second half of each `2 * HALF` lanes.
const fn second<const HALF: usize>() -> u32 {
    let (mut bits, mut lane) = (0, 0);
    while lane < VIRTUAL {
        if lane & HALF != 0 {
            bits |= 1 << lane;
        }
        lane += 1;
    }
    bits
}

/// Combines each element of a block with those before it, by Sklansky's network: second halves with the last lane of first
/// halves.
#[inline(always)]
fn prefixes<L: Lanes, F: Fold>(
    fold: &F,
    lanes: &mut Block<L, F>,
    there: usize,
    failures: &Failure,
) {
    let groups = there.div_ceil(L::W);
    for group in 0..L::GROUPS.min(groups) {
        let own = &mut lanes.as_mut()[group];
        let living = living::<L>(there, group);
        macro_rules! halves {
            ($($half:literal)*) => {$(
                if $half < L::W {
                    let live = living.and(L::Mask::of_bits(const { second::<$half>() }));
                    let left = F::State::ordered::<L, Middle<$half>>(*own);
                    let combined = fold.combine::<L>(left, *own, live, failures);
                    *own = F::State::select::<L>(live, combined, *own);
                }
            )*};
        }
        halves!(1 2 4 8 16);
    }
    let mut half = 1;
    while half < L::GROUPS {
        for group in (0..groups).filter(|group| group & half != 0) {
            let middle = lanes.as_ref()[group / half * half - 1];
            let left = F::State::lane::<L>(middle, L::W - 1).splat::<L>();
            let own = &mut lanes.as_mut()[group];
            *own = fold.combine::<L>(left, *own, living::<L>(there, group), failures);
        }
        half *= 2;
    }
}

/// Stores at the points of a block.
#[inline(always)]
fn store<L: Lanes, S: Scan>(
    scan: &S,
    first: u64,
    lanes: Block<L, S>,
    there: usize,
    before: Option<S::State>,
    failures: &Failure,
) {
    let start = before.unwrap_or(S::State::ZERO);
    let mut last = start.splat::<L>();
    for group in 0..L::GROUPS.min(there.div_ceil(L::W)) {
        let mut through = lanes.as_ref()[group];
        let live = living::<L>(there, group);
        if before.is_some() {
            through = scan.combine::<L>(start.splat::<L>(), through, live, failures);
        }
        let mut before = through;
        if S::BEFORE {
            before = S::State::ordered::<L, Before>(through);
            before = S::State::select::<L>(L::Mask::first(1), last, before);
            last = S::State::lane::<L>(through, L::W - 1).splat::<L>();
        }
        let point = first + (group * L::W) as u64;
        let there = there - group * L::W;
        if there >= L::W {
            scan.at::<L>(point, through, before, failures);
            continue;
        }
        let (mut throughs, mut befores) = ([S::State::ZERO; VIRTUAL], [S::State::ZERO; VIRTUAL]);
        S::State::spread::<L>(through, &mut throughs[..L::W]);
        S::State::spread::<L>(before, &mut befores[..L::W]);
        for lane in 0..there {
            let (through, before) = (throughs[lane].of_one(), befores[lane].of_one());
            scan.at::<One>(point + lane as u64, through, before, failures);
        }
    }
}

/// The columns of a chunk.
pub(super) fn columns(size: Size, index: u64) -> (u64, u64) {
    size.chunk(index).columns
}
