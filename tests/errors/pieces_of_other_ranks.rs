accelerate! {
    pub fn f(xs: &Vector<f32>, m: &Matrix<f32>) -> Vector<f32> {
        let a = xs.join();
        let b = stack((xs, m));
        let c = m.replicate(s![2, ..]);
        let d = m.concat_axis(2, m);
        let e = xs.slice(s![..;0]);
        xs.chunks(4).sum()
    }
}
