//! A data-dependent while loop.
//!
//! kernels: 1 (elementwise)
//! bytes: 12n
//! shapes: xs n
//! values: xs 1..3000

accelerate! {
    pub fn steps(xs: &Vector<u64>) -> Vector<u32> {
        xs.map(|start| {
            let mut n = start;
            let mut count = 0;
            while n != 1 {
                n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
                count += 1;
            }
            count
        })
    }
}
