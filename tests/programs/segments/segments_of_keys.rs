//! Segments that another kernel finds: sorted keys lie together, a histogram says how many.
//!
//! shapes: pairs n
//! values: pairs 0..9

accelerate! {
    pub fn by_key(pairs: &Vector<(u32, i32)>) -> Vector<i32> {
        let keys = pairs.map(|(key, _)| key as usize);
        let lengths = keys.histogram(9);
        let sorted = pairs.sort_by_key(|(key, _)| key);
        sorted.map(|(_, x)| x).sum_segmented(&lengths)
    }
}
