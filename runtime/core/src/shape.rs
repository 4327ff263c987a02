//! Shapes and indices by rank: `usize` for vectors, tuples of `usize` above.

/// Stands for the rank of an array; see [`Ranked`].
#[derive(Clone, Copy, Debug)]
pub struct Rank<const N: usize>;

/// Ranks that have a type of shapes: 0 to 8.
pub trait Ranked<const N: usize> {
    /// `()`, `usize`, `(usize, usize)`, ...
    type Shape: Copy + PartialEq + Eq + std::hash::Hash + std::fmt::Debug + Send + Sync + 'static;

    /// A shape from its extents, outermost first.
    fn shape(extents: [usize; N]) -> Self::Shape;

    /// The extents of a shape, outermost first.
    fn extents(shape: Self::Shape) -> [usize; N];
}

/// The type of shapes and indices of rank `N`.
pub type Shape<const N: usize> = <Rank<N> as Ranked<N>>::Shape;

impl Ranked<0> for Rank<0> {
    type Shape = ();
    fn shape(_: [usize; 0]) {}
    fn extents((): ()) -> [usize; 0] {
        []
    }
}

impl Ranked<1> for Rank<1> {
    type Shape = usize;
    fn shape([n]: [usize; 1]) -> usize {
        n
    }
    fn extents(n: usize) -> [usize; 1] {
        [n]
    }
}

macro_rules! ranked {
    ($($rank:literal: $($axis:ident)+;)+) => {$(
        impl Ranked<$rank> for Rank<$rank> {
            type Shape = ($(ranked!(@usize $axis),)+);
            fn shape([$($axis),+]: [usize; $rank]) -> Self::Shape {
                ($($axis,)+)
            }
            fn extents(($($axis,)+): Self::Shape) -> [usize; $rank] {
                [$($axis),+]
            }
        }
    )+};
    (@usize $axis:ident) => { usize };
}

ranked! {
    2: a b;
    3: a b c;
    4: a b c d;
    5: a b c d e;
    6: a b c d e f;
    7: a b c d e f g;
    8: a b c d e f g h;
}

/// The number of elements, unless it does not fit.
pub(crate) fn count(extents: &[usize]) -> Option<usize> {
    // A zero anywhere makes the product zero, however large the others are.
    if extents.contains(&0) {
        return Some(0);
    }
    extents
        .iter()
        .try_fold(1usize, |count, &extent| count.checked_mul(extent))
}

/// Whether an array of this shape may be passed to a program: no more than 2^48 elements, empty axes counted as one.
pub(crate) fn is_argument(extents: &[usize]) -> bool {
    let product = (extents.iter()).try_fold(1usize, |product, &extent| {
        product.checked_mul(extent.max(1))
    });
    product.is_some_and(|product| product <= 1 << 48)
}

/// The flat row-major position of an index, if it is inside.
pub(crate) fn position(extents: &[usize], index: &[usize]) -> Option<usize> {
    extents
        .iter()
        .zip(index)
        .try_fold(0, |position, (&extent, &index)| {
            (index < extent).then(|| position * extent + index)
        })
}

/// The index at a flat row-major position.
pub(crate) fn index_at<const N: usize>(extents: [usize; N], mut position: usize) -> [usize; N] {
    let mut index = [0; N];
    for axis in (0..N).rev() {
        index[axis] = position % extents[axis];
        position /= extents[axis];
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_row_major() {
        assert_eq!(position(&[2, 3], &[1, 2]), Some(5));
        assert_eq!(position(&[2, 3], &[1, 3]), None);
        assert_eq!(index_at([2, 3], 5), [1, 2]);
        assert_eq!(count(&[usize::MAX, 2]), None);
        assert_eq!(count(&[usize::MAX, 2, 0]), Some(0));
        assert_eq!(count(&[]), Some(1));
        assert!(is_argument(&[1 << 24, 0, 1 << 24]));
        assert!(!is_argument(&[1 << 24, 0, (1 << 24) + 1]));
        assert!(!is_argument(&[usize::MAX, 0, 2]));
    }
}
