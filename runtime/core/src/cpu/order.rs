//! The order of keys, as numbers.

/// A leaf that has an order.
pub trait Ordered {
    /// A number that compares as the value does; floats as `total_cmp`.
    fn order(self) -> u64;
}

macro_rules! ordered {
    ($($unsigned:ty, $signed:ty;)*) => {$(
        impl Ordered for $unsigned {
            #[inline(always)]
            fn order(self) -> u64 { self.into() }
        }
        impl Ordered for $signed {
            #[inline(always)]
            fn order(self) -> u64 { (self as $unsigned ^ (1 << (<$unsigned>::BITS - 1))).into() }
        }
    )*};
}

ordered! { u8, i8; u16, i16; u32, i32; u64, i64; }

impl Ordered for bool {
    #[inline(always)]
    fn order(self) -> u64 {
        self.into()
    }
}

impl Ordered for f32 {
    #[inline(always)]
    fn order(self) -> u64 {
        let bits = self.to_bits();
        let turned = ((bits as i32 >> 31) as u32) | 1 << 31;
        (bits ^ turned).into()
    }
}

impl Ordered for f64 {
    #[inline(always)]
    fn order(self) -> u64 {
        let bits = self.to_bits();
        bits ^ (((bits as i64 >> 63) as u64) | 1 << 63)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_in_their_total_order() {
        let ascending = [
            -f64::NAN,
            f64::NEG_INFINITY,
            -1.0,
            -0.0,
            0.0,
            f64::MIN_POSITIVE,
            f64::INFINITY,
            f64::NAN,
        ];
        assert!(ascending.is_sorted_by_key(|x| x.order()));
        assert!(ascending.is_sorted_by_key(|&x| (x as f32).order()));
        assert!([i8::MIN, -1, 0, i8::MAX].is_sorted_by_key(|x| x.order()));
    }
}
