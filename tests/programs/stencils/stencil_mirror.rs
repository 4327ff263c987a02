//! A map before and after a stencil: one kernel.
//!
//! kernels: 1 (elementwise)
//! bytes: 8n
//! shapes: xs n

accelerate! {
    pub fn smooth(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| x * x).stencil(Mirror, |w| w[-2] + 2.0 * w[0] + w[2]).map(|x| x / 4.0)
    }
}
