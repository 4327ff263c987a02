//! Views, sources, nesting: where the elements come from.

use super::{integers, matrix, program, refused, run, vector};
use accelerate_compiler::scalar::{Leaf, Scalar};

#[test]
fn views_that_cancel_are_no_nodes() {
    for view in ["transpose().transpose()", "reverse().reverse()"] {
        let source = format!("pub fn f(m: &Matrix<f32>) -> Matrix<f32> {{ m.{view} }}");
        let text = program(&source).to_string();
        assert!(!text.contains("index") && !text.contains('/'), "{text}");
    }
}

#[test]
fn views() {
    let m = matrix(2, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let cases: [(&str, &str, &[f64]); 14] = [
        ("m.transpose()", "Matrix", &[1.0, 4.0, 2.0, 5.0, 3.0, 6.0]),
        ("m.flatten().skip(2)", "Vector", &[3.0, 4.0, 5.0, 6.0]),
        ("m.reshape((3, 2)).column(1)", "Vector", &[2.0, 4.0, 6.0]),
        ("m.row(1).rotate_left(1)", "Vector", &[5.0, 6.0, 4.0]),
        ("m.row(1).rotate_right(1)", "Vector", &[6.0, 4.0, 5.0]),
        ("m.slice(s![1, 1..3])", "Vector", &[5.0, 6.0]),
        ("m.tail().init()", "Matrix", &[2.0, 5.0]),
        ("m.row(0).reverse()", "Vector", &[3.0, 2.0, 1.0]),
        ("m.rows()[1].reverse()", "Vector", &[6.0, 5.0, 4.0]),
        ("m.columns()[2].map(|x| x + 1.0)", "Vector", &[4.0, 7.0]),
        (
            "m.row(0).concat(m.row(1).take(1))",
            "Vector",
            &[1.0, 2.0, 3.0, 4.0],
        ),
        (
            "m.column(0).expand_axis(1).broadcast_to((2, 2))",
            "Matrix",
            &[1.0, 1.0, 4.0, 4.0],
        ),
        ("m.first()", "Vector", &[1.0, 4.0]),
        (
            "m.row(0).outer_product(m.column(0))",
            "Matrix",
            &[1.0, 4.0, 2.0, 8.0, 3.0, 12.0],
        ),
    ];
    for (expr, ty, expected) in cases {
        let source = format!("pub fn f(m: &Matrix<f64>) -> {ty}<f64> {{ {expr} }}");
        assert_eq!(
            run(&source, &[], std::slice::from_ref(&m)),
            Ok(expected.to_vec()),
            "{expr}"
        );
    }
}

#[test]
fn shape_errors() {
    let m = matrix(2, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let cases = [
        ("m.row(2)", "row 2 of 2"),
        ("m.row(0).take(4)", "`take` of 4 of an axis of 3"),
        ("m.slice(s![0, 2..5])", "slice up to 5 of an axis of 3"),
        (
            "m.flatten().rotate_left(7)",
            "rotation by 7 of an axis of 6",
        ),
        ("m.reshape(5)", "`reshape` of 6 elements to 5"),
        ("m.row(0) + m.column(0)", "`+` of arrays of lengths 3 and 2"),
        (
            "m.column(0).broadcast_to(3)",
            "broadcast of an axis of 2 to 3",
        ),
    ];
    for (expr, expected) in cases {
        let source = format!("pub fn f(m: &Matrix<f64>) -> Vector<f64> {{ {expr} }}");
        let result = run(&source, &[], std::slice::from_ref(&m));
        assert_eq!(result, Err(expected.to_owned()), "{expr}");
    }
}

#[test]
fn a_check_inside_a_closure_does_not_fail_an_empty_domain() {
    let source = "pub fn f(m: &Matrix<f64>, k: usize) -> Vector<f64> { m.rows().map(|row| row.take(k).sum()) }";
    let k = [Scalar::number(Leaf::U64, 4)];
    assert!(run(source, &k, &[matrix(1, 3, &[1.0; 3])]).is_err());
    assert_eq!(run(source, &k, &[matrix(0, 3, &[])]), Ok(vec![]));
}

#[test]
fn sources() {
    let source = "pub fn f(n: usize) -> (Vector<f64>, Vector<usize>, Vector<i32>, Matrix<usize>) {
        (linspace(0.0, 1.0, n), iota(n), (3..6).map(|x| x * x), generate((2, n), |(i, j)| 10 * i + j))
    }";
    let n = [Scalar::number(Leaf::U64, 3)];
    let expected = [
        &[0.0, 0.5, 1.0][..],
        &[0.0, 1.0, 2.0],
        &[9.0, 16.0, 25.0],
        &[0.0, 1.0, 2.0, 10.0, 11.0, 12.0],
    ];
    assert_eq!(run(source, &n, &[]), Ok(expected.concat()));
}

#[test]
fn nesting_gains_axes() {
    let source = "pub fn f(m: &Matrix<f64>) -> (Matrix<f64>, Vector<f64>) {
        m.rows().map(|row| (row.map(|x| x * 2.0), row.sum()))
    }";
    let m = matrix(2, 2, &[1.0, 2.0, 3.0, 4.0]);
    assert_eq!(
        run(source, &[], &[m]),
        Ok(vec![2.0, 4.0, 6.0, 8.0, 3.0, 7.0])
    );
    let source = "pub fn f(xs: &Vector<f64>) -> Vector<f64> {
        xs.map(|x| xs.map(|y| (x - y).abs()).max())
    }";
    assert_eq!(
        run(source, &[], &[vector(&[1.0, 4.0, 6.0])]),
        Ok(vec![5.0, 3.0, 5.0])
    );
}

