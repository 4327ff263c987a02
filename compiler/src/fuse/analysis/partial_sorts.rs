//! Partial sorts: of which only some places are read, as `sort().take(k)`, `top_k(k)` and medians do.

use crate::ir::walk::{fallible, reachable};
use crate::ir::{Id, Node, Program, QuickMap, Type, Var};
use crate::scalar::Binary;

/// Places of a sorted row: from the first one, to before the last.
pub(in crate::fuse) type Places = [Id; 2];

/// The most places that are read of one sort by expressions of their own.
const MOST: usize = 8;

/// For sorts of which not all is read, a range of places of each row that has all that is.
pub(in crate::fuse) fn partial_sorts(program: &mut Program) -> QuickMap<Id, Places> {
    let live = reachable(program, program.roots());
    let mut found: QuickMap<Id, Option<Vec<Id>>> = QuickMap::default();
    for root in program.roots() {
        if let Some(bundle) = sorted(program, root) {
            found.insert(bundle, None);
        }
    }
    for &id in &live {
        match program.node(id) {
            Node::Index { array, indices } => {
                let (Some(bundle), Some(&at)) = (sorted(program, *array), indices.last()) else {
                    continue;
                };
                let known = found.entry(bundle).or_insert_with(|| Some(Vec::new()));
                if let Some(places) = known
                    && !places.contains(&at)
                {
                    places.push(at);
                }
                if known.as_ref().is_some_and(|places| places.len() > MOST) {
                    *known = None;
                }
            }
            node => node.operands(|operand| {
                if let Some(bundle) = sorted(program, operand) {
                    found.insert(bundle, None);
                }
            }),
        }
    }
    let found: Vec<(Id, Vec<Id>)> = (found.into_iter())
        .filter_map(|(bundle, places)| Some((bundle, places?)))
        .collect();
    if found.is_empty() {
        return QuickMap::default();
    }
    let extents = extents(program, &live);
    let mut partial = QuickMap::default();
    for (bundle, places) in found {
        let Node::Sort { extents: rows, .. } = program.node(bundle) else {
            continue;
        };
        let length = *rows.last().expect("an axis to sort along");
        let mut all: Option<Places> = None;
        let known = places.into_iter().all(|at| {
            let span = Span::of(program, &extents, at);
            let Some([first, last]) = span.map(|span| span.places(program, length)) else {
                return false;
            };
            all = Some(match all {
                Some([from, to]) => [
                    either(program, Binary::Min, from, first),
                    either(program, Binary::Max, to, last),
                ],
                None => [first, last],
            });
            !(is_zero(program, first) && last == length)
        });
        if let (Some(range), true) = (all, known) {
            partial.insert(bundle, range);
        }
    }
    partial
}

/// The least or the greatest of two places.
fn either(program: &mut Program, op: Binary, a: Id, b: Id) -> Id {
    match op {
        _ if a == b => a,
        Binary::Min if is_zero(program, b) => b,
        _ => program.binary(op, a, b),
    }
}

/// The sort that an array is a component of.
fn sorted(program: &Program, array: Id) -> Option<Id> {
    match *program.node(array) {
        Node::Project(bundle, _) => {
            matches!(program.node(bundle), Node::Sort { .. }).then_some(bundle)
        }
        _ => None,
    }
}

/// Values that an index may have.
#[derive(Clone, Copy)]
struct Span {
    from: Id,
    /// Before which they end, if there is more than one.
    to: Option<Id>,
}

