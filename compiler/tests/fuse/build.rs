//! Short ways to write programs and arguments.

use accelerate_compiler::ir::eval::Array;
use accelerate_compiler::ir::{Id, Node, Output, Parameter, Program};
use accelerate_compiler::scalar::{Binary, Leaf, Scalar};

pub(super) fn program(name: &str) -> Program {
    let mut program = Program::default();
    program.name = name.to_owned();
    program
}

/// An `f32` array parameter and its extents.
pub(super) fn array(p: &mut Program, name: &str, rank: u32) -> (Id, Vec<Id>) {
    let count = |p: &Program| {
        let arrays = p.parameters.iter();
        arrays
            .filter(|parameter| matches!(parameter, Parameter::Array { .. }))
            .count() as u32
    };
    let number = count(p);
    p.parameters.push(Parameter::Array {
        name: name.to_owned(),
        leaves: vec![(String::new(), Leaf::F32)],
        rank,
        consumed: false,
    });
    let id = p.input(number, rank, 0);
    (id, p.extents(id).to_vec())
}

pub(super) fn scalar(p: &mut Program, name: &str, leaf: Leaf) -> Id {
    let scalars = p.parameters.iter();
    let number = scalars
        .filter(|parameter| matches!(parameter, Parameter::Scalars { .. }))
        .count() as u32;
    p.parameters.push(Parameter::Scalars {
        name: name.to_owned(),
        leaves: vec![(String::new(), leaf)],
    });
    p.add(Node::Parameter(number))
}

pub(super) fn index(p: &mut Program, array: Id, indices: &[Id]) -> Id {
    p.add(Node::Index {
        array,
        indices: indices.to_vec(),
    })
}

pub(super) fn f32(p: &mut Program, value: f32) -> Id {
    p.constant(Scalar::f32(value))
}

/// A reduction with a known operator over `f32`.
pub(super) fn reduce(
    p: &mut Program,
    op: Binary,
    initial: f32,
    extents: &[Id],
    element: impl FnOnce(&mut Program, &[Id]) -> Id,
) -> Id {
    let (vars, indices): (Vec<_>, Vec<_>) = extents.iter().map(|_| p.index_var()).unzip();
    let element = element(p, &indices);
    let (left, right) = (p.var(p.ty(element).clone()), p.var(p.ty(element).clone()));
    let (a, b) = (p.add(Node::Variable(left)), p.add(Node::Variable(right)));
    let combined = p.binary(op, a, b);
    let initial = f32(p, initial);
    let bundle = p.add(Node::Reduce {
        extents: extents.to_vec(),
        vars,
        elements: vec![element],
        left: vec![left],
        right: vec![right],
        combined: vec![combined],
        initial: Some(vec![initial]),
        commutes: true,
    });
    p.add(Node::Project(bundle, 0))
}

pub(super) fn sum(
    p: &mut Program,
    extents: &[Id],
    element: impl FnOnce(&mut Program, &[Id]) -> Id,
) -> Id {
    reduce(p, Binary::Add, -0.0, extents, element)
}

pub(super) fn output(p: &mut Program, id: Id) {
    let output = match p.ty(id).clone() {
        accelerate_compiler::ir::Type::Array(_, extents) => Output::Array {
            extents,
            leaves: vec![id],
        },
        _ => Output::Scalar(vec![id]),
    };
    p.outputs.push(output);
}

/// Small numbers with exact sums.
pub(super) fn numbers(extents: &[u64]) -> Array {
    let count = extents.iter().product::<u64>();
    let value = |k: u64| Scalar::f32(((k * 7 + 3) % 11) as f32 - 4.0);
    Array {
        extents: extents.to_vec(),
        leaves: vec![(0..count).map(value).collect()],
    }
}
