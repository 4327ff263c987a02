//! A foreign function of pairs and with several results: a view for each leaf, of rank 0 too.
//!
//! shapes: ns n, flags n
//! values: ns -9..9

accelerate! {
    #[foreign(rust = crate::foreign::parted)]
    fn parted(pairs: &Vector<(i32, bool)>) -> (Vector<(bool, i32)>, Scalar<i32>) {
        let parts = pairs.map(|(n, flag)| ((n % 2 == 0) != flag, n / 2));
        (parts, pairs.map(|(n, _)| n).fold(i32::MIN, |a, b| a.max(b)))
    }

    pub fn foreign_tuple(ns: &Vector<i32>, flags: &Vector<bool>) -> (Vector<i32>, i32) {
        let (parts, most) = parted(&ns.zip(flags));
        (parts.map(|(even, half)| if even { half } else { most }), most)
    }
}
