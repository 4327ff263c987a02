accelerate! {
    struct P {
        x: f32,
        y: f32,
    }

    impl Add for P {
        type Output = P;
        fn add(self, other: P) -> P {
            P { x: self.x + other.x, y: self.y + other.y }
        }
    }

    pub fn a(p: &Vector<P>) -> P {
        p.sum()
    }

    pub fn b(p: &Matrix<P>) -> Matrix<P> {
        p.matmul(p)
    }

    pub fn c(p: &Vector<P>) -> Vector<bool> {
        p.map(|a| a < P { x: 1.0, y: 2.0 })
    }

    pub fn d(p: &Vector<P>) -> (Vector<f32>, Vector<f32>) {
        p.unzip()
    }

    pub fn e(b: &Vector<bool>) -> u32 {
        b.sum()
    }

    pub fn g(x: &Vector<f32>) -> Vector<u32> {
        x.histogram(10)
    }

    pub fn h(m: &Matrix<f32>, i: &Vector<usize>) -> Matrix<f32> {
        m.select(i)
    }

    pub fn i(x: &Vector<f32>, y: &Vector<f32>) -> f32 {
        x.matmul(y)
    }

    pub fn j(m: &Matrix<f32>, y: &Vector<f32>) -> Vector<f32> {
        m.matmul(y)
    }
}
