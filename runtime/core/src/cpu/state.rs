//! The state of reductions: a tuple of leaves, each a vector on every instruction set.

use crate::lanes::{Lanes, Leaf, One, Order, Value};

/// A tuple of leaves.
pub trait State: Copy + Send + Sync + 'static {
    /// The tuple of their vectors.
    type Of<L: Lanes>: Copy;
    /// Zeros.
    const ZERO: Self;
    /// A single lane's value.
    fn one(x: Self::Of<One>) -> Self;
    /// As vectors of a single lane.
    fn of_one(self) -> Self::Of<One>;
    /// The same in all lanes.
    fn splat<L: Lanes>(self) -> Self::Of<L>;
    /// `a` where `mask` holds, else `b`.
    fn select<L: Lanes>(mask: L::Mask, a: Self::Of<L>, b: Self::Of<L>) -> Self::Of<L>;
    /// One lane.
    fn lane<L: Lanes>(x: Self::Of<L>, lane: usize) -> Self;
    /// The lanes in another order.
    fn ordered<L: Lanes, O: Order>(x: Self::Of<L>) -> Self::Of<L>;
    /// Of the lanes of two vectors one after the other: the even ones, and the odd ones.
    fn pairs<L: Lanes>(a: Self::Of<L>, b: Self::Of<L>) -> (Self::Of<L>, Self::Of<L>);
    /// Lane by lane into `W` values.
    fn spread<L: Lanes>(x: Self::Of<L>, to: &mut [Self]);
    /// From `W` values.
    fn gathered<L: Lanes>(from: &[Self]) -> Self::Of<L>;
}

/// Nothing.
impl State for () {
    type Of<L: Lanes> = ();
    const ZERO: Self = ();
    #[inline(always)]
    fn one((): ()) {}
    #[inline(always)]
    fn of_one(self) {}
    #[inline(always)]
    fn splat<L: Lanes>(self) {}
    #[inline(always)]
    fn select<L: Lanes>(_: L::Mask, (): (), (): ()) {}
    #[inline(always)]
    fn lane<L: Lanes>((): (), _: usize) {}
    #[inline(always)]
    fn ordered<L: Lanes, O: Order>((): ()) {}
    #[inline(always)]
    fn pairs<L: Lanes>((): (), (): ()) -> ((), ()) {
        ((), ())
    }
    #[inline(always)]
    fn spread<L: Lanes>((): (), _: &mut [()]) {}
    #[inline(always)]
    fn gathered<L: Lanes>(_: &[()]) {}
}

macro_rules! tuple {
    ($($leaf:ident $i:tt),*) => {
        impl<$($leaf: Leaf),*> State for ($($leaf,)*) {
            type Of<L: Lanes> = ($($leaf::Of<L>,)*);
            const ZERO: Self = ($($leaf::ZERO,)*);
            #[inline(always)]
            fn one(x: Self::Of<One>) -> Self { ($(x.$i.lane(0),)*) }
            #[inline(always)]
            fn of_one(self) -> Self::Of<One> { ($(Value::splat(self.$i),)*) }
            #[inline(always)]
            fn splat<L: Lanes>(self) -> Self::Of<L> { ($(Value::splat(self.$i),)*) }
            #[inline(always)]
            fn select<L: Lanes>(mask: L::Mask, a: Self::Of<L>, b: Self::Of<L>) -> Self::Of<L> {
                ($(Value::select(mask, a.$i, b.$i),)*)
            }
            #[inline(always)]
            fn lane<L: Lanes>(x: Self::Of<L>, lane: usize) -> Self { ($(x.$i.lane(lane),)*) }
            #[inline(always)]
            fn ordered<L: Lanes, O: Order>(x: Self::Of<L>) -> Self::Of<L> { ($(x.$i.ordered::<O>(),)*) }
            #[inline(always)]
            fn pairs<L: Lanes>(a: Self::Of<L>, b: Self::Of<L>) -> (Self::Of<L>, Self::Of<L>) {
                let pairs = ($(Value::pairs(a.$i, b.$i),)*);
                (($(pairs.$i.0,)*), ($(pairs.$i.1,)*))
            }
            #[inline(always)]
            fn spread<L: Lanes>(x: Self::Of<L>, to: &mut [Self]) {
                for (lane, to) in to.iter_mut().enumerate() {
                    *to = ($(x.$i.lane(lane),)*);
                }
            }
            #[inline(always)]
            fn gathered<L: Lanes>(from: &[Self]) -> Self::Of<L> {
                ($(Value::from_lanes(|lane| from[lane].$i),)*)
            }
        }
    };
}

/// The first so many, for each number of them.
macro_rules! tuples {
    ($($done:ident $i:tt),*;) => {};
    ($($done:ident $i:tt),*; $next:ident $n:tt $($rest:tt)*) => {
        tuple!($($done $i,)* $next $n);
        tuples!($($done $i,)* $next $n; $($rest)*);
    };
}

tuples! {
    ;
    T0 0 T1 1 T2 2 T3 3 T4 4 T5 5 T6 6 T7 7 T8 8 T9 9 T10 10 T11 11 T12 12 T13 13 T14 14 T15 15 T16 16
    T17 17 T18 18 T19 19 T20 20 T21 21 T22 22 T23 23 T24 24 T25 25 T26 26 T27 27 T28 28 T29 29 T30 30
    T31 31
}
