//! What makes the source goes into the scatter, and what is made of it comes after.
//!
//! kernels: 2 (scatter, elementwise)
//! shapes: xs n, ys n

accelerate! {
    pub fn fused(xs: &Vector<i32>, ys: &Vector<i32>) -> Vector<i64> {
        let products = xs.zip(ys).map(|(x, y)| (x as i64) * (y as i64));
        let sums = fill(37, 0i64).scatter(|a, b| a + b, products, |i, p| {
            if p % 3 == 0 { None } else { Some(i % 37) }
        });
        sums.map(|x| x / 2 + 1)
    }
}
