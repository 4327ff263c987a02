accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        let a = xs.stencil(Clmp, |w| w[1]);
        let b = xs.stencil(|w| w[1]);
        let c = xs.stencil(Constant(1), |w| w[1]);
        let d = xs.stencil(Boundary::Wrap(2), |w| w[1]);
        xs.stencil2(Clamp, xs, |w| w[1])
    }
}
