//! Maps x -> a x + b composed in order, those that are kept.
//!
//! kernels: 1 (reduce)
//! bytes: 8n + 8
//! shapes: maps n

accelerate! {
    pub fn composed(maps: &Vector<(u32, u32)>) -> (u32, u32) {
        maps.filter(|(a, _)| a % 2 == 1).fold((1, 0), |f, g| (g.0 * f.0, g.0 * f.1 + g.1))
    }
}
