//! A loop with break, and a division that is always safe.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n, ys n

accelerate! {
    pub fn gcds(xs: &Vector<u32>, ys: &Vector<u32>) -> Vector<u32> {
        xs.zip(ys).map(|(x, y)| {
            let (mut a, mut b) = (x, y);
            loop {
                if b == 0 {
                    break;
                }
                (a, b) = (b, a % b);
            }
            a
        })
    }
}
