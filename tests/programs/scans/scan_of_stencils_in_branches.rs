//! Scans of the rows of stencils with every boundary, demanded by a branch: reads of neighbours are in bounds without its
//! condition, so the scans are speculated and stored, and no prefix is folded anew.
//!
//! shapes: m (n, k), c n
//! values: c 0..6

accelerate! {
    fn spread(m: &Matrix<i32>, c: &Vector<u32>) -> Vector<i32> {
        m.rows().zip(c).map(|(row, c)| if c > 3 {
            row.scan(0, |a, b| a + b).map(|x| x * x).sum()
        } else {
            0
        })
    }

    pub fn spreads(m: &Matrix<i32>, c: &Vector<u32>) -> (Vector<i32>, Vector<i32>, Vector<i32>, Vector<i32>) {
        let clamped = m.stencil(Clamp, |w| w[(-1, 0)] - w[(0, 1)]);
        let wrapped = m.stencil(Wrap, |w| w[(0, -1)] - w[(2, 0)]);
        let reflected = m.stencil(Reflect, |w| w[(0, 2)] - w[(-1, 0)]);
        let mirrored = m.stencil(Mirror, |w| w[(1, 0)] - w[(0, -2)]);
        (spread(clamped, c), spread(wrapped, c), spread(reflected, c), spread(mirrored, c))
    }
}
