//! Orders of lanes, known when compiled: what lanes get from each other.

use super::{Lanes, VIRTUAL};

/// From which lane each lane gets its value; entries beyond the number of lanes are taken modulo it.
pub trait Order {
    /// By lane.
    const FROM: [usize; VIRTUAL];
}

/// The lane `BY` further on; the last ones anything.
#[derive(Debug)]
pub struct Ahead<const BY: usize>;

impl<const BY: usize> Order for Ahead<BY> {
    const FROM: [usize; VIRTUAL] = {
        let mut from = [0; VIRTUAL];
        let mut lane = 0;
        while lane < VIRTUAL {
            from[lane] = (lane + BY) % VIRTUAL;
            lane += 1;
        }
        from
    };
}

/// Each lane of the first half twice.
#[derive(Debug)]
pub struct Low;

impl Order for Low {
    const FROM: [usize; VIRTUAL] = twice(0);
}

/// Each lane of the second half twice.
#[derive(Debug)]
pub struct High<L>(std::marker::PhantomData<L>);

impl<L: Lanes> Order for High<L> {
    const FROM: [usize; VIRTUAL] = twice(L::W / 2);
}

/// The even lanes, then the odd ones.
#[derive(Debug)]
pub struct Dealt<L>(std::marker::PhantomData<L>);

impl<L: Lanes> Order for Dealt<L> {
    const FROM: [usize; VIRTUAL] = {
        let mut from = [0; VIRTUAL];
        let mut lane = 0;
        while lane < L::W {
            from[lane] = 2 * lane % L::W + 2 * lane / L::W;
            lane += 1;
        }
        from
    };
}

const fn twice(first: usize) -> [usize; VIRTUAL] {
    let mut from = [0; VIRTUAL];
    let mut lane = 0;
    while lane < VIRTUAL {
        from[lane] = first + lane / 2;
        lane += 1;
    }
    from
}

/// The lane before; the first one anything.
#[derive(Debug)]
pub struct Before;

impl Order for Before {
    const FROM: [usize; VIRTUAL] = Ahead::<{ VIRTUAL - 1 }>::FROM;
}

/// The last lane of the first half of each `2 * HALF` lanes.
#[derive(Debug)]
pub struct Middle<const HALF: usize>;

impl<const HALF: usize> Order for Middle<HALF> {
    const FROM: [usize; VIRTUAL] = {
        let mut from = [0; VIRTUAL];
        let mut lane = 0;
        while lane < VIRTUAL {
            from[lane] = lane / (2 * HALF) * (2 * HALF) + HALF - 1;
            lane += 1;
        }
        from
    };
}

/// From which `width` neighbours, each a part of `lanes` lanes, the lanes `first..first + count` get theirs, if all from the
/// same part.
#[cfg(target_arch = "x86_64")]
pub(super) const fn source<O: Order>(
    lanes: usize,
    (first, count): (usize, usize),
    width: usize,
) -> Option<usize> {
    let part = O::FROM[first] % lanes / width;
    let mut lane = first;
    while lane < first + count {
        if O::FROM[lane] % lanes / width != part {
            return None;
        }
        lane += 1;
    }
    Some(part)
}

/// The entries of an order as indices of lanes among `lanes`.
#[cfg(target_arch = "x86_64")]
pub(super) const fn indices<O: Order>(lanes: usize) -> [i32; VIRTUAL] {
    let mut indices = [0; VIRTUAL];
    let mut lane = 0;
    while lane < VIRTUAL {
        indices[lane] = (O::FROM[lane] % lanes) as i32;
        lane += 1;
    }
    indices
}
