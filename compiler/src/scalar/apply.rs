//! What the scalar operations compute: Rust's meaning, bit for bit. Used by `ir::eval` and by constant folding.

use super::{Binary, Leaf, Math, Scalar, Unary, mask, special};
use std::cmp::Ordering;

/// A unary operation.
pub fn unary(op: Unary, a: Scalar) -> Scalar {
    match a.leaf {
        leaf if leaf.is_half() => match op {
            // Of a NaN, too.
            Unary::Neg => Scalar::wrapped(leaf, a.bits ^ 0x8000),
            Unary::Abs => Scalar::wrapped(leaf, a.bits & 0x7fff),
            op => cast(leaf, unary(op, cast(Leaf::F32, a))),
        },
        Leaf::F32 => unary_f32(op, a),
        Leaf::F64 => unary_f64(op, a),
        _ => unary_integer(op, a),
    }
}

fn unary_f32(op: Unary, a: Scalar) -> Scalar {
    let x = f32::from_bits(a.bits as u32);
    Scalar::f32(match op {
        Unary::Neg => -x,
        Unary::Abs => x.abs(),
        Unary::Sqrt => x.sqrt(),
        Unary::Floor => x.floor(),
        Unary::Ceil => x.ceil(),
        Unary::Trunc => x.trunc(),
        Unary::Round => x.round(),
        Unary::RoundEven => x.round_ties_even(),
        Unary::Not
        | Unary::CountOnes
        | Unary::LeadingZeros
        | Unary::TrailingZeros
        | Unary::SwapBytes
        | Unary::ReverseBits => panic!("{op:?} of a float"),
    })
}

fn unary_f64(op: Unary, a: Scalar) -> Scalar {
    let x = f64::from_bits(a.bits);
    Scalar::f64(match op {
        Unary::Neg => -x,
        Unary::Abs => x.abs(),
        Unary::Sqrt => x.sqrt(),
        Unary::Floor => x.floor(),
        Unary::Ceil => x.ceil(),
        Unary::Trunc => x.trunc(),
        Unary::Round => x.round(),
        Unary::RoundEven => x.round_ties_even(),
        Unary::Not
        | Unary::CountOnes
        | Unary::LeadingZeros
        | Unary::TrailingZeros
        | Unary::SwapBytes
        | Unary::ReverseBits => panic!("{op:?} of a float"),
    })
}

fn unary_integer(op: Unary, a: Scalar) -> Scalar {
    let width = a.leaf.bits();
    let count = |n: u32| Scalar::wrapped(Leaf::U32, n.into());
    match op {
        Unary::Neg => Scalar::wrapped(a.leaf, a.bits.wrapping_neg()),
        Unary::Not => Scalar::wrapped(a.leaf, !a.bits),
        Unary::Abs => Scalar::wrapped(a.leaf, a.as_i128().unsigned_abs() as u64),
        Unary::CountOnes => count(a.bits.count_ones()),
        Unary::LeadingZeros => count(a.bits.leading_zeros() - (64 - width)),
        Unary::TrailingZeros => count(a.bits.trailing_zeros().min(width)),
        Unary::SwapBytes => Scalar::wrapped(a.leaf, a.bits.swap_bytes() >> (64 - width)),
        Unary::ReverseBits => Scalar::wrapped(a.leaf, a.bits.reverse_bits() >> (64 - width)),
        Unary::Sqrt
        | Unary::Floor
        | Unary::Ceil
        | Unary::Trunc
        | Unary::Round
        | Unary::RoundEven => {
            panic!("{op:?} of an integer")
        }
    }
}

