//! Scalar functions for code that the macro writes for the host.

use crate::lanes::{Lanes, One};

/// The product of extents; the largest number if it does not fit.
pub fn product(extents: &[u64]) -> u64 {
    if extents.contains(&0) {
        return 0;
    }
    extents.iter().copied().fold(1, u64::saturating_mul)
}

/// The greatest of several sizes, of those that are known if any is.
pub fn greatest(sizes: &[Option<u64>]) -> Option<u64> {
    let known = sizes.iter().copied().flatten().max();
    known.or(sizes.is_empty().then_some(1))
}

/// A scalar argument of a kernel: its bytes are the low bytes of the result.
pub trait Bits {
    /// The bits, zero-extended.
    fn bits(self) -> u64;
}

macro_rules! bits {
    ($($ty:ident as $unsigned:ident),+) => {$(
        impl Bits for $ty {
            fn bits(self) -> u64 {
                u64::from(self as $unsigned)
            }
        }
    )+};
}

bits!(
    bool as u8, i8 as u8, i16 as u16, i32 as u32, i64 as u64, u8 as u8, u16 as u16, u32 as u32,
    u64 as u64
);

impl Bits for f32 {
    fn bits(self) -> u64 {
        u64::from(self.to_bits())
    }
}

impl Bits for f64 {
    fn bits(self) -> u64 {
        self.to_bits()
    }
}

/// See [`Bits`].
pub fn bits(value: impl Bits) -> u64 {
    value.bits()
}

macro_rules! halves {
    ($($name:ident: $from:ident -> $to:ident;)+) => {$(
        /// See [`Lanes`].
        pub fn $name(x: $from) -> $to {
            <One as Lanes>::$name(x)
        }
    )+};
}

halves! {
    f32_from_f16: u16 -> f32;
    f16_from_f32: f32 -> u16;
    f32_from_bf16: u16 -> f32;
    bf16_from_f32: f32 -> u16;
}

unsafe extern "C" {
    // The C library's, which std links in any case.
    #[link_name = "erf"]
    safe fn c_erf(x: f64) -> f64;
    #[link_name = "erfc"]
    safe fn c_erfc(x: f64) -> f64;
    #[link_name = "lgamma"]
    safe fn c_lgamma(x: f64) -> f64;
    #[link_name = "tgamma"]
    safe fn c_tgamma(x: f64) -> f64;
}

/// What Rust's own number types lack.
macro_rules! missing {
    (f64) => {
        fn erf(self) -> f64 {
            c_erf(self)
        }
        fn erfc(self) -> f64 {
            c_erfc(self)
        }
        fn lgamma(self) -> f64 {
            c_lgamma(self)
        }
        fn tgamma(self) -> f64 {
            c_tgamma(self)
        }
    };
    (f32) => {
        fn erf(self) -> f32 {
            c_erf(self.into()) as f32
        }
        fn erfc(self) -> f32 {
            c_erfc(self.into()) as f32
        }
        fn lgamma(self) -> f32 {
            c_lgamma(self.into()) as f32
        }
        fn tgamma(self) -> f32 {
            c_tgamma(self.into()) as f32
        }
    };
}

/// The functions of each float type, and generic functions of the same names.
macro_rules! functions {
    ($($name:ident($($more:ident),*))+) => {
        /// `f32` and `f64`.
        #[expect(missing_docs, reason = "the names are Rust's")]
        pub trait Float: Copy + PartialOrd {
            $(fn $name(self $(, $more: Self)*) -> Self;)+
            fn erf(self) -> Self;
            fn erfc(self) -> Self;
            fn lgamma(self) -> Self;
            fn tgamma(self) -> Self;
            fn rsqrt(self) -> Self;
            fn is_negative(self) -> bool;
            fn is_nan(self) -> bool;
        }

        functions!(@for f32 $($name($($more),*))+);
        functions!(@for f64 $($name($($more),*))+);

        $(
            #[doc = concat!("`x.", stringify!($name), "(..)`")]
            pub fn $name<T: Float>(x: T $(, $more: T)*) -> T {
                x.$name($($more),*)
            }
        )+
    };
    (@for $ty:ident $($name:ident($($more:ident),*))+) => {
        impl Float for $ty {
            $(
                fn $name(self $(, $more: $ty)*) -> $ty {
                    <$ty>::$name(self $(, $more)*)
                }
            )+
            missing!($ty);
            fn rsqrt(self) -> $ty {
                1.0 / self.sqrt()
            }
            fn is_negative(self) -> bool {
                self.is_sign_negative()
            }
            fn is_nan(self) -> bool {
                self.is_nan()
            }
        }
    };
}

functions! {
    mul_add(y, z) exp() exp2() exp_m1() ln() ln_1p() log2() log10() sin() cos() tan() asin() acos() atan() atan2(y)
    sinh() cosh() tanh() asinh() acosh() atanh() powf(y) cbrt() hypot(y)
}

macro_rules! missing_functions {
    ($($name:ident)+) => {$(
        #[doc = concat!("`", stringify!($name), "(x)`")]
        pub fn $name<T: Float>(x: T) -> T {
            x.$name()
        }
    )+};
}

missing_functions!(erf erfc lgamma tgamma rsqrt);

/// The lesser one; ignores NaN, and takes -0 as less than +0.
pub fn min<T: Float>(a: T, b: T) -> T {
    if a.is_nan() || b < a || (a == b && b.is_negative()) {
        b
    } else {
        a
    }
}

/// The greater one; ignores NaN, and takes -0 as less than +0.
pub fn max<T: Float>(a: T, b: T) -> T {
    if a.is_nan() || b > a || (a == b && a.is_negative()) {
        b
    } else {
        a
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minimum_and_maximum_ignore_nan_and_order_zeros() {
        assert_eq!(min(f32::NAN, 1.0), 1.0);
        assert_eq!(max(1.0, f64::NAN), 1.0);
        assert!(min(0.0f32, -0.0).is_sign_negative() && min(-0.0f32, 0.0).is_sign_negative());
        assert!(max(0.0f32, -0.0).is_sign_positive() && max(-0.0f32, 0.0).is_sign_positive());
    }

    #[test]
    fn arguments_are_zero_extended() {
        assert_eq!(bits(-1i8), 0xff);
        assert_eq!(bits(-1.0f32), 0xbf80_0000);
        assert_eq!(product(&[u64::MAX, 2, 0]), 0);
    }
}
