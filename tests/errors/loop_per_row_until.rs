accelerate! {
    pub fn row_while(m: &Matrix<f32>) -> Vector<f32> {
        m.rows().map(|row| {
            let mut r = row;
            while r.max() > 1.0 { r = r.map(|x| x * 0.5); }
            r.sum()
        })
    }

    pub fn some_rows(k: usize, m: &Matrix<f32>) -> Vector<f32> {
        m.rows().map(|row| {
            if k < row.len() {
                let mut r = row;
                for _ in 0..3 {
                    r = r.map(|x| x * 0.5 + row[k]);
                }
                r[0]
            } else {
                0.0
            }
        })
    }
}
