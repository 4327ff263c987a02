accelerate! {
    struct Point {
        x: f32,
        y: f32,
    }

    impl Point {
        fn new(x: f32, y: f32) -> Self {
            Self { x, y }
        }

        fn moved(&mut self, by: f32) {}

        fn length(self) -> f32 {
            (self.x * self.x + self.y * self.y).sqrt()
        }
    }

    impl Sub for Point {
        type Output = Self;
        fn subtract(self, other: Self) -> Self {
            self
        }
    }

    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| {
            let p = Point::new(x, 1.0);
            let q = Point::origin();
            let a = p.lenght();
            let b = p.new(x, x);
            let c = p + p;
            p.length(2.0)
        })
    }
}
