//! Views that take or give axes, of one to three axes, of computed tuples.
//!
//! kernels: 9 (elementwise, elementwise, elementwise, elementwise, elementwise, elementwise, elementwise, elementwise, elementwise)
//! shapes: xs n, m (b, n), c (a, b, n)
//! values: k 0..3

accelerate! {
    pub fn views(
        xs: &Vector<(i32, u8)>, m: &Matrix<i32>, c: &Cube<(i32, u8)>, k: usize,
    ) -> (Cube<((i32, u8), i32)>, Cube<u8>, Matrix<i32>, Matrix<(i32, u8)>, Vector<i32>, Cube<i32>, Cube<(i32, u8)>, Array<i32, 4>, Vector<(i32, u8)>) {
        let (a, b, n) = c.shape();
        let c = c.map(|(x, y)| (x + 1, y));
        let whole = c.map(|(x, _)| x);
        let m = m.map(|x| x ^ 1);
        let spread = m.expand_axis(0).broadcast_to((a, b, n));
        let rows = c.outer().map(|plane| plane.transpose().row(0).concat(plane.column(0)));
        (
            zip((xs.broadcast_to((a, b, n)), spread)),
            c.map(|(_, y)| y).transpose(),
            c.first().zip_with(c.last(), |(x, _), (y, _)| x - 2 * y),
            c.slice(s![-1, .., 1..n]),
            c.slice(s![k, .., 0]).map(|(x, _)| x),
            whole.slice(s![a / 2..a, ..;-2, 0..n;3]).reshape((b - b / 2, a - a / 2, (n + 2) / 3)),
            c.permute_axes((1, 2, 0)).slice(s![.., 1..n;-2, 0..a]).map(|(x, y)| (x * 2, y)),
            m.replicate(s![2, .., 3, ..]),
            c.flatten().gather(n, |i| (7 * i + k) % n).concat(rows.gather(a, |i| (a - 1 - i, i % (n + b)))),
        )
    }
}
