accelerate! {
    pub struct Pair {
        a: i32,
        b: i32,
    }

    pub fn f32(xs: &Vector<f32>) -> f32 {
        xs.sum()
    }

    pub fn Pair(xs: &Vector<i32>) -> Vector<Pair> {
        xs.map(|x| Pair { a: x, b: 0 })
    }

    pub fn u8(x: f32) -> u8 {
        x as u8
    }
}
