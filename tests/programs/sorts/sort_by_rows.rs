//! Each row of a matrix by itself: the even ones upwards, then the odd ones downwards; and by what is no order, which leaves
//! every element there once.
//!
//! kernels: 7 (sort, sort, reduce)
//! shapes: m (h, w)

accelerate! {
    pub fn evens_first(m: &Matrix<i32>) -> (Matrix<i32>, Vector<i32>, Vector<i32>) {
        let ordered = m.sort_by(|a, b| match (a & 1, b & 1) {
            (0, 0) => a.cmp(b),
            (0, _) => Ordering::Less,
            (_, 0) => Ordering::Greater,
            _ => b.cmp(a),
        });
        let some = m.sort_by(|a, b| if (a ^ b) % 3 == 1 { Ordering::Less } else { Ordering::Equal });
        (ordered, some.sum(), some.map(|x| x * x).sum())
    }
}
