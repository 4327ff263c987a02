accelerate! {
    #[foreign(cuda = "no/such.cuh")]
    fn missing(x: f32) -> f32 {
        x
    }

    #[foreign(cuda = "../errors/includes.cuh")]
    fn including(x: f32) -> f32 {
        x
    }

    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| missing(x) + including(x))
    }
}
