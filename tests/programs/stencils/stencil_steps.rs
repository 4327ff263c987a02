//! Several steps of a rule of eight neighbours on a torus.
//!
//! shapes: start (m, n)
//! values: steps 0..4

accelerate! {
    pub fn life(start: &Matrix<u8>, steps: i32) -> Matrix<u8> {
        let mut cells = start.map(|x| x & 1);
        for _ in 0..steps {
            cells = cells.stencil(Wrap, |w| {
                let around = w[(-1, -1)] + w[(-1, 0)] + w[(-1, 1)] + w[(0, -1)] + w[(0, 1)]
                    + w[(1, -1)] + w[(1, 0)] + w[(1, 1)];
                if around == 3 || (around == 2 && w[(0, 0)] == 1) { 1 } else { 0 }
            });
        }
        cells
    }
}
