accelerate! {
    pub fn parameter(xs: &Vector<f32>, n: isize) -> Vector<f32> {
        xs.stencil(Clamp, |w| w[n])
    }

    pub fn bound(xs: &Vector<f32>, n: isize) -> Vector<f32> {
        xs.stencil(Clamp, |w| {
            let mut sum = 0.0;
            for d in 0..n {
                sum += w[d];
            }
            sum
        })
    }

    pub fn product(xs: &Vector<f32>) -> Vector<f32> {
        xs.stencil(Clamp, |w| {
            let mut sum = 0.0;
            for d in 0..3 {
                sum += w[d * d];
            }
            sum
        })
    }

    pub fn variable(xs: &Vector<f32>) -> Vector<f32> {
        xs.stencil(Clamp, |w| {
            let mut d = 0;
            while d < 3 {
                d += 1;
            }
            w[d]
        })
    }
}
