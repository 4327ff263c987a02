accelerate! {
    pub fn pattern((a, b): (f32, f32)) -> f32 {
        a + b
    }

    pub fn folded(m: &Matrix<f32>) -> Vector<f32> {
        m.rows().map(|row| row.fold(row, |a, b| a))
    }

    pub fn scanned(x: &Vector<f32>) -> Vector<f32> {
        x.scan(x, |a, b| a).first()
    }

    pub fn ranges(n: usize) -> usize {
        let mut sum = 0;
        for i in 0.. {
            sum += i;
        }
        for i in n {
            sum += i;
        }
        sum
    }

    pub fn inside(x: f32) -> f32 {
        static ONE: f32 = 1.0;
        x
    }

    pub fn panics(x: f32) -> f32 {
        if x < 0.0 {
            panic!(x);
        }
        assert!(x < 9.0, "{x} is large");
        assert!(x < 9.0, x);
        assert!();
        x
    }

    pub fn boundary(xs: &Vector<f32>, b: Boundary) -> Vector<f32> {
        xs
    }

    enum Either<T> {
        Left(T),
    }
}
