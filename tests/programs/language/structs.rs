//! Structs as elements, stored as one array per field.
//!
//! kernels: 1 (elementwise)
//! bytes: 24n
//! shapes: bodies n

accelerate! {
    pub struct Body {
        pub position: (f32, f32),
        pub velocity: (f32, f32),
        pub mass: f32,
    }

    pub fn advance(bodies: &Vector<Body>, dt: f32) -> Vector<Body> {
        bodies.map(|b| Body {
            position: (b.position.0 + dt * b.velocity.0, b.position.1 + dt * b.velocity.1),
            velocity: b.velocity,
            mass: b.mass,
        })
    }
}
