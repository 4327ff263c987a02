//! The methods of Rust's numbers, of `bool` and of `char`: one row each.

use super::operators::Class;
use crate::scalar::{Binary, Math, Unary};

/// A further argument of a method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Argument {
    /// Of the receiver's type.
    Own,
    /// The integer of the same width and the other sign.
    Other,
    U32,
    I32,
    F32,
    F64,
    Bool,
    /// The unsigned type of the same width, by its bits.
    Bits,
    /// The bytes of the receiver's type.
    Bytes,
}

/// The type of a method's result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Output {
    Own,
    Bool,
    U32,
    F32,
    F64,
    Usize,
    /// The unsigned type of the same width.
    Unsigned,
    /// The integer of the same width and the other sign.
    Other,
    /// `Option` of the own type.
    Option,
    /// `Option` of a `u32`.
    OptionU32,
    /// `Option` of the integer of the same width and the other sign.
    OptionOther,
    /// The own type and a `bool`.
    Pair,
    /// The own type twice.
    Twice,
    /// The unsigned type of the same width, by its bits.
    Bits,
    /// Its bytes.
    Bytes,
}

/// What a method becomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    Unary(Unary),
    Binary(Binary),
    Math(Math),
    /// Made of simpler operations by `lower`, under its own name.
    Composed,
    /// Written in the language: see `syntax::methods`.
    Written,
    /// The bits as a value of the other type.
    Bitcast,
    /// `as`.
    Cast,
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

