//! Where elements stand in a sorted table: the first of equals.
//!
//! shapes: table n, xs m
//! values: table 0..99, xs 0..120

accelerate! {
    pub fn places(table: &Vector<u16>, xs: &Vector<u16>) -> (Vector<usize>, Vector<bool>, usize) {
        let table = table.sort();
        let places = xs.map(|x| table.binary_search(x).unwrap_or(usize::MAX));
        let there = xs.map(|x| table.binary_search(x).is_some());
        (places, there, table.binary_search(50).unwrap_or(table.len()))
    }
}
