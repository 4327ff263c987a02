//! Helps about how operations and methods are called.

// help: write `map_indexed(|ix, x| ..)`
// help: write `fold1(|a, b| ..)`
// help: write `scan1(|a, b| ..)`
// help: write `rscan1(|a, b| ..)`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> (Vector<f32>, f32, Vector<f32>, Vector<f32>) {
        (
            xs.map_indexed(|ix, x| x * ix as f32),
            xs.fold1(|a, b| a + b),
            xs.scan1(|a, b| a + b),
            xs.rscan1(|a, b| a + b),
        )
    }
}

// help: write `zip(ys)`
// help: write `zip_with(ys, |x, y| ..)`
// help: write `dot(ys)`
// help: write `concat(ys)`
// help: write `interleave(ys)`
// help: write `outer_product(&ys)`
accelerate! {
    pub fn f(xs: &Vector<f32>, ys: &Vector<f32>) -> (f32, f32, f32) {
        (xs.zip(ys).map(|(x, y)| x - y).sum(), xs.zip_with(ys, |x, y| x * y).sum(), xs.dot(ys))
    }

    pub fn g(xs: &Vector<f32>, ys: &Vector<f32>) -> (Vector<f32>, Vector<f32>, Matrix<f32>) {
        (xs.concat(ys), xs.interleave(ys), xs.outer_product(&ys))
    }
}

// help: write `fold(init, |acc, x| ..)`
// help: write `scan(init, |acc, x| ..)`
// help: write `scan_exclusive(init, |acc, x| ..)`
// help: write `rscan(init, |x, acc| ..)`
// help: write `rscan_exclusive(init, |x, acc| ..)`
accelerate! {
    pub fn f(xs: &Vector<f32>, init: f32) -> (f32, Vector<f32>, Vector<f32>, Vector<f32>, Vector<f32>) {
        (
            xs.fold(init, |acc, x| acc + x),
            xs.scan(init, |acc, x| acc + x),
            xs.scan_exclusive(init, |acc, x| acc + x).0,
            xs.rscan(init, |x, acc| x + acc),
            xs.rscan_exclusive(init, |x, acc| x + acc).0,
        )
    }
}

// help: write `repeat_each(&counts)`
// help: write `histogram(bins)`
// help: write `reduce_by_index(&values, bins, init, |acc, x| ..)`
// help: write `select(&indices)`
// help: write `gather(shape, |ix| from)`
accelerate! {
    pub fn repeated(xs: &Vector<f32>, counts: &Vector<usize>) -> Vector<f32> {
        xs.repeat_each(&counts)
    }

    pub fn reduced(keys: &Vector<usize>, values: &Vector<f32>, bins: usize, init: f32) -> (Vector<u32>, Vector<f32>) {
        (keys.histogram(bins), keys.reduce_by_index(&values, bins, init, |acc, x| acc + x))
    }

    pub fn read(xs: &Vector<f32>, indices: &Vector<usize>, shape: usize, from: usize) -> Vector<f32> {
        xs.select(&indices).concat(xs.gather(shape, |ix| from))
    }
}

// help: write `scatter_unique(src, |ix, x| Some(to))`
// help: write `scatter_unique_unchecked(src, |ix, x| Some(to))`
accelerate! {
    pub fn f(defaults: &Vector<f32>, src: &Vector<f32>, to: usize) -> (Vector<f32>, Vector<f32>) {
        (
            defaults.scatter_unique(src, |ix, x| Some(to)),
            unsafe { defaults.scatter_unique_unchecked(src, |ix, x| Some(to)) },
        )
    }
}

// help: write `filter_map(|x| ..)`
// help: write `partition(|x| ..)`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> (Vector<f32>, Vector<f32>) {
        xs.filter_map(|x| if x > 0.0 { Some(x.ln()) } else { None }).partition(|x| x > 1.0)
    }
}

// help: write `sort_by_key(|x| ..)`
// help: write `sort_by(|a, b| a.cmp(&b))`
// help: write `argsort_by(|a, b| a.cmp(&b))`
// help: write `is_sorted_by(|a, b| a <= b)`
// help: write `sort()`
accelerate! {
    pub fn f(ns: &Vector<u32>) -> (Vector<u32>, Vector<u32>, Vector<usize>, bool, Vector<u32>) {
        (
            ns.sort_by_key(|x| x % 10),
            ns.sort_by(|a, b| a.cmp(&b)),
            ns.argsort_by(|a, b| a.cmp(&b)),
            ns.is_sorted_by(|a, b| a <= b),
            ns.sort(),
        )
    }
}

