//! Helps about results of any length: filters, places, repeated and distinct elements.

// help: return a vector, or write `map` for one value each
// help: write `flat_map(|x| ..)`
accelerate! {
    pub fn vectors(xs: &Vector<f32>) -> Vector<f32> {
        xs.flat_map(|x| fill(2, x))
    }

    pub fn values(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| x + 1.0)
    }
}

// help: write `filter_map`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.filter_map(|x| if x > 0.0 { Some(x) } else { None })
    }
}

// help: write `rows().flat_map(|row| ..)`, or `flatten()` before it
accelerate! {
    pub fn rows_of(m: &Matrix<f32>) -> Vector<f32> {
        m.rows().flat_map(|row| row.filter(|x| x > 0.0))
    }

    pub fn all_of(m: &Matrix<f32>) -> Vector<f32> {
        m.flatten().flat_map(|x| fill(2, x))
    }
}

// help: write `rows().map_segments(|row| ..)`, or `flatten()` before it
accelerate! {
    pub fn f(m: &Matrix<f32>) -> (Segmented<f32>, Segmented<f32>) {
        (m.rows().map_segments(|row| row.filter(|x| x > 0.0)), m.flatten().map_segments(|x| fill(2, x)))
    }
}

// help: return one vector, or write `map_segments`
accelerate! {
    pub fn one(xs: &Vector<f32>) -> Vector<(f32, f32)> {
        xs.flat_map(|x| fill(2, (x, -x)))
    }

    pub fn segments(xs: &Vector<f32>) -> (Segmented<f32>, Segmented<f32>) {
        xs.map_segments(|x| (fill(2, x), fill(3, x)))
    }
}

// help: convert them: `counts.map(|n| n as usize)`
accelerate! {
    pub fn f(xs: &Vector<f32>, counts: &Vector<i32>) -> Vector<f32> {
        xs.repeat_each(counts.map(|n| n as usize))
    }
}

// help: as many times each: `replicate(n).transpose().flatten()`
accelerate! {
    pub fn f(xs: &Vector<f32>, n: usize) -> Vector<f32> {
        xs.replicate(n).transpose().flatten()
    }
}

// help: use `flatten()`, or `rows().map(|row| ..)`
accelerate! {
    pub fn repeated(m: &Matrix<f32>, counts: &Matrix<usize>) -> Vector<f32> {
        m.flatten().repeat_each(counts.flatten())
    }

    pub fn of_each(m: &Matrix<f32>) -> Vector<usize> {
        m.rows().map(|row| row.filter(|x| x > 0.0).len())
    }
}

// help: segments are vectors: use `rows()` of a matrix
accelerate! {
    pub fn f(m: &Matrix<f32>) -> Vector<f32> {
        m.rows().flat_map(|row| row.filter(|x| x > 0.0))
    }
}

// help: compare it, e.g. `x != 0`
accelerate! {
    pub fn f(xs: &Vector<i32>) -> Vector<i32> {
        xs.filter(|x| x != 0)
    }
}

// help: write `Some(..)` or `None`, or use `map`
accelerate! {
    pub fn some(xs: &Vector<i32>) -> Vector<i32> {
        xs.filter_map(|x| if x > 0 { Some(x + 1) } else { None })
    }

    pub fn all(xs: &Vector<i32>) -> Vector<i32> {
        xs.map(|x| x + 1)
    }
}

// help: write `indices_of(|x| ..)`
accelerate! {
    pub fn f(xs: &Vector<i32>) -> Vector<usize> {
        xs.indices_of(|x| x > 0)
    }
}

// help: write `rows().map_segments(|row| ..)`, or fold it at once, as in `row.filter(..).sum()`
accelerate! {
    pub fn segments(m: &Matrix<i32>) -> Segmented<i32> {
        m.rows().map_segments(|row| row.filter(|x| x > 0).cumsum())
    }

    pub fn folded(m: &Matrix<i32>) -> Vector<i32> {
        m.rows().map(|row| row.filter(|x| x > 0).sum())
    }
}

// help: write `map_segments` in the place of `map`, whose results may have any lengths; or give every inner array one shape, or reduce it to a scalar
accelerate! {
    pub fn segments(m: &Matrix<i32>) -> Segmented<i32> {
        m.rows().map_segments(|row| row.filter(|x| x > 0))
    }

    pub fn shape(m: &Matrix<i32>) -> Matrix<i32> {
        m.rows().map(|row| row.map(|x| if x > 0 { x } else { 0 }))
    }

    pub fn scalar(m: &Matrix<i32>) -> Vector<i32> {
        m.rows().map(|row| row.filter(|x| x > 0).sum())
    }
}

// help: write `filter_map(..)` to leave out what is `None`, or `unwrap_or(..)` for each
accelerate! {
    pub fn left_out(xs: &Vector<f32>) -> Vector<f32> {
        xs.filter_map(|x| if x > 0.0 { Some(x) } else { None })
    }

    pub fn replaced(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| if x > 0.0 { Some(x) } else { None }.unwrap_or(0.0))
    }
}

// help: write `dedup()`
accelerate! {
    pub fn f(xs: &Vector<i32>) -> Vector<i32> {
        xs.dedup()
    }
}

// help: write `unique()`
accelerate! {
    pub fn f(xs: &Vector<i32>) -> Vector<i32> {
        xs.unique()
    }
}

// help: an element is a number, `bool`, `char`, or a tuple, array or struct of such
accelerate! {
    struct Word {
        letter: char,
        count: (u8, bool),
        sides: [f32; 2],
    }

    pub fn f(words: &Vector<Word>) -> Vector<Word> {
        words.unique()
    }
}

// help: write `sort()`, and count or fold where an element differs from the one before it
accelerate! {
    pub fn f(m: &Matrix<i32>) -> Vector<usize> {
        m.rows().map(|row| {
            let sorted = row.sort();
            iota(row.len()).filter(|i| i == 0 || sorted[i] != sorted[i - 1]).len()
        })
    }
}

// help: write `indices_of(|x| ..).get(0)`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> usize {
        xs.indices_of(|x| x > 0.0).get(0).unwrap_or(0)
    }
}

// help: write `take(n)`; `map(|x| ..).scan1(|a, b| a & b)` tells which elements stand before the first that fails
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        let before = xs.map(|x| x > 0.0).scan1(|a, b| a & b);
        let n = before.map(|b| b as usize).sum();
        xs.take(n)
    }
}
