//! Helps about ranks, axes and rows.

// help: name each axis once: `permute_axes((1, 0))`
// help: write `permute_axes((1, 0))`, or `transpose()`
accelerate! {
    pub fn f(m: &Matrix<f32>) -> (Matrix<f32>, Matrix<f32>) {
        (m.permute_axes((1, 0)), m.transpose())
    }
}

// help: write a number or the name of a `const`
accelerate! {
    const FIRST: usize = 0;

    pub fn f(m: &Matrix<f32>) -> Vector<f32> {
        m.sum_axis(FIRST) + m.sum_axis(0)
    }
}

// help: write the number by itself: `sum_axis(0)`
accelerate! {
    pub fn f(m: &Matrix<f32>) -> Vector<f32> {
        m.sum_axis(0)
    }
}

// help: it goes along the last axis: write `transpose()` before and after it
accelerate! {
    pub fn f(m: &Matrix<f32>) -> Matrix<f32> {
        m.transpose().cumsum().transpose()
    }
}

// help: write `m + v.broadcast_to(m.shape())`
accelerate! {
    pub fn f(m: &Matrix<f32>, v: &Vector<f32>) -> Matrix<f32> {
        m + v.broadcast_to(m.shape())
    }
}

// help: write `m + xs.broadcast_to(m.shape())`
accelerate! {
    pub fn f(m: &Matrix<f32>, xs: &Vector<f32>) -> Matrix<f32> {
        m + xs.broadcast_to(m.shape())
    }
}

// help: write `v.broadcast_to(m.shape()) * m`
accelerate! {
    pub fn f(m: &Matrix<f32>, v: &Vector<f32>) -> Matrix<f32> {
        v.broadcast_to(m.shape()) * m
    }
}

// help: write `m - v.broadcast_to(m.shape())`
accelerate! {
    pub fn f(m: &Cube<f32>, v: &Matrix<f32>) -> Cube<f32> {
        m - v.broadcast_to(m.shape())
    }
}

// help: write it by `rows()`, `columns()` and `zip`, and `fold1(|a, b| a + b)` for the sum
accelerate! {
    struct P {
        x: f32,
    }

    impl Add for P {
        type Output = P;

        fn add(self, other: P) -> P {
            P { x: self.x + other.x }
        }
    }

    pub fn f(a: &Matrix<P>, b: &Matrix<P>) -> Matrix<P> {
        a.rows().map(|row| b.columns().map(|column| {
            row.zip(column).map(|(p, q)| P { x: p.x * q.x }).fold1(|a, b| a + b)
        }))
    }
}

// help: of whole rows write `indices.map(|i| m.row(i))`
accelerate! {
    pub fn f(m: &Matrix<f32>, indices: &Vector<usize>) -> Matrix<f32> {
        indices.map(|i| m.row(i))
    }
}

// help: write `m.transpose().matvec(&x)` of a vector and a matrix, `x.dot(&y)` of vectors
accelerate! {
    pub fn matrix(x: &Vector<f32>, m: &Matrix<f32>) -> Vector<f32> {
        m.transpose().matvec(&x)
    }

    pub fn vectors(x: &Vector<f32>, y: &Vector<f32>) -> f32 {
        x.dot(&y)
    }
}

// help: write `matvec(..)`
accelerate! {
    pub fn f(m: &Matrix<f32>, x: &Vector<f32>) -> Vector<f32> {
        m.matvec(x)
    }
}

// help: write `s![a..b, ..]`: one entry for each axis
accelerate! {
    pub fn f(m: &Matrix<f32>, a: usize, b: usize) -> Matrix<f32> {
        m.slice(s![a..b, ..])
    }
}

// help: write `m[(i, j)]`, or `m.row(i)` for a whole row
accelerate! {
    pub fn f(m: &Matrix<f32>, i: usize, j: usize) -> f32 {
        m[(i, j)] + m.row(i).sum()
    }
}

