//! Loops of constant bounds over arrays that may be too short: in turn, nested, downwards, in steps, in branches, and with a
//! counter that could be negative.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n, ys m, zs k, table (k, m)
//! values: xs -4..4
//! sizes: n 70 m 5 k 4, n 70 m 9 k 9, n 70 m 3 k 9, n 70 m 9 k 3, n 70 m 4 k 12

accelerate! {
    pub fn counted(
        xs: &Vector<i32>,
        ys: &Vector<i32>,
        zs: &Vector<i32>,
        table: &Matrix<i32>,
    ) -> Vector<(i32, i32)> {
        xs.map(|x| {
            let mut a = x;
            for i in 0..3 {
                a = a.wrapping_mul(ys[i + 1]) ^ zs[i];
            }
            for i in (0..4).rev() {
                a = a.wrapping_mul(3).wrapping_add(ys[i]);
            }
            let mut b = a;
            if x < 2 {
                for i in 0..2i32 {
                    b ^= zs[(2 * i + 1) as usize];
                }
            }
            for i in 0..3 {
                for j in 0..2 {
                    b = b.wrapping_mul(5) ^ table[(i, j + 1)];
                }
            }
            (a, b)
        })
    }
}
