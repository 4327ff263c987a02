//! Elements of one byte and of none that is wider, by conditions of their own kind.
//!
//! shapes: xs n, flags n
//! values: xs 0..9

accelerate! {
    pub fn bytes(xs: &Vector<u8>, flags: &Vector<bool>) -> (Vector<u8>, Vector<bool>, Vector<i16>) {
        let pairs = xs.zip(flags);
        (
            pairs.filter(|(_, flag)| flag).map(|(x, _)| x),
            flags.filter(|flag| !flag),
            pairs.filter_map(|(x, flag)| if flag && x > 2 { Some(x as i16 - 5) } else { None }),
        )
    }
}
