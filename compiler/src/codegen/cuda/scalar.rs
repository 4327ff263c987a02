//! Scalar operations as C expressions with exactly Rust's meaning; nvcc, NVRTC and g++ agree on every one.
//!
//! Signed arithmetic wraps through unsigned, shifts mask, casts saturate: where C's operator differs, a function of
//! the prelude stands. Templates get their type argument, since literals are `int` in C.

use crate::codegen::scalar::half_conversion;
use crate::scalar::{Binary, Foreign, Leaf, Math, Scalar, Unary};

/// An expression and how tightly it binds.
#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub(super) text: String,
    pub(super) level: u8,
}

/// Names, literals, calls.
pub(super) const ATOM: u8 = 16;
const UNARY: u8 = 15;
/// Sums and differences.
pub(super) const SUM: u8 = 12;
const TERNARY: u8 = 3;

impl Expr {
    pub(super) fn atom(text: impl Into<String>) -> Expr {
        Expr {
            text: text.into(),
            level: ATOM,
        }
    }

    /// In parentheses if it binds less tightly than `level`.
    pub(super) fn at(&self, level: u8) -> String {
        if self.level < level {
            format!("({})", self.text)
        } else {
            self.text.clone()
        }
    }
}

/// The type that an expression is computed in. An index is `u64`, or `u32` where the launch allows: C's `Index`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Repr {
    Leaf(Leaf),
    Index,
}

impl Repr {
    /// Its name in C.
    pub(super) fn name(self) -> &'static str {
        match self {
            Repr::Leaf(leaf) => leaf.name(),
            Repr::Index => "Index",
        }
    }

    fn leaf(self) -> Leaf {
        match self {
            Repr::Leaf(leaf) => leaf,
            Repr::Index => Leaf::U64,
        }
    }

    /// C's operators wrap as Rust's do, without promotion to a signed type.
    fn plain(self) -> bool {
        matches!(
            self,
            Repr::Index | Repr::Leaf(Leaf::U32 | Leaf::U64 | Leaf::F32 | Leaf::F64)
        )
    }
}

/// A literal.
pub(super) fn constant(value: Scalar, repr: Repr) -> Expr {
    let bits = value.bits;
    let unsigned = |bits: u64, wide: &str| {
        if bits <= i32::MAX as u64 {
            Expr::atom(bits.to_string())
        } else {
            Expr::atom(format!("{bits}{wide}"))
        }
    };
    match value.leaf {
        Leaf::Bool => Expr::atom(if bits == 0 { "false" } else { "true" }),
        Leaf::U8 | Leaf::U16 | Leaf::F16 | Leaf::Bf16 => Expr::atom(bits.to_string()),
        Leaf::U32 => unsigned(bits, "u"),
        Leaf::U64 if repr == Repr::Index && bits > u64::from(u32::MAX) => {
            call("Index", &[unsigned(bits, "ull")])
        }
        Leaf::U64 => unsigned(bits, "ull"),
        Leaf::I8 => signed(i64::from(bits as u8 as i8)),
        Leaf::I16 => signed(i64::from(bits as u16 as i16)),
        Leaf::I32 => match bits as u32 as i32 {
            i32::MIN => call("lowest<i32>", &[]),
            value => signed(i64::from(value)),
        },
        Leaf::I64 => match bits as i64 {
            i64::MIN => call("lowest<i64>", &[]),
            value if i32::try_from(value).is_ok_and(|value| value != i32::MIN) => signed(value),
            value => {
                let literal = signed(value);
                Expr {
                    text: literal.text + "ll",
                    ..literal
                }
            }
        },
        Leaf::F32 => float(f64::from(f32::from_bits(bits as u32)), || {
            (
                format!("{:?}f", f32::from_bits(bits as u32)),
                format!("bits_as<f32>(0x{bits:08x}u)"),
            )
        }),
        Leaf::F64 => float(f64::from_bits(bits), || {
            (
                format!("{:?}", f64::from_bits(bits)),
                format!("bits_as<f64>(0x{bits:016x}ull)"),
            )
        }),
    }
}

/// A non-negative literal of type `Index`.
pub(super) fn index_literal(value: u64) -> Expr {
    constant(
        Scalar {
            leaf: Leaf::U64,
            bits: value,
        },
        Repr::Index,
    )
}

fn signed(value: i64) -> Expr {
    Expr {
        text: value.to_string(),
        level: if value < 0 { UNARY } else { ATOM },
    }
}

