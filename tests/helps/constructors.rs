//! Helps about where arrays come from, and their types.

// help: build a new one: `concat`, `take`, `generate(n, |i| ..)`
accelerate! {
    pub fn joined(xs: &Vector<f32>, n: usize) -> Vector<f32> {
        xs.concat(fill(1, 1.0)).take(n)
    }

    pub fn made(n: usize) -> Vector<f32> {
        generate(n, |i| i as f32)
    }
}

// help: arrays do not change: write `xs.map_indexed(|i, x| ..)` or `generate(n, |i| ..)`
accelerate! {
    pub fn f(xs: &Vector<f32>, n: usize) -> (Vector<f32>, Vector<f32>) {
        (xs.map_indexed(|i, x| if i == 2 { 0.0 } else { x }), generate(n, |i| i as f32))
    }
}

// help: write `&Vector<f32>`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        xs.sum()
    }
}

// help: write `Vector<f32>`
accelerate! {
    pub fn f(xs: Vector<f32>) -> f32 {
        xs.sum()
    }
}

// help: write `fill(n, value)`, or `generate(n, |i| ..)`
accelerate! {
    pub fn filled(n: usize, value: f32) -> Vector<f32> {
        fill(n, value)
    }

    pub fn generated(n: usize) -> Vector<f32> {
        let weights = [0.25, 0.5, 0.25];
        generate(n, |i| weights[i])
    }
}

// help: arrays come from operations: `generate(n, |i| ..)`, `fill(n, 0.0)`, `xs.map(..)`
accelerate! {
    pub fn f(xs: &Vector<f32>, n: usize) -> (Vector<f32>, Vector<f32>, Vector<f32>) {
        (generate(n, |i| i as f32), fill(n, 0.0), xs.map(|x| x + 1.0))
    }
}

// help: write `fill(n, 0.0)`
accelerate! {
    pub fn f(n: usize) -> Vector<f32> {
        fill(n, 0.0)
    }
}

// help: write `fill((n, 2 * n), 1.0)`
accelerate! {
    pub fn f(n: usize) -> Matrix<f32> {
        fill((n, 2 * n), 1.0)
    }
}

// help: write `fill(n, 1.5)`
accelerate! {
    pub fn f(n: usize) -> Vector<f32> {
        fill(n, 1.5)
    }
}

// help: write `generate(n, |i| i * i)`
accelerate! {
    pub fn f(n: usize) -> Vector<usize> {
        generate(n, |i| i * i)
    }
}

// help: write `generate((n, n), |(i, j)| if i == j { 1.0 } else { 0.0 })`
accelerate! {
    pub fn f(n: usize) -> Matrix<f32> {
        generate((n, n), |(i, j)| if i == j { 1.0 } else { 0.0 })
    }
}

// help: write `iota(n)`
accelerate! {
    pub fn f(n: usize) -> Vector<usize> {
        iota(n)
    }
}

// help: use `fill(shape, value)`
// help: write `fill(shape, value)` to repeat one value
accelerate! {
    pub fn f(shape: usize, value: f32) -> Vector<f32> {
        fill(shape, value)
    }
}

// help: write `(0..n).map(|i| i * i)`
accelerate! {
    pub fn f(n: usize) -> Vector<usize> {
        (0..n).map(|i| i * i)
    }
}

// help: make a vector of it: `let a = [..]; generate(2, |i| a[i])`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        let a = [1.0, 2.0]; generate(2, |i| a[i]).concat(xs)
    }
}

// help: write `stack((xs, ys))`, or a tuple
accelerate! {
    pub fn stacked(xs: &Vector<f32>, ys: &Vector<f32>) -> Matrix<f32> {
        stack((xs, ys))
    }

    pub fn tuple(xs: &Vector<f32>, ys: &Vector<f32>) -> (Vector<f32>, Vector<f32>) {
        (xs, ys)
    }
}

// help: use a `Vector`
// help: use a `Vector`: `generate(n, |i| ..)`
accelerate! {
    pub fn f(n: usize) -> Vector<f32> {
        generate(n, |i| i as f32)
    }
}

// help: write `generate(n, |i| ..)`
accelerate! {
    pub fn f(n: usize) -> Vector<f32> {
        generate(n, |i| i as f32)
    }
}

// help: write `stack((xs, ys))`
accelerate! {
    pub fn f(xs: &Vector<f32>, ys: &Vector<f32>) -> Matrix<f32> {
        stack((xs, ys))
    }
}

// help: write `Array<f32, 4>`
accelerate! {
    pub fn f(xs: &Array<f32, 4>) -> f32 {
        xs.sum_all()
    }
}

// help: write `Vector<f32>` and indices into it
accelerate! {
    pub fn f(values: &Vector<f32>, keys: &Vector<usize>) -> Vector<f32> {
        keys.map(|key| values[key])
    }
}

// help: write `linspace(0.0, 1.0, n)`
accelerate! {
    pub fn f(n: usize) -> Vector<f32> {
        linspace(0.0, 1.0, n)
    }
}

// help: write `(1..n)` as a vector
accelerate! {
    pub fn f(n: usize) -> Vector<usize> {
        (1..n).map(|i| i * i).concat(1..n)
    }
}

// help: write both ends: `0..n`
accelerate! {
    pub fn f(n: usize) -> usize {
        let range = 0..n;
        range.sum()
    }
}

// help: write `s![0..n, .., i]`
accelerate! {
    pub fn f(c: &Cube<f32>, n: usize, i: usize) -> Matrix<f32> {
        c.slice(s![0..n, .., i])
    }
}
