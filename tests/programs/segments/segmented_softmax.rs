//! What is the same for a whole segment is computed once for it; nothing is asked of an empty one.
//!
//! shapes: rows.values n, rows.offsets s
//! offsets: rows.offsets n

accelerate! {
    pub fn softmax(rows: &Segmented<f32>) -> Segmented<f32> {
        rows.map_segments(|row| {
            let largest = row.max();
            let powers = row.map(|x| x - largest);
            let sum = powers.map(|x| x * x).sum();
            powers.map(|x| x / (sum + 1.0))
        })
    }
}
