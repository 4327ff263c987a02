//! Windows wider than short arrays, with each periodic boundary.
//!
//! kernels: 1 (elementwise)
//! bytes: 8n
//! shapes: xs n

accelerate! {
    pub fn far(xs: &Vector<i32>) -> Vector<i32> {
        let wrapped = xs.stencil(Wrap, |w| w[-40] + 2 * w[33]);
        let mirrored = xs.stencil(Mirror, |w| w[-40] + 2 * w[33]);
        let reflected = xs.stencil(Boundary::Reflect, |w| w[-40] + 2 * w[33]);
        zip((wrapped, mirrored, reflected)).map(|(a, b, c)| a + 3 * b + 5 * c)
    }
}
