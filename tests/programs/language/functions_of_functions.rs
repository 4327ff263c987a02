//! Helpers that take functions: closures that capture arrays, helpers and methods by their names, closures in closures; and
//! helpers that change the rank.
//!
//! shapes: xs n, ys n, m (k, n)
//! values: at 0..5

accelerate! {
    fn twice(f: impl Fn(f32) -> f32, x: f32) -> f32 {
        f(f(x))
    }

    /// A function of each half.
    fn two<T: Number>(f: impl Fn(&Vector<T>) -> Vector<T>, xs: &Vector<T>) -> Vector<T> {
        let (a, b) = xs.halve();
        f(&a).concat(&f(&b))
    }

    fn along<F, const N: usize, const M: usize>(xs: &Array<f32, N>, f: F) -> Array<f32, M>
    where
        F: Fn(&Array<f32, N>) -> Array<f32, M>,
    {
        f(xs)
    }

    fn totals<const N: usize, const M: usize>(xs: &Array<f32, N>) -> Array<f32, M> {
        xs.sum()
    }

    fn folded<T: Number>(xs: &Vector<T>, init: T, op: impl Fn(T, T) -> T) -> T {
        xs.fold(init, op)
    }

    fn half(x: f32) -> f32 {
        x * 0.5
    }

    pub fn functions_of_functions(
        xs: &Vector<f32>,
        ys: &Vector<f32>,
        m: &Matrix<f32>,
        at: usize,
    ) -> (Vector<f32>, Vector<f32>, Vector<f32>, f32) {
        let shifted = |x: f32| x + ys[at];
        let turned = two(|half| half.reverse().map(|x| twice(shifted, x)), xs);
        let inner = xs.map(|x| twice(|y| twice(|z| half(z) + y, x), x) + twice(half, x));
        let rows = along(m, |m| m.columns().map(|column| column.fold(0.0, f32::max)));
        let sums: Vector<f32> = totals(m);
        (turned, inner + rows, sums, folded(xs, -1.0, f32::max) + folded(ys, 1.0, |a, b| a + b))
    }
}
