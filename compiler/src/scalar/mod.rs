//! Leaf types, constants and the scalar operations, shared by `ir` and `plan`.
//!
//! `usize` and `isize` are `U64` and `I64` below the type checker. `apply` gives the operations their meaning on
//! constants, bit for bit what Rust computes; `cost` tells what they cost; `special` has the functions that Rust's library lacks.

mod apply;
pub mod cost;
mod foreign;
mod half;
mod name;
mod special;
mod work;

pub use apply::{binary, bitcast, cast, math, unary};
pub use foreign::Foreign;
pub use work::Work;

/// The type of one leaf of an element.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the names are Rust's")]
pub enum Leaf {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    Bf16,
    F32,
    F64,
}

impl Leaf {
    /// Every leaf type.
    pub const ALL: [Leaf; 13] = [
        Leaf::Bool,
        Leaf::I8,
        Leaf::I16,
        Leaf::I32,
        Leaf::I64,
        Leaf::U8,
        Leaf::U16,
        Leaf::U32,
        Leaf::U64,
        Leaf::F16,
        Leaf::Bf16,
        Leaf::F32,
        Leaf::F64,
    ];

    /// Size in memory, in bytes.
    pub fn bytes(self) -> usize {
        self.bits().div_ceil(8) as usize
    }

    /// Bytes of a struct in C of such fields, in this order, with padding.
    pub(crate) fn struct_bytes(fields: impl Iterator<Item = Leaf>) -> u32 {
        let (mut size, mut align) = (0, 1);
        for field in fields {
            let bytes = field.bytes();
            size = usize::next_multiple_of(size, bytes) + bytes;
            align = align.max(bytes);
        }
        size.next_multiple_of(align) as u32
    }

    /// Width of the value in bits; 1 for `bool`.
    pub fn bits(self) -> u32 {
        match self {
            Leaf::Bool => 1,
            Leaf::I8 | Leaf::U8 => 8,
            Leaf::I16 | Leaf::U16 | Leaf::F16 | Leaf::Bf16 => 16,
            Leaf::I32 | Leaf::U32 | Leaf::F32 => 32,
            Leaf::I64 | Leaf::U64 | Leaf::F64 => 64,
        }
    }

    /// A float of 16, 32 or 64 bits.
    pub fn is_float(self) -> bool {
        self.is_half() || matches!(self, Leaf::F32 | Leaf::F64)
    }

    /// A float of 16 bits: stored so, and computed with as `f32`.
    pub fn is_half(self) -> bool {
        matches!(self, Leaf::F16 | Leaf::Bf16)
    }

    /// The type of its values in Rust code: a float of 16 bits is its bits there.
    pub fn register(self) -> Leaf {
        match self.is_half() {
            true => Leaf::U16,
            false => self,
        }
    }

    /// What is computed with it is of this type.
    pub fn computed(self) -> Leaf {
        match self.is_half() {
            true => Leaf::F32,
            false => self,
        }
    }

    /// A signed integer.
    pub fn is_signed(self) -> bool {
        matches!(self, Leaf::I8 | Leaf::I16 | Leaf::I32 | Leaf::I64)
    }

    /// An integer of either sign.
    pub fn is_integer(self) -> bool {
        !self.is_float() && self != Leaf::Bool
    }

    /// Rust's name of the type.
    pub fn name(self) -> &'static str {
        match self {
            Leaf::Bool => "bool",
            Leaf::I8 => "i8",
            Leaf::I16 => "i16",
            Leaf::I32 => "i32",
            Leaf::I64 => "i64",
            Leaf::U8 => "u8",
            Leaf::U16 => "u16",
            Leaf::U32 => "u32",
            Leaf::U64 => "u64",
            Leaf::F16 => "f16",
            Leaf::Bf16 => "bf16",
            Leaf::F32 => "f32",
            Leaf::F64 => "f64",
        }
    }
}

/// A constant: a leaf type and its bits, zero-extended (so equality and hashing are by bits).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Scalar {
    /// The type.
    pub leaf: Leaf,
    /// The value's bits; signed integers are truncated to their width, not sign-extended.
    pub bits: u64,
}

impl Scalar {
    /// The value whose bits are all zero: `false`, 0, +0.0.
    pub fn zero(leaf: Leaf) -> Scalar {
        Scalar { leaf, bits: 0 }
    }

    /// What a reduction by a known operator can start with: neutral on either side.
    pub fn identity(op: Binary, leaf: Leaf) -> Option<Scalar> {
        let ones = mask(leaf);
        let sign = 1 << (leaf.bits() - 1);
        let bits = match op {
            Binary::Add if leaf.is_float() => return Some(Scalar::float(leaf, -0.0)),
            Binary::Add => 0,
            Binary::Mul => return Some(Scalar::one(leaf)),
            Binary::Min | Binary::Max if leaf.is_float() => {
                return Some(Scalar::float(leaf, f64::NAN));
            }
            Binary::Min if leaf.is_signed() => ones & !sign,
            Binary::Min => ones,
            Binary::Max if leaf.is_signed() => sign,
            Binary::Max | Binary::Or | Binary::Xor => 0,
            Binary::And => ones,
            _ => return None,
        };
        Some(Scalar { leaf, bits })
    }

