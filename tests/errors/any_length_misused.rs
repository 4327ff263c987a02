accelerate! {
    pub fn f(xs: &Vector<f32>, m: &Matrix<f32>, counts: &Vector<i32>) -> usize {
        let a = xs.flat_map(|x| x + 1.0);
        let b = xs.flat_map(|x| Some(x));
        let c = m.flat_map(|x| fill(2, x));
        let d = xs.flat_map(|x| (fill(2, x), fill(3, x)));
        let e = xs.map(|x| fill(x as usize, x));
        let g = xs.repeat_each(counts);
        let h = xs.repeat_each(3);
        let i = m.repeat_each(&m);
        let j = xs.flat_map();
        let k = generate((2, 3, 4), |(i, j, k)| i).outer().flat_map(|plane| plane.flatten());
        0
    }
}