/// The shortest decimal that reads back the same, or the bits of what has no literal.
fn float(value: f64, texts: impl Fn() -> (String, String)) -> Expr {
    let (decimal, bits) = texts();
    if !value.is_finite() {
        return Expr::atom(bits);
    }
    Expr {
        level: if decimal.starts_with('-') {
            UNARY
        } else {
            ATOM
        },
        text: decimal,
    }
}

/// `function(arguments)`.
pub(super) fn call(function: &str, arguments: &[Expr]) -> Expr {
    let arguments: Vec<&str> = arguments
        .iter()
        .map(|argument| argument.text.as_str())
        .collect();
    Expr::atom(format!("{function}({})", arguments.join(", ")))
}

fn infix(operator: &str, level: u8, a: &Expr, b: &Expr) -> Expr {
    // People misread mixtures of bit operations and comparisons: those get parentheses, sums in comparisons do not.
    let (left, right) = match level {
        12 | 13 => (a.at(level), b.at(level + 1)),
        9 | 10 => (a.at(12), b.at(12)),
        _ => (a.at(UNARY), b.at(UNARY)),
    };
    Expr {
        text: format!("{left} {operator} {right}"),
        level,
    }
}

fn prefix(operator: &str, a: &Expr) -> Expr {
    // A level more than `UNARY`, for `- -x`.
    Expr {
        text: format!("{operator}{}", a.at(ATOM)),
        level: UNARY,
    }
}

/// `(type)x`.
pub(super) fn convert(to: &str, a: &Expr) -> Expr {
    call(to, std::slice::from_ref(a))
}

/// `condition ? a : b`.
pub(super) fn select(condition: &Expr, a: &Expr, b: &Expr) -> Expr {
    Expr {
        text: format!(
            "{} ? {} : {}",
            condition.at(5),
            a.at(TERNARY + 1),
            b.at(TERNARY)
        ),
        level: TERNARY,
    }
}

/// See [`Unary`]; `repr` is the operand's. A float's sign may be changed by the device's arithmetic where `is_number`: nothing
/// sees which NaN results.
pub(super) fn unary(op: Unary, repr: Repr, a: &Expr, is_number: bool) -> Expr {
    let leaf = repr.leaf();
    let name = repr.name();
    let of_float = |function: &str| {
        let suffix = if leaf == Leaf::F32 { "f" } else { "" };
        call(&format!("{function}{suffix}"), std::slice::from_ref(a))
    };
    let of_integer = |function: &str| call(&format!("{function}<{name}>"), std::slice::from_ref(a));
    match op {
        Unary::Neg if leaf.is_float() => match is_number {
            true => call("negated", std::slice::from_ref(a)),
            false => call("sign_flipped", std::slice::from_ref(a)),
        },
        Unary::Neg => of_integer("wrapping_neg"),
        Unary::Not if leaf == Leaf::Bool => prefix("!", a),
        Unary::Not => convert(name, &prefix("~", &convert(name, a))),
        Unary::Abs if leaf.is_float() => match is_number {
            true => of_float("fabs"),
            false => call("sign_cleared", std::slice::from_ref(a)),
        },
        Unary::Abs if leaf.is_signed() => of_integer("wrapping_abs"),
        Unary::Abs => a.clone(),
        Unary::Sqrt => of_float("sqrt"),
        Unary::Floor => of_float("floor"),
        Unary::Ceil => of_float("ceil"),
        Unary::Trunc => of_float("trunc"),
        Unary::Round => of_float("round"),
        Unary::RoundEven => of_float("rint"),
        Unary::CountOnes => of_integer("count_ones"),
        Unary::LeadingZeros => of_integer("leading_zeros"),
        Unary::TrailingZeros => of_integer("trailing_zeros"),
        Unary::SwapBytes => of_integer("swap_bytes"),
        Unary::ReverseBits => of_integer("reverse_bits"),
    }
}

