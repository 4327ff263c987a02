//! Conditions of patterns and tests, each asked if all before it hold.
//!
//! kernels: 1 (elementwise)
//! shapes: next n
//! values: next 0..12

accelerate! {
    pub fn walked(next: &Vector<u32>) -> Vector<(u32, u32)> {
        next.map(|first| {
            let mut at = first;
            let mut steps = 0;
            while steps < 5 && let Some(to) = next.get(at as usize) && to != at {
                at = to;
                steps += 1;
            }
            let last = if steps > 1 && let Some(to) = next.get(at as usize) && let Some(after) = next.get(to as usize + 1) {
                after
            } else if let Some(to) = next.get(first as usize) && to > 3 {
                to + 100
            } else {
                1000
            };
            (steps, last)
        })
    }
}