#[test]
fn irregular_nesting_is_refused() {
    let source =
        "pub fn f(m: &Matrix<usize>) -> Matrix<usize> { m.rows().map(|row| iota(row.sum())) }";
    assert!(refused(source).contains("irregular"));
    let source = "pub fn f(xs: &Vector<usize>) -> Vector<usize> { xs.map(|n| iota(n).sum()) }";
    let xs = super::Array {
        extents: vec![2],
        leaves: vec![vec![
            Scalar::number(Leaf::U64, 3),
            Scalar::number(Leaf::U64, 0),
        ]],
    };
    assert_eq!(run(source, &[], &[xs]), Ok(vec![3.0, 0.0]));
}

#[test]
fn what_an_element_checks_is_no_part_of_a_shape() {
    let source = "pub fn f(m: &Matrix<f64>, s: usize) -> Matrix<f64> {
        m.rows().map(|row| {
            let mut v = row.rotate_left(5 % s);
            for _ in 0..2_usize {
                v = v.rotate_left(1);
            }
            v
        })
    }";
    let m = matrix(2, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(
        run(
            source,
            &[Scalar::number(Leaf::U64, 4)],
            std::slice::from_ref(&m)
        ),
        Ok(vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    );
    assert_eq!(
        run(source, &[Scalar::number(Leaf::U64, 0)], &[m]),
        Err("remainder by zero".into())
    );
    let source = "pub fn f(m: &Matrix<usize>) -> Matrix<usize> {
        m.rows().map(|row| row.rotate_left(6 / row[0]))
    }";
    let whole = |numbers: [i64; 4]| super::Array {
        extents: vec![2, 2],
        leaves: vec![numbers.map(|x| Scalar::number(Leaf::U64, x)).to_vec()],
    };
    assert_eq!(
        run(source, &[], &[whole([6, 7, 3, 1])]),
        Ok(vec![7.0, 6.0, 3.0, 1.0])
    );
    assert_eq!(
        run(source, &[], &[whole([6, 7, 0, 1])]),
        Err("division by zero".into())
    );
}

#[test]
fn first_of_equals_and_nan() {
    let source = "pub fn f(xs: &Vector<f64>) -> (usize, usize) { (xs.argmin(), xs.argmax()) }";
    let xs = vector(&[f64::NAN, 3.0, 1.0, 3.0, 1.0]);
    assert_eq!(run(source, &[], &[xs]), Ok(vec![2.0, 1.0]));
    assert_eq!(
        run(source, &[], &[vector(&[f64::NAN; 2])]),
        Ok(vec![0.0, 0.0])
    );
    assert!(run(source, &[], &[vector(&[])]).is_err());
}

#[test]
fn select_and_gather() {
    let source = "pub fn f(xs: &Vector<i32>, at: &Vector<i32>) -> (Vector<i32>, Vector<i32>) {
        (xs.select(at.map(|i| i as usize)), xs.gather(2, |i| 1 - i))
    }";
    let result = run(source, &[], &[integers(&[7, 8, 9]), integers(&[2, 0])]);
    assert_eq!(result, Ok(vec![9.0, 7.0, 8.0, 7.0]));
}

#[test]
fn extents_that_are_differences_do_not_wrap() {
    let xs = vector(&[1.0, 2.0, 4.0, 8.0]);
    let cases: [(&str, Result<&[f64], &str>); 6] = [
        (
            "generate(xs.len() - 1, |i| xs[i + 1] - xs[i])",
            Ok(&[1.0, 2.0, 4.0]),
        ),
        ("fill(xs.len() - 4, 1.0)", Ok(&[])),
        ("iota(xs.len() - 5 + 1).map(|i| xs[i])", Ok(&[])),
        (
            "iota(xs.len() - 5).map(|i| xs[i])",
            Err("`iota` of 4 - 5 elements"),
        ),
        (
            "generate(2 - xs.len() - 1, |i| xs[i])",
            Err("`generate` of 2 - 5 elements"),
        ),
        (
            "xs.map(|x| iota(x as usize - 2).map(|i| i as f32).sum())",
            Err("`iota` of 1 - 2 elements"),
        ),
    ];
    for (body, expected) in cases {
        let source = format!("pub fn f(xs: &Vector<f32>) -> Vector<f32> {{ {body} }}");
        let expected = expected.map(<[f64]>::to_vec);
        let result = run(&source, &[], std::slice::from_ref(&xs));
        assert_eq!(result, expected.map_err(str::to_owned), "{body}");
    }
}
