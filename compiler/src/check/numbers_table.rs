//! The methods of Rust's numbers: one row each.

use super::operators::Class;
use crate::scalar::{Binary, Math, Unary};

/// A further argument of a method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Argument {
    /// Of the receiver's type.
    Own,
    U32,
    I32,
}

/// The type of a method's result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Output {
    Own,
    Bool,
    U32,
    /// The unsigned type of the same width.
    Unsigned,
    /// `Option` of the own type.
    Option,
    /// The own type and a `bool`.
    Pair,
    /// The own type twice.
    Twice,
    /// The unsigned type of the same width, by its bits.
    Bits,
}

/// What a method becomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    Unary(Unary),
    Binary(Binary),
    Math(Math),
    /// Made of simpler operations by `lower`, under its own name.
    Composed,
    /// The bits as an integer.
    Bitcast,
}

pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) class: Class,
    pub(super) arguments: &'static [Argument],
    pub(super) output: Output,
    pub(super) meaning: Meaning,
}

const fn row(
    name: &'static str,
    class: Class,
    arguments: &'static [Argument],
    output: Output,
    meaning: Meaning,
) -> Row {
    Row {
        name,
        class,
        arguments,
        output,
        meaning,
    }
}

const fn math(name: &'static str, math: Math) -> Row {
    row(name, F, NONE, Output::Own, Meaning::Math(math))
}

const fn unary(name: &'static str, class: Class, op: Unary) -> Row {
    row(name, class, NONE, Output::Own, Meaning::Unary(op))
}

const fn composed(
    name: &'static str,
    class: Class,
    arguments: &'static [Argument],
    output: Output,
) -> Row {
    row(name, class, arguments, output, Meaning::Composed)
}

const F: Class = Class::Float;
const I: Class = Class::Integer;
const N: Class = Class::Number;
const NONE: &[Argument] = &[];
const OWN: &[Argument] = &[Argument::Own];
const OWN2: &[Argument] = &[Argument::Own, Argument::Own];
const BY: &[Argument] = &[Argument::U32];

