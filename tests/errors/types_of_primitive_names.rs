accelerate! {
    pub struct f32 {
        x: i32,
    }

    type bool = u8;

    pub enum usize {
        A,
    }

    pub fn f(xs: &Vector<i32>) -> Vector<i32> {
        xs.map(|x| x + 1)
    }
}
