//! Loops whose arrays are as long as what is kept of a scan, and as something that is found in a sort; one of rows begins
//! with the totals of scans.
//!
//! shapes: xs n
//! values: xs -2..3, rounds 0..4

accelerate! {
    pub fn rounds(xs: &Vector<i32>, rounds: u32) -> (Vector<i32>, Vector<i32>, Matrix<i32>) {
        let mut kept = xs.cumsum().filter(|x| x % 3 != 0);
        for _ in 0..rounds { kept = kept.map_indexed(|i, x| x - kept[i / 2]); }
        let mut filled = fill(xs.sort().map(|x| (x * x % 5) as usize).sum(), 1);
        for _ in 0..rounds { filled = filled.scan(0, |a, b| a + b); }
        let totals = xs.windows(2).map(|pair| {
            let (_, total) = pair.scan_exclusive(1, |_, b| b);
            total
        });
        let turned = totals.chunks_exact(4).map(|four| {
            let mut row = four;
            for _ in 0..2 { row = row.map_indexed(|i, x| row[(i + 1) % 4].max(x) - x); }
            row
        });
        (kept, filled, turned)
    }
}
