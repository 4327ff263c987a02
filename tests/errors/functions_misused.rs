accelerate! {
    fn twice(f: impl Fn(f32) -> f32, x: f32) -> f32 {
        f(f(x))
    }

    fn add(x: f32, y: f32) -> f32 {
        x + y
    }

    pub fn public(f: impl Fn(f32) -> f32, x: f32) -> f32 {
        f(x)
    }

    pub fn bounded<F: Fn(f32) -> f32>(f: F, x: f32) -> f32 {
        f(x)
    }

    pub fn too_many(x: f32) -> f32 {
        twice(|x, y| x + y, x)
    }

    pub fn too_many_by_name(x: f32) -> f32 {
        twice(add, x)
    }

    pub fn other_result(x: f32) -> f32 {
        twice(|x| x as u8, x)
    }

    pub fn no_function(x: f32) -> f32 {
        twice(3.0, x)
    }

    fn changes(f: impl FnMut(f32) -> f32, x: f32) -> f32 {
        x
    }

    fn pointer(f: fn(f32) -> f32, x: f32) -> f32 {
        x
    }

    fn dynamic(f: &dyn Fn(f32) -> f32, x: f32) -> f32 {
        x
    }

    fn result(x: f32) -> impl Fn(f32) -> f32 {
        |y| x + y
    }

    struct Field {
        f: impl Fn(f32) -> f32,
    }

    fn arguments(f: impl Fn(f32) -> f32) -> f32 {
        f(1.0, 2.0)
    }

    fn a_value(f: impl Fn(f32) -> f32) -> f32 {
        f + 1.0
    }

    fn calls_itself(f: impl Fn(f32) -> f32, x: f32) -> f32 {
        if x > 0.0 { calls_itself(|y| f(f(y)), x - 1.0) } else { x }
    }

    fn reduced<const N: usize, const M: usize>(a: &Array<f32, N>) -> Array<f32, M> {
        a.sum()
    }

    pub fn open_rank(m: &Matrix<f32>) -> usize {
        reduced(m).len()
    }
}
