//! Rows whose first part may be empty, with a fold that reads an element which is not there then.
//!
//! shapes: m (r, c)

accelerate! {
    pub fn spread(m: &Matrix<i32>) -> Matrix<i32> {
        m.rows().map(|row| {
            let firsts = generate(70, |t| row[0] + t as i32);
            let sum = row.sum();
            row.map(|x| x + firsts.sum()).concat(fill(2, sum))
        })
    }
}
