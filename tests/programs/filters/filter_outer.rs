//! What is kept, against itself.
//!
//! shapes: xs n
//! values: xs -9..9

accelerate! {
    pub fn products(xs: &Vector<i32>) -> (Vector<i32>, Matrix<i32>) {
        let kept = xs.filter(|x| x % 4 == 1);
        (kept.map(|x| kept.map(|y| x * y + 1).sum()), kept.outer_product(&kept))
    }
}
