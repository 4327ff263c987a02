//! Elements of one byte.
//!
//! kernels: 1 (scan)
//! bytes: 3n
//! shapes: xs n

accelerate! {
    pub fn parity(xs: &Vector<bool>) -> (Vector<bool>, Vector<u8>) {
        (xs.scan1(|a, b| a ^ b), xs.map(|x| x as u8).cumsum())
    }
}
