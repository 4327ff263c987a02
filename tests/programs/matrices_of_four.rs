//! Products of 4x4 matrices, states of 128 bytes: fewer threads of a block find room for theirs in shared memory.
//!
//! kernels: 4 (scan, reduce, reduce, reduce)
//! shapes: xs n, m (m, n), at s
//! offsets: at n

accelerate! {
    pub struct Row { a: i64, b: i64, c: i64, d: i64 }
    pub struct Square { a: Row, b: Row, c: Row, d: Row }

    fn times(r: Row, m: Square) -> Row {
        Row {
            a: r.a * m.a.a + r.b * m.b.a + r.c * m.c.a + r.d * m.d.a,
            b: r.a * m.a.b + r.b * m.b.b + r.c * m.c.b + r.d * m.d.b,
            c: r.a * m.a.c + r.b * m.b.c + r.c * m.c.c + r.d * m.d.c,
            d: r.a * m.a.d + r.b * m.b.d + r.c * m.c.d + r.d * m.d.d,
        }
    }

    #[associative]
    fn product(x: Square, y: Square) -> Square {
        Square { a: times(x.a, y), b: times(x.b, y), c: times(x.c, y), d: times(x.d, y) }
    }

    pub fn products(
        xs: &Vector<Square>,
        m: &Matrix<Square>,
        at: &Vector<u32>,
    ) -> (Vector<Square>, Vector<Square>, Vector<Square>, Square) {
        let zero = Row { a: 0, b: 0, c: 0, d: 0 };
        let one = Square {
            a: Row { a: 1, ..zero },
            b: Row { b: 1, ..zero },
            c: Row { c: 1, ..zero },
            d: Row { d: 1, ..zero },
        };
        (
            xs.scan1(product),
            m.fold_axis(0, one, product),
            xs.fold_segmented(Offsets::new(at), one, product),
            m.fold_all(one, product),
        )
    }
}
