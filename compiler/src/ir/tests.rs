//! Programs built by hand: hash-consing, text and evaluation.

use super::eval::{self, Array, Output as Value};
use super::*;

/// A program with array parameters `xs`, `ys`, .. of these leaf types and ranks, and no scalars.
pub(crate) fn program(name: &str, arrays: &[(&str, Leaf, u32)]) -> (Program, Vec<Id>) {
    let mut program = Program {
        name: name.to_owned(),
        ..Program::default()
    };
    for &(name, leaf, rank) in arrays {
        program.parameters.push(Parameter::Array {
            name: name.to_owned(),
            leaves: vec![(String::new(), leaf)],
            rank,
            consumed: false,
        });
    }
    let inputs = (0..arrays.len())
        .map(|k| program.input(k as u32, arrays[k].2, 0))
        .collect();
    (program, inputs)
}

pub(crate) fn place(program: &mut Program, kind: Failure, message: &str) -> Site {
    program.sites.push(Place {
        kind,
        message: message.to_owned(),
        span: crate::spans::SpanId::NONE,
    });
    Site(program.sites.len() as u32 - 1)
}

/// `reduce` of a binary operation over one axis.
pub(crate) fn fold(
    p: &mut Program,
    extent: Id,
    op: Binary,
    initial: Option<Scalar>,
    element: impl FnOnce(&mut Program, Id) -> Id,
) -> Id {
    let (var, index) = p.index_var();
    let element = element(p, index);
    let ty = Type::Scalar(p.leaf(element));
    let (left, right) = (p.var(ty.clone()), p.var(ty));
    let (a, b) = (p.add(Node::Variable(left)), p.add(Node::Variable(right)));
    let combined = p.binary(op, a, b);
    let initial = initial.map(|initial| vec![p.constant(initial)]);
    let bundle = p.add(Node::Reduce {
        extents: vec![extent],
        vars: vec![var],
        elements: vec![element],
        left: vec![left],
        right: vec![right],
        combined: vec![combined],
        initial,
        commutes: true,
    });
    p.add(Node::Project(bundle, 0))
}

pub(crate) fn read(p: &mut Program, array: Id, indices: &[Id]) -> Id {
    p.add(Node::Index {
        array,
        indices: indices.to_vec(),
    })
}

pub(crate) fn rmse() -> Program {
    let (mut p, inputs) = program("rmse", &[("xs", Leaf::F32, 1), ("ys", Leaf::F32, 1)]);
    let (n, m) = (p.extents(inputs[0])[0], p.extents(inputs[1])[0]);
    let site = place(&mut p, Failure::ShapeMismatch, "zip of different lengths");
    let condition = p.binary(Binary::Eq, n, m);
    p.checks.push(Check {
        condition,
        site,
        values: vec![n, m],
    });
    let s = fold(&mut p, n, Binary::Add, Some(Scalar::f32(-0.0)), |p, i| {
        let (x, y) = (read(p, inputs[0], &[i]), read(p, inputs[1], &[i]));
        let d = p.binary(Binary::Sub, x, y);
        p.name(d, "d");
        p.binary(Binary::Mul, d, d)
    });
    p.name(s, "s");
    let count = p.add(Node::Cast(Leaf::F32, n));
    let mean = p.binary(Binary::Div, s, count);
    let root = p.unary(Unary::Sqrt, mean);
    p.outputs.push(Output::Scalar(vec![root]));
    p
}

pub(crate) fn vector(values: &[f32]) -> Array {
    Array {
        extents: vec![values.len() as u64],
        leaves: vec![values.iter().map(|&v| Scalar::f32(v)).collect()],
    }
}

#[test]
fn rmse_reads_like_its_source() {
    let expected = "\
program rmse(xs: [n]f32, ys: [m]f32) -> f32
  check n == m #0 [n, m] \"zip of different lengths\"
  s = reduce(n, |i0| {
    d = xs[i0] - ys[i0]
    d * d
  }, add, -0.0_f32)
  sqrt(s / n as f32)
";
    assert_eq!(rmse().to_string(), expected);
}

#[test]
fn the_canonical_text_ignores_names_and_spans() {
    let mut renamed = rmse();
    renamed.forget_names();
    assert_eq!(rmse().canonical_text(), renamed.canonical_text());
    renamed.sites[0].message.clear();
    assert_eq!(rmse().canonical_text(), renamed.canonical_text());
}

#[test]
fn rmse_evaluates() {
    let p = rmse();
    let result = eval::eval(&p, &[], &[vector(&[1.0, 2.0]), vector(&[1.0, 5.0])]);
    let expected = Scalar::f32((9.0f32 / 2.0).sqrt());
    assert_eq!(result, Ok(vec![Value::Scalar(vec![expected])]));
    let failed = eval::eval(&p, &[], &[vector(&[1.0]), vector(&[1.0, 5.0])]).unwrap_err();
    assert_eq!((failed.site, failed.values), (Site(0), vec![1, 2]));
}

#[test]
fn the_smallest_failure_is_reported() {
    // ys[xs[i]] for each i, xs as an index.
    let (mut p, inputs) = program("gather", &[("xs", Leaf::U64, 1), ("ys", Leaf::U64, 1)]);
    let (n, m) = (p.extents(inputs[0])[0], p.extents(inputs[1])[0]);
    let site = place(&mut p, Failure::OutOfBounds, "index {0} of an axis of {1}");
    let out = p.generate(vec![n], |p, i| {
        let k = read(p, inputs[0], i);
        let condition = p.binary(Binary::Lt, k, m);
        let value = read(p, inputs[1], &[k]);
        p.add(Node::Guard {
            condition,
            site,
            values: vec![k, m],
            value,
        })
    });
    p.outputs.push(Output::Array {
        extents: vec![n],
        leaves: vec![out],
    });
    let array = |values: &[u64]| Array {
        extents: vec![values.len() as u64],
        leaves: vec![
            values
                .iter()
                .map(|&v| Scalar::wrapped(Leaf::U64, v))
                .collect(),
        ],
    };
    let good = eval::eval(&p, &[], &[array(&[1, 0]), array(&[7, 8])]).unwrap();
    assert_eq!(
        good,
        [Value::Array {
            extents: vec![2],
            leaves: array(&[8, 7]).leaves
        }]
    );
    let failed = eval::eval(&p, &[], &[array(&[9, 0, 3]), array(&[7, 8])]).unwrap_err();
    assert_eq!(failed.values, [3, 2]);
}

#[test]
fn equal_regions_are_one_node() {
    let (mut p, inputs) = program("f", &[("xs", Leaf::F32, 2)]);
    let extents = p.extents(inputs[0]).to_vec();
    let make = |p: &mut Program, swap: bool| {
        p.generate(extents.clone(), |p, i| {
            let extent = extents[0];
            fold(p, extent, Binary::Add, None, |p, k| {
                let j = if swap { i[0] } else { i[1] };
                read(p, inputs[0], &[k, j])
            })
        })
    };
    let (a, b, c) = (make(&mut p, false), make(&mut p, false), make(&mut p, true));
    assert_eq!(a, b);
    assert_ne!(a, c);
}
