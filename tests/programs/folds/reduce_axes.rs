//! Reductions of axes that are not the last one, of computed elements, some in order; an empty axis has no extremes.
//!
//! kernels: 5 (reduce, reduce, reduce, reduce, reduce)
//! bytes: 20a b n + 33a n + 17b n + 4n + 4
//! shapes: c (a, b, n), d (a, b, n)

accelerate! {
    pub fn axes(
        c: &Cube<f32>, d: &Cube<(i32, i32)>,
    ) -> (Matrix<(f32, f32, usize, bool)>, Matrix<(f32, usize, bool, f32)>, Matrix<(i32, i32)>, Matrix<i32>, Vector<i32>, f32) {
        let c = c.map(|x| x + 0.5);
        let positive = c.map(|x| x > 0.0);
        let d = d.map(|(a, b)| (a | 1, b));
        let ends = d.outer().map(|plane| plane.fold1_axis(0, |_, b| b).map(|(a, b)| a - b));
        (
            zip((c.product_axis(0), c.max_axis(0), c.argmax_axis(0), positive.any_axis(0))),
            zip((c.min_axis(1), c.argmin_axis(1), positive.all_axis(1), c.mean_axis(1).map(|x| x * 2.0))),
            d.fold_axis(1, (3, 1), |(a, b), (c, d)| (a * c, b * c + d)),
            ends,
            ends.product_axis(0),
            c.flatten().product_axis(0),
        )
    }
}
