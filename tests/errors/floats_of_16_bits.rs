use accelerate::accelerate;

accelerate! {
    pub fn a(xs: &Vector<f16>, k: f32) -> Vector<f16> {
        xs.map(|x| x + k)
    }

    pub fn b(xs: &Vector<bf16>) -> Vector<bf16> {
        xs.map(|x| x * 70000.0 + 1e39)
    }

    pub fn c(xs: &Vector<f16>) -> Vector<f32> {
        xs.map(|x| x - 65520.0).map(|x| x.to_f32())
    }

    pub fn d(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| x.to_f32()).map(|x| f32::from_f64(x))
    }

    pub fn e(x: f16, y: bf16) -> f16 {
        f16::from(y).min(f16::from(x))
    }
}
