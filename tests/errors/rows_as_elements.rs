accelerate! {
    pub fn a(m: &Matrix<f32>) -> Matrix<f32> {
        m.rows().reverse()
    }

    pub fn b(m: &Matrix<f32>) -> Matrix<f32> {
        m.rows().take(2)
    }

    pub fn c(m: &Matrix<f32>) -> Matrix<f32> {
        m.rows().filter(|row| row.sum() > 0.0)
    }

    pub fn d(m: &Matrix<f32>) -> Vector<f32> {
        m.rows().fold(0.0, |a, b| a + b)
    }

    pub fn e(m: &Matrix<f32>) -> Matrix<f32> {
        m.rows().skip(1)
    }

    pub fn f(m: &Matrix<f32>) -> Matrix<f32> {
        m.rows().transpose()
    }

    pub fn g(m: &Matrix<f32>, s: &Segmented<f32>) -> f32 {
        let a = m.rows().windows(2);
        let b = s.chunks(2);
        let c = s.split(2);
        1.0
    }
}
