accelerate! {
    #[fused(checks = 0, atomics = 0)]
    pub fn counts(xs: &Vector<i32>) -> Vector<u32> {
        xs.map(|x| {
            assert!(x >= 0, "negative");
            x as usize % 8
        }).histogram(8)
    }

    #[fused(launches = 1)]
    pub fn sums(xs: &Vector<f32>) -> Vector<f32> {
        let sums = xs.cumsum();
        sums.zip(sums.reverse()).map(|(a, b)| a * b)
    }

    #[fused(checks = NONE)]
    pub fn none(xs: &Vector<f32>) -> Vector<f32> {
        xs
    }
}
