//! The largest of the 27 elements around each, and whether the element is it.
//!
//! kernels: 1 (stencil)
//! shapes: u (a, b, c)

accelerate! {
    pub fn peaks(u: &Cube<i32>) -> Cube<(i32, bool)> {
        let (a, b, c) = u.shape();
        generate((a, b, c), |(z, y, x)| {
            let mut top = 0;
            for dz in 0..3 {
                for dy in 0..3 {
                    for dx in 0..3 {
                        let i = (z + dz).max(1).min(a) - 1;
                        let j = (y + dy).max(1).min(b) - 1;
                        let k = (x + dx).max(1).min(c) - 1;
                        top = top.max(u[(i, j, k)]);
                    }
                }
            }
            (top, u[(z, y, x)] == top)
        })
    }
}
