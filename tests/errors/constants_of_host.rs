accelerate! {
    pub const COUNT: usize = count();
    pub const WIDE: u8 = 255 + 1;
    pub const NAMES: Vector<f32> = iota(3);

    pub struct Point {
        x: f32,
    }

    impl Point {
        pub const ORIGIN: Point = Point { y: 0.0 };
    }

    fn count() -> usize {
        3
    }
}
