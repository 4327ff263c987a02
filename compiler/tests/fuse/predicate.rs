//! Checks of counted loops, made before them.

use super::{agree_on, build, source};
use accelerate_compiler::fuse::{Options, fuse};
use accelerate_compiler::ir::Site;
use accelerate_compiler::ir::eval::Failed;
use accelerate_compiler::plan::interpret;

/// The plan of a function of three numbers and an array of these extents; it reports what a loop meets first: the site, the index
/// and the extent.
fn reports(function: &str, sizes: &[&[u64]], first: impl Fn(&[u64]) -> Option<(u32, u64, u64)>) {
    let lists: Vec<Vec<&[u64]>> = sizes.iter().map(|size| vec![&[3][..], size]).collect();
    agree_on(
        function,
        &lists.iter().map(Vec::as_slice).collect::<Vec<_>>(),
    );
    let program = source::program(function);
    let plan = fuse(&program, &Options::default());
    for size in sizes {
        let arrays = [build::numbers(&[3]), build::numbers(size)];
        let wanted = first(size).map(|(site, index, extent)| Failed {
            site: Site(site),
            values: vec![index as i64, extent as i64],
        });
        let found = interpret::run(&plan, &[], &arrays).err();
        assert_eq!(wanted, found, "{size:?}\n{plan}");
    }
    let text = plan.to_string();
    let inside = in_loops(&text);
    assert!(!inside.contains("check"), "{plan}");
}

/// What stands in loops.
fn in_loops(plan: &str) -> &str {
    let (_, loops) = plan.split_once("loop {").expect("a loop");
    loops.split("result[").next().expect("a part")
}

#[test]
fn the_first_round_that_fails_is_reported() {
    let function = "pub fn f(xs: &Vector<f32>, y: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| { let mut s = x; for i in 0..5 { s = s * y[i + 2] + y[i]; } s })
    }";
    let sizes: Vec<[u64; 1]> = (0..9).map(|n| [n]).collect();
    let sizes: Vec<&[u64]> = sizes.iter().map(|size| &size[..]).collect();
    reports(function, &sizes, |size| match size[0] {
        0 => Some((0, 2, 0)),
        n @ 1..7 => Some((0, n.max(2), n)),
        _ => None,
    });
    // The greatest index comes first.
    let falling = function.replace("0..5", "(0..5).rev()");
    reports(&falling, &sizes, |size| match size[0] {
        n @ 0..7 => Some((0, 6, n)),
        _ => None,
    });
    let steps = function.replace("y[i + 2]", "y[2 * i]");
    reports(&steps, &sizes, |size| match size[0] {
        0 => Some((0, 0, 0)),
        n @ 1..9 => Some((0, n.next_multiple_of(2), n)),
        _ => None,
    });
    // A counter that may be negative, as far as its type goes.
    let signed = function
        .replace("0..5", "0..5i32")
        .replace("y[i + 2]", "y[(i + 2) as usize]")
        .replace("y[i]", "y[i as usize]");
    reports(&signed, &sizes, |size| match size[0] {
        0 => Some((0, 2, 0)),
        n @ 1..7 => Some((0, n.max(2), n)),
        _ => None,
    });
}

#[test]
fn nested_loops_leave_their_checks_before_the_outermost() {
    let sizes: Vec<[u64; 2]> = (0..30).map(|k| [k / 6, k % 6]).collect();
    let sizes: Vec<&[u64]> = sizes.iter().map(|size| &size[..]).collect();
    let function = "pub fn f(xs: &Vector<f32>, m: &Matrix<f32>) -> Vector<f32> {
        xs.map(|x| {
            let mut s = x;
            for i in 0..3 { for j in 0..4 { s += m[(i, j)]; } }
            s
        })
    }";
    reports(function, &sizes, |size| match (size[0], size[1]) {
        (0, _) => Some((0, 0, 0)),
        (_, columns @ 0..4) => Some((1, columns, columns)),
        (rows @ 1..3, _) => Some((0, rows, rows)),
        _ => None,
    });
}

#[test]
fn checks_beside_others_that_change_are_reported_in_turn() {
    let sizes: Vec<[u64; 2]> = (0..30).map(|k| [k / 6, k % 6]).collect();
    let sizes: Vec<&[u64]> = sizes.iter().map(|size| &size[..]).collect();
    let function = "pub fn f(xs: &Vector<f32>, m: &Matrix<f32>) -> Vector<f32> {
        xs.map(|x| { let mut s = x; for i in 0..4 { s += m[(i, i + 1)]; } s })
    }";
    reports(function, &sizes, |size| {
        (0..4).find_map(|i| match (i < size[0], i + 1 < size[1]) {
            (false, _) => Some((0, i, size[0])),
            (true, false) => Some((1, i + 1, size[1])),
            _ => None,
        })
    });
    let falling = function.replace("(i, i + 1)", "(3 - i, i)");
    reports(&falling, &sizes, |size| {
        (0..4).find_map(|i| match (3 - i < size[0], i < size[1]) {
            (false, _) => Some((0, 3 - i, size[0])),
            (true, false) => Some((1, i, size[1])),
            _ => None,
        })
    });
}

#[test]
fn checks_that_the_count_does_not_decide_stay() {
    for function in [
        // Another check may fail first.
        "pub fn f(xs: &Vector<f32>, y: &Vector<f32>) -> Vector<f32> {
            xs.map(|x| { let mut s = x; for i in 0..4 { s += y[i] + xs[(s as usize) % 5]; } s })
        }",
        // A round may be the last one.
        "pub fn f(xs: &Vector<f32>, y: &Vector<f32>) -> Vector<f32> {
            xs.map(|x| { let mut s = x; for i in 0..4 { if s > 3.0 { break; } s += y[i]; } s })
        }",
        // The index goes down, below zero.
        "pub fn f(xs: &Vector<f32>, y: &Vector<f32>) -> Vector<f32> {
            xs.map(|x| { let mut s = x; for i in 0..4 { s += y[2 - i]; } s })
        }",
        // It is another one for each element.
        "pub fn f(xs: &Vector<f32>, y: &Vector<f32>) -> Vector<f32> {
            xs.map_indexed(|k, x| { let mut s = x; for i in 0..4 { s += y[k + i]; } s })
        }",
    ] {
        agree_on(
            function,
            &[&[&[3], &[2]], &[&[3], &[9]], &[&[0], &[0]], &[&[7], &[5]]],
        );
        let program = source::program(function);
        let plan = fuse(&program, &Options::default()).to_string();
        assert!(in_loops(&plan).contains("check"), "{plan}");
    }
}
