//! Estimates behind the fusion decision: how often an expression runs, and what one run costs.
//!
//! In: a `Program`. Out: numbers. Extents are symbolic, so every unknown one counts as [`UNKNOWN`] and every
//! data-dependent loop as [`ROUNDS`] rounds; only ratios of the results mean anything.

use crate::ir::{Id, Node, Program, QuickMap, Type, Var};
use crate::ir::{trips, walk};
use crate::scalar::{Binary, Leaf, cost};
use crate::sorted::SortedSet;

/// What an unknown extent counts as.
const UNKNOWN: f64 = 1024.0;
/// What a loop of unknown length counts as.
const ROUNDS: f64 = 16.0;
/// What a difference of unknowns counts as: the length of a segment. All of them together are as many elements as the axis has, which
/// speaks for one; each has more than that to do.
const LENGTH: f64 = 4.0;
/// Operations in the time one byte takes to or from memory.
pub(in crate::fuse) const OPS_PER_BYTE: f64 = 15.0;
/// A load that hits a cache, in operations.
pub(in crate::fuse) const LOAD: f64 = 4.0;

/// Who binds a variable, and how many values it takes.
#[derive(Clone, Copy, Debug)]
pub(in crate::fuse) struct Binder {
    /// The region's node.
    pub(in crate::fuse) node: Id,
    /// The extent of an index variable.
    pub(in crate::fuse) extent: Option<Id>,
    /// The number of values, estimated.
    pub(in crate::fuse) count: f64,
}

/// Binders of all variables of a program. Of several nodes with a variable, as rewriting leaves them behind, one that the program
/// still has.
pub(in crate::fuse) fn binders(program: &Program) -> QuickMap<Var, Binder> {
    let mut found = QuickMap::default();
    let live = walk::reachable(program, program.roots());
    live.into_iter()
        .for_each(|id| bind(program, &mut found, id));
    extend(program, &mut found, 0);
    found
}

/// Adds the binders of variables not known yet, which only nodes from the `first` on have.
pub(in crate::fuse) fn extend(program: &Program, found: &mut QuickMap<Var, Binder>, first: usize) {
    (program.ids_from(first)).for_each(|id| bind(program, found, id));
}

fn bind(program: &Program, found: &mut QuickMap<Var, Binder>, id: Id) {
    match program.node(id) {
        Node::Generate { extents, vars, .. } | Node::Compact { extents, vars, .. } => {
            for (&var, &extent) in vars.iter().zip(extents) {
                let count = nominal(program, extent);
                found.entry(var).or_insert(Binder {
                    node: id,
                    extent: Some(extent),
                    count,
                });
            }
        }
        Node::Reduce {
            extents,
            vars,
            left,
            right,
            ..
        }
        | Node::Scan {
            extents,
            vars,
            left,
            right,
            ..
        }
        | Node::Scatter {
            extents,
            vars,
            left,
            right,
            ..
        }
        | Node::Sort {
            extents,
            vars,
            left,
            right,
            ..
        } => {
            let all: f64 = extents.iter().map(|&e| nominal(program, e)).product();
            for (&var, &extent) in vars.iter().zip(extents) {
                let count = nominal(program, extent);
                found.entry(var).or_insert(Binder {
                    node: id,
                    extent: Some(extent),
                    count,
                });
            }
            for (k, &var) in left.iter().chain(right).enumerate() {
                let count = if k == 0 { all } else { 1.0 };
                found.entry(var).or_insert(Binder {
                    node: id,
                    extent: None,
                    count,
                });
            }
        }
        node @ Node::Loop { state, .. } => {
            let rounds = match trips::most(program, node) {
                Some(most) => most as f64,
                // Through an axis, as a reduction of it.
                None => match trips::trip_count(program, node) {
                    Some(end) if program.free(end).is_empty() => nominal(program, end),
                    _ => ROUNDS,
                },
            };
            for (k, &var) in state.iter().enumerate() {
                let count = if k == 0 { rounds } else { 1.0 };
                found.entry(var).or_insert(Binder {
                    node: id,
                    extent: None,
                    count,
                });
            }
        }
        _ => {}
    }
}

