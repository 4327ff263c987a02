//! Axes of higher ranks in other orders: each axis of the argument is once the last of a result.
//!
//! kernels: 4 (elementwise, elementwise, elementwise, elementwise)
//! shapes: c (l, m, n), d (k, l, m, n)

accelerate! {
    pub fn orders(c: &Cube<f32>, d: &Array<i16, 4>) -> (Cube<f32>, Cube<f32>, Array<i16, 4>, Array<i16, 4>) {
        let first = c.permute_axes((2, 1, 0)).map(|x| x + 1.0);
        let second = c.permute_axes((0, 2, 1)).map(|x| x + 2.0);
        let third = d.permute_axes((3, 1, 2, 0)).map(|x| x + 3);
        let fourth = d.permute_axes((1, 3, 0, 2)).map(|x| x + 4);
        (first, second, third, fourth)
    }
}
