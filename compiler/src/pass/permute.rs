//! Rules of the pass `forward` about arrays in another order: a sort of what is sorted and a scatter of each point to its own index
//! leave them as they are, so that `xs.sort().unique()` sorts once, and compares neighbours; and what is read where a sort found
//! its elements (`keys.argsort().map(|i| keys[i])`) it has moved with them.

use super::rebuild::Rebuild;
use crate::ir::{Id, Node, Program, QuickMap, Var};
use crate::scalar::Binary;

/// The sort is stable, so all that it moves stays where it is.
pub(super) fn sort_of_sorted(cx: &mut Rebuild<'_>, node: &Node) -> Option<Id> {
    let Node::Project(bundle, component) = *node else {
        return None;
    };
    let Node::Sort {
        extents,
        vars,
        elements,
        keys,
        less: None,
        ..
    } = cx.new.node(bundle).clone()
    else {
        return None;
    };
    let last = *vars.last()?;
    is_sorted(&cx.new, &elements[..keys as usize], last).then(|| {
        let element = elements[component as usize];
        generate(&mut cx.new, extents, &vars, element)
    })
}

/// Each point has an element of its own, so none meet.
pub(super) fn scatter_in_place(cx: &mut Rebuild<'_>, node: &Node) -> Option<Id> {
    let Node::Project(bundle, component) = *node else {
        return None;
    };
    let Node::Scatter {
        defaults,
        extents,
        vars,
        condition,
        at,
        elements,
        left,
        right,
        combined,
        ..
    } = cx.new.node(bundle).clone()
    else {
        return None;
    };
    let program = &mut cx.new;
    // Where nothing is written it may be anywhere.
    let place = |at: Id| match *program.node(at) {
        Node::Select(chosen, place, _) if holds_under(program, chosen, condition) => place,
        _ => at,
    };
    let at: Vec<Id> = at.into_iter().map(place).collect();
    let own = |(&at, &var): (&Id, &Var)| *program.node(at) == Node::Variable(var);
    if at.len() != vars.len()
        || !at.iter().zip(&vars).all(own)
        || program.extents(defaults[0]) != extents
    {
        return None;
    }
    let mut before = Vec::new();
    for &array in &defaults {
        let indices = at.clone();
        before.push(program.add(Node::Index { array, indices }));
    }
    let operands = left.into_iter().zip(before.iter().copied());
    let operands: QuickMap<Var, Id> = operands.chain(right.into_iter().zip(elements)).collect();
    let combined = program.substitute(combined[component as usize], &operands);
    let chosen = program.add(Node::If {
        condition,
        then: vec![combined],
        otherwise: vec![before[component as usize]],
    });
    let element = program.add(Node::Project(chosen, 0));
    Some(generate(program, extents, &vars, element))
}

/// Whether a condition holds wherever another one does.
fn holds_under(program: &Program, condition: Id, other: Id) -> bool {
    match *program.node(other) {
        _ if other == condition => true,
        Node::Binary(Binary::And, a, b) => [a, b]
            .into_iter()
            .any(|part| holds_under(program, condition, part)),
        _ => false,
    }
}

/// What stands where an element came from that was sorted, has been sorted with it.
pub(super) fn index_of_sorted_place(cx: &mut Rebuild<'_>, node: &Node) -> Option<Id> {
    let Node::Index { array, indices } = node else {
        return None;
    };
    let (&place, rows) = indices.split_last()?;
    let (places, at) = index(&cx.new, place)?;
    let Node::Project(bundle, of_places) = *cx.new.node(places) else {
        return None;
    };
    let Node::Sort { vars, elements, .. } = cx.new.node(bundle) else {
        return None;
    };
    // Of this sort: places that another one gave say where its elements came from.
    let last = *vars.last()?;
    if *cx.new.node(elements[of_places as usize]) != Node::Variable(last) {
        return None;
    }
    let own = |(index, var): (&Id, &Var)| *cx.new.node(*index) == Node::Variable(*var);
    let moved = |id: &Id| match index(&cx.new, *id) {
        Some((of, indices)) => {
            of == *array && indices.len() == vars.len() && indices.iter().zip(vars).all(own)
        }
        None => false,
    };
    let component = elements.iter().position(moved)?;
    // Rows are read where they are.
    if at.len() != rows.len() + 1 || at[..rows.len()] != *rows {
        return None;
    }
    let indices = at.to_vec();
    let array = cx.add(Node::Project(bundle, component as u32));
    Some(cx.add(Node::Index { array, indices }))
}