/// A binary operation. Integer division by zero, which no valid program reaches, gives zero.
pub fn binary(op: Binary, a: Scalar, b: Scalar) -> Scalar {
    match op {
        Binary::Eq => Scalar::bool(compare(a, b) == Some(Ordering::Equal)),
        Binary::Ne => Scalar::bool(compare(a, b) != Some(Ordering::Equal)),
        Binary::Lt => Scalar::bool(compare(a, b) == Some(Ordering::Less)),
        Binary::Le => Scalar::bool(matches!(
            compare(a, b),
            Some(Ordering::Less | Ordering::Equal)
        )),
        Binary::Min if a.leaf.is_float() => extreme(a, b, Ordering::Less),
        Binary::Max if a.leaf.is_float() => extreme(a, b, Ordering::Greater),
        Binary::Copysign if a.leaf.is_half() => {
            Scalar::wrapped(a.leaf, a.bits & 0x7fff | b.bits & 0x8000)
        }
        op if a.leaf.is_half() => {
            let [x, y] = [a, b].map(|half| cast(Leaf::F32, half));
            cast(a.leaf, binary(op, x, y))
        }
        _ => match a.leaf {
            Leaf::F32 => {
                let (x, y) = (f32::from_bits(a.bits as u32), f32::from_bits(b.bits as u32));
                Scalar::f32(match op {
                    Binary::Add => x + y,
                    Binary::Sub => x - y,
                    Binary::Mul => x * y,
                    Binary::Div => x / y,
                    Binary::Rem => x % y,
                    Binary::Copysign => x.copysign(y),
                    _ => panic!("{op:?} of floats"),
                })
            }
            Leaf::F64 => {
                let (x, y) = (f64::from_bits(a.bits), f64::from_bits(b.bits));
                Scalar::f64(match op {
                    Binary::Add => x + y,
                    Binary::Sub => x - y,
                    Binary::Mul => x * y,
                    Binary::Div => x / y,
                    Binary::Rem => x % y,
                    Binary::Copysign => x.copysign(y),
                    _ => panic!("{op:?} of floats"),
                })
            }
            _ => binary_integer(op, a, b),
        },
    }
}

fn compare(a: Scalar, b: Scalar) -> Option<Ordering> {
    if a.leaf.is_float() {
        a.as_f64().partial_cmp(&b.as_f64())
    } else {
        Some(a.as_i128().cmp(&b.as_i128()))
    }
}

/// `min` and `max` of floats: NaN is ignored, -0 is less than +0.
fn extreme(a: Scalar, b: Scalar, wanted: Ordering) -> Scalar {
    let (x, y) = (a.as_f64(), b.as_f64());
    if x.is_nan() {
        b
    } else if y.is_nan() || x.total_cmp(&y) == wanted {
        a
    } else {
        b
    }
}

fn binary_integer(op: Binary, a: Scalar, b: Scalar) -> Scalar {
    let wrapped = |bits| Scalar::wrapped(a.leaf, bits);
    let width = a.leaf.bits();
    let (x, y) = (a.as_i128(), b.as_i128());
    match op {
        Binary::Add => wrapped(a.bits.wrapping_add(b.bits)),
        Binary::Sub => wrapped(a.bits.wrapping_sub(b.bits)),
        Binary::Mul => wrapped(a.bits.wrapping_mul(b.bits)),
        Binary::Div => wrapped(x.checked_div(y).unwrap_or(0) as u64),
        Binary::Rem => wrapped(x.checked_rem(y).unwrap_or(0) as u64),
        Binary::Min => wrapped(x.min(y) as u64),
        Binary::Max => wrapped(x.max(y) as u64),
        Binary::And => wrapped(a.bits & b.bits),
        Binary::Or => wrapped(a.bits | b.bits),
        Binary::Xor => wrapped(a.bits ^ b.bits),
        Binary::Shl => wrapped(a.bits << (b.bits as u32 & (width - 1))),
        Binary::Shr => wrapped((x >> (b.bits as u32 & (width - 1))) as u64),
        Binary::MulHigh if a.leaf.is_signed() => wrapped(((x * y) >> width) as u64),
        Binary::MulHigh => {
            let product = u128::from(a.bits) * u128::from(b.bits);
            wrapped((product >> width) as u64)
        }
        Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le => unreachable!("decided above"),
        Binary::Copysign => panic!("copysign of integers"),
    }
}

