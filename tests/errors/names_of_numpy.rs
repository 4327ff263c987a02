accelerate! {
    pub fn f(x: &Vector<f32>, y: &Vector<f32>, k: &Vector<u32>, m: &Matrix<f32>) -> Vector<f32> {
        let a = x.var();
        let b = x.std();
        let c = x.norm();
        let d = x.clip(0.0, 1.0);
        let e = x.nonzero();
        let f = x.diff();
        let g = x.roll(1);
        let h = m.diagonal();
        let i = m.trace();
        let j = k.bincount();
        let l = x.searchsorted(y);
        let n = x.median();
        let o = x.percentile(0.5);
        let p = x.tile(3);
        let q = x.fill(0.0);
        let r = k.group_by(|key| key);
        let s = m.ravel();
        let t = x.outer(y);
        let u = concatenate(x, y);
        let v = vstack(m, m);
        let w = hstack((m, m));
        x
    }

    pub fn last(x: &Vector<f32>) -> f32 {
        x[-1] + x.map(|a| a * 2.0)[-2]
    }
}
