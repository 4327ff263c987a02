//! Methods of Rust's numbers and characters that are written in the language itself.
//!
//! A block that mentions one gets it as a helper. `T` is the receiver's type; what fails in one fails at the call of it.

use super::{Block, Host, declarations, items, wide, words};
use crate::diag::Errors;
use crate::sorted::SortedSet;
use proc_macro2::TokenStream;
use quote::quote;
use std::sync::OnceLock;

/// Adds the methods whose names are among these tokens, and those that they call.
pub(super) fn add(tokens: TokenStream, block: &mut Block, errors: &mut Errors) {
    let names = NAMES.get_or_init(|| methods().iter().map(name).collect());
    let mut mentioned: SortedSet<String> = words(tokens.clone()).into_iter().collect();
    block.wide = wide::is_mentioned(&mentioned, tokens);
    if !block.wide && mentioned.is_disjoint(names) {
        return;
    }
    let mut rest = methods();
    if block.wide {
        rest.extend(wide::methods());
        mentioned.extend(wide::OPERATORS.map(str::to_owned));
    }
    let is_mentioned = |item: &TokenStream, mentioned: &SortedSet<String>| {
        let name = name(item);
        let short = name.strip_prefix(wide::PREFIX);
        mentioned.contains(&name) || short.is_some_and(|name| mentioned.contains(name))
    };
    while let Some(position) = (rest.iter()).position(|item| is_mentioned(item, &mentioned)) {
        let item = rest.swap_remove(position);
        mentioned.extend(words(item.clone()));
        match syn::parse2::<syn::ItemFn>(item) {
            Ok(item) => {
                let name = item.sig.ident.to_string();
                block.methods.insert(name, block.functions.len());
                let owner = declarations::Owner::Rust;
                declarations::push(item, Host::Helper, owner, block, errors);
            }
            Err(error) => super::report(&error, errors),
        }
    }
}

/// Those that there are: most blocks mention none, and need not read them all.
static NAMES: OnceLock<SortedSet<String>> = OnceLock::new();

fn methods() -> Vec<TokenStream> {
    let texts = METHODS.iter().map(|text| text());
    texts.flat_map(items::split).collect()
}

/// The word after `fn`.
fn name(item: &TokenStream) -> String {
    words(item.clone()).swap_remove(1)
}

const METHODS: [fn() -> TokenStream; 4] = [powers, integers, floats, characters];

fn powers() -> TokenStream {
    quote! {
        fn isqrt<T: Integer>(x: T) -> T {
            assert!(x >= 0, "`isqrt` of a negative number");
            // At most one too much: the float of `x`, and its root, may be rounded up.
            let near = ((x as f64).sqrt() as u64).min(0xFFFF_FFFF);
            (if near * near > x as u64 { near - 1 } else { near }) as T
        }
        fn checked_isqrt<T: Integer>(x: T) -> Option<T> {
            if x < 0 { None } else { Some(x.isqrt()) }
        }
        fn checked_ilog<T: Integer>(x: T, base: T) -> Option<u32> {
            if x <= 0 || base < 2 {
                None
            } else {
                let (mut n, mut rest) = (0, x);
                while rest >= base {
                    rest = rest.checked_div(base).unwrap_or(0);
                    n += 1;
                }
                Some(n)
            }
        }
        fn ilog<T: Integer>(x: T, base: T) -> u32 {
            assert!(base >= 2, "`ilog` to a base below 2");
            assert!(x > 0, "`ilog` of a number that is not positive");
            x.checked_ilog(base).unwrap_or(0)
        }
        fn checked_ilog10<T: Integer>(x: T) -> Option<u32> {
            x.checked_ilog(10)
        }
        fn ilog10<T: Integer>(x: T) -> u32 {
            assert!(x > 0, "`ilog10` of a number that is not positive");
            x.checked_ilog(10).unwrap_or(0)
        }
        fn checked_ilog2<T: Integer>(x: T) -> Option<u32> {
            if x <= 0 { None } else { Some(T::BITS - 1 - x.leading_zeros()) }
        }
        fn overflowing_pow<T: Integer>(x: T, n: u32) -> (T, bool) {
            let (mut power, mut base, mut rest, mut bad) = (1, x, n, false);
            while rest > 0 {
                if rest & 1 == 1 {
                    let (product, overflows) = power.overflowing_mul(base);
                    power = product;
                    bad = bad || overflows;
                }
                rest >>= 1;
                if rest > 0 {
                    let (square, overflows) = base.overflowing_mul(base);
                    base = square;
                    bad = bad || overflows;
                }
            }
            (power, bad)
        }
        fn checked_pow<T: Integer>(x: T, n: u32) -> Option<T> {
            let (power, bad) = x.overflowing_pow(n);
            if bad { None } else { Some(power) }
        }
        fn saturating_pow<T: Integer>(x: T, n: u32) -> T {
            let (power, bad) = x.overflowing_pow(n);
            if !bad {
                power
            } else if x < 0 && n & 1 == 1 {
                T::MIN
            } else {
                T::MAX
            }
        }
        fn strict_pow<T: Integer>(x: T, n: u32) -> T {
            let (power, bad) = x.overflowing_pow(n);
            assert!(!bad, "`strict_pow` overflows");
            power
        }
    }
}

