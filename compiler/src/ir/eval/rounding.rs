//! Chance in the place of rounding: which bracketing a reduction takes, and how far off a float result is.

use crate::scalar::{Leaf, Scalar};

/// A source of chance: SplitMix64 (Steele, Lea, Flood, 2014).
pub(super) struct Rounding(pub(super) u64);

impl Rounding {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A coin.
    pub(super) fn flips(&mut self) -> bool {
        self.bits() >> 63 == 1
    }

    /// A number below another one.
    pub(super) fn below(&mut self, limit: u64) -> u64 {
        self.bits() % limit
    }

    /// A float up to so many units in the last place away; zeros, infinities, NaN and all else stay what they are.
    pub(super) fn moved(&mut self, scalar: Scalar, most: u64) -> Scalar {
        let ordinary = match scalar.leaf {
            Leaf::F32 => {
                let x = f32::from_bits(scalar.bits as u32);
                x.is_finite() && x != 0.0
            }
            Leaf::F64 => {
                let x = f64::from_bits(scalar.bits);
                x.is_finite() && x != 0.0
            }
            Leaf::F16 | Leaf::Bf16 => {
                let x = scalar.as_f64();
                x.is_finite() && x != 0.0
            }
            _ => false,
        };
        if !ordinary {
            return scalar;
        }
        let by = self.bits() % (2 * most + 1);
        Scalar {
            leaf: scalar.leaf,
            bits: (scalar.bits + by).saturating_sub(most),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_move_by_the_units_allowed_and_nothing_else_moves() {
        let mut rounding = Rounding(1);
        let mut seen = crate::sorted::SortedSet::new();
        for _ in 0..100 {
            let one = Scalar {
                leaf: Leaf::F32,
                bits: u64::from(1f32.to_bits()),
            };
            seen.insert(rounding.moved(one, 2).bits as i64 - one.bits as i64);
            for special in [0.0, f64::INFINITY, f64::NAN] {
                let special = Scalar {
                    leaf: Leaf::F64,
                    bits: f64::to_bits(special),
                };
                assert_eq!(rounding.moved(special, 4).bits, special.bits);
            }
        }
        assert_eq!(seen, (-2..=2).collect());
    }
}
