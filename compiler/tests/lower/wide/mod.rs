//! Integers of 128 bits compute what Rust's do.

#![allow(clippy::precedence, reason = "programs are written so")]

mod parts;

use super::program;
use accelerate_compiler::ir::eval::{Array, Output, eval};
use parts::{Input, Parts};

/// Some type with all of its names written out.
fn spelled<R: Parts>(written: &str) -> (String, String) {
    let host = |name: &str| {
        written
            .replace(" ", "")
            .replace("u128", name)
            .replace("i128", name)
    };
    let host = host("(u64, u64)")
        .replace("Option<", "(bool, ")
        .replace('>', ")");
    let own = R::TYPE;
    match own {
        "_" => (written.to_string(), host),
        own => (own.to_string(), R::HOST.to_string()),
    }
}

fn agree<T: Input, U: Input, R: Parts>(
    text: &str,
    result: &str,
    inputs: &[(T, U)],
    rust: impl Fn(T, U) -> Option<R>,
) {
    let (result, host) = spelled::<R>(result);
    let (t, u, parts) = (T::TYPE, U::TYPE, R::text("result"));
    let (x, y) = (T::built("a", "b"), U::built("c", "d"));
    let source = format!(
        "fn f(x: {t}, y: {u}) -> {result} {{ {text} }}
        pub fn g(a: {tt}, b: u64, c: {uu}, d: u64) -> {host} {{
            let result = f({x}, {y});
            {parts}
        }}",
        tt = T::GIVEN,
        uu = U::GIVEN,
    );
    let program = program(&source);
    for &(x, y) in inputs {
        let mut scalars = x.scalars().to_vec();
        scalars.extend(y.scalars());
        let found = eval(&program, &scalars, &[] as &[Array])
            .ok()
            .map(|outputs| {
                let leaves = outputs.into_iter().flat_map(|output| match output {
                    Output::Scalar(leaves) => leaves,
                    Output::Array { .. } => panic!("an array"),
                });
                leaves.map(|leaf| leaf.bits).collect::<Vec<u64>>()
            });
        let expected = rust(x, y).map(|value| {
            let mut parts = Vec::new();
            value.parts(&mut parts);
            parts
        });
        assert_eq!(found, expected, "`{text}` of {t} at {x:?}, {y:?}");
    }
}

/// Calls, and what Rust has: nothing if it fails.
macro_rules! agree {
    ($inputs:expr, |$x:ident: $t:ty, $y:ident: $u:ty| $($call:expr => $rust:expr => $result:ty,)*) => {
        $(agree(stringify!($call), stringify!($result), $inputs, |$x: $t, $y: $u| -> Option<$result> {
            let _ = (&$x, &$y);
            $rust
        });)*
    };
}

/// Calls that neither fail nor overflow.
macro_rules! same {
    ($inputs:expr, |$x:ident: $t:ty, $y:ident: $u:ty| $($call:expr => $result:ty,)*) => {
        $(agree(stringify!($call), stringify!($result), $inputs, |$x: $t, $y: $u| -> Option<$result> {
            let _ = (&$x, &$y);
            Some($call)
        });)*
    };
}

fn pairs<T: Copy, U: Copy>(xs: &[T], ys: &[U]) -> Vec<(T, U)> {
    let of = |&x: &T| ys.iter().map(move |&y| (x, y));
    xs.iter().flat_map(of).collect()
}

/// Ends, powers of two and their neighbours, and numbers of any length.
fn values() -> Vec<u128> {
    let mut values = vec![
        0,
        1,
        2,
        3,
        7,
        10,
        99,
        100,
        u128::MAX,
        u128::MAX - 1,
        u128::MAX - 9,
    ];
    for power in [31, 32, 33, 63, 64, 65, 95, 96, 126, 127] {
        let power = 1u128 << power;
        values.extend([power - 1, power, power + 1]);
    }
    let mut state = 0x2545_F491_4F6C_DD1D_u128;
    for bits in [20, 40, 62, 64, 66, 80, 97, 111, 120, 128] {
        state = state
            .wrapping_mul(0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645)
            .wrapping_add(1);
        values.push(state >> (128 - bits));
    }
    values
}

