//! What closures over segments mean: each as the same closure of Rust's over vectors.

use super::{integers, refused, run, vector};
use accelerate_compiler::ir::eval::Array;

/// Empty ones in front, side by side, and at the end.
const SEGMENTS: [&[i32]; 7] = [&[], &[3, -1, 4], &[1], &[], &[], &[5, -9, 2, 6, 5], &[]];

fn given() -> [Array; 2] {
    let lengths: Vec<i32> = SEGMENTS.iter().map(|row| row.len() as i32).collect();
    [integers(&SEGMENTS.concat()), integers(&lengths)]
}

fn source(result: &str, body: &str) -> String {
    format!(
        "pub fn f(xs: &Vector<i32>, lengths: &Vector<i32>) -> {result} {{
            let lengths = lengths.map(|n| n as u32);
            let rows = Segmented::new(xs, &lengths);
            {body}
        }}"
    )
}

/// Elements, then offsets.
fn expected(of: impl Fn(&[i32]) -> Vec<i32>) -> Vec<f64> {
    expected_of(&SEGMENTS, of)
}

fn expected_of(segments: &[&[i32]], of: impl Fn(&[i32]) -> Vec<i32>) -> Vec<f64> {
    let rows: Vec<Vec<i32>> = segments.iter().map(|row| of(row)).collect();
    let mut offsets = vec![0];
    for row in &rows {
        offsets.push(offsets[offsets.len() - 1] + row.len() as i32);
    }
    let all = rows.concat().into_iter().chain(offsets);
    all.map(f64::from).collect()
}

fn scanned(row: &[i32], of: impl Fn(i32, i32) -> i32) -> Vec<i32> {
    let mut results: Vec<i32> = Vec::new();
    for &x in row {
        results.push(results.last().map_or(x, |&last| of(last, x)));
    }
    results
}

