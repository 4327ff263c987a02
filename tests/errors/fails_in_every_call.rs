accelerate! {
    pub fn index() -> f32 {
        let ones = fill(3, 1.0);
        ones[3]
    }

    pub fn lengths() -> Vector<(usize, usize)> {
        generate(3, |i| i).zip(generate(4, |i| i))
    }

    pub fn taken(xs: &Vector<f32>) -> f32 {
        let three = xs.take(3);
        three[5]
    }

    pub fn from(xs: &Vector<f32>) -> Vector<f32> {
        xs.slice(usize::MAX - 3..)
    }

    pub fn shape() -> Matrix<f32> {
        fill((2, 3), 1.0).reshape((4, 2))
    }

    pub fn divisor(n: u32) -> u32 {
        let zero = 0;
        n / zero
    }
}
