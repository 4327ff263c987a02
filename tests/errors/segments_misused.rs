accelerate! {
    pub fn f(xs: &Vector<f32>, lengths: &Vector<i32>, parts: &Vector<f32>) -> Vector<f32> {
        let a = xs.sum_segmented(lengths);
        let b = xs.scan1_segmented(Offsets::new(parts), |a, b| a + b);
        let c = xs.max_segmented();
        let d = xs.sum_segmented(3);
        let e = Offsets::from(lengths);
        let g = xs.map_segments(|segment| segment.sum());
        xs
    }
}