const COUNTS: [u32; 16] = [
    0,
    1,
    5,
    31,
    32,
    33,
    63,
    64,
    65,
    96,
    126,
    127,
    128,
    129,
    200,
    u32::MAX,
];

macro_rules! both_signs {
    ($t:ident $other:ident $values:expr) => {{
        let values: &[$t] = $values;
        let both = &pairs(values, values);
        agree! { both, |x: $t, y: $t|
            x + y => Some(x.wrapping_add(y)) => $t,
            x - y => Some(x.wrapping_sub(y)) => $t,
            x * y => Some(x.wrapping_mul(y)) => $t,
            x / y => (y != 0).then(|| x.wrapping_div(y)) => $t,
            x % y => (y != 0).then(|| x.wrapping_rem(y)) => $t,
            x.rem_euclid(y) => (y != 0).then(|| x.wrapping_rem_euclid(y)) => $t,
            x.div_euclid(y) => (y != 0).then(|| x.wrapping_div_euclid(y)) => $t,
            x.wrapping_div(y) => (y != 0).then(|| x.wrapping_div(y)) => $t,
            x.wrapping_rem(y) => (y != 0).then(|| x.wrapping_rem(y)) => $t,
            x.wrapping_div_euclid(y) => (y != 0).then(|| x.wrapping_div_euclid(y)) => $t,
            x.wrapping_rem_euclid(y) => (y != 0).then(|| x.wrapping_rem_euclid(y)) => $t,
            x.overflowing_div(y) => (y != 0).then(|| x.overflowing_div(y)) => ($t, bool),
            x.overflowing_rem(y) => (y != 0).then(|| x.overflowing_rem(y)) => ($t, bool),
            x.overflowing_div_euclid(y) => (y != 0).then(|| x.overflowing_div_euclid(y)) => ($t, bool),
            x.overflowing_rem_euclid(y) => (y != 0).then(|| x.overflowing_rem_euclid(y)) => ($t, bool),
            x.saturating_div(y) => (y != 0).then(|| x.saturating_div(y)) => $t,
            x.strict_add(y) => x.checked_add(y) => $t,
            x.strict_sub(y) => x.checked_sub(y) => $t,
            x.strict_mul(y) => x.checked_mul(y) => $t,
            x.strict_div(y) => x.checked_div(y) => $t,
            x.strict_rem(y) => x.checked_rem(y) => $t,
            x.strict_div_euclid(y) => x.checked_div_euclid(y) => $t,
            x.strict_rem_euclid(y) => x.checked_rem_euclid(y) => $t,
            x.strict_neg() => x.checked_neg() => $t,
            x.ilog2() => x.checked_ilog2() => u32,
            x.ilog10() => x.checked_ilog10() => u32,
            x.ilog(y) => x.checked_ilog(y) => u32,
            x.clamp(3, y) => (y >= 3).then(|| x.clamp(3, y)) => $t,
            x.wrapping_neg() => Some(x.wrapping_neg()) => $t,
            x.div_ceil(y) => (y != 0).then(|| {
                let quotient = x.wrapping_div(y);
                if x.wrapping_rem(y) == 0 { quotient } else { quotient.wrapping_add(1) }
            }) => $t,
        }
        same! { both, |x: $t, y: $t|
            x & y => $t,
            x | y => $t,
            x ^ y => $t,
            !x => $t,
            x == y => bool,
            x != y => bool,
            x < y => bool,
            x <= y => bool,
            x > y => bool,
            x >= y => bool,
            x.min(y) => $t,
            x.max(y) => $t,
            x.cmp(&y).is_lt() => bool,
            x.cmp(&y).is_ge() => bool,
            x.midpoint(y) => $t,
            x.abs_diff(y) => u128,
            x.count_ones() => u32,
            x.count_zeros() => u32,
            x.leading_zeros() => u32,
            x.leading_ones() => u32,
            x.trailing_zeros() => u32,
            x.trailing_ones() => u32,
            x.swap_bytes() => $t,
            x.reverse_bits() => $t,
            x.to_be() => $t,
            x.to_le() => $t,
            $t::from_be(x) => $t,
            $t::from_le(x) => $t,
            x.wrapping_add(y) => $t,
            x.wrapping_sub(y) => $t,
            x.wrapping_mul(y) => $t,
            x.saturating_add(y) => $t,
            x.saturating_sub(y) => $t,
            x.saturating_mul(y) => $t,
            x.overflowing_add(y) => ($t, bool),
            x.overflowing_sub(y) => ($t, bool),
            x.overflowing_mul(y) => ($t, bool),
            x.overflowing_neg() => ($t, bool),
            x.checked_add(y) => Option<$t>,
            x.checked_sub(y) => Option<$t>,
            x.checked_mul(y) => Option<$t>,
            x.checked_div(y) => Option<$t>,
            x.checked_rem(y) => Option<$t>,
            x.checked_div_euclid(y) => Option<$t>,
            x.checked_rem_euclid(y) => Option<$t>,
            x.checked_neg() => Option<$t>,
            x.checked_ilog(y) => Option<u32>,
            x.checked_ilog2() => Option<u32>,
            x.checked_ilog10() => Option<u32>,
            $t::MAX ^ x => $t,
            x >= $t::MIN => bool,
            $t::BITS => u32,
            x.to_be_bytes() => [u8; 16],
            x.to_le_bytes() => [u8; 16],
            x.to_ne_bytes() => [u8; 16],
            $t::from_be_bytes(x.to_le_bytes()) => $t,
            $t::from_le_bytes(x.to_be_bytes()) => $t,
            $t::from_ne_bytes(x.to_ne_bytes()) => $t,
            x as $other => $other,
            x as u64 => u64,
            x as i64 => i64,
            x as u8 => u8,
            x as i8 => i8,
            x as i32 => i32,
            x as f32 => f32,
            x as f64 => f64,
            match x { 0 => 1, 5 | 7 => 2, 8..=99 => 3, 0xFFFF_FFFF..=0xFFFF_FFFF_FFFF_FFFF_FFFF => 4, _ => 5 } => i32,
            match (x, y) { (..1, _) => 1, (_, $t::MAX) => 2, (3.., 0..1_000_000_000_000_000_000_000) => 3, _ => 4 } => i32,
            if x > y { x } else { y } => $t,
        }
        let by = &pairs(values, &COUNTS);
        agree! { by, |x: $t, y: u32|
            x << y => Some(x.wrapping_shl(y)) => $t,
            x >> y => Some(x.wrapping_shr(y)) => $t,
            x.pow(y) => Some(x.wrapping_pow(y)) => $t,
            x.strict_pow(y) => x.checked_pow(y) => $t,
            x.strict_shl(y) => x.checked_shl(y) => $t,
            x.strict_shr(y) => x.checked_shr(y) => $t,
        }
        same! { by, |x: $t, y: u32|
            x << 0 => $t,
            x << 1 => $t,
            x << 63 => $t,
            x << 64 => $t,
            x << 65 => $t,
            x << 127 => $t,
            x >> 0 => $t,
            x >> 1 => $t,
            x >> 63 => $t,
            x >> 64 => $t,
            x >> 65 => $t,
            x >> 127 => $t,
            x >> 7_i128 => $t,
            x << 7_u8 => $t,
            x.rotate_left(y) => $t,
            x.rotate_right(y) => $t,
            x.wrapping_shl(y) => $t,
            x.wrapping_shr(y) => $t,
            x.unbounded_shl(y) => $t,
            x.unbounded_shr(y) => $t,
            x.checked_shl(y) => Option<$t>,
            x.checked_shr(y) => Option<$t>,
            x.overflowing_shl(y) => ($t, bool),
            x.overflowing_shr(y) => ($t, bool),
            x.wrapping_pow(y) => $t,
            x.checked_pow(y) => Option<$t>,
            x.saturating_pow(y) => $t,
            x.overflowing_pow(y) => ($t, bool),
        }
    }};
}

