//! Helps about structs, enums and their methods.

// help: give them: `(..)` or `{ .. }`
// help: its variants are `Shape::Empty`, `Shape::Circle`, `Shape::Rectangle`
// help: it is an enum: write a `match`
// help: write `(..)` or `{ .. }` after it
// help: the fields are `width`, `height`
// help: write the number with a point: `1.0`
accelerate! {
    enum Shape {
        Empty,
        Circle(f32),
        Rectangle { width: f32, height: f32 },
    }

    fn area(shape: Shape) -> f32 {
        match shape {
            Shape::Empty => 0.0,
            Shape::Circle(radius) => radius * radius,
            Shape::Rectangle { width, height } => width * height,
        }
    }

    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| {
            let rectangle = Shape::Rectangle { width: x, height: 2.0 };
            area(Shape::Circle(1.0)) + area(rectangle) + area(Shape::Empty)
        })
    }
}

// help: `as` converts between numbers
accelerate! {
    pub fn f(x: f32) -> i32 {
        x as i32
    }
}

// help: write `map(|x| x.field)` for each field
accelerate! {
    struct P {
        field: f32,
        other: f32,
    }

    pub fn f(ps: &Vector<P>) -> (Vector<f32>, Vector<f32>) {
        (ps.map(|x| x.field), ps.map(|x| x.other))
    }
}

// help: write the bounds where they are needed: `impl<T: Float> ..`
accelerate! {
    struct Bounded<T> {
        x: T,
    }

    impl<T: Float> Bounded<T> {
        fn root(self) -> T {
            self.x.sqrt()
        }
    }

    pub fn f(xs: &Vector<Bounded<f32>>) -> Vector<f32> {
        xs.map(|x| x.root())
    }
}

// help: write `Pair<f32>`
accelerate! {
    struct Pair<T> {
        a: T,
        b: T,
    }

    pub fn f(pairs: &Vector<Pair<f32>>) -> Vector<f32> {
        pairs.map(|p| p.a + p.b)
    }
}

// help: write an `impl` of the operator's trait for `Pair`
accelerate! {
    struct Pair<T> {
        a: T,
        b: T,
    }

    impl<T: Number> Add for Pair<T> {
        type Output = Pair<T>;

        fn add(self, other: Pair<T>) -> Pair<T> {
            Pair { a: self.a + other.a, b: self.b + other.b }
        }
    }

    pub fn f(pairs: &Vector<Pair<f32>>) -> Vector<f32> {
        pairs.map(|p| (p + Pair { a: 1.0, b: 2.0 }).a)
    }
}

// help: the types of a block are its own structs, numbers, `bool`, tuples and arrays
// help: the types are numbers, `bool`, tuples, structs of the block and arrays of these
accelerate! {
    struct Circle {
        radius: f32,
        filled: bool,
    }

    pub fn f(circles: &Vector<(Circle, [u8; 2])>) -> Vector<f32> {
        circles.map(|(circle, _)| if circle.filled { circle.radius } else { 0.0 })
    }
}

// help: the traits are those of operators: `Add`, `Sub`, `Mul`, `Div`, `Rem`, `Neg`, ..
// help: write an `impl` of the operator's trait for `Point`
// help: its method is `sub`
// help: write `Point::new(..)`
// help: write it in an `impl` of `Point`
// help: take `self` and return the new value
accelerate! {
    struct Point {
        x: f32,
    }

    impl Point {
        fn new(x: f32) -> Self {
            Self { x }
        }

        fn origin() -> Self {
            Self { x: 0.0 }
        }

        fn moved(self, by: f32) -> Self {
            Self { x: self.x + by }
        }
    }

    impl Add for Point {
        type Output = Self;

        fn add(self, other: Self) -> Self {
            Self { x: self.x + other.x }
        }
    }

    impl Sub for Point {
        type Output = Self;

        fn sub(self, other: Self) -> Self {
            Self { x: self.x - other.x }
        }
    }

    impl Mul for Point {
        type Output = Self;

        fn mul(self, other: Self) -> Self {
            Self { x: self.x * other.x }
        }
    }

    impl Div for Point {
        type Output = Self;

        fn div(self, other: Self) -> Self {
            Self { x: self.x / other.x }
        }
    }

    impl Rem for Point {
        type Output = Self;

        fn rem(self, other: Self) -> Self {
            Self { x: self.x % other.x }
        }
    }

    impl Neg for Point {
        type Output = Self;

        fn neg(self) -> Self {
            Self { x: -self.x }
        }
    }

    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| {
            let p = Point::new(x).moved(1.0);
            ((p + Point::origin() - p) * p / p % -p).x
        })
    }
}

// help: leave out `pub`, or write two fields of type `u64`, its halves
accelerate! {
    struct Hidden {
        value: u128,
    }

    pub struct Seen {
        pub high: u64,
        pub low: u64,
    }

    pub fn f(seen: Seen) -> u64 {
        let hidden = Hidden { value: (seen.high as u128) << 64 | seen.low as u128 };
        (hidden.value >> 3) as u64
    }
}

// help: use `map(|x| x.x)` to reach the elements
accelerate! {
    struct Point {
        x: f32,
    }

    pub fn f(ps: &Vector<Point>) -> Vector<f32> {
        ps.map(|x| x.x)
    }
}

// help: write its fields: `Point { .. }`
// help: write `..` to ignore the other fields
accelerate! {
    struct Point {
        x: f32,
        y: f32,
    }

    pub fn f(a: f32) -> f32 {
        let Point { x, .. } = Point { x: a, y: 2.0 };
        x
    }
}

// help: write `Shape::Square { side: .. }`
accelerate! {
    enum Shape {
        Empty,
        Square { side: f32 },
    }

    fn area(shape: Shape) -> f32 {
        match shape {
            Shape::Square { side } => side * side,
            Shape::Empty => 0.0,
        }
    }

    pub fn f(x: f32) -> f32 {
        area(Shape::Square { side: x }) + area(Shape::Empty)
    }
}

// help: the fields are `0` to `1`
// help: write `.0`, or store the values in an array
accelerate! {
    pub fn fields(p: (f32, f32), i: usize) -> f32 {
        p.0 + p.1
    }

    pub fn values(x: f32, y: f32, i: usize) -> f32 {
        [x, y][i]
    }
}

// help: write `larger::<_>`, or leave them out
accelerate! {
    fn larger<T: Number>(a: T, b: T) -> T {
        if a > b { a } else { b }
    }

    pub fn f(x: f32, y: f32) -> f32 {
        larger::<_>(x, larger(y, 1.0))
    }
}
