accelerate! {
    #[instances(f32)]
    fn helper<T: Float>(x: T) -> T {
        x
    }

    #[instances(f32, i32)]
    pub fn roots<T: Float>(xs: &Vector<T>) -> Vector<T> {
        xs.map(|x| x.sqrt())
    }

    #[instances(f32)]
    pub fn two<T: Float, U: Integer>(x: T, y: U) -> T {
        x + y as T
    }

    #[instances([f32; 2])]
    pub fn unnamed<T: Float>(x: T) -> T {
        x
    }

    #[instances(f32)]
    pub fn ranks<T: Float, const N: usize>(xs: &Array<T, N>) -> Array<T, N> {
        xs
    }

    struct Point {
        x: f32,
    }

    impl Point {
        #[instances(f32)]
        fn times<T: Float>(self, by: T) -> T {
            self.x as T * by
        }
    }

    #[instances]
    pub fn none<T: Float>(x: T) -> T {
        x
    }
}
