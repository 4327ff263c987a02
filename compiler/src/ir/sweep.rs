//! Nodes that nothing needs go. Passes that write a program anew beside the old one leave many behind.

use super::build::hash_of;
use super::{Id, IdSet, Program, QuickMap, Type, table::Table};

impl Program {
    /// The same program with the nodes alone that its roots need, or that types of these mention, in the order that they had.
    pub(crate) fn swept(mut self) -> Program {
        let live = self.needed();
        let mut to = vec![None; self.nodes.len()];
        for (k, id) in live.iter().enumerate() {
            to[id.0 as usize] = Some(Id(k as u32));
        }
        let of = |id: Id| to[id.0 as usize];
        let kept = |id: Id| of(id).expect("what is needed is kept");
        keep(&mut self.nodes, &to);
        keep(&mut self.types, &to);
        keep(&mut self.free, &to);
        keep(&mut self.keys, &to);
        keep(&mut self.contents, &to);
        keep(&mut self.shapes, &to);
        for node in &mut self.nodes {
            node.map_operands(kept);
        }
        let types = self.types.iter_mut();
        types.for_each(|ty| ty.map_extents(&mut |id| kept(id)));
        // Extents of variables that nothing binds any more are gone.
        for ty in &mut self.vars {
            ty.map_extents(&mut |id| of(id).unwrap_or(Id(0)));
        }
        self.hashes = self.nodes.iter().map(hash_of).collect();
        self.interned = Table::default();
        for k in 0..self.hashes.len() {
            self.interned.push(&self.hashes[..=k]);
        }
        for ids in self.binders.values_mut() {
            *ids = ids.iter().filter_map(|&id| of(id)).collect();
        }
        self.binders.retain(|_, ids| !ids.is_empty());
        let renamed = std::mem::take(&mut self.renamed).into_iter();
        self.renamed = renamed
            .filter_map(|(mut node, id)| {
                let mut all = true;
                node.map_operands(|id| {
                    of(id).unwrap_or_else(|| {
                        all = false;
                        id
                    })
                });
                Some((node, of(id)?)).filter(|_| all)
            })
            .collect();
        fn moved<T>(labels: QuickMap<Id, T>, of: impl Fn(Id) -> Option<Id>) -> QuickMap<Id, T> {
            let labels = labels.into_iter();
            labels
                .filter_map(|(id, label)| Some((of(id)?, label)))
                .collect()
        }
        self.names = moved(std::mem::take(&mut self.names), of);
        self.spans = moved(std::mem::take(&mut self.spans), of);
        self.reasons = moved(std::mem::take(&mut self.reasons), of);
        for check in &mut self.checks {
            check.map_roots(kept);
        }
        for output in &mut self.outputs {
            output.map_roots(kept);
        }
        self
    }

    /// What the roots need, with the extents of all types.
    fn needed(&self) -> IdSet {
        let (mut needed, mut open) = (IdSet::default(), self.roots());
        while let Some(id) = open.pop() {
            if !needed.insert(id) {
                continue;
            }
            let node = self.node(id);
            node.operands(|operand| open.push(operand));
            self.ty(id).extents(&mut |extent| open.push(extent));
            for var in node.bound() {
                self.var_type(var).extents(&mut |extent| open.push(extent));
            }
        }
        needed
    }
}

/// What belongs to the nodes that stay.
fn keep<T>(all: &mut Vec<T>, to: &[Option<Id>]) {
    let mut stays = to.iter().map(Option::is_some);
    all.retain(|_| stays.next() == Some(true));
}

impl Type {
    fn extents(&self, each: &mut impl FnMut(Id)) {
        match self {
            Type::Scalar(_) => {}
            Type::Array(_, extents) => extents.iter().for_each(|&extent| each(extent)),
            Type::Bundle(types) => types.iter().for_each(|ty| ty.extents(each)),
        }
    }

    fn map_extents(&mut self, to: &mut impl FnMut(Id) -> Id) {
        match self {
            Type::Scalar(_) => {}
            Type::Array(_, extents) => extents.iter_mut().for_each(|extent| *extent = to(*extent)),
            Type::Bundle(types) => types.iter_mut().for_each(|ty| ty.map_extents(to)),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::tests::{fold, program};
    use crate::ir::{Node, Output, Program, walk};
    use crate::scalar::{Binary, Leaf};

    #[test]
    fn what_is_needed_stays_as_it_was() {
        let (mut p, inputs) = program("sum", &[("xs", Leaf::F32, 1)]);
        let (xs, extent) = (inputs[0], p.extents(inputs[0])[0]);
        let read = |p: &mut Program, array, index| {
            let indices = vec![index];
            p.add(Node::Index { array, indices })
        };
        let other = fold(&mut p, extent, Binary::Mul, None, |p, at| read(p, xs, at));
        let sum = fold(&mut p, extent, Binary::Add, None, |p, at| read(p, xs, at));
        p.name(other, "other");
        p.name(sum, "sum");
        p.outputs = vec![Output::Scalar(vec![sum])];
        let (text, live) = (p.to_string(), walk::reachable(&p, p.roots()).len());
        assert!(p.ids().len() > live);
        let mut swept = p.swept();
        assert_eq!(swept.to_string(), text);
        assert_eq!(swept.ids().len(), live);
        swept.verify().expect("a program");
        // What is there is found, whatever its variables are called.
        let xs = swept.input(0, 1, 0);
        let extent = swept.extents(xs)[0];
        let again = fold(&mut swept, extent, Binary::Add, None, |p, at| {
            read(p, xs, at)
        });
        assert_eq!(swept.outputs, [Output::Scalar(vec![again])]);
    }
}
