//! Branches and loops over arrays, scalar loops, and checks.

use super::build::{array, f32, index, numbers, output, program, scalar, sum};
use super::{agree, agree_on, source};
use accelerate_compiler::fuse::{Options, fuse};
use accelerate_compiler::ir::{Failure, Id, Node, Place, Program, Site, Type};
use accelerate_compiler::pass;
use accelerate_compiler::plan::Step;
use accelerate_compiler::scalar::{Binary, Leaf, Scalar};
use accelerate_compiler::spans::SpanId;

fn site(p: &mut Program) -> Site {
    p.sites.push(Place {
        kind: Failure::OutOfBounds,
        message: "index {0} of an axis of {1}".to_owned(),
        span: SpanId::NONE,
    });
    Site(p.sites.len() as u32 - 1)
}

/// A read that is checked.
fn read(p: &mut Program, array: Id, at: Id) -> Id {
    let n = p.extents(array)[0];
    let condition = p.binary(Binary::Lt, at, n);
    let value = index(p, array, &[at]);
    let site = site(p);
    p.add(Node::Guard {
        condition,
        site,
        values: vec![at, n],
        value,
    })
}

/// `for _ in 0..rounds { xs = map(xs) }`, with the extent in the state.
fn repeated(
    p: &mut Program,
    xs: Id,
    rounds: Id,
    map: impl FnOnce(&mut Program, Id) -> Id,
) -> Vec<Id> {
    let n = p.extents(xs)[0];
    let (k_var, k) = p.index_var();
    let (n_var, n_state) = p.index_var();
    let xs_var = p.var(Type::Array(Leaf::F32, vec![n_state]));
    let state = p.add(Node::Variable(xs_var));
    let zero = p.usize(0);
    let one = p.usize(1);
    let condition = p.binary(Binary::Lt, k, rounds);
    let next_k = p.binary(Binary::Add, k, one);
    let next = p.generate(vec![n_state], |p, ix| {
        let x = index(p, state, ix);
        map(p, x)
    });
    let bundle = p.add(Node::Loop {
        state: vec![k_var, n_var, xs_var],
        initial: vec![zero, n, xs],
        condition,
        next: vec![next_k, n_state, next],
    });
    p.components(bundle)
}

#[test]
fn loop_over_an_array_uses_two_buffers() {
    let mut p = program("relax");
    let rounds = scalar(&mut p, "rounds", Leaf::U64);
    let (xs, _) = array(&mut p, "xs", 1);
    let results = repeated(&mut p, xs, rounds, |p, x| {
        let half = f32(p, 0.5);
        p.binary(Binary::Mul, x, half)
    });
    output(&mut p, results[2]);
    let some = Scalar::number(Leaf::U64, 3);
    let none = Scalar::number(Leaf::U64, 0);
    let plan = agree(
        &p,
        &[
            (&[some], &[numbers(&[4])]),
            (&[none], &[numbers(&[4])]),
            (&[some], &[numbers(&[0])]),
        ],
    );
    let allocations = plan.to_string().matches("allocate").count();
    assert_eq!(allocations, 1, "{plan}");
    assert_eq!(plan.cost.kernels, 1, "{plan}");
}

#[test]
fn branch_over_arrays_runs_one_side() {
    let mut p = program("either");
    let flag = scalar(&mut p, "flag", Leaf::Bool);
    let (xs, n) = array(&mut p, "xs", 1);
    let then = p.generate(n.clone(), |p, ix| {
        let (x, one) = (index(p, xs, ix), f32(p, 1.0));
        p.binary(Binary::Add, x, one)
    });
    let bundle = p.add(Node::If {
        condition: flag,
        then: vec![n[0], then],
        otherwise: vec![n[0], xs],
    });
    let results = p.components(bundle);
    output(&mut p, results[1]);
    let (yes, no) = (Scalar::bool(true), Scalar::bool(false));
    let plan = agree(&p, &[(&[yes], &[numbers(&[4])]), (&[no], &[numbers(&[4])])]);
    assert!(
        plan.steps
            .iter()
            .any(|step| matches!(step, Step::If { .. })),
        "{plan}"
    );
}

