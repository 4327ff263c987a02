//! What may fail runs only where somebody meets it: programs, as text, some of whose arrays are empty.

use super::agree_on;

#[test]
fn points_of_a_scatter_into_nothing() {
    let function = "pub fn f(a: &Vector<f32>, m: &Matrix<f32>, xs: &Vector<f32>) -> Matrix<f32> {
        m.scatter(|l, r| l.min(r), xs, |i, _| Some((i % m.shape().0, {
            let mut s = 0_usize;
            for q in 0..1_usize { s = a.map(|_| q).sum(); }
            s
        } % m.shape().1)))
    }";
    let all: &[&[&[u64]]] = &[
        &[&[1], &[2, 0], &[2]],
        &[&[1], &[0, 2], &[2]],
        &[&[1], &[2, 3], &[0]],
        &[&[1], &[2, 3], &[2]],
    ];
    agree_on(function, all);
}