#[test]
fn arrays() {
    type Case = (&'static str, fn(&[i32]) -> Vec<i32>);
    let cases: [Case; 22] = [
        ("row", |row| row.to_vec()),
        ("row.map(|x| x * 2)", |row| {
            row.iter().map(|x| x * 2).collect()
        }),
        ("row.reverse()", |row| row.iter().rev().copied().collect()),
        ("row.take(row.len() / 2)", |row| {
            row[..row.len() / 2].to_vec()
        }),
        ("row.concat(row.reverse())", |row| {
            row.iter().chain(row.iter().rev()).copied().collect()
        }),
        ("iota(2).map(|i| row.len() as i32 * i as i32)", |row| {
            vec![0, row.len() as i32]
        }),
        ("row.map(|x| x - row.max())", |row| {
            row.iter().map(|x| x - row.iter().max().unwrap()).collect()
        }),
        ("{ let s = row.sum(); row.map(|x| x * s) }", |row| {
            row.iter().map(|x| x * row.iter().sum::<i32>()).collect()
        }),
        ("row.cumsum()", |row| scanned(row, |a, b| a + b)),
        ("row.scan1(|a, b| a.max(b))", |row| scanned(row, i32::max)),
        ("row.scan(7, |a, b| a + b)", |row| {
            scanned(&[&[7], row].concat(), |a, b| a + b)
        }),
        ("row.scan(row.len() as i32, |a, b| a + b)", |row| {
            scanned(&[&[row.len() as i32], row].concat(), |a, b| a + b)
        }),
        ("row.scan_exclusive(1, |a, b| a + b).0", |row| {
            scanned(&[&[1], row].concat(), |a, b| a + b)[..row.len()].to_vec()
        }),
        ("row.rscan1(|a, b| a + b)", |row| {
            (0..row.len()).map(|k| row[k..].iter().sum()).collect()
        }),
        ("row.sort()", |row| {
            let mut row = row.to_vec();
            row.sort();
            row
        }),
        ("row.sort_by_key(|x| -x).take(row.len().min(2))", |row| {
            let mut row = row.to_vec();
            row.sort_by_key(|x| -x);
            row.truncate(2);
            row
        }),
        ("row.argsort().map(|i| i as i32)", |row| {
            let mut places: Vec<i32> = (0..row.len() as i32).collect();
            places.sort_by_key(|&k| row[k as usize]);
            places
        }),
        ("row.unique()", |row| {
            let first = |k: &usize| !row[..*k].contains(&row[*k]);
            (0..row.len()).filter(first).map(|k| row[k]).collect()
        }),
        ("row.map(|x| x / 5).filter(|x| x >= 0).unique()", |row| {
            let row: Vec<i32> = row.iter().map(|x| x / 5).filter(|&x| x >= 0).collect();
            let first = |k: &usize| !row[..*k].contains(&row[*k]);
            (0..row.len()).filter(first).map(|k| row[k]).collect()
        }),
        ("row.filter(|x| x > 1)", |row| {
            row.iter().copied().filter(|&x| x > 1).collect()
        }),
        (
            "row.filter(|x| x > 1).cumsum().sort_by_key(|x| -x)",
            |row| {
                let kept: Vec<i32> = row.iter().copied().filter(|&x| x > 1).collect();
                scanned(&kept, |a, b| a + b).into_iter().rev().collect()
            },
        ),
        (
            "row.indices_of(|x| x < row[0] + 1).map(|i| i as i32)",
            |row| {
                (0..row.len() as i32)
                    .filter(|&k| row[k as usize] <= row[0])
                    .collect()
            },
        ),
    ];
    for (body, of) in cases {
        let source = source(
            "Segmented<i32>",
            &format!("rows.map_segments(|row| {body})"),
        );
        assert_eq!(run(&source, &[], &given()), Ok(expected(of)), "{body}");
    }
}

#[test]
fn elements() {
    type Case = (&'static str, fn(&[i32]) -> i32);
    let cases: [Case; 7] = [
        ("row.sum()", |row| row.iter().sum()),
        ("row.len() as i32", |row| row.len() as i32),
        ("row.fold(0, |_, x| x)", |row| {
            row.last().copied().unwrap_or(0)
        }),
        (
            "if row.is_empty() { -1 } else { row[row.len() - 1] }",
            |row| row.last().copied().unwrap_or(-1),
        ),
        ("row.map(|x| row.map(|y| x * y).sum()).sum()", |row| {
            row.iter().sum::<i32>().pow(2)
        }),
        ("row.cumsum().map(|x| x * 2).sum()", |row| {
            scanned(row, |a, b| a + b).iter().sum::<i32>() * 2
        }),
        ("row.filter(|x| x > 0).len() as i32", |row| {
            row.iter().filter(|&&x| x > 0).count() as i32
        }),
    ];
    for (body, of) in cases {
        let source = source("Vector<i32>", &format!("rows.map_segments(|row| {body})"));
        let expected: Vec<f64> = SEGMENTS.iter().map(|row| of(row).into()).collect();
        assert_eq!(run(&source, &[], &given()), Ok(expected), "{body}");
    }
}

#[test]
fn parts() {
    for (result, body, wanted) in [
        ("usize", "rows.len()", vec![7.0]),
        (
            "Vector<usize>",
            "rows.offsets()",
            vec![0.0, 0.0, 3.0, 4.0, 4.0, 4.0, 9.0, 9.0],
        ),
        (
            "Vector<usize>",
            "rows.lengths()",
            vec![0.0, 3.0, 1.0, 0.0, 0.0, 5.0, 0.0],
        ),
        ("i32", "rows.flatten().sum()", vec![16.0]),
        ("bool", "rows.is_empty()", vec![0.0]),
        (
            "Vector<usize>",
            "rows.map_segments(|row| row.filter(|x| x < 0)).offsets()",
            vec![0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0],
        ),
    ] {
        assert_eq!(
            run(&source(result, body), &[], &given()),
            Ok(wanted),
            "{body}"
        );
    }
}

#[test]
fn segments_that_are_none_of_the_values() {
    let xs = integers(&[1, 2, 3]);
    for body in [
        "rows",
        "rows.map_segments(|row| row.map(|x| x - row.len() as i32))",
        "rows.map_segments(|row| row.sort())",
        "rows.map_segments(|row| row.filter(|x| x > 0))",
    ] {
        let source = source("Segmented<i32>", body);
        let message = "lengths add up to 4 in `Segmented::new` of an axis of 3";
        let given = [xs.clone(), integers(&[3, 0, 1])];
        assert_eq!(run(&source, &[], &given), Err(message.to_owned()), "{body}");
    }
    let source = "pub fn f(xs: &Vector<f64>, at: &Vector<f64>) -> Segmented<f64> {
        let at = at.map(|x| x as usize);
        Segmented::new(xs, Offsets::new(&at))
    }";
    for (offsets, message) in [
        (
            &[0.0, 2.0][..],
            "offsets end at 2 in `Segmented::new` of an axis of 3",
        ),
        (
            &[1.0, 3.0],
            "offsets begin at 1 in `Segmented::new`, not at 0",
        ),
        (
            &[0.0, 2.0, 1.0, 3.0],
            "a segment in `Segmented::new` goes from 2 to 1",
        ),
    ] {
        let given = [vector(&[1.0, 2.0, 3.0]), vector(offsets)];
        assert_eq!(run(source, &[], &given), Err(message.to_owned()));
    }
}

#[test]
fn nothing_is_asked_of_what_is_not_there() {
    let given = [integers(&[4, 2]), integers(&[0, 2, 0])];
    let least = source(
        "Segmented<i32>",
        "rows.map_segments(|row| row.map(|x| x - row.min()))",
    );
    assert_eq!(
        run(&least, &[], &given),
        Ok(vec![2.0, 0.0, 0.0, 0.0, 2.0, 2.0])
    );
    let fails = source("Vector<i32>", "rows.map_segments(|row| row.min())");
    assert!(run(&fails, &[], &given).is_err());
    let beyond = source("Vector<i32>", "rows.map_segments(|row| row[1])");
    let message = "index 1 of an axis of 0 in `row[1]`";
    assert_eq!(run(&beyond, &[], &given), Err(message.to_owned()));
}

#[test]
fn what_has_no_flat_form() {
    for (body, wanted) in [
        (
            "row.map(|x| row.map(|y| x - y).cumsum().sum())",
            "not supported yet: this operation for each element, or only some, of each segment",
        ),
        (
            "row.scan1(|a, b| a.max(b).max(row.len() as i32))",
            "not supported yet: an operator that depends on the segment",
        ),
    ] {
        let result = if body.contains("scan1") {
            "Segmented<i32>"
        } else {
            "Vector<i32>"
        };
        let result = if body.starts_with("row.map") {
            "Segmented<i32>"
        } else {
            result
        };
        let source = source(result, &format!("rows.map_segments(|row| {body})"));
        assert_eq!(refused(&source), wanted, "{body}");
    }
}

#[test]
fn rows_are_segments_of_one_length() {
    let rows: [&[i32]; 3] = [&[3, -1, 4], &[1, 5, -9], &[2, 6, 5]];
    type Case = (&'static str, fn(&[i32]) -> Vec<i32>);
    let cases: [Case; 4] = [
        ("row.filter(|x| x > 1)", |row| {
            row.iter().copied().filter(|&x| x > 1).collect()
        }),
        ("row.filter(|x| x < row[0] + 1).cumsum().sort()", |row| {
            let kept: Vec<i32> = row.iter().copied().filter(|&x| x <= row[0]).collect();
            let mut sums = scanned(&kept, |a, b| a + b);
            sums.sort();
            sums
        }),
        ("row.concat(row).reverse()", |row| {
            row.iter().chain(row).rev().copied().collect()
        }),
        ("row.map(|x| x * row.sum())", |row| {
            row.iter().map(|x| x * row.iter().sum::<i32>()).collect()
        }),
    ];
    for (body, of) in cases {
        let source = format!(
            "pub fn f(m: &Matrix<i32>) -> Segmented<i32> {{ m.rows().map_segments(|row| {body}) }}"
        );
        let m = Array {
            extents: vec![3, 3],
            ..integers(&rows.concat())
        };
        let expected = expected_of(&rows, of);
        assert_eq!(run(&source, &[], &[m]), Ok(expected), "{body}");
    }
}
