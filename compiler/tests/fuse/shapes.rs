//! The structure of plans.

use super::build::{array, f32, index, numbers, output, program, reduce, scalar, sum};
use super::{agree, agree_on, source};
use accelerate_compiler::fuse::{Options, fuse};
use accelerate_compiler::ir::Node;
use accelerate_compiler::pass;
use accelerate_compiler::plan::{Phase, Plan, Skeleton, Step};
use accelerate_compiler::scalar::{Binary, Leaf, Math, Scalar, Unary};

fn launches(plan: &Plan) -> usize {
    let steps = plan.steps.iter();
    steps
        .filter(|step| matches!(step, Step::Launch { .. }))
        .count()
}

#[test]
fn dotp_is_one_kernel() {
    let mut p = program("dotp");
    let (xs, n) = array(&mut p, "xs", 1);
    let (ys, _) = array(&mut p, "ys", 1);
    let products = p.generate(n.clone(), |p, ix| {
        let (x, y) = (index(p, xs, ix), index(p, ys, ix));
        p.binary(Binary::Mul, x, y)
    });
    let result = sum(&mut p, &n, |p, ix| index(p, products, ix));
    output(&mut p, result);
    let plan = agree(
        &p,
        &[
            (&[], &[numbers(&[0]), numbers(&[0])]),
            (&[], &[numbers(&[5]), numbers(&[5])]),
        ],
    );
    assert_eq!(launches(&plan), 1, "{plan}");
    let Skeleton::Rowwise { phases, .. } = &plan.kernels[0].skeleton else {
        panic!("{plan}")
    };
    let [
        Phase::Uniform(_),
        Phase::Fold { folds, .. },
        Phase::Uniform(_),
    ] = &phases[..]
    else {
        panic!("{plan}")
    };
    assert_eq!(plan.cost.read.to_string(), "8 * xs.len()");
    assert_eq!(plan.cost.written.to_string(), "4");
    assert!(folds[0].contracts && folds[0].known == Some(vec![Binary::Add]));
}

#[test]
fn saxpy_is_one_kernel() {
    let mut p = program("saxpy");
    let a = scalar(&mut p, "a", Leaf::F32);
    let (xs, n) = array(&mut p, "xs", 1);
    let (ys, _) = array(&mut p, "ys", 1);
    let scaled = p.generate(n.clone(), |p, ix| {
        let x = index(p, xs, ix);
        p.binary(Binary::Mul, a, x)
    });
    let result = p.generate(n, |p, ix| {
        let (x, y) = (index(p, scaled, ix), index(p, ys, ix));
        p.binary(Binary::Add, x, y)
    });
    output(&mut p, result);
    let plan = agree(
        &p,
        &[(&[Scalar::f32(2.0)], &[numbers(&[7]), numbers(&[7])])],
    );
    assert_eq!(launches(&plan), 1, "{plan}");
}

#[test]
fn rmse_is_one_kernel() {
    let mut p = program("rmse");
    let (xs, n) = array(&mut p, "xs", 1);
    let (ys, _) = array(&mut p, "ys", 1);
    let total = sum(&mut p, &n, |p, ix| {
        let (x, y) = (index(p, xs, ix), index(p, ys, ix));
        let d = p.binary(Binary::Sub, x, y);
        p.binary(Binary::Mul, d, d)
    });
    let count = p.add(Node::Cast(Leaf::F32, n[0]));
    let mean = p.binary(Binary::Div, total, count);
    let result = p.unary(Unary::Sqrt, mean);
    output(&mut p, result);
    let plan = agree(&p, &[(&[], &[numbers(&[6]), numbers(&[6])])]);
    assert_eq!(launches(&plan), 1, "{plan}");
}

#[test]
fn variance_is_two_kernels() {
    let mut p = program("variance");
    let (xs, n) = array(&mut p, "xs", 1);
    let count = p.add(Node::Cast(Leaf::F32, n[0]));
    let total = sum(&mut p, &n, |p, ix| index(p, xs, ix));
    let mean = p.binary(Binary::Div, total, count);
    let squares = sum(&mut p, &n, |p, ix| {
        let x = index(p, xs, ix);
        let d = p.binary(Binary::Sub, x, mean);
        p.binary(Binary::Mul, d, d)
    });
    let variance = p.binary(Binary::Div, squares, count);
    output(&mut p, mean);
    output(&mut p, variance);
    let plan = agree(&p, &[(&[], &[numbers(&[6])])]);
    assert_eq!(launches(&plan), 2, "{plan}");
}

