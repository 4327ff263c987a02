//! Option in scalar code.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n, table k
//! values: xs 0..40

accelerate! {
    pub fn lookup(xs: &Vector<usize>, table: &Vector<f32>) -> Vector<f32> {
        xs.map(|i| {
            let direct = table.get(i);
            if let Some(value) = direct { value } else { -1.0 }
        })
    }
}
