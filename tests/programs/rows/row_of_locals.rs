//! A tridiagonal system for each element, solved in local arrays (Thomas): the elements of a row of the result share the work,
//! though it is plain arithmetic.
//!
//! kernels: 1 (rowwise)
//! shapes: a n, b n, c n, y n
//! values: a 0.1..0.5, b 2.0..3.0, c 0.1..0.5

accelerate! {
    const N: usize = 10;

    pub fn thomas(
        a: &Vector<[f64; 10]>,
        b: &Vector<[f64; 10]>,
        c: &Vector<[f64; 10]>,
        y: &Vector<[f64; 10]>,
    ) -> Matrix<f64> {
        generate(a.len(), |i| {
            let (a, b, c, mut x) = (a[i], b[i], c[i], y[i]);
            let mut diagonal = b;
            for j in 1..N {
                let factor = a[j] / diagonal[j - 1];
                diagonal[j] = b[j] - factor * c[j - 1];
                x[j] -= factor * x[j - 1];
            }
            x[N - 1] /= diagonal[N - 1];
            for j in (0..N - 1).rev() {
                x[j] = (x[j] - c[j] * x[j + 1]) / diagonal[j];
            }
            generate(N, |j| x[j])
        })
    }
}
