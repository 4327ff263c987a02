accelerate! {
    pub fn f(x: &Vector<f32>, n: &Vector<i32>, m: &Matrix<f32>) -> Vector<f32> {
        let a = x.position(|a| a > 0.0);
        let b = n.contains(&3);
        let c = x.max_by_key(|a| a as i32);
        let d = x.step_by(2);
        let e = x.flat_map(|a| fill(2, a));
        let f = x.take_while(|a| a > 0.0);
        let g = m.swap_axes(0, 1);
        let h = x.any(|a| a > 0.0);
        let i = n.all(|a| a > 0);
        let j = x.rcumsum();
        let k = m.cumsum_axis(0);
        let l = n.sort_by_key(|a| Reverse(a));
        let m = m.sum_axis(Axis(0));
        let n = x.first().unwrap_or(0.0);
        x
    }

    pub fn g(x: &Vector<i32>, y: i32) -> u32 {
        match x.binary_search(&y) {
            Ok(i) => i as u32,
            Err(i) => i as u32 + 1,
        }
    }

    pub fn h(x: &Vector<i32>) -> Vector<i32> {
        x.filter_map(|a| (a > 0).then(|| a))
    }
}