fn integers() -> TokenStream {
    quote! {
        fn next_multiple_of<T: Integer>(x: T, y: T) -> T {
            let rest = x % y;
            if rest == 0 { x } else { x + (y - rest) }
        }
        fn checked_next_multiple_of<T: Integer>(x: T, y: T) -> Option<T> {
            x.checked_rem(y).and_then(|rest| if rest == 0 { Some(x) } else { x.checked_add(y - rest) })
        }
        fn is_multiple_of<T: Integer>(x: T, y: T) -> bool {
            x.checked_rem(y).map_or(x == 0, |rest| rest == 0)
        }
        fn checked_next_power_of_two<T: Integer>(x: T) -> Option<T> {
            let power = x.next_power_of_two();
            if power == 0 { None } else { Some(power) }
        }
        fn checked_signed_diff<T: Integer, S: Integer>(x: T, y: T) -> Option<S> {
            let difference = (x - y) as S;
            if (x >= y) == (difference >= 0) { Some(difference) } else { None }
        }
        fn midpoint<T: Integer>(x: T, y: T) -> T {
            // Downwards, and then towards zero.
            let low = ((x ^ y) >> 1) + (x & y);
            if low < 0 && (x ^ y) & 1 == 1 { low + 1 } else { low }
        }
        fn unbounded_shl<T: Integer>(x: T, n: u32) -> T {
            if n < T::BITS { x << n } else { 0 }
        }
        fn unbounded_shr<T: Integer>(x: T, n: u32) -> T {
            x >> n.min(T::BITS - 1) >> (n >= T::BITS) as u32
        }
        fn carrying_add<T: Integer>(x: T, y: T, carry: bool) -> (T, bool) {
            let (sum, first) = x.overflowing_add(y);
            let (sum, second) = sum.overflowing_add(carry as T);
            (sum, first || second)
        }
        fn borrowing_sub<T: Integer>(x: T, y: T, borrow: bool) -> (T, bool) {
            let (difference, first) = x.overflowing_sub(y);
            let (difference, second) = difference.overflowing_sub(borrow as T);
            (difference, first || second)
        }
        fn carrying_mul<T: Integer>(x: T, y: T, carry: T) -> (T, T) {
            x.carrying_mul_add(y, carry, 0)
        }
    }
}

fn floats() -> TokenStream {
    quote! {
        fn is_normal<T: Float>(x: T) -> bool {
            x.abs() >= T::MIN_POSITIVE && x.abs() < T::INFINITY
        }
        fn is_subnormal<T: Float>(x: T) -> bool {
            x != 0.0 && x.abs() < T::MIN_POSITIVE
        }
        fn next_up<T: Float>(x: T) -> T {
            if x.is_nan() || x == T::INFINITY {
                x
            } else if x == 0.0 {
                T::from_bits(1)
            } else if x > 0.0 {
                T::from_bits(x.to_bits() + 1)
            } else {
                T::from_bits(x.to_bits() - 1)
            }
        }
        fn next_down<T: Float>(x: T) -> T {
            -((-x).next_up())
        }
    }
}

