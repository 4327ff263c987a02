//! Loops on either side of a branch, which begin with the same array: its elements are none of the branch's values.
//!
//! shapes: xs n, ys k
//! values: ys 0..9

accelerate! {
    pub fn rounds(xs: &Vector<u32>, ys: &Vector<u32>) -> Vector<u32> {
        ys.map(|y| {
            let mut k = 0;
            let mut v = xs.map(|x| x * 2);
            if y > 4 {
                while k < 9 {
                    k += v.get(1).unwrap_or(3) % 5 + 1;
                    v = v.map(|x| x + k);
                }
                k
            } else {
                while k < 7 {
                    k += v.get(0).unwrap_or(2) % 3 + 2;
                    v = v.map(|x| x ^ k);
                }
                k ^ y
            }
        })
    }
}
