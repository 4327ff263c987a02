accelerate! {
    pub fn parts(m: &Matrix<i32>) -> Vector<i32> {
        m.rows().map(|row| row.take(row[0] as usize).sort()[0])
    }
}
