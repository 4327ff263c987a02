//! Match on tuples and structs.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n, ys n
//! values: xs -3..4, ys -3..4

accelerate! {
    struct Point {
        x: i32,
        y: i32,
    }

    pub fn quadrant(xs: &Vector<i32>, ys: &Vector<i32>) -> Vector<i32> {
        xs.zip(ys).map(|(x, y)| {
            let by_tuple = match (x > 0, y > 0) {
                (true, true) => 1,
                (false, true) => 2,
                (false, false) => 3,
                (true, false) => 4,
            };
            let on_axis = match (Point { x, y }) {
                Point { x: 0, y: 0 } => 100,
                Point { x: 0, .. } => 10 + y,
                Point { y: 0, x } => 20 + x,
                _ => 0,
            };
            by_tuple * 1000 + on_axis
        })
    }
}
