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

macro_rules! tuples {
    ($(($($leaf:ident $i:tt),*);)*) => {$(
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
    )*};
}

tuples! {
    (A 0);
    (A 0, B 1);
    (A 0, B 1, C 2);
    (A 0, B 1, C 2, D 3);
    (A 0, B 1, C 2, D 3, E 4);
    (A 0, B 1, C 2, D 3, E 4, F 5);
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6);
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8);
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9);
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10);
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, M 11);
}
