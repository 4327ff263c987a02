//! Floats of all bits, those that are no numbers among them.
//!
//! shapes: xs n, ys n

accelerate! {
    pub fn ordered(xs: &Vector<u32>, ys: &Vector<u64>) -> (Vector<u32>, Vector<u64>, bool) {
        let singles = xs.map(|x| f32::from_bits(x)).sort();
        let doubles = ys.map(|y| f64::from_bits(y)).sort();
        (singles.map(|x| x.to_bits()), doubles.map(|y| y.to_bits()), singles.is_sorted())
    }
}