/// A float of 16 bits from another.
const fn converted(name: &'static str, arguments: &'static [Argument]) -> Row {
    row(name, H, arguments, Output::Own, Meaning::Cast)
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

const fn written(
    name: &'static str,
    class: Class,
    arguments: &'static [Argument],
    output: Output,
) -> Row {
    row(name, class, arguments, output, Meaning::Written)
}

const F: Class = Class::Float;
const H: Class = Class::Half;
const I: Class = Class::Integer;
const S: Class = Class::SignedInteger;
const U: Class = Class::Unsigned;
const A: Class = Class::Ascii;
const N: Class = Class::Number;
const NONE: &[Argument] = &[];
const OWN: &[Argument] = &[Argument::Own];
const OWN2: &[Argument] = &[Argument::Own, Argument::Own];
const OTHER: &[Argument] = &[Argument::Other];
const BY: &[Argument] = &[Argument::U32];
const CARRY: &[Argument] = &[Argument::Own, Argument::Bool];

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
    row(
        "min",
        Class::Bool,
        OWN,
        Output::Own,
        Meaning::Binary(Binary::And),
    ),
    row(
        "max",
        Class::Bool,
        OWN,
        Output::Own,
        Meaning::Binary(Binary::Or),
    ),
    row(
        "min",
        Class::Char,
        OWN,
        Output::Own,
        Meaning::Binary(Binary::Min),
    ),
    row(
        "max",
        Class::Char,
        OWN,
        Output::Own,
        Meaning::Binary(Binary::Max),
    ),
    row("mul_add", F, OWN2, Output::Own, Meaning::Math(Math::MulAdd)),
    row("to_bits", F, NONE, Output::Bits, Meaning::Bitcast),
    row("to_f32", H, NONE, Output::F32, Meaning::Cast),
    row("to_f64", H, NONE, Output::F64, Meaning::Cast),
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
    composed("midpoint", F, OWN, Output::Own),
    written("is_normal", F, NONE, Output::Bool),
    written("is_subnormal", F, NONE, Output::Bool),
    written("next_up", F, NONE, Output::Own),
    written("next_down", F, NONE, Output::Own),
    // On both.
    composed("signum", Class::Signed, NONE, Output::Own),
    composed("clamp", N, OWN2, Output::Own),
    composed("clamp", Class::Bool, OWN2, Output::Own),
    composed("clamp", Class::Char, OWN2, Output::Own),
    composed("to_be_bytes", N, NONE, Output::Bytes),
    composed("to_le_bytes", N, NONE, Output::Bytes),
    composed("to_ne_bytes", N, NONE, Output::Bytes),
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
    composed("wrapping_add_unsigned", S, OTHER, Output::Own),
    composed("wrapping_sub_unsigned", S, OTHER, Output::Own),
    composed("wrapping_add_signed", U, OTHER, Output::Own),
    composed("wrapping_sub_signed", U, OTHER, Output::Own),
    composed("saturating_add_unsigned", S, OTHER, Output::Own),
    composed("saturating_sub_unsigned", S, OTHER, Output::Own),
    composed("saturating_add_signed", U, OTHER, Output::Own),
    composed("saturating_sub_signed", U, OTHER, Output::Own),
    composed("checked_add_unsigned", S, OTHER, Output::Option),
    composed("checked_sub_unsigned", S, OTHER, Output::Option),
    composed("checked_add_signed", U, OTHER, Output::Option),
    composed("checked_sub_signed", U, OTHER, Output::Option),
    composed("overflowing_add_unsigned", S, OTHER, Output::Pair),
    composed("overflowing_sub_unsigned", S, OTHER, Output::Pair),
    composed("overflowing_add_signed", U, OTHER, Output::Pair),
    composed("overflowing_sub_signed", U, OTHER, Output::Pair),
    composed("strict_add_unsigned", S, OTHER, Output::Own),
    composed("strict_sub_unsigned", S, OTHER, Output::Own),
    composed("strict_add_signed", U, OTHER, Output::Own),
    composed("strict_sub_signed", U, OTHER, Output::Own),
    composed("strict_add", I, OWN, Output::Own),
    composed("strict_sub", I, OWN, Output::Own),
    composed("strict_mul", I, OWN, Output::Own),
    composed("strict_div", I, OWN, Output::Own),
    composed("strict_rem", I, OWN, Output::Own),
    composed("strict_div_euclid", I, OWN, Output::Own),
    composed("strict_rem_euclid", I, OWN, Output::Own),
    composed("strict_neg", I, NONE, Output::Own),
    composed("strict_abs", S, NONE, Output::Own),
    composed("strict_shl", I, BY, Output::Own),
    composed("strict_shr", I, BY, Output::Own),
    composed("overflowing_div_euclid", I, OWN, Output::Pair),
    composed("overflowing_rem_euclid", I, OWN, Output::Pair),
    written("overflowing_pow", I, BY, Output::Pair),
    written("checked_pow", I, BY, Output::Option),
    written("saturating_pow", I, BY, Output::Own),
    written("strict_pow", I, BY, Output::Own),
    written("isqrt", I, NONE, Output::Own),
    written("checked_isqrt", S, NONE, Output::Option),
    written("ilog", I, OWN, Output::U32),
    written("ilog10", I, NONE, Output::U32),
    written("checked_ilog", I, OWN, Output::OptionU32),
    written("checked_ilog2", I, NONE, Output::OptionU32),
    written("checked_ilog10", I, NONE, Output::OptionU32),
    written("midpoint", I, OWN, Output::Own),
    written("next_multiple_of", U, OWN, Output::Own),
    written("checked_next_multiple_of", U, OWN, Output::Option),
    written("checked_next_power_of_two", U, NONE, Output::Option),
    written("is_multiple_of", U, OWN, Output::Bool),
    written("checked_signed_diff", U, OWN, Output::OptionOther),
    written("unbounded_shl", I, BY, Output::Own),
    written("unbounded_shr", I, BY, Output::Own),
    written("carrying_add", U, CARRY, Output::Pair),
    written("borrowing_sub", U, CARRY, Output::Pair),
    written("carrying_mul", U, OWN2, Output::Twice),
    composed(
        "carrying_mul_add",
        U,
        &[Argument::Own, Argument::Own, Argument::Own],
        Output::Twice,
    ),
    composed("cast_unsigned", S, NONE, Output::Other),
    composed("cast_signed", U, NONE, Output::Other),
    unary("to_be", I, Unary::SwapBytes),
    row("to_le", I, NONE, Output::Own, Meaning::Bitcast),
    // On letters.
    written("is_ascii", A, NONE, Output::Bool),
    written("is_ascii_alphabetic", A, NONE, Output::Bool),
    written("is_ascii_alphanumeric", A, NONE, Output::Bool),
    written("is_ascii_control", A, NONE, Output::Bool),
    written("is_ascii_digit", A, NONE, Output::Bool),
    written("is_ascii_graphic", A, NONE, Output::Bool),
    written("is_ascii_hexdigit", A, NONE, Output::Bool),
    written("is_ascii_lowercase", A, NONE, Output::Bool),
    written("is_ascii_punctuation", A, NONE, Output::Bool),
    written("is_ascii_uppercase", A, NONE, Output::Bool),
    written("is_ascii_whitespace", A, NONE, Output::Bool),
    written("to_ascii_lowercase", A, NONE, Output::Own),
    written("to_ascii_uppercase", A, NONE, Output::Own),
    written("eq_ignore_ascii_case", A, OWN, Output::Bool),
    written("is_control", Class::Char, NONE, Output::Bool),
    written("is_whitespace", Class::Char, NONE, Output::Bool),
    written("is_digit", Class::Char, BY, Output::Bool),
    written("to_digit", Class::Char, BY, Output::OptionU32),
    written("len_utf8", Class::Char, NONE, Output::Usize),
    written("len_utf16", Class::Char, NONE, Output::Usize),
];

