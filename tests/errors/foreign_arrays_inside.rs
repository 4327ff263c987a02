accelerate! {
    #[foreign(rust = crate::fast::sorted)]
    fn sorted(xs: &Vector<f32>) -> Vector<f32> {
        xs.sort()
    }

    fn least(xs: &Vector<f32>) -> f32 {
        sorted(xs)[0]
    }

    pub fn of_rows(m: &Matrix<f32>) -> Matrix<f32> {
        m.rows().map(|row| sorted(row))
    }

    pub fn of_elements(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| x + least(xs))
    }

    pub fn of_segments(ns: &Vector<usize>) -> Segmented<f32> {
        ns.map_segments(|n| sorted(&iota(n).map(|i| i as f32)))
    }
}
