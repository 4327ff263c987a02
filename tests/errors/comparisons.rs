accelerate! {
    pub struct Point {
        pub x: f32,
        pub place: u32,
    }

    pub fn f(xs: &Vector<f32>, ks: &Vector<i32>, ps: &Vector<Point>) -> Vector<f32> {
        let a = xs.sort_by(|a, b| a.cmp(b));
        let b = xs.sort_by(|a, b| a.partial_cmp(b));
        let c = ks.sort_by(|a, b| a.total_cmp(b));
        let d = ps.sort_by(|a, b| a.cmp(b));
        let e = ks.sort_by(|a| a.cmp(&0));
        let g = ks.sort_by(|a, b| a - b);
        let h = ks.sort_by(|a, b| a.cmp(b).than(Ordering::Less));
        let i = ks.sort_by(|a, b| match a.cmp(b) { Ordering::Less => Ordering::Greater, Ordering::Equal => Ordering::Lesser });
        let j = ks.sort_by(|a, b| 1 as Ordering);
        let k = ks.map(|k| if k.cmp(&1) < Ordering::Equal { k } else { k.cmp(&2) + 1 });
        xs
    }

    pub fn g(xs: &Vector<f32>) -> Vector<Ordering> {
        xs.map(|x| x.total_cmp(&0.0))
    }
}
