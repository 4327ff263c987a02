//! Rows whose elements lie apart, and next to those of their neighbours.

use super::lines;

/// The regimes of indices of 32 bits.
fn regimes(program: &str) -> Vec<String> {
    let entries = lines(program, &["_rows_"]);
    let of_entry = |line: &String| {
        let name = line.split('(').next()?;
        let regime = name.strip_prefix("f_rows_")?;
        (!regime.ends_with("_wide") && !regime.contains([' ', '<'])).then(|| regime.to_owned())
    };
    let not = ["row", "neighbours"];
    let mut found: Vec<String> = entries.iter().filter_map(of_entry).collect();
    found.retain(|regime| !not.contains(&&**regime));
    found
}

#[test]
fn neighbours_share_what_is_read() {
    let program = "pub fn f(m: &Matrix<f32>) -> Vector<f32> { m.columns().map(|c| c.sum()) }";
    assert_eq!(regimes(program), ["thread", "columns", "columns_grid"]);
    assert_eq!(
        lines(program, &["load_pack<4>(m"]),
        ["return {load_pack<4>(m + (n * i + first))};"]
    );
    assert_eq!(
        lines(program, &["% 4 == 0"]),
        ["if (row_count % 4 == 0) {"; 4]
    );
}

#[test]
fn states_that_are_large_leave_room_for_fewer_rows() {
    let program = "pub fn f(m: &Matrix<f32>) -> Vector<(f32, f64, f64, f64)> {
        m.columns().map(|c| {
            let wide = c.map(|x| x as f64);
            (c.max(), wide.sum(), wide.map(|x| x * x).sum(), wide.map(|x| x * x * x).sum())
        })
    }";
    assert_eq!(lines(program, &["load_pack<2>(m"]).len(), 1);
    assert!(lines(program, &["load_pack<4>(m"]).is_empty());
}

#[test]
fn rows_that_begin_apart_are_read_one_by_one() {
    let program = "pub fn f(c: &Cube<f32>) -> Matrix<f32> { c.sum_axis(1) }";
    assert!(lines(program, &["load_pack<", "_neighbours"]).is_empty());
    assert_eq!(lines(program, &["read_in_batches<8, Index>"]).len(), 1);
    assert!(regimes(program).contains(&"block".to_owned()));
}
