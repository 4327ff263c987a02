//! Comparisons of what has fields, of rank 0 and others.

use super::{integers, matrix, run, vector};
use accelerate_compiler::ir::eval::Array;
use accelerate_compiler::scalar::Scalar;

/// A vector of pairs.
fn pairs(values: &[(i32, f64)]) -> Array {
    let firsts: Vec<i32> = values.iter().map(|pair| pair.0).collect();
    let seconds: Vec<f64> = values.iter().map(|pair| pair.1).collect();
    let mut both = integers(&firsts);
    both.leaves.extend(vector(&seconds).leaves);
    both
}

const NAN: f64 = f64::NAN;
const LEFT: &[(i32, f64)] = &[(1, 2.0), (1, 2.0), (2, 0.0), (1, NAN), (0, NAN), (1, -0.0)];
const RIGHT: &[(i32, f64)] = &[(1, 2.0), (1, 3.0), (1, 9.0), (1, 1.0), (1, 1.0), (1, 0.0)];

#[test]
fn tuples_are_ordered_as_in_rust() {
    let expected = LEFT.iter().zip(RIGHT);
    let expected = expected.map(|(a, b)| [a == b, a != b, a < b, a <= b, a > b, a >= b]);
    let expected: Vec<[bool; 6]> = expected.collect();
    for (k, op) in ["==", "!=", "<", "<=", ">", ">="].into_iter().enumerate() {
        let whole = format!(
            "pub fn f(a: &Vector<(i32, f64)>, b: &Vector<(i32, f64)>) -> Vector<i32> {{ (a {op} b).map(|x| x as i32) }}"
        );
        let each = format!(
            "pub fn f(a: &Vector<(i32, f64)>, b: &Vector<(i32, f64)>) -> Vector<i32> {{
                a.zip_with(b, |x, y| if x {op} y {{ 1 }} else {{ 0 }})
            }}"
        );
        for source in [whole, each] {
            let found = run(&source, &[], &[pairs(LEFT), pairs(RIGHT)]);
            let wanted = expected.iter().map(|row| f64::from(u8::from(row[k])));
            assert_eq!(found, Ok(wanted.collect()), "{source}");
        }
    }
}

#[test]
fn an_array_is_compared_with_one_tuple() {
    let source = "pub fn f(a: &Vector<(i32, f64)>) -> Vector<i32> {
        ((1, 2.0) > a).map(|x| x as i32) + (a == (1, 2.0)).map(|x| 2 * x as i32)
    }";
    let wanted = vec![2.0, 2.0, 0.0, 0.0, 1.0, 1.0];
    assert_eq!(run(source, &[], &[pairs(LEFT)]), Ok(wanted));
}

#[test]
fn structs_and_enums_are_equal_by_their_fields() {
    let source = "struct P { x: f64, e: E } enum E { A, B(f64) }
        fn p(x: f64) -> P { P { x: x.abs(), e: if x < 0.0 { E::A } else { E::B(x) } } }
        pub fn f(a: &Vector<f64>) -> (Vector<i32>, Vector<i32>) {
            let (ps, qs) = (a.map(p), a.map(|x| p(x.abs())));
            ((ps == qs).map(|x| x as i32), (ps.map(|p| p.e) != E::A).map(|x| x as i32))
        }";
    let wanted = vec![0.0, 1.0, 1.0, 0.0, 1.0, 1.0];
    assert_eq!(run(source, &[], &[vector(&[-1.0, 0.0, 1.0])]), Ok(wanted));
}

#[test]
fn rank_0_has_the_operations_of_every_rank() {
    let scalar = Array {
        extents: Vec::new(),
        leaves: vec![vec![Scalar::f64(3.0)]],
    };
    let source = "pub fn f(s: &Scalar<f64>) -> (f64, Vector<f64>, Vector<f64>, usize) {
        let twice = s.map(|x| x + x).materialize();
        (s.zip(twice).map(|(x, y)| x * y).value(), stack((s, twice)), s.replicate(2), s.len())
    }";
    let wanted = vec![18.0, 3.0, 6.0, 3.0, 3.0, 1.0];
    assert_eq!(run(source, &[], &[scalar]), Ok(wanted));
}

#[test]
fn a_row_of_a_matrix_of_any_rank() {
    let source = "pub fn f(m: &Matrix<f64>) -> (Vector<f64>, Vector<f64>) {
        let c = m.replicate(2).permute_axes((1, 0, 2));
        (c.row(1).flatten(), column(c, 0).flatten())
    }";
    let wanted = vec![3.0, 4.0, 3.0, 4.0, 1.0, 1.0, 3.0, 3.0];
    let m = matrix(2, 2, &[1.0, 2.0, 3.0, 4.0]);
    assert_eq!(run(source, &[], &[m]), Ok(wanted));
}

#[test]
fn operators_by_their_paths() {
    let source = "struct P { x: i32 }
        impl Mul for P { type Output = P; fn mul(self, o: P) -> P { P { x: self.x * o.x } } }
        pub fn f(a: &Vector<i32>) -> (i32, i32) {
            let ps = a.map(|x| P { x });
            (ps.fold(P { x: 2 }, P::mul).x, a.fold(0, Add::add) + ps.fold1(Mul::mul).x)
        }";
    assert_eq!(run(source, &[], &[integers(&[3, 5])]), Ok(vec![30.0, 23.0]));
}
