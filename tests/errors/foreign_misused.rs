accelerate! {
    #[foreign]
    fn unsaid(x: f32) -> f32 {
        x
    }

    #[foreign(cuda)]
    fn without_file(x: f32) -> f32 {
        x
    }

    #[foreign(cuda = fast)]
    fn no_text(x: f32) -> f32 {
        x
    }

    #[foreign(cuda = "/usr/fast.cuh")]
    fn from_the_root(x: f32) -> f32 {
        x
    }

    #[foreign(opencl = "fast.cl")]
    fn elsewhere(x: f32) -> f32 {
        x
    }

    #[foreign(cuda = "no/such.cuh")]
    fn missing(x: f32) -> f32 {
        x
    }

    #[foreign(cuda = "../errors/includes.cuh")]
    fn including(x: f32) -> f32 {
        x
    }

    #[foreign(cuda = "../errors/includes.cuh")]
    fn tuples(p: (f32, f32), xs: &Vector<f32>, c: char) -> (f32, f32) {
        (p.0 + xs.sum(), p.1 + c as u32 as f32)
    }

    #[foreign(cuda = "../errors/includes.cuh")]
    fn halves(x: f16) -> bf16 {
        x as bf16
    }

    #[foreign(cuda = "../errors/includes.cuh")]
    fn generic<T: Float>(x: T) -> T {
        x
    }

    #[foreign(cuda = "../errors/includes.cuh")]
    fn double(x: f32) -> f32 {
        x
    }

    #[foreign(cuda = "../errors/includes.cuh")]
    #[foreign(cuda = "../errors/includes.cuh")]
    fn twice(x: f32) -> f32 {
        x
    }

    #[foreign(cuda = "../errors/includes.cuh")]
    const C: f32 = 1.0;

    pub fn f(x: f32) -> f32 {
        #[foreign(cuda = "../errors/includes.cuh")]
        let y = generic(x);
        y
    }

    pub fn g(x: f32) -> f32 {
        generic(x)
    }
}