#[test]
fn unsigned() {
    let values = values();
    both_signs!(u128 i128 &values);
    let others: Vec<i128> = values.iter().map(|&x| x as i128).collect();
    let mixed = &pairs(&values, &others);
    agree! { mixed, |x: u128, y: i128|
        x.strict_add_signed(y) => x.checked_add_signed(y) => u128,
        x.next_power_of_two() => Some(x.checked_next_power_of_two().unwrap_or(0)) => u128,
        x.strict_sub_signed(y) => x.checked_sub_signed(y) => u128,
    }
    same! { mixed, |x: u128, y: i128|
        x.cast_signed() => i128,
        x.isqrt() => u128,
        x.is_power_of_two() => bool,
        x.checked_next_power_of_two() => Option<u128>,
        x.checked_next_multiple_of(y as u128) => Option<u128>,
        x.is_multiple_of(y as u128) => bool,
        x.wrapping_add_signed(y) => u128,
        x.wrapping_sub_signed(y) => u128,
        x.saturating_add_signed(y) => u128,
        x.saturating_sub_signed(y) => u128,
        x.overflowing_add_signed(y) => (u128, bool),
        x.overflowing_sub_signed(y) => (u128, bool),
        x.checked_add_signed(y) => Option<u128>,
        x.checked_sub_signed(y) => Option<u128>,
        x.checked_signed_diff(y as u128) => Option<i128>,
        x.carrying_add(y as u128, y > 1) => (u128, bool),
        x.borrowing_sub(y as u128, y > 1) => (u128, bool),
        x.carrying_mul(y as u128, x) => (u128, u128),
        x.carrying_mul_add(y as u128, x, u128::MAX) => (u128, u128),
    }
    let roots: Vec<(u128, u32)> = (0..40)
        .flat_map(|k| [k, u128::from(u64::MAX) - k, (1 << 53) - 20 + k])
        .flat_map(|k| [k * k, (k * k).wrapping_sub(1), k * k + 1])
        .map(|square| (square, 0))
        .collect();
    same! { &roots, |x: u128, y: u32| x.isqrt() => u128, }
}

