//! Operators that pick a side.
//!
//! kernels: 1 (scan)
//! bytes: 6n
//! shapes: xs n

accelerate! {
    pub fn sides(xs: &Vector<i16>) -> (Vector<i16>, Vector<i16>) {
        (xs.scan1(|a, _| a), xs.rscan1(|_, b| b))
    }
}