    /// The byte that it consists of, if all its bytes are equal.
    pub fn repeated_byte(self) -> Option<u8> {
        let bytes = &self.bits.to_le_bytes()[..self.leaf.bytes()];
        bytes
            .iter()
            .all(|byte| *byte == bytes[0])
            .then_some(bytes[0])
    }

    /// The value 1, or `true`.
    pub fn one(leaf: Leaf) -> Scalar {
        Scalar::number(leaf, 1)
    }

    /// A small number of any type; integers wrap, `bool` is `value != 0`.
    pub fn number(leaf: Leaf, value: i64) -> Scalar {
        match leaf {
            Leaf::Bool => Scalar::bool(value != 0),
            leaf if leaf.is_float() => Scalar::float(leaf, value as f64),
            _ => Scalar::wrapped(leaf, value as u64),
        }
    }

    /// An integer from the low bits of `bits`.
    pub fn wrapped(leaf: Leaf, bits: u64) -> Scalar {
        Scalar {
            leaf,
            bits: bits & mask(leaf),
        }
    }

    /// A `bool`.
    pub fn bool(value: bool) -> Scalar {
        Scalar {
            leaf: Leaf::Bool,
            bits: value.into(),
        }
    }

    /// A float of any width: the nearest one.
    ///
    /// # Panics
    /// If `leaf` is none of a float.
    pub fn float(leaf: Leaf, value: f64) -> Scalar {
        match leaf {
            Leaf::F64 => Scalar::f64(value),
            Leaf::F32 => Scalar::f32(value as f32),
            _ => half::rounded(leaf, value),
        }
    }

    /// An `f32`.
    pub fn f32(value: f32) -> Scalar {
        Scalar {
            leaf: Leaf::F32,
            bits: value.to_bits().into(),
        }
    }

    /// An `f64`.
    pub fn f64(value: f64) -> Scalar {
        Scalar {
            leaf: Leaf::F64,
            bits: value.to_bits(),
        }
    }

    /// Compares as the value does among those of its type; floats as Rust's `total_cmp`.
    pub fn order(self) -> u64 {
        let sign = 1 << (self.leaf.bits() - 1);
        match self.leaf {
            leaf if leaf.is_float() && self.bits & sign != 0 => !self.bits & mask(leaf),
            leaf if leaf.is_float() || leaf.is_signed() => self.bits ^ sign,
            _ => self.bits,
        }
    }

    /// Whether it is `true`, or not zero as bits.
    pub fn is_true(self) -> bool {
        self.bits != 0
    }

    /// A float, exactly; integers are converted as by `as`.
    pub fn as_f64(self) -> f64 {
        match self.leaf {
            Leaf::F16 | Leaf::Bf16 => half::widened(self.leaf, self.bits).into(),
            Leaf::F32 => f32::from_bits(self.bits as u32).into(),
            Leaf::F64 => f64::from_bits(self.bits),
            _ => self.as_i128() as f64,
        }
    }

    /// As a report prints it: integers by `as i64`, floats truncated, `bool` 0 or 1.
    pub fn as_i64(self) -> i64 {
        match self.leaf {
            leaf if leaf.is_float() => self.as_f64() as i64,
            _ => self.as_i128() as i64,
        }
    }

    /// The mathematical value of an integer or `bool`; of a float its bits.
    pub fn as_i128(self) -> i128 {
        if self.leaf.is_signed() {
            let shift = 64 - self.leaf.bits();
            (((self.bits << shift) as i64) >> shift).into()
        } else {
            self.bits.into()
        }
    }

    /// A NaN, of whichever payload.
    pub fn is_nan(self) -> bool {
        self.leaf.is_float() && self.as_f64().is_nan()
    }

    /// Equal bits, or both NaN: what "equal" means for results.
    pub fn same(self, other: Scalar) -> bool {
        self == other || (self.leaf == other.leaf && self.is_nan() && other.is_nan())
    }
}

/// The bits that a value of this type may have.
fn mask(leaf: Leaf) -> u64 {
    u64::MAX >> (64 - leaf.bits())
}

