accelerate! {
    pub fn a(x: &Vector<f32>) -> Vector<f32> {
        x.slice(s![0;2])
    }

    pub fn b(m: &Matrix<f32>) -> Vector<f32> {
        m.slice(s![0;2, ..])
    }

    pub fn c(x: &Vector<f32>) -> Vector<f32> {
        x.slice(s![..;0])
    }
}
