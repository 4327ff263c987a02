//! Helps about functions, closures, programs that are expressions, and foreign functions.

// help: write the type of the value, e.g. `|x: f32|` or `let x: f32 = ..`
accelerate! {
    pub fn f(y: f32) -> f32 {
        let root = |x: f32| x.sqrt();
        let x: f32 = root(y);
        x
    }
}

// help: write `|xs: &Vector<f32>|`
// help: write it before the body: `|xs: &Vector<f32>| -> f32 { .. }`
fn f(device: &Device, xs: &Vector<f32>) -> accelerate::Result<f32> {
    accelerate!(device, |xs: &Vector<f32>| -> f32 { xs.sum() })
}

// help: leave out `pub`, and call it from a public function for each
accelerate! {
    fn applied(f: impl Fn(f32) -> f32, x: f32) -> f32 {
        f(x)
    }

    pub fn root(x: f32) -> f32 {
        applied(f32::sqrt, x)
    }

    pub fn double(x: f32) -> f32 {
        applied(|x| x + x, x)
    }
}

// help: write `impl Fn(..) -> ..`
// help: write `impl Fn(..) -> ..` for a function
// help: only a parameter of a helper is one: `f: impl Fn(f32) -> f32`
accelerate! {
    fn applied(f: impl Fn(f32) -> f32, x: f32) -> f32 {
        f(x)
    }

    pub fn g(x: f32) -> f32 {
        applied(|y| x + y, x)
    }
}

// help: write the type, or `impl Fn(..) -> ..` for a function
accelerate! {
    struct Scaled {
        y: f32,
    }

    fn applied(f: impl Fn(f32) -> f32, s: Scaled) -> f32 {
        f(s.y)
    }

    pub fn g(x: f32) -> f32 {
        applied(|y| x + y, Scaled { y: x })
    }
}

// help: write the type of the result: `let ys: Vector<f32> = reduced(..);`
accelerate! {
    fn reduced<const N: usize, const M: usize>(a: &Array<f32, N>) -> Array<f32, M> {
        a.sum()
    }

    pub fn f(m: &Matrix<f32>) -> usize {
        let ys: Vector<f32> = reduced(m);
        ys.len()
    }
}

// help: write functions, generic over `T: Number`
accelerate! {
    fn double<T: Number>(x: T) -> T {
        x + x
    }

    pub fn f(x: f32, n: u32) -> (f32, u32) {
        (double(x), double(n))
    }
}

// help: write a `const`
accelerate! {
    const COUNT: u32 = 3;

    pub fn f(x: u32) -> u32 {
        x * COUNT
    }
}

// help: write `f32`: everything is a value here
accelerate! {
    fn g(x: f32) -> f32 {
        x
    }

    pub fn f(x: f32) -> f32 {
        g(x)
    }
}

// help: write `#[foreign(cuda = "src/fast.cuh")]`, a path from the root of the package
// help: take an `f32`, and convert it where the function is called
// help: give an `f32`, and convert it where the function is called
accelerate! {
    #[foreign(cuda = "src/fast.cuh")]
    fn fast(x: f32) -> f32 {
        x.atan()
    }

    pub fn f(xs: &Vector<f16>) -> Vector<bf16> {
        xs.map(|x| fast(x as f32) as bf16)
    }
}

// help: write `#[foreign(rust = crate::fast::gemm)]`, the path of a function of the package
// help: write `rust = ..` for a function of arrays
accelerate! {
    #[foreign(rust = crate::fast::gemm)]
    fn gemm(a: &Matrix<f32>, b: &Matrix<f32>) -> Matrix<f32> {
        a.matmul(b)
    }

    pub fn f(a: &Matrix<f32>, b: &Matrix<f32>) -> Matrix<f32> {
        gemm(a, b)
    }
}

// help: give an array of rank 0, as in `Scalar<f32>`; a function of scalars has `cuda = ..`
accelerate! {
    #[foreign(rust = crate::fast::total)]
    fn total(xs: &Vector<f32>) -> Scalar<f32> {
        xs.sum()
    }

    #[foreign(cuda = "src/fast.cuh")]
    fn fast(x: f32) -> f32 {
        x.atan()
    }

    pub fn f(xs: &Vector<f32>) -> f32 {
        fast(total(xs).value())
    }
}

// help: write `const N: usize`
accelerate! {
    fn double<const N: usize>(xs: &Array<f32, N>) -> Array<f32, N> {
        xs + xs
    }

    pub fn f(m: &Matrix<f32>) -> Matrix<f32> {
        double(m)
    }
}

// help: the bounds are `Number`, `Float`, `Integer` and `Element`
accelerate! {
    fn sum<T: Number, U: Float, V: Integer, W: Element>(x: T, y: U, z: V, w: W) -> (T, U, V, W) {
        (x + x, y.sqrt(), z & z, w)
    }

    pub fn f(x: f32, n: u32) -> (f32, f32, u32, bool) {
        sum(x, x, n, true)
    }
}

// help: call it: `area(..)`
accelerate! {
    fn area(x: f32) -> f32 {
        x * x
    }

    pub fn f(x: f32) -> f32 {
        area(x)
    }
}

// help: bind it by `let`, or pass it to an operation
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        let double = |x| x + x;
        xs.map(double).map(|x| x + 1.0)
    }
}

// help: write the type: `let p: Point = ..`
accelerate! {
    struct Point {
        x: f32,
    }

    pub fn f(x: f32) -> f32 {
        let p: Point = Point { x };
        p.x
    }
}

// help: write the type: `|xs: &Vector<f32>|`
accelerate! {
    pub fn f(ys: &Vector<f32>) -> f32 {
        let first = |xs: &Vector<f32>| xs[0];
        first(ys)
    }
}

// help: write `let f = |x| ..;`
accelerate! {
    pub fn g(x: f32) -> f32 {
        let f = |x| x / 2.0;
        f(x)
    }
}

// help: name the parameter and write a `match` in the body
accelerate! {
    pub fn f(xs: &Vector<Option<f32>>) -> Vector<f32> {
        xs.map(|x| match x {
            Some(y) => y,
            None => 0.0,
        })
    }
}
