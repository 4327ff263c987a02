//! Integers of 8 and 16 bits, halves and what is estimated, in each instruction set that this machine has, against Rust's own.

use super::{As, Cast, Element, Float, Integer, Lanes, Mask, Number, Portable, VIRTUAL, Value};

/// Numbers of a generator, and the bounds of the type.
fn sample<T: Element>(bounds: [T; 2]) -> Vec<T>
where
    u64: As<T>,
{
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        As::<T>::to(state >> 20)
    };
    let mut numbers: Vec<T> = (0..4 * VIRTUAL - 5).map(&mut next).collect();
    numbers.extend(bounds);
    numbers.extend([T::ZERO, T::from_index(1), bounds[0].plus(T::from_index(1))]);
    numbers
}

/// Comparisons and choices of two vectors of integers.
fn compared<V: Number>(a: &[V::T], b: &[V::T])
where
    V::T: std::fmt::Debug,
{
    let read = |from: &[V::T]| V::from_lanes(|lane| from[lane]);
    let (x, y) = (read(a), read(b));
    let masks = [x.eq(y), x.ne(y), x.lt(y), x.le(y)];
    let chosen = V::select(masks[2], x, y);
    let (least, greatest) = (x.min(y), x.max(y));
    for lane in 0..V::L::W {
        let (p, q) = (a[lane], b[lane]);
        let held = masks.map(|mask| mask.lane(lane));
        assert_eq!(held, [p == q, p != q, p < q, p <= q], "{p:?} and {q:?}");
        let ordered = if p < q { (p, q) } else { (q, p) };
        assert_eq!(chosen.lane(lane), ordered.0);
        assert_eq!((least.lane(lane), greatest.lane(lane)), ordered);
    }
    assert_eq!(
        masks[0].any(),
        a[..V::L::W].iter().zip(b).any(|(p, q)| p == q)
    );
}

/// What two vectors of integers, and one and the numbers of its lanes, come to.
fn computed<V: Integer>(a: &[V::T], b: &[V::T])
where
    V::T: std::fmt::Debug,
{
    let read = |from: &[V::T]| V::from_lanes(|lane| from[lane]);
    let (x, y) = (read(a), read(b));
    let by = <V::L as Lanes>::U32::from_lanes(|lane| 5 * lane as u32);
    let ours = [
        [x.add(y), x.sub(y), x.mul(y), x.div(y), x.rem(y)],
        [x.and(y), x.or(y), x.xor(y), x.shl(by), x.shr(by)],
        [x.neg(), x.not(), x.abs(), x.mul_high(y), x],
    ];
    for lane in 0..V::L::W {
        let (p, q, by) = (a[lane], b[lane], 5 * lane as u32);
        let theirs = [
            [p.plus(q), p.minus(q), p.times(q), p.over(q), p.modulo(q)],
            [
                p.bits_and(q),
                p.bits_or(q),
                p.bits_xor(q),
                p.left(by),
                p.right(by),
            ],
            [
                p.negative(),
                p.bits_not(),
                p.magnitude(),
                p.times_high(q),
                p,
            ],
        ];
        let ours = ours.map(|some| some.map(|x| x.lane(lane)));
        assert_eq!(ours, theirs, "{p:?} and {q:?}");
    }
}

/// A conversion to another type.
fn converted<A: Value + Cast<B>, B: Value>(a: &[A::T])
where
    A::T: As<B::T> + std::fmt::Debug,
    B::T: PartialEq + std::fmt::Debug,
{
    let to = A::from_lanes(|lane| a[lane]).cast();
    for (lane, &from) in a[..A::L::W].iter().enumerate() {
        assert_eq!(to.lane(lane), from.to(), "{from:?}");
    }
}

