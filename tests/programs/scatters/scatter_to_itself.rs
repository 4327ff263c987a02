//! Scatters that leave each element where it is: they are maps.
//!
//! kernels: 2 (elementwise, elementwise)
//! shapes: xs n, m (h, w)

accelerate! {
    pub fn in_place(xs: &Vector<i32>, m: &Matrix<i32>) -> (Vector<i32>, Matrix<i32>) {
        (
            xs.scatter(|a, b| a.max(b), xs.map(|x| x / 2), |i, x| if x < 0 { Some(i) } else { None }),
            m.scatter_unique(m.map(|x| x + 1), |ix, _| Some(ix)),
        )
    }
}
