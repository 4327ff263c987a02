//! Helpers whose parameters are patterns: tuples in tuples, structs, elements that nobody asks for.
//!
//! kernels: 1 (elementwise)
//! bytes: 12n
//! shapes: xs n, ys n

accelerate! {
    struct Line {
        slope: f32,
        start: f32,
    }

    fn swapped((a, (b, _)): (f32, (f32, bool))) -> (f32, f32) {
        (b, a)
    }

    fn at(Line { slope, start }: Line, x: f32) -> f32 {
        slope * x + start
    }

    impl Line {
        fn moved(self, (mut by, _): (f32, u8)) -> Line {
            by += 1.0;
            Line { start: self.start + by, ..self }
        }
    }

    fn first<T: Number>([x, ..]: [T; 3], _: T) -> T {
        x
    }

    pub fn pattern_parameters(xs: &Vector<f32>, ys: &Vector<f32>) -> Vector<f32> {
        xs.zip_with(ys, |x, y| {
            let (a, b) = swapped((x, (y, x > y)));
            let line = Line { slope: a, start: b }.moved((first([a, b, x], y), 3));
            at(line, x)
        })
    }
}
