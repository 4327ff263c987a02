//! Rows that are computed from all pairs, each of them sorted: each pair is computed once, and not again for each element of its
//! row.
//!
//! shapes: m (n, k)

accelerate! {
    pub fn nearest(m: &Matrix<i32>) -> Vector<i32> {
        let distances = m.rows().map(|a| {
            m.rows().map(|b| a.zip(b).map(|(x, y)| if x > y { x - y } else { y - x }).max())
        });
        distances.rows().map_segments(|row| row.sort()).values()
    }
}
