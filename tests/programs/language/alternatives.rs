//! Alternatives that bind names: in arms, under other patterns, in `if let` and `let`.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n
//! values: xs -3..9

accelerate! {
    pub fn sizes(xs: &Vector<i32>) -> Vector<(i32, i32, i32)> {
        enum Shape {
            Square(i32),
            Rectangle { width: i32, height: i32 },
            Point,
        }
        type Pair = (i32, i32);

        xs.map(|x| {
            let shape = match x {
                6.. => Shape::Square(x),
                2.. => Shape::Rectangle { width: x, height: x * x },
                _ => Shape::Point,
            };
            let size = match shape {
                Shape::Square(size) | Shape::Rectangle { height: size, .. } => size * 2,
                Shape::Point => 0,
            };
            let pair: Option<Pair> = if x > 1 { Some((x, x % 3)) } else { None };
            let rest = if let Some((4 | 7, rest) | (rest, 1)) = pair { rest } else { -1 };
            let either = match (x, x / 2) {
                (either, 2) | (2, either) | (either, _) if either > 1 => either,
                _ => 9,
            };
            (size, rest, either)
        })
    }
}
