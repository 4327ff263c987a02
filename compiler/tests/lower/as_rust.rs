//! Scalar code means what it means in Rust: each body is compiled by `rustc`, too, and both are asked for the same numbers.

#![expect(clippy::all, unused, reason = "odd on purpose")]

use super::run;
use accelerate_compiler::scalar::{Leaf, Scalar};
use std::panic::catch_unwind;

/// Compares a body with what Rust makes of it; a panic is a failure.
fn compare(parameter: &str, body: &str, native: fn(i32) -> i32) {
    let source = format!("pub fn f(xs: &Vector<i32>, {parameter}: i32) -> i32 {{ {body} }}");
    for x in -9..=12 {
        let scalar = Scalar::number(Leaf::I32, i64::from(x));
        let ours = run(&source, &[scalar], &[super::integers(&[1])]);
        match (catch_unwind(|| native(x)), ours) {
            (Ok(rust), ours) => assert_eq!(ours, Ok(vec![f64::from(rust)]), "of {x}"),
            (Err(_), ours) => assert!(ours.is_err(), "of {x}: {ours:?}"),
        }
    }
}

macro_rules! as_in_rust {
    ($($name:ident($x:ident) { $($body:tt)* })*) => { $(
        #[test]
        fn $name() {
            fn native($x: i32) -> i32 { $($body)* }
            compare(stringify!($x), stringify!($($body)*), native);
        }
    )* };
}

