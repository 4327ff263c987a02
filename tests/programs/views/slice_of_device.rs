//! Slices and rotations by a number that the device computes: no length depends on it, so nothing waits for it.
//!
//! kernels: 3 (reduce, elementwise, elementwise)
//! shapes: m (k, n), votes l
//! values: votes 0..9
//! work: votes 0..k

accelerate! {
    pub fn turned(m: &Matrix<i32>, votes: &Vector<u32>) -> (Vector<i32>, Matrix<i32>) {
        let most = votes.max() as usize;
        let turn = most % (m.shape().1 + 1);
        (m.slice(s![most, ..]).map(|x| x * 2), m.rotate_left(turn).zip(m).map(|(a, b)| a - b))
    }
}