macro_rules! of_type {
    ($lanes:ident, $leaf:ident, $vector:ident) => {{
        let numbers = sample([$leaf::MIN, $leaf::MAX]);
        for (a, b) in numbers.windows(VIRTUAL).zip(numbers[1..].windows(VIRTUAL)) {
            compared::<$lanes::$vector>(a, b);
            compared::<$lanes::$vector>(a, a);
            computed::<$lanes::$vector>(a, b);
            converted::<$lanes::$vector, $lanes::I8>(a);
            converted::<$lanes::$vector, $lanes::U8>(a);
            converted::<$lanes::$vector, $lanes::I16>(a);
            converted::<$lanes::$vector, $lanes::U16>(a);
            converted::<$lanes::$vector, $lanes::I32>(a);
            converted::<$lanes::$vector, $lanes::U32>(a);
            converted::<$lanes::$vector, $lanes::I64>(a);
            converted::<$lanes::$vector, $lanes::U64>(a);
            converted::<$lanes::$vector, $lanes::F32>(a);
            converted::<$lanes::$vector, $lanes::F64>(a);
        }
    }};
}

macro_rules! to_narrow {
    ($lanes:ident, $numbers:expr, $vector:ident) => {{
        let numbers = $numbers;
        for a in numbers.windows(VIRTUAL) {
            converted::<$lanes::$vector, $lanes::I8>(a);
            converted::<$lanes::$vector, $lanes::U8>(a);
            converted::<$lanes::$vector, $lanes::I16>(a);
            converted::<$lanes::$vector, $lanes::U16>(a);
        }
    }};
}

fn narrow_integers<L: Lanes>() {
    of_type!(L, i8, I8);
    of_type!(L, u8, U8);
    of_type!(L, i16, I16);
    of_type!(L, u16, U16);
    to_narrow!(L, sample([i32::MIN, i32::MAX]), I32);
    to_narrow!(L, sample([u32::MIN, u32::MAX]), U32);
    to_narrow!(L, sample([i64::MIN, i64::MAX]), I64);
    to_narrow!(L, sample([u64::MIN, u64::MAX]), U64);
    let wide = sample([i32::MIN, i32::MAX]);
    let halves = |x: &i32| f64::from(*x % 70_000) / 2.0;
    let special = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        -0.0,
        1e300,
        -1e300,
        255.9,
        -128.9,
    ];
    let floats: Vec<f64> = wide.iter().map(halves).chain(special).collect();
    to_narrow!(
        L,
        floats.iter().map(|&x| x as f32).collect::<Vec<f32>>(),
        F32
    );
    to_narrow!(L, floats, F64);
}

/// Conversions of floats of 16 bits, against the crate `half`; a NaN is the one without more.
fn halves<L: Lanes>() {
    use half::{bf16, f16};
    let canonical = |nan: bool, one: u16, bits: u16| if nan { one } else { bits };
    for first in (0..=u16::MAX).step_by(L::W) {
        let bits = |lane: usize| first.wrapping_add(lane as u16);
        let x = L::U16::from_lanes(bits);
        let (wide, wide_brain) = (L::f32_from_f16(x), L::f32_from_bf16(x));
        let back = [L::f16_from_f32(wide), L::bf16_from_f32(wide_brain)];
        for lane in 0..L::W {
            let halves = (f16::from_bits(bits(lane)), bf16::from_bits(bits(lane)));
            let ours = [wide.lane(lane), wide_brain.lane(lane)];
            for (ours, theirs) in ours.into_iter().zip([halves.0.to_f32(), halves.1.to_f32()]) {
                let same = ours.to_bits() == theirs.to_bits() || ours.is_nan() && theirs.is_nan();
                assert!(same, "{:#x}: {ours} and {theirs}", bits(lane));
            }
            let kept = [
                canonical(halves.0.is_nan(), 0x7e00, bits(lane)),
                canonical(halves.1.is_nan(), 0x7fc0, bits(lane)),
            ];
            assert_eq!(back.map(|x| x.lane(lane)), kept);
        }
    }
    // Around each number, each middle between two, and the largest one.
    let mut state = 0x9e37_79b9_u32;
    for k in 0..200_000_u32 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let near = |lane: usize| {
            let edge = (state >> 12 | k << 31) & !0xfff;
            f32::from_bits(match lane % 4 {
                0 => state.wrapping_add(lane as u32),
                1 => edge.wrapping_add(lane as u32 / 4).wrapping_sub(1),
                2 => (0x477f_e000 + (state >> 20)).wrapping_add(lane as u32),
                _ => (0x3300_0000 + (state >> 6)).wrapping_add(lane as u32),
            })
        };
        let x = L::F32::from_lanes(near);
        let ours = [L::f16_from_f32(x), L::bf16_from_f32(x)];
        for lane in 0..L::W {
            let x = near(lane);
            let theirs = [
                canonical(x.is_nan(), 0x7e00, f16::from_f32(x).to_bits()),
                canonical(x.is_nan(), 0x7fc0, bf16::from_f32(x).to_bits()),
            ];
            assert_eq!(ours.map(|x| x.lane(lane)), theirs, "{x:e}");
        }
    }
}

