//! Elements by place; an error where there are none.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n

accelerate! {
    pub fn span(xs: &Vector<f64>) -> f64 {
        xs.last() - xs.first()
    }
}
