//! Scans as what a kernel can compute.

use crate::ir::{Id, Node, Program, Type, Var};
use std::collections::HashMap;

/// An element of a scan by itself: the reduction of the elements up to it.
pub(super) fn prefix(program: &mut Program, bundle: Id, k: u32, indices: &[Id]) -> Id {
    let Node::Scan {
        vars,
        elements,
        left,
        right,
        combined,
        ..
    } = program.node(bundle).clone()
    else {
        unreachable!("no scan: {:?}", program.node(bundle));
    };
    let (&last, rows) = indices.split_last().expect("a scan has an axis");
    let one = program.usize(1);
    let extent = program.binary(crate::scalar::Binary::Add, last, one);
    let (var, read) = program.index_var();
    let at = rows.iter().copied().chain([read]);
    let map: HashMap<Var, Id> = vars.into_iter().zip(at).collect();
    let elements = program.substitute_all(&elements, &map);
    let mut map = HashMap::new();
    let mut fresh = |vars: Vec<Var>| -> Vec<Var> {
        let mut one = |var: Var| {
            let new = program.var(Type::Scalar(match program.var_type(var) {
                Type::Scalar(leaf) => *leaf,
                other => unreachable!("an operand that is no scalar: {other:?}"),
            }));
            let read = program.add(Node::Variable(new));
            map.insert(var, read);
            new
        };
        vars.into_iter().map(&mut one).collect()
    };
    let (left, right) = (fresh(left), fresh(right));
    let combined = program.substitute_all(&combined, &map);
    let reduced = program.add(Node::Reduce {
        extents: vec![extent],
        vars: vec![var],
        elements,
        left,
        right,
        combined,
        initial: None,
        commutes: false,
    });
    program.add(Node::Project(reduced, k))
}
