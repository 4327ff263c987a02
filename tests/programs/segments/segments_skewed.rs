//! Products in order of matrices of two by two that are computed, of segments by lengths, and what is computed of them.
//!
//! kernels: 2 (scan, reduce)
//! shapes: lengths s, xs n
//! lengths: lengths n

accelerate! {
    pub fn chained(lengths: &Vector<u16>, xs: &Vector<i32>) -> Vector<(i32, i32)> {
        let steps = xs.map(|x| (x, 1, 1, 0));
        let products = steps.fold_segmented(&lengths, (1, 0, 0, 1), |(a, b, c, d), (e, f, g, h)| {
            (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)
        });
        products.map_indexed(|i, (a, b, c, d)| (a * d - b * c, a + i as i32))
    }
}
