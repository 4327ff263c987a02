//! Kernels of sorts: the elements are computed where they are first read.
//!
//! In: a sort. Out: its kernel, the buffers of its results, and as many again to work in.

use super::Tiling;
use super::flatten;
use super::kernel::Built;
use super::place::{Body, Kind};
use super::region::Planner;
use crate::ir::{Id, Node};
use crate::plan::{Buffer, BufferId, Skeleton, Sorted, Step, sorts};
use crate::scalar::Leaf;

impl Planner<'_> {
    /// The kernel of a sort; its components have slots afterwards.
    pub(super) fn sort(&mut self, bundle: Id, steps: &mut Vec<Step>) -> Built {
        let Node::Sort {
            extents,
            vars,
            elements,
            keys,
        } = self.program.node(bundle).clone()
        else {
            unreachable!("no sort: {:?}", self.program.node(bundle));
        };
        let keys = keys as usize;
        let leaves: Vec<Leaf> = (elements.iter())
            .map(|&element| self.program.leaf(element))
            .collect();
        let wanted = self
            .sources
            .wanted
            .get(&bundle)
            .cloned()
            .unwrap_or_default();
        let buffers: Vec<[Option<BufferId>; 2]> = (0..elements.len())
            .map(|k| {
                let wanted = wanted.contains(&(k as u32));
                let stored = sorts::stored(&leaves[..keys], wanted);
                let component = self.program.add(Node::Project(bundle, k as u32));
                let first = match wanted {
                    true => {
                        let buffer = self.allocate(component, steps);
                        self.sources.slots.insert(component, buffer);
                        Some(buffer)
                    }
                    false => stored[0].then(|| self.spare(component, steps)),
                };
                [first, stored[1].then(|| self.spare(component, steps))]
            })
            .collect();
        let items = items(&leaves, self.options.tiles);
        let length = *extents.last().expect("an axis to sort along");
        let mut values = elements;
        let mut domain = self.own_domain(extents, vars, &mut values);
        if self.options.flatten {
            let (program, sources) = (&mut self.program, &mut self.sources);
            flatten::collapse(program, sources, &mut domain, &mut values, &mut Vec::new());
        }
        let name = self.unique_kernel("sort");
        let mut body = Body::new(&mut self.program, &mut self.sources, self.options);
        body.want(&values);
        body.open(Kind::Root, Vec::new(), &values);
        let extents = body.extents(&domain.extents);
        let length = body.extent(length);
        let vars = domain.vars.iter().map(|&var| body.bind(var)).collect();
        let values = body.values(&values);
        let results = (buffers.iter().zip(0..))
            .filter(|(_, k)| wanted.contains(k))
            .filter_map(|(pair, _)| pair[0]);
        let names: Vec<String> = results
            .map(|buffer| body.sources.buffer(buffer).0)
            .collect();
        let parts = (values.into_iter().zip(buffers).zip(0..))
            .map(|((element, buffers), k)| Sorted {
                element,
                wanted: wanted.contains(&k),
                buffers: buffers.map(|buffer| Some(body.access(buffer?, true))),
            })
            .collect();
        let skeleton = Skeleton::Sort {
            extents,
            vars,
            body: body.close(),
            length,
            parts,
            keys,
            items,
        };
        let summary = format!("sort: {}", names.join(", "));
        body.finish(name, summary, skeleton)
    }

    /// A buffer like a component, to work in.
    fn spare(&mut self, component: Id, steps: &mut Vec<Step>) -> BufferId {
        let extents = self.extent_values(component, steps);
        let name = self.unique_buffer("spare");
        let leaf = self.program.leaf(component);
        self.sources.buffers.push(Buffer {
            name,
            leaf,
            extents,
        });
        let buffer = BufferId(self.sources.buffers.len() as u32 - 1);
        steps.push(Step::Allocate(buffer));
        buffer
    }
}

/// Neighbours that a thread of a GPU takes of a tile: as many as its registers and shared memory have room for.
fn items(leaves: &[Leaf], tiling: Tiling) -> u32 {
    if tiling == Tiling::Small {
        return 2;
    }
    match leaves.iter().map(|leaf| leaf.bytes()).sum() {
        0..=8 if leaves.iter().all(|leaf| leaf.bytes() <= 4) => 16,
        0..=16 => 12,
        17..=32 => 8,
        33..=64 => 4,
        _ => 2,
    }
}
