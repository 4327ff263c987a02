//! Functions with a text of their own on CUDA devices: numbers of all kinds, a loop, a failure, shared with a reduction.
//!
//! shapes: xs n, ks n, bs n, m (n, k)
//! values: xs -2.0..2.0, bs -2..30, m -2.0..2.0

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
    fn quotient(a: i32, b: i32) -> i32 {
        a / b
    }

    #[foreign(cuda = "../programs/maps/foreign_functions.cuh")]
    fn inside(x: f32, at: usize, open: bool) -> bool {
        at < 7 && (x > -1.0 || !open && x == -1.0)
    }

    pub fn of_elements(xs: &Vector<f32>, ks: &Vector<u64>, y: f32) -> Vector<(f32, u64, bool)> {
        xs.zip(ks).map_indexed(|i, (x, k)| (squashed(x, y), mixed(k, k as u32), inside(x, i, k % 2 == 0)))
    }

    pub fn of_failures(ks: &Vector<i32>, bs: &Vector<i32>) -> Vector<i32> {
        ks.zip(bs).map(|(k, b)| if b < 0 { k } else { quotient(k, b) })
    }

    pub fn of_rows(m: &Matrix<f32>) -> Matrix<f32> {
        m.rows().map(|row| {
            let weights = row.map(|x| squashed(x, 3.0));
            let sum = weights.max();
            weights.map(|w| w / sum)
        })
    }

    pub fn of_host(xs: &Vector<f32>, y: f32) -> (Vector<f32>, f32) {
        let at = squashed(y, 0.5);
        (xs.map(|x| if x < at { squashed(x, at) } else { at }), at)
    }
}