#[test]
fn two_reductions_are_one_kernel_with_one_read() {
    let mut p = program("extremes");
    let (xs, n) = array(&mut p, "xs", 1);
    let low = reduce(&mut p, Binary::Min, f32::NAN, &n, |p, ix| index(p, xs, ix));
    let high = reduce(&mut p, Binary::Max, f32::NAN, &n, |p, ix| index(p, xs, ix));
    let range = p.binary(Binary::Sub, high, low);
    output(&mut p, low);
    output(&mut p, range);
    let plan = agree(&p, &[(&[], &[numbers(&[6])])]);
    assert_eq!(launches(&plan), 1, "{plan}");
    assert_eq!(plan.to_string().matches("= xs[").count(), 1, "{plan}");
}

#[test]
fn softmax_rows_is_one_kernel() {
    let mut p = program("softmax");
    let (m, shape) = array(&mut p, "m", 2);
    let [rows, columns] = shape[..] else { panic!() };
    let high = p.generate(vec![rows], |p, i| {
        let i = i[0];
        reduce(p, Binary::Max, f32::NAN, &[columns], |p, j| {
            index(p, m, &[i, j[0]])
        })
    });
    let powers = p.generate(vec![rows, columns], |p, ix| {
        let x = index(p, m, ix);
        let high = index(p, high, &ix[..1]);
        let d = p.binary(Binary::Sub, x, high);
        p.add(Node::Math(Math::Exp, vec![d]))
    });
    let result = p.generate(vec![rows, columns], |p, ix| {
        let i = ix[0];
        let total = sum(p, &[columns], |p, j| index(p, powers, &[i, j[0]]));
        let x = index(p, powers, ix);
        p.binary(Binary::Div, x, total)
    });
    output(&mut p, result);
    let plan = agree(
        &p,
        &[
            (&[], &[numbers(&[3, 4])]),
            (&[], &[numbers(&[3, 0])]),
            (&[], &[numbers(&[0, 3])]),
        ],
    );
    assert_eq!(launches(&plan), 1, "{plan}");
    let Skeleton::Rowwise { phases, .. } = &plan.kernels[0].skeleton else {
        panic!("{plan}")
    };
    assert!(matches!(phases.last(), Some(Phase::Each { .. })), "{plan}");
    assert_eq!(
        phases
            .iter()
            .filter(|phase| matches!(phase, Phase::Fold { .. }))
            .count(),
        2
    );
}

#[test]
fn matmul_is_one_rowwise_kernel() {
    let mut p = program("matmul");
    let (a, left) = array(&mut p, "a", 2);
    let (b, right) = array(&mut p, "b", 2);
    let result = p.generate(vec![left[0], right[1]], |p, ix| {
        let (i, j) = (ix[0], ix[1]);
        sum(p, &left[1..], |p, k| {
            let (x, y) = (index(p, a, &[i, k[0]]), index(p, b, &[k[0], j]));
            p.binary(Binary::Mul, x, y)
        })
    });
    output(&mut p, result);
    let plan = agree(&p, &[(&[], &[numbers(&[2, 3]), numbers(&[3, 4])])]);
    assert_eq!(launches(&plan), 1, "{plan}");
    assert!(
        matches!(plan.kernels[0].skeleton, Skeleton::Rowwise { .. }),
        "{plan}"
    );
}