/// Where an element came from is a place that there is.
pub(super) fn place_is_there(cx: &mut Rebuild<'_>, node: &Node) -> Option<Id> {
    let Node::Binary(Binary::Lt, place, extent) = *node else {
        return None;
    };
    let (array, _) = index(&cx.new, place)?;
    (place_extent(&cx.new, array) == Some(extent)).then(|| cx.new.bool(true))
}

/// An array and the indices at which it is read.
fn index(program: &Program, id: Id) -> Option<(Id, &[Id])> {
    match program.node(id) {
        Node::Index { array, indices } => Some((*array, indices)),
        _ => None,
    }
}

/// Of an array that holds indices of the last axis of a domain which sorts or compactions have brought into another order: the
/// extent of that axis.
fn place_extent(program: &Program, array: Id) -> Option<Id> {
    let (bundle, component) = match *program.node(array) {
        Node::Project(bundle, component) => (bundle, component as usize),
        Node::Materialize(of) => return place_extent(program, of),
        _ => return None,
    };
    let (Node::Sort {
        extents,
        vars,
        elements,
        ..
    }
    | Node::Compact {
        extents,
        vars,
        elements,
        ..
    }) = program.node(bundle)
    else {
        return None;
    };
    match program.node(elements[component]) {
        Node::Variable(var) if Some(var) == vars.last() => extents.last().copied(),
        Node::Index { array, .. } => place_extent(program, *array),
        _ => None,
    }
}

/// An array whose element is given over variables of another node.
fn generate(program: &mut Program, extents: Vec<Id>, vars: &[Var], element: Id) -> Id {
    program.generate(extents, |program, indices| {
        let map = vars.iter().copied().zip(indices.iter().copied()).collect();
        program.substitute(element, &map)
    })
}

/// Whether keys come in order along the last axis: they are the first keys of one sort, at places that grow with that.
fn is_sorted(program: &Program, keys: &[Id], last: Var) -> bool {
    let mut arrays = Vec::new();
    let mut common: Option<&[Id]> = None;
    for &key in keys {
        let Node::Index { array, indices } = program.node(key) else {
            return false;
        };
        if *common.get_or_insert(indices) != &indices[..] {
            return false;
        }
        arrays.push(*array);
    }
    let Some((place, rows)) = common.and_then(|indices| indices.split_last()) else {
        return false;
    };
    let fixed = |id: &Id| !program.free(*id).contains(&last);
    let grows = match *program.node(*place) {
        Node::Variable(var) => var == last,
        Node::Binary(Binary::Add, a, b) => {
            let is_last = |id: Id| *program.node(id) == Node::Variable(last);
            is_last(a) && fixed(&b) || is_last(b) && fixed(&a)
        }
        _ => false,
    };
    grows && rows.iter().all(fixed) && are_sorted(program, &arrays)
}

