//! Sums by key of the elements around each element, and which key has the most.
//!
//! kernels: 3 (elementwise, scatter, elementwise)
//! shapes: keys n, xs n

accelerate! {
    pub fn heaviest(keys: &Vector<u8>, xs: &Vector<i32>) -> Vector<(usize, i32)> {
        let n = xs.len();
        xs.map_indexed(|i, x| {
            let near = generate(9, |j| (i + j) % n);
            let sums = near
                .map(|j| keys[j] % 4)
                .reduce_by_index(&near.map(|j| xs[j] / 16), 4, x % 7, |a, b| a + b);
            let best = sums.argmax();
            (best, sums[best])
        })
    }
}
