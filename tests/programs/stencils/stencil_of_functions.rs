//! A stencil of five points over a mathematical function: it is called once for each element, not once for each read.
//!
//! kernels: 2 (elementwise, elementwise)
//! bytes: 16n
//! shapes: xs n

accelerate! {
    pub fn smoothed(xs: &Vector<f32>) -> Vector<f32> {
        let e = xs.map(|x| x.min(2.0).exp());
        e.stencil(Wrap, |w| w[-2].max(w[-1]).max(w[0]).max(w[1]).max(w[2]))
    }
}
