//! Closures bound by let capture what is in scope.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n

accelerate! {
    pub fn polynomial(xs: &Vector<f32>, a: f32, b: f32) -> Vector<f32> {
        let horner = |acc, x| acc * x + b;
        xs.map(|x| {
            let step = |acc: f32| horner(acc, x);
            step(step(step(a)))
        })
    }
}