#[test]
fn views_that_cancel_copy_nothing() {
    let mut p = program("transposed_twice");
    let (m, shape) = array(&mut p, "m", 2);
    let [rows, columns] = shape[..] else { panic!() };
    let once = p.generate(vec![columns, rows], |p, ix| index(p, m, &[ix[1], ix[0]]));
    let twice = p.generate(vec![rows, columns], |p, ix| index(p, once, &[ix[1], ix[0]]));
    output(&mut p, twice);
    let plan = agree(&p, &[(&[], &[numbers(&[2, 3])])]);
    assert_eq!(launches(&plan), 0, "{plan}");

    let mut p = program("flat_and_back");
    let (m, shape) = array(&mut p, "m", 2);
    let [rows, columns] = shape[..] else { panic!() };
    let size = p.binary(Binary::Mul, rows, columns);
    let flat = p.generate(vec![size], |p, ix| {
        let i = p.binary(Binary::Div, ix[0], columns);
        let j = p.binary(Binary::Rem, ix[0], columns);
        index(p, m, &[i, j])
    });
    let back = p.generate(vec![rows, columns], |p, ix| {
        let start = p.binary(Binary::Mul, ix[0], columns);
        let at = p.binary(Binary::Add, start, ix[1]);
        index(p, flat, &[at])
    });
    output(&mut p, flat);
    output(&mut p, back);
    let plan = agree(&p, &[(&[], &[numbers(&[2, 3])])]);
    assert_eq!(launches(&plan), 0, "{plan}");

    let mut p = program("reversed_twice");
    let (xs, n) = array(&mut p, "xs", 1);
    let reverse = |p: &mut accelerate_compiler::ir::Program, of| {
        let n = n.clone();
        p.generate(n.clone(), |p, ix| {
            let one = p.usize(1);
            let last = p.binary(Binary::Sub, n[0], one);
            let at = p.binary(Binary::Sub, last, ix[0]);
            index(p, of, &[at])
        })
    };
    let once = reverse(&mut p, xs);
    let twice = reverse(&mut p, once);
    output(&mut p, twice);
    let plan = agree(&p, &[(&[], &[numbers(&[5])])]);
    assert_eq!(launches(&plan), 0, "{plan}");
}

#[test]
fn blur_of_a_mapped_image_is_decided_by_cost() {
    for (expensive, kernels) in [(false, 1), (true, 2)] {
        let mut p = program("blur");
        let (m, shape) = array(&mut p, "m", 2);
        let mapped = p.generate(shape.clone(), |p, ix| {
            let x = index(p, m, ix);
            let two = f32(p, 2.0);
            match expensive {
                true => {
                    let power = p.add(Node::Math(Math::Exp, vec![x]));
                    p.add(Node::Math(Math::Pow, vec![power, two]))
                }
                false => p.binary(Binary::Mul, x, two),
            }
        });
        p.name(mapped, "mapped");
        let blurred = p.generate(shape.clone(), |p, ix| {
            let mut total = f32(p, 0.0);
            for dy in 0..5 {
                for dx in 0..5 {
                    let at: Vec<_> = [dy, dx]
                        .iter()
                        .zip(ix)
                        .zip(&shape)
                        .map(|((&d, &i), &n)| {
                            let d = p.usize(d);
                            let i = p.binary(Binary::Add, i, d);
                            p.binary(Binary::Rem, i, n)
                        })
                        .collect();
                    let x = index(p, mapped, &at);
                    total = p.binary(Binary::Add, total, x);
                }
            }
            total
        });
        output(&mut p, blurred);
        let plan = agree(&p, &[(&[], &[numbers(&[3, 7])])]);
        assert_eq!(launches(&plan), kernels, "{plan}");
        assert_eq!(plan.notes.len(), 1, "{plan}");
    }
}

#[test]
fn failures_that_tell_of_counts_wait_for_them() {
    let function = "pub fn f(xs: &Vector<f32>) -> Matrix<f32> {
        xs.filter(|x| x > 0.0).chunks_exact(0).map(|row| row.map(|x| x + 1.0))
    }";
    agree_on(function, &[&[&[0]], &[&[3]]]);
}

