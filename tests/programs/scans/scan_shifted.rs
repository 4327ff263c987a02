//! Elements of a scan read elsewhere than where it stands: a moving sum as a difference of running sums.
//!
//! kernels: 2 (scan, elementwise)
//! shapes: xs n

accelerate! {
    pub fn moving(xs: &Vector<u32>) -> Vector<u32> {
        let sums = xs.scan(0, |a, x| a + x);
        let n = xs.len();
        generate(n, |i| sums[(i + 3).min(n)] - sums[i])
    }
}
