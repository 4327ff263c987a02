//! Scans of rows, and what is reduced where they come by.

use super::lines;

#[test]
fn a_tile_has_room_for_what_is_scanned_whatever_is_folded() {
    let program = "pub fn beside(m: &Matrix<u64>) -> Matrix<u64> {
        m.rows().map(|row| {
            let (a, (b, c)) = row.map(|x| (x, (x, x))).fold((0, (0, 0)), |(a, (b, c)), (x, (y, z))| (a + x, (b ^ y, c | z)));
            row.cumsum().map(|x| x + a * b ^ c)
        })
    }";
    // Seven of eight bytes for each of 256 threads; the fold's state has three times eight.
    assert_eq!(
        lines(program, &["SHARED(u64, tile"]),
        ["SHARED(u64, tile, 1792);"; 2]
    );
    assert_eq!(
        lines(program, &["SHARED(u64, slots"]),
        ["SHARED(u64, slots, 48);"; 2]
    );
}

#[test]
fn slots_have_room_for_what_is_reduced_after_a_scan() {
    let program = "pub fn reduced(m: &Matrix<i32>) -> (Vector<i64>, Vector<i64>) {
        let sums = m.cumsum();
        (sums.map(|x| x as i64).fold(0, |a, x| a.max(x)), sums.map(|x| x as i64 * 3).sum())
    }";
    assert_eq!(
        lines(program, &["SHARED(u64, tile"]),
        ["SHARED(u64, tile, 1920);"; 2]
    );
    assert_eq!(
        lines(program, &["SHARED(u64, slots"]),
        ["SHARED(u64, slots, 32);"; 2]
    );
}

#[test]
fn blocks_share_a_row_only_if_nothing_is_reduced_after_its_scan() {
    let of = |result: &str| {
        format!("pub fn rows(m: &Matrix<i32>) -> Vector<i32> {{ m.rows().map(|row| {result}) }}")
    };
    let chained = |result: &str| lines(&of(result), &["chained_team team("]).len();
    assert_eq!(chained("row.cumsum()[row.len() - 1]"), 2);
    assert_eq!(chained("row.cumsum().fold(0, |a, x| a.max(x))"), 0);
}

#[test]
fn what_holds_is_counted_and_takes_no_room() {
    let of = |scanned: &str| {
        let program = format!("pub fn f(xs: &Vector<i32>) -> {scanned}");
        [
            lines(&program, &["count_row<Index>("]).len(),
            lines(&program, &["SHARED(u64, tile"]).len(),
        ]
    };
    assert_eq!(of("Vector<i32> { xs.filter(|x| x > 0) }"), [1, 0]);
    assert_eq!(
        of("Vector<u64> { xs.map(|x| (x > 0) as u64).cumsum() }"),
        [1, 0]
    );
    // Four entries of a block or several, of narrow and of wide indices.
    assert_eq!(of("Vector<u64> { xs.map(|x| x as u64).cumsum() }"), [0, 4]);
    assert_eq!(
        of("Vector<u64> { xs.map(|x| (x > 0) as u64).scan(0, |a, x| a ^ x) }"),
        [0, 4]
    );
}
