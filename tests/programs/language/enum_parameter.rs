//! An enum as a scalar parameter, with payloads.
//!
//! kernels: 1 (elementwise)
//! bytes: 8n
//! shapes: xs n
//! values: filter 0..3

accelerate! {
    pub enum Filter {
        Keep,
        Scale(f32),
        Clip { low: f32, high: f32 },
    }

    pub fn filtered(xs: &Vector<f32>, filter: Filter) -> Vector<f32> {
        xs.map(|x| match filter {
            Filter::Keep => x,
            Filter::Scale(by) => x * by,
            Filter::Clip { low, high } => if x < low { low } else if x > high { high } else { x },
        })
    }
}
