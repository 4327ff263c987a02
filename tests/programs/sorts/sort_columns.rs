//! Columns by a key that depends on the column: an array of arrays within another.
//!
//! shapes: m (h, w), turn k

accelerate! {
    pub fn columns(m: &Matrix<i32>, turn: &Vector<i32>) -> Matrix<i32> {
        m.columns().map_indexed(|j, column| {
            let sign = if j % 2 == 0 { 1 } else { -1 };
            column.sort_by_key(|x| x.wrapping_mul(sign) ^ turn.len() as i32)
        })
    }
}