/// Whether arrays are the first keys of one sort, or what a compaction keeps of such.
fn are_sorted(program: &Program, arrays: &[Id]) -> bool {
    let mut arrays = arrays.to_vec();
    loop {
        for array in &mut arrays {
            while let Node::Materialize(of) = *program.node(*array) {
                *array = of;
            }
        }
        let mut parts = Vec::new();
        let mut common = None;
        for &array in &arrays {
            let Node::Project(bundle, part) = *program.node(array) else {
                return false;
            };
            if *common.get_or_insert(bundle) != bundle {
                return false;
            }
            parts.push(part);
        }
        match common.map(|bundle| program.node(bundle)) {
            Some(Node::Sort {
                keys, less: None, ..
            }) => {
                let first = |(k, &part): (usize, &u32)| part as usize == k && part < *keys;
                return parts.iter().enumerate().all(first);
            }
            Some(Node::Compact { vars, elements, .. }) => {
                let source = |&part: &u32| match program.node(elements[part as usize]) {
                    Node::Index { array, indices } => {
                        let own = |id: Id| *program.node(id) == Node::Variable(vars[0]);
                        (indices.len() == 1 && own(indices[0])).then_some(*array)
                    }
                    _ => None,
                };
                let Some(sources) = parts.iter().map(source).collect::<Option<Vec<Id>>>() else {
                    return false;
                };
                arrays = sources;
            }
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::eval::{self, Array};
    use crate::ir::{Node, walk};
    use crate::scalar::{Leaf, Scalar};

    /// Sorts and scatters that are left of a function of vectors of i16; it means what it did before.
    fn left(program: &str) -> [usize; 2] {
        let unit = crate::compile(program.parse().expect("tokens"), &crate::Options::default());
        assert!(unit.errors.is_empty(), "{:?}", unit.errors);
        let compiled = &unit.functions[0];
        let parameters = compiled.program.parameters.len();
        for length in [0, 1, 2, 9, 30] {
            let array = |k: usize| {
                let element =
                    |i: usize| Scalar::number(Leaf::I16, (i * (5 + 2 * k) % 7) as i64 - 3);
                Array {
                    extents: vec![length as u64],
                    leaves: vec![(0..length).map(element).collect()],
                }
            };
            let arrays: Vec<Array> = (0..parameters).map(array).collect();
            let [before, after] = [&compiled.lowered, &compiled.program]
                .map(|program| eval::eval(program, &[], &arrays));
            assert_eq!(before, after, "{program}, {length} elements");
        }
        let program = &compiled.program;
        let live = walk::reachable(program, program.roots());
        let count = |is: fn(&Node) -> bool| live.iter().filter(|&&id| is(program.node(id))).count();
        [
            count(|node| matches!(node, Node::Sort { .. })),
            count(|node| matches!(node, Node::Scatter { .. })),
        ]
    }

    #[test]
    fn what_is_sorted_is_not_sorted_again() {
        let of = |body: &str| {
            left(&format!(
                "pub fn f(xs: &Vector<i16>) -> Vector<i16> {{ {body} }}"
            ))
        };
        assert_eq!(of("xs.sort().sort()"), [1, 0]);
        assert_eq!(of("xs.sort().unique()"), [1, 0]);
        assert_eq!(of("xs.sort().filter(|x| x != 1).skip(0).unique()"), [1, 0]);
        assert_eq!(of("xs.unique()"), [1, 1]);
        assert_eq!(of("xs.sort().reverse().sort()"), [2, 0]);
        assert_eq!(of("xs.sort_by_key(|x| -x).sort()"), [2, 0]);
        assert_eq!(of("xs.sort().map(|x| x * x).sort()"), [2, 0]);
    }

    #[test]
    fn what_a_sort_moves_is_read_where_it_moved_it() {
        let of = |result: &str, body: &str| {
            left(&format!(
                "pub fn f(xs: &Vector<i16>, ys: &Vector<i16>) -> {result} {{ {body} }}"
            ))
        };
        let one = "Vector<i16>";
        assert_eq!(of(one, "xs.argsort().map(|i| xs[i])"), [1, 0]);
        assert_eq!(
            of(one, "let o = ys.argsort(); o.map(|i| xs[i] + ys[i])"),
            [1, 0]
        );
        // Places of another sort, which this one has moved.
        let twice = "let o = ys.argsort();
            xs.zip(o).sort_by_key(|(x, _)| x).map(|(x, i)| xs[i] - 2 * x)";
        assert_eq!(of(one, twice), [2, 0]);
        let kept = "xs.indices_of(|x| x > 0).map(|i| xs[i])";
        assert_eq!(of(one, kept), [0, 0]);
    }

    #[test]
    fn a_scatter_of_each_point_to_itself_is_a_map() {
        let of = |body: &str| {
            left(&format!(
                "pub fn f(xs: &Vector<i16>) -> Vector<i16> {{ {body} }}"
            ))
        };
        assert_eq!(
            of(
                "xs.scatter(|a, b| a.max(b), xs.map(|x| -x), |i, x| if x < 2 { Some(i) } else { None })"
            ),
            [0, 0]
        );
        assert_eq!(
            of("let n = xs.len(); xs.scatter(|a, b| a.max(b), xs, |i, _| Some(n - 1 - i))"),
            [0, 1]
        );
    }
}
