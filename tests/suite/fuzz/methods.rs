//! Methods of numbers.

use super::grammar::Grammar;
use super::scalars::{Expression, Leaf};

/// Of integers, with a second one of their type where there is a `?`.
const INTEGERS: &[&str] = &[
    "wrapping_add(?)",
    "wrapping_mul(?)",
    "wrapping_sub(?)",
    "saturating_sub(?)",
    "saturating_add(?)",
    "saturating_mul(?)",
    "swap_bytes()",
    "reverse_bits()",
    "checked_add(?).unwrap_or(?)",
    "checked_sub(?).unwrap_or(?)",
    "checked_mul(?).unwrap_or(?)",
    "checked_div(?).unwrap_or(?)",
    "checked_rem(?).unwrap_or(?)",
    "overflowing_add(?).0",
    "overflowing_mul(?).0",
    "clamp(-, +)",
    "midpoint(?)",
    "to_be()",
];
/// With an amount.
const AMOUNTS: &[&str] = &[
    "rotate_left(#)",
    "rotate_right(#)",
    "pow(#)",
    "wrapping_shl(#)",
    "wrapping_shr(#)",
    "checked_shl(#).unwrap_or(0)",
    "saturating_pow(#)",
    "checked_pow(#).unwrap_or(?)",
    "overflowing_pow(#).0",
    "unbounded_shl(#)",
    "unbounded_shr(#)",
];
/// Those that give a `u32`.
const COUNTS: &[&str] = &[
    "count_ones()",
    "count_zeros()",
    "leading_zeros()",
    "trailing_zeros()",
    "leading_ones()",
    "trailing_ones()",
    "checked_ilog2().unwrap_or(9)",
    "checked_ilog10().unwrap_or(9)",
    "checked_ilog(%).unwrap_or(9)",
];
/// Of integers that have a sign.
const SIGNED: &[&str] = &[
    "wrapping_neg()",
    "wrapping_abs()",
    "signum()",
    "saturating_neg()",
    "checked_isqrt().unwrap_or(?)",
];
/// Of integers that have none.
const UNSIGNED: &[&str] = &[
    "isqrt()",
    "checked_next_multiple_of(?).unwrap_or(?)",
    "carrying_add(?, true).0",
    "borrowing_sub(?, false).0",
    "carrying_mul(?, ?).1",
    "carrying_mul_add(?, ?, ?).1",
    "next_multiple_of(%)",
];
/// With a divisor that is no zero.
const DIVISIONS: &[&str] = &[
    "rem_euclid(%)",
    "div_euclid(%)",
    "wrapping_div(%)",
    "wrapping_rem(%)",
];
/// Of floats, of any value.
const FLOATS: &[&str] = &[
    "abs()",
    "sqrt()",
    "floor()",
    "trunc()",
    "ceil()",
    "round()",
    "round_ties_even()",
    "fract()",
    "recip()",
    "next_up()",
    "next_down()",
];
/// With others.
const PAIRS: &[&str] = &[
    "copysign(?)",
    "midpoint(?)",
    "mul_add(?, ?)",
    "clamp(-, +)",
    "rem_euclid(%)",
];
/// Of arguments from -2 to 2.
const MATH: &[&str] = &[
    "sin()",
    "cos()",
    "tan()",
    "asin()",
    "acos()",
    "atan()",
    "sinh()",
    "cosh()",
    "tanh()",
    "asinh()",
    "exp()",
    "exp2()",
    "exp_m1()",
    "cbrt()",
    "erf()",
    "erfc()",
    "sigmoid()",
    "atan2(1.5)",
    "hypot(0.5)",
    "powi(3)",
];
/// Of positive arguments.
const POSITIVE: &[&str] = &[
    "ln()",
    "ln_1p()",
    "log2()",
    "log10()",
    "rsqrt()",
    "powf(1.5)",
    "acosh()",
    "lgamma()",
];

