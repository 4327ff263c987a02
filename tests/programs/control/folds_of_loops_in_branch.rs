//! Folds and scans of scalar loops of which a round may fail, that only some elements demand: computed once, without failures, since
//! the loops have known trip counts, and folded again only by readers where one fails.
//!
//! kernels: 4 (reduce, elementwise, scan, elementwise)
//! shapes: xs n, t m, u k
//! values: xs 0..30, t 0..9, u 0..9
//! work: xs 1..30

accelerate! {
    pub fn looped(xs: &Vector<i32>, t: &Vector<i32>, u: &Vector<usize>) -> (Vector<i32>, Vector<i32>) {
        let rounds = |x: i32| {
            let mut a = x;
            for i in 0..10 {
                a = a + 100 / (x + i);
            }
            a
        };
        let of_all = t.map(|c| if c > 5 { xs.map(rounds).sum() } else { c });
        let up_to = u.map(|c| if c > 5 { xs.map(rounds).cumsum()[c % xs.len()] } else { 0 });
        (of_all, up_to)
    }
}
