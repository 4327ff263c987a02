//! Pieces of the first axis of two and three axes, of computed tuples, joined again.
//!
//! kernels: 7 (elementwise, elementwise, elementwise, elementwise, elementwise, elementwise, elementwise)
//! shapes: xs a, m (a, b), c (a, b, n)
//! values: k 1..3

accelerate! {
    fn mixed(a: (i32, u8), b: (i32, u8)) -> (i32, u8) {
        (a.0 + 3 * b.0, a.1)
    }

    fn pieced<const N: usize>(xs: &Array<(i32, u8), N>, k: usize) -> (Array<(i32, u8), N>, Array<(i32, u8), N>) {
        let xs = xs.map(|(x, y)| (x + 1, y));
        let turned = xs.chunks(k).map(|part| part.reverse()).join();
        (
            xs.split(k).join().zip_with(turned.expand_axis(0).join(), |a, b| mixed(a, b)).pad(1, k, Reflect),
            xs.windows(2).map(|window| window.reverse()).join().zip_with(xs.slide(2, 1).join(), |a, b| mixed(a, b)).map(|(x, y)| (x * 2, y)),
        )
    }

    pub fn pieces(
        xs: &Vector<(i32, u8)>, m: &Matrix<(i32, u8)>, c: &Cube<(i32, u8)>, k: usize,
    ) -> ((Matrix<(i32, u8)>, Matrix<(i32, u8)>), (Cube<(i32, u8)>, Cube<(i32, u8)>), Vector<(i32, u8)>, Array<(i32, u8), 4>, Cube<(i32, u8)>) {
        let joined = xs.replicate(2).join().zip_with(stack((xs, xs.reverse())).join(), |a, b| mixed(a, b));
        let edged = m.map(|(x, y)| (x ^ 1, y)).chunks_exact(2).map(|part| part.pad(0, 1, Wrap));
        (pieced(m, k), pieced(c, k), joined.map(|(x, y)| (x * 2, y)), stack((c, c.map(|(x, y)| (x - 1, y)))), edged)
    }
}
