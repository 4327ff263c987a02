accelerate! {
    pub fn f(m: &Matrix<f32>, n: usize) -> Matrix<f32> {
        let mut state = m.map(|x| x * 2.0);
        for _ in 0..n {
            state = state.flatten();
        }
        state
    }
}
