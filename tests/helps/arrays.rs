//! Helps about arrays, which do not change, and where they come from.

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

// help: write `(0..n).map(|i| i * i)`
accelerate! {
    pub fn f(n: usize) -> Vector<usize> {
        (0..n).map(|i| i * i)
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

// help: it is one of several results: write `.0`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.scan_exclusive(0.0, |a, b| a + b).0
    }
}

// help: make a vector of it: `let a = [..]; generate(2, |i| a[i])`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        let a = [1.0, 2.0]; generate(2, |i| a[i]).concat(xs)
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

// help: write `generate(n, |i| ..)`
accelerate! {
    pub fn f(n: usize) -> Vector<f32> {
        generate(n, |i| i as f32)
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

// help: use `unzip()` to take the array of tuples apart
accelerate! {
    pub fn f(pairs: &Vector<(f32, f32)>) -> Vector<f32> {
        let (xs, ys) = pairs.unzip();
        xs + ys
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

// help: use `reshape(..)`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Cube<f32> {
        xs.reshape((1, xs.len(), 1))
    }
}

// help: write both ends: `0..n`
accelerate! {
    pub fn f(n: usize) -> usize {
        let range = 0..n;
        range.sum()
    }
}

// help: write `map(|x| ..)` for each array
accelerate! {
    pub fn f(xs: &Vector<f32>) -> (Vector<f32>, Vector<f32>) {
        (xs.map(|x| x + 1.0), xs.map(|x| x * x))
    }
}

// help: write `s![0..n, .., i]`
accelerate! {
    pub fn f(c: &Cube<f32>, n: usize, i: usize) -> Matrix<f32> {
        c.slice(s![0..n, .., i])
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

// help: an index has a `usize` for each axis
accelerate! {
    pub fn f(m: &Matrix<f32>, indices: &Vector<(usize, usize)>) -> Vector<f32> {
        m.select(indices)
    }
}