#[test]
fn signed() {
    let values: Vec<i128> = (values().into_iter())
        .flat_map(|x| [x as i128, (x as i128).wrapping_neg()])
        .collect();
    let values: Vec<i128> = values
        .into_iter()
        .step_by(3)
        .chain([i128::MIN, i128::MAX, -1, 0, 1])
        .collect();
    both_signs!(i128 u128 &values);
    let others: Vec<u128> = values.iter().map(|&x| x as u128).collect();
    let mixed = &pairs(&values, &others);
    agree! { mixed, |x: i128, y: u128|
        -x => Some(x.wrapping_neg()) => i128,
        x.abs() => Some(x.wrapping_abs()) => i128,
        x.isqrt() => x.checked_isqrt() => i128,
        x.strict_abs() => x.checked_abs() => i128,
        x.strict_add_unsigned(y) => x.checked_add_unsigned(y) => i128,
        x.strict_sub_unsigned(y) => x.checked_sub_unsigned(y) => i128,
    }
    same! { mixed, |x: i128, y: u128|
        x.cast_unsigned() => u128,
        x.unsigned_abs() => u128,
        x.signum() => i128,
        x.is_positive() => bool,
        x.is_negative() => bool,
        x.checked_isqrt() => Option<i128>,
        x.wrapping_abs() => i128,
        x.saturating_neg() => i128,
        x.saturating_abs() => i128,
        x.overflowing_abs() => (i128, bool),
        x.checked_abs() => Option<i128>,
        x.wrapping_add_unsigned(y) => i128,
        x.wrapping_sub_unsigned(y) => i128,
        x.saturating_add_unsigned(y) => i128,
        x.saturating_sub_unsigned(y) => i128,
        x.overflowing_add_unsigned(y) => (i128, bool),
        x.overflowing_sub_unsigned(y) => (i128, bool),
        x.checked_add_unsigned(y) => Option<i128>,
        x.checked_sub_unsigned(y) => Option<i128>,
        match x { ..=-5 => 1, -4..0 => 2, 0..=9 => 3, 10.. => 4 } => i32,
        match x { i128::MIN => 1, -18_446_744_073_709_551_616..=18_446_744_073_709_551_616 => 2, _ => 3 } => i32,
    }
}

