//! Helps that tell which name was meant.

// help: did you mean `sum`?
accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        xs.sum()
    }
}

// help: did you mean `fold1`?
accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        xs.fold1(|a, b| a + b)
    }
}

// help: did you mean `reverse`?
// help: did you mean `Vector`?
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.reverse()
    }
}

// help: did you mean `top_k`?
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.top_k(3)
    }
}

// help: did you mean `lengths`?
accelerate! {
    pub fn f(rows: &Segmented<f32>) -> Vector<usize> {
        rows.lengths()
    }
}

// help: did you mean `Clamp`?
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.stencil(Clamp, |w| w[1])
    }
}

// help: did you mean `values`?
accelerate! {
    pub fn f(values: &Vector<f32>) -> f32 {
        values.sum()
    }
}

// help: did you mean `square`?
accelerate! {
    fn square(x: f32) -> f32 {
        x * x
    }

    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| square(x))
    }
}

// help: did you mean `sqrt`?
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| x.sqrt())
    }
}

// help: did you mean `count_ones`?
accelerate! {
    pub fn f(x: u64) -> u32 {
        (x as u128).count_ones()
    }
}

// help: did you mean `i128`?
accelerate! {
    pub fn f(x: i64) -> i64 {
        (x as i128 * 3) as i64
    }
}

// help: did you mean `then`?
accelerate! {
    pub fn f(ks: &Vector<(i32, i32)>) -> Vector<(i32, i32)> {
        ks.sort_by(|a, b| a.1.cmp(&b.1).then(a.0.cmp(&b.0)))
    }
}

// help: did you mean `unwrap_or_else`?
accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        xs.get(0).unwrap_or_else(|| 0.0)
    }
}

// help: did you mean `height`?
accelerate! {
    struct Point {
        height: f32,
        y: f32,
    }

    pub fn f(ps: &Vector<Point>) -> Vector<f32> {
        ps.map(|p| p.height + p.y)
    }
}

// help: the fields are `x`
accelerate! {
    pub struct Point {
        pub x: f32,
    }

    pub const ORIGIN: Point = Point { x: 0.0 };
}

// help: the fields are `a`, `b`
accelerate! {
    struct Pair<T> {
        a: T,
        b: T,
    }

    pub fn f(xs: &Vector<Pair<f32>>) -> Vector<f32> {
        xs.map(|x| x.a)
    }
}

// help: the fields are `x`, `height`
accelerate! {
    struct Point {
        x: f32,
        height: f32,
    }

    pub fn f(ps: &Vector<Point>) -> Vector<f32> {
        ps.map(|p| p.x + p.height)
    }
}

// help: the fields are `x`, `y`
accelerate! {
    struct Point {
        x: f32,
        y: f32,
    }

    pub fn f(xs: &Vector<f32>) -> Vector<Point> {
        xs.map(|x| Point { x, y: x })
    }
}

// help: did you mean `length`?
accelerate! {
    struct Point {
        x: f32,
        y: f32,
    }

    impl Point {
        fn length(self) -> f32 {
            self.x.hypot(self.y)
        }
    }

    pub fn f(ps: &Vector<Point>) -> Vector<f32> {
        ps.map(|p| p.length())
    }
}