#[test]
fn while_on_the_data_reads_back() {
    let mut p = program("settle");
    let (xs, n) = array(&mut p, "xs", 1);
    let n = n[0];
    let (n_var, n_state) = p.index_var();
    let xs_var = p.var(Type::Array(Leaf::F32, vec![n_state]));
    let state = p.add(Node::Variable(xs_var));
    let total = sum(&mut p, &[n_state], |p, ix| {
        let x = index(p, state, ix);
        p.binary(Binary::Mul, x, x)
    });
    let limit = f32(&mut p, 0.25);
    let condition = p.binary(Binary::Lt, limit, total);
    let next = p.generate(vec![n_state], |p, ix| {
        let (x, half) = (index(p, state, ix), f32(p, 0.5));
        p.binary(Binary::Mul, x, half)
    });
    let bundle = p.add(Node::Loop {
        state: vec![n_var, xs_var],
        initial: vec![n, xs],
        condition,
        next: vec![n_state, next],
    });
    let results = p.components(bundle);
    output(&mut p, results[1]);
    let plan = agree(&p, &[(&[], &[numbers(&[5])]), (&[], &[numbers(&[0])])]);
    assert_eq!(plan.cost.kernels, 2, "{plan}");
}

#[test]
fn scalar_state_of_a_loop_over_arrays_stays_on_the_device() {
    let mut p = program("power");
    let rounds = scalar(&mut p, "rounds", Leaf::U64);
    let (xs, n) = array(&mut p, "xs", 1);
    let (k_var, k) = p.index_var();
    let s_var = p.var(Type::Scalar(Leaf::F32));
    let s = p.add(Node::Variable(s_var));
    let (zero, one, start) = (p.usize(0), p.usize(1), f32(&mut p, 1.0));
    let condition = p.binary(Binary::Lt, k, rounds);
    let next_k = p.binary(Binary::Add, k, one);
    let next = sum(&mut p, &n, |p, ix| {
        let x = index(p, xs, ix);
        p.binary(Binary::Mul, x, s)
    });
    let bundle = p.add(Node::Loop {
        state: vec![k_var, s_var],
        initial: vec![zero, start],
        condition,
        next: vec![next_k, next],
    });
    let results = p.components(bundle);
    output(&mut p, results[1]);
    let rounds = Scalar::number(Leaf::U64, 3);
    let plan = agree(&p, &[(&[rounds], &[numbers(&[4])])]);
    assert!(!plan.to_string().contains("read t"), "{plan}");
}

#[test]
fn extents_may_depend_on_the_data() {
    let mut p = program("front");
    let (xs, n) = array(&mut p, "xs", 1);
    let total = sum(&mut p, &n, |p, ix| {
        let x = index(p, xs, ix);
        p.binary(Binary::Mul, x, x)
    });
    let length = p.add(Node::Cast(Leaf::U64, total));
    let result = p.generate(vec![length], |p, ix| p.add(Node::Cast(Leaf::F32, ix[0])));
    output(&mut p, result);
    let plan = agree(&p, &[(&[], &[numbers(&[4])])]);
    assert!(plan.to_string().contains("= read "), "{plan}");
}

#[test]
fn guarded_reads_report_the_first_failure() {
    let mut p = program("shifted");
    let by = scalar(&mut p, "by", Leaf::U64);
    let (xs, n) = array(&mut p, "xs", 1);
    let result = p.generate(n, |p, ix| {
        let at = p.binary(Binary::Add, ix[0], by);
        let x = read(p, xs, at);
        let y = read(p, xs, at);
        p.binary(Binary::Mul, x, y)
    });
    output(&mut p, result);
    let by = |value| Scalar::number(Leaf::U64, value);
    agree(
        &p,
        &[
            (&[by(0)], &[numbers(&[4])]),
            (&[by(2)], &[numbers(&[4])]),
            (&[by(2)], &[numbers(&[0])]),
        ],
    );
}

