//! Names and symbols of the operations, for every printer.

use super::{Binary, Math, Unary};

impl Unary {
    /// Its name in texts.
    pub fn name(self) -> &'static str {
        match self {
            Unary::Neg => "neg",
            Unary::Not => "not",
            Unary::Abs => "abs",
            Unary::Sqrt => "sqrt",
            Unary::Floor => "floor",
            Unary::Ceil => "ceil",
            Unary::Trunc => "trunc",
            Unary::Round => "round",
            Unary::RoundEven => "round_ties_even",
            Unary::CountOnes => "count_ones",
            Unary::LeadingZeros => "leading_zeros",
            Unary::TrailingZeros => "trailing_zeros",
            Unary::SwapBytes => "swap_bytes",
            Unary::ReverseBits => "reverse_bits",
        }
    }
}

impl Binary {
    /// Its name in texts.
    pub fn name(self) -> &'static str {
        match self {
            Binary::Add => "add",
            Binary::Sub => "sub",
            Binary::Mul => "mul",
            Binary::Div => "div",
            Binary::Rem => "rem",
            Binary::Min => "min",
            Binary::Max => "max",
            Binary::And => "and",
            Binary::Or => "or",
            Binary::Xor => "xor",
            Binary::Shl => "shl",
            Binary::Shr => "shr",
            Binary::Eq => "eq",
            Binary::Ne => "ne",
            Binary::Lt => "lt",
            Binary::Le => "le",
            Binary::Copysign => "copysign",
            Binary::MulHigh => "mul_high",
        }
    }

    /// Its symbol and precedence (Rust's, from 1), if it is an operator.
    pub fn symbol(self) -> Option<(&'static str, u32)> {
        Some(match self {
            Binary::Mul => ("*", 7),
            Binary::Div => ("/", 7),
            Binary::Rem => ("%", 7),
            Binary::Add => ("+", 6),
            Binary::Sub => ("-", 6),
            Binary::Shl => ("<<", 5),
            Binary::Shr => (">>", 5),
            Binary::And => ("&", 4),
            Binary::Xor => ("^", 3),
            Binary::Or => ("|", 2),
            Binary::Eq => ("==", 1),
            Binary::Ne => ("!=", 1),
            Binary::Lt => ("<", 1),
            Binary::Le => ("<=", 1),
            Binary::Min | Binary::Max | Binary::Copysign | Binary::MulHigh => {
                return None;
            }
        })
    }
}

impl Math {
    /// Its name in texts and in the runtime: Rust's, but `pow`.
    pub fn name(self) -> &'static str {
        match self {
            Math::MulAdd => "mul_add",
            Math::Fmuladd => "fmuladd",
            Math::FastDiv => "fast_div",
            Math::Exp => "exp",
            Math::Exp2 => "exp2",
            Math::ExpM1 => "exp_m1",
            Math::Ln => "ln",
            Math::Ln1p => "ln_1p",
            Math::Log2 => "log2",
            Math::Log10 => "log10",
            Math::Sin => "sin",
            Math::Cos => "cos",
            Math::Tan => "tan",
            Math::Asin => "asin",
            Math::Acos => "acos",
            Math::Atan => "atan",
            Math::Atan2 => "atan2",
            Math::Sinh => "sinh",
            Math::Cosh => "cosh",
            Math::Tanh => "tanh",
            Math::Asinh => "asinh",
            Math::Acosh => "acosh",
            Math::Atanh => "atanh",
            Math::Pow => "pow",
            Math::Cbrt => "cbrt",
            Math::Hypot => "hypot",
            Math::Erf => "erf",
            Math::Erfc => "erfc",
            Math::Lgamma => "lgamma",
            Math::Tgamma => "tgamma",
            Math::Rsqrt => "rsqrt",
        }
    }
}
