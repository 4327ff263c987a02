//! A bundle as the state of a loop, with an operator of its own: steps down a gradient.
//!
//! shapes: p.w n, xs (m, n), ys m

accelerate! {
    pub struct Line {
        pub w: Vector<f32>,
        pub b: f32,
    }

    impl Sub for Line {
        type Output = Line;
        fn sub(self, other: Line) -> Line {
            Line { w: self.w - other.w, b: self.b - other.b }
        }
    }

    impl Mul<f32> for Line {
        type Output = Line;
        fn mul(self, by: f32) -> Line {
            Line { w: self.w * by, b: self.b * by }
        }
    }

    fn gradient(p: &Line, xs: &Matrix<f32>, ys: &Vector<f32>) -> Line {
        let errors = xs.matvec(&p.w).zip_with(ys, |x, y| x + p.b - y);
        Line { w: xs.transpose().matvec(&errors), b: errors.sum() }
    }

    pub fn descend(p: Line, xs: &Matrix<f32>, ys: &Vector<f32>) -> Line {
        let mut p = p;
        for _ in 0..3 {
            let slope = gradient(&p, xs, ys);
            p = p - slope * 0.125;
        }
        p
    }
}
