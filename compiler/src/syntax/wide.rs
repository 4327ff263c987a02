//! Integers of 128 bits: what takes more than a few operations, written in the language.
//!
//! `T` is the type, `S` the one of the other sign, `U` the unsigned one. A block that mentions one of the types gets
//! those that its words name, and what operators and conversions stand for. `lower` has the other operators.

use super::items;
use proc_macro2::{TokenStream, TokenTree};
use quote::{format_ident, quote};
use std::collections::BTreeSet;

/// What stands before the names of the methods.
pub(crate) const PREFIX: &str = "wide_";

/// What no word of a block names.
pub(super) const OPERATORS: [&str; 4] =
    ["wide_div", "wide_rem", "wide_to_float", "wide_from_float"];

/// Whether a block has such integers; `words` are its identifiers.
pub(super) fn is_mentioned(words: &BTreeSet<String>, tokens: TokenStream) -> bool {
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
    let texts = [division(), floats(), integers(), powers(), bytes(), exact()];
    texts.into_iter().flat_map(items::split).collect()
}

fn division() -> TokenStream {
    quote! {
        fn wide_div<T: Integer, U: Integer>(x: T, y: T) -> T {
            let (quotient, _) = wide_div_rem(x.unsigned_abs(), y.unsigned_abs());
            if (x < 0) != (y < 0) { 0 - quotient as T } else { quotient as T }
        }
        fn wide_rem<T: Integer, U: Integer>(x: T, y: T) -> T {
            let (_, rest) = wide_div_rem(x.unsigned_abs(), y.unsigned_abs());
            if x < 0 { 0 - rest as T } else { rest as T }
        }
        // The divisor is not zero: `max` says so where nothing else does.
        fn wide_div_rem<U: Integer>(x: U, y: U) -> (U, U) {
            let (a, b) = ((x >> 64) as u64, x as u64);
            let (c, d) = ((y >> 64) as u64, y as u64);
            if c == 0 {
                if a == 0 {
                    let quotient = b / d.max(1);
                    (quotient as U, (b - quotient * d) as U)
                } else {
                    let high = if a < d { 0 } else { a / d.max(1) };
                    let (low, rest) = wide_by_word(a - high * d, b, d);
                    ((high as U) << 64 | low as U, rest as U)
                }
            } else {
                // By the leading 64 bits of the divisor: the quotient, or one more.
                let shift = c.leading_zeros();
                let leading = c << shift | d >> 1 >> (63 - shift);
                let (near, _) = wide_by_leading((x >> 65) as u64, (x >> 1) as u64, leading);
                let quotient = (near >> (63 - shift)).saturating_sub(1);
                let rest = x - quotient as U * y;
                if rest >= y {
                    ((quotient + 1) as U, rest - y)
                } else {
                    (quotient as U, rest)
                }
            }
        }
        // Of two words, the high one of which is less than the divisor.
        fn wide_by_word<W: Integer>(high: W, low: W, y: W) -> (W, W) {
            if y >> 32 == 0 {
                let first = high << 32 | low >> 32;
                let quotient = first / y.max(1);
                let second = (first - quotient * y) << 32 | low & 0xFFFF_FFFF;
                let last = second / y.max(1);
                (quotient << 32 | last, second - last * y)
            } else {
                let shift = y.leading_zeros();
                let top = high << shift | low >> 1 >> (63 - shift);
                let (quotient, rest) = wide_by_leading(top, low << shift, y << shift);
                (quotient, rest >> shift)
            }
        }
        // The same of a divisor whose first bit is set: two digits of 32 bits.
        fn wide_by_leading<W: Integer>(high: W, low: W, y: W) -> (W, W) {
            let (first, rest) = wide_digit(high, low >> 32, y);
            let (last, rest) = wide_digit(rest, low & 0xFFFF_FFFF, y);
            (first << 32 | last, rest)
        }
        // A digit of a quotient, and the rest. The guess is at most two too much, since the divisor's first bit is set.
        fn wide_digit<W: Integer>(top: W, next: W, y: W) -> (W, W) {
            let (high, low) = (y >> 32, y & 0xFFFF_FFFF);
            let guess = top / high.max(1);
            let rest = top - guess * high;
            let once = (guess >> 32 != 0) | (guess * low > (rest << 32 | next));
            let guess = guess - once as W;
            let rest = rest + if once { high } else { 0 };
            let twice = (guess >> 32 != 0) | (guess * low > (rest << 32 | next));
            let guess = guess - (once & (rest >> 32 == 0) & twice) as W;
            (guess, (top << 32 | next) - guess * y)
        }
    }
}

