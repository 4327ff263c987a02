//! Folds in branches of elements, each of which takes the same negative constant.
//!
//! shapes: m (h, w), like (k, l)

accelerate! {
    pub fn least(m: &Matrix<i8>, like: &Matrix<u8>) -> Matrix<(u32, (i16, i8))> {
        let least = m.axis(1).map(|line| {
            let counted = line.map(|x| ([2, line.map(|_| 2_u32).product(), 2][line.map(|_| 1_usize).sum() % 3], (-2_i16, x)));
            counted.rscan((100, (-2, 3)), |(a, (b, c)), (d, (e, f))| {
                if d < a || (d == a && (e < b || (e == b && f < c))) { (d, (e, f)) } else { (a, (b, c)) }
            })
        });
        least.gather(like.shape(), |(i, j)| (i % least.shape().0, j % least.shape().1))
    }
}
