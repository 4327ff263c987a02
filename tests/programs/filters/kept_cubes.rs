//! Keys and places of three axes, and cubes whose lines are sorted by key.
//!
//! shapes: keys (a, b, n), values (a, b, n)
//! values: keys 0..7, values -5..5

accelerate! {
    pub fn kept(
        keys: &Cube<u8>, values: &Cube<(i32, u8)>
    ) -> (Vector<(i32, u8)>, Vector<u32>, Cube<(i32, u8)>, Matrix<bool>, Cube<i32>) {
        let (a, b, n) = keys.shape();
        let places = keys.map_indexed(|(i, j, k), key| (a - 1 - i, b - 1 - j, (k + key as usize) % n));
        let sorted = values.map(|(x, y)| (x + 1, y)).sort_by_key(|(x, y)| (y % 3, x > 0));
        (
            keys.reduce_by_index(&values.map(|(x, y)| (x * 2, y)), 7, (1, 0), |(a, b), (c, d)| (a + c, b ^ d)),
            keys.map(|k| k / 2).histogram(4).map(|n| n + 1),
            sorted.map(|(x, y)| (x * 3, y)),
            sorted.map(|(_, y)| y % 3).is_sorted(),
            values.map(|(x, y)| (x + 1, y)).select(&places).map(|(x, y)| x * 2 - y as i32),
        )
    }
}