/// Roots and quotients that need not be exact are within 2 ulp, and what they are at the ends of the range.
fn estimates<L: Lanes>() {
    // Of numbers that are not NaN, the exact one known to more digits.
    let near = |ours: f32, exact: f64| {
        let rounded = exact as f32;
        let ulp = f64::from(rounded.next_up()) - f64::from(rounded);
        ours == rounded || (f64::from(ours) - exact).abs() <= 2.0 * ulp.abs()
    };
    for first in (0..f32::INFINITY.to_bits()).step_by(8191 * L::W) {
        let of = |lane: usize| f32::from_bits(first + 8191 * lane as u32);
        // From 2^-126 to 2^126.
        let by = |lane: usize| {
            let bits = first.rotate_left(9).wrapping_add(lane as u32);
            f32::from_bits(bits % (252 << 23) + (1 << 23))
        };
        let [x, y] = [L::F32::from_lanes(of), L::F32::from_lanes(by)];
        let (roots, quotients) = (x.rsqrt(), x.fast_div(y));
        for lane in 0..L::W {
            let (x, y) = (of(lane), by(lane));
            let (root, quotient) = (roots.lane(lane), quotients.lane(lane));
            let wide = f64::from(x);
            assert!(
                x.is_nan() || near(root, 1.0 / wide.sqrt()),
                "rsqrt({x:e}) = {root:e}"
            );
            let exact = wide / f64::from(y);
            assert!(
                x.is_nan() || near(quotient, exact) || exact.abs() < f64::from(f32::MIN_POSITIVE),
                "{x:e} / {y:e} = {quotient:e}"
            );
        }
        let wide = |lane: usize| f64::from(of(lane)) * 1e-9;
        let roots = L::F64::from_lanes(wide).rsqrt();
        for lane in 0..L::W {
            let (x, root) = (wide(lane), roots.lane(lane));
            let exact = 1.0 / x.sqrt();
            let is_near = root == exact || (root / exact - 1.0).abs() <= 4.0 * f64::EPSILON;
            assert!(x.is_nan() || is_near, "rsqrt({x:e}) = {root:e}");
        }
    }
    let ends = [
        0.0,
        -0.0,
        f32::INFINITY,
        f32::MAX,
        f32::MIN_POSITIVE,
        -1.0,
        f32::from_bits(1),
    ];
    let of = |lane: usize| ends[lane % ends.len()];
    let x = L::F32::from_lanes(of);
    let [roots, zeros, others] = [
        x.rsqrt(),
        x.fast_div(L::F32::splat(f32::INFINITY)),
        x.fast_div(L::F32::splat(0.0)),
    ];
    for lane in 0..L::W {
        let x = of(lane);
        let same =
            |ours: f32, exact: f32| ours.is_nan() && exact.is_nan() || near(ours, exact.into());
        let root = roots.lane(lane);
        assert!(same(root, 1.0 / x.sqrt()), "rsqrt({x:e}) = {root:e}");
        let quotient = zeros.lane(lane);
        assert!(
            same(quotient, x / f32::INFINITY),
            "{x:e} / inf = {quotient:e}"
        );
        let quotient = others.lane(lane);
        assert!(same(quotient, x / 0.0), "{x:e} / 0 = {quotient:e}");
    }
}

macro_rules! on_each_set {
    ($test:ident) => {
        $test::<Portable>();
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("fma")
                && is_x86_feature_detected!("f16c")
            {
                $test::<super::Avx2>();
            }
            if is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
            {
                $test::<super::Avx512>();
            }
        }
    };
}

#[test]
fn halves_are_rounded_once() {
    halves::<super::One>();
    on_each_set!(halves);
}

#[test]
fn narrow_integers_are_what_rust_says() {
    on_each_set!(narrow_integers);
}

#[test]
fn estimates_are_near() {
    estimates::<super::One>();
    on_each_set!(estimates);
}