/// The functions of a type that have no receiver: all arguments are listed.
pub(super) const FUNCTIONS: &[Row] = &[
    row(
        "from_bits",
        F,
        &[Argument::Bits],
        Output::Own,
        Meaning::Bitcast,
    ),
    composed("from_be_bytes", N, &[Argument::Bytes], Output::Own),
    composed("from_le_bytes", N, &[Argument::Bytes], Output::Own),
    composed("from_ne_bytes", N, &[Argument::Bytes], Output::Own),
    row(
        "from_be",
        I,
        OWN,
        Output::Own,
        Meaning::Unary(Unary::SwapBytes),
    ),
    row("from_le", I, OWN, Output::Own, Meaning::Bitcast),
    converted("from_f32", &[Argument::F32]),
    converted("from_f32_const", &[Argument::F32]),
    converted("from_f64", &[Argument::F64]),
    converted("from_f64_const", &[Argument::F64]),
    written("from_u32", Class::Char, BY, Output::Option),
    written(
        "from_digit",
        Class::Char,
        &[Argument::U32, Argument::U32],
        Output::Option,
    ),
    row(
        "from_u32_unchecked",
        Class::Char,
        BY,
        Output::Own,
        Meaning::Bitcast,
    ),
];

/// Methods that are outside, and what to write instead.
pub(super) const OUTSIDE: &[(&str, &str)] = &[
    (
        "classify",
        "use `is_nan`, `is_infinite`, `is_subnormal` and `is_normal`",
    ),
    ("abs_sub", "write `(x - y).max(0.0)`"),
    ("to_int_unchecked", "write `as`: it saturates"),
    ("unchecked_add", WRAPPING),
    ("unchecked_sub", WRAPPING),
    ("unchecked_mul", WRAPPING),
    ("is_alphabetic", TABLES),
    ("is_alphanumeric", TABLES),
    ("is_lowercase", TABLES),
    ("is_numeric", TABLES),
    ("is_uppercase", TABLES),
    ("to_lowercase", TABLES),
    ("to_uppercase", TABLES),
    (
        "make_ascii_lowercase",
        "assign the new value: `c = c.to_ascii_lowercase()`",
    ),
    (
        "make_ascii_uppercase",
        "assign the new value: `c = c.to_ascii_uppercase()`",
    ),
    ("encode_utf8", TEXTS),
    ("encode_utf16", TEXTS),
    ("escape_ascii", TEXTS),
    ("escape_debug", TEXTS),
    ("escape_default", TEXTS),
    ("escape_unicode", TEXTS),
    ("from_str_radix", TEXTS),
    ("to_string", TEXTS),
];

const WRAPPING: &str = "nothing is undefined here: write `wrapping_` or `checked_`";
const TABLES: &str =
    "Unicode's tables are not here: use the methods for ASCII, such as `is_ascii_alphabetic`";
const TEXTS: &str = "texts stand in `assert!(condition, \"text\")` only";
