//! Products of 4x4 matrices, states of 128 bytes: fewer threads of a block find room for theirs in shared memory.
//!
//! kernels: 3 (scan, reduce, reduce)
//! shapes: xs n, m (m, n)

accelerate! {
    pub struct Row { p: i64, q: i64, r: i64, s: i64 }
    pub struct Square { p: Row, q: Row, r: Row, s: Row }

    fn times(x: Row, m: Square) -> Row {
        Row {
            p: x.p * m.p.p + x.q * m.q.p + x.r * m.r.p + x.s * m.s.p,
            q: x.p * m.p.q + x.q * m.q.q + x.r * m.r.q + x.s * m.s.q,
            r: x.p * m.p.r + x.q * m.q.r + x.r * m.r.r + x.s * m.s.r,
            s: x.p * m.p.s + x.q * m.q.s + x.r * m.r.s + x.s * m.s.s,
        }
    }

    #[associative]
    fn product(x: Square, y: Square) -> Square {
        Square { p: times(x.p, y), q: times(x.q, y), r: times(x.r, y), s: times(x.s, y) }
    }

    pub fn products(xs: &Vector<Square>, m: &Matrix<Square>) -> (Vector<Square>, Vector<Square>, Square) {
        let zero = Row { p: 0, q: 0, r: 0, s: 0 };
        let one = Square {
            p: Row { p: 1, ..zero },
            q: Row { q: 1, ..zero },
            r: Row { r: 1, ..zero },
            s: Row { s: 1, ..zero },
        };
        (
            xs.scan1(product),
            m.fold_axis(0, one, product),
            m.fold_all(one, product),
        )
    }
}
