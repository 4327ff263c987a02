accelerate! {
    struct Pair<T> {
        a: T,
        b: T,
    }

    struct Bounded<T: Float> {
        x: T,
    }

    struct Sized<const N: usize> {
        x: f32,
    }

    struct Endless<T> {
        x: T,
        rest: Pair<Endless<T>>,
    }

    enum Either<T> {
        Left(T),
        Right,
    }

    impl<T: Number> Pair<T> {
        const ONE: u32 = 1;

        fn sum(self) -> T {
            self.a + self.b
        }
    }

    fn lengths(p: Pair) -> f32 {
        p.a
    }

    pub fn f(xs: &Vector<Pair<f32>>, ys: &Vector<Pair<Vector<f32>>>) -> Vector<Pair<f64>> {
        let p: Pair<f32, f32> = Pair { a: 1.0, b: 2.0 };
        let q = Pair { a: 1.0, b: true };
        let r = Pair { a: 1, b: 2 } + Pair { a: 3, b: 4 };
        xs.map(|x| if x.sum() > 1 { x } else { x.c })
    }

    fn numbered(p: Pair<12>) -> f32 {
        p.a
    }

    fn larger<T: Number>(a: T, b: T) -> T {
        if a > b { a } else { b }
    }

    pub fn g(x: f32) -> f32 {
        numbered(Pair { a: x, b: x }) + larger::<f32, u32>(x, 1.0)
    }
}
