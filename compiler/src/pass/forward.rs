//! The pass `forward`: array-level rules that cost nothing. Reads through views become reads of what they look at; what
//! is computed stays an array, for `fuse` to decide about.

use super::permute;
use super::rebuild::{Rebuild, Rules, rebuild};
use super::{Fired, State};
use crate::ir::{Id, IdSet, Node, Output, Program, QuickMap, Var, walk};
use crate::scalar::Binary;
use crate::sorted::SortedSet;

/// The node of the new program that may stand for this one, if the rule applies.
type ArrayRule = fn(&mut Rebuild<'_>, &Node) -> Option<Id>;

/// The rules, named by their equations.
pub(super) const RULES: &[(&str, ArrayRule)] = &[
    ("index(generate(sh, f), i) = f(i)", index_of_generate),
    ("generate(shape(a), |i| a[i]) = a", generate_of_index),
    (
        "a[reduce(n, |i| (a[i], i), one or the other).1] = reduce(n, |i| (a[i], i), one or the other).0",
        index_of_chosen,
    ),
    ("guard(r.1 < n, r.0) = r.0, of the same", chosen_is_there),
    (
        "materialize(materialize(a)) = materialize(a)",
        materialized_twice,
    ),
    ("sort(s) = s, of what is sorted", permute::sort_of_sorted),
    (
        "a[sort(n, |i| (a[i], i)).1[k]] = sort(n, |i| (a[i], i)).0[k]",
        permute::index_of_sorted_place,
    ),
    ("sort(n, |i| (f(i), i)).1[k] < n", permute::place_is_there),
    (
        "scatter(d, |i| (i, v), op) = generate(shape(d), |i| op(d[i], v))",
        permute::scatter_in_place,
    ),
];

/// The same for what [`Views`] itself does.
const ROWS: &str =
    "generate(sh, |i, j| generate(n, |k| f(i, k))[j]) = generate(sh, |i, j| f(i, j))";

pub(super) fn run(program: Program, state: &mut State) -> Program {
    let kept = kept(&program);
    let rows = rows(&program);
    rebuild(
        &program,
        &mut Views {
            kept,
            rows,
            fired: &mut state.fired,
        },
    )
}

struct Views<'a> {
    /// Arrays of the old program that stay where they are read.
    kept: Vec<Id>,
    /// Rows of the old program that are read by the elements of one array alone.
    rows: IdSet,
    fired: &'a mut Fired,
}

/// The arrays of which a read would make whole arrays: the other reads, which would not, find them there. Of one that is stored in
/// any case, a read makes its rows again.
fn kept(program: &Program) -> Vec<Id> {
    let mut kept = SortedSet::new();
    let results = program.outputs.iter().flat_map(Output::roots);
    let results: SortedSet<Id> = results.collect();
    for id in walk::reachable(program, program.roots()) {
        if let Node::Index { array, indices } = program.node(id)
            && let array = copied(program, *array)
            && let Node::Generate { vars, element, .. } = program.node(array)
            && is_view(program, *element)
            && (program.makes_arrays(*element, vars, indices)
                || results.contains(&array) && program.makes_rows(*element, vars, indices))
        {
            kept.insert(array);
        }
    }
    kept.into_iter().collect()
}

/// The arrays that one read alone uses, which is an element of an array, where this element is.
fn rows(program: &Program) -> IdSet {
    let (mut once, mut twice) = (IdSet::default(), IdSet::default());
    for id in walk::reachable(program, program.roots()) {
        program.node(id).operands(|operand| {
            if !once.insert(operand) {
                twice.insert(operand);
            }
        });
    }
    let index =
        |id: &Id, of: &[Var]| matches!(program.node(*id), Node::Variable(var) if of.contains(var));
    let mut rows = IdSet::default();
    for id in once.iter() {
        if let Node::Generate { vars, element, .. } = program.node(id)
            && let Node::Index { array, indices } = program.node(*element)
            && !twice.contains(*array)
            && indices.iter().all(|id| index(id, vars))
            && !shares_reductions(program, *array)
        {
            rows.insert(*array);
        }
    }
    rows
}

/// Whether elements of a computed array have a reduction in common: that is one of rows, which are computed as such. So is what is
/// not computed.
fn shares_reductions(program: &Program, array: Id) -> bool {
    let Node::Generate { vars, element, .. } = program.node(array) else {
        return true;
    };
    walk::inside(program, *element).any(|id| {
        let free = program.free(id);
        matches!(program.node(id), Node::Reduce { .. })
            && !vars.iter().any(|var| free.contains(var))
    })
}

impl Rules for Views<'_> {
    fn node(&mut self, cx: &mut Rebuild<'_>, mut node: Node) -> Id {
        if let Node::Generate { element, .. } = &mut node
            && let Node::Index { array, indices } = cx.new.node(*element).clone()
            && self.rows.iter().any(|id| cx.became(id) == Some(array))
            && let Node::Generate {
                vars,
                element: of_row,
                ..
            } = cx.new.node(array).clone()
        {
            let map = vars.iter().copied().zip(indices).collect();
            *element = cx.new.substitute(of_row, &map);
            self.fired.count(ROWS);
        }
        if let Node::Index { array, .. } = &node
            && self.kept.iter().any(|&id| cx.became(id) == Some(*array))
        {
            return cx.add(node);
        }
        for (name, rule) in RULES {
            if let Some(id) = rule(cx, &node) {
                self.fired.count(name);
                return id;
            }
        }
        cx.add(node)
    }
}

