//! Helps about how many arguments there are, and of which types.

// help: write `pad(before, after, boundary)`
accelerate! {
    pub fn f(xs: &Vector<f32>, before: usize, after: usize) -> Vector<f32> {
        xs.pad(before, after, Clamp)
    }
}

// help: write `stencil(boundary, |w| ..)`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.stencil(Clamp, |w| w[-1] + w[1])
    }
}

// help: write `sum_axis(axis)`
accelerate! {
    pub fn f(m: &Matrix<f32>) -> Vector<f32> {
        m.sum_axis(0)
    }
}

// help: write `fold_segmented(&lengths, init, |acc, x| ..)`
accelerate! {
    pub fn f(xs: &Vector<f32>, lengths: &Vector<usize>, init: f32) -> Vector<f32> {
        xs.fold_segmented(&lengths, init, |acc, x| acc + x)
    }
}

// help: write `stencil3(boundary, &ys, boundary, .., |w, v, ..| ..)`
accelerate! {
    pub fn f(xs: &Vector<f32>, ys: &Vector<f32>, zs: &Vector<f32>) -> Vector<f32> {
        xs.stencil3(Clamp, &ys, Wrap, &zs, Clamp, |w, v, u| w[-1] + v[1] * u[0])
    }
}

// help: write `generate(shape, |ix| ..)`
accelerate! {
    pub fn f(shape: usize) -> Vector<usize> {
        generate(shape, |ix| ix * ix)
    }
}

// help: write `x.clamp(a, b)`
accelerate! {
    pub fn f(xs: &Vector<f32>, a: f32, b: f32) -> Vector<f32> {
        xs.map(|x| x.clamp(a, b))
    }
}

// help: write `h(p, (q, r))`
accelerate! {
    pub fn f(p: f32, q: f32, r: f32) -> f32 {
        let h = |p, (q, r)| p + q * r;
        h(p, (q, r))
    }
}

// help: write `lerp(a, b, t)`
accelerate! {
    fn lerp(a: f32, b: f32, t: f32) -> f32 {
        a + (b - a) * t
    }

    pub fn f(xs: &Vector<f32>, b: f32, t: f32) -> Vector<f32> {
        xs.map(|a| lerp(a, b, t))
    }
}

// help: write `map(|x| ..)`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| x + 1.0)
    }
}

// help: write `|x| ..`
accelerate! {
    pub fn f(xs: &Vector<f32>, k: f32) -> Vector<f32> {
        xs.map(|x| x * k)
    }
}

// help: it is a tuple, `(f32, f32)`: write `|(a, b)| ..`
accelerate! {
    pub fn f(xs: &Vector<f32>, ys: &Vector<f32>) -> Vector<f32> {
        let pairs: Vector<(f32, f32)> = xs.zip(ys);
        pairs.map(|(a, b)| a * b)
    }
}

// help: the arguments are `i32`
accelerate! {
    pub fn f(xs: &Vector<i32>) -> Vector<i32> {
        let (positive, _) = xs.partition(|x: i32| x > 0);
        positive
    }
}

// help: the arguments are `i32`, `i32`
accelerate! {
    pub fn f(xs: &Vector<i32>) -> Vector<i32> {
        xs.sort_by(|a: i32, b: i32| a.cmp(&b))
    }
}

// help: the arguments are `f32`
accelerate! {
    fn twice(f: impl Fn(f32) -> f32, x: f32) -> f32 {
        f(f(x))
    }

    pub fn f(x: f32) -> f32 {
        twice(|x: f32| x + 1.0, x)
    }
}

// help: the arguments are `f32`, `f32`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<usize> {
        xs.argsort_by(|a: f32, b: f32| a.total_cmp(&b))
    }
}

// help: the arguments are `Vector<f32>`
accelerate! {
    pub fn f(rows: &Segmented<f32>) -> Segmented<f32> {
        rows.map_segments(|row: Vector<f32>| row.reverse())
    }
}

// help: write `add(x, y)`
accelerate! {
    fn add(x: f32, y: f32) -> f32 {
        x + y
    }

    pub fn f(x: f32, y: f32) -> f32 {
        add(x, y)
    }
}

// help: write `f(..)`
accelerate! {
    fn applied(f: impl Fn(f32) -> f32) -> f32 {
        f(1.0)
    }

    pub fn g(x: f32) -> f32 {
        applied(|y| x + y)
    }
}

// help: write `zip((xs, ys))`
accelerate! {
    pub fn f(xs: &Vector<f32>, ys: &Vector<f32>) -> Vector<(f32, f32)> {
        zip((xs, ys))
    }
}

// help: write `zip_with((xs, ys), |x, y| ..)`
accelerate! {
    pub fn f(xs: &Vector<f32>, ys: &Vector<f32>) -> Vector<f32> {
        zip_with((xs, ys), |x, y| x * y)
    }
}

// help: write `top_k(k)`
accelerate! {
    pub fn f(xs: &Vector<f32>, k: usize) -> Vector<f32> {
        xs.top_k(k)
    }
}

// help: write `length()`
accelerate! {
    struct Point {
        x: f32,
        y: f32,
    }

    impl Point {
        fn length(self) -> f32 {
            self.x.hypot(self.y)
        }
    }

    pub fn f(ps: &Vector<Point>) -> Vector<f32> {
        ps.map(|p| p.length())
    }
}

// help: write `x.checked_pow(n)`
accelerate! {
    pub fn f(xs: &Vector<i32>, n: u32) -> Vector<i32> {
        xs.map(|x| x.checked_pow(n).unwrap_or(0))
    }
}

// help: write `|| ..`; where an element would stand is `xs.partition_point(|x| x < y)`
accelerate! {
    pub fn found(xs: &Vector<i32>, y: i32) -> (usize, usize) {
        (xs.binary_search(y).unwrap_or_else(|| xs.len()), xs.partition_point(|x| x < y))
    }
}

// help: write `|| ..`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.filter_map(|x| (x > 0.0).then(|| 1.0 / x))
    }
}
