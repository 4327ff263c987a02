accelerate! {
    pub fn f(m: &Matrix<f32>, s: &Segmented<f32>, xs: &Vector<f32>) -> f32 {
        let mut total = 0.0;
        for x in m {
            total += x;
        }
        for segment in s {
            total += segment.sum();
        }
        for (i, x) in xs.iter().rev().enumerate() {
            total += x * i as f32;
        }
        for (i, x) in (0..10).enumerate() {
            total += x;
        }
        for x in xs {
            total += x.0;
        }
        total
    }
}