/// For views only: an element that is computed might be computed more often.
fn index_of_generate(cx: &mut Rebuild<'_>, node: &Node) -> Option<Id> {
    let Node::Index { array, indices } = node else {
        return None;
    };
    let Node::Generate { vars, element, .. } = cx.new.node(*array) else {
        return None;
    };
    if !is_view(&cx.new, *element) || cx.new.makes_arrays(*element, vars, indices) {
        return None;
    }
    let map: QuickMap<_, _> = vars.iter().copied().zip(indices.iter().copied()).collect();
    let element = *element;
    Some(cx.new.substitute(element, &map))
}

/// What is read where a least or greatest element stands is that element.
fn index_of_chosen(cx: &mut Rebuild<'_>, node: &Node) -> Option<Id> {
    let Node::Index { array, indices } = node else {
        return None;
    };
    let &[place] = indices.as_slice() else {
        return None;
    };
    let (bundle, at) = place_of_chosen(&cx.new, place)?;
    let Node::Reduce { elements, .. } = cx.new.node(bundle) else {
        return None;
    };
    let place = elements[at];
    let read = |id: &Id| match cx.new.node(*id) {
        Node::Index {
            array: own,
            indices,
        } => own == array && indices[..] == [place],
        _ => false,
    };
    let value = elements.iter().position(read)?;
    let together = chosen(&cx.new, bundle, value)? == chosen(&cx.new, bundle, at)?;
    together.then(|| cx.add(Node::Project(bundle, value as u32)))
}

/// The place of an element that there is, is less than the extent.
fn chosen_is_there(cx: &mut Rebuild<'_>, node: &Node) -> Option<Id> {
    let Node::Guard {
        condition, value, ..
    } = node
    else {
        return None;
    };
    let Node::Binary(Binary::Lt, place, extent) = *cx.new.node(*condition) else {
        return None;
    };
    let (bundle, _) = place_of_chosen(&cx.new, place)?;
    let Node::Reduce { extents, .. } = cx.new.node(bundle) else {
        return None;
    };
    let own = matches!(cx.new.node(*value), Node::Project(of, _) if *of == bundle);
    (own && extents[..] == [extent]).then_some(*value)
}

/// A reduction over one axis, and which of its results is the index of an operand.
fn place_of_chosen(program: &Program, id: Id) -> Option<(Id, usize)> {
    let Node::Project(bundle, at) = *program.node(id) else {
        return None;
    };
    let Node::Reduce {
        vars,
        elements,
        initial: None,
        ..
    } = program.node(bundle)
    else {
        return None;
    };
    let at = at as usize;
    let index = matches!(program.node(elements[at]), Node::Variable(var) if vars[..] == [*var]);
    (index && chosen(program, bundle, at).is_some()).then_some((bundle, at))
}

/// The condition by which a result of a reduction is that of one operand or of the other, and whether it is the left one's if it
/// holds.
fn chosen(program: &Program, bundle: Id, at: usize) -> Option<(Id, bool)> {
    let Node::Reduce {
        left,
        right,
        combined,
        ..
    } = program.node(bundle)
    else {
        return None;
    };
    let Node::Select(condition, a, b) = *program.node(combined[at]) else {
        return None;
    };
    let is = |id: Id, var: Var| *program.node(id) == Node::Variable(var);
    let first = is(a, left[at]) && is(b, right[at]);
    let second = is(a, right[at]) && is(b, left[at]);
    (first || second).then_some((condition, first))
}

fn generate_of_index(cx: &mut Rebuild<'_>, node: &Node) -> Option<Id> {
    copy_of(&cx.new, node)
}

/// What stands for an array that is a copy.
fn copied(program: &Program, mut array: Id) -> Id {
    while let Some(of) = copy_of(program, program.node(array)) {
        array = of;
    }
    array
}

/// The array of which this node is a copy.
fn copy_of(program: &Program, node: &Node) -> Option<Id> {
    let Node::Generate {
        extents,
        vars,
        element,
    } = node
    else {
        return None;
    };
    let Node::Index { array, indices } = program.node(*element) else {
        return None;
    };
    let same = indices.len() == vars.len()
        && indices
            .iter()
            .zip(vars)
            .all(|(&index, &var)| *program.node(index) == Node::Variable(var));
    let free = vars.iter().all(|var| !program.free(*array).contains(var));
    (same && free && program.extents(*array) == extents).then_some(*array)
}

fn materialized_twice(cx: &mut Rebuild<'_>, node: &Node) -> Option<Id> {
    match node {
        Node::Materialize(a) => {
            matches!(cx.new.node(*a), Node::Materialize(_) | Node::Input { .. }).then_some(*a)
        }
        _ => None,
    }
}

/// Views are at most this large.
const MOST_OPERATIONS: usize = 24;

/// Whether an element costs nothing to speak of: one read or none, with index arithmetic only.
pub(super) fn is_view(program: &Program, element: Id) -> bool {
    let (mut open, mut seen, mut reads) = (vec![element], SortedSet::new(), 0);
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        match program.node(id) {
            Node::Constant(_) | Node::Parameter(_) | Node::Extent { .. } | Node::Variable(_) => {}
            Node::Binary(_, a, b) if !program.leaf(*a).is_float() => open.extend([*a, *b]),
            Node::Cast(_, a) if !program.leaf(*a).is_float() => open.push(*a),
            Node::Select(condition, a, b) if !program.leaf(*a).is_float() => {
                open.extend([*condition, *a, *b]);
            }
            Node::Index { indices, .. } => {
                reads += 1;
                open.extend(indices);
            }
            // A value that is the same for all elements is there already.
            Node::Project(bundle, _) if program.free(*bundle).is_empty() => {}
            _ => return false,
        }
    }
    reads <= 1 && seen.len() <= MOST_OPERATIONS
}
