accelerate! {
    pub fn sizes(m: &Matrix<u8>) -> Vector<u32> {
        m.rows().map(|row| row.histogram(row[0] as usize + 1).max())
    }

    #[deterministic]
    pub fn in_order(m: &Matrix<f32>) -> Matrix<f32> {
        m.rows().map(|row| fill(4, 0.0).scatter(|a, b| a + b, row, |i, _| Some(i % 4)))
    }

    pub fn once(m: &Matrix<f32>) -> Matrix<f32> {
        m.rows().map(|row| fill(9, 0.0).scatter_unique(row, |i, _| Some(i * i)))
    }

    pub fn in_rounds(xs: &Vector<u32>) -> Vector<u32> {
        xs.map(|x| {
            let mut s = x;
            for q in 0..3 {
                let t = xs.scatter(|a, b| a + b, xs, |i, _| Some(i * q % xs.len()));
                s = s / 2 + t.get(s as usize).unwrap_or(0);
            }
            s
        })
    }
}
