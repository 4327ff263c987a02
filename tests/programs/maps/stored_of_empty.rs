//! An array that can fail is stored before the domain whose elements all read it, but not computed if that is empty.
//!
//! kernels: 2 (elementwise, reduce)
//! shapes: xs n

accelerate! {
    pub fn stored_of_empty(xs: &Vector<f32>, n: usize) -> Vector<f32> {
        xs.map(|x| {
            let waves = generate(n, |k| (xs[k] * 0.5).sin().exp());
            waves.map(|wave| wave * x).sum()
        })
    }
}
