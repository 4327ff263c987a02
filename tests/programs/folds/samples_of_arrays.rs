//! Sums over as many samples as a scalar says, each with arrays of its own, which loops and branches read again and again: each array
//! is computed once, though no other array has so many elements as there are samples.
//!
//! kernels: 4 (elementwise, reduce, scan, reduce)
//! shapes: xs n
//! values: k 0..30, xs -1.0..1.0

accelerate! {
    fn dear(x: f32) -> f32 {
        (x.exp() + 1.0).ln().sin()
    }

    pub fn sampled(k: usize, xs: &Vector<f32>) -> (f32, f32, f32, usize) {
        let n = xs.len();
        let triangles = generate(k, |s| {
            let draws = generate(n, |j| dear((s + j) as f32));
            let mut sum = 0.0;
            for i in 0..n {
                for j in 0..=i {
                    sum += xs[i] * draws[j];
                }
            }
            sum
        });
        let chosen = generate(k, |s| {
            let draws = generate(n, |j| dear((s * n + j) as f32));
            let mut sum = 0.0;
            if s % 3 == 1 {
                for i in 0..n {
                    if xs[i] > 0.0 {
                        for j in 0..n {
                            sum += xs[i] * draws[j];
                        }
                    }
                }
            }
            sum
        });
        let running = generate(k, |s| {
            let prefix = generate(n, |j| dear((s * n + 2 * j) as f32)).cumsum();
            let mut sum = 0.0;
            for i in 0..n {
                for j in 0..n {
                    sum += xs[i] * prefix[j];
                }
            }
            sum
        });
        let steep = generate(k, |s| {
            let draws = generate(n, |j| dear((3 * s + j) as f32));
            let mut sum = 0.0;
            for i in 0..n {
                for j in 0..n {
                    sum += xs[i] * draws[j];
                }
            }
            sum
        })
        .filter(|sum| sum > 1.0);
        (triangles.sum(), chosen.sum(), running.max(), steep.len())
    }
}
