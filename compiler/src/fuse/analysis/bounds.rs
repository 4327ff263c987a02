//! Extents with bounds: what is evaluated before it is known to be needed costs no more than arrays that exist.

use crate::fuse::analysis::control::is_array_loop;
use crate::ir::scopes::regions;
use crate::ir::walk;
use crate::ir::{Id, IdSet, Node, Output, Program, QuickSet, Type};
use crate::pass::index::Index;
use crate::scalar::Binary;
use crate::sorted::SortedSet;
use std::cell::RefCell;

/// The largest constant that bounds an extent by itself.
const MOST: u64 = 1 << 20;

/// Which extents are at most a constant or the extent of an array that exists.
#[derive(Default)]
pub(in crate::fuse) struct Bounds {
    /// Extents of results, of states of loops and of what compactions give.
    exist: QuickSet<Id>,
    /// Tells whether differences wrap.
    ranges: RefCell<Index>,
}

impl Bounds {
    pub(in crate::fuse) fn of(program: &Program) -> Bounds {
        let mut exist = QuickSet::default();
        for output in &program.outputs {
            if let Output::Array { extents, .. } = output {
                exist.extend(extents);
                for &extent in extents {
                    if let Node::Binary(Binary::Add, a, b) = *program.node(extent) {
                        exist.extend([a, b]);
                    }
                }
            }
        }
        for id in program.ids() {
            match program.node(id) {
                Node::Compact { count, .. } => _ = exist.insert(*count),
                Node::Loop { state, .. } if is_array_loop(program, id) => {
                    for &var in state {
                        if let Type::Array(_, extents) = program.var_type(var) {
                            exist.extend(extents);
                        }
                    }
                }
                _ => {}
            }
        }
        Bounds {
            exist,
            ranges: RefCell::new(Index::with_checks(program)),
        }
    }

    /// Whether a closed scalar is speculatable: each reduction in it has bounded extents, is predicated, or is anticipated.
    pub(in crate::fuse) fn speculable(
        &self,
        program: &Program,
        id: Id,
        certain: &SortedSet<Id>,
    ) -> bool {
        let (mut seen, mut open) = (IdSet::default(), vec![id]);
        while let Some(id) = open.pop() {
            if certain.contains(&id) || !seen.insert(id) {
                continue;
            }
            match program.node(id) {
                Node::Index { indices, .. } => open.extend(indices),
                Node::Materialize(_) | Node::Generate { .. } => {}
                Node::If { condition, .. } => open.push(*condition),
                Node::Reduce { extents, .. }
                    if !extents.iter().all(|&extent| self.bounded(program, extent)) =>
                {
                    return false;
                }
                node => walk::evaluated(node, |operand| open.push(operand)),
            }
        }
        true
    }

    /// Whether an extent has a bound, whatever condition it stands under.
    pub(in crate::fuse) fn bounded(&self, program: &Program, extent: Id) -> bool {
        let is = |id: Id| self.bounded(program, id);
        if self.exist.contains(&extent) {
            return true;
        }
        match program.node(extent) {
            Node::Constant(constant) => constant.bits <= MOST,
            Node::Extent { .. } => true,
            Node::Cast(_, a) => {
                let from = program.leaf(*a);
                from.is_integer() && !from.is_signed() && (from.bits() <= 16 || is(*a))
            }
            // What is chosen among others may be chosen for not wrapping.
            &Node::Select(condition, difference, b) => match *program.node(difference) {
                Node::Binary(Binary::Sub, from, less)
                    if *program.node(condition) == Node::Binary(Binary::Le, less, from) =>
                {
                    is(from) && is(b)
                }
                _ => is(difference) && is(b),
            },
            Node::Guard { value, .. } | Node::Demand { value, .. } => is(*value),
            Node::Project(bundle, k) => match program.node(*bundle) {
                Node::If {
                    then, otherwise, ..
                } => is(then[*k as usize]) && is(otherwise[*k as usize]),
                _ => false,
            },
            &Node::Binary(op, a, b) => match op {
                Binary::Add => is(a) && is(b),
                Binary::Min | Binary::And => is(a) || is(b),
                Binary::Max | Binary::Or | Binary::Xor => is(a) && is(b),
                Binary::Div | Binary::Shr => is(a),
                Binary::Rem => is(a) || is(b),
                Binary::Sub => {
                    // The bound of a nested difference borrows the ranges again.
                    let less = self.ranges.borrow_mut().less_equal(program, b, a);
                    less == Some(true) && is(a)
                }
                Binary::Mul => shape(program, extent) || small(program, a, b, &is),
                _ => false,
            },
            _ => false,
        }
    }
}

/// What a region of the host evaluates in any case: nothing that stands in a branch, a round, a body or behind a check.
pub(in crate::fuse) fn anticipated(
    program: &Program,
    roots: impl IntoIterator<Item = Id>,
) -> SortedSet<Id> {
    let mut open: Vec<Id> = roots.into_iter().collect();
    let mut found = SortedSet::new();
    while let Some(id) = open.pop() {
        if !found.insert(id) {
            continue;
        }
        let (mut outside, _) = regions(program.node(id));
        open.append(&mut outside);
    }
    found
}

/// A multiple of a bounded extent by a small constant.
fn small(program: &Program, a: Id, b: Id, is: &impl Fn(Id) -> bool) -> bool {
    const TIMES: u64 = 16;
    let few = |id: Id| matches!(program.node(id), Node::Constant(times) if times.bits <= TIMES);
    few(a) && is(b) || few(b) && is(a)
}

/// Whether a product has each axis of one array at most once.
fn shape(program: &Program, product: Id) -> bool {
    let (mut open, mut axes) = (vec![product], SortedSet::new());
    while let Some(id) = open.pop() {
        match *program.node(id) {
            Node::Binary(Binary::Mul, a, b) => open.extend([a, b]),
            Node::Extent { array, axis } if axes.insert((array, axis)) => {}
            _ => return false,
        }
    }
    let arrays: SortedSet<u32> = axes.iter().map(|&(array, _)| array).collect();
    arrays.len() == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::tests::program;
    use crate::scalar::Leaf;

    #[test]
    fn of_a_difference_of_differences() {
        let (mut p, inputs) = program("nested", &[("xs", Leaf::F32, 1)]);
        let extent = p.extents(inputs[0])[0];
        let one = p.usize(1);
        let inner = p.binary(Binary::Sub, extent, one);
        let most = p.binary(Binary::Max, inner, one);
        let outer = p.binary(Binary::Sub, most, one);
        let bounds = Bounds::of(&p);
        // The inner one may wrap.
        assert!(!bounds.bounded(&p, inner) && !bounds.bounded(&p, outer));
    }
}
