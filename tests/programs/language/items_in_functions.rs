//! Constants, structs and helpers inside functions, of one name in several blocks.
//!
//! kernels: 1 (reduce)
//! shapes: xs n

accelerate! {
    const SHIFT: f32 = 1.0;

    pub fn items_in_functions(xs: &Vector<f32>) -> (Vector<f32>, f32) {
        const SCALE: f32 = 2.0 * SHIFT;

        /// A value, and how often.
        struct Counted {
            value: f32,
            times: Times,
        }

        struct Times(u32);

        fn counted(value: f32) -> Counted {
            const SHIFT: u32 = 3;
            fn times(value: f32) -> Times {
                Times(if value < SCALE { SHIFT } else { 1 })
            }
            Counted { value, times: times(value) }
        }

        let shifted = xs.map(|x| {
            const SCALE: f32 = 0.5;
            let Counted { value, times: Times(times) } = counted(x);
            value * SCALE * times as f32 + SHIFT
        });
        let total = xs.map(|x| {
            fn counted(x: f32) -> f32 {
                if x < 0.0 { -x } else { x }
            }
            counted(x) * SCALE
        });
        (shifted, total.sum())
    }
}