/// See [`Binary`]; `repr` is that of the operands (of the left one for shifts).
pub(super) fn binary(op: Binary, repr: Repr, a: &Expr, b: &Expr) -> Expr {
    let leaf = repr.leaf();
    let name = repr.name();
    let of_type = |function: &str| call(&format!("{function}<{name}>"), &[a.clone(), b.clone()]);
    let of_float = |function: &str| {
        let suffix = if leaf == Leaf::F32 { "f" } else { "" };
        call(&format!("{function}{suffix}"), &[a.clone(), b.clone()])
    };
    let bits = |operator: &str, level: u8| {
        let result = infix(operator, level, a, b);
        if repr.plain() || matches!(leaf, Leaf::I32 | Leaf::I64) {
            result
        } else {
            convert(name, &result)
        }
    };
    let literal = |b: &Expr| b.text.parse::<u64>().ok();
    match op {
        Binary::Add if repr.plain() => infix("+", 12, a, b),
        Binary::Sub if repr.plain() => infix("-", 12, a, b),
        Binary::Mul if repr.plain() => infix("*", 13, a, b),
        Binary::Add => of_type("wrapping_add"),
        Binary::Sub => of_type("wrapping_sub"),
        Binary::Mul => of_type("wrapping_mul"),
        Binary::Div if leaf.is_float() => infix("/", 13, a, b),
        Binary::Rem if leaf.is_float() => of_float("fmod"),
        Binary::Div if repr.plain() && literal(b).is_some_and(|b| b > 0) => infix("/", 13, a, b),
        Binary::Rem if repr.plain() && literal(b).is_some_and(|b| b > 0) => infix("%", 13, a, b),
        Binary::Div => of_type("quotient"),
        Binary::Rem => of_type("remainder_of"),
        Binary::Min => of_type("minimum"),
        Binary::Max => of_type("maximum"),
        Binary::And if leaf == Leaf::Bool => infix("&&", 5, a, b),
        Binary::Or if leaf == Leaf::Bool => infix("||", 4, a, b),
        Binary::Xor if leaf == Leaf::Bool => infix("!=", 9, a, b),
        Binary::And => bits("&", 8),
        Binary::Or => bits("|", 6),
        Binary::Xor => bits("^", 7),
        Binary::Shl => of_type("shift_left"),
        Binary::Shr => of_type("shift_right"),
        Binary::Eq => infix("==", 9, a, b),
        Binary::Ne => infix("!=", 9, a, b),
        Binary::Lt => infix("<", 10, a, b),
        Binary::Le => infix("<=", 10, a, b),
        Binary::Copysign => of_float("copysign"),
        Binary::MulHigh => call("multiply_high", &[convert(name, a), convert(name, b)]),
    }
}

/// Rust's `as`.
pub(super) fn cast(from: Repr, to: Repr, a: &Expr) -> Expr {
    if from == to {
        return a.clone();
    }
    if from.leaf().is_half() || to.leaf().is_half() {
        let function = half_conversion(from.leaf(), to.leaf());
        return call(&function, std::slice::from_ref(a));
    }
    if from.leaf().is_float() && to.leaf().is_integer() {
        // An index is whatever the low bits of the saturated 64 are.
        let saturated = call(
            &format!("saturate<{}>", to.leaf().name()),
            std::slice::from_ref(a),
        );
        return if to == Repr::Index {
            convert("Index", &saturated)
        } else {
            saturated
        };
    }
    convert(to.name(), a)
}

/// The same bits as another type.
pub(super) fn bitcast(from: Repr, to: Repr, a: &Expr) -> Expr {
    if from.leaf().register().is_float() == to.leaf().register().is_float() {
        return convert(to.name(), a);
    }
    call(
        &format!("bits_as<{}>", to.name()),
        &[convert(from.name(), a)],
    )
}

/// A call of the user's function: of exactly its types, whatever it declares.
pub(super) fn foreign(f: &Foreign, arguments: &[Expr]) -> Expr {
    let name = format!("{}::{}", f.namespace(), f.name);
    convert(f.result.name(), &call(&name, arguments))
}

/// See [`Math`]; the table of errors stands in the prelude.
pub(super) fn math(op: Math, leaf: Leaf, arguments: &[Expr]) -> Expr {
    let single = leaf == Leaf::F32;
    let plain = match op {
        Math::Pow if single => return call("pow_f32", arguments),
        Math::Erfc => return call(if single { "erfc_f32" } else { "erfc_f64" }, arguments),
        Math::Rsqrt => return call(if single { "rsqrt_f32" } else { "rsqrt_f64" }, arguments),
        Math::FastDiv => return call("fast_div", arguments),
        Math::MulAdd | Math::Fmuladd => "fma",
        Math::ExpM1 => "expm1",
        Math::Ln => "log",
        Math::Ln1p => "log1p",
        _ => op.name(),
    };
    call(
        &format!("{plain}{}", if single { "f" } else { "" }),
        arguments,
    )
}
