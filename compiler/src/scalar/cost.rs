//! What scalar operations cost, in additions: the table behind estimates of fusion and the counting of work.

use super::{Binary, Leaf, Math, Unary};

/// An element that is read or written.
pub const ELEMENT: u64 = 8;
/// A choice between two values.
pub const SELECT: u64 = 1;
/// A foreign function, whatever it does.
pub const FOREIGN: u64 = 15;
/// A conversion.
pub const CAST: u64 = 1;

/// An operation of one operand.
pub fn unary(op: Unary) -> u64 {
    match op {
        Unary::Sqrt => 4,
        Unary::Neg
        | Unary::Not
        | Unary::Abs
        | Unary::Floor
        | Unary::Ceil
        | Unary::Trunc
        | Unary::Round
        | Unary::RoundEven
        | Unary::CountOnes
        | Unary::LeadingZeros
        | Unary::TrailingZeros
        | Unary::SwapBytes
        | Unary::ReverseBits => 1,
    }
}

/// An operation of two operands, of which the left one has this type.
pub fn binary(op: Binary, leaf: Leaf) -> u64 {
    match op {
        Binary::Div | Binary::Rem => match leaf {
            Leaf::F32 => 4,
            Leaf::F64 => 8,
            _ => 10,
        },
        Binary::Add
        | Binary::Sub
        | Binary::Mul
        | Binary::Min
        | Binary::Max
        | Binary::And
        | Binary::Or
        | Binary::Xor
        | Binary::Shl
        | Binary::Shr
        | Binary::Eq
        | Binary::Ne
        | Binary::Lt
        | Binary::Le
        | Binary::Copysign
        | Binary::MulHigh => 1,
    }
}

/// A mathematical function.
pub fn math(f: Math) -> u64 {
    match f {
        Math::MulAdd | Math::Fmuladd => 1,
        Math::FastDiv => 3,
        Math::Pow | Math::Lgamma | Math::Tgamma => 40,
        _ => 15,
    }
}
