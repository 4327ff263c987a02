//! A length computed on the device.
//!
//! shapes: xs n
//! values: xs 0..100

accelerate! {
    #[fused(bytes = 8 * result.len() + 4 * xs.len() + 8)]
    pub fn front(xs: &Vector<i32>) -> Vector<i32> {
        let count = xs.map(|x| if x < 50 { 1usize } else { 0 }).sum();
        xs.take(count)
    }
}
