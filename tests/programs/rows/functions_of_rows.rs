//! A mathematical function of what the elements of a row share: it is called once a row, also where it reads a row that may have
//! no elements.
//!
//! kernels: 1 (rowwise)
//! shapes: m (n, k), v n
//! values: m -2.0..2.0, v -2.0..2.0

accelerate! {
    pub fn scaled(m: &Matrix<f64>, v: &Vector<f64>) -> (Matrix<f64>, Matrix<f64>) {
        let by_firsts = m.rows().map(|row| {
            let weight = row[0].exp();
            row.map(|x| x * weight)
        });
        let by_values = m.rows().zip(v).map(|(row, s)| {
            let weight = s.exp().sin() + s.cos();
            row.map(|x| x * weight)
        });
        (by_firsts, by_values)
    }
}
