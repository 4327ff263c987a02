//! Reductions over what is reduced of each row: rows are shared by threads, and what they come to is stored.
//!
//! kernels: 2 (reduce, reduce)
//! bytes: 4m n + 32m + 16
//! shapes: outputs (m, n), classes m
//! values: outputs -4.0..4.0, classes 0..n
//! sizes: m 1 n 1, m 40 n 3, m 33 n 10, m 100 n 31, m 64 n 32, m 7 n 1000, m 3 n 5000, m 70 n 1

accelerate! {
    pub fn judged(outputs: &Matrix<f32>, classes: &Vector<u32>) -> (f32, u64, f32) {
        let largest = outputs.rows().map(|row| row.map(|x| x.abs()).sum()).max();
        let right = outputs.rows().map(|row| row.argmax() as u32).zip(classes).filter(|(a, b)| a == b).len();
        let losses = outputs.rows().zip(classes).map(|(row, class)| {
            let top = row.max();
            let total = row.map(|x| (x - top).exp()).sum();
            total.ln() + top - row[class as usize]
        });
        (largest, right as u64, losses.sum())
    }
}
