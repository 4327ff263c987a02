//! The median of the 3x3 neighbours of each pixel: a network of comparisons in one kernel, no sort.
//!
//! kernels: 1 (elementwise)
//! shapes: m (h, w)

accelerate! {
    pub fn median(m: &Matrix<u8>) -> Matrix<u8> {
        let (h, w) = m.shape();
        generate((h, w), |(i, j)| {
            let near = generate(9, |k| m[((i + k / 3).max(1).min(h) - 1, (j + k % 3).max(1).min(w) - 1)]);
            near.sort()[4]
        })
    }
}
