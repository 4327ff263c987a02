accelerate! {
    extern crate rand;
    use std::f32::consts::PI;

    static COUNT: u32 = 0;

    trait Area {}

    struct Square {
        side: f32,
    }

    impl Default for Square {
        fn default() -> Self {
            Square { side: 1.0 }
        }
    }

    pub fn f(xs: &Vector<f32>) -> f32 {
        xs.sum()
    }
}
