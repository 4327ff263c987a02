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
    // The powers take the registers of what they are powers of.
    let arrays = lines(program, &["kept]"]);
    assert_eq!(
        arrays,
        ["f32 kept_x[kept];", "f32 (&kept_p)[kept] = kept_x;"]
    );
    let kept = "constexpr u32 kept = Team::share < 32 ? Team::share : 32, rounds = kept / 4;";
    assert_eq!(lines(program, &["Team::share"]), [kept]);
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
    assert_eq!(lines(program, &["[kept];"]), ["f64 kept_x[kept];"]);
    assert_eq!(lines(program, &["Team::share < 16"]).len(), 1);
    // By itself where the row is kept, a few loads at a time.
    assert_eq!(
        lines(program, &["return {load_pack<2>(by_from + "]).len(),
        1
    );
    assert_eq!(lines(program, &["read_first<rounds, 4, Index>("]).len(), 1);
}

#[test]
fn what_is_needed_later_keeps_its_registers() {
    let program = "pub fn centred(m: &Matrix<f32>) -> Matrix<f32> {
        m.rows().map(|row| {
            let top = row.max();
            let powers = row.map(|x| (x - top).exp());
            let total = powers.sum();
            row.zip(&powers).map(|(x, p)| (x - top) - p / total)
        })
    }";
    assert_eq!(
        lines(program, &["[kept]"]),
        [
            "f32 kept_x[kept];",
            "f32 (&kept_x_15)[kept] = kept_x;",
            "f32 kept_p[kept];"
        ]
    );
    // Differences and powers at once.
    assert_eq!(lines(program, &["Team::share < 16"]).len(), 1);
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
