accelerate! {
    pub fn f(xs: &Vector<f32>, ys: &Vector<f32>, m: &Matrix<f32>) -> Vector<f32> {
        let a = xs.max(ys);
        let b = xs.minimum(ys);
        let c = maximum(xs, ys);
        let d = m.sum(0);
        let e = m.max(axis = 1);
        let f = m[0..2];
        let g = m[(0..2, ..)];
        let h = xs.map(|x| x ^ 2);
        let i = xs.map(|x| x ** 0.5);
        let j = xs.map(|x| x.relu());
        let k = xs.map(|x| z);
        let l = xs.indices();
        let n = xs.scatter_add(ys, xs);
        let o = m.plane(0);
        xs
    }
}
