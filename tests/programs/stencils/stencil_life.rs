//! Conway's game of life by loops over the eight neighbours: branches make them no reduction, so they are unrolled.
//!
//! kernels: 1 (elementwise)
//! shapes: w (n, m)
//! values: rounds 0..4

accelerate! {
    pub fn life(w: &Matrix<bool>, rounds: u32) -> Matrix<bool> {
        let mut w = w;
        for _ in 0..rounds {
            w = w.stencil(Wrap, |c| {
                let mut n = 0;
                for dy in -1..=1 {
                    for dx in -1..=1 {
                        if (dy, dx) != (0, 0) && c[(dy, dx)] {
                            n += 1;
                        }
                    }
                }
                n == 3 || (c[(0, 0)] && n == 2)
            });
        }
        w
    }
}
