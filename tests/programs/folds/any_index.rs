//! Whether a comparison of an index holds for any of them is known without going through them.
//!
//! kernels: 0
//! values: n 0..5, c 0..5

accelerate! {
    pub fn some(n: usize, c: usize) -> (bool, bool, bool, bool, bool, bool) {
        let other = iota(n).map(|i| i != c).any();
        let equal = iota(n).map(|i| i == c).any();
        let below = iota(n).map(|i| i < c).any();
        let above = iota(n).map(|i| c < i).any();
        let within = iota(n).map(|i| 1 <= i && i < c).any();
        let all = iota(n).map(|i| i <= c).all();
        (other, equal, below, above, within, all)
    }
}
