accelerate! {
    pub fn a(x: &Vector<f32>) -> Vector<f32> {
        x.scan_exclusive(0.0, |a, b| a + b)
    }

    pub fn b(x: &Vector<f32>) -> Vector<f32> {
        x.concat([1.0, 2.0])
    }

    pub fn c(x: &Vector<f32>, y: &Vector<u8>) -> (Vector<f32>, Vector<u8>) {
        x.zip(y)
    }

    pub fn d(x: &Vector<f32>, y: &Vector<u8>) -> Vector<(f32, u8)> {
        (x, y)
    }

    pub fn e(x: &Vector<f32>) -> Vector<f32> {
        concat((x, x, x))
    }

    pub fn g(m: &Matrix<f32>) -> Matrix<f32> {
        m.rows()
    }

    pub fn h(x: &Vector<f32>) -> Matrix<f32> {
        x.windows(3)
    }

    pub fn i(x: f32) -> Vector<f32> {
        replicate(x, 3)
    }

    pub fn j(x: f32) -> Vector<f32> {
        broadcast_to(x, 3)
    }

    pub fn k(x: f32) -> Vector<f32> {
        x.replicate(3)
    }

    pub fn l(x: &Vector<f32>) -> Vector<f32> {
        x.scatter_unique(x, |i, _| i)
    }
}
