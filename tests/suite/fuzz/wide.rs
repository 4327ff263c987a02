//! Numbers on their way through integers of 128 bits.

use super::grammar::Grammar;
use super::scalars::{Expression, Leaf};

/// Of both types, with `?` for another value, `#` for a count.
const METHODS: &[&str] = &[
    "wrapping_mul(?)",
    "saturating_add(?)",
    "saturating_mul(?)",
    "checked_sub(?).unwrap_or(?)",
    "overflowing_mul(?).0",
    "min(?)",
    "max(?)",
    "abs_diff(?)",
    "midpoint(?)",
    "rem_euclid(7)",
    "div_euclid(1_000_000_000_039)",
    "rotate_left(#)",
    "unbounded_shr(#)",
    "swap_bytes()",
    "reverse_bits()",
    "pow(3)",
    "unsigned_abs()",
    "max(0).isqrt()",
    "checked_div(?).unwrap_or(?)",
];
/// Those that give a `u32`.
const COUNTS: &[&str] = &[
    "count_ones()",
    "leading_zeros()",
    "trailing_zeros()",
    "is_power_of_two()",
    "cmp(&?).is_lt()",
];
const AMOUNTS: &[&str] = &["0", "1", "31", "32", "63", "64", "65", "100", "127"];

impl Grammar {
    /// A number that comes from such an integer.
    pub(super) fn wide(&mut self, leaf: Leaf, depth: usize) -> Expression {
        let wide = *self.choices.one(&["u128", "i128"]);
        let value = self.wide_value(wide, depth);
        let name = leaf.name();
        let text = match self.choices.below(6) {
            0 if leaf.is_integer() => {
                let method = *self.choices.one(COUNTS);
                let call = self.call(wide, method, depth);
                format!("(({value}).{call} as {name})")
            }
            1 if leaf.is_integer() => {
                let other = self.wide_value(wide, depth.min(1));
                let operator = *self.choices.one(&["<", "<=", ">", "==", "!="]);
                format!("((({value}) {operator} ({other})) as {name})")
            }
            2..=4 => {
                let by = *self.choices.one(AMOUNTS);
                format!("((({value}) >> {by}) as {name})")
            }
            _ => format!("(({value}) as {name})"),
        };
        Expression::exact(text)
    }

    fn wide_value(&mut self, wide: &str, depth: usize) -> String {
        let a = self.widened(wide, depth);
        match self.choices.below(12) {
            0..=3 => {
                let operator = *self.choices.one(&["+", "-", "*", "*", "&", "|", "^"]);
                let b = self.widened(wide, depth);
                format!("({a} {operator} {b})")
            }
            4 | 5 => {
                let operator = *self.choices.one(&["/", "%"]);
                let divisor = match self.failing && self.choices.chance(1, 3) {
                    true => self.widened(wide, depth),
                    false => {
                        let number = [
                            "3",
                            "1_000_000_007",
                            "0xFFFF_FFFF_FFFF",
                            "0x1_0000_0000_0000_0001",
                        ];
                        (*self.choices.one(&number)).to_owned()
                    }
                };
                let factor = self.widened(wide, depth.min(1));
                format!("({a} * {factor} {operator} {divisor})")
            }
            6 | 7 => {
                let operator = *self.choices.one(&["<<", ">>"]);
                let by = match self.choices.chance(1, 2) {
                    true => (*self.choices.one(AMOUNTS)).to_owned(),
                    false => format!(
                        "({})",
                        self.scalar(Leaf::U8, depth.saturating_sub(1), true).text
                    ),
                };
                format!("(({a}) {operator} {by})")
            }
            8..=10 => {
                let method = *self.choices.one(METHODS);
                let call = self.call(wide, method, depth);
                format!("(({a}).{call} as {wide})")
            }
            _ => format!("(!{a})"),
        }
    }

    /// A number as such an integer.
    fn widened(&mut self, wide: &str, depth: usize) -> String {
        let leaves = [
            Leaf::U64,
            Leaf::I64,
            Leaf::I32,
            Leaf::U8,
            Leaf::F32,
            Leaf::F64,
        ];
        let from = *self.choices.one(&leaves);
        let value = self.scalar(from, depth.saturating_sub(1), true).text;
        format!("(({value}) as {wide})")
    }

    fn call(&mut self, wide: &str, method: &str, depth: usize) -> String {
        let mut text = String::new();
        for symbol in method.chars() {
            match symbol {
                '?' => text += &self.widened(wide, depth.min(1)),
                '#' => text += *self.choices.one(AMOUNTS),
                other => text.push(other),
            }
        }
        text
    }
}
