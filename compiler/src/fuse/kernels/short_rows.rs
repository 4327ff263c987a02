//! Which loops over arrays can be done in one kernel: see `staged`.

use crate::fuse::analysis::control::is_array_loop;
use crate::fuse::analysis::estimate;
use crate::fuse::body::sources::Sources;
use crate::ir::walk;
use crate::ir::{Id, IdSet, Node, Program, Type, Var};
use crate::sorted::SortedSet;

/// Elements of a row, at most.
const ELEMENTS: u64 = 1024;
/// Bytes of all arrays of a row, at most: the shared memory that every GPU has.
const BYTES: u64 = 48 << 10;
/// Operands that a thread may fold by itself.
const FOLDED: f64 = 64.0;

/// The number of axes that are rows, if the loop can be done in one kernel.
pub(in crate::fuse) fn rows(program: &Program, sources: &Sources, id: Id) -> Option<usize> {
    let Node::Loop { state, .. } = program.node(id) else {
        return None;
    };
    let extents = state.iter().find_map(|&var| match program.var_type(var) {
        Type::Array(_, extents) => Some(extents),
        _ => None,
    })?;
    if !sources.stages {
        return None;
    }
    let rank = (0..extents.len()).find(|&rank| {
        let mut finder = Finder {
            program,
            sources,
            rows: &extents[..rank],
            states: SortedSet::new(),
            loops: SortedSet::new(),
            bytes: 0,
        };
        finder.looped(id) && finder.bytes <= BYTES && finder.only_arrays()
    })?;
    Some(rank)
}

/// The number of elements of constant extents.
pub(in crate::fuse) fn length(program: &Program, extents: &[Id]) -> Option<u64> {
    let mut length = 1u64;
    for &extent in extents {
        match program.node(extent) {
            Node::Constant(extent) => length = length.checked_mul(extent.bits)?,
            _ => return None,
        }
    }
    (1..=ELEMENTS).contains(&length).then_some(length)
}

/// Looks whether a loop can be staged with these rows.
struct Finder<'a> {
    program: &'a Program,
    sources: &'a Sources,
    rows: &'a [Id],
    /// Of all loops so far.
    states: SortedSet<Var>,
    loops: SortedSet<Id>,
    /// Of all rooms so far.
    bytes: u64,
}

impl Finder<'_> {
    fn looped(&mut self, id: Id) -> bool {
        let program = self.program;
        let Node::Loop {
            state,
            initial,
            condition,
            next,
        } = program.node(id)
        else {
            return false;
        };
        if !self.loops.insert(id) {
            return true;
        }
        if !initial.iter().all(|&part| self.part(part)) {
            return false;
        }
        self.states.extend(state);
        for (k, &var) in state.iter().enumerate() {
            match program.var_type(var) {
                Type::Array(leaf, extents) => {
                    let own = extents.strip_prefix(self.rows);
                    let Some(length) = own.and_then(|own| length(program, own)) else {
                        return false;
                    };
                    let moves = taken_over(program, next, k) && self.depends(next[k]);
                    let rooms = if moves { 1 } else { 2 };
                    self.bytes += rooms * (length * leaf.bytes() as u64).next_multiple_of(8);
                }
                _ if !self.uniform(next[k]) => return false,
                _ => {}
            }
        }
        self.uniform(*condition) && next.iter().all(|&part| self.part(part))
    }

    /// Whether a scalar is the same for all rows, and cannot fail.
    fn uniform(&self, id: Id) -> bool {
        let program = self.program;
        walk::reachable(program, [id]).into_iter().all(|id| {
            matches!(program.ty(id), Type::Scalar(_))
                && !matches!(program.node(id), Node::Index { .. } | Node::Guard { .. })
        })
    }

    fn depends(&self, id: Id) -> bool {
        (self.program.free(id).iter()).any(|var| self.states.contains(var))
    }

    /// A part of a loop's state.
    fn part(&mut self, id: Id) -> bool {
        let program = self.program;
        match program.node(id) {
            _ if matches!(program.ty(id), Type::Scalar(_)) => self.uniform(id),
            Node::Materialize(array) => self.part(*array),
            Node::Generate { vars, element, .. } => {
                vars.len() >= self.rows.len() && self.element(*element, &vars[..self.rows.len()])
            }
            _ if !self.depends(id) => true,
            _ => self.room(id),
        }
    }

    /// An array of the row: of the state, or what an inner loop gives.
    fn room(&mut self, id: Id) -> bool {
        match self.program.node(id) {
            Node::Variable(_) => true,
            Node::Project(bundle, _) => self.looped(*bundle),
            _ => false,
        }
    }

    /// The elements of a row, which read no other row.
    fn element(&mut self, id: Id, rows: &[Var]) -> bool {
        let program = self.program;
        let (mut seen, mut open) = (IdSet::default(), vec![id]);
        while let Some(id) = open.pop() {
            // Computed before the kernel, whatever it is.
            let outside = self.sources.closed(program, id)
                && matches!(program.ty(id), Type::Scalar(_))
                && !walk::fallible(program, id);
            if outside || !seen.insert(id) {
                continue;
            }
            match program.node(id) {
                Node::Index { array, indices } => {
                    let own =
                        |(&index, &row): (&Id, &Var)| *program.node(index) == Node::Variable(row);
                    let same = indices.len() >= rows.len() && indices.iter().zip(rows).all(own);
                    if self.depends(*array) && !(same && self.room(*array)) {
                        return false;
                    }
                    open.extend(indices);
                    continue;
                }
                Node::Reduce { extents, .. } => {
                    let constant = |id: &Id| matches!(program.node(*id), Node::Constant(_));
                    let size: f64 = (extents.iter())
                        .map(|&id| estimate::nominal(program, id))
                        .product();
                    if !extents.iter().all(constant) || size > FOLDED {
                        return false;
                    }
                }
                Node::Generate { .. } | Node::Materialize(_) => return false,
                _ => {}
            }
            program.node(id).operands(|operand| open.push(operand));
        }
        true
    }

    /// Whether nothing demands what the loops count.
    fn only_arrays(&self) -> bool {
        let program = self.program;
        let live = walk::reachable(program, program.roots());
        live.into_iter().all(|id| match program.node(id) {
            Node::Project(bundle, _) => {
                !self.loops.contains(bundle) || matches!(program.ty(id), Type::Array(..))
            }
            _ => true,
        })
    }
}

/// Whether an array of the state becomes what an inner loop gives: their rooms change names.
pub(in crate::fuse) fn taken_over(program: &Program, next: &[Id], k: usize) -> bool {
    let inner = match program.node(next[k]) {
        Node::Project(bundle, _) => is_array_loop(program, *bundle),
        _ => false,
    };
    inner && next.iter().filter(|&&other| other == next[k]).count() == 1
}
