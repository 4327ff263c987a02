accelerate! {
    struct Pair {
        a: f32,
        b: !,
    }

    pub fn f(xs: &Vector<!>) -> f32 {
        1.0
    }

    pub fn g(xs: &Vector<f32>, x: !) -> Vector<(f32, !)> {
        xs.map(|x| (x, 1.0))
    }
}
