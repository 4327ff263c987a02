//! Distinct tuples, and what is distinct of a filtered array.
//!
//! shapes: xs n
//! values: xs -3..3

accelerate! {
    pub fn tuples(xs: &Vector<(i16, (bool, i8))>) -> (Vector<(i16, (bool, i8))>, Vector<i16>) {
        let positive = xs.filter(|(a, _)| a > 0).map(|(a, (b, c))| if b { a } else { c as i16 });
        (xs.unique(), positive.unique())
    }
}
