//! Two loops, one after the other: the second one uses what the first one has ended with.
//!
//! kernels: 1 (elementwise)
//! bytes: 8n
//! shapes: xs n

accelerate! {
    pub fn mixed(xs: &Vector<u32>) -> Vector<u32> {
        xs.map(|x| {
            let mut w = 0u32;
            for _ in 0..30 {
                w = w * 31 ^ x;
            }
            let mut s = 0u32;
            for _ in 0..30 {
                s = s.rotate_left(3) ^ w;
            }
            s
        })
    }
}
