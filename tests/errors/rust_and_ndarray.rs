accelerate! {
    pub fn f(x: &Vector<f32>, n: &Vector<i32>, m: &Matrix<f32>) -> Vector<f32> {
        let a = x.min_by_key(|a| a as i32);
        let b = x.max_by(|a, b| a.total_cmp(&b));
        let c = n.skip_while(|a| a > 0);
        let d = x.insert_axis(0);
        let e = m.index_axis(0, 1);
        let f = m.outer_iter();
        let g = x.nth(3);
        let h = x.split_at(3);
        let i = x.retain(|a| a > 0.0);
        let j = m.nrows();
        let k = m.ncols();
        let l = x.rcumprod();
        let o = x.rcummax();
        let p = x.rcummin();
        let q = n.foldr(0, |a, b| a + b);
        let r = x.is_sorted(|a| a);
        x
    }

    pub fn g(n: usize) -> Vector<usize> {
        let a = (0..n).rev();
        let b = (0..n).step_by(2);
        let c = 0..n;
        let d = c.contains(&n);
        iota(n)
    }

    pub fn h(x: f32) -> f32 {
        sqrt(x) + powi(x, 2) + sum()
    }

    pub fn i(x: &Vector<f32>, y: &Vector<f32>) -> f32 {
        let (a, b) = (x, y).map(|x| x + 1.0);
        sum((x, y)) + (1.0, 2.0).sqrt()
    }
}
