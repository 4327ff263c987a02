//! Errors of the math functions on every instruction set this machine has: `f64` against a table made with 90 digits,
//! `f32` against the scalar library's `f64`, special values against the scalar library.

use super::Functions;
use crate::cpu::{Level, level};
use crate::lanes::{Avx2, Avx512, Lanes, Portable, Value};

type Unary64<L> = fn(<L as Lanes>::F64) -> <L as Lanes>::F64;

macro_rules! tables {
    ($($name:ident, $f32:ident, $f64:ident, $std:expr, $short:expr, $bound:expr, $low:expr, $high:expr;)*) => {
        /// Name, largest error allowed (ulp, after that for `f32`) and the `f64` function.
        fn unary64<L: Lanes>() -> Vec<(&'static str, f64, Unary64<L>)> {
            vec![$((stringify!($name), $bound, L::$f64 as Unary64<L>)),*]
        }

        fn check_f32<L: Lanes>() {
            $(worst_f32::<L>(stringify!($name), L::$f32, $std, $short, ($low, $high));)*
        }

        fn check_special<L: Lanes>() {
            for x in SPECIAL {
                $(
                    let std: fn(f64) -> f64 = $std;
                    same(stringify!($name), x, 0.0, L::$f64(L::F64::splat(x)).lane(0), std(x), 1e-14);
                    let found = f64::from(L::$f32(L::F32::splat(x as f32)).lane(L::W - 1));
                    same(stringify!($name), x, 0.0, found, f64::from(std(f64::from(x as f32)) as f32), 1e-6);
                )*
            }
        }
    };
}

tables! {
    exp, exp_f32, exp_f64, f64::exp, 1.0, 1.5, -110.0, 90.0;
    exp2, exp2_f32, exp2_f64, f64::exp2, 0.52, 1.5, -150.0, 129.0;
    exp_m1, exp_m1_f32, exp_m1_f64, f64::exp_m1, 0.52, 2.0, -20.0, 90.0;
    ln, ln_f32, ln_f64, f64::ln, 0.52, 1.5, 0.0, 1e38;
    log2, log2_f32, log2_f64, f64::log2, 0.52, 1.5, 0.0, 1e38;
    log10, log10_f32, log10_f64, f64::log10, 0.52, 1.5, 0.0, 1e38;
    ln_1p, ln_1p_f32, ln_1p_f64, f64::ln_1p, 0.52, 2.5, -1.0, 1e38;
    sin, sin_f32, sin_f64, f64::sin, 0.52, 1.5, -2e6, 2e6;
    cos, cos_f32, cos_f64, f64::cos, 0.52, 1.5, -2e6, 2e6;
    tan, tan_f32, tan_f64, f64::tan, 0.52, 3.0, -2e6, 2e6;
    asin, asin_f32, asin_f64, f64::asin, 0.52, 2.5, -1.0, 1.0;
    acos, acos_f32, acos_f64, f64::acos, 0.52, 2.5, -1.0, 1.0;
    atan, atan_f32, atan_f64, f64::atan, 0.52, 2.0, -1e10, 1e10;
    sinh, sinh_f32, sinh_f64, f64::sinh, 0.52, 4.0, -90.0, 90.0;
    cosh, cosh_f32, cosh_f64, f64::cosh, 0.52, 4.0, -90.0, 90.0;
    tanh, tanh_f32, tanh_f64, f64::tanh, 0.52, 4.0, -20.0, 20.0;
    asinh, asinh_f32, asinh_f64, f64::asinh, 0.52, 4.0, -1e30, 1e30;
    acosh, acosh_f32, acosh_f64, f64::acosh, 0.52, 4.0, 1.0, 1e30;
    atanh, atanh_f32, atanh_f64, f64::atanh, 0.52, 4.0, -1.0, 1.0;
    cbrt, cbrt_f32, cbrt_f64, f64::cbrt, 0.52, 1.5, -1e38, 1e38;
    erf, erf_f32, erf_f64, erf, 0.52, 2.0, -5.0, 5.0;
    erfc, erfc_f32, erfc_f64, erfc, 0.52, 4.0, -5.0, 10.0;
}

const SPECIAL: [f64; 18] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    2.0,
    -2.0,
    0.5,
    -0.5,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    1e-300,
    -1e-300,
    1e300,
    -1e300,
    5e-324,
    88.0,
    -104.5,
];

fn erf(x: f64) -> f64 {
    crate::lanes::One::erf_f64(x)
}

fn erfc(x: f64) -> f64 {
    crate::lanes::One::erfc_f64(x)
}

fn same(name: &str, x: f64, y: f64, found: f64, expected: f64, tolerance: f64) {
    let close = (found - expected).abs() <= tolerance * expected.abs();
    let equal = found == expected && found.is_sign_negative() == expected.is_sign_negative();
    let alike = found.is_nan() && expected.is_nan()
        || equal
        || (close && expected.is_finite() && expected != 0.0);
    assert!(
        alike,
        "{name}({x:e}, {y:e}) is {found:e} instead of {expected:e}"
    );
}

fn ulp(x: f64) -> f64 {
    let x = x.abs().max(f64::MIN_POSITIVE);
    f64::from_bits(x.to_bits() + 1) - x
}