/// Where a name stands twice, the first row whose class has the receiver's type counts.
pub(super) const METHODS: &[Row] = &[
    // Exact, on floats.
    unary("sqrt", F, Unary::Sqrt),
    unary("floor", F, Unary::Floor),
    unary("ceil", F, Unary::Ceil),
    unary("trunc", F, Unary::Trunc),
    unary("round", F, Unary::Round),
    unary("round_ties_even", F, Unary::RoundEven),
    unary("abs", Class::Signed, Unary::Abs),
    row(
        "copysign",
        F,
        OWN,
        Output::Own,
        Meaning::Binary(Binary::Copysign),
    ),
    row("min", N, OWN, Output::Own, Meaning::Binary(Binary::Min)),
    row("max", N, OWN, Output::Own, Meaning::Binary(Binary::Max)),
    row("mul_add", F, OWN2, Output::Own, Meaning::Math(Math::MulAdd)),
    row("to_bits", F, NONE, Output::Bits, Meaning::Bitcast),
    // Mathematical functions.
    math("exp", Math::Exp),
    math("exp2", Math::Exp2),
    math("exp_m1", Math::ExpM1),
    math("ln", Math::Ln),
    math("ln_1p", Math::Ln1p),
    math("log2", Math::Log2),
    math("log10", Math::Log10),
    math("sin", Math::Sin),
    math("cos", Math::Cos),
    math("tan", Math::Tan),
    math("asin", Math::Asin),
    math("acos", Math::Acos),
    math("atan", Math::Atan),
    row("atan2", F, OWN, Output::Own, Meaning::Math(Math::Atan2)),
    math("sinh", Math::Sinh),
    math("cosh", Math::Cosh),
    math("tanh", Math::Tanh),
    math("asinh", Math::Asinh),
    math("acosh", Math::Acosh),
    math("atanh", Math::Atanh),
    row("powf", F, OWN, Output::Own, Meaning::Math(Math::Pow)),
    math("cbrt", Math::Cbrt),
    row("hypot", F, OWN, Output::Own, Meaning::Math(Math::Hypot)),
    math("erf", Math::Erf),
    math("erfc", Math::Erfc),
    math("lgamma", Math::Lgamma),
    math("tgamma", Math::Tgamma),
    math("rsqrt", Math::Rsqrt),
    // Made of simpler operations, on floats.
    composed("recip", F, NONE, Output::Own),
    composed("fract", F, NONE, Output::Own),
    composed("log", F, OWN, Output::Own),
    composed("powi", F, &[Argument::I32], Output::Own),
    composed("sigmoid", F, NONE, Output::Own),
    composed("sin_cos", F, NONE, Output::Twice),
    composed("to_degrees", F, NONE, Output::Own),
    composed("to_radians", F, NONE, Output::Own),
    composed("is_nan", F, NONE, Output::Bool),
    composed("is_finite", F, NONE, Output::Bool),
    composed("is_infinite", F, NONE, Output::Bool),
    composed("is_sign_negative", F, NONE, Output::Bool),
    composed("is_sign_positive", F, NONE, Output::Bool),
    // On both.
    composed("signum", Class::Signed, NONE, Output::Own),
    composed("clamp", N, OWN2, Output::Own),
    composed("rem_euclid", N, OWN, Output::Own),
    composed("div_euclid", N, OWN, Output::Own),
    // On integers.
    row(
        "count_ones",
        I,
        NONE,
        Output::U32,
        Meaning::Unary(Unary::CountOnes),
    ),
    row(
        "leading_zeros",
        I,
        NONE,
        Output::U32,
        Meaning::Unary(Unary::LeadingZeros),
    ),
    row(
        "trailing_zeros",
        I,
        NONE,
        Output::U32,
        Meaning::Unary(Unary::TrailingZeros),
    ),
    unary("swap_bytes", I, Unary::SwapBytes),
    unary("reverse_bits", I, Unary::ReverseBits),
    composed("count_zeros", I, NONE, Output::U32),
    composed("leading_ones", I, NONE, Output::U32),
    composed("trailing_ones", I, NONE, Output::U32),
    composed("rotate_left", I, BY, Output::Own),
    composed("rotate_right", I, BY, Output::Own),
    composed("abs_diff", I, OWN, Output::Unsigned),
    composed("unsigned_abs", I, NONE, Output::Unsigned),
    composed("is_positive", I, NONE, Output::Bool),
    composed("is_negative", I, NONE, Output::Bool),
    composed("is_power_of_two", I, NONE, Output::Bool),
    composed("next_power_of_two", I, NONE, Output::Own),
    composed("div_ceil", I, OWN, Output::Own),
    composed("pow", I, BY, Output::Own),
    composed("ilog2", I, NONE, Output::U32),
    composed("wrapping_add", I, OWN, Output::Own),
    composed("wrapping_sub", I, OWN, Output::Own),
    composed("wrapping_mul", I, OWN, Output::Own),
    composed("wrapping_div", I, OWN, Output::Own),
    composed("wrapping_rem", I, OWN, Output::Own),
    composed("wrapping_div_euclid", I, OWN, Output::Own),
    composed("wrapping_rem_euclid", I, OWN, Output::Own),
    composed("wrapping_neg", I, NONE, Output::Own),
    composed("wrapping_abs", I, NONE, Output::Own),
    composed("wrapping_shl", I, BY, Output::Own),
    composed("wrapping_shr", I, BY, Output::Own),
    composed("wrapping_pow", I, BY, Output::Own),
    composed("saturating_add", I, OWN, Output::Own),
    composed("saturating_sub", I, OWN, Output::Own),
    composed("saturating_mul", I, OWN, Output::Own),
    composed("saturating_neg", I, NONE, Output::Own),
    composed("saturating_abs", I, NONE, Output::Own),
    composed("saturating_div", I, OWN, Output::Own),
    composed("checked_add", I, OWN, Output::Option),
    composed("checked_sub", I, OWN, Output::Option),
    composed("checked_mul", I, OWN, Output::Option),
    composed("checked_div", I, OWN, Output::Option),
    composed("checked_rem", I, OWN, Output::Option),
    composed("checked_div_euclid", I, OWN, Output::Option),
    composed("checked_rem_euclid", I, OWN, Output::Option),
    composed("checked_neg", I, NONE, Output::Option),
    composed("checked_abs", I, NONE, Output::Option),
    composed("checked_shl", I, BY, Output::Option),
    composed("checked_shr", I, BY, Output::Option),
    composed("overflowing_add", I, OWN, Output::Pair),
    composed("overflowing_sub", I, OWN, Output::Pair),
    composed("overflowing_mul", I, OWN, Output::Pair),
    composed("overflowing_neg", I, NONE, Output::Pair),
    composed("overflowing_abs", I, NONE, Output::Pair),
    composed("overflowing_div", I, OWN, Output::Pair),
    composed("overflowing_rem", I, OWN, Output::Pair),
    composed("overflowing_shl", I, BY, Output::Pair),
    composed("overflowing_shr", I, BY, Output::Pair),
];

/// Methods of numbers that are outside, and what to write instead.
pub(super) const LATER: &[(&str, &str)] = &[
    ("ilog", "write a `while` loop"),
    ("ilog10", "write a `while` loop"),
    ("isqrt", "write `(x as f64).sqrt() as u64`"),
    ("checked_pow", "write a `for` loop with `checked_mul`"),
    ("saturating_pow", "write a `for` loop with `saturating_mul`"),
    (
        "overflowing_pow",
        "write a `for` loop with `overflowing_mul`",
    ),
    ("next_up", "use `to_bits` and `from_bits`"),
    ("next_down", "use `to_bits` and `from_bits`"),
    ("is_normal", "compare with `f32::MIN_POSITIVE`"),
    ("classify", "use `is_nan` and `is_finite`"),
    ("abs_sub", "write `(x - y).max(0.0)`"),
    ("checked_next_power_of_two", "use `next_power_of_two`"),
    ("midpoint", "write `(a + b) / 2`"),
    ("to_be", "use `swap_bytes`"),
    ("to_le", "the value is little-endian already"),
];
