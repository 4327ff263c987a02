//! Every fold of the last of two and three axes, of segments of it that are not empty, and of all axes.
//!
//! kernels: 8 (reduce, reduce, reduce, reduce, reduce, reduce, elementwise, elementwise)
//! bytes: 40a b k + 40a b n + 65a b + 40h k + 24h w + 41h + 108
//! shapes: m (h, w), c (a, b, n), d (a, b, n)
//! values: m -9..9, c -9..9

accelerate! {
    fn whole<const N: usize>(xs: &Array<i64, N>) -> (i64, i64, i64, usize, usize, bool, bool, i64) {
        let xs = xs.map(|x| x + 1);
        (
            xs.sum_all(), xs.product_all(), xs.min_all(), xs.argmin_all(), xs.argmax_all(),
            xs.map(|x| x < 9).all_all(), xs.map(|x| x == 8).any_all(), xs.dot_all(&xs),
        )
    }

    fn extremes<const N: usize>(xs: &Array<i64, N>, n: usize) -> Array<(i64, i64, usize, usize, i64), N> {
        let offsets = generate((n + 4) / 5 + 1, |k| min(5 * k, n));
        let segments = Offsets::new(&offsets);
        zip((
            xs.min_segmented(segments), xs.max_segmented(segments), xs.argmin_segmented(segments), xs.argmax_segmented(segments),
            xs.fold1_segmented(segments, |_, b| b),
        )).map(|(a, b, c, d, e)| (b, a, c, d, e - a))
    }

    pub fn ranks(
        m: &Matrix<i64>, c: &Cube<i64>, d: &Cube<(i32, i32)>,
    ) -> (Matrix<(i64, i64, i64, usize, usize, bool, i64)>, Vector<(i64, i64, usize, usize, bool, i64)>, Matrix<((i32, i32), i32)>, Matrix<f32>, (i64, i64, i64, usize, usize, bool, bool, i64), (i64, i64, i64, usize, usize, bool, bool, i64), (i32, i32), Matrix<(i64, i64, usize, usize, i64)>, Cube<(i64, i64, usize, usize, i64)>) {
        let d = d.map(|(a, b)| (a | 1, b));
        let composed = d.fold((3, 1), |(a, b), (c, d)| (a * c, b * c + d));
        (
            zip((c.product(), c.min(), c.max(), c.argmin(), c.argmax(), c.map(|x| x > -9).all(), c.dot(&c))),
            zip((m.min(), m.max(), m.argmin(), m.fold1(|_, b| b).map(|x| x as usize), m.map(|x| x == 3).any(), m.dot(&m))),
            composed.zip(d.fold1(|a, _| a).map(|(a, b)| a + b)),
            c.map(|x| x as f32).mean(),
            whole(m),
            whole(c),
            d.fold_all((3, 1), |(a, b), (c, d)| (a * c, b * c + d)),
            extremes(m, m.shape().1),
            extremes(c, c.shape().2),
        )
    }
}
