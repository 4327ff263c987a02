//! Branches that the host takes: what they need of before, and what leaves them early.

use super::{agree_on, source};
use accelerate_compiler::fuse::{Options, fuse};
use accelerate_compiler::pass;

fn plan(function: &str) -> String {
    let program = source::program(function);
    let program = pass::run(program, &Options::default());
    fuse(&program, &Options::default()).to_string()
}

/// A reduction that decides a branch is not computed again in it.
#[test]
fn what_decides_a_branch_is_there_in_it() {
    let functions = [
        (
            "pub fn f(xs: &Vector<f32>) -> Vector<f32> {
                let (low, high) = (xs.min(), xs.max());
                if low == high { return fill(xs.len(), 0.0); }
                xs.map(|x| (x - low) / (high - low))
            }",
            1,
        ),
        (
            "pub fn f(xs: &Vector<f32>) -> Vector<f32> {
                let n = xs.len() as f32;
                let mean = xs.sum() / n;
                let deviation = (xs.map(|x| (x - mean) * (x - mean)).sum() / n).sqrt();
                if deviation > 0.0 { xs.map(|x| (x - mean) / deviation) } else { xs.rotate_left(1) }
            }",
            2,
        ),
        (
            "pub fn f(xs: &Vector<f32>) -> Vector<f32> {
                let mut ys = xs.clone();
                let mut q = 0;
                while ys.sum() > 10.0 && q < 3 {
                    let s = ys.sum();
                    ys = if s > 20.0 { ys.map(|y| y / s) } else { ys.map(|y| y - s).scan1(|a, b| a.max(b)) };
                    q += 1;
                }
                ys
            }",
            2,
        ),
    ];
    for (function, folds) in functions {
        let plan = plan(function);
        assert_eq!(
            plan.matches("together fold").count(),
            folds,
            "{function}\n{plan}"
        );
        agree_on(function, &[&[&[4]], &[&[1]], &[&[0]], &[&[37]]]);
    }
}

/// What is returned early comes out of the branch that returns it: no flag is stored.
#[test]
fn early_returns_leave_no_flags() {
    let functions = [
        "pub fn f(xs: &Vector<f32>) -> f32 {
            if xs.len() > 3 { return 1.0; }
            let t = xs.sum();
            if t > 1.0 { return t; }
            2.0
        }",
        "pub fn f(xs: &Vector<f32>) -> Vector<f32> {
            if xs.len() > 30 { return xs.rotate_left(1); }
            match xs.len() {
                0 => return xs.clone(),
                1 => xs.map(|x| x + 1.0),
                _ => { if xs.len() > 9 { return xs.cumsum(); } xs.map(|x| x * 2.0) }
            }
        }",
        "fn g(xs: &Vector<f32>, y: f32) -> (f32, Vector<f32>) {
            if xs.len() == 1 { return (y, xs.map(|x| x - y)); } else if xs.len() == 4 { return (1.0, xs.clone()); }
            (xs.sum(), xs.map(|x| x * y))
        }
        pub fn f(xs: &Vector<f32>) -> (f32, Vector<f32>) { let (y, ys) = g(xs, 2.0); g(&ys, y) }",
    ];
    for function in functions {
        let plan = plan(function);
        assert!(!plan.contains("bool"), "{function}\n{plan}");
        agree_on(function, &[&[&[4]], &[&[1]], &[&[0]], &[&[37]], &[&[12]]]);
    }
}

/// A loop whose first round is its last one is none.
#[test]
fn loops_of_one_round_are_none() {
    let functions = [
        "pub fn f(xs: &Vector<f32>) -> Vector<f32> {
            xs.map(|x| {
                let s = loop { if x > 3.0 { break 1.0; } if x > 7.0 { break x + 1.0; } break 2.0; };
                x * s
            })
        }",
        "pub fn f(xs: &Vector<f32>) -> Vector<f32> {
            xs.map(|x| { let mut s = x; for k in 0..1 { s = s * x + k as f32; } s })
        }",
    ];
    for function in functions {
        let plan = plan(function);
        assert!(!plan.contains("loop {"), "{function}\n{plan}");
        agree_on(function, &[&[&[4]], &[&[0]]]);
    }
}

/// Lines of a plan that say what.
fn lines(plan: &str, what: &str) -> usize {
    plan.lines().filter(|line| line.contains(what)).count()
}

#[test]
fn a_branch_within_one_by_the_same_condition_has_one_side() {
    let function = "pub fn f(m: &Matrix<f32>) -> Vector<f32> {
        let shifted = m.rows().map(|row| { let most = row.max(); row.map(|x| most - x * x) });
        shifted.concat_axis(0, shifted.map(|x| x + 1.0)).rows().map(|row| row.sum())
    }";
    let plan = plan(function);
    assert_eq!(lines(&plan, "if "), 1, "{plan}");
    agree_on(function, &[&[&[3, 4]], &[&[0, 4]], &[&[1, 1]]]);
}

#[test]
fn what_a_conjunction_is_of_holds_where_it_does() {
    let function = "pub fn f(xs: &Vector<f32>, table: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| {
            let i = x as usize;
            match table.get(i).filter(|_| x < 9.0) {
                Some(value) => value + table.get(i).unwrap_or(1.0),
                None => 0.0,
            }
        })
    }";
    let plan = plan(function);
    assert_eq!(lines(&plan, "if "), 1, "{plan}");
    agree_on(function, &[&[&[5], &[3]], &[&[5], &[0]], &[&[20], &[40]]]);
}

#[test]
fn an_array_joined_to_itself_folds_its_rows_once() {
    let function = "pub fn f(m: &Matrix<f32>) -> Vector<f32> {
        let v = m.rows().map(|row| { let t = row.fold(0.5, |a, b| a.min(b)); row.map(|x| t - x * x) });
        v.concat_axis(0, v.map(|x| x.min(x))).rows().map(|row| row.fold(3.0, |a, b| a - b))
    }";
    let plan = plan(function);
    assert_eq!(lines(&plan, "min"), 1, "{plan}");
    agree_on(function, &[&[&[3, 4]], &[&[0, 4]], &[&[4, 0]]]);
}
