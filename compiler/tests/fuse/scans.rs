//! What is reduced of scans of rows, where they come by and elsewhere.

use super::{agree_on, source};
use accelerate_compiler::fuse::Options;
use accelerate_compiler::fuse::fuse;
use accelerate_compiler::pass;

/// A function of a matrix's rows.
fn of_rows(result: &str) -> String {
    format!("pub fn f(m: &Matrix<f32>) -> Vector<f32> {{ m.rows().map(|row| {result}) }}")
}

/// How many kernels it has.
pub(super) fn kernels(function: &str) -> usize {
    let program = pass::run(source::program(function), &pass::Options::default());
    fuse(&program, &Options::default()).kernels.len()
}

#[test]
fn reductions_in_any_order_are_made_where_a_scan_comes_by() {
    let results = [
        "row.cumsum().max()",
        "row.rscan1(|x, sum| x + sum).zip(row).map(|(sum, x)| sum - x).sum()",
        "row.scan_exclusive(2.0, |a, x| a * x).0.map(|x| x.sqrt()).fold(1.0, |a, x| a.min(x))",
        "row.scan(1.0, |a, x| a + x).sum()",
        "row.cumsum().reverse().product()",
        "row.cumsum().fold(row.min() + row.len() as f32, |a, x| a.max(x)) / row.cumsum().sum()",
    ];
    for result in results {
        let function = of_rows(result);
        assert_eq!(kernels(&function), 1, "{result}");
        let all: &[&[&[u64]]] = &[&[&[0, 3]], &[&[2, 0]], &[&[3, 1]], &[&[2, 5]]];
        agree_on(&function, all);
    }
}

#[test]
fn an_axis_whose_length_may_fail_is_read_from_its_end() {
    let function = "pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        let kept = xs.filter(|_| true);
        let later = kept.skip(kept.len() / 2);
        let lengths = later.map(|_| 2_usize).histogram(7);
        later.rscan1_segmented(&lengths, |x, last| if last < x { last } else { x })
    }";
    agree_on(function, &[&[&[4]], &[&[1]], &[&[0]], &[&[37]]]);
}

#[test]
fn others_wait_for_the_whole_scan() {
    let results = [
        "row.cumsum().fold(1.0, |_, x| x)",
        "if row.len() > 2 { row.cumsum().sum() } else { 1.0 }",
        "row.cumsum().fold(row.cummax().sum(), |a, x| a.max(x))",
        "row.cumsum().map(|x| x * row.cumsum().sum()).sum()",
        "row.cumsum().windows(2).map(|w| w[0] * w[1]).sum()",
        "row.cumsum().map(|x| { let k = x as usize; row[k % row.len()] }).sum()",
    ];
    for result in results {
        let function = of_rows(result);
        let all: &[&[&[u64]]] = &[&[&[0, 3]], &[&[2, 0]], &[&[3, 1]], &[&[2, 5]]];
        agree_on(&function, all);
    }
}

#[test]
fn what_is_reduced_behind_an_assertion_waits_for_it() {
    let results = [
        "row.cumsum().map(|x| x * ys[k]).sum()",
        "row.cumsum().fold(ys[k], |a, x| a.max(x))",
        "row.cumsum().map(|x| x + row.map(|y| y * ys[k]).sum()).sum()",
    ];
    for result in results {
        let function = format!(
            "pub fn f(m: &Matrix<f32>, xs: &Vector<f32>, ys: &Vector<f32>) -> Vector<f32> {{
                m.rows().zip(xs).map(|(row, x)| {{
                    let k = x as usize + 1000;
                    assert!(k < ys.len());
                    {result}
                }})
            }}"
        );
        let all: &[&[&[u64]]] = &[&[&[2, 3], &[2], &[1]], &[&[2, 0], &[2], &[1]]];
        agree_on(&function, all);
    }
}