#[test]
fn conversions() {
    let whole = [
        0,
        1,
        2,
        255,
        256,
        u64::MAX,
        u64::MAX - 1,
        1 << 63,
        (1 << 63) - 1,
        0x8080_8080_8080,
    ];
    let unsigned = &pairs(&whole, &[1_u64, u64::MAX]);
    same! { unsigned, |x: u64, y: u64|
        x as u128 => u128,
        x as i128 => i128,
        u128::from(x) => u128,
        i128::from(x) => i128,
        x as u128 * y as u128 => u128,
        (x as u128 * y as u128 >> 64) as u64 => u64,
        x as u8 as u128 => u128,
        x as u8 as char as u128 => u128,
        (x > y) as u128 => u128,
        x as u128 * 0xFFFF_FFFF_FFFF_FFFF => u128,
    }
    let negative: Vec<i64> = whole
        .iter()
        .map(|&x| x as i64)
        .chain([-1, -5, i64::MIN])
        .collect();
    same! { &pairs(&negative, &negative), |x: i64, y: i64|
        x as u128 => u128,
        x as i128 => i128,
        i128::from(x) => i128,
        x as i128 * y as i128 => i128,
        x as i32 as i128 * y as i128 => i128,
        x as i8 as u128 => u128,
        x as i128 - y as i128 => i128,
        x as i128 + 0x7FFF_FFFF_FFFF_FFFF => i128,
        (x as i128 * 5_000_000_000) / 7 => i128,
    }
    let floats: Vec<f64> = [
        0.0,
        0.5,
        1.0,
        1.5,
        1e10,
        1e19,
        1.8446744073709552e19,
        1e25,
        1.7014118346046923e38,
    ]
    .into_iter()
    .chain([
        1.7014118346046921e38,
        3.402823669209385e38,
        3.4028236692093843e38,
        1e300,
    ])
    .chain([
        f64::INFINITY,
        f64::NAN,
        f64::MIN_POSITIVE,
        123_456_789_012_345_680_000.0,
    ])
    .flat_map(|x| [x, -x])
    .collect();
    same! { &pairs(&floats, &floats[..1]), |x: f64, y: f64| x as u128 => u128, x as i128 => i128, }
    let floats: Vec<f32> = floats.iter().map(|&x| x as f32).chain([f32::MAX]).collect();
    same! { &pairs(&floats, &floats[..1]), |x: f32, y: f32| x as u128 => u128, x as i128 => i128, }
    // Halfway between two floats, and just beside.
    let ties: Vec<u128> = [24, 53]
        .into_iter()
        .flat_map(|digits| (0..128 - digits).map(move |shift| (digits, shift)))
        .flat_map(|(digits, shift)| {
            let (odd, half) = ((1u128 << digits) - 1, 1u128 << shift >> 1);
            [odd, odd - 1]
                .map(|top| (top << shift) + half)
                .into_iter()
                .flat_map(|x| [x, x + 1, x.wrapping_sub(1)])
        })
        .collect();
    same! { &pairs(&ties, &[0_u32]), |x: u128, y: u32|
        x as f32 => f32,
        x as f64 => f64,
        x as i128 as f32 => f32,
        x as i128 as f64 => f64,
    }
}