/// An extent as a number: its value if constant.
pub(in crate::fuse) fn nominal(program: &Program, id: Id) -> f64 {
    match program.node(id) {
        Node::Constant(constant) => constant.bits as f64,
        Node::Binary(op, a, b) => {
            let (a, b) = (nominal(program, *a), nominal(program, *b));
            match op {
                Binary::Add => a + b,
                Binary::Sub if a == b => LENGTH,
                Binary::Sub => (a - b).max(1.0),
                Binary::Mul => a * b,
                Binary::Div => (a / b.max(1.0)).max(1.0),
                Binary::Min => a.min(b),
                Binary::Max => a.max(b),
                _ => UNKNOWN,
            }
        }
        Node::Guard { value, .. } | Node::Demand { value, .. } | Node::Select(_, value, _) => {
            nominal(program, *value)
        }
        _ => UNKNOWN,
    }
}

/// How often an expression runs that depends on these variables.
pub(in crate::fuse) fn runs<'a>(
    vars: impl IntoIterator<Item = &'a Var>,
    binders: &QuickMap<Var, Binder>,
) -> f64 {
    // The variables of one loop, or the operands of one reduction, run together.
    let mut seen = SortedSet::new();
    vars.into_iter()
        .filter_map(|var| binders.get(var))
        .map(|binder| match binder.extent {
            Some(_) => binder.count,
            None if seen.insert(binder.node) => binder.count.max(ROUNDS),
            None => 1.0,
        })
        .product()
}

/// The cost of one node by itself, in operations.
pub(in crate::fuse) fn own(program: &Program, id: Id) -> f64 {
    let own = match program.node(id) {
        Node::Unary(op, _) => cost::unary(*op),
        Node::Binary(op, a, _) => cost::binary(*op, program.leaf(*a)),
        Node::Select(..) => cost::SELECT,
        Node::Cast(..) => cost::CAST,
        Node::Guard { .. } => 1,
        Node::Math(f, _) => cost::math(*f),
        Node::Foreign(..) => cost::FOREIGN,
        Node::Index { .. } => return LOAD,
        _ => return 0.0,
    };
    // Index arithmetic is mostly simplified away, but for divisions, and for what elements say.
    match program.ty(id) {
        Type::Scalar(Leaf::U64) if own == 1 && !program.reads(id) => 0.0,
        _ => own as f64,
    }
}

/// What every thread may compute again, outside of its element loop, before a launch of its own costs less (in operations).
pub(in crate::fuse) const REPEATED: f64 = 32.0;

/// Elements that one thread folds by itself.
const FEW: f64 = 64.0;

/// Whether a reduction is known to be of few elements: not worth the work of several threads, nor a launch of its own.
pub(in crate::fuse) fn is_few(program: &Program, extents: &[Id]) -> bool {
    let constant = |&extent: &Id| matches!(program.node(extent), Node::Constant(_));
    let sizes = extents.iter().map(|&extent| nominal(program, extent));
    extents.iter().all(constant) && sizes.product::<f64>() <= FEW
}

/// Whether a reduction of few elements is more work than every thread may repeat.
pub(in crate::fuse) fn is_dear_fold(program: &Program, id: Id) -> bool {
    let Node::Reduce {
        extents,
        elements,
        combined,
        ..
    } = program.node(id)
    else {
        return false;
    };
    let size: f64 = extents.iter().map(|&id| nominal(program, id)).product();
    let parts = elements.iter().chain(combined);
    let inside: SortedSet<Id> = parts.flat_map(|&id| walk::inside(program, id)).collect();
    let work: f64 = inside.into_iter().map(|id| own(program, id)).sum();
    size * work > REPEATED
}

/// Whether a scalar of elements of arrays, or of loops, is more work than every thread may repeat.
pub(in crate::fuse) fn is_dear(program: &Program, id: Id) -> bool {
    let reads = program.reads(id);
    if !reads && !program.loops(id) {
        return false;
    }
    let mut work = 0.0;
    walk::inside(program, id).any(|id| {
        work += match program.node(id) {
            Node::Loop { .. } => f64::INFINITY,
            _ if reads => own(program, id),
            _ => 0.0,
        };
        work > REPEATED
    })
}

/// Whether a scalar that the elements of a row share is more work than each of them may repeat: a mathematical function, or long
/// arithmetic of elements of arrays.
pub(in crate::fuse) fn is_of_rows(program: &Program, id: Id) -> bool {
    is_function(program, id) || is_dear(program, id)
}

/// Whether a node calls a mathematical function.
pub(in crate::fuse) fn is_function(program: &Program, id: Id) -> bool {
    matches!(program.node(id), Node::Math(f, _) if !f.is_arithmetic())
}
