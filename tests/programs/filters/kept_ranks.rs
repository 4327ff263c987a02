//! Keys and places of several axes; tuples kept, sorted, and written by index.
//!
//! kernels: 11 (elementwise, scatter, scatter, elementwise, scatter, scan, scan, sort, reduce)
//! bytes: 29a b n + 35h w + 10count + 1h + 273
//! shapes: keys (h, w), values (h, w), c (a, b, n)
//! values: keys 0..7, values -5..5, c -5..5

accelerate! {
    pub fn kept(
        keys: &Matrix<u8>, values: &Matrix<(i32, u8)>, c: &Cube<(i32, i8)>,
    ) -> (Vector<(i32, u8)>, Vector<u32>, Cube<(i32, i8)>, Vector<(i8, i32)>, Vector<i32>, Vector<(i32, i8)>, Matrix<(i32, u8)>, Vector<bool>) {
        let (a, b, n) = c.shape();
        let (low, high) = c.flatten().map(|(x, y)| (x + 1, y)).partition(|(x, _)| x < 0);
        let sorted = values.sort_by_key(|(x, y)| (y % 3, x > 0));
        (
            keys.reduce_by_index(&values.map(|(x, y)| (x * 2, y)), 7, (1, 0), |(a, b), (c, d)| (a + c, b ^ d)),
            keys.map(|k| k / 2).histogram(4).map(|n| n + 1),
            fill((n, a, b), (0, 1)).scatter_unique(c, |(i, j, k), _| Some((k, i, j))),
            c.flatten().filter_map(|(x, y)| if y > 0 { Some((y, x)) } else { None }),
            high.map(|(x, _)| x),
            low.select(low.indices_of(|(x, y)| x as i8 == y)),
            sorted,
            sorted.map(|(_, y)| y % 3).is_sorted(),
        )
    }
}
