accelerate! {
    pub fn mapped(xs: &Vector<f32>) -> Vector<f32> {
        xs.iter().map(|x| x * 2.0).collect()
    }

    pub fn into_iter(xs: &Vector<f32>) -> Vector<f32> {
        xs.into_iter().filter(|x| *x > 1.0).collect::<Vec<f32>>()
    }

    pub fn sum(xs: &Vector<f32>) -> f32 {
        xs.iter().sum::<f32>()
    }

    pub fn zipped(xs: &Vector<f32>, ys: &Vector<f32>) -> Vector<f32> {
        xs.iter().zip(ys.iter()).map(|(x, y)| x * y).collect()
    }

    pub fn enumerated(xs: &Vector<f32>) -> Vector<f32> {
        xs.iter().enumerate().map(|(i, x)| x * i as f32).collect()
    }

    pub fn folded(xs: &Vector<f32>) -> f32 {
        xs.iter().copied().fold(0.0, f32::max)
    }

    pub fn range(n: usize) -> Vector<usize> {
        (0..n).map(|i| i * i).collect()
    }

    pub fn looped(xs: &Vector<f32>) -> f32 {
        let mut total = 0.0;
        for x in xs.iter() {
            total += x;
        }
        total
    }

    pub fn not_found(xs: &Vector<f32>) -> f32 {
        xs.foo(f32::max, 1.0)
    }
}
