//! 8- and 16-bit elements.
//!
//! kernels: 1 (elementwise)
//! bytes: 4n
//! shapes: a n, b n

accelerate! {
    pub fn average(a: &Vector<u8>, b: &Vector<i8>) -> Vector<i16> {
        a.zip(b).map(|(a, b)| (a as i16 + b as i16) / 2)
    }
}
