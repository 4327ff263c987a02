//! Helps about names of Rust's slices and iterators and of ndarray.

// help: write `xs[xs.map(|x| key).argmin()]`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        xs[xs.map(|x| x as i32).argmin()]
    }
}

// help: write `fold1(|a, b| ..)` with a closure that gives one of them
accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        xs.fold1(|a, b| if b >= a { b } else { a })
    }
}

// help: write `skip(n)`; `map(|x| ..).scan1(|a, b| a & b)` tells which elements stand before the first that fails
accelerate! {
    pub fn f(xs: &Vector<i32>) -> Vector<i32> {
        let before = xs.map(|x| x > 0).scan1(|a, b| a & b);
        let n = before.map(|b| b as usize).sum();
        xs.skip(n)
    }
}

// help: write `expand_axis(0)`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Matrix<f32> {
        xs.expand_axis(0)
    }
}

// help: write `slice(s![i, ..])`
accelerate! {
    pub fn f(m: &Matrix<f32>, i: usize) -> Vector<f32> {
        m.slice(s![i, ..])
    }
}

// help: write `outer()` or `axis(k)`
accelerate! {
    const k: usize = 1;

    pub fn f(m: &Matrix<f32>) -> (Vector<f32>, Vector<f32>) {
        (m.outer().map(|row| row.sum()), m.axis(k).map(|column| column.sum()))
    }
}

// help: write `xs[i]` or `get(i)`
accelerate! {
    pub fn f(xs: &Vector<f32>, i: usize) -> (f32, Option<f32>) {
        (xs[i], xs.get(i))
    }
}

// help: write `(xs.take(n), xs.skip(n))`
accelerate! {
    pub fn f(xs: &Vector<f32>, n: usize) -> (Vector<f32>, Vector<f32>) {
        (xs.take(n), xs.skip(n))
    }
}

// help: write `filter(|x| ..)`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.filter(|x| x > 0.0)
    }
}

// help: write `shape().0`
// help: write `shape().1`
accelerate! {
    pub fn f(m: &Matrix<f32>) -> usize {
        m.shape().0 * m.shape().1
    }
}

// help: write `rscan1(|x, acc| x * acc)`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.rscan1(|x, acc| x * acc)
    }
}

// help: write `rscan1(|x, acc| x.max(acc))`
// help: write `rscan1(|x, acc| x.min(acc))`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> (Vector<f32>, Vector<f32>) {
        (xs.rscan1(|x, acc| x.max(acc)), xs.rscan1(|x, acc| x.min(acc)))
    }
}

// help: write `reverse().fold(..)`
accelerate! {
    pub fn f(ns: &Vector<i32>) -> i32 {
        ns.reverse().fold(0, |a, b| a + b)
    }
}

// help: write `is_sorted_by_key(|x| ..)`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> bool {
        xs.is_sorted_by_key(|x| -x)
    }
}

// help: write `reverse()`
accelerate! {
    pub fn f(n: usize) -> Vector<usize> {
        (0..n).reverse()
    }
}

// help: write its ends: `(a..b).contains(&x)`
accelerate! {
    pub fn f(a: usize, b: usize, x: usize) -> bool {
        (a..b).contains(&x)
    }
}

// help: it is a method: `x.sqrt()`
// help: it is a method: `x.powi(..)`
accelerate! {
    pub fn f(x: f32) -> f32 {
        x.sqrt() + x.powi(2)
    }
}

// help: write `xs.sum(..)`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        xs.sum()
    }
}

// help: methods work on its fields: `x.0`
accelerate! {
    pub fn f(x: (f32, f32)) -> f32 {
        x.0.sqrt()
    }
}

// help: take one of the arrays: `.0`, or pair them up: `zip((xs, ys))`
accelerate! {
    pub fn f(xs: &Vector<f32>, ys: &Vector<f32>) -> f32 {
        let arrays = (xs, ys);
        arrays.0.sum() + zip((xs, ys)).map(|(x, y)| x * y).sum()
    }
}
