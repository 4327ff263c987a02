accelerate! {
    pub fn differences(x: &Vector<f32>) -> f32 {
        x.fold1(|a, b| a - b)
    }

    pub fn counted(x: &Vector<f32>) -> u32 {
        x.fold(0, |n, y| if y > 0.0 { n + 1 } else { n * 2 })
    }

    #[fused(bytes = 4 * m.shape())]
    pub fn extents(m: &Matrix<f32>) -> f32 {
        m.sum_all()
    }

    #[fused(bytes = 4 * m.len())]
    pub fn stored(m: &Vector<f32>) -> f32 {
        m.map(|x| x + 1.0).materialize().sum()
    }

    pub fn later(m: &Matrix<f32>, n: u32) -> f32 {
        let rows;
        if n > 3 {
            rows = m.rows();
        } else {
            rows = m.columns();
        }
        rows.map(|row| row.sum()).sum()
    }

    pub fn state(m: &Matrix<f32>) -> f32 {
        let mut rows = m.rows();
        for _ in 0..3 {
            rows = rows.map(|row| row).rows();
        }
        rows.map(|row| row.sum()).sum()
    }

    pub fn fields(xs: &Vector<[u64; 13]>) -> Vector<[u64; 13]> {
        xs.sort_by(|a, b| a.cmp(&b))
    }

    #[deterministic]
    pub fn in_order(m: &Matrix<f32>) -> Matrix<f32> {
        m.rows().map(|row| row.scatter(|a, b| if b == 0.0 { a } else { b }, row, |i, _| Some(i / 2)))
    }
}