// help: write `argtop_k(k)`
// help: write `binary_search(x)`
accelerate! {
    pub fn f(xs: &Vector<f32>, k: usize, x: f32) -> (Vector<usize>, usize) {
        (xs.argtop_k(k), xs.binary_search(x).unwrap_or(0))
    }
}

// help: write `take(n)`
// help: write `skip(n)`
// help: write `split(n)`
// help: write `chunks(n)`
// help: write `chunks_exact(n)`
// help: write `replicate(n)`
accelerate! {
    pub fn f(xs: &Vector<f32>, n: usize) -> (Vector<f32>, Vector<f32>, Matrix<f32>, Matrix<f32>) {
        (xs.take(n), xs.skip(n), xs.split(n), xs.replicate(n))
    }

    pub fn sums(xs: &Vector<f32>, n: usize) -> (Vector<f32>, Vector<f32>) {
        (xs.chunks(n).map(|part| part.sum()), xs.chunks_exact(n).map(|part| part.sum()))
    }
}

// help: write `windows(size)`
// help: write `slide(size, step)`
accelerate! {
    pub fn f(xs: &Vector<f32>, size: usize, step: usize) -> (Vector<f32>, Matrix<f32>) {
        (xs.windows(size).map(|window| window.sum()), xs.slide(size, step))
    }
}

// help: write `slice(s![a..b, ..])`
// help: write `row(i)`
// help: write `column(j)`
// help: write `get(i)`
// help: write `get_unchecked(i)`
accelerate! {
    pub fn f(m: &Matrix<f32>, a: usize, b: usize, i: usize, j: usize) -> (Matrix<f32>, Vector<f32>, Vector<f32>) {
        (m.slice(s![a..b, ..]), m.row(i), m.column(j))
    }

    pub fn g(xs: &Vector<f32>, i: usize) -> f32 {
        xs.get(i).unwrap_or(0.0) + unsafe { *xs.get_unchecked(i) }
    }
}

// help: write `reshape(shape)`
// help: write `fill(shape, value)`
// help: write `linspace(a, b, n)`
accelerate! {
    pub fn f(xs: &Vector<f32>, shape: usize, value: f32) -> (Vector<f32>, Vector<f32>) {
        (xs.reshape(shape), fill(shape, value))
    }

    pub fn g(a: f32, b: f32, n: usize) -> Vector<f32> {
        linspace(a, b, n)
    }
}

// help: write `rotate_left(k)`
// help: write `rotate_right(k)`
// help: write `axis(k)`
// help: write `expand_axis(axis)`
// help: write `concat_axis(axis, ys)`
// help: write `argmax_axis(axis)`
accelerate! {
    const k: usize = 1;

    pub fn f(xs: &Vector<f32>) -> (Vector<f32>, Vector<f32>) {
        (xs.rotate_left(k), xs.rotate_right(k))
    }

    pub fn g(m: &Matrix<f32>, ys: &Matrix<f32>) -> (Vector<f32>, Cube<f32>, Matrix<f32>, Vector<usize>) {
        (m.axis(k).map(|part| part.sum()), m.expand_axis(0), m.concat_axis(0, ys), m.argmax_axis(1))
    }
}

// help: write `matmul(&n)`
// help: write `matvec(&x)`
accelerate! {
    pub fn f(m: &Matrix<f32>, n: &Matrix<f32>, x: &Vector<f32>) -> (Matrix<f32>, Vector<f32>) {
        (m.matmul(&n), m.matvec(&x))
    }
}

// help: write `stencil4(boundary, &ys, boundary, .., |w, v, ..| ..)`
// help: write `Constant(value)`
// help: write `Function(|ix| ..)`
accelerate! {
    pub fn f(xs: &Vector<f32>, ys: &Vector<f32>, zs: &Vector<f32>, value: f32) -> Vector<f32> {
        let a = xs.stencil4(Clamp, &ys, Wrap, &zs, Clamp, &xs, Wrap, |w, v, u, t| w[-1] + v[1] * u[0] - t[1]);
        a + xs.stencil(Constant(value), |w| w[1]) + xs.stencil(Function(|ix| ix as f32), |w| w[1])
    }
}

