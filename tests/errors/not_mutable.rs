accelerate! {
    pub fn f(n: usize) -> Vector<f32> {
        let total = 0.0;
        for i in 0..n {
            total += i as f32;
        }
        fill(n, total)
    }
}
