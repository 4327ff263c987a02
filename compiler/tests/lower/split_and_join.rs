//! Arrays cut into pieces and put together.

use super::{matrix, run, vector};

fn check(
    source: &str,
    input: &accelerate_compiler::ir::eval::Array,
    expected: Result<&[f64], &str>,
) {
    let expected = expected
        .map(<[f64]>::to_vec)
        .map_err(std::borrow::ToOwned::to_owned);
    let result = run(source, &[], std::slice::from_ref(input));
    assert_eq!(result, expected, "{source}");
}

#[test]
fn pieces_of_a_vector() {
    let xs = vector(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let cases: [(&str, Result<&[f64], &str>); 25] = [
        (
            "xs.split(2).transpose().flatten()",
            Ok(&[1.0, 3.0, 5.0, 2.0, 4.0, 6.0]),
        ),
        ("xs.split(3).join()", Ok(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])),
        ("xs.split(6).sum()", Ok(&[21.0])),
        (
            "xs.split(4).sum()",
            Err("`split` of 6 elements into parts of 4"),
        ),
        (
            "xs.split(0).sum()",
            Err("`split` of 6 elements into parts of 0"),
        ),
        ("xs.slide(3, 2).sum()", Ok(&[6.0, 12.0])),
        ("xs.slide(7, 1).sum()", Ok(&[])),
        ("xs.slide(6, 4).sum()", Ok(&[21.0])),
        (
            "xs.slide(2, 0).sum()",
            Err("windows of 2 elements at every 0"),
        ),
        ("xs.windows(4).map(|w| w.sum())", Ok(&[10.0, 14.0, 18.0])),
        (
            "xs.windows(2).map(|w| w[1] - w[0])",
            Ok(&[1.0, 1.0, 1.0, 1.0, 1.0]),
        ),
        ("xs.chunks(2).map(|c| c.product())", Ok(&[2.0, 12.0, 30.0])),
        (
            "xs.chunks(4).map(|c| c.sum())",
            Err("`chunks` of 6 elements into parts of 4"),
        ),
        ("xs.chunks_exact(4).map(|c| c.sum())", Ok(&[10.0])),
        (
            "xs.chunks_exact(0).map(|c| c.sum())",
            Err("`chunks_exact` of 6 elements into parts of 0"),
        ),
        (
            "xs.chunks(3).map(|c| c.reverse()).join()",
            Ok(&[3.0, 2.0, 1.0, 6.0, 5.0, 4.0]),
        ),
        ("xs.slice(s![..;2])", Ok(&[1.0, 3.0, 5.0])),
        ("xs.slice(s![1..;4])", Ok(&[2.0, 6.0])),
        ("xs.slice(s![1..5;-3])", Ok(&[5.0, 2.0])),
        ("xs.slice(s![..0;-3])", Ok(&[])),
        ("xs.replicate(2).column(1)", Ok(&[2.0, 2.0])),
        (
            "xs.take(2).replicate(s![.., 3]).flatten()",
            Ok(&[1.0, 1.0, 1.0, 2.0, 2.0, 2.0]),
        ),
        ("xs.pairs().map(|(a, b)| a * b)", Ok(&[2.0, 12.0, 30.0])),
        (
            "xs.tail().pairs().map(|(a, b)| a * b)",
            Err("`pairs` of 5 elements"),
        ),
        (
            "xs.pad(2, 1, Wrap)",
            Ok(&[5.0, 6.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 1.0]),
        ),
    ];
    for (expr, expected) in cases {
        let source = format!("pub fn f(xs: &Vector<f64>) -> Vector<f64> {{ {expr} }}");
        check(&source, &xs, expected);
    }
}

#[test]
fn joined() {
    let m = matrix(2, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let cases: [(&str, Result<&[f64], &str>); 14] = [
        (
            "m.concat_axis(0, m.slice(s![0..1, ..])).flatten()",
            Ok(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 1.0, 2.0, 3.0]),
        ),
        (
            "m.concat_axis(1, m.column(0).expand_axis(1)).flatten()",
            Ok(&[1.0, 2.0, 3.0, 1.0, 4.0, 5.0, 6.0, 4.0]),
        ),
        (
            "m.concat_axis(1, m.row(0).expand_axis(0)).flatten()",
            Err("`concat_axis` of arrays of extents 2 and 1 along axis 0"),
        ),
        (
            "stack((m.row(1), m.row(0), m.row(1))).flatten()",
            Ok(&[4.0, 5.0, 6.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
        ),
        ("m.row(0).stack(m.row(1)).column(2)", Ok(&[3.0, 6.0])),
        (
            "stack((m.row(0), m.column(0))).flatten()",
            Err("`stack` of arrays of lengths 3 and 2"),
        ),
        (
            "m.row(0).interleave(m.row(1))",
            Ok(&[1.0, 4.0, 2.0, 5.0, 3.0, 6.0]),
        ),
        (
            "m.interleave(m.map(|x| -x)).row(1)",
            Ok(&[4.0, -4.0, 5.0, -5.0, 6.0, -6.0]),
        ),
        (
            "m.row(0).interleave(m.column(0))",
            Err("`interleave` of arrays of lengths 3 and 2"),
        ),
        (
            "{ let (even, odd) = m.deinterleave(); even.flatten().concat(odd.flatten()) }",
            Ok(&[1.0, 3.0, 4.0, 6.0, 2.0, 5.0]),
        ),
        (
            "{ let (left, right) = m.halve(); right.flatten().concat(left.flatten()) }",
            Ok(&[2.0, 3.0, 5.0, 6.0, 1.0, 4.0]),
        ),
        (
            "m.rows().map(|row| row.halve().1).flatten()",
            Ok(&[2.0, 3.0, 5.0, 6.0]),
        ),
        (
            "m.row(0).map(|x| m.row(1).map(|y| x * y)).sum()",
            Ok(&[15.0, 30.0, 45.0]),
        ),
        ("m.join()", Ok(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])),
    ];
    for (expr, expected) in cases {
        let source = format!("pub fn f(m: &Matrix<f64>) -> Vector<f64> {{ {expr} }}");
        check(&source, &m, expected);
    }
}