#[test]
fn a_loop_without_demand_begins_with_reductions_of_scans() {
    let function = "pub fn f(m: &Matrix<f32>, xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| {
            let mut v = m.rows().map(|row| { assert!(row[0] > -1000.0); row.cumsum().sum() });
            for _ in 0..2 { v = v.map(|y| y + 1.0); }
            x + v.sum()
        })
    }";
    let all: &[&[&[u64]]] = &[&[&[2, 3], &[2]], &[&[2, 3], &[0]], &[&[2, 0], &[0]]];
    agree_on(function, all);
}

#[test]
fn a_single_row_is_shared_by_all_blocks() {
    let function = "pub fn f(xs: &Vector<f32>) -> f32 { xs.cumsum().fold(0.0, |a, x| a.max(x)) }";
    assert_eq!(kernels(function), 2);
    agree_on(function, &[&[&[0]], &[&[1]], &[&[7]]]);
}

/// Reads of a stencil are in bounds under every branch, so a scan that only a branch demands is stored: no reader folds a prefix.
#[test]
fn scans_of_stencils_in_branches_are_stored() {
    let offsets = ["(0, -1)", "(0, 2)", "(-1, 0)", "(2, 0)", "(-2, -1)"];
    for boundary in ["Clamp", "Wrap", "Reflect", "Mirror", "Constant(1.0)"] {
        for offset in offsets {
            let function = format!(
                "pub fn f(m: &Matrix<f32>, c: &Vector<f32>) -> Vector<f32> {{
                    let around = m.stencil({boundary}, |w| w[{offset}]);
                    around.rows().zip(c).map(|(row, c)| if c > 3.0 {{
                        row.scan(0.0, |a, b| a + b).map(|x| x * x).sum()
                    }} else {{
                        0.0
                    }})
                }}"
            );
            assert_eq!(kernels(&function), 2, "{function}");
            agree_on(
                &function,
                &[&[&[0, 3], &[0]], &[&[1, 1], &[1]], &[&[3, 4], &[3]]],
            );
        }
    }
}

/// The extent that keeps the read in bounds and the one that is checked are equal by the zip's own check.
#[test]
fn a_map_of_a_scan_that_is_stored_guards_its_reads() {
    let function = "pub fn f(m: &Matrix<f32>, v: &Vector<f32>) -> Vector<f32> {
        m.rows().zip(v).map(|(row, x)| {
            let at = x as usize % (v.len() + 2);
            assert!(at < v.len());
            let k = v[at];
            row.scan1(|a, b| a * b).map(|j| j * k).fold(3.0, |a, b| a.min(b))
        })
    }";
    let all: &[&[&[u64]]] = &[
        &[&[0, 3], &[0]],
        &[&[1, 2], &[1]],
        &[&[4, 0], &[4]],
        &[&[5, 3], &[5]],
    ];
    agree_on(function, all);
}

#[test]
fn what_a_compaction_gathers_is_gathered_once() {
    let of = |element: &str, result: &str| {
        format!(
            "pub fn f(places: &Vector<f32>, xs: &Vector<f32>, ys: &Vector<f32>, zs: &Vector<f32>) -> {result} {{
                places.map(|p| {{ let p = p as usize % 3; {element} }}).filter(|x| x < 0.5)"
        )
    };
    let anywhere = "xs[p] + ys[p] * zs[p]";
    let all: &[&[&[u64]]] = &[
        &[&[0], &[3], &[3], &[3]],
        &[&[7], &[3], &[3], &[3]],
        &[&[7], &[3], &[3], &[2]],
    ];
    for (element, rest, result, expected) in [
        (anywhere, "}", "Vector<f32>", 2),
        (anywhere, ".len() }", "usize", 1),
        ("xs[p] * 2.0", "}", "Vector<f32>", 1),
    ] {
        let function = of(element, result) + rest;
        assert_eq!(kernels(&function), expected, "{function}");
        agree_on(&function, all);
    }
}