// help: use `rows()` or `outer()` to take the larger apart
accelerate! {
    pub fn rows_of(m: &Matrix<f32>, xs: &Vector<f32>) -> f32 {
        m.rows().zip(xs).map(|(row, x)| row.sum() * x).sum()
    }

    pub fn planes_of(c: &Cube<f32>, xs: &Vector<f32>) -> f32 {
        c.outer().zip(xs).map(|(plane, x)| plane.sum_all() * x).sum()
    }
}

// help: use `reshape((rows, columns))`
accelerate! {
    pub fn f(xs: &Vector<f32>, rows: usize, columns: usize) -> Vector<f32> {
        xs.reshape((rows, columns)).join()
    }
}

// help: use `flatten()`, or a reduction such as `sum()`
accelerate! {
    pub fn flat(xs: &Vector<f32>, m: &Matrix<f32>) -> Matrix<f32> {
        stack((xs, m.flatten()))
    }

    pub fn reduced(xs: &Vector<f32>, m: &Matrix<f32>) -> Matrix<f32> {
        stack((xs, m.sum()))
    }
}

// help: write `..` for each axis of the array, and an extent for each new one
accelerate! {
    pub fn f(m: &Matrix<f32>) -> Cube<f32> {
        m.replicate(s![2, .., ..])
    }
}

// help: write `map(|row| row.sum(..))` for each of them; `m.sum_axis(0)` adds them up
accelerate! {
    pub fn each(m: &Matrix<f32>) -> Vector<f32> {
        m.rows().map(|row| row.sum())
    }

    pub fn up(m: &Matrix<f32>) -> Vector<f32> {
        m.sum_axis(0)
    }
}

// help: write `map(|row| row.reverse(..))` for each of them; `m.slice(s![..;-1, ..])` has them in the other order
accelerate! {
    pub fn each(m: &Matrix<f32>) -> Matrix<f32> {
        m.rows().map(|row| row.reverse())
    }

    pub fn order(m: &Matrix<f32>) -> Matrix<f32> {
        m.slice(s![..;-1, ..])
    }
}

// help: write `map(|row| row.take(..))` for each of them; `m.slice(s![..n, ..])` has the first of them
accelerate! {
    pub fn each(m: &Matrix<f32>) -> Matrix<f32> {
        m.rows().map(|row| row.take(2))
    }

    pub fn first(m: &Matrix<f32>, n: usize) -> Matrix<f32> {
        m.slice(s![..n, ..])
    }
}

// help: write `map(|row| row.skip(..))` for each of them; `m.slice(s![n.., ..])` has all but the first of them
accelerate! {
    pub fn each(m: &Matrix<f32>) -> Matrix<f32> {
        m.rows().map(|row| row.skip(2))
    }

    pub fn rest(m: &Matrix<f32>, n: usize) -> Matrix<f32> {
        m.slice(s![n.., ..])
    }
}

// help: write `m.transpose(..)`: it takes the whole array
accelerate! {
    pub fn f(m: &Matrix<f32>) -> Matrix<f32> {
        m.transpose()
    }
}

// help: write `map_segments(|row| row.filter(..))` for each of them; of the indices of some, `indices.map(|i| m.row(i))` has these
accelerate! {
    pub fn each(m: &Matrix<f32>) -> Segmented<f32> {
        m.rows().map_segments(|row| row.filter(|x| x > 0.0))
    }

    pub fn some(m: &Matrix<f32>) -> Matrix<f32> {
        let indices = m.rows().map(|row| row.sum()).indices_of(|x| x > 0.0);
        indices.map(|i| m.row(i))
    }
}

// help: write `map(|row| row.fold(..))` for each of them; `m.fold_axis(0, init, op)` goes over all of them
accelerate! {
    pub fn each(m: &Matrix<f32>) -> Vector<f32> {
        m.rows().map(|row| row.fold(0.0, |a, b| a + b))
    }

    pub fn over(m: &Matrix<f32>, init: f32) -> Vector<f32> {
        let op = |a, b| a + b;
        m.fold_axis(0, init, op)
    }
}

// help: write `.map(|part| part)`: an array of all of them
accelerate! {
    pub fn f(m: &Matrix<f32>) -> Matrix<f32> {
        m.rows().map(|part| part)
    }
}