fn floats() -> TokenStream {
    quote! {
        fn wide_to_float<T: Integer, U: Integer, F: Float>(x: T) -> F {
            let size = x.unsigned_abs();
            let high = (size >> 64) as u64;
            let value = if high == 0 {
                size as u64 as F
            } else {
                let shift = high.leading_zeros();
                let top = size << shift;
                // What is cut off shows in the last bit, far below those that decide how it is rounded.
                let kept = (top >> 64) as u64 | (top as u64 != 0) as u64;
                kept as F * ((1u64 << (63 - shift)) as F * 2.0)
            };
            if x < 0 { -value } else { value }
        }
        fn wide_from_float<T: Integer, U: Integer>(x: f64) -> T {
            let size = if T::MIN == 0 { x.max(0.0) } else { x.abs() };
            // By 2^64: exact, as the difference is.
            let high = (size * 5.421010862427522e-20) as u64;
            let low = (size - high as f64 * 18446744073709551616.0) as u64;
            let value = (high as U) << 64 | low as U;
            if T::MIN == 0 {
                if size >= 340282366920938463463374607431768211456.0 { T::MAX } else { value as T }
            } else if size >= 170141183460469231731687303715884105728.0 {
                if x < 0.0 { T::MIN } else { T::MAX }
            } else if x < 0.0 {
                0 - value as T
            } else {
                value as T
            }
        }
    }
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

/// An operation in its kinds: what wraps, whether it overflows, and the nearest value if so.
struct Exact {
    name: &'static str,
    /// The second operand's type.
    by: Option<TokenStream>,
    value: TokenStream,
    /// Of `value`.
    overflows: TokenStream,
    nearest: Option<TokenStream>,
}

fn operations() -> Vec<Exact> {
    let of = |name, by: Option<TokenStream>, value, overflows, nearest| Exact {
        name,
        by,
        value,
        overflows,
        nearest,
    };
    let (own, other, count) = (quote!(T), quote!(S), quote!(u32));
    let greatest = quote!(T::MAX);
    let quotient = quote!(x < 0 && x == T::MIN && y + 1 == 0);
    let by_sign = quote!((value < x) != (y < 0));
    let down_by_sign = quote!((value > x) != (y < 0));
    let product = quote!(if (x < 0) != (y < 0) { T::MIN } else { T::MAX });
    let with_sign = quote!(if x < 0 { T::MIN } else { T::MAX });
    let down = quote!(if x < 0 || T::MIN == 0 { T::MIN } else { T::MAX });
    let unsigned = quote!(if T::MIN == 0 { T::MIN } else { T::MAX });
    let negated = quote!(if T::MIN == 0 { x != 0 } else { x == T::MIN });
    let (to, from) = (
        quote!(if y < 0 { T::MIN } else { T::MAX }),
        quote!(if y < 0 { T::MAX } else { T::MIN }),
    );
    let own = || Some(own.clone());
    let other = || Some(other.clone());
    let count = || Some(count.clone());
    let none = || None;
    let wide = quote!(y >= T::BITS);
    vec![
        of(
            "add",
            own(),
            quote!(x + y),
            by_sign.clone(),
            Some(with_sign),
        ),
        of(
            "sub",
            own(),
            quote!(x - y),
            down_by_sign.clone(),
            Some(down),
        ),
        of(
            "mul",
            own(),
            quote!(x * y),
            quote!(wide_mul_overflows(x, y)),
            Some(product),
        ),
        of("neg", none(), quote!(0 - x), negated, Some(unsigned)),
        of(
            "abs",
            none(),
            quote!(if x < 0 { 0 - x } else { x }),
            quote!(x < 0 && x == T::MIN),
            Some(greatest.clone()),
        ),
        of(
            "div",
            own(),
            quote!(x / y),
            quotient.clone(),
            Some(greatest.clone()),
        ),
        of("rem", own(), quote!(x % y), quotient.clone(), None),
        of(
            "div_euclid",
            own(),
            quote!(x.div_euclid(y)),
            quotient.clone(),
            None,
        ),
        of("rem_euclid", own(), quote!(x.rem_euclid(y)), quotient, None),
        of("shl", count(), quote!(x << y), wide.clone(), None),
        of("shr", count(), quote!(x >> y), wide, None),
        of("add_signed", other(), quote!(x + y as T), by_sign, Some(to)),
        of(
            "sub_signed",
            other(),
            quote!(x - y as T),
            down_by_sign,
            Some(from),
        ),
        of(
            "add_unsigned",
            other(),
            quote!(x + y as T),
            quote!(value < x),
            Some(greatest),
        ),
        of(
            "sub_unsigned",
            other(),
            quote!(x - y as T),
            quote!(value > x),
            Some(quote!(T::MIN)),
        ),
    ]
}

/// `wrapping_add`, `checked_add` and so on.
fn exact() -> TokenStream {
    let of = |operation: Exact| {
        let Exact {
            name,
            by,
            value,
            overflows,
            nearest,
        } = operation;
        let named = |kind: &str| format_ident!("{PREFIX}{kind}_{name}");
        let parameters = match by.as_ref().map(ToString::to_string).as_deref() {
            None => quote!(<T: Integer>(x: T)),
            Some("S") => quote!(<T: Integer, S: Integer>(x: T, y: S)),
            Some(_) => quote!(<T: Integer>(x: T, y: #by)),
        };
        let arguments = by.map(|_| quote!(y));
        let method = format_ident!("overflowing_{name}");
        let both = quote!(let (value, overflows) = x.#method(#arguments););
        let (wrapping, overflowing) = (named("wrapping"), named("overflowing"));
        let (checked, strict, saturating) =
            (named("checked"), named("strict"), named("saturating"));
        // Before the division that would fail.
        let is_none = match matches!(name, "div" | "rem" | "div_euclid" | "rem_euclid") {
            true => quote!(y == 0),
            false => quote!(false),
        };
        let message = format!("`strict_{name}` overflows");
        let saturating = nearest.map(|nearest| {
            quote! {
                fn #saturating #parameters -> T {
                    #both
                    if overflows { #nearest } else { value }
                }
            }
        });
        quote! {
            fn #wrapping #parameters -> T {
                #value
            }
            fn #overflowing #parameters -> (T, bool) {
                let value = #value;
                (value, #overflows)
            }
            fn #checked #parameters -> Option<T> {
                if #is_none {
                    None
                } else {
                    #both
                    if overflows { None } else { Some(value) }
                }
            }
            fn #strict #parameters -> T {
                #both
                assert!(!overflows, #message);
                value
            }
            #saturating
        }
    };
    let methods = operations().into_iter().map(of);
    quote! {
        #(#methods)*
        fn wide_mul_overflows<T: Integer>(x: T, y: T) -> bool {
            let negative = (x < 0) != (y < 0);
            let (x, y) = (x.unsigned_abs(), y.unsigned_abs());
            let (a, b) = (x >> 64, x as u64 as u128);
            let (c, d) = (y >> 64, y as u64 as u128);
            // One of the summands is zero where the first is.
            let both = a != 0 && c != 0;
            let high = a * d + b * c + (b * d >> 64);
            let most = if T::MIN == 0 { u128::MAX } else { (1 << 127) - (!negative) as u128 };
            both || high >> 64 != 0 || x * y > most
        }
    }
}