impl Grammar {
    /// A method of a number of this type.
    pub(super) fn method(&mut self, leaf: Leaf, depth: usize, exact: bool) -> Expression {
        if leaf == Leaf::Bool {
            return self.decision(depth);
        }
        let a = self.scalar(leaf, depth - 1, exact);
        if self.choices.chance(1, 3) {
            let b = self.scalar(leaf, depth - 1, exact);
            let name = *self.choices.one(&["min", "max"]);
            return Expression {
                text: format!("({}).{name}({})", a.text, b.text),
                rough: a.rough || b.rough,
            };
        }
        if self.choices.chance(1, 12) {
            let b = self.scalar(leaf, depth - 1, exact);
            let condition = self.decision(depth);
            return Expression {
                text: format!(
                    "({}).then_some({}).unwrap_or({})",
                    condition.text, a.text, b.text
                ),
                rough: a.rough || b.rough,
            };
        }
        if leaf.is_float() {
            return self.float_method(a, leaf, depth, exact);
        }
        let (name, cast) = match self.choices.below(8) {
            0..=3 => (*self.choices.one(INTEGERS), false),
            4 => (*self.choices.one(AMOUNTS), false),
            5 => (*self.choices.one(COUNTS), true),
            6 if leaf.is_signed() => (*self.choices.one(SIGNED), false),
            6 => (*self.choices.one(UNSIGNED), false),
            _ => (*self.choices.one(DIVISIONS), false),
        };
        let call = self.filled(name, leaf, depth).0;
        Expression::exact(match cast {
            true => format!(
                "((({}) as {name}).{call} as {name})",
                a.text,
                name = leaf.name()
            ),
            false => format!("({}).{call}", a.text),
        })
    }

    fn float_method(&mut self, a: Expression, leaf: Leaf, depth: usize, exact: bool) -> Expression {
        if !exact && self.choices.chance(2, 3) {
            return self.mathematical(&a.text);
        }
        if self.choices.chance(1, 3) {
            let name = *self.choices.one(PAIRS);
            // A remainder jumps, and so does a sign.
            if !(a.rough && matches!(name, "rem_euclid(%)" | "copysign(?)")) {
                let (call, rough) = self.filled(name, leaf, if exact { 0 } else { depth });
                if !rough || !exact && name != "copysign(?)" {
                    return Expression {
                        text: format!("({}).{call}", a.text),
                        rough: a.rough || rough,
                    };
                }
            }
        }
        let name = *self.choices.one(FLOATS);
        let name = if a.rough { "abs()" } else { name };
        Expression {
            text: format!("({}).{name}", a.text),
            rough: a.rough,
        }
    }

    /// A function of a small argument: what a rounding does to a large one is any number.
    pub(super) fn mathematical(&mut self, argument: &str) -> Expression {
        let (low, names) = match self.choices.below(3) {
            0 => ("1.25", POSITIVE),
            _ => ("-2.0", MATH),
        };
        let name = *self.choices.one(names);
        let small = match name {
            // Beyond 1 there is no value, and near it no precision.
            "asin()" | "acos()" => "min(0.5).max(-0.5)".to_owned(),
            _ => format!("min(2.0).max({low})"),
        };
        Expression {
            text: format!("(({argument}).{small}).{name}"),
            rough: true,
        }
    }

    /// A method's name with its arguments, and whether one is rough.
    fn filled(&mut self, name: &str, leaf: Leaf, depth: usize) -> (String, bool) {
        let (mut text, mut rough) = (String::new(), false);
        for symbol in name.chars() {
            match symbol {
                '?' => {
                    let exact = leaf.is_integer() || depth == 0;
                    let value = self.scalar(leaf, depth.saturating_sub(1).min(1), exact);
                    rough |= value.rough;
                    text += &value.text;
                }
                '#' => text += &self.choices.below(9).to_string(),
                '%' => text += &self.literal_divisor(leaf),
                '-' => text += &format!("1 as {}", leaf.name()),
                '+' => text += &format!("5 as {}", leaf.name()),
                other => text.push(other),
            }
        }
        (text, rough)
    }
}
