//! Each element as many times as its count says; another number of counts fails.
//!
//! shapes: xs n, counts n, others m
//! values: counts 0..5, others 0..3
//! work: fails

accelerate! {
    pub fn repeated(xs: &Vector<(i32, f32)>, counts: &Vector<u8>, others: &Vector<usize>)
        -> (Vector<(i32, f32)>, Vector<f32>)
    {
        (xs.repeat_each(counts), xs.map(|(_, x)| x * 2.0).repeat_each(&others))
    }
}
