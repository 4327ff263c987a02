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
        for i in (0..n).step_by(2).step_by(3) {
            sum += i;
        }
        let range = 0..n;
        for i in range {
            sum += i;
        }
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

    pub fn inner_alternatives(p: (u8, Option<u8>)) -> u8 {
        if let (a, None) | (_, Some(a)) = p { a } else { 0 }
    }

    pub fn open(x: f32) -> f32 {
        match x {
            0.0..1.0 => 1.0,
            _ => 0.0,
        }
    }

    pub fn boundary(xs: &Vector<f32>, b: Boundary) -> Vector<f32> {
        xs
    }

    enum Either<T> {
        Left(T),
    }

    pub fn block(x: f32) -> f32 {
        let y = 'a: {
            if x > 0.0 {
                break 'a 1.0;
            }
            2.0
        };
        y
    }

    pub fn condition(x: Option<f32>, b: bool) -> f32 {
        if b && let Some(x) = x { x } else { 0.0 }
    }
}
