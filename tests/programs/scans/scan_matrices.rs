//! Running products of 2x2 integer matrices: a state of 16 bytes.
//!
//! kernels: 1 (scan)
//! bytes: 12n
//! shapes: xs n

accelerate! {
    struct Square {
        a: u32,
        b: u32,
        c: u32,
        d: u32,
    }

    fn times(l: Square, r: Square) -> Square {
        Square {
            a: l.a * r.a + l.b * r.c,
            b: l.a * r.b + l.b * r.d,
            c: l.c * r.a + l.d * r.c,
            d: l.c * r.b + l.d * r.d,
        }
    }

    pub fn products(xs: &Vector<u32>) -> Vector<(u32, u32)> {
        let steps = xs.map(|x| Square { a: x, b: 1, c: 1, d: 0 });
        steps.scan1(|l, r| times(l, r)).map(|s| (s.b, s.d))
    }
}
