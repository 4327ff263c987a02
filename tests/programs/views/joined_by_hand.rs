//! Choices by index as a user writes them: borders that numbers say, first and last elements, digits, bits.
//!
//! kernels: 4
//! choices: 0
//! shapes: xs n
//! values: k 0..40, l 0..40

accelerate! {
    pub fn chosen(xs: &Vector<i32>, k: usize, l: usize) -> (Vector<i32>, Vector<i32>, Vector<i32>, Matrix<i32>) {
        let n = xs.len();
        let until = generate(n + 1, |i| if i < k { -1 } else if i <= l { i as i32 } else { 9 });
        let ends = generate(n + 2, |i| if i == 0 || i == n + 1 { 5 } else { xs[i - 1] });
        let digits = generate(6 * n, |i| if (i / 3) % 2 == 1 { xs[i / 6] } else { (i % 3) as i32 });
        let butterfly = xs.chunks_exact(16).map(|block| {
            block.map_indexed(|i, x| if i & 4 == 0 { x.min(block[i ^ 4]) } else { x.max(block[i ^ 4]) })
        });
        (until, ends, digits, butterfly)
    }
}
