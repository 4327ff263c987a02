//! Three parts of lengths of their own, which fail at places of their own; a quotient has a guard.
//!
//! kernels: 1 (elementwise)
//! choices: 1
//! shapes: xs n, ys m, zs k
//! values: ys 0..9, zs 0..12
//! work: ys 0..n, zs 2..12

accelerate! {
    pub fn parts(xs: &Vector<i32>, ys: &Vector<usize>, zs: &Vector<i32>) -> Vector<i32> {
        let divided = zs.map(|z| 100 / (z - 1));
        let read = ys.map(|y| xs[y]);
        xs.concat(divided.concat(read)).map(|x| x ^ 3)
    }
}
