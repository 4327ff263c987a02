//! Sums from the end, which are stored, and reduced with the elements.
//!
//! kernels: 1 (scan)
//! bytes: 8m n + 8m
//! shapes: m (m, n)

accelerate! {
    pub fn back(m: &Matrix<i32>) -> (Matrix<i32>, Vector<i32>, Vector<i32>) {
        let sums = m.rscan1(|x, sum| x + sum);
        let odd = sums.zip(m).map(|(sum, x)| sum * (x | 1)).fold(7, |a, x| a ^ x);
        (sums, odd, sums.fold(i32::MAX, |a, x| a.min(x)))
    }
}
