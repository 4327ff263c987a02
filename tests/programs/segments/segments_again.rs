//! Folds of segments where rows of the kernel are no neighbours on the axis: each segment twice, the last one first, every
//! other one, and two of them many times.
//!
//! shapes: lengths s, xs n
//! lengths: lengths n
//! values: xs -99..99

accelerate! {
    pub fn again(lengths: &Vector<u8>, xs: &Vector<i32>) -> (Vector<i32>, Vector<i32>, Vector<i32>, Vector<i32>) {
        let last = xs.fold_segmented(&lengths, -1, |_, x| x);
        let tripled = xs.map(|x| x * 3).sum_segmented(&lengths);
        let squares = xs.map(|x| x * x).sum_segmented(&lengths);
        let count = lengths.len();
        let ends = xs.sum_segmented(&lengths).gather(count, |j| if j < 2 { 0 } else { count - 1 });
        (last.interleave(last), tripled.reverse(), squares.slice(s![..;2]), ends)
    }
}
