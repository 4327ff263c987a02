//! Helps about operations on whole arrays.

// help: cast the elements: `xs.map(|x| x as f32)`
accelerate! {
    pub fn f(xs: &Vector<i32>) -> Vector<f32> {
        xs.map(|x| x as f32)
    }
}

// help: reduce it with `all()` or `any()`, or use `map(|x| if .. )`
accelerate! {
    pub fn reduced(xs: &Vector<f32>) -> f32 {
        let positive = xs.map(|x| x > 0.0);
        if positive.all() || positive.any() { 1.0 } else { 0.0 }
    }

    pub fn each(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| if x > 0.0 { 1.0 } else { 0.0 })
    }
}

// help: write `xs.map(|x| x * 2.0)`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| x * 2.0)
    }
}

// help: write `xs.filter(|x| *x > 1.0)`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.filter(|x| *x > 1.0)
    }
}

// help: write `xs.sum::<f32>()`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        xs.sum::<f32>()
    }
}

// help: write `xs.zip(ys).map(|(x, y)| x * y)`
accelerate! {
    pub fn f(xs: &Vector<f32>, ys: &Vector<f32>) -> Vector<f32> {
        xs.zip(ys).map(|(x, y)| x * y)
    }
}

// help: write `xs.map_indexed(|i, x| x * i as f32)`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.map_indexed(|i, x| x * i as f32)
    }
}

// help: write `xs.fold(0.0, f32::max)`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        xs.fold(0.0, f32::max)
    }
}

// help: write `map(|x| x.sqrt())`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| x.sqrt())
    }
}

// help: write `&`: it works elementwise
accelerate! {
    pub fn f(a: &Vector<bool>, b: &Vector<bool>) -> Vector<bool> {
        a & b
    }
}

// help: operations change nothing in place: bind it by `let`, or return it
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        let ys = xs.map(|x| x * 2.0);
        ys
    }
}

// help: reduce the array, e.g. with `sum()`, or all axes of a matrix with `sum_all()`, or read an element
accelerate! {
    pub fn vector(xs: &Vector<f32>) -> f32 {
        xs.map(|x| x * x).sum() + xs[0]
    }

    pub fn matrix(m: &Matrix<f32>) -> f32 {
        m.sum_all()
    }
}

// help: it is one of several results: write `.0`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.scan_exclusive(0.0, |a, b| a + b).0
    }
}

// help: write `unzip()`: an array of each field
accelerate! {
    pub fn f(xs: &Vector<f32>, ys: &Vector<u8>) -> (Vector<f32>, Vector<u8>) {
        xs.zip(ys).unzip()
    }
}

// help: write `zip((xs, ys))`: an array of tuples
accelerate! {
    pub fn f(xs: &Vector<f32>, ys: &Vector<u8>) -> Vector<(f32, u8)> {
        zip((xs, ys))
    }
}

// help: two arrays are joined, and the result with a third: `xs.concat(ys).concat(zs)`
accelerate! {
    pub fn f(xs: &Vector<f32>, ys: &Vector<f32>, zs: &Vector<f32>) -> Vector<f32> {
        xs.concat(ys).concat(zs)
    }
}

// help: use `unzip()` to take the array of tuples apart
accelerate! {
    pub fn f(pairs: &Vector<(f32, f32)>) -> Vector<f32> {
        let (xs, ys) = pairs.unzip();
        xs + ys
    }
}

// help: write `map(|x| ..)` for each array
accelerate! {
    pub fn f(xs: &Vector<f32>) -> (Vector<f32>, Vector<f32>) {
        (xs.map(|x| x + 1.0), xs.map(|x| x * x))
    }
}

// help: leave out `iter()`: operations are methods of the array
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| x * 2.0 + x * x * 3.0)
    }
}

// help: write `zip((xs, ys, zs))` for several
accelerate! {
    pub fn f(xs: &Vector<f32>, ys: &Vector<f32>, zs: &Vector<f32>) -> Vector<f32> {
        zip((xs, ys, zs)).map(|(x, y, z)| x * y + z)
    }
}

// help: did you mean `map_indexed`?
accelerate! {
    pub fn numbered(xs: &Vector<f32>) -> Vector<f32> {
        xs.map_indexed(|i, x| x + i as f32)
    }
}

// help: write `Cube<f32>`
accelerate! {
    pub fn heat(m: &Cube<f32>) -> Cube<f32> {
        m.stencil(Clamp, |w| w[(0, 0, 1)])
    }
}

// help: write `Matrix<f64>`
accelerate! {
    pub fn padded(m: &Matrix<f64>) -> Matrix<f64> {
        m.stencil(Constant(0.0), |w| w[(0, 1)])
    }
}

// help: write `pad(1, 1, Clamp)`; for a frame around a matrix `pad(1, 1, Clamp).transpose().pad(1, 1, Clamp).transpose()`
accelerate! {
    pub fn framed(m: &Matrix<f32>) -> (Matrix<f32>, Matrix<f32>) {
        let rows = m.pad(1, 1, Clamp);
        (rows, m.pad(1, 1, Clamp).transpose().pad(1, 1, Clamp).transpose())
    }
}
