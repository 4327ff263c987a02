//! Helps about attributes: contracts, symbols for C, instances.

// help: write `xs.materialize()`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        let ys = xs.map(|x| x + 1.0);
        let xs = ys;
        xs.materialize().sum()
    }
}

// help: did you mean `fast_math`?
// help: write it on the `pub` function: it holds for all that this one calls
accelerate! {
    fn product(x: f32, y: f32) -> f32 {
        x * y + 1.0
    }

    #[fast_math]
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| product(x, 2.0))
    }
}

// help: write `#[fused(kernels = 2)]`, or remove what keeps the kernels apart
accelerate! {
    #[fused(kernels = 2)]
    pub fn apart(xs: &Vector<f32>) -> f32 {
        let ys = xs.map(|x| x.sqrt()).materialize();
        ys.sum()
    }

    #[fused(kernels = 1)]
    pub fn removed(xs: &Vector<f32>) -> f32 {
        let ys = xs.map(|x| x.sqrt());
        ys.sum()
    }
}

// help: write `#[fused(kernels = 3)]`, or remove what keeps the kernels apart
accelerate! {
    #[fused(kernels = 3)]
    pub fn relax(xs: &Vector<f32>) -> f32 {
        let mut state = xs.map(|x| x + 1.0);
        for _ in 0..10 {
            let next = state.map(|x| x * 0.5);
            state = next;
        }
        state.sum()
    }
}

// help: write `#[fused(kernels = 1)]`
accelerate! {
    #[fused(kernels = 1)]
    pub fn f(xs: &Vector<f32>) -> f32 {
        xs.sum()
    }
}

// help: write `#[fused(bytes = 12 * xs.len())]`
accelerate! {
    #[fused(bytes = 12 * xs.len())]
    pub fn triad(xs: &Vector<f32>, ys: &Vector<f32>) -> Vector<f32> {
        xs.zip(ys).map(|(x, y)| x + 2.0 * y)
    }
}

// help: write sums and products of numbers, `xs.len()`, `m.shape().0` and scalar parameters
accelerate! {
    #[fused(bytes = 8 * xs.len() + 4 * m.shape().0 * m.shape().1 + 4 * m.shape().0 + 4 * n)]
    pub fn f(xs: &Vector<f32>, m: &Matrix<f32>, n: usize) -> (Vector<f32>, Vector<f32>, Vector<f32>) {
        (xs.map(|x| x + 1.0), m.sum(), fill(n, 1.0))
    }
}

// help: write it before a `pub fn` of the block
// help: write it on a `pub fn` of the block that calls the helper
// help: write `pub fn`: every program in C sees it
// help: write `#[export(c)]`
accelerate! {
    fn helper(x: f32) -> f32 {
        x
    }

    #[export(c)]
    pub fn exported(x: f32) -> f32 {
        helper(x)
    }
}

// help: use an array for each field, and `zip` and `unzip` them
accelerate! {
    #[export(c)]
    pub fn f(xs: &Vector<f32>, ys: &Vector<f32>) -> (Vector<f32>, Vector<f32>) {
        zip((xs, ys)).map(|(x, y)| (x + y, x - y)).unzip()
    }
}

// help: use a `bool` and the value
// help: use an array of values and one of `bool`
accelerate! {
    #[export(c)]
    pub fn f(is_some: bool, x: f32, n: usize) -> (Vector<f32>, Vector<bool>) {
        (fill(n, x), fill(n, is_some))
    }
}

// help: use its `values()` and `offsets()`, which are vectors
accelerate! {
    #[export(c)]
    pub fn f(m: &Matrix<f32>) -> (Vector<f32>, Vector<usize>) {
        let rows = m.rows().map_segments(|row| row.filter(|x| x > 0.0));
        (rows.values(), rows.offsets())
    }
}

// help: write `#[instances(f32, f64)]` before it, which gives `generic_f32` and `generic_f64`
accelerate! {
    #[instances(f32, f64)]
    #[export(c)]
    pub fn generic<T: Float>(x: T) -> T {
        x
    }
}

// help: give the function another name, or leave out `#[export(c)]`
accelerate! {
    pub fn cosf(x: f32) -> f32 {
        x
    }

    #[export(c)]
    pub fn cosine(x: f32) -> f32 {
        x
    }
}

// help: write `#[instances(f32, f64)]` before it, which gives `f_f32` and `f_f64`
// help: write it before a `pub` function of the block
accelerate! {
    #[instances(f32, f64)]
    pub fn f<T: Number>(xs: &Vector<T>) -> T {
        xs.sum()
    }
}

// help: write `#[instances(f32, f64)]`, and `(f32, u32)` for two parameters
accelerate! {
    #[instances(f32, f64)]
    pub fn one<T: Float>(x: T) -> T {
        x
    }

    #[instances((f32, u32))]
    pub fn two<T: Float, U: Integer>(x: T, y: U) -> T {
        x + y as T
    }
}

// help: the language's are `#[fused(kernels = 1)]`, `#[associative]`, `#[deterministic]` and `#[fast_math]`
accelerate! {
    #[fused(kernels = 1)]
    #[fast_math]
    pub fn fused(xs: &Vector<f32>) -> f32 {
        xs.sum()
    }

    #[associative]
    #[deterministic]
    pub fn bound(xs: &Vector<f32>) -> f32 {
        xs.fold1(|a, b| a - b)
    }
}

// help: write `#[fused(bytes = 12 * m.len() + 4)]`; the result reads an array, which is stored: `materialize` asks for it
accelerate! {
    #[fused(bytes = 12 * m.len() + 4)]
    pub fn stored(m: &Vector<f32>) -> f32 {
        m.map(|x| x + 1.0).materialize().sum()
    }
}

// help: write `#[fused(checks = 2)]`
// help: write `#[fused(atomics = 1)]`
accelerate! {
    #[fused(checks = 2)]
    #[fused(atomics = 1)]
    pub fn counts(xs: &Vector<i32>) -> Vector<u32> {
        xs.map(|x| {
            assert!(x >= 0, "negative");
            x as usize % 8
        }).histogram(8)
    }
}
