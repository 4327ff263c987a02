//! What scans mean: initial values, empty axes, order from either side.

use super::{matrix, refused, run, vector};

fn computes(
    body: &str,
    result: &str,
    arrays: &[accelerate_compiler::ir::eval::Array],
    expected: &[f64],
) {
    let array = match arrays[0].extents.len() {
        1 => "Vector",
        _ => "Matrix",
    };
    let source = format!("pub fn f(xs: &{array}<f64>) -> {result} {{ {body} }}");
    assert_eq!(run(&source, &[], arrays), Ok(expected.to_vec()), "{source}");
}

#[test]
fn every_form() {
    let xs = [vector(&[1.0, 2.0, 4.0])];
    let v = "Vector<f64>";
    let pair = "(Vector<f64>, f64)";
    computes("xs.cumsum()", v, &xs, &[1.0, 3.0, 7.0]);
    computes("xs.cumprod()", v, &xs, &[1.0, 2.0, 8.0]);
    computes("xs.map(|x| 3.0 - x).cummax()", v, &xs, &[2.0, 2.0, 2.0]);
    computes("cummin(xs.map(|x| 3.0 - x))", v, &xs, &[2.0, 1.0, -1.0]);
    computes("xs.scan1(|a, b| a + b)", v, &xs, &[1.0, 3.0, 7.0]);
    computes("xs.scan(5.0, |a, x| a + x)", v, &xs, &[5.0, 6.0, 8.0, 12.0]);
    let exclusive = "xs.scan_exclusive(5.0, |a, x| a + x)";
    computes(exclusive, pair, &xs, &[5.0, 6.0, 8.0, 12.0]);
    computes("xs.rscan1(|a, b| a + b)", v, &xs, &[7.0, 6.0, 4.0]);
    computes(
        "xs.rscan(5.0, |x, a| x + a)",
        v,
        &xs,
        &[12.0, 11.0, 9.0, 5.0],
    );
    let exclusive = "xs.rscan_exclusive(5.0, |x, a| x + a)";
    computes(exclusive, pair, &xs, &[11.0, 9.0, 5.0, 12.0]);
}

#[test]
fn empty_axes() {
    let xs = [vector(&[])];
    computes("xs.cumsum()", "Vector<f64>", &xs, &[]);
    computes("xs.scan(5.0, |a, x| a + x)", "Vector<f64>", &xs, &[5.0]);
    computes("xs.rscan(5.0, |x, a| x + a)", "Vector<f64>", &xs, &[5.0]);
    let pair = "(Vector<f64>, f64)";
    computes("xs.scan_exclusive(5.0, |a, x| a + x)", pair, &xs, &[5.0]);
    let rows = [matrix(2, 0, &[])];
    let pair = "(Matrix<f64>, Vector<f64>)";
    computes(
        "xs.scan_exclusive(5.0, |a, x| a + x)",
        pair,
        &rows,
        &[5.0, 5.0],
    );
}

#[test]
fn operands_keep_their_order() {
    let xs = [vector(&[1.0, 2.0, 4.0])];
    let v = "Vector<f64>";
    computes("xs.scan1(|a, _| a)", v, &xs, &[1.0; 3]);
    computes("xs.scan1(|_, b| b)", v, &xs, &[1.0, 2.0, 4.0]);
    computes("xs.rscan1(|a, _| a)", v, &xs, &[1.0, 2.0, 4.0]);
    computes("xs.rscan1(|_, b| b)", v, &xs, &[4.0; 3]);
}

#[test]
fn rows_are_scanned_apart() {
    let m = [matrix(2, 2, &[1.0, 2.0, 4.0, 8.0])];
    let result = "Matrix<f64>";
    computes("xs.cumsum()", result, &m, &[1.0, 3.0, 4.0, 12.0]);
    let nested = "xs.rows().map(|row| row.scan1(|a, b| a + b))";
    computes(nested, result, &m, &[1.0, 3.0, 4.0, 12.0]);
}

#[test]
fn an_operator_must_associate() {
    let message =
        refused("pub fn f(xs: &Vector<i32>) -> Vector<i32> { xs.scan1(|a, b| a - 2 * b) }");
    assert!(message.contains("not associative"), "{message}");
    let message = refused(
        "pub fn f(xs: &Vector<i32>) -> Vector<f64> { xs.scan(1.0, |a, x| a * 0.5 + x as f64) }",
    );
    assert!(message.contains("different types"), "{message}");
}
