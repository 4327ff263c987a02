//! Quotients of 128 bits, by the digits of 32 bits that Knuth's algorithm D finds, and conversions from and to floats.

use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn division() -> TokenStream {
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

pub(super) fn floats() -> TokenStream {
    quote! {
        fn wide_to_float<T: Integer, U: Integer, F: Float>(x: T) -> F {
            let size = x.unsigned_abs();
            let (high, low) = ((size >> 64) as u64, size as u64);
            let value = if high == 0 {
                low as F
            } else {
                let shift = high.leading_zeros();
                let top = high << shift | low >> 1 >> (63 - shift);
                // What is cut off shows in the last bit, far below those that decide how it is rounded.
                let kept = top | (low << shift != 0) as u64;
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
