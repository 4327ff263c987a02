accelerate! {
    pub fn row_loop(m: &Matrix<f32>) -> Vector<f32> {
        m.rows().map(|row| {
            let mut r = row.map(|x| x + 1.0);
            for _ in 0..3 { r = r.map(|x| x * 0.5); }
            r.sum()
        })
    }
}