#[test]
fn scalar_loops_and_branches_stay_in_the_kernel() {
    let mut p = program("escape");
    let (xs, n) = array(&mut p, "xs", 1);
    let result = p.generate(n, |p, ix| {
        let x = index(p, xs, ix);
        let (k_var, k) = p.index_var();
        let z_var = p.var(Type::Scalar(Leaf::F32));
        let z = p.add(Node::Variable(z_var));
        let (limit, four) = (p.usize(10), f32(p, 4.0));
        let near = p.binary(Binary::Lt, z, four);
        let more = p.binary(Binary::Lt, k, limit);
        let condition = p.binary(Binary::And, near, more);
        let (zero, one, start) = (p.usize(0), p.usize(1), f32(p, 0.0));
        let square = p.binary(Binary::Mul, z, z);
        let next = p.binary(Binary::Add, square, x);
        let next_k = p.binary(Binary::Add, k, one);
        let bundle = p.add(Node::Loop {
            state: vec![k_var, z_var],
            initial: vec![zero, start],
            condition,
            next: vec![next_k, next],
        });
        let count = p.add(Node::Project(bundle, 0));
        let count = p.add(Node::Cast(Leaf::F32, count));
        let inside = p.binary(Binary::Lt, x, four);
        let negative = p.unary(accelerate_compiler::scalar::Unary::Neg, count);
        let choice = p.add(Node::If {
            condition: inside,
            then: vec![count],
            otherwise: vec![negative],
        });
        p.add(Node::Project(choice, 0))
    });
    output(&mut p, result);
    let plan = agree(&p, &[(&[], &[numbers(&[11])])]);
    assert_eq!(plan.cost.kernels, 1, "{plan}");
}

#[test]
fn states_of_rounds_begin_with_constants_of_the_rounds() {
    let function = "pub fn f(xs: &Vector<f32>) -> usize {
        let mut s = 1_usize;
        for _ in 0..2_usize { s = xs.map(|_| s).sum(); }
        s
    }";
    agree_on(function, &[&[&[3]]]);
}

#[test]
fn states_of_loops_have_the_extents_that_everything_else_has() {
    let bodies = [
        "xs.cumsum().filter(|x| x > 1.0)",
        "fill(xs.cumsum().map(|x| x as usize % 5).sum(), 0.5)",
        "fill(xs.sort().map(|x| x as usize % 5).sum(), 0.5)",
        "xs.filter_map(|x| if [true, false][(x * 0.0 + a.sum()) as usize % 2] { Some(x) } else { None })",
        "xs.filter_map(|x| if [true, false, true][a.sum() as usize % 4] { Some(x) } else { None })",
    ];
    let all: &[&[&[u64]]] = &[&[&[0], &[0]], &[&[2], &[0]], &[&[3], &[5]], &[&[0], &[3]]];
    for body in bodies {
        let function = format!(
            "pub fn f(a: &Vector<f32>, xs: &Vector<f32>) -> (Matrix<f32>, Vector<f32>) {{
                let kept = {body};
                let mut v = kept;
                for _ in 0..a.len() {{ v = v.map_indexed(|i, x| x - v[i / 2]); }}
                let turned = kept.chunks_exact(2).map(|pair| {{
                    let mut v = pair;
                    for _ in 0..a.len() {{ v = v.map_indexed(|i, x| x - v[1 - i]); }}
                    v
                }});
                (turned, v)
            }}"
        );
        agree_on(&function, all);
    }
}

#[test]
fn both_sides_of_a_branch_need_what_comes_out_of_a_loop_over_arrays() {
    let function = "pub fn f(a: &Vector<f32>) -> Vector<u8> {
        let count = {
            let mut v = a.clone();
            let mut count = 0_u8;
            let mut q = 0_usize;
            while q < 3 { v = v.map(|x| [x, x][q % 2]); count = 1; q += 1; }
            count
        };
        a.map(|_| if (3_i32 >> 2) == 0 { count } else { [true, false][count as usize] as u8 })
    }";
    agree_on(function, &[&[&[0]], &[&[3]]]);
}

#[test]
fn rows_of_a_loop_begin_with_what_comes_by_in_a_scan() {
    let function = "pub fn f(a: &Vector<f32>) -> Matrix<f32> {
        let totals = a.windows(2).map(|pair| {
            let (_, total) = pair.scan_exclusive(1.0_f32, |_, b| b);
            total
        });
        totals.chunks_exact(4).map(|four| {
            let mut v = four;
            for _ in 0..1 { v = v.map_indexed(|i, x| v[(i + 1) % 4].max(x)); }
            v
        })
    }";
    agree_on(function, &[&[&[0]], &[&[4]], &[&[9]], &[&[14]]]);
}

