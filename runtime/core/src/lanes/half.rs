//! Floats of 16 bits, which are their bits here, from and to `f32`: with integers alone, for what has no instruction for it.
//!
//! To `f32` exactly. From it to the nearest, of two as near the even one; a NaN becomes the positive quiet one without more.

use super::{Cast, Integer, Lanes, Number, Value, bitcast};

#[inline(always)]
fn bits<L: Lanes>(x: L::F32) -> L::U32 {
    bitcast::<L::F32, L::U32>(x)
}

#[inline(always)]
fn low<L: Lanes>(x: L::U32) -> L::U16 {
    Cast::<L::U16>::cast(x)
}

#[inline(always)]
fn splat<L: Lanes>(x: u32) -> L::U32 {
    Value::splat(x)
}

/// As [`Lanes::f32_from_f16`].
#[inline(always)]
pub(super) fn f32_from_f16<L: Lanes>(x: L::U16) -> L::F32 {
    let x = Cast::<L::U32>::cast(x);
    let sign = x.and(splat::<L>(0x8000)).shl(splat::<L>(16));
    let size = x.and(splat::<L>(0x7fff)).shl(splat::<L>(13));
    // The exponents of the two formats are 112 apart: exact, for subnormal ones too.
    let scaled = bitcast::<L::U32, L::F32>(size).mul(Value::splat(f32::from_bits(239 << 23)));
    // Infinity and NaN have the largest exponent in both.
    let special = splat::<L>(0x7c00 << 13).le(size);
    let finite = bits::<L>(scaled);
    let size = Value::select(special, finite.or(splat::<L>(255 << 23)), finite);
    bitcast::<L::U32, L::F32>(size.or(sign))
}

/// As [`Lanes::f16_from_f32`].
#[inline(always)]
pub(super) fn f16_from_f32<L: Lanes>(x: L::F32) -> L::U16 {
    let all = bits::<L>(x);
    let size = all.and(splat::<L>(0x7fff_ffff));
    let sign = all.xor(size).shr(splat::<L>(16));
    // A half of the last bit that stays, less one where that is even; and the other exponent.
    let even = size.shr(splat::<L>(13)).and(splat::<L>(1));
    let rounded = size.add(splat::<L>(0xfff)).add(even);
    let normal = rounded.sub(splat::<L>(112 << 23)).shr(splat::<L>(13));
    // Added to a number whose last bit is the last one of a subnormal, it is rounded there.
    let magic = splat::<L>(126 << 23);
    let sum = bitcast::<L::U32, L::F32>(size).add(bitcast::<L::U32, L::F32>(magic));
    let subnormal = bits::<L>(sum).sub(magic);
    let least = splat::<L>(113 << 23);
    let finite = Value::select(size.lt(least), subnormal, normal);
    // What is past the largest one, as far as half of its last bit, is infinite.
    let infinite = splat::<L>((142 << 23) | 0x7f_f000).le(size);
    let result = Value::select(infinite, splat::<L>(0x7c00), finite).or(sign);
    low::<L>(Value::select(x.ne(x), splat::<L>(0x7e00), result))
}

/// As [`Lanes::f32_from_bf16`].
#[inline(always)]
pub(super) fn f32_from_bf16<L: Lanes>(x: L::U16) -> L::F32 {
    let x = Cast::<L::U32>::cast(x);
    bitcast::<L::U32, L::F32>(x.shl(splat::<L>(16)))
}

/// As [`Lanes::bf16_from_f32`].
#[inline(always)]
pub(super) fn bf16_from_f32<L: Lanes>(x: L::F32) -> L::U16 {
    let all = bits::<L>(x);
    let even = all.shr(splat::<L>(16)).and(splat::<L>(1));
    let rounded = all.add(splat::<L>(0x7fff)).add(even).shr(splat::<L>(16));
    low::<L>(Value::select(x.ne(x), splat::<L>(0x7fc0), rounded))
}
