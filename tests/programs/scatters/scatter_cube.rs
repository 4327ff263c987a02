//! A cube of flags to a vector, of which it is known what meets: bools by the word around them.
//!
//! kernels: 2 (scatter, elementwise)
//! shapes: c (a, b, d)

accelerate! {
    pub fn planes(c: &Cube<i16>) -> (Vector<bool>, Vector<bool>) {
        let (a, _, _) = c.shape();
        let any = fill(a, false).scatter(|a, b| a || b, c.map(|x| x > 40), |(i, _, _), _| Some(i));
        (any, any.map(|x| !x))
    }
}