#[test]
fn rows_that_are_made_once_are_read_in_a_loop() {
    let rows = [
        "windows(2).map(|w| w.scatter(|a, b| a * b, w, |i, _| Some(i)))",
        "windows(2).map(|w| if w[0] > 1.0 { w.scatter(|a, b| a * b, w, |i, _| Some(i)) } else { w })",
        "windows(2).map(|w| w.scatter(|a, b| a * b, w, |i, x| { assert!(x < 100.0); Some(i) }))",
        "windows(2).map(|w| { let mut v = w; for q in 0..2 { v = v.map_indexed(|i, x| x - v[(i + q) % 2]); } v })",
        "windows(2).map(|w| w.sort_by(|a, b| (b - w[0]).total_cmp(&(a - w[0]))))",
    ];
    for rows in rows {
        let function = format!(
            "pub fn f(xs: &Vector<f32>) -> Vector<f32> {{
                let rows = xs.{rows};
                let picked = |x| {{
                    let mut s = x;
                    for q in 0..3_usize {{ s = s * 0.5 + rows.get((q, q % 2)).unwrap_or(x); }}
                    s
                }};
                xs.map(|x| if x > 1.0 {{ rows[(0, x as usize % 2)] }} else {{ picked(x) }})
            }}"
        );
        agree_on(&function, &[&[&[0]], &[&[3]]]);
    }
}

#[test]
fn folds_that_wait_for_each_other_are_no_group() {
    let function = "pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        let last = |x| xs.map(|_| xs.map(|_| x).fold(-3.0, |_, b| b)).fold(2.0, |_, b| b);
        xs.sort_by(|a, b| last(b).total_cmp(&last(a)))
    }";
    agree_on(function, &[&[&[0]], &[&[1]], &[&[6]]]);
}

#[test]
fn what_a_count_amounts_to_is_not_counted_again() {
    let function = "pub fn f(xs: &Vector<f32>) -> Matrix<f32> {
        let near = xs.indices_of(|x| x > 1.0).windows(3);
        near.map(|three| three.map(|i| if i < 3 { 1.0 } else { 2.0 })).rows().map(|row| {
            let _ = row.fold(0.5, |a, _| a);
            row.map(|_| 1.0)
        })
    }";
    agree_on(function, &[&[&[0]], &[&[3]], &[&[9]]]);
}

#[test]
fn component_that_nobody_reads() {
    // Both sides of the `concat_axis` need what has the loop's `s` beside it, and neither needs `s`.
    let function = "pub fn f(a: &Vector<f32>) -> Matrix<f32> {
        let scaled = a.map(|x| {
            let mut v = fill(2, 3.0_f32);
            let mut s = 1.0_f32;
            for _ in 0..3 {
                v = v.map(|y| y + y);
                s = s + s;
            }
            v.map(|y| x * y)
        });
        scaled.concat_axis(1, scaled.map(|x| x * 5.0))
    }";
    agree_on(function, &[&[&[3]], &[&[1]], &[&[0]]]);
}

#[test]
fn extents_of_the_state_are_compared_before_the_round() {
    // In the first round they are those of `start`, later those of the result of a round.
    let function = "pub fn f(start: &Vector<f32>, m: &Matrix<f32>) -> Vector<f32> {
        let mut p = start.clone();
        for _ in 0..2 {
            p = m.rows().map(|row| row.zip_with(p, |a, b| a * b).max());
        }
        p
    }";
    let fitting: &[&[u64]] = &[&[3], &[3, 3]];
    let once: &[&[u64]] = &[&[3], &[2, 3]];
    let never: &[&[u64]] = &[&[2], &[3, 3]];
    let empty: &[&[u64]] = &[&[0], &[3, 0]];
    let rowless: &[&[u64]] = &[&[2], &[0, 3]];
    agree_on(function, &[fitting, once, never, empty, rowless]);
    let program = pass::run(source::program(function), &pass::Options::default());
    let plan = fuse(&program, &Options::default()).to_string();
    assert!(plan.contains("together fold"), "{plan}");
}

