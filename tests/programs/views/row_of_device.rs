//! A row whose number the device computes. Its length is known without it, so that nothing waits before it is stored; an
//! index out of bounds is a failure wherever elements are read.
//!
//! kernels: 2 (reduce, elementwise)
//! shapes: m (k, n), votes l
//! values: votes 0..9
//! work: votes 0..k

accelerate! {
    pub fn elected(m: &Matrix<i32>, votes: &Vector<u32>) -> Vector<i32> {
        let most = votes.max() as usize;
        m.row(most).map(|x| x * 2)
    }
}
