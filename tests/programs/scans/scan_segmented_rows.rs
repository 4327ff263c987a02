//! Each row in the same segments, from the right, by an operator that does not commute; and the greatest so far.
//!
//! shapes: lengths s, m (h, n)
//! lengths: lengths n

accelerate! {
    pub fn of_rows(lengths: &Vector<u8>, m: &Matrix<(i32, i32)>) -> (Matrix<(i32, i32)>, Matrix<i32>) {
        let composed = m.rscan1_segmented(&lengths, |(a, b), (c, d)| (a * c, b * c + d));
        (composed, m.map(|(a, _)| a).cummax_segmented(&lengths))
    }
}
