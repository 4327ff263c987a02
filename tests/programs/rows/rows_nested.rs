//! Loops in loops, three arrays that change places, and one that stays as it is.
//!
//! kernels: 1 (staged)
//! shapes: xs n

accelerate! {
    pub fn rows_nested(xs: &Vector<u32>) -> Matrix<(u32, u32, u32)> {
        xs.chunks_exact(33).map(|row| {
            let mut a = row;
            let mut b = row.map_indexed(|i, x| x + i as u32);
            let mut c = row.reverse();
            for k in 0..3u32 {
                let old = a;
                a = b;
                b = old;
                for l in 0..k {
                    c = c.zip(a).map_indexed(|i, (x, y)| x ^ (y + l) ^ c[(i + 1) % 33]);
                }
                for _ in 0..2 {
                    a = a.zip(c).map(|(x, y)| x + 3 * y).reverse();
                }
            }
            zip((a, b, c))
        })
    }
}
