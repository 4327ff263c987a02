accelerate! {
    fn lerp(a: f32, b: f32, t: f32) -> f32 {
        a + (b - a) * t
    }

    pub fn f(x: &Vector<f32>, m: &Matrix<f32>) -> Vector<f32> {
        let a = x.pad(1, Clamp);
        let b = x.stencil(Clamp);
        let c = m.sum_axis();
        let d = x.fold_segmented(0.0);
        let e = x.stencil3(Clamp, |w| w[0]);
        let f = generate(3);
        let g = x.map(|a| a.clamp(0.0));
        let h = |p, (q, r): (f32, f32)| p + q + r;
        let i = h(1.0, (2.0, 3.0)) + h(1.0);
        let j = x.map(|a| lerp(a));
        let k = map(x);
        x
    }
}
