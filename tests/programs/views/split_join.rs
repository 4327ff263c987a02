//! Parts of four, and together again: nothing happens to the elements.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n

accelerate! {
    pub fn same(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| x + 1.0).split(4).join().map(|x| x * 2.0)
    }
}
