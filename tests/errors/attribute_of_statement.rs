accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        #[nonsense]
        let y = 3.0;
        #[materialize]
        let ys = xs.map(|x| x + y);
        #[fused(kernels = 1)]
        let zs = ys.map(#[hot] |x| x * 2.0);
        #[allow(unused_variables)]
        let fine = match xs.len() {
            #[cfg(feature = "large")]
            0 => 1.0,
            _ => 2.0,
        };
        #[inline]
        for i in 0..3 {}
        zs.sum()
    }

    pub fn g(#[unused] xs: &Vector<f32>) -> f32 {
        xs.sum()
    }
}