/// Mathematical functions that elements share are called once for all of them.
#[test]
fn functions_of_rows_and_axes_are_shared() {
    let bodies = [
        "m.rows().map(|row| { let w = row[0].exp(); row.map(|x| x * w) })",
        "m.rows().zip(v).map(|(row, s)| { let w = s.exp() * s.sin(); row.map(|x| x * w) })",
        "m.columns().zip(u).map(|(c, s)| { let w = s.exp(); c.map(|x| x * w) }).transpose()",
        "v.outer().map(|x| { let e = x.exp(); u.map(|y| e * y) })",
        "fill((1, 1), m.rows().zip(v).map(|(row, s)| row.map(|x| x * s.exp())).sum_all())",
        "fill((1, 1), m.columns().zip(u).map(|(c, s)| c.map(|x| x + s.exp())).max_all())",
    ];
    for body in bodies {
        let function = format!(
            "pub fn f(m: &Matrix<f32>, v: &Vector<f32>, u: &Vector<f32>) -> Matrix<f32> {{ {body} }}"
        );
        let program = source::program(&function);
        let program = pass::run(program, &pass::Options::default());
        let plan = fuse(&program, &Options::default()).to_string();
        let mut inner = 0;
        for line in plan.lines() {
            let depth = line.len() - line.trim_start().len();
            if depth <= inner {
                inner = 0;
            }
            let of_all = line.contains("for each i < t1, j < t2") || line.contains("fold t");
            if of_all || line.contains("together for each") {
                inner = depth;
            }
            assert!(inner == 0 || !line.contains("exp("), "{body}\n{plan}");
        }
        assert!(plan.contains("exp("), "{body}\n{plan}");
        agree_on(
            &function,
            &[
                &[&[2, 3], &[2], &[3]],
                &[&[1, 1], &[1], &[1]],
                &[&[5, 4], &[5], &[4]],
            ],
        );
    }
}

/// What a call has at one time: results and temporaries, the dearer side of a branch, two rounds of a loop.
#[test]
fn peaks() {
    let cases = [
        ("(xs: &Vector<f32>) -> f32 { xs.map(|x| x * x).sum() }", "4"),
        (
            "(xs: &Vector<f32>) -> Vector<f32> { xs.map(|x| x * x) }",
            "4 * xs.len()",
        ),
        // The sums are gone when they have been read.
        (
            "(xs: &Vector<f32>) -> f32 { let s = xs.cumsum(); s.zip(s.reverse()).map(|(a, b)| a * b).sum() }",
            "4 * xs.len() + 4",
        ),
        (
            "(xs: Vector<f32>, n: u32) -> Vector<f32> { let mut ys = xs; for _ in 0..n { ys = ys.cumsum().reverse(); } ys }",
            "8 * xs.len()",
        ),
        (
            "(xs: &Vector<f32>, b: bool) -> Vector<f32> { if b { xs.map(|x| x + 1.0) } else { xs.cumsum() } }",
            "4 * xs.len()",
        ),
    ];
    for (function, expected) in cases {
        let program = source::program(&format!("pub fn f{function}"));
        let program = pass::run(program, &pass::Options::default());
        let plan = fuse(&program, &Options::default());
        assert_eq!(plan.cost.peak.to_string(), expected, "{function}\n{plan}");
    }
}

/// What contracts count.
#[test]
fn checks_and_atomics() {
    let cases = [
        (
            "(xs: &Vector<f32>) -> Vector<f32> { xs.map(|x| { assert!(x > 0.0); x }) }",
            1,
            0,
        ),
        (
            "(xs: &Vector<u32>) -> Vector<u32> { xs.map(|x| x as usize % 8).histogram(8) }",
            0,
            1,
        ),
        (
            "(xs: &Vector<f32>) -> Vector<f32> { xs.map(|x| x * 2.0) }",
            0,
            0,
        ),
    ];
    for (function, checks, atomics) in cases {
        let program = source::program(&format!("pub fn f{function}"));
        let program = pass::run(program, &pass::Options::default());
        let plan = fuse(&program, &Options::default());
        let found = (plan.checks_in_kernels(), plan.atomics());
        assert_eq!(found, (checks, atomics), "{function}\n{plan}");
    }
}

/// An array of which a fold reads each element once is not stored, though its elements share folds of their row.
#[test]
fn all_pairs_that_are_folded_are_not_stored() {
    let bodies = [
        "p.rows().map(|a| { let s = a.sum(); q.rows().map(|b| a.dot(&b) / s).sum() })",
        "p.rows().map(|a| { let s = a.max() - a.min(); q.rows().map(|b| if b.dot(&a) > s { 1.0 } else { 0.0 }).sum() })",
        "p.rows().map(|a| { let s = a.mean(); q.rows().map(|b| b.zip(a).map(|(x, y)| (x - y - s).abs()).max()).min() })",
    ];
    for body in bodies {
        let function =
            format!("pub fn f(p: &Matrix<f32>, q: &Matrix<f32>) -> Vector<f32> {{ {body} }}");
        let program = source::program(&function);
        let program = pass::run(program, &pass::Options::default());
        let plan = fuse(&program, &Options::default());
        assert_eq!(launches(&plan), 1, "{body}\n{plan}");
        agree_on(&function, &[&[&[3, 2], &[4, 2]], &[&[1, 5], &[3, 5]]]);
    }
}