/// Rust's `as`; also to `bool` from `bool`, and to floats from `bool` by way of 0 and 1.
pub fn cast(to: Leaf, a: Scalar) -> Scalar {
    match (a.leaf, to) {
        (from, to) if from == to => a,
        (from, to) if from.is_float() && to.is_float() => Scalar::float(to, a.as_f64()),
        (from, _) if from.is_float() => {
            // 128 bits hold every target, so one saturating conversion and a clamp are Rust's saturating cast.
            let x = a.as_f64() as i128;
            let (low, high) = if to.is_signed() {
                (-(1i128 << (to.bits() - 1)), (1i128 << (to.bits() - 1)) - 1)
            } else {
                (0, i128::from(mask(to)))
            };
            Scalar::wrapped(to, x.clamp(low, high) as u64)
        }
        (_, Leaf::F32) => Scalar::f32(a.as_i128() as f32),
        // An integer by way of `f32`, as all that is computed with halves.
        (_, Leaf::F16 | Leaf::Bf16) => cast(to, Scalar::f32(a.as_i128() as f32)),
        (_, Leaf::F64) => Scalar::f64(a.as_i128() as f64),
        (_, Leaf::Bool) => Scalar::bool(a.is_true()),
        (_, _) => Scalar::wrapped(to, a.as_i128() as u64),
    }
}

/// The same bits as another type of the same width.
pub fn bitcast(to: Leaf, a: Scalar) -> Scalar {
    debug_assert_eq!(to.bits(), a.leaf.bits());
    Scalar {
        leaf: to,
        bits: a.bits,
    }
}

/// A mathematical function. `f32` is computed in `f64` and rounded once, which is as exact as it gets.
pub fn math(f: Math, arguments: &[Scalar]) -> Scalar {
    let leaf = arguments[0].leaf;
    if leaf.is_half() {
        let wide: Vec<Scalar> = arguments.iter().map(|&x| cast(Leaf::F32, x)).collect();
        return cast(leaf, math(f, &wide));
    }
    let x = arguments[0].as_f64();
    let y = arguments.get(1).map_or(0.0, |y| y.as_f64());
    let single = arguments[0].leaf == Leaf::F32;
    if f == Math::MulAdd {
        let z = arguments[2];
        return if single {
            Scalar::f32((x as f32).mul_add(y as f32, z.as_f64() as f32))
        } else {
            Scalar::f64(x.mul_add(y, z.as_f64()))
        };
    }
    let result = match f {
        Math::MulAdd => unreachable!("done above"),
        Math::Fmuladd => {
            let product = binary(Binary::Mul, arguments[0], arguments[1]);
            return binary(Binary::Add, product, arguments[2]);
        }
        Math::FastDiv => return binary(Binary::Div, arguments[0], arguments[1]),
        Math::Exp => x.exp(),
        Math::Exp2 => x.exp2(),
        Math::ExpM1 => x.exp_m1(),
        Math::Ln => x.ln(),
        Math::Ln1p => x.ln_1p(),
        Math::Log2 => x.log2(),
        Math::Log10 => x.log10(),
        Math::Sin => x.sin(),
        Math::Cos => x.cos(),
        Math::Tan => x.tan(),
        Math::Asin => x.asin(),
        Math::Acos => x.acos(),
        Math::Atan => x.atan(),
        Math::Atan2 => x.atan2(y),
        Math::Sinh => x.sinh(),
        Math::Cosh => x.cosh(),
        Math::Tanh => x.tanh(),
        Math::Asinh => special::asinh(x),
        Math::Acosh => special::acosh(x),
        Math::Atanh => special::atanh(x),
        Math::Pow => x.powf(y),
        Math::Cbrt => x.cbrt(),
        Math::Hypot => x.hypot(y),
        Math::Erf => special::erf(x),
        Math::Erfc => special::erfc(x),
        Math::Lgamma => special::lgamma(x),
        Math::Tgamma => special::tgamma(x),
        Math::Rsqrt => 1.0 / x.sqrt(),
    };
    if single {
        Scalar::f32(result as f32)
    } else {
        Scalar::f64(result)
    }
}