// help: write `sum_all()`
// help: write `fold_axis(axis, init, |acc, x| ..)`
// help: write `fold_all(init, |acc, x| ..)`
// help: write `fold1_axis(axis, |a, b| ..)`
accelerate! {
    pub fn f(m: &Matrix<f32>, init: f32) -> (f32, Vector<f32>, f32, Vector<f32>) {
        (
            m.sum_all(),
            m.fold_axis(0, init, |acc, x| acc + x),
            m.fold_all(init, |acc, x| acc + x),
            m.fold1_axis(0, |a, b| a + b),
        )
    }
}

// help: write `scan_segmented(&lengths, init, |acc, x| ..)`
// help: write `scan1_segmented(&lengths, |a, b| ..)`
// help: write `rscan_exclusive_segmented(&lengths, init, |x, acc| ..)`
// help: write `fold1_segmented(&lengths, |a, b| ..)`
accelerate! {
    pub fn f(xs: &Vector<f32>, lengths: &Vector<usize>, init: f32) -> (Vector<f32>, Vector<f32>, Vector<f32>, Vector<f32>) {
        (
            xs.scan_segmented(&lengths, init, |acc, x| acc + x),
            xs.scan1_segmented(&lengths, |a, b| a + b),
            xs.rscan_exclusive_segmented(&lengths, init, |x, acc| x + acc).0,
            xs.fold1_segmented(&lengths, |a, b| a + b),
        )
    }
}

// help: write `transpose()`
// help: write `rows()`
// help: write `cumsum()`
// help: write `pairs()`
// help: write `unzip()`
// help: write `len()`
// help: write `shape()`
// help: write `materialize()`
accelerate! {
    pub fn f(m: &Matrix<f32>) -> (Matrix<f32>, Vector<f32>, Matrix<f32>, (usize, usize)) {
        (m.transpose(), m.rows().map(|row| row.sum()), m.cumsum().materialize(), m.shape())
    }

    pub fn g(xs: &Vector<f32>) -> (Vector<f32>, Vector<f32>, usize) {
        let (a, b) = xs.pairs().unzip();
        (a, b, xs.len())
    }
}

// help: write `values()`
// help: write `offsets()`
// help: write `value()`
accelerate! {
    pub fn f(s: &Segmented<f32>, z: &Scalar<f32>) -> (Vector<f32>, Vector<usize>, f32) {
        (s.values(), s.offsets(), z.value())
    }
}

// help: write `map(|x| x.erf(..))`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| x.erf())
    }
}

// help: write `x.powf(a)`
// help: write `x.powi(n)`
// help: write `x.mul_add(a, b)`
// help: write `x.atan2(a)`
// help: write `x.sqrt()`
// help: write `x.min(a)`
// help: write `x.to_bits()`
// help: write `from_bits(..)`
// help: write `total_cmp(..)`
accelerate! {
    pub fn f(x: f32, a: f32, b: f32, n: i32) -> (f32, bool) {
        let y = x.powf(a) + x.powi(n) + x.mul_add(a, b) + x.atan2(a) + x.sqrt() + x.min(a);
        (y + f32::from_bits(x.to_bits()), x.total_cmp(&y).is_lt())
    }
}

// help: write `x.rotate_left(n)`
// help: write `x.carrying_add(a, carry)`
// help: write `x.checked_add(a)`
// help: write `x.pow(n)`
// help: write `cmp(..)`
// help: write `then(..)`
// help: write `from_u32(..)`
accelerate! {
    pub fn f(x: u32, a: u32, n: u32, carry: bool) -> (u32, (u32, bool), char) {
        let y = x.rotate_left(n) + x.checked_add(a).unwrap_or(0) + x.pow(n);
        let z = (x > 3).then(|| y).unwrap_or(1);
        (if x.cmp(&a).is_lt() { y } else { z }, x.carrying_add(a, carry), char::from_u32(x).unwrap_or('?'))
    }
}

// help: write `unwrap_or(..)`
// help: write `unwrap()`
// help: write `map_or(.., ..)`
// help: write `and_then(..)`
// help: write `or(..)`
// help: write `is_some()`
accelerate! {
    pub fn f(x: Option<f32>, y: Option<f32>) -> f32 {
        let z = x.or(y).and_then(|x| if x > 0.0 { Some(x) } else { None });
        let w = if z.is_some() { z.unwrap() } else { 0.0 };
        w + z.unwrap_or(1.0) + x.map_or(2.0, |x| x * x)
    }
}
