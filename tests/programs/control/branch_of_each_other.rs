//! What only some elements ask for, which other such tells: of two tables each says whether the other is read, and a segment's
//! first element whether the scan is.
//!
//! shapes: xs n, ends s
//! values: xs 0..12, at 0..4, side 1..2
//! offsets: ends n

accelerate! {
    pub fn told(xs: &Vector<u32>, ends: &Vector<usize>, at: usize, side: usize) -> (Vector<u32>, Vector<u32>) {
        let some = [true, false, true];
        let table = fill(2, 1_u32).scatter(|a, b| a.max(b), xs, |i, _| Some((i + at) % side));
        let kept = xs.filter(|x| some[at] && x > 3);
        let a = xs.map(|x| {
            let high = if x > 8 { if table[0] > 2 { kept.get(0).unwrap_or(x) } else { x } } else { 0 };
            let low = if x < 3 { if kept.len() > 1 { table[1] } else { x } } else { 1 };
            high + low
        });
        let sums = xs.scan_segmented(Offsets::new(ends), 0, |a, b| a + b);
        (a, sums.concat(sums))
    }
}
