//! Compactions in kernels of scans: what is kept is stored where the number of those kept so far says.
//!
//! In: a compaction over a kernel's variables. Out: its condition, which is scanned as 0 or 1, and stores under it into
//! memory with room for all elements; the host reads the count after the launch, and lets go of the room that is left.

use crate::fuse::planner::Planner;
use crate::ir::{Id, Node, Program, QuickMap, Type, Var};
use crate::plan::{Buffer, BufferId, Step};
use crate::scalar::{Binary, Leaf, Unary};

/// Whether one of two conditions holds wherever the other does not.
pub(in crate::fuse) fn opposite(program: &Program, a: Id, b: Id) -> bool {
    let exact = |id: Id| !program.leaf(id).is_float();
    match (program.node(a), program.node(b)) {
        (Node::Unary(Unary::Not, inner), _) if *inner == b => true,
        (_, Node::Unary(Unary::Not, inner)) if *inner == a => true,
        (Node::Binary(Binary::Lt, x, y), Node::Binary(Binary::Le, u, v))
        | (Node::Binary(Binary::Le, u, v), Node::Binary(Binary::Lt, x, y)) => {
            (x, y) == (v, u) && exact(*x)
        }
        (Node::Binary(Binary::Eq, x, y), Node::Binary(Binary::Ne, u, v))
        | (Node::Binary(Binary::Ne, x, y), Node::Binary(Binary::Eq, u, v)) => (x, y) == (u, v),
        _ => false,
    }
}

/// A compaction over the variables of a kernel.
pub(in crate::fuse) struct Keep {
    pub(in crate::fuse) condition: Id,
    /// 1 where it holds, else 0.
    pub(in crate::fuse) one: Id,
    /// The elements, and memory for them.
    pub(in crate::fuse) elements: Vec<(Id, BufferId)>,
    /// Where the count goes, if the host does not know it.
    pub(in crate::fuse) count: Option<BufferId>,
}

impl Planner<'_> {
    /// A compaction in a kernel whose points are `at`.
    pub(in crate::fuse) fn keep(&mut self, bundle: Id, at: &[Id], steps: &mut Vec<Step>) -> Keep {
        let Node::Compact {
            count,
            extents,
            vars,
            condition,
            elements,
        } = self.program.node(bundle).clone()
        else {
            unreachable!("no compaction: {:?}", self.program.node(bundle));
        };
        let map: QuickMap<Var, Id> = vars.into_iter().zip(at.iter().copied()).collect();
        let condition = self.program.substitute(condition, &map);
        let one = self.program.add(Node::Cast(Leaf::U64, condition));
        let extents: Vec<_> = (extents.iter())
            .map(|&extent| self.host_value(extent, steps))
            .collect();
        let mut kept = Vec::new();
        for k in self.sources.wanted(bundle, elements.len()) {
            let component = self.program.add(Node::Project(bundle, k));
            let element = self.program.substitute(elements[k as usize], &map);
            let name = self.program.names.get(&component).cloned();
            let name = name.or_else(|| self.program.names.get(&bundle).cloned());
            let name = format!("{}_room", name.as_deref().unwrap_or("kept"));
            let room = BufferId(self.sources.buffers.len() as u32);
            self.sources.buffers.push(Buffer {
                name: self.unique_buffer(&name),
                leaf: self.program.leaf(element),
                extents: extents.clone(),
            });
            steps.push(Step::Allocate(room));
            self.rooms.push((component, room));
            kept.push((element, room));
        }
        let there = self.sources.slots.contains_key(&count);
        let stored = !there && !self.sources.on_host(&self.program, count);
        let count = stored.then(|| {
            let buffer = self.allocate(count, steps);
            self.sources.slots.insert(count, buffer);
            buffer
        });
        Keep {
            condition,
            one,
            elements: kept,
            count,
        }
    }

    /// After the launch: what has been compacted has its length, and a slot.
    pub(in crate::fuse) fn shrink(&mut self, steps: &mut Vec<Step>) {
        for (component, of) in std::mem::take(&mut self.rooms) {
            let count = self.program.extents(component)[0];
            if !self.sources.on_host(&self.program, count) {
                let buffer = self.sources.slot(&self.program, count);
                let value = self.fresh(Leaf::U64);
                let name = self.program.names.get(&count).cloned();
                self.plan_name(value, Some(name.unwrap_or_else(|| "count".to_owned())));
                steps.push(Step::Read { value, buffer });
                self.sources.host.insert(count, value);
            }
            let buffer = self.buffer_like(component, steps);
            steps.push(Step::Shrink { buffer, of });
            self.sources.slots.insert(component, buffer);
        }
    }

    /// The operator that counts.
    pub(in crate::fuse) fn counting(&mut self) -> ([Var; 2], Id) {
        let vars = [(); 2].map(|()| self.program.var(Type::Scalar(Leaf::U64)));
        let [left, right] = vars.map(|var| self.program.add(Node::Variable(var)));
        (vars, self.program.binary(Binary::Add, left, right))
    }
}
