//! Structs by a comparison of several steps; those that it calls equal keep their order.
//!
//! kernels: 3 (sort)
//! shapes: xs n
//! values: xs -20..20

accelerate! {
    pub struct Ion {
        pub mass: f64,
        pub charge: i32,
        pub place: u32,
    }

    pub fn ions(xs: &Vector<i32>) -> Vector<Ion> {
        let ions = xs.map_indexed(|i, x| Ion { mass: (x / 3) as f64 * 0.5, charge: x % 4, place: i as u32 });
        ions.sort_by(|a, b| match a.charge.abs().cmp(&b.charge.abs()) {
            Ordering::Equal => b.mass.partial_cmp(&a.mass).unwrap_or(Ordering::Equal),
            order => order.reverse(),
        })
    }
}
