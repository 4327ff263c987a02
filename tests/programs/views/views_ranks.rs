//! Views along the last axis of one, two and three axes, and within rows, of computed tuples.
//!
//! kernels: 6 (elementwise, elementwise, elementwise, elementwise, elementwise, elementwise)
//! shapes: xs n, m (b, n), c (a, b, n)

accelerate! {
    fn mixed(a: (i32, u8), b: (i32, u8)) -> (i32, u8) {
        (a.0 + 3 * b.0, a.1)
    }

    fn turned<const N: usize>(xs: &Array<(i32, u8), N>) -> (Array<(i32, u8), N>, Array<(i32, u8), N>) {
        let (numbers, bytes) = xs.map(|(x, y)| (x + 1, y)).unzip();
        let xs = numbers.zip(&bytes);
        let (left, right) = xs.halve();
        let (evens, odds) = xs.interleave(&xs.reverse()).rotate_left(1).deinterleave();
        let pairs = xs.concat(&xs).rotate_right(1).pairs().map(|(a, b)| mixed(a, b));
        (
            right.concat(&left).zip_with(&evens.zip_with(&pairs, |a, b| mixed(a, b)), |a, b| mixed(a, b)),
            odds.tail().zip_with(&xs.init(), |a, b| mixed(a, b)).concat(&odds.take(1)).skip(1),
        )
    }

    pub fn views(
        xs: &Vector<(i32, u8)>, m: &Matrix<(i32, u8)>, c: &Cube<(i32, u8)>,
    ) -> ((Vector<(i32, u8)>, Vector<(i32, u8)>), (Matrix<(i32, u8)>, Matrix<(i32, u8)>), (Cube<(i32, u8)>, Cube<(i32, u8)>), (Matrix<(i32, u8)>, Matrix<(i32, u8)>)) {
        (turned(xs), turned(m), turned(c), m.rows().map(|row| turned(row)))
    }
}
