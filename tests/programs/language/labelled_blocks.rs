//! Blocks with labels, left with a value from loops and branches in them; of arrays, too.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n
//! values: xs 0..40

accelerate! {
    pub fn smallest_factors(xs: &Vector<u32>) -> Vector<u32> {
        xs.map(|x| {
            let factor = 'found: {
                if x < 4 {
                    break 'found x;
                }
                for k in 2..x {
                    if k * k > x {
                        break 'found x;
                    }
                    if x % k == 0 {
                        break 'found k;
                    }
                }
                0
            };
            'odd: {
                if factor % 2 == 0 {
                    break 'odd;
                }
                return factor + 100;
            }
            factor
        })
    }
}