impl std::fmt::Display for Scalar {
    /// As a Rust literal with its type where that is not obvious: `1.5`, `3u64`, `-0.0`, `true`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.leaf {
            Leaf::Bool => write!(f, "{}", self.is_true()),
            Leaf::F32 => {
                let value = f32::from_bits(self.bits as u32);
                if value.is_nan() {
                    write!(f, "nan:{:08x}_f32", self.bits)
                } else {
                    write!(f, "{value:?}_f32")
                }
            }
            Leaf::F64 => {
                let value = f64::from_bits(self.bits);
                if value.is_nan() {
                    write!(f, "nan:{:016x}_f64", self.bits)
                } else {
                    write!(f, "{value:?}_f64")
                }
            }
            leaf @ (Leaf::F16 | Leaf::Bf16) => {
                let (value, name) = (half::widened(leaf, self.bits), leaf.name());
                if value.is_nan() {
                    write!(f, "nan:{:04x}_{name}", self.bits)
                } else {
                    write!(f, "{value:?}_{name}")
                }
            }
            // Lengths and indices are by far the most common.
            Leaf::U64 => write!(f, "{}", self.bits),
            _ => write!(f, "{}_{}", self.as_i128(), self.leaf.name()),
        }
    }
}

/// Operations of one operand, exact on every back end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Unary {
    /// `-x`; integers wrap.
    Neg,
    /// `!x`: logical on `bool`, bitwise on integers.
    Not,
    /// `x.abs()`; `MIN` wraps to itself.
    Abs,
    /// Correctly rounded square root (floats).
    Sqrt,
    /// `x.floor()` (floats).
    Floor,
    /// `x.ceil()` (floats).
    Ceil,
    /// `x.trunc()` (floats).
    Trunc,
    /// `x.round()`: half away from zero (floats).
    Round,
    /// `x.round_ties_even()` (floats).
    RoundEven,
    /// `x.count_ones()`; the result is `u32` (so too the next two).
    CountOnes,
    /// `x.leading_zeros()`.
    LeadingZeros,
    /// `x.trailing_zeros()`.
    TrailingZeros,
    /// `x.swap_bytes()`.
    SwapBytes,
    /// `x.reverse_bits()`.
    ReverseBits,
}

/// Operations of two operands of one type, exact on every back end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Binary {
    /// Wrapping on integers; so too the next two.
    Add,
    /// See [`Binary::Add`].
    Sub,
    /// See [`Binary::Add`].
    Mul,
    /// Truncating on integers. The divisor is never zero: a guard comes first. `MIN / -1` wraps.
    Div,
    /// `%`: the sign of the dividend; floats as C's `fmod`. Integers: the divisor is never zero; `MIN % -1` is 0.
    Rem,
    /// Rust's `min`; floats ignore NaN, and -0 is less than +0.
    Min,
    /// Rust's `max`; see [`Binary::Min`].
    Max,
    /// `&` on integers and `bool`; so too the next two.
    And,
    /// `|`.
    Or,
    /// `^`.
    Xor,
    /// `<<`: the right operand is `u32`, taken modulo the width.
    Shl,
    /// `>>`: arithmetic on signed integers; the right operand as of [`Binary::Shl`].
    Shr,
    /// Comparisons give `bool` and are IEEE on floats.
    Eq,
    /// `!=`.
    Ne,
    /// `<`.
    Lt,
    /// `<=`.
    Le,
    /// `x.copysign(y)` (floats).
    Copysign,
    /// The high half of the product (integers of 32 and 64 bits).
    MulHigh,
}

/// Mathematical functions, and arithmetic that `#[fast_math]` allows. All but `MulAdd` are inexact: each back end documents
/// its largest error, and no pass folds them on constants.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the names are Rust's")]
pub enum Math {
    /// `a.mul_add(b, c)`: exact, one rounding.
    MulAdd,
    /// `a * b + c`, the product rounded or not: whichever is faster.
    Fmuladd,
    /// `a / b` of `f32`, within 2 ulp on a GPU where `b` is between 2^-126 and 2^126 in magnitude, and zero for a larger one.
    FastDiv,
    Exp,
    Exp2,
    ExpM1,
    Ln,
    Ln1p,
    Log2,
    Log10,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    /// `y.atan2(x)`.
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Pow,
    Cbrt,
    Hypot,
    Erf,
    Erfc,
    Lgamma,
    Tgamma,
    /// `1 / sqrt(x)`.
    Rsqrt,
}

impl Math {
    /// Number of operands.
    pub fn arity(self) -> usize {
        match self {
            Math::MulAdd | Math::Fmuladd => 3,
            Math::FastDiv | Math::Atan2 | Math::Pow | Math::Hypot => 2,
            _ => 1,
        }
    }

    /// Whether it is arithmetic that only `#[fast_math]` makes: of one instruction or a few, and rounded as that likes.
    pub fn is_relaxed(self) -> bool {
        matches!(self, Math::Fmuladd | Math::FastDiv)
    }

    /// Whether it is arithmetic, of a few instructions.
    pub fn is_arithmetic(self) -> bool {
        self == Math::MulAdd || self.is_relaxed()
    }
}
