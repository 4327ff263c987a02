accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        const LIMIT: usize = 3;
        enum Kind {
            Small,
            Large,
        }
        fn scaled(x: f32) -> f32 {
            x * factor
        }
        {
            const INNER: f32 = 2.0;
        }
        let factor = INNER;
        let kind = if xs.len() > LIMIT { Kind::Large } else { Kind::Small };
        xs.map(scaled).sum()
    }

    pub fn g(xs: &Vector<f32>) -> f32 {
        scaled(xs[LIMIT])
    }
}
