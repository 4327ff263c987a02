//! Nested loops with labels, break and continue.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n
//! values: xs 0..200

accelerate! {
    pub fn first_pair(xs: &Vector<i32>) -> Vector<(i32, i32)> {
        xs.map(|target| {
            let mut found = (-1, -1);
            'rows: for i in 1..20 {
                for j in (1..=i).rev() {
                    if (i + j) % 3 == 0 {
                        continue;
                    }
                    if i * j == target {
                        found = (i, j);
                        break 'rows;
                    }
                }
            }
            found
        })
    }
}
