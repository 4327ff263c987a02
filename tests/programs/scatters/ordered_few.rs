//! Runs of many blocks, onto defaults that are read where they are, and points that go nowhere.
//!
//! kernels: 11 (sort, elementwise, scatter)
//! shapes: table k, xs n
//! values: table -1..1, xs -1..1

accelerate! {
    #[deterministic]
    pub fn few(table: Vector<f32>, xs: &Vector<f32>) -> Vector<f32> {
        let k = table.len().min(3);
        table.scatter(|a, b| a + b * b, xs, |i, x| {
            if k > 0 && x > -0.9 { Some(i * i % k) } else { None }
        })
    }
}
