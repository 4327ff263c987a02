//! Segments of other lengths than they came: a part, more, and always the same.
//!
//! shapes: rows.values n, rows.offsets s
//! offsets: rows.offsets n

accelerate! {
    pub fn lengths(rows: &Segmented<u16>) -> (Segmented<u16>, Segmented<u16>, Segmented<usize>, Segmented<u16>) {
        rows.map_segments(|row| {
            let half = row.take(row.len() / 2);
            (half.reverse(), row.concat(half), iota(3), row.map(|x| x + row.len() as u16).materialize())
        })
    }
}