/// A scalar that a program computes once is computed once, however many elements and rounds read it.
#[test]
fn scalar_loops_run_once() {
    let loops = [
        "for k in 0..n { a = a * 3 + k; }",
        "while a > 7 { a = if a % 2 == 0 { a / 2 } else { a * 3 + 1 }; }",
        "for k in 0..xs.len() as u64 { a = a * 3 + k; }",
        "for k in 0..n { a = a * 3 + 100 / (k % 5); }",
    ];
    let uses = [
        "xs.map(|x| x ^ a)",
        "fill(1, xs.map(|x| x ^ a).sum())",
        "{ let mut ys = xs; for r in 0..n { ys = ys.map(|x| x * 3 ^ a); } ys }",
        "{ let mut ys = xs; while ys[0] > a { ys = ys.map(|x| x / (a + 2)); } ys }",
    ];
    for body in loops {
        for result in uses {
            let text = format!(
                "pub fn f(xs: &Vector<u64>, n: u64) -> Vector<u64> {{ let mut a = n; {body} {result} }}"
            );
            let program = pass::run(source::program(&text), &Options::default());
            let plan = fuse(&program, &Options::default()).to_string();
            let (host, kernels) = plan.split_once("\nkernel ").expect("a kernel");
            assert!(!kernels.contains("loop {"), "{text}\n{plan}");
            // Not in the rounds of the loop over arrays.
            let inner = host.lines().filter(|line| line.ends_with("loop {"));
            let nested = inner.filter(|line| line.starts_with("    "));
            assert_eq!(nested.count(), 0, "{text}\n{plan}");
        }
    }
}

/// What the elements of a row share is computed once a row.
#[test]
fn row_loops_run_once() {
    let loops = [
        "for _ in 0..20 { a = a * 3; }",
        "for k in 0..row[0] { a = a * 3 + k; }",
        "for k in 0..n { a = a * 3 + 100 / (k % 5) + row[0]; }",
        "while a > 7 { a = if a % 2 == 0 { a / 2 } else { a * 3 + row.sum() }; }",
        "while a > 7 { a = row.map(|x| x % a).sum(); }",
    ];
    let uses = [
        "row.map(|x| x ^ a)",
        "row.map(|x| x ^ a + row.map(|x| x * a).sum())",
        "row.zip_with(row.rotate_left(1), |x, y| x ^ y ^ a)",
    ];
    let rows = [
        "m.rows().map(BODY)",
        "m.columns().map(BODY)",
        "m.map(|x| x + 1).rows().map(BODY)",
    ];
    let all = loops
        .iter()
        .flat_map(|body| uses.iter().map(move |result| (body, result)));
    for (body, result) in all {
        for rows in rows {
            let rows = rows.replace(
                "BODY",
                &format!("|row| {{ let mut a = row[1]; {body} {result} }}"),
            );
            let text = format!("pub fn f(m: &Matrix<u64>, n: u64) -> Matrix<u64> {{ {rows} }}");
            let program = pass::run(source::program(&text), &Options::default());
            let plan = fuse(&program, &Options::default()).to_string();
            let mut within = None;
            for line in plan.lines() {
                let depth = line.len() - line.trim_start().len();
                within = within.filter(|&each| depth > each);
                if line.contains(" each i_2 <") || line.contains("together fold") {
                    within = Some(depth);
                }
                assert!(
                    within.is_none() || !line.ends_with("loop {"),
                    "{text}\n{plan}"
                );
            }
        }
    }
}

/// A reduction of which the host decides whether it runs is computed where it stands, if at all, and once.
#[test]
fn what_the_host_decides_is_not_speculated() {
    let function = "pub fn f(m: &Matrix<f32>, v: &Vector<f32>) -> f32 {
        let mut at = v[0] as usize;
        let mut sum = 0.0;
        for _ in 0..3 {
            let row = m.row(at);
            sum += row.sum();
            at = row.argmin() % m.len();
        }
        sum
    }";
    assert_eq!(super::scans::kernels(function), 4);
    agree_on(
        function,
        &[
            &[&[3, 2], &[1]],
            &[&[2, 5], &[1]],
            &[&[0, 2], &[1]],
            &[&[1, 0], &[0]],
        ],
    );
}
