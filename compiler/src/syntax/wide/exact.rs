//! Arithmetic of 128 bits in the kinds that say what becomes of an overflow.

use super::PREFIX;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

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
pub(super) fn methods() -> TokenStream {
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
