//! The block's own types: methods, operators, enums; options.

use super::{integers, run, vector};

#[test]
fn methods_and_operators() {
    let source = "
        struct Complex { re: f64, im: f64 }
        impl Complex {
            const ONE: Self = Self { re: 1.0, im: 0.0 };
            fn new(re: f64, im: f64) -> Self { Self { re, im } }
            fn norm(&self) -> f64 { (self * self.conjugate()).re }
            fn conjugate(self) -> Complex { Complex::new(self.re, -self.im) }
            fn scaled(mut self, by: f64) -> Self { self.re *= by; self.im *= by; self }
        }
        impl Add for Complex {
            type Output = Complex;
            fn add(self, other: Complex) -> Complex {
                Complex::new(self.re + other.re, self.im + other.im)
            }
        }
        impl std::ops::Mul for Complex {
            type Output = Self;
            fn mul(self, other: Self) -> Self {
                Self { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
            }
        }
        impl Mul<Complex> for f64 {
            type Output = Complex;
            fn mul(self, z: Complex) -> Complex { z.scaled(self) }
        }
        impl Neg for Complex {
            type Output = Complex;
            fn neg(self) -> Complex { -1.0 * self }
        }
        type C = Complex;
        pub fn f(xs: &Vector<f64>) -> Vector<(f64, f64, f64)> {
            xs.map(|x| {
                let mut z = C::new(x, 1.0);
                z = z * z + Complex::ONE;
                z += -(2.0 * Complex::new(0.0, x));
                (z.re, z.im, z.norm())
            })
        }";
    let result = run(source, &[], &[vector(&[2.0, 3.0])]);
    assert_eq!(result, Ok(vec![4.0, 9.0, 0.0, 0.0, 16.0, 81.0]));
}

const SHAPES: &str = "
    enum Shape { Empty, Circle(f64), Rectangle { width: f64, height: f64 }, Marked(bool, Kind) }
    enum Kind { Low = 3, High = 7 }
    impl Shape {
        fn of(k: i32) -> Self {
            match k {
                0 => Self::Empty,
                1 => Shape::Circle(2.0),
                2 => Shape::Rectangle { height: 3.0, width: 4.0 },
                k => Shape::Marked(k > 3, if k > 4 { Kind::High } else { Kind::Low }),
            }
        }
        fn area(self) -> f64 {
            match self {
                Shape::Empty => 0.0,
                Self::Circle(r) if r > 100.0 => -1.0,
                Self::Circle(r) => 3.0 * r * r,
                Self::Rectangle { width, .. } if width > 100.0 => -2.0,
                Self::Rectangle { width, height: h } => width * h,
                Self::Marked(true, kind) => 100.0 + (kind as i32) as f64,
                Self::Marked(false, Kind::Low) => 50.0,
                Self::Marked(false, Kind::High) => 60.0,
            }
        }
    }";

#[test]
fn enums() {
    let source = format!(
        "{SHAPES} pub fn f(ks: &Vector<i32>) -> Vector<f64> {{ ks.map(|k| Shape::of(k)).map(Shape::area) }}"
    );
    let result = run(&source, &[], &[integers(&[0, 1, 2, 3, 4, 5])]);
    assert_eq!(result, Ok(vec![0.0, 12.0, 12.0, 50.0, 103.0, 107.0]));
    let source = format!(
        "{SHAPES} pub fn f(ks: &Vector<i32>) -> Vector<bool> {{
            ks.map(|k| Shape::of(k) == Shape::Circle(2.0) || Shape::of(k) == Shape::Marked(true, Kind::High))
        }}"
    );
    let result = run(&source, &[], &[integers(&[0, 1, 2, 3, 4, 5])]);
    assert_eq!(result, Ok(vec![0.0, 1.0, 0.0, 0.0, 0.0, 1.0]));
}

#[test]
fn enums_as_the_state_of_a_loop() {
    let source = "
        enum Step { Go(i32), Done { after: i32 } }
        pub fn f(ks: &Vector<i32>) -> Vector<i32> {
            ks.map(|k| {
                let mut step = Step::Go(k);
                let mut rounds = 0;
                while let Step::Go(left) = step {
                    rounds += 1;
                    step = if left <= 0 { Step::Done { after: rounds } } else { Step::Go(left - 2) };
                }
                if let Step::Done { after } = step { after } else { -1 }
            })
        }";
    let result = run(source, &[], &[integers(&[0, 1, 2, 3, 4, -9])]);
    assert_eq!(result, Ok(vec![1.0, 2.0, 2.0, 3.0, 3.0, 1.0]));
}

#[test]
fn options() {
    let cases = [
        ("o.map(|x| x * 2).unwrap_or(-1)", [-1.0, 6.0, 10.0]),
        (
            "o.and_then(|x| xs.get(x as usize)).unwrap_or(-1)",
            [-1.0, -1.0, -1.0],
        ),
        (
            "o.and_then(|x| xs.get(x as usize - 3)).unwrap_or(-1)",
            [-1.0, 2.0, 5.0],
        ),
        ("o.filter(|x| x > 3).map_or(7, |x| x + 1)", [7.0, 7.0, 6.0]),
        ("o.or(Some(9)).unwrap()", [9.0, 3.0, 5.0]),
        (
            "o.or_else(|| Some(k)).unwrap_or_else(|| -2)",
            [2.0, 3.0, 5.0],
        ),
        (
            "o.zip(p).map_or_else(|| -3, |(a, b)| a * b)",
            [-3.0, -3.0, 50.0],
        ),
        ("o.xor(p).unwrap_or(-4)", [-4.0, 3.0, -4.0]),
        ("o.and(p).unwrap_or_default()", [0.0, 0.0, 10.0]),
        (
            "if o.is_some_and(|x| x == 5) { 1 } else { 0 }",
            [0.0, 0.0, 1.0],
        ),
        (
            "if o.is_none_or(|x| x == 5) { 1 } else { 0 }",
            [1.0, 0.0, 1.0],
        ),
        (
            "Some(o).flatten().map(i32::abs).unwrap_or(0)",
            [0.0, 3.0, 5.0],
        ),
        (
            "k.checked_sub(i32::MIN).unwrap_or_default()",
            [0.0, 0.0, 0.0],
        ),
    ];
    for (expr, expected) in cases {
        let source = format!(
            "pub fn f(xs: &Vector<i32>) -> Vector<i32> {{
                xs.map(|k| {{
                    let o = if k < 3 {{ None }} else {{ Some(k) }};
                    let p = if k > 4 {{ Some(10) }} else {{ None }};
                    {expr}
                }})
            }}"
        );
        let result = run(&source, &[], &[integers(&[2, 3, 5])]);
        assert_eq!(result, Ok(expected.to_vec()), "{expr}");
    }
}

#[test]
fn operators_on_arrays_of_the_blocks_types() {
    let source = "
        struct Money { cents: i32 }
        impl Add for Money {
            type Output = Money;
            fn add(self, other: Money) -> Money { Money { cents: self.cents + other.cents } }
        }
        impl Mul<i32> for Money {
            type Output = Money;
            fn mul(self, by: i32) -> Money { Money { cents: self.cents * by } }
        }
        impl Neg for Money {
            type Output = Money;
            fn neg(self) -> Money { Money { cents: -self.cents } }
        }
        pub fn f(xs: &Vector<i32>) -> Vector<i32> {
            let a = xs.map(|x| Money { cents: x });
            let sum = a + a * xs + -(a * 3);
            sum.map(|m| m.cents)
        }";
    let result = run(source, &[], &[integers(&[2, 5])]);
    assert_eq!(result, Ok(vec![0.0, 15.0]));
}
