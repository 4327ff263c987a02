//! The floats of 16 bits: `f16` (IEEE 754's binary16) and `bf16` (the upper half of an `f32`).
//!
//! Arithmetic on them is that of `f32`, rounded once: the sum, product, quotient or root of two numbers of at most 11 bits is as
//! exact as if it had been rounded by itself (Figueroa, "When is double rounding innocuous?", 1995).

use super::{Leaf, Scalar};

/// The width of the significand with its hidden bit, and the least exponent of a normal number.
fn format(leaf: Leaf) -> (u32, i32) {
    match leaf {
        Leaf::F16 => (11, -14),
        Leaf::Bf16 => (8, -126),
        other => panic!("{other:?} is no float of 16 bits"),
    }
}

/// The nearest value, of two as near the even one. A NaN becomes the one that all back ends make: positive and quiet.
pub(super) fn rounded(leaf: Leaf, x: f64) -> Scalar {
    let (digits, least) = format(leaf);
    let infinity = (0x7fff >> (digits - 1)) << (digits - 1);
    if x.is_nan() {
        let bits = infinity | 1 << (digits - 2);
        return Scalar { leaf, bits };
    }
    let size = x.abs();
    let exponent = (size.to_bits() >> 52) as i32 - 1023;
    let exponent = exponent.clamp(least, 1 << 10);
    // Exact: a power of two.
    let ulps = size / f64::powi(2.0, exponent - (digits as i32 - 1));
    // The bits of a float count up through subnormals, binades and to infinity; the hidden bit is the next exponent's.
    let above = (exponent - least) as u64;
    let bits = (above << (digits - 1)).saturating_add(ulps.round_ties_even() as u64);
    let bits = bits.min(infinity) | u64::from(x.is_sign_negative()) << 15;
    Scalar { leaf, bits }
}

/// The value, exactly.
pub(super) fn widened(leaf: Leaf, bits: u64) -> f32 {
    let bits = bits as u32;
    if leaf == Leaf::Bf16 {
        return f32::from_bits(bits << 16);
    }
    let sign = (bits & 0x8000) << 16;
    let size = match bits & 0x7fff {
        // Infinity and NaN.
        size @ 0x7c00.. => 0x7f80_0000 | (size & 0x3ff) << 13,
        // Rounded nowhere: a multiple of 2^-24.
        size @ ..0x400 => (size as f32 * f32::powi(2.0, -24)).to_bits(),
        size => (size << 13) + ((127 - 15) << 23),
    };
    f32::from_bits(sign | size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_survives() {
        for leaf in [Leaf::F16, Leaf::Bf16] {
            for bits in 0..=0xffff {
                let wide = widened(leaf, bits);
                let back = rounded(leaf, wide.into());
                assert!(back.bits == bits || wide.is_nan(), "{leaf:?} {bits:#x}");
                assert!(back.same(Scalar { leaf, bits }), "{leaf:?} {bits:#x}");
            }
        }
    }

    #[test]
    fn rounds_to_the_nearest_and_ties_to_even() {
        for leaf in [Leaf::F16, Leaf::Bf16] {
            let (digits, _) = format(leaf);
            let infinity = (0x7fff >> (digits - 1)) << (digits - 1);
            for bits in 0..infinity - 1 {
                let [low, high] = [bits, bits + 1].map(|bits| f64::from(widened(leaf, bits)));
                let middle = (low + high) / 2.0;
                let even = bits + bits % 2;
                assert_eq!(rounded(leaf, middle).bits, even, "{leaf:?} {bits:#x}");
                let [below, above] = [middle.next_down(), middle.next_up()];
                assert_eq!(rounded(leaf, below).bits, bits, "{leaf:?} {bits:#x}");
                assert_eq!(rounded(leaf, above).bits, bits + 1, "{leaf:?} {bits:#x}");
                assert_eq!(rounded(leaf, -above).bits, 0x8000 | (bits + 1));
            }
        }
    }

    #[test]
    fn large_numbers_are_infinite() {
        for (leaf, largest, infinity) in [
            (Leaf::F16, 65504.0, 0x7c00),
            (Leaf::Bf16, f64::from(f32::from_bits(0x7f7f_0000)), 0x7f80),
        ] {
            let half_an_ulp = match leaf {
                Leaf::F16 => 16.0,
                _ => f64::powi(2.0, 127 - 8),
            };
            assert_eq!(rounded(leaf, largest).bits, infinity - 1);
            let middle: f64 = largest + half_an_ulp;
            assert_eq!(rounded(leaf, middle.next_down()).bits, infinity - 1);
            assert_eq!(rounded(leaf, middle).bits, infinity);
            assert_eq!(rounded(leaf, f64::MAX).bits, infinity);
            assert_eq!(rounded(leaf, -f64::INFINITY).bits, 0x8000 | infinity);
            assert_eq!(rounded(leaf, 1e-300).bits, 0);
            assert_eq!(rounded(leaf, -0.0).bits, 0x8000);
        }
    }
}
