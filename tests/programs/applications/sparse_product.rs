//! The product of two sparse matrices by rows: all products of entries are written out, sorted by their places, and those of one
//! place are added.
//!
//! shapes: a.offsets k, a.columns m, a.values m, b.offsets n, b.columns l, b.values l
//! offsets: a.offsets m, b.offsets l
//! values: a.columns 0..n, a.values -9..9, b.columns 0..7, b.values -9..9

accelerate! {
    pub struct Sparse {
        pub offsets: Vector<u32>,
        pub columns: Vector<u32>,
        pub values: Vector<i64>,
    }

    /// The places of the entries, row after row in a matrix of seven columns, and their values.
    pub fn product(a: &Sparse, b: &Sparse) -> (Vector<u32>, Vector<i64>) {
        let ends = a.offsets.skip(1);
        let lengths = ends.zip(a.offsets.take(ends.len())).map(|(end, begin)| end.saturating_sub(begin));
        let row = iota(ends.len()).repeat_each(&lengths);
        let inner = b.offsets.skip(1).len();
        let entries = row.zip(a.columns).zip(a.values).filter(|((_, k), _)| (k as usize) < inner);
        let products = entries.flat_map(|((row, k), x)| {
            let (begin, end) = (b.offsets[k as usize], b.offsets[k as usize + 1]);
            (begin..end).map(|e| (row as u32 * 7 + b.columns[e as usize], x * b.values[e as usize]))
        });
        let sorted = products.sort_by_key(|(place, _)| place);
        let first = iota(sorted.len()).filter(|i| i == 0 || sorted[i].0 != sorted[i - 1].0);
        let offsets = first.concat(fill(1, sorted.len()));
        let sums = sorted.map(|(_, x)| x).sum_segmented(Offsets::new(&offsets));
        (first.map(|i| sorted[i].0), sums)
    }
}
