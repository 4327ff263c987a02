//! What threads keep of their rows.

use super::lines;

#[test]
fn powers_of_a_softmax_are_computed_once() {
    let program = "pub fn softmax(m: &Matrix<f32>) -> Matrix<f32> {
        m.rows().map(|row| {
            let top = row.max();
            let powers = row.map(|x| (x - top).exp());
            let total = powers.sum();
            powers.map(|p| p / total)
        })
    }";
    let arrays = lines(program, &["[16];"]);
    assert_eq!(arrays, ["f32 kept_x[16];", "f32 kept_p[16];"]);
    // For the points kept, for those beyond them when they are summed, and when they are divided.
    assert_eq!(lines(program, &["expf("]).len(), 3);
}

#[test]
fn what_is_beside_a_row_is_read_for_each_phase_that_needs_it() {
    let program = "pub fn scaled(m: &Matrix<f64>, by: &Vector<f64>) -> Matrix<f64> {
        m.rows().map(|row| {
            let mean = row.mean();
            row.zip(by).map(|(x, b)| (x - mean) * b)
        })
    }";
    assert_eq!(lines(program, &["[8];"]), ["f64 kept_x[8];"]);
    // By itself where the row is kept.
    assert_eq!(lines(program, &["return {load_pack<2>(by + "]).len(), 1);
}

#[test]
fn a_row_of_one_phase_keeps_nothing() {
    let program = "pub fn sums(m: &Matrix<f32>) -> Vector<f32> { m.rows().map(|row| row.sum()) }";
    assert!(lines(program, &["kept_"]).is_empty());
}

#[test]
fn an_operator_in_order_has_other_points() {
    let program = "pub fn last(m: &Matrix<i32>) -> Matrix<i32> {
        m.rows().map(|row| {
            let last = row.fold1(|_, b| b);
            row.map(|x| x - last)
        })
    }";
    assert!(lines(program, &["kept_"]).is_empty());
}
