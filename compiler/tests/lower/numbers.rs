//! The methods of Rust's numbers, `bool` and `char` compute what Rust's do.

#![allow(
    clippy::obfuscated_if_else,
    clippy::unnecessary_lazy_evaluations,
    clippy::is_digit_ascii_radix,
    reason = "methods are called for their own sake"
)]

use super::program;
use accelerate_compiler::ir::eval::{Array, Output, eval};
use accelerate_compiler::scalar::{Leaf, Scalar};

/// What a method gives, as the leaves that the language makes of it.
trait Leaves {
    const TYPE: &'static str;
    fn leaves(self, into: &mut Vec<Scalar>);
}

macro_rules! of_scalars {
    ($($ty:ident $leaf:ident,)*) => {
        $(impl Leaves for $ty {
            const TYPE: &'static str = stringify!($ty);
            fn leaves(self, into: &mut Vec<Scalar>) {
                into.push(Scalar::wrapped(Leaf::$leaf, self as u64));
            }
        })*
    };
}

of_scalars! {
    i8 I8, i16 I16, i32 I32, i64 I64, u8 U8, u16 U16, u32 U32, u64 U64, usize U64, isize I64, bool Bool, char U32,
}

impl Leaves for f32 {
    const TYPE: &'static str = "f32";
    fn leaves(self, into: &mut Vec<Scalar>) {
        into.push(Scalar::f32(self));
    }
}

impl Leaves for f64 {
    const TYPE: &'static str = "f64";
    fn leaves(self, into: &mut Vec<Scalar>) {
        into.push(Scalar::f64(self));
    }
}

impl<A: Leaves, B: Leaves> Leaves for (A, B) {
    const TYPE: &'static str = "_";
    fn leaves(self, into: &mut Vec<Scalar>) {
        self.0.leaves(into);
        self.1.leaves(into);
    }
}

impl<const N: usize> Leaves for [u8; N] {
    const TYPE: &'static str = "_";
    fn leaves(self, into: &mut Vec<Scalar>) {
        self.into_iter().for_each(|byte| byte.leaves(into));
    }
}

/// `None` is what no value is.
impl<T: Leaves> Leaves for Option<T> {
    const TYPE: &'static str = "_";
    fn leaves(self, into: &mut Vec<Scalar>) {
        match self {
            Some(value) => {
                true.leaves(into);
                value.leaves(into);
            }
            None => false.leaves(into),
        }
    }
}

/// The leaves of the results for each input, or where the program fails.
fn computed<T: Leaves + Copy, U: Leaves + Copy>(
    text: &str,
    result: &str,
    inputs: &[(T, U)],
) -> Vec<Option<Vec<Scalar>>> {
    let (x, y) = (T::TYPE, U::TYPE);
    let source = format!("pub fn f(x: {x}, y: {y}) -> {result} {{ {text} }}");
    let program = program(&source);
    let each = inputs.iter().map(|&input| {
        let mut scalars = Vec::new();
        input.leaves(&mut scalars);
        let outputs = eval(&program, &scalars, &[] as &[Array]).ok()?;
        let leaves = outputs.into_iter().flat_map(|output| match output {
            Output::Scalar(leaves) => leaves,
            Output::Array { .. } => panic!("an array"),
        });
        Some(leaves.collect())
    });
    each.collect()
}

