//! What the functions are made of: polynomials, powers of two, sums and products with their rounding errors.

use crate::lanes::{Cast, Float, Integer, Lanes, Mask, Number, Value, bitcast};

/// `x` in every lane.
#[inline(always)]
pub(super) fn c<L: Lanes>(x: f64) -> L::F64 {
    L::F64::splat(x)
}

/// The polynomial with `coefficients` from the constant term up.
#[inline(always)]
pub(super) fn poly<V: Float<T = f64>, const N: usize>(x: V, coefficients: &[f64; N]) -> V {
    let mut result = V::splat(coefficients[N - 1]);
    for k in (0..N - 1).rev() {
        result = result.fused(x, V::splat(coefficients[k]));
    }
    result
}

/// Adding it leaves a whole number below 2^51 in the low bits.
const MAGIC: f64 = 6755399441055744.0;

/// A whole number below 2^51 as an integer.
#[inline(always)]
pub(super) fn whole<L: Lanes>(x: L::F64) -> L::I64 {
    let bits: L::I64 = bitcast(x.add(c::<L>(MAGIC)));
    bits.sub(L::I64::splat(MAGIC.to_bits() as i64))
}

/// `2^k` for a whole `k` from -1022 to 1023.
#[inline(always)]
pub(super) fn power_of_two<L: Lanes>(k: L::F64) -> L::F64 {
    let biased = whole::<L>(k).add(L::I64::splat(1023));
    bitcast(biased.shl(L::U32::splat(52)))
}

/// `x * 2^k` for a whole `k` from -2044 to 2046: in two steps, so that only the last one rounds.
#[inline(always)]
pub(super) fn scale<L: Lanes>(x: L::F64, k: L::F64) -> L::F64 {
    let half = k.mul(c::<L>(0.5)).floor();
    x.mul(power_of_two::<L>(half))
        .mul(power_of_two::<L>(k.sub(half)))
}

/// `a + b` and its rounding error.
#[inline(always)]
pub(super) fn two_sum<V: Float>(a: V, b: V) -> (V, V) {
    let sum = a.add(b);
    let other = sum.sub(a);
    (sum, a.sub(sum.sub(other)).add(b.sub(other)))
}

/// [`two_sum`] where `a` is not smaller than `b`, or zero.
#[inline(always)]
pub(super) fn quick_sum<V: Float>(a: V, b: V) -> (V, V) {
    let sum = a.add(b);
    (sum, b.sub(sum.sub(a)))
}

/// `a * b` and its rounding error.
#[inline(always)]
pub(super) fn two_product<V: Float<T = f64>>(a: V, b: V) -> (V, V) {
    let product = a.mul(b);
    if V::FUSED {
        return (product, a.fused(b, product.neg()));
    }
    // Halves of 26 bits have exact products (Dekker).
    let split = |x: V| {
        let scaled = x.mul(V::splat(134217729.0));
        let high = scaled.sub(scaled.sub(x));
        (high, x.sub(high))
    };
    let ((a, p), (b, q)) = (split(a), split(b));
    let error = a.mul(b).sub(product).add(a.mul(q)).add(p.mul(b));
    (product, error.add(p.mul(q)))
}

/// `result`, with the lanes of `mask` computed one by one by `function`.
#[inline(always)]
pub(super) fn patched<V: Value>(
    result: V,
    x: V,
    mask: <V::L as Lanes>::Mask,
    function: fn(V::T) -> V::T,
) -> V {
    if !mask.any() {
        return result;
    }
    let mut result = result;
    for lane in 0..V::L::W {
        if mask.lane(lane) {
            result = result.with_lane(lane, function(x.lane(lane)));
        }
    }
    result
}

/// A function of `f32` by way of `f64`, which leaves one rounding.
#[inline(always)]
pub(super) fn wide<L: Lanes>(x: L::F32) -> L::F64 {
    x.cast()
}

/// Back to `f32`.
#[inline(always)]
pub(super) fn narrow<L: Lanes>(x: L::F64) -> L::F32 {
    x.cast()
}
