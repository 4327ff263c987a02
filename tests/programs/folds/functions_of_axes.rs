//! Mathematical functions of a row, in a reduction of all elements, and of a column, in an array: they are called once a row, and
//! once a column.
//!
//! kernels: 4 (elementwise, reduce, elementwise, elementwise)
//! shapes: m (n, k), v n, u k
//! values: m -2.0..2.0, v -2.0..2.0, u -2.0..2.0

accelerate! {
    pub fn weighed(m: &Matrix<f64>, v: &Vector<f64>, u: &Vector<f64>) -> (f64, Matrix<f64>) {
        let by_rows = m.rows().zip(v).map(|(row, s)| {
            let weight = s.exp().sin() + s.cos();
            row.map(|x| x * weight)
        });
        let by_columns = m.columns().zip(u).map(|(column, s)| {
            let weight = s.exp();
            column.map(|x| x * weight)
        });
        (by_rows.sum_all(), by_columns.transpose())
    }
}