fn agree<T: Leaves + Copy + std::fmt::Debug, U: Leaves + Copy + std::fmt::Debug, R: Leaves>(
    text: &str,
    result: &str,
    inputs: &[(T, U)],
    rust: impl Fn(T, U) -> Option<R>,
) {
    let found = computed(text, result, inputs);
    for (input, found) in inputs.iter().zip(found) {
        let expected = rust(input.0, input.1).map(|value| {
            let mut leaves = Vec::new();
            value.leaves(&mut leaves);
            leaves
        });
        let same = match (&found, &expected) {
            (Some(a), Some(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(*b)),
            (None, None) => true,
            _ => false,
        };
        assert!(
            same,
            "`{text}` of {} at {input:?}: {found:?}, Rust has {expected:?}",
            T::TYPE
        );
    }
}

/// Calls without failures, and the type of what they give.
macro_rules! methods {
    ($inputs:expr, |$x:ident: $t:ty, $y:ident: $u:ty| $($call:expr => $result:ty),* $(,)?) => {
        $(agree(stringify!($call), stringify!($result), $inputs, |$x: $t, $y: $u| {
            let _ = (&$x, &$y);
            Some::<$result>($call)
        });)*
    };
}

/// Calls that give an option.
macro_rules! options {
    ($inputs:expr, |$x:ident: $t:ty, $y:ident: $u:ty| $($call:expr => $result:ty),* $(,)?) => {
        $(agree(
            concat!("let none = (false, 1 as ", stringify!($result), "); ", stringify!($call), ".map_or(none, |v| (true, v))"),
            concat!("(bool, ", stringify!($result), ")"),
            $inputs,
            |$x: $t, $y: $u| {
                let _ = (&$x, &$y);
                Some($call.map_or((false, 1 as u8 as $result), |v| (true, v)))
            },
        );)*
    };
}

/// Calls that panic in Rust where the option is `None`.
macro_rules! failing {
    ($inputs:expr, |$x:ident: $t:ty, $y:ident: $u:ty| $($call:expr => $rust:expr => $result:ty),* $(,)?) => {
        $(agree(stringify!($call), stringify!($result), $inputs, |$x: $t, $y: $u| -> Option<$result> {
            let _ = (&$x, &$y);
            $rust
        });)*
    };
}

fn pairs<T: Copy, U: Copy>(xs: &[T], ys: &[U]) -> Vec<(T, U)> {
    xs.iter()
        .flat_map(|&x| ys.iter().map(move |&y| (x, y)))
        .collect()
}

macro_rules! integers {
    ($t:ident $other:ident: $($values:expr),*) => {{
        let values: &[$t] = &[$($values,)* 0, 1, 2, 3, 7, 10, 48, 99, 100, 121, $t::MAX - 1, $t::MAX, $t::MIN, $t::MIN + 1];
        let others: Vec<$other> = values.iter().map(|&x| x as $other).collect();
        let both = &pairs(values, values);
        methods! { both, |x: $t, y: $t|
            x.midpoint(y) => $t,
            x.to_be() => $t,
            x.to_le() => $t,
            $t::from_be(x) => $t,
            $t::from_le(y) => $t,
            x.overflowing_add(y) => ($t, bool),
            $t::from_be_bytes(x.to_le_bytes()) => $t,
            $t::from_le_bytes(x.to_be_bytes()) => $t,
            $t::from_ne_bytes(x.to_ne_bytes()) => $t,
            x.min(y).max(3) => $t,
        }
        options! { both, |x: $t, y: $t|
            x.checked_ilog(y) => u32,
            x.checked_ilog2() => u32,
            x.checked_ilog10() => u32,
        }
        failing! { both, |x: $t, y: $t|
            x.ilog(y) => x.checked_ilog(y) => u32,
            x.ilog10() => x.checked_ilog10() => u32,
            x.strict_add(y) => x.checked_add(y) => $t,
            x.strict_sub(y) => x.checked_sub(y) => $t,
            x.strict_mul(y) => x.checked_mul(y) => $t,
            x.strict_div(y) => x.checked_div(y) => $t,
            x.strict_rem(y) => x.checked_rem(y) => $t,
            x.strict_div_euclid(y) => x.checked_div_euclid(y) => $t,
            x.strict_rem_euclid(y) => x.checked_rem_euclid(y) => $t,
            x.strict_neg() => x.checked_neg() => $t,
            x.overflowing_div_euclid(y) => (y != 0).then(|| x.overflowing_div_euclid(y)) => ($t, bool),
            x.overflowing_rem_euclid(y) => (y != 0).then(|| x.overflowing_rem_euclid(y)) => ($t, bool),
        }
        let by = &pairs(values, &[0u32, 1, 2, 3, 5, 7, 8, 31, 32, 63, 64, 200]);
        methods! { by, |x: $t, y: u32|
            x.overflowing_pow(y) => ($t, bool),
            x.saturating_pow(y) => $t,
            x.unbounded_shl(y) => $t,
            x.unbounded_shr(y) => $t,
        }
        options! { by, |x: $t, y: u32| x.checked_pow(y) => $t }
        failing! { by, |x: $t, y: u32|
            x.strict_pow(y) => x.checked_pow(y) => $t,
            x.strict_shl(y) => x.checked_shl(y) => $t,
            x.strict_shr(y) => x.checked_shr(y) => $t,
        }
        pairs(values, &others)
    }};
}

macro_rules! signed {
    ($($t:ident $u:ident)*) => {$({
        let mixed = &integers!($t $u: -1, -2, -7, -10);
        methods! { mixed, |x: $t, y: $u|
            x.cast_unsigned() => $u,
            x.wrapping_add_unsigned(y) => $t,
            x.wrapping_sub_unsigned(y) => $t,
            x.saturating_add_unsigned(y) => $t,
            x.saturating_sub_unsigned(y) => $t,
            x.overflowing_add_unsigned(y) => ($t, bool),
            x.overflowing_sub_unsigned(y) => ($t, bool),
        }
        options! { mixed, |x: $t, y: $u|
            x.checked_add_unsigned(y) => $t,
            x.checked_sub_unsigned(y) => $t,
            x.checked_isqrt() => $t,
        }
        failing! { mixed, |x: $t, y: $u|
            x.isqrt() => x.checked_isqrt() => $t,
            x.strict_abs() => x.checked_abs() => $t,
            x.strict_add_unsigned(y) => x.checked_add_unsigned(y) => $t,
            x.strict_sub_unsigned(y) => x.checked_sub_unsigned(y) => $t,
        }
    })*};
}

macro_rules! unsigned {
    ($($t:ident $s:ident)*) => {$({
        let mixed = &integers!($t $s: 15, 16, 17);
        methods! { mixed, |x: $t, y: $s|
            x.cast_signed() => $s,
            x.isqrt() => $t,
            x.wrapping_add_signed(y) => $t,
            x.wrapping_sub_signed(y) => $t,
            x.saturating_add_signed(y) => $t,
            x.saturating_sub_signed(y) => $t,
            x.overflowing_add_signed(y) => ($t, bool),
            x.overflowing_sub_signed(y) => ($t, bool),
            x.is_multiple_of(y as $t) => bool,
            x.carrying_add(y as $t, true) => ($t, bool),
            x.carrying_add(y as $t, y > 1) => ($t, bool),
            x.borrowing_sub(y as $t, true) => ($t, bool),
            x.borrowing_sub(y as $t, y > 1) => ($t, bool),
            x.carrying_mul(y as $t, x) => ($t, $t),
            x.carrying_mul_add(y as $t, x, $t::MAX) => ($t, $t),
        }
        options! { mixed, |x: $t, y: $s|
            x.checked_add_signed(y) => $t,
            x.checked_sub_signed(y) => $t,
            x.checked_next_multiple_of(y as $t) => $t,
            x.checked_next_power_of_two() => $t,
            x.checked_signed_diff(y as $t) => $s,
        }
        failing! { mixed, |x: $t, y: $s|
            x.strict_add_signed(y) => x.checked_add_signed(y) => $t,
            x.strict_sub_signed(y) => x.checked_sub_signed(y) => $t,
        }
        let roots: Vec<($t, $t)> = (0..=$t::MAX.isqrt().min(40))
            .flat_map(|k| [k, $t::MAX.isqrt() - k])
            .flat_map(|k| [k * k, (k * k).wrapping_sub(1), k * k + 1])
            .map(|square| (square, 0))
            .collect();
        methods! { &roots, |x: $t, y: $t| x.isqrt() => $t }
    })*};
}

#[test]
fn signed_integers() {
    signed! { i8 u8 i16 u16 i32 u32 i64 u64 isize usize }
}

#[test]
fn unsigned_integers() {
    unsigned! { u8 i8 u16 i16 u32 i32 u64 i64 usize isize }
}

macro_rules! floats {
    ($($t:ident $bits:ident)*) => {$({
        let tiny = $t::from_bits(1);
        let least = $t::MIN_POSITIVE;
        let some = [0.0, 1.0, 2.5, tiny, 3.0 * tiny, least, least - tiny, $t::MAX, 0.75 * $t::MAX, $t::INFINITY, $t::NAN, 1e-3];
        let values: Vec<$t> = some.iter().flat_map(|&x| [x, -x]).collect();
        let both = &pairs(&values, &values);
        methods! { both, |x: $t, y: $t|
            x.midpoint(y) => $t,
            x.next_up() => $t,
            x.next_down() => $t,
            x.is_normal() => bool,
            x.is_subnormal() => bool,
            $t::from_bits(y.to_bits()) => $t,
            $t::from_be_bytes(x.to_be_bytes()) => $t,
            $t::from_le_bytes(x.to_le_bytes()) => $t,
            ($t::MAX_EXP, ($t::MIN_EXP, ($t::MAX_10_EXP, ($t::MIN_10_EXP, $t::RADIX)))) => (i32, (i32, (i32, (i32, u32)))),
        }
    })*};
}

#[test]
fn floats() {
    floats! { f32 u32 f64 u64 }
}

#[test]
fn truths() {
    let both = &pairs(&[false, true], &[false, true]);
    methods! { both, |x: bool, y: bool|
        x.min(y) => bool,
        x.max(y) => bool,
        x.then_some(7).unwrap_or(9) => i32,
        x.then(|| if y { 1 } else { 2 }).unwrap_or(3) => i32,
        x.then_some(y).is_some_and(|y| y) => bool,
    }
    failing! { both, |x: bool, y: bool|
        y.clamp(x, true) => Some(x | y) => bool,
        true.clamp(x, y) => (x <= y).then_some(y) => bool,
    }
}

macro_rules! letters {
    ($inputs:expr, $t:ident) => {
        methods! { $inputs, |x: $t, y: $t|
            x.is_ascii() => bool,
            x.is_ascii_alphabetic() => bool,
            x.is_ascii_alphanumeric() => bool,
            x.is_ascii_control() => bool,
            x.is_ascii_digit() => bool,
            x.is_ascii_graphic() => bool,
            x.is_ascii_hexdigit() => bool,
            x.is_ascii_lowercase() => bool,
            x.is_ascii_punctuation() => bool,
            x.is_ascii_uppercase() => bool,
            x.is_ascii_whitespace() => bool,
            x.to_ascii_lowercase() => $t,
            x.to_ascii_uppercase() => $t,
            x.eq_ignore_ascii_case(&y) => bool,
        }
    };
}

#[test]
fn letters() {
    let bytes: Vec<(u8, u8)> = (0..=255).map(|x| (x, x ^ 32)).collect();
    letters!(&bytes, u8);
    let chars: Vec<(char, char)> = (0..0x3100)
        .chain([0xD7FF, 0xE000, 0xFFFF, 0x1_0000, 0x10_FFFF])
        .filter_map(|x| Some((char::from_u32(x)?, char::from_u32(x ^ 32)?)))
        .collect();
    letters!(&chars, char);
    methods! { &chars, |x: char, y: char|
        x.is_control() => bool,
        x.is_whitespace() => bool,
        x.len_utf8() => usize,
        x.len_utf16() => usize,
        x.is_digit(10) => bool,
        x.is_digit(16) => bool,
        x.min(y).max('b').clamp('c', char::MAX) => char,
        u32::from(x) => u32,
        char::from(x as u8) => char,
    }
    options! { &chars, |x: char, y: char| x.to_digit(36) => u32, x.to_digit(8) => u32 }
    let numbers: Vec<(u32, u32)> = [
        0,
        9,
        10,
        35,
        36,
        0xD7FF,
        0xD800,
        0xDFFF,
        0xE000,
        0x10_FFFF,
        0x11_0000,
        u32::MAX,
    ]
    .map(|x| (x, x % 37))
    .to_vec();
    methods! { &numbers, |x: u32, y: u32|
        char::from_u32(x).unwrap_or(char::REPLACEMENT_CHARACTER) => char,
        char::from_digit(x, y).unwrap_or('?') => char,
    }
    failing! { &[('1', 1), ('1', 2), ('z', 36), ('z', 37)], |x: char, y: u32|
        x.to_digit(y).unwrap_or(99) => (2..=36).contains(&y).then(|| x.to_digit(y).unwrap_or(99)) => u32,
    }
}

#[test]
fn imports() {
    let inputs = &[(1.0f32, 2.0f64)];
    let run = |text: &str| computed::<f32, f64>(text, "f64", inputs)[0].clone();
    let expected = Some(vec![Scalar::f64(std::f64::consts::PI)]);
    for text in [
        "use std::f64::consts::PI; PI",
        "use std::f64::consts::{E, PI as P}; P",
        "use core::f64::consts; consts::PI",
        "use std::f64::consts::*; let _ = E; PI",
        "use std::f64; use std::cmp::Ordering; f64::consts::PI",
        "use std::f32::consts::PI; { use std::f64::consts::PI; PI }",
    ] {
        assert_eq!(run(text), expected, "{text}");
    }
    let source = "use std::{cmp::max, f64::consts::PI, ops::Add};
        const HALF: f64 = PI / 2.0;
        fn half() -> f64 { PI / 2.0 }
        pub fn f(x: f64) -> f64 { max(x, half() + HALF) }";
    assert_eq!(
        super::run(source, &[Scalar::f64(0.0)], &[]),
        Ok(vec![std::f64::consts::PI])
    );
}
