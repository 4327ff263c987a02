//! Arrays that are results and are reduced, too: the kernel that reduces them stores them, and nothing is read twice.
//!
//! kernels: 4 (reduce, reduce, reduce, reduce)
//! bytes: 16h w + 4h + 4w + 12k + 12n + 12
//! shapes: a n, b n, m (h, w), c k
//! values: a -1.0..1.0, b -1.0..1.0, m -2.0..2.0, c 0..9

accelerate! {
    /// A step along a direction, and how far it is from the origin.
    fn step(a: &Vector<f32>, b: &Vector<f32>, t: f32) -> (Vector<f32>, f32, f32) {
        let r = a + t * b;
        (r, r.dot(&r), r.map(|x| x.abs()).max())
    }

    pub fn stored_and_folded(
        a: &Vector<f32>,
        b: &Vector<f32>,
        t: f32,
        m: &Matrix<f32>,
        c: &Vector<i32>,
    ) -> (
        (Vector<f32>, f32, f32),
        (Matrix<f32>, Vector<f32>),
        (Matrix<f32>, Vector<f32>),
        (Vector<i32>, Vector<i32>, i32),
    ) {
        let powers = m.map(|x| x.exp());
        let squares = m.map(|x| x * x);
        // One that is reduced, and one that only reads the same; what fails fails for both.
        let halves = c.map(|x| {
            assert!(x < 9);
            x / 2
        });
        (
            step(a, b, t),
            (powers, powers.rows().map(|row| row.sum())),
            (squares, squares.columns().map(|column| column.max())),
            (halves, c.map(|x| x + 1), halves.sum()),
        )
    }
}
