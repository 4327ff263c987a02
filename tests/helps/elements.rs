//! Helps about reading elements and parts of arrays.

// help: write `xs[i]`, or `unsafe { *xs.get_unchecked(i) }`
accelerate! {
    pub fn f(xs: &Vector<f32>, i: usize) -> f32 {
        xs[i] + unsafe { *xs.get_unchecked(i) }
    }
}

// help: write `slice(s![..;2])`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.slice(s![..;2])
    }
}

// help: write `s![a..b;k]`
accelerate! {
    pub fn f(xs: &Vector<f32>, a: usize, b: usize) -> Vector<f32> {
        const k: isize = 2;
        xs.slice(s![a..b;k])
    }
}

// help: write how many places to go on: `s![a..b;2]`, or leave it out
accelerate! {
    pub fn f(xs: &Vector<f32>, a: usize, b: usize) -> (Vector<f32>, Vector<f32>) {
        (xs.slice(s![a..b;2]), xs.slice(s![a..b]))
    }
}

// help: read its elements: `a[i]`, or `let [x, y] = a;`
accelerate! {
    pub fn f(a: [f32; 2], i: usize) -> f32 {
        let [x, y] = a;
        a[i] + x + y
    }
}

// help: write `xs.slice(s![..])`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.slice(s![1..2])
    }
}

// help: read an element with `xs[i]`
// help: read one element with `xs[i]`
// help: read elements with `xs[i]`
// help: convert with `as usize`
accelerate! {
    pub fn f(xs: &Vector<f32>, i: usize, j: i32) -> f32 {
        xs[i] + xs[j as usize]
    }
}

// help: write a number for each axis: `c[(i, j, k)]`
accelerate! {
    pub fn f(c: &Cube<f32>, i: usize, j: usize, k: usize) -> f32 {
        c[(i, j, k)]
    }
}

// help: write `broadcast_to(shape)`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Matrix<f32> {
        let shape = (3, xs.len());
        xs.broadcast_to(shape)
    }
}

// help: reduce an axis, or read a `row`
accelerate! {
    pub fn f(m: &Matrix<f32>, n: usize) -> (Vector<f32>, Matrix<f32>) {
        (m.sum(), m.row(0).broadcast_to((n, m.shape().1)))
    }
}

// help: convert them: `indices.map(|i| i as usize)`
accelerate! {
    pub fn f(xs: &Vector<f32>, indices: &Vector<i32>) -> Vector<f32> {
        xs.select(indices.map(|i| i as usize))
    }
}

// help: take the part with `slice` first
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Matrix<f32> {
        xs.slice(s![1..2]).replicate(s![3, ..])
    }
}

// help: use `reshape(..)`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Cube<f32> {
        xs.reshape((1, xs.len(), 1))
    }
}

// help: an index has a `usize` for each axis
accelerate! {
    pub fn f(m: &Matrix<f32>, indices: &Vector<(usize, usize)>) -> Vector<f32> {
        m.select(indices)
    }
}
