//! Integers of 128 bits: what takes more than a few operations, written in the language.
//!
//! `T` is the type, `S` the one of the other sign, `U` the unsigned one. A block that mentions one of the types gets
//! those that its words name, and what operators and conversions stand for. `lower` has the other operators.

mod exact;
mod quotients;

use super::items;
use crate::sorted::SortedSet;
use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

/// What stands before the names of the methods.
pub(crate) const PREFIX: &str = "wide_";

/// What no word of a block names.
pub(super) const OPERATORS: [&str; 4] =
    ["wide_div", "wide_rem", "wide_to_float", "wide_from_float"];

/// Whether a block has such integers; `words` are its identifiers.
pub(super) fn is_mentioned(words: &SortedSet<String>, tokens: TokenStream) -> bool {
    // `1u128`
    fn has_suffix(tokens: TokenStream) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Literal(literal) => literal.to_string().ends_with("128"),
            TokenTree::Group(group) => has_suffix(group.stream()),
            _ => false,
        })
    }
    words.contains("u128") || words.contains("i128") || has_suffix(tokens)
}

/// Every one, as functions.
pub(super) fn methods() -> Vec<TokenStream> {
    let texts = [
        quotients::division(),
        quotients::floats(),
        integers(),
        powers(),
        bytes(),
        exact::methods(),
    ];
    texts.into_iter().flat_map(items::split).collect()
}

fn integers() -> TokenStream {
    quote! {
        fn wide_clamp<T: Integer>(x: T, low: T, high: T) -> T {
            assert!(low <= high, "`clamp` with bounds out of order");
            if x > high { high } else if x < low { low } else { x }
        }
        fn wide_signum<T: Integer>(x: T) -> T {
            if x > 0 { 1 } else if x < 0 { 0 - 1 } else { 0 }
        }
        fn wide_is_positive<T: Integer>(x: T) -> bool {
            x > 0
        }
        fn wide_is_negative<T: Integer>(x: T) -> bool {
            x < 0
        }
        fn wide_abs_diff<T: Integer, U: Integer>(x: T, y: T) -> U {
            if x < y { (y - x) as U } else { (x - y) as U }
        }
        fn wide_unsigned_abs<T: Integer, U: Integer>(x: T) -> U {
            if x < 0 { (0 - x) as U } else { x as U }
        }
        fn wide_cast_signed<T: Integer, S: Integer>(x: T) -> S {
            x as S
        }
        fn wide_cast_unsigned<T: Integer, S: Integer>(x: T) -> S {
            x as S
        }
        fn wide_div_ceil<T: Integer>(x: T, y: T) -> T {
            let quotient = x / y;
            if x == quotient * y { quotient } else { quotient + 1 }
        }
        fn wide_div_euclid<T: Integer>(x: T, y: T) -> T {
            let quotient = x / y;
            if x - quotient * y >= 0 { quotient } else if y > 0 { quotient - 1 } else { quotient + 1 }
        }
        fn wide_rem_euclid<T: Integer>(x: T, y: T) -> T {
            let rest = x % y;
            if rest >= 0 { rest } else if y < 0 { rest - y } else { rest + y }
        }
        fn wide_count_zeros<T: Integer>(x: T) -> u32 {
            (!x).count_ones()
        }
        fn wide_leading_ones<T: Integer>(x: T) -> u32 {
            (!x).leading_zeros()
        }
        fn wide_trailing_ones<T: Integer>(x: T) -> u32 {
            (!x).trailing_zeros()
        }
        fn wide_rotate_left<T: Integer, U: Integer>(x: T, n: u32) -> T {
            ((x as U) << n | x as U >> (T::BITS - n)) as T
        }
        fn wide_rotate_right<T: Integer, U: Integer>(x: T, n: u32) -> T {
            (x as U >> n | (x as U) << (T::BITS - n)) as T
        }
        // Of 256 bits: the low half, and the high one.
        fn wide_carrying_mul_add<T: Integer>(x: T, y: T, carry: T, add: T) -> (T, T) {
            let (a, b) = (x >> 64, x as u64 as T);
            let (c, d) = (y >> 64, y as u64 as T);
            let (first, second, third) = (b * d, b * c, a * d);
            let middle = (first >> 64) + second as u64 as T + third as u64 as T;
            let high = a * c + (second >> 64) + (third >> 64) + (middle >> 64);
            let low = middle << 64 | first as u64 as T;
            let (low, one) = low.overflowing_add(carry);
            let (low, another) = low.overflowing_add(add);
            (low, high + one as T + another as T)
        }
    }
}

fn powers() -> TokenStream {
    quote! {
        fn wide_is_power_of_two<T: Integer>(x: T) -> bool {
            x.count_ones() == 1
        }
        fn wide_next_power_of_two<T: Integer>(x: T) -> T {
            let zeros = (x - 1).leading_zeros();
            if x <= 1 { 1 } else if zeros == 0 { 0 } else { 1 << (T::BITS - zeros) }
        }
        fn wide_ilog2<T: Integer>(x: T) -> u32 {
            assert!(x > 0, "`ilog2` of a number that is not positive");
            T::BITS - 1 - x.leading_zeros()
        }
        fn wide_isqrt<T: Integer, U: Integer>(x: T) -> T {
            assert!(x >= 0, "`isqrt` of a negative number");
            // One step of Newton's method from the root of a float: at most one too much.
            let near = ((x as f64).sqrt() as u64).max(1) as U;
            let next = ((near + x as U / near) >> 1).min(0xFFFF_FFFF_FFFF_FFFF);
            (if next * next > x as U { next - 1 } else { next }) as T
        }
        fn wide_pow<T: Integer>(x: T, n: u32) -> T {
            let (mut power, mut base, mut rest) = (1, x, n);
            while rest > 0 {
                if rest & 1 == 1 {
                    power *= base;
                }
                base *= base;
                rest >>= 1;
            }
            power
        }
        fn wide_wrapping_pow<T: Integer>(x: T, n: u32) -> T {
            x.pow(n)
        }
    }
}

fn bytes() -> TokenStream {
    let byte = |k: u32| {
        let shift = 8 * k;
        quote!((x >> #shift) as u8)
    };
    let (little, big): (Vec<_>, Vec<_>) = (0..16).map(|k| (byte(k), byte(15 - k))).unzip();
    // Two words of eight bytes each.
    let word = |first: usize, up: bool| {
        let bytes = (0..8).map(move |k: usize| {
            let (shift, at) = (8 * k as u32, if up { first + k } else { first + 7 - k });
            quote!((bytes[#at] as u64) << #shift)
        });
        quote!((#(#bytes)|*))
    };
    let (low, high) = (word(0, true), word(8, true));
    let (big_low, big_high) = (word(8, false), word(0, false));
    quote! {
        fn wide_to_le_bytes<T: Integer>(x: T) -> [u8; 16] {
            [#(#little),*]
        }
        fn wide_to_ne_bytes<T: Integer>(x: T) -> [u8; 16] {
            [#(#little),*]
        }
        fn wide_to_be_bytes<T: Integer>(x: T) -> [u8; 16] {
            [#(#big),*]
        }
        fn wide_from_le_bytes<T: Integer>(bytes: [u8; 16]) -> T {
            (#high as T) << 64 | #low as T
        }
        fn wide_from_ne_bytes<T: Integer>(bytes: [u8; 16]) -> T {
            (#high as T) << 64 | #low as T
        }
        fn wide_from_be_bytes<T: Integer>(bytes: [u8; 16]) -> T {
            (#big_high as T) << 64 | #big_low as T
        }
    }
}