impl Span {
    /// The values of an index, if it is a sum or difference of indices of domains and of scalars; perhaps more than it has. They wrap
    /// as it does.
    fn of(program: &mut Program, extents: &QuickMap<Var, Option<Id>>, at: Id) -> Option<Span> {
        if program.free(at).is_empty() {
            let scalar = matches!(program.ty(at), Type::Scalar(_)) && !fallible(program, at);
            return scalar.then_some(Span { from: at, to: None });
        }
        match *program.node(at) {
            Node::Variable(var) => {
                let extent = extents.get(&var).copied().flatten()?;
                let to = (!fallible(program, extent)).then_some(extent)?;
                let from = program.usize(0);
                Some(Span { from, to: Some(to) })
            }
            Node::Binary(op @ (Binary::Add | Binary::Sub), a, b) => {
                let (a, b) = (
                    Span::of(program, extents, a)?,
                    Span::of(program, extents, b)?,
                );
                match op {
                    Binary::Add => Some(a.plus(program, b)),
                    // What is before the first index wraps.
                    _ if is_zero(program, a.from) => None,
                    _ => Some(a.minus(program, b)),
                }
            }
            _ => None,
        }
    }

    fn plus(self, program: &mut Program, other: Span) -> Span {
        let to = match (self.to, other.to) {
            (None, None) => None,
            (Some(to), None) => Some(sum(program, to, other.from)),
            (None, Some(to)) => Some(sum(program, self.from, to)),
            (Some(to), Some(end)) => {
                let last = before(program, end);
                Some(sum(program, to, last))
            }
        };
        let from = sum(program, self.from, other.from);
        Span { from, to }
    }

    fn minus(self, program: &mut Program, other: Span) -> Span {
        let last = match other.to {
            Some(to) => before(program, to),
            None => other.from,
        };
        let end = self.end(program);
        let to = Some(difference(program, end, other.from));
        let from = difference(program, self.from, last);
        Span { from, to }
    }

    /// The places of rows with that many elements: all, where the values wrap between the first and the last.
    fn places(self, program: &mut Program, length: Id) -> Places {
        let end = self.end(program);
        if self.to.is_none() || is_zero(program, self.from) {
            return [self.from, end];
        }
        let zero = program.usize(0);
        let ascends = program.binary(Binary::Lt, self.from, end);
        [(self.from, zero), (end, length)].map(|(place, all)| match place == all {
            true => all,
            false => program.add(Node::Select(ascends, place, all)),
        })
    }

    fn end(self, program: &mut Program) -> Id {
        let one = program.usize(1);
        self.to.unwrap_or_else(|| sum(program, self.from, one))
    }
}

fn is_zero(program: &Program, id: Id) -> bool {
    matches!(program.node(id), Node::Constant(zero) if zero.bits == 0)
}

fn before(program: &mut Program, end: Id) -> Id {
    let one = program.usize(1);
    difference(program, end, one)
}

fn sum(program: &mut Program, a: Id, b: Id) -> Id {
    match (is_zero(program, a), is_zero(program, b)) {
        (true, _) => b,
        (_, true) => a,
        _ => program.binary(Binary::Add, a, b),
    }
}

fn difference(program: &mut Program, a: Id, b: Id) -> Id {
    match (program.node(a), program.node(b)) {
        _ if is_zero(program, b) => a,
        _ if a == b => program.usize(0),
        (Node::Binary(Binary::Add, rest, same), _) if *same == b => *rest,
        (_, Node::Binary(Binary::Sub, same, rest)) if *same == a => *rest,
        _ => program.binary(Binary::Sub, a, b),
    }
}

/// The extents that indices go through; none of one that goes through several.
fn extents(program: &Program, live: &[Id]) -> QuickMap<Var, Option<Id>> {
    let mut found = QuickMap::default();
    for &id in live {
        if let Node::Generate { extents, vars, .. }
        | Node::Reduce { extents, vars, .. }
        | Node::Scan { extents, vars, .. }
        | Node::Scatter { extents, vars, .. }
        | Node::Compact { extents, vars, .. }
        | Node::Sort { extents, vars, .. } = program.node(id)
        {
            for (&var, &extent) in vars.iter().zip(extents) {
                let known = found.entry(var).or_insert(Some(extent));
                if *known != Some(extent) {
                    *known = None;
                }
            }
        }
    }
    found
}
