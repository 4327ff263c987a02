//! Names that C++ does not take: of another alphabet, keywords, macros.
//!
//! kernels: 1 (elementwise)
//! shapes: größe n

accelerate! {
    pub struct Ион {
        pub масса: f32,
        pub r#type: i32,
        pub class: u8,
    }

    pub fn größe(größe: &Vector<f32>, __and: f32, SHARED: i32) -> Vector<Ион> {
        größe.map(|变数| {
            let and = 变数 * __and;
            let NULL = and as i32 + SHARED;
            Ион { масса: and, r#type: NULL, class: (NULL & 1) as u8 }
        })
    }
}
