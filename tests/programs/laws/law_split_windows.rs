//! Parts by views.
//!
//! law: windows as far apart as they are wide are the parts
//! kernels: 1 (reduce)
//! shapes: xs n
//! values: k 1..9

accelerate! {
    pub fn agree(xs: &Vector<i32>, k: usize) -> bool {
        let whole = xs.take(xs.len() / k * k);
        let parts = whole.split(k);
        let windows = xs.slide(k, k);
        parts.zip_with(&windows, |a, b| a == b).all_all()
    }
}
