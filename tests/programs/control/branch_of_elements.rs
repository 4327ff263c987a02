//! Tables, sorts and filters bound before the elements that need them: each is computed once, and fails whoever needs it.
//!
//! shapes: xs n, m (k, l)
//! values: xs 0..12, m 0..9, at 0..4

accelerate! {
    pub fn asked(xs: &Vector<u32>, m: &Matrix<u32>, at: usize) -> (Vector<u32>, Matrix<u32>, Vector<u32>) {
        let some = [true, false, true];
        let table = fill(2, 1_u32).scatter(|a, b| a.max(b), xs, |_, _| Some(at));
        let sorted = xs.sort_by_key(|x| if some[at] { x ^ 5 } else { x });
        let kept = xs.filter(|x| some[at] && x > 3);
        let a = xs.map(|x| if x > 10 { table[0] + sorted[sorted.len() / 2] } else { x });
        let b = m.map_indexed(|(i, j), x| if i == j { if x > 7 { table[1] } else { x } } else { 0 });
        let c = m.rows().map(|row| row.map(|x| if row.sum() > 40 { kept.get(0).unwrap_or(x) } else { x }).sum());
        (a, b, c)
    }
}