/// The sum of `i * i + 1` over a range, with breaks.
#[test]
fn ranges() {
    let near: Vec<u128> = [0, 1, 5, 300]
        .into_iter()
        .flat_map(|k| [k, (1 << 64) - 3 + k, u128::MAX - 300 + k])
        .collect();
    let inputs: Vec<(u128, u32)> = pairs(&near, &[0_u32, 1, 2, 7]);
    agree! { &inputs, |x: u128, y: u32|
        { let mut sum = 0; for i in x..x + 5 { sum += i * i + 1; } sum } => {
            Some((x..x.wrapping_add(5)).fold(0, |sum: u128, i| sum.wrapping_add(i.wrapping_mul(i)).wrapping_add(1)))
        } => u128,
        { let mut sum = 0; for i in (x..=x + y as u128).rev() { sum = sum * 3 + i; } sum } => {
            Some((x..=x.wrapping_add(y.into())).rev().fold(0, |sum: u128, i| sum.wrapping_mul(3).wrapping_add(i)))
        } => u128,
        { let mut sum = 0; for i in (5..x).rev().step_by(1000 + y as usize) { sum = sum * 3 + i; if i & 4 == 0 || x > 1000 { break; } } sum } => {
            let mut sum = 0_u128;
            for i in (5..x).rev().step_by(1000 + y as usize) {
                sum = sum.wrapping_mul(3).wrapping_add(i);
                if i & 4 == 0 || x > 1000 {
                    break;
                }
            }
            Some(sum)
        } => u128,
        { let mut sum = 0; for i in (x..x + 300).step_by(7) { if i % 3 == 0 { continue; } sum = sum * 3 + i; } sum } => {
            let wanted = (x..x.wrapping_add(300)).step_by(7).filter(|i| i % 3 != 0);
            Some(wanted.fold(0, |sum: u128, i| sum.wrapping_mul(3).wrapping_add(i)))
        } => u128,
        { let mut sum = 0i128; for i in -3..4 { sum += i << y; } sum as u128 } => Some(0) => u128,
    }
}

#[test]
fn constants_are_evaluated_as_rust_does() {
    let source = "
        const M: u128 = (1 << 127) - 1;
        const N: i128 = -170_141_183_460_469_231_731_687_303_715_884_105_728;
        const P: (u128, i128) = (M / 3 + 7 % 4, N + 1);
        const Q: u128 = if M > 5 && P.1 < 0 { M ^ 0xFF } else { 0 };
        const F: f64 = M as f64;
        const I: i128 = 1e20 as i128;
        pub fn f() -> ((u64, u64), (u64, u64), (u64, u64), f64, u64) {
            let parts = |x: u128| ((x >> 64) as u64, x as u64);
            (parts(P.0), parts(P.1 as u128), parts(Q), F, (I >> 3) as u64)
        }";
    let m = (1u128 << 127) - 1;
    let p = (m / 3 + 3, (i128::MIN + 1) as u128);
    let parts = |x: u128| [(x >> 64) as u64, x as u64];
    let mut expected: Vec<u64> = [p.0, p.1, m ^ 0xFF].into_iter().flat_map(parts).collect();
    expected.extend([
        (m as f64).to_bits(),
        (100_000_000_000_000_000_000_i128 >> 3) as u64,
    ]);
    let outputs =
        eval(&program(source), &[], &[] as &[Array]).unwrap_or_else(|_| panic!("it fails"));
    let found: Vec<u64> = outputs
        .into_iter()
        .flat_map(|output| match output {
            Output::Scalar(leaves) => leaves,
            Output::Array { .. } => panic!("an array"),
        })
        .map(|leaf| leaf.bits)
        .collect();
    assert_eq!(found, expected);
}
