//! Loops over elements: of a vector, of pairs, of a fixed array and of rows; with their indices, backwards and in steps.
//!
//! kernels: 2 (elementwise, elementwise)
//! shapes: xs n, ys n, m (k, n)

accelerate! {
    pub fn weighed(xs: &Vector<i32>, ys: &Vector<i32>, m: &Matrix<i32>) -> (Vector<i32>, i32) {
        let rows = m.rows().map(|row| {
            let mut sum = 0i32;
            for (k, x) in row.iter().enumerate() {
                if x == 3 {
                    continue;
                }
                sum = sum.wrapping_mul(3) + x * k as i32;
            }
            for (x, &y) in row.iter().zip(ys).rev() {
                sum ^= x - y;
                if sum > 1000 {
                    break;
                }
            }
            for c in [5, 7, 11] {
                sum = sum.wrapping_mul(c) + 1;
            }
            sum
        });
        let mut last = 0i32;
        for x in xs.iter().step_by(3) {
            last = last.wrapping_mul(5) + x;
        }
        (rows, last)
    }
}