fn table<L: Lanes>() {
    let unary = unary64::<L>();
    let mut worst = std::collections::BTreeMap::new();
    for line in include_str!("reference.txt").lines().skip(1) {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |word: &str| f64::from_bits(u64::from_str_radix(word, 16).expect("hex"));
        let (name, x, expected) = (words[0], number(words[1]), number(words[3]));
        let above: f64 = words[4].parse().expect("a number");
        let (bound, found) = match name {
            "pow" => (
                1.5,
                L::pow_f64(L::F64::splat(x), L::F64::splat(number(words[2]))),
            ),
            "atan2" => (
                2.5,
                L::atan2_f64(L::F64::splat(x), L::F64::splat(number(words[2]))),
            ),
            "hypot" => (
                2.5,
                L::hypot_f64(L::F64::splat(x), L::F64::splat(number(words[2]))),
            ),
            "lgamma" => (8.0, L::lgamma_f64(L::F64::splat(x))),
            "tgamma" => (8.0, L::tgamma_f64(L::F64::splat(x))),
            _ => {
                let (_, bound, function) = unary
                    .iter()
                    .find(|entry| entry.0 == name)
                    .expect("in the list");
                (*bound, function(L::F64::splat(x)))
            }
        };
        let error = ((found.lane(0) - expected) / ulp(expected) - above).abs();
        let entry = worst.entry(name.to_string()).or_insert((0.0, x));
        if error > entry.0 || error.is_nan() {
            *entry = (error, x);
        }
        assert!(
            error <= bound,
            "{name}({x:e}) is {:e} instead of {expected:e}: {error} ulp",
            found.lane(0)
        );
    }
    if std::env::var_os("ACCELERATE_SHOW_ERRORS").is_some() {
        for (name, (error, x)) in worst {
            eprintln!("{:>8} f64 {error:.2} ulp at {x:e}", name);
        }
    }
}

fn worst_f32<L: Lanes>(
    name: &str,
    function: fn(L::F32) -> L::F32,
    std: fn(f64) -> f64,
    bound: f64,
    (low, high): (f64, f64),
) {
    let mut worst = (0.0, 0.0f32);
    // Steps through the bit patterns, so that all magnitudes come up.
    for bits in (0..=u32::MAX).step_by(65_521) {
        let x = f32::from_bits(bits);
        if !(f64::from(x) >= low && f64::from(x) <= high) {
            continue;
        }
        let expected = std(f64::from(x));
        let rounded = expected as f32;
        let found = function(L::F32::splat(x)).lane(0);
        if !rounded.is_finite() || rounded == 0.0 {
            same(
                name,
                f64::from(x),
                0.0,
                f64::from(found),
                f64::from(rounded),
                0.0,
            );
            continue;
        }
        let unit = f64::from(f32::from_bits(
            rounded.abs().max(f32::MIN_POSITIVE).to_bits() + 1,
        )) - f64::from(rounded.abs().max(f32::MIN_POSITIVE));
        let error = (f64::from(found) - expected).abs() / unit;
        if error > worst.0 || error.is_nan() {
            worst = (error, x);
        }
    }
    assert!(
        worst.0 <= bound,
        "{name}_f32: {} ulp at {:e}",
        worst.0,
        worst.1
    );
}

fn check_pairs<L: Lanes>() {
    for x in SPECIAL {
        for y in SPECIAL.into_iter().chain([3.0, -3.0, 4.0, 1e17]) {
            let (a, b) = (L::F64::splat(x), L::F64::splat(y));
            same("pow", x, y, L::pow_f64(a, b).lane(0), x.powf(y), 1e-14);
            same("atan2", x, y, L::atan2_f64(a, b).lane(0), x.atan2(y), 1e-14);
            same("hypot", x, y, L::hypot_f64(a, b).lane(0), x.hypot(y), 1e-14);
            let (x, y) = (x as f32, y as f32);
            let (a, b) = (L::F32::splat(x), L::F32::splat(y));
            let pairs = [
                ("pow", L::pow_f32(a, b).lane(0), x.powf(y)),
                ("atan2", L::atan2_f32(a, b).lane(0), x.atan2(y)),
                ("hypot", L::hypot_f32(a, b).lane(0), x.hypot(y)),
            ];
            for (name, found, expected) in pairs {
                same(
                    name,
                    f64::from(x),
                    f64::from(y),
                    f64::from(found),
                    f64::from(expected),
                    1e-6,
                );
            }
        }
    }
}

#[test]
fn f64_functions_are_within_their_errors() {
    table::<Portable>();
    if matches!(level(), Level::Avx2 | Level::Avx512) {
        table::<Avx2>();
    }
    if level() == Level::Avx512 {
        table::<Avx512>();
    }
}

#[test]
fn f32_functions_are_within_their_errors() {
    check_f32::<Portable>();
    if matches!(level(), Level::Avx2 | Level::Avx512) {
        check_f32::<Avx2>();
    }
    if level() == Level::Avx512 {
        check_f32::<Avx512>();
    }
}

#[test]
fn special_values_are_those_of_std() {
    check_special::<Portable>();
    check_pairs::<Portable>();
    if matches!(level(), Level::Avx2 | Level::Avx512) {
        check_special::<Avx2>();
        check_pairs::<Avx2>();
    }
    if level() == Level::Avx512 {
        check_special::<Avx512>();
        check_pairs::<Avx512>();
    }
}
