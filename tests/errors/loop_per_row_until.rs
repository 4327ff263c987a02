accelerate! {
    pub fn row_while(m: &Matrix<f32>) -> Vector<f32> {
        m.rows().map(|row| {
            let mut r = row;
            while r.max() > 1.0 { r = r.map(|x| x * 0.5); }
            r.sum()
        })
    }
}
