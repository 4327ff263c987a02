//! A loop whose array grows.
//!
//! shapes: xs n
//! values: rounds 0..4

accelerate! {
    pub fn repeated(xs: Vector<i32>, rounds: u32) -> Vector<i32> {
        let mut all = xs;
        for k in 0..rounds {
            all = all.concat(&all.map(|x| x + k as i32));
        }
        all
    }
}
