//! Functions with a text of their own on CUDA devices: numbers of all kinds, and a loop.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n, ks n
//! values: xs -2.0..2.0, y -1.0..1.0

accelerate! {
    #[foreign(cuda = "../programs/maps/foreign_functions.cuh")]
    fn squashed(x: f32, y: f32) -> f32 {
        let t = x * x * 2.0 + y;
        t / (1.0 + t.abs())
    }

    #[foreign(cuda = "../programs/maps/foreign_functions.cuh")]
    fn mixed(key: u64, rounds: u32) -> u64 {
        let mut key = key;
        for _ in 0..rounds % 8 {
            key = key ^ key >> 7;
            key = key * 0x9e37_79b9_7f4a_7c15;
        }
        key
    }

    #[foreign(cuda = "../programs/maps/foreign_functions.cuh")]
    fn inside(x: f32, at: usize, open: bool) -> bool {
        at < 7 && (x > -1.0 || !open && x == -1.0)
    }

    pub fn of_elements(xs: &Vector<f32>, ks: &Vector<u64>, y: f32) -> Vector<(f32, u64, bool)> {
        xs.zip(ks).map_indexed(|i, (x, k)| {
            (squashed(x, y), mixed(k, k as u32), inside(x, i, k % 2 == 0))
        })
    }
}