/// Functions of scalars are no functions of an axis: nothing is stored for them.
#[test]
fn functions_of_scalars_are_the_hosts() {
    let text = "pub fn f(h: usize, w: usize, a: f32) -> Matrix<f32> {
        generate((h, w), |(i, j)| {
            let (s, c) = (a.sin(), a.cos());
            (j as f32 * s).floor() * c + i as f32
        })
    }";
    let program = source::program(text);
    let program = pass::run(program, &pass::Options::default());
    let plan = fuse(&program, &Options::default());
    assert_eq!(launches(&plan), 1, "{plan}");
}

/// What is required twice is checked once, also where the second one stands in a loop, a branch or a closure.
#[test]
fn requirements_are_checked_once() {
    let cases = [
        ("xs.map(|x| x * m[(0, 0)] + m[(0, 1)] * m[(0, 0)])", 3),
        (
            "xs.map(|x| { let k = x as usize; m[(k, 0)] - m[(k, 1)] })",
            3,
        ),
        (
            "xs.map(|x| { let k = x as usize; if xs[k] > 1.0 { xs[k] } else { x } })",
            1,
        ),
        (
            "xs.map(|x| { let k = x as usize; let mut s = xs[k]; for _ in 0..3 { s = s * 0.5 + xs[k]; } s })",
            1,
        ),
        // Neither side of a branch comes before the other.
        (
            "xs.map(|x| { let k = x as usize; if x > 1.0 { xs[k] } else { xs[k] + 1.0 } })",
            2,
        ),
    ];
    for (body, checks) in cases {
        let function =
            format!("pub fn f(xs: &Vector<f32>, m: &Matrix<f32>) -> Vector<f32> {{ {body} }}");
        let program = source::program(&function);
        let program = pass::run(program, &pass::Options::default());
        let plan = fuse(&program, &Options::default()).to_string();
        assert_eq!(plan.matches("check ").count(), checks, "{body}\n{plan}");
        let shapes: &[&[&[u64]]] = &[&[&[5], &[5, 2]], &[&[2], &[0, 3]], &[&[0], &[1, 1]]];
        agree_on(&function, shapes);
    }
}

#[test]
fn products_of_two_lengths_have_tiles_of_their_own() {
    let of = |result: &str, ty: &str| {
        format!(
            "pub fn f(x: &Matrix<f32>, w: &Matrix<f32>, h: &Matrix<f32>, u: &Matrix<f32>) -> {ty} {{
                assert!(x.shape().0 == h.shape().0 && w.shape().1 == u.shape().1);
                {result}
            }}"
        )
    };
    let tiles = |function: &str| {
        let program = source::program(function);
        let program = pass::run(program, &Options::default());
        let plan = fuse(&program, &Options::default());
        (
            launches(&plan),
            plan.to_string().matches("in tiles of").count(),
        )
    };
    let sizes: &[&[&[u64]]] = &[
        &[&[3, 4], &[4, 2], &[3, 5], &[5, 2]],
        &[&[3, 0], &[0, 2], &[3, 5], &[5, 2]],
        &[&[0, 4], &[4, 2], &[0, 5], &[5, 2]],
    ];
    let sums = of("x.matmul(w) + h.matmul(u)", "Matrix<f32>");
    assert_eq!(tiles(&sums), (2, 2));
    agree_on(&sums, sizes);
    let pairs = of("(x.matmul(w), h.matmul(u))", "(Matrix<f32>, Matrix<f32>)");
    assert_eq!(tiles(&pairs), (2, 2));
    agree_on(&pairs, sizes);
    // Of one length they share their tiles.
    let one = of("x.matmul(w) + x.matmul(u)", "Matrix<f32>");
    assert_eq!(tiles(&one), (1, 1));
    agree_on(&one, &[&[&[3, 4], &[4, 2], &[3, 5], &[4, 2]]]);
}
