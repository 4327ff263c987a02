//! Rows that are made once, all of them, by a scatter, a loop over an array or a sort: read in the rounds of a loop in a
//! closure, in the key of a sort and in a branch.
//!
//! shapes: xs n

accelerate! {
    pub fn picked(xs: &Vector<u32>) -> (Vector<u32>, Vector<u32>, Vector<u32>) {
        let products = xs.windows(2).map(|w| w.scatter(|a, b| a * b, w, |i, _| Some(i)));
        let mixed = xs.windows(3).map(|w| {
            let mut v = w;
            for q in 0..2_usize {
                v = v.map_indexed(|i, x| x ^ v[(i + q) % 3]);
            }
            v
        });
        let sorted = xs.windows(3).map(|w| w.sort_by(|a, b| (b ^ w[0]).cmp(&(a ^ w[0]))));
        let key = |x| {
            let mut s = x;
            for q in 0..3_usize {
                s = s * 3 + products.get((q, q % 2)).unwrap_or(x);
            }
            s
        };
        let summed = xs.map(|x| {
            let mut s = x;
            for q in 0..3_usize {
                s += mixed.get((q, x as usize % 3)).unwrap_or(1);
            }
            s
        });
        let some = xs.map(|x| if x > 4 { sorted.get((x as usize % 5, 1)).unwrap_or(x) } else { x });
        (xs.sort_by(|a, b| key(a).cmp(&key(b))), summed, some)
    }
}
