//! A loop of scalars that may fail, and whose result all elements read: the host runs it, and reports where it fails.
//!
//! kernels: 1 (elementwise)
//! bytes: 8n
//! shapes: xs n
//! values: k 0..9
//! work: k 0..4

accelerate! {
    pub fn scalar_loop_failing(xs: &Vector<u32>, k: u32) -> Vector<u32> {
        let mut s = 0_u32;
        for i in 0..k {
            s = s.wrapping_mul(3) ^ 100 / (4 - i);
        }
        xs.map(|x| x ^ s)
    }
}
