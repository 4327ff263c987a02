//! A foreign function with several results, of which one is needed.
//!
//! shapes: ns n, flags n
//! values: ns -9..9

accelerate! {
    #[foreign(rust = crate::foreign::parted)]
    fn parted(pairs: &Vector<(i32, bool)>) -> (Vector<(bool, i32)>, Scalar<i32>) {
        let parts = pairs.map(|(n, flag)| ((n % 2 == 0) != flag, n / 2));
        (parts, pairs.map(|(n, _)| n).fold(i32::MIN, |a, b| a.max(b)))
    }

    pub fn foreign_tuple_of_one(ns: &Vector<i32>, flags: &Vector<bool>) -> i32 {
        let (_, most) = parted(&ns.zip(flags));
        most
    }
}