as_in_rust! {
    assignment_that_breaks(x) {
        let get = |i: i32| if i < 4 { Some(i * 3) } else { None };
        let mut last = 1;
        let mut i = x;
        loop {
            last = match get(i) { Some(v) => v, None => break };
            i += 1;
        }
        last
    }

    divisor_that_continues(x) {
        let (mut a, mut b) = (0, 0);
        for i in 0..10 {
            let o = if x == i { None } else { Some(x - i) };
            if 100 / match o { Some(v) => v, None => continue } > 3 { a += 1; } else { b += 1; }
        }
        a * 100 + b
    }

    operand_after_a_break(x) {
        let mut a = 0;
        for i in 0..5 {
            let pair = (if i == x { break } else { i }, { a += 1; a });
            a += pair.0 + pair.1;
        }
        a
    }

    operand_before_an_assignment(x) {
        let mut a = x;
        let mut sum = 0;
        for i in 0..4 {
            sum += a + { a = 7; if i + x == 3 { continue } else { i } };
            a += 1;
        }
        sum * 10 + a
    }

    returns_in_operands(x) {
        let y = 3 + if x > 4 { return x * 2 } else { x };
        y * match x { 0 => return -7, 1 => return 100 / (x - 1), other => other }
    }

    conditions_that_leave(x) {
        let mut k = x;
        let mut n = 0;
        while (if k > 20 { return n } else { k < 15 }) {
            n += 1;
            k += if k % 3 == 0 { 5 } else { 1 };
            if (if k == 7 { break } else { k > 9 }) { n += 10; } else { n += 100; }
        }
        n * 100 + k
    }

    guards_that_leave(x) {
        let mut n = 0;
        for i in 0..6 {
            n += match i + x {
                0 => 1,
                k if (if k == 3 { continue } else { k % 2 == 0 }) => { n += 1; 10 }
                k if (if k == 5 { break } else { k > 4 }) => 100,
                _ => { n += 7; 1000 }
            };
        }
        n
    }

    labels_in_their_own_conditions(x) {
        let (mut n, mut fuel) = (x, 30);
        'a: while { fuel -= 1; fuel > 0 } && { if n == 4 { break 'a } if n % 3 == 0 { n += 1; continue 'a } n < 20 } {
            n += 1;
        }
        n * 100 + fuel
    }

    ends_of_ranges(x) {
        let mut n = 0;
        'a: for i in 0..4 {
            for j in (if i == x { continue 'a } else { 0 })..(if i + x == 4 { break 'a } else { i }) {
                n += j + 1;
            }
            n += 100;
        }
        n
    }

    lazy_sides_that_leave(x) {
        let mut n = 0;
        for i in 0..6 {
            let both = i > x && (if i == 4 { break } else { true }) || i == 1;
            n = n * 2 + both as i32;
        }
        n
    }

    returned_values_that_return(x) {
        let get = |k: i32| -> Option<i32> {
            if k > 3 { return Some(k + match k { 5 => return None, k => k }); }
            Some(k)
        };
        match get(x) { Some(v) => v, None => -1 }
    }

    options_that_end(x) {
        fn half(x: i32) -> Option<i32> { if x % 2 == 0 { Some(x / 2) } else { None } }
        fn all(x: i32) -> Option<i32> {
            let mut sum = 0;
            for i in 0..3 { sum = sum * 3 + half(x + i * 2)? + 100 / half(x + i * 2)?.max(1); }
            Some(sum + half(half(x)?)?)
        }
        match all(x) { Some(v) => v, None => -5 }
    }

    blocks_with_labels(x) {
        let y = 'a: {
            if x < 0 { break 'a -x; }
            'c: for i in 0..x {
                if i * i > x { break 'a i; }
                if i == 3 { break 'c; }
            }
            'b: { if x > 5 { break 'b; } break 'a 50; }
            if x == 7 { 70 } else if x == 8 { break 'a 80 } else { 0 }
        };
        y * 3
    }

    blocks_in_operands(x) {
        let mut n = 0;
        'b: for i in 0..4 {
            n += 'a: { n += 1; if i == x { break 'a 100; } if i + x == 5 { continue 'b; } i } * 2;
        }
        n
    }

    blocks_that_diverge(x) {
        let y = 'a: { if x > 2 { break 'a x } else { return 9 } };
        'c: loop { 'd: { if y > 4 { break 'c; } if y == 4 { break 'd; } return 44; } return 55; }
        y
    }

    conditions_with_let(x) {
        let get = |i: i32| if i > 0 { Some(i * 2) } else { None };
        let big = x > 3;
        let first = if big && let Some(y) = get(x - 4) && y > 2 && let Some(z) = get(y - 6) { z }
            else if let Some(y) = get(x + 5) && y < 10 { -y }
            else if x == -7 { return 4 } else { 0 };
        let mut n = 0;
        if let Some(y) = get(x) && let Some(z) = get(y - x) { n += z; }
        let mut i = x;
        while n < 50 && let Some(y) = get(8 - i) && y > 3 { n += y; i += 1; }
        first * 1000 + n * 10 + i
    }

    alternatives_with_names(x) {
        enum Kind { A(i32), B(i32, i32), C }
        let kind = if x > 5 { Kind::A(x) } else if x > 2 { Kind::B(x, x * x) } else { Kind::C };
        let a = match kind { Kind::A(a) | Kind::B(_, a) => a * 2, Kind::C => 0 };
        let p = if x > 3 { Some((x, x % 3)) } else { None };
        let b = match p { Some((4 | 7, b) | (b, 1)) => b, Some(_) => 50, None => 60 };
        let c = if let Some((c, 0) | (1, c)) = p { c } else { -1 };
        let d = match (x, x / 2) { (d, 2) | (2, d) | (d, _) if d > 1 => d, _ => 9 };
        ((a * 10 + b) * 10 + c) * 10 + d
    }

    steps_of_ranges(x) {
        let mut n = 0;
        for i in (0..x).step_by(2).step_by(3) { n = (n * 3 + i) % 1009; }
        for i in (x..12).rev().step_by(2).rev().step_by(2).rev() { n = (n * 5 + i) % 1009; }
        for i in (0..7).step_by(2).rev().step_by(2) { n = (n * 7 + i) % 1009; }
        for i in (x..6).step_by(1).step_by(4).rev() { n = (n * 11 + i) % 1009; }
        n
    }

    items_of_functions(x) {
        enum Side { Left, Right(i32) }
        type Number = i32;
        const SHIFT: Number = 3;
        fn side(x: Number) -> Side { if x > 0 { Side::Right(x) } else { Side::Left } }
        let inner = { enum Side { Left(i32) } let Side::Left(y) = Side::Left(x); y };
        match side(x + SHIFT) { Side::Left => inner, Side::Right(y) => y * inner }
    }

    assignments_in_conditions(x) {
        let (mut a, mut b) = (x, 0);
        while { a += 1; a < 9 } {
            if { b += a; b % 2 == 0 } && { a += 1; a != 4 } { b += 100; } else if b > 50 { break; }
        }
        let c = if { a -= 1; a > 8 } { a = 1; b } else { b = 2; a };
        a * 10000 + b * 10 + c
    }

    sides_of_assignments(x) {
        let mut a = [1, 2, 3, 4];
        let mut k = 0;
        let mut n = x;
        n += { n = 5; n * 2 };
        n -= { n += 1; 3 };
        a[{ k += 1; k }] = k as i32 + n;
        a[1] = { a[2] = 9; a[1] + 1 };
        a[{ k += 1; k }] += { k = 2; a[k] };
        a[k] *= { a[k] = 3; a[3] };
        let mut p = (x, [x, 2]);
        p.1[(x.abs() % 2) as usize] += { p.0 += 1; p.0 };
        p.0 -= { p.1[0] = 7; p.1[1] };
        n += a[{ a[2] += 3; k += 1; 2 }] + p.1[{ p.1[1] -= 2; 1 + k - k }];
        (p.1[0], n) = (n, p.1[0]);
        ((a[0], _), p.1[1], a[k + 1]) = ((a[3], 5), n + 1, a[0]);
        n + 3 * a[0] + 5 * a[1] + 7 * a[2] + 11 * a[3] + 13 * p.0 + 17 * p.1[0] + 19 * p.1[1] + k as i32
    }

    order_of_operands(x) {
        let mut k = x;
        let a = k * { k += 1; k } - { k *= 2; k };
        let b = (k, { k -= 3; k }, k);
        let c = [k, { k += b.1; k }, k + 1];
        let f = |p: i32, q: i32| p * 10 + q;
        let d = f(k, { k += 1; k });
        let e = k.max({ k = 4; k }).min(k + 100);
        let g = if k > { k += 1; 2 } { k } else { -k };
        a + b.0 + 2 * b.1 + 3 * b.2 + 4 * c[0] + 5 * c[1] + 6 * c[2] + d + e + g
    }

    patterns(x) {
        const LIMIT: i32 = 4;
        struct Point { a: i32, b: (i32, u8) }
        let point = Point { a: x, b: (x - LIMIT, (x & 3) as u8) };
        let u = match x { i32::MIN..=-5 => 1, -4 | -3 => 2, y @ -2..1 => 3 + y, LIMIT => 4, y @ (5 | 7) => y * 2, 8.. => 5, _ => 6 };
        let v = match point {
            Point { a: LIMIT.., b: (0, _) } => 7,
            Point { b: (y @ 1.., 0 | 2), .. } => y,
            Point { a, b: (_, z @ 1..=2) } if a % 2 == z as i32 - 1 => a * 10,
            Point { a: y, .. } => -y,
        };
        let w = match (x > 0, (x % 3, Some(x))) { (true, (0, Some(y))) => y, (true, (z, _)) => z * 100, (false, (-1 | -2, Some(z @ ..=-4))) => z, (false, _) => 77 };
        let [first, .., last] = [x, x + 1, x * 2, x - 3];
        let Point { a: ref_a, b: (_, bits) } = point;
        let t = if let 0..=9 = x { 1 } else if let -9..0 = x { 2 } else { 3 };
        let m = matches!(x, 1 | 3..=5 if x != 4) as i32;
        u + 3 * v + 5 * w + 7 * first + 11 * last + 13 * ref_a + 17 * bits as i32 + 19 * t + 23 * m
    }

    values_of_loops(x) {
        let mut n = x;
        let y = loop { n += 3; if n > 20 { break n * 2; } if n % 5 == 0 { break -n; } };
        let (p, q) = 'a: loop { loop { n -= 1; if n < 5 { break 'a (n, y) } if n % 7 == 0 { break } } n -= 2; };
        let z = { let mut k = 0; for i in 0.. 10 { if i == x { break } k += i; } k };
        let mut count = 0;
        let r = loop { let v = { count += 1; if count > 5 { break count } count * 2 }; if v == x { break v + 100 } };
        y + 3 * p + 5 * q + 7 * z + 11 * r
    }

    arithmetic(x) {
        let a = x.wrapping_mul(0x7fff_1234) >> 3 ^ (x as u32 >> 5) as i32;
        let b = (x as u8 as i32) - (x as i8 as i32) + (x as f32 * 0.75) as i32 + (-x as f64 / 3.0) as u8 as i32;
        let c = x / 4 * 4 + x % 4 - x.rem_euclid(4) + x.div_euclid(3);
        let d = (x as u64).wrapping_sub(5) as u16 as i32 + i32::from(x as i16) + (x as i64 * 3_000_000_000 >> 31) as i32;
        let e = if x << 2 & 8 != 0 || !x & 1 == 1 && x > 2 { 1 } else { 2 };
        let f = x.checked_div(x - 3).map_or(-1, |v| v + 1) ^ x.saturating_add(i32::MAX - 4).wrapping_add(9) ^ (x.overflowing_sub(i32::MIN).1 as i32);
        let g = x.pow(2).count_ones() as i32 + x.abs().leading_zeros() as i32 + x.signum() * x.clamp(-3, 5);
        a.wrapping_add(b) ^ c.wrapping_mul(7) ^ d ^ e ^ f ^ g
    }

    failures(x) {
        let table = [3, 1, 4, 1, 5];
        let mut n = 0;
        for i in 0..4 {
            if i > 1 && x > 8 { continue; }
            let k = match x { 0..=4 => table[(x + i % 2) as usize], 5 => { if i == 1 { break } 2 }, _ => 7 };
            n += k / (if x == -9 && n > 3 { 0 } else { 1 });
            assert!(n < 40 || x == 6);
        }
        n
    }

    ranges_of_floats(x) {
        let f = x as f32 * 0.25;
        let a = match f { ..-1.0 => 1, -1.0..0.0 => 2, 0.0 => 3, 0.0..1.0 => 4, 1.0..=1.25 => 5, _ => 6 };
        let b = match x as f64 { -3.0..1.0 => 1, 1.0.. => 2, _ => 3 };
        a * 10 + b
    }

    ranges_with_names(x) {
        let range = x..x + 5;
        let all = 0..4_i32;
        let mut n = 0;
        for i in range { n = n * 3 + i; }
        for i in all.rev() { n = n * 2 + i; }
        n
    }

    shadowed_and_nested(x) {
        let mut total = 0;
        'outer: for i in 0..5 {
            let x = x + i;
            let mut j = 0;
            loop {
                j += 1;
                let x = x * j;
                if x > 20 { continue 'outer; }
                if x < -20 { break 'outer; }
                total += { let total = x; if total % 5 == 4 { break } total };
                if j > 4 { break }
            }
            total += 1000;
        }
        total
    }
}
