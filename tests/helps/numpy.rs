//! Helps about names of numpy's.

// help: write `let mean = xs.mean();` and `xs.map(|x| (x - mean) * (x - mean)).mean()`
// help: write `let mean = xs.mean();` and `xs.map(|x| (x - mean) * (x - mean)).mean().sqrt()`
accelerate! {
    pub fn variance(xs: &Vector<f32>) -> f32 {
        let mean = xs.mean();
        xs.map(|x| (x - mean) * (x - mean)).mean()
    }

    pub fn deviation(xs: &Vector<f32>) -> f32 {
        let mean = xs.mean();
        xs.map(|x| (x - mean) * (x - mean)).mean().sqrt()
    }
}

// help: write `xs.dot(xs).sqrt()`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        xs.dot(xs).sqrt()
    }
}

// help: write `map(|x| x.clamp(low, high))`
accelerate! {
    pub fn f(xs: &Vector<f32>, low: f32, high: f32) -> Vector<f32> {
        xs.map(|x| x.clamp(low, high))
    }
}

// help: write `windows(2).map(|w| w[1] - w[0])`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.windows(2).map(|w| w[1] - w[0])
    }
}

// help: write `rotate_right(n)` or `rotate_left(n)`
accelerate! {
    pub fn f(xs: &Vector<f32>, n: usize) -> (Vector<f32>, Vector<f32>) {
        (xs.rotate_right(n), xs.rotate_left(n))
    }
}

// help: write `generate(n, |i| m[(i, i)])`
// help: write `generate(n, |i| m[(i, i)]).sum()`
accelerate! {
    pub fn f(m: &Matrix<f32>, n: usize) -> (Vector<f32>, f32) {
        (generate(n, |i| m[(i, i)]), generate(n, |i| m[(i, i)]).sum())
    }
}

// help: write `ys.map(|y| xs.partition_point(|x| x < y))`
accelerate! {
    pub fn f(xs: &Vector<f32>, ys: &Vector<f32>) -> Vector<usize> {
        ys.map(|y| xs.partition_point(|x| x < y))
    }
}

// help: write `xs.sort()[xs.len() / 2]`
// help: write `xs.sort()[(q * (xs.len() - 1) as f32) as usize]`
accelerate! {
    pub fn f(xs: &Vector<f32>, q: f32) -> (f32, f32) {
        (xs.sort()[xs.len() / 2], xs.sort()[(q * (xs.len() - 1) as f32) as usize])
    }
}

// help: write `generate(k * xs.len(), |i| xs[i % xs.len()])`
accelerate! {
    pub fn f(xs: &Vector<f32>, k: usize) -> Vector<f32> {
        generate(k * xs.len(), |i| xs[i % xs.len()])
    }
}

// help: write `map(|_| value)`, or `fill(n, value)`
accelerate! {
    pub fn f(xs: &Vector<f32>, n: usize, value: f32) -> (Vector<f32>, Vector<f32>) {
        (xs.map(|_| value), fill(n, value))
    }
}

// help: sort by the key, and give `sum_segmented` or `Segmented::new` the lengths: `keys.histogram(n)`
accelerate! {
    pub fn f(pairs: &Vector<(u32, f32)>, n: usize) -> (Vector<f32>, Segmented<f32>) {
        let keys = pairs.map(|(key, _)| key);
        let xs = pairs.sort_by_key(|(key, _)| key).map(|(_, x)| x);
        let lengths = keys.histogram(n);
        (xs.sum_segmented(&lengths), Segmented::new(xs, &lengths))
    }
}

// help: write `outer_product(ys)`
accelerate! {
    pub fn f(xs: &Vector<f32>, ys: &Vector<f32>) -> Matrix<f32> {
        xs.outer_product(ys)
    }
}

// help: write `x.concat(y)`
// help: write `m.concat_axis(0, m)`
// help: write `a.concat_axis(1, b)`
accelerate! {
    pub fn f(x: &Vector<f32>, y: &Vector<f32>, m: &Matrix<f32>) -> (Vector<f32>, Matrix<f32>) {
        (x.concat(y), m.concat_axis(0, m))
    }

    pub fn beside(a: &Matrix<f32>, b: &Matrix<f32>) -> Matrix<f32> {
        a.concat_axis(1, b)
    }
}

// help: write `x[x.len() - 1]`
// help: give the array a name: `xs[xs.len() - 2]`
accelerate! {
    pub fn f(x: &Vector<f32>) -> f32 {
        let xs = x.map(|a| a * 2.0);
        x[x.len() - 1] + xs[xs.len() - 2]
    }
}

// help: did you mean `flatten`?
accelerate! {
    pub fn f(m: &Matrix<f32>) -> Vector<f32> {
        m.flatten()
    }
}

// help: write `zip_with(ys, |x, y| x.max(y))`
// help: write `zip_with(ys, |x, y| x.min(y))`
accelerate! {
    pub fn f(xs: &Vector<f32>, ys: &Vector<f32>) -> (Vector<f32>, Vector<f32>) {
        (xs.zip_with(ys, |x, y| x.max(y)), xs.zip_with(ys, |x, y| x.min(y)))
    }
}

// help: write `sum_axis(0)`
// help: write `max_axis(1)`
accelerate! {
    pub fn f(m: &Matrix<f32>) -> (Vector<f32>, Vector<f32>) {
        (m.sum_axis(0), m.max_axis(1))
    }
}

// help: write `m.slice(s![a..b, ..])`
accelerate! {
    pub fn f(m: &Matrix<f32>, a: usize, b: usize) -> Matrix<f32> {
        m.slice(s![a..b, ..])
    }
}

// help: write `x.powi(2)`
// help: write `x.powf(0.5)`
// help: write `max(0.0)`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| x.powi(2) + x.powf(0.5) + x.max(0.0))
    }
}

// help: write `iota(xs.len())`
// help: write `xs.scatter(|a, b| a + b, ys, |i, _| Some(places[i]))`
// help: write `slice(s![i, .., ..])`
accelerate! {
    pub fn f(xs: &Vector<f32>, ys: &Vector<f32>, places: &Vector<usize>, c: &Cube<f32>, i: usize) -> (Vector<usize>, Vector<f32>, Matrix<f32>) {
        let sums = xs.scatter(|a, b| a + b, ys, |i, _| Some(places[i]));
        (iota(xs.len()), sums, c.slice(s![i, .., ..]))
    }
}