fn characters() -> TokenStream {
    quote! {
        fn is_ascii<T>(c: T) -> bool {
            (c as u32) < 128
        }
        fn is_ascii_alphabetic<T>(c: T) -> bool {
            matches!(c as u32, 65..=90 | 97..=122)
        }
        fn is_ascii_alphanumeric<T>(c: T) -> bool {
            matches!(c as u32, 48..=57 | 65..=90 | 97..=122)
        }
        fn is_ascii_control<T>(c: T) -> bool {
            matches!(c as u32, 0..=31 | 127)
        }
        fn is_ascii_digit<T>(c: T) -> bool {
            matches!(c as u32, 48..=57)
        }
        fn is_ascii_graphic<T>(c: T) -> bool {
            matches!(c as u32, 33..=126)
        }
        fn is_ascii_hexdigit<T>(c: T) -> bool {
            matches!(c as u32, 48..=57 | 65..=70 | 97..=102)
        }
        fn is_ascii_lowercase<T>(c: T) -> bool {
            matches!(c as u32, 97..=122)
        }
        fn is_ascii_punctuation<T>(c: T) -> bool {
            matches!(c as u32, 33..=47 | 58..=64 | 91..=96 | 123..=126)
        }
        fn is_ascii_uppercase<T>(c: T) -> bool {
            matches!(c as u32, 65..=90)
        }
        fn is_ascii_whitespace<T>(c: T) -> bool {
            matches!(c as u32, 9 | 10 | 12 | 13 | 32)
        }
        fn to_ascii_lowercase<T>(c: T) -> T {
            if c.is_ascii_uppercase() { (c as u32 + 32) as u8 as T } else { c }
        }
        fn to_ascii_uppercase<T>(c: T) -> T {
            if c.is_ascii_lowercase() { (c as u32 - 32) as u8 as T } else { c }
        }
        fn eq_ignore_ascii_case<T>(c: T, d: T) -> bool {
            c.to_ascii_lowercase() == d.to_ascii_lowercase()
        }
        fn is_control(c: char) -> bool {
            matches!(c as u32, 0..=31 | 127..=159)
        }
        fn is_whitespace(c: char) -> bool {
            matches!(
                c as u32,
                9..=13 | 32 | 0x85 | 0xA0 | 0x1680 | 0x2000..=0x200A | 0x2028 | 0x2029 | 0x202F | 0x205F | 0x3000
            )
        }
        fn is_digit(c: char, radix: u32) -> bool {
            c.to_digit(radix).is_some()
        }
        fn to_digit(c: char, radix: u32) -> Option<u32> {
            assert!(radix >= 2 && radix <= 36, "`to_digit` with a radix that is not from 2 to 36");
            let digit = match c as u32 {
                x @ 48..=57 => x - 48,
                x @ 65..=90 => x - 55,
                x @ 97..=122 => x - 87,
                _ => 36,
            };
            if digit < radix { Some(digit) } else { None }
        }
        fn from_digit(digit: u32, radix: u32) -> Option<char> {
            assert!(radix <= 36, "`from_digit` with a radix above 36");
            if digit >= radix {
                None
            } else if digit < 10 {
                Some((digit + 48) as u8 as char)
            } else {
                Some((digit + 87) as u8 as char)
            }
        }
        fn from_u32(x: u32) -> Option<char> {
            if x < 0xD800 || x > 0xDFFF && x <= 0x10FFFF {
                Some(unsafe { char::from_u32_unchecked(x) })
            } else {
                None
            }
        }
        fn len_utf8(c: char) -> usize {
            match c as u32 {
                0..=0x7F => 1,
                0x80..=0x7FF => 2,
                0x800..=0xFFFF => 3,
                _ => 4,
            }
        }
        fn len_utf16(c: char) -> usize {
            if c as u32 <= 0xFFFF { 1 } else { 2 }
        }
    }
}
