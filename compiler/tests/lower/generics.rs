//! Generic structs, their methods and operators, against the same written out for one type.

use super::{program, run, vector};
use accelerate_compiler::scalar::Scalar;

const ITEMS: &str = "
    struct Pair<T> { a: T, b: T }
    struct Two<A, B>(A, B);
    struct Nested<T> { inner: Pair<T>, both: Two<T, Pair<u32>> }
    impl<T: Number> Pair<T> {
        fn new(a: T, b: T) -> Self { Self { a, b } }
        fn swapped(self) -> Pair<T> { Pair { a: self.b, b: self.a } }
        fn same(x: T) -> Self { Self::new(x, x) }
        fn dot(self, o: Self) -> T { self.a * o.a + self.b * o.b }
        fn with<U: Number>(self, f: impl Fn(T) -> U) -> Pair<U> { Pair { a: f(self.a), b: f(self.b) } }
        fn checked(self) -> Self { assert!(Self::same(self.a).a == self.a, \"same\"); self }
    }
    impl<T: Number> Add for Pair<T> { type Output = Self; fn add(self, o: Self) -> Self { Pair { a: self.a + o.a, b: self.b + o.b } } }
    impl<T: Number> Mul<T> for Pair<T> { type Output = Pair<T>; fn mul(self, k: T) -> Pair<T> { Pair { a: self.a * k, b: self.b * k } } }
    impl<T: Number> Neg for Pair<T> { type Output = Pair<T>; fn neg(self) -> Pair<T> { Pair { a: -self.a, b: -self.b } } }
    type Point = Pair<f64>;
    struct Held<T> { xs: Vector<T>, k: T }
    fn norm<T: Float>(p: Pair<T>) -> T { p.dot(p).sqrt() }
    fn first<A: Element, B: Element>(t: Two<A, B>) -> A { t.0 }";

#[test]
fn generic_structs_are_types_for_each_argument() {
    let cases: [(&str, f64); 21] = [
        ("{ let p = Pair { a: x, b: 2.0 }; p.a + p.b }", 5.0),
        ("{ let p = Pair { a: 1, b: 7_u8 }; x + p.a as f64 }", 4.0),
        ("norm(Pair::new(x, 4.0))", 5.0),
        ("norm(Pair::new(x as f32, 4.0)) as f64", 5.0),
        (
            "{ let p: Point = Pair::same(x); let Pair { a, b } = p.swapped(); a + b }",
            6.0,
        ),
        (
            "{ let q = Point { a: x, b: 1.0 } + Pair::same(1.0); q.a * q.b }",
            8.0,
        ),
        ("(Pair::new(x, 1.0) * 2.0).dot(-Pair::same(1.0))", -8.0),
        (
            "Pair::new(x, 1.0).with(|y| y as i32 + 1).dot(Pair::new(1, 10)) as f64",
            24.0,
        ),
        ("first(Two(x, 1_u8))", 3.0),
        ("first(Two(Pair::new(1, 2), x)).b as f64", 2.0),
        (
            "{ let n = Nested { inner: Pair::same(x), both: Two(x, Pair::same(1)) }; n.inner.a + n.both.0 + n.both.1.b as f64 }",
            7.0,
        ),
        (
            "{ let (a, b) = (Pair::new(1, 2), Pair::new(1, 2)); if a == b { x } else { 0.0 } }",
            3.0,
        ),
        (
            "{ let ps = xs.map(|y| Two(y, 1)); ps.map(|p| p.0 * p.1 as f64).sum() }",
            9.0,
        ),
        (
            "{ let ps = xs.map(|y| Pair { a: y, b: 1.0 }); let s = ps.sum(); s.a + s.b }",
            12.0,
        ),
        (
            "{ let ps = xs.map(|y| Pair { a: y, b: 1.0 }); let s = (ps + ps).fold1(|p, q| p + q); s.a + s.b }",
            24.0,
        ),
        (
            "{ let ps = xs.map(|y| Pair { a: y, b: -y }); (ps * 2.0).map(|p| p.a - p.b).max() }",
            16.0,
        ),
        (
            "{ let mut p = Pair::same(x); p.a = 1.0; p.b += p.a; p.b }",
            4.0,
        ),
        (
            "{ let t = Two(x, 1_u32); match t { Two(a, 1) => a, Two(_, _) => 0.0 } }",
            3.0,
        ),
        ("{ let h = Held { xs, k: x }; h.xs.sum() * h.k }", 27.0),
        (
            "{ let f = [Pair::same(x), Pair::same(1.0)]; f[0].a + f[1].b }",
            4.0,
        ),
        ("Pair::new(x, 1.0).checked().add(Pair::same(0.5)).a", 3.5),
    ];
    for (body, expected) in cases {
        let source = format!("{ITEMS}\npub fn f(xs: &Vector<f64>, x: f64) -> f64 {{ {body} }}");
        let found = run(&source, &[Scalar::f64(3.0)], &[vector(&[2.0, 3.0, 4.0])]);
        assert_eq!(found, Ok(vec![expected]), "{body}");
    }
}

#[test]
fn arguments_leave_no_trace() {
    let generic = format!(
        "{ITEMS}\npub fn f(xs: &Vector<Pair<f64>>) -> Vector<Pair<f64>> {{ xs.map(|p| (p + p) * 2.0) }}"
    );
    let plain = "struct Pair { a: f64, b: f64 }
        impl Add for Pair { type Output = Pair; fn add(self, o: Pair) -> Pair { Pair { a: self.a + o.a, b: self.b + o.b } } }
        impl Mul<f64> for Pair { type Output = Pair; fn mul(self, k: f64) -> Pair { Pair { a: self.a * k, b: self.b * k } } }
        pub fn f(xs: &Vector<Pair>) -> Vector<Pair> { xs.map(|p| (p + p) * 2.0) }";
    assert_eq!(program(&generic).to_string(), program(plain).to_string());
}
