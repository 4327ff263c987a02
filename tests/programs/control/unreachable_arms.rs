//! Arms that are never reached, and sides that fail: `panic!` and `unreachable!` have any type.
//!
//! shapes: xs n
//! values: xs 0..9, n 1..9

accelerate! {
    enum Shape { Empty, Square(u32), Line { length: u32 } }

    fn area(shape: Shape) -> u32 {
        match shape {
            Shape::Empty => 0,
            Shape::Square(side) => side * side,
            Shape::Line { .. } => unreachable!("a line has no area"),
        }
    }

    pub fn areas(xs: &Vector<u32>, n: u32) -> Vector<u32> {
        let scaled = if n == 0 { panic!("no scale") } else { xs.map(|x| x / n) };
        scaled.map(|x| {
            let shape = match x {
                0 => Shape::Empty,
                12.. => Shape::Line { length: x },
                _ => Shape::Square(x),
            };
            area(shape) + match x % 3 {
                0 => 1,
                1 => 5,
                2 => 7,
                _ => unreachable!(),
            }
        })
    }
}
