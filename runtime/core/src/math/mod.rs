//! Math functions on lanes.
//!
//! Each is written once, over any instruction set, and compiled here once for each, out of line: a kernel's code
//! stays small and loses no speed. A single lane uses the machine's best instruction set too, so that an element's
//! value does not depend on where in an array it stands.

mod coefficients;
mod core;
mod error;
mod exp;
mod hyperbolic;
mod log;
mod power;
mod scalar;
#[cfg(all(test, target_arch = "x86_64"))]
mod tests;
mod trig;

use crate::cpu::{Level, level};
#[cfg(target_arch = "x86_64")]
use crate::lanes::{Avx2, Avx512};
use crate::lanes::{Lanes, One, Portable, Value};

macro_rules! functions {
    ($($name:ident: $vector:ident = $module:ident::$path:ident, ($($x:ident),*);)*) => {
        /// The functions of an instruction set; their largest errors stand in the modules they come from.
        #[expect(missing_docs, reason = "the names are Rust's")]
        pub trait Functions: Sized {
            $(fn $name($($x: <Self as Lanes>::$vector),*) -> <Self as Lanes>::$vector where Self: Lanes;)*
        }

        impl Functions for Portable {
            $(
                #[inline(never)]
                fn $name($($x: <Self as Lanes>::$vector),*) -> <Self as Lanes>::$vector { $module::$path::<Self>($($x),*) }
            )*
        }

        #[cfg(target_arch = "x86_64")]
        impl Functions for Avx2 {
            $(
                #[inline(always)]
                fn $name($($x: <Self as Lanes>::$vector),*) -> <Self as Lanes>::$vector {
                    #[target_feature(enable = "avx2,fma")]
                    #[inline(never)]
                    fn outlined($($x: <Avx2 as Lanes>::$vector),*) -> <Avx2 as Lanes>::$vector { $module::$path::<Avx2>($($x),*) }
                    // SAFETY: code for these lanes runs where the features are present only.
                    unsafe { outlined($($x),*) }
                }
            )*
        }

        #[cfg(target_arch = "x86_64")]
        impl Functions for Avx512 {
            $(
                #[inline(always)]
                fn $name($($x: <Self as Lanes>::$vector),*) -> <Self as Lanes>::$vector {
                    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx2,fma")]
                    #[inline(never)]
                    fn outlined($($x: <Avx512 as Lanes>::$vector),*) -> <Avx512 as Lanes>::$vector { $module::$path::<Avx512>($($x),*) }
                    // SAFETY: code for these lanes runs where the features are present only.
                    unsafe { outlined($($x),*) }
                }
            )*
        }

        impl Functions for One {
            $(
                #[inline(never)]
                fn $name($($x: <Self as Lanes>::$vector),*) -> <Self as Lanes>::$vector {
                    match level() {
                        #[cfg(target_arch = "x86_64")]
                        Level::Avx2 => Avx2::$name($(Value::splat($x)),*).lane(0),
                        #[cfg(target_arch = "x86_64")]
                        Level::Avx512 => Avx512::$name($(Value::splat($x)),*).lane(0),
                        Level::Portable => $module::$path::<One>($($x),*),
                    }
                }
            )*
        }
    };
}

functions! {
    exp_f32: F32 = exp::exp_f32, (x);
    exp2_f32: F32 = exp::exp2_f32, (x);
    exp_m1_f32: F32 = exp::exp_m1_f32, (x);
    ln_f32: F32 = log::ln_f32, (x);
    ln_1p_f32: F32 = log::ln_1p_f32, (x);
    log2_f32: F32 = log::log2_f32, (x);
    log10_f32: F32 = log::log10_f32, (x);
    sin_f32: F32 = trig::sin_f32, (x);
    cos_f32: F32 = trig::cos_f32, (x);
    tan_f32: F32 = trig::tan_f32, (x);
    asin_f32: F32 = trig::asin_f32, (x);
    acos_f32: F32 = trig::acos_f32, (x);
    atan_f32: F32 = trig::atan_f32, (x);
    atan2_f32: F32 = trig::atan2_f32, (x, y);
    sinh_f32: F32 = hyperbolic::sinh_f32, (x);
    cosh_f32: F32 = hyperbolic::cosh_f32, (x);
    tanh_f32: F32 = hyperbolic::tanh_f32, (x);
    asinh_f32: F32 = hyperbolic::asinh_f32, (x);
    acosh_f32: F32 = hyperbolic::acosh_f32, (x);
    atanh_f32: F32 = hyperbolic::atanh_f32, (x);
    pow_f32: F32 = power::pow_f32, (x, y);
    cbrt_f32: F32 = power::cbrt_f32, (x);
    hypot_f32: F32 = power::hypot_f32, (x, y);
    erf_f32: F32 = error::erf_f32, (x);
    erfc_f32: F32 = error::erfc_f32, (x);
    lgamma_f32: F32 = scalar::lgamma_f32, (x);
    tgamma_f32: F32 = scalar::tgamma_f32, (x);
    exp_f64: F64 = exp::exp_f64, (x);
    exp2_f64: F64 = exp::exp2_f64, (x);
    exp_m1_f64: F64 = exp::exp_m1_f64, (x);
    ln_f64: F64 = log::ln_f64, (x);
    ln_1p_f64: F64 = log::ln_1p_f64, (x);
    log2_f64: F64 = log::log2_f64, (x);
    log10_f64: F64 = log::log10_f64, (x);
    sin_f64: F64 = trig::sin_f64, (x);
    cos_f64: F64 = trig::cos_f64, (x);
    tan_f64: F64 = trig::tan_f64, (x);
    asin_f64: F64 = trig::asin_f64, (x);
    acos_f64: F64 = trig::acos_f64, (x);
    atan_f64: F64 = trig::atan_f64, (x);
    atan2_f64: F64 = trig::atan2_f64, (x, y);
    sinh_f64: F64 = hyperbolic::sinh_f64, (x);
    cosh_f64: F64 = hyperbolic::cosh_f64, (x);
    tanh_f64: F64 = hyperbolic::tanh_f64, (x);
    asinh_f64: F64 = hyperbolic::asinh_f64, (x);
    acosh_f64: F64 = hyperbolic::acosh_f64, (x);
    atanh_f64: F64 = hyperbolic::atanh_f64, (x);
    pow_f64: F64 = power::pow_f64, (x, y);
    cbrt_f64: F64 = power::cbrt_f64, (x);
    hypot_f64: F64 = power::hypot_f64, (x, y);
    erf_f64: F64 = scalar::erf_f64, (x);
    erfc_f64: F64 = scalar::erfc_f64, (x);
    lgamma_f64: F64 = scalar::lgamma_f64, (x);
    tgamma_f64: F64 = scalar::tgamma_f64, (x);
}
