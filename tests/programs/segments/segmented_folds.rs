//! Folds of many kinds in one closure; pairs of elements, and an operator that does not commute.
//!
//! shapes: lengths s, xs n
//! lengths: lengths n

accelerate! {
    pub fn folds(lengths: &Vector<u8>, xs: &Vector<(i32, u32)>) -> Vector<(i32, (u32, u32), usize, bool)> {
        Segmented::new(xs, &lengths).map_segments(|row| {
            let lines = row.map(|(_, b)| (b % 3 + 1, b));
            let line = lines.fold((1, 0), |(a, b), (c, d)| (a * c, b * c + d));
            (row.map(|(a, _)| a).sum(), line, row.len(), row.map(|(a, _)| a > 0).any())
        })
    }
}
