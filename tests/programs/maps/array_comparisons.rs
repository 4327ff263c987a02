//! Comparisons and bit operators on arrays.
//!
//! kernels: 1 (elementwise)
//! bytes: 9n
//! shapes: xs n, ys n

accelerate! {
    pub fn between(xs: &Vector<i32>, ys: &Vector<i32>) -> Vector<bool> {
        let above = xs.zip_with(ys, |x, y| x > y);
        let even = (xs & 1).map(|x| x == 0);
        !(above & even)
    }
}
