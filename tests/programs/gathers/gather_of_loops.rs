//! A loop for each element, read where data say: no read runs it again.
//!
//! kernels: 2 (elementwise, elementwise)
//! shapes: xs h, ids n
//! values: ids 0..h

accelerate! {
    pub fn gathered(xs: &Vector<u32>, ids: &Vector<usize>) -> Vector<u32> {
        let mixed = xs.map(|x| {
            let mut w = x;
            for _ in 0..40 {
                w = w * 31 ^ x;
            }
            w
        });
        ids.map(|i| mixed[i])
    }
}
