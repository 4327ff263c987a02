accelerate! {
    struct Point {
        x: i32,
        y: i32,
    }

    pub fn f(xs: &Vector<i32>) -> Vector<i32> {
        xs.map(|x| {
            let on_axis = match (Point { x, y: 1 }) {};
            1000 + on_axis
        })
    }
}
