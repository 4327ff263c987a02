//! Scans of three axes inside each other, by hand.
//!
//! kernels: 1 (scan)
//! bytes: 8a b c
//! shapes: xs (a, b, c)

accelerate! {
    pub fn deep(xs: &Array<i32, 3>) -> Array<i32, 3> {
        xs.outer().map(|plane| plane.rows().map(|row| row.map(|x| x - 1).rscan1(|a, b| a + b)))
    }
}
