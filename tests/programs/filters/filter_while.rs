//! A loop that takes the greatest away, as long as the sum is too large.
//!
//! shapes: xs n
//! values: xs -20..20

accelerate! {
    pub fn lightened(xs: Vector<i32>) -> (Vector<i32>, u32) {
        let mut left = xs;
        let mut rounds = 0;
        while left.sum() > 20 {
            let most = left.max();
            left = left.filter(|x| x < most);
            rounds += 1;
        }
        (left, rounds)
    }
}
