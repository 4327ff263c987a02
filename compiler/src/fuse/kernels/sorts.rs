//! Kernels of sorts: the elements are computed where they are first read.
//!
//! In: a sort. Out: its kernel, the buffers of its results, and as many again to work in.

use crate::fuse::Tiling;
use crate::fuse::body::collapse;
use crate::fuse::body::{Body, Kind};
use crate::fuse::kernels::Built;
use crate::fuse::planner::Planner;
use crate::ir::{Id, Node, Var};
use crate::plan::{Buffer, BufferId, Comparison, Skeleton, Sorted, Step, sorts};
use crate::scalar::Leaf;

impl Planner<'_> {
    /// The kernel of a sort; its components have slots afterwards.
    pub(in crate::fuse) fn sort(&mut self, bundle: Id, steps: &mut Vec<Step>) -> Built {
        let Node::Sort {
            extents,
            vars,
            elements,
            keys,
            left,
            right,
            less,
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
                let stored = sorts::stored(&leaves[..keys], less.is_some(), wanted);
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
        let items = match less {
            Some(_) => merged_items(&leaves, self.options.tiles),
            None => items(&leaves, self.options.tiles),
        };
        let length = *extents.last().expect("an axis to sort along");
        let read = self.sources.partial_sorts.get(&bundle).copied();
        let told = |id: &Id| self.sources.on_host(&self.program, *id);
        let read = read.filter(|places| places.iter().all(told));
        for place in read.into_iter().flatten() {
            self.host_value(place, steps);
        }
        let mut values = elements;
        let mut domain = self.own_domain(extents, vars, &mut values);
        if self.options.collapse {
            let (program, sources) = (&mut self.program, &mut self.sources);
            collapse::collapse(program, sources, &mut domain, &mut values, &mut Vec::new());
        }
        let name = self.unique_kernel("sort");
        let mut body = Body::new(&mut self.program, &mut self.sources, self.options);
        body.want(&values);
        body.open(Kind::Root, Vec::new(), &values);
        let extents = body.extents(&domain.extents);
        let length = body.extent(length);
        let read = read.map(|places| places.map(|place| body.extent(place)));
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
        let statements = body.close();
        let by = less.map(|less| Box::new(body.comparison(&left, &right, less)));
        let skeleton = Skeleton::Sort {
            extents,
            vars,
            body: statements,
            length,
            read,
            parts,
            keys,
            by,
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

impl Body<'_> {
    /// A comparison, which stands by itself: of the elements it gets the keys only.
    fn comparison(&mut self, left: &[Var], right: &[Var], less: Id) -> Comparison {
        self.want(&[less]);
        self.open(Kind::Root, Vec::new(), &[less]);
        for (value, id) in self.scalars.clone() {
            self.define(0, id, value);
        }
        let [left, right] =
            [left, right].map(|vars| vars.iter().map(|&var| self.bind(var)).collect());
        let less = self.value(less);
        Comparison {
            left,
            right,
            body: self.close(),
            less,
        }
    }
}

/// Neighbours that a thread of a GPU merges: they and as many others are in registers and in shared memory.
fn merged_items(leaves: &[Leaf], tiling: Tiling) -> u32 {
    match leaves.iter().map(|leaf| leaf.bytes()).sum() {
        _ if tiling == Tiling::Small => 2,
        0..=8 => 8,
        9..=16 => 4,
        17..=64 => 2,
        _ => 1,
    }
}

/// Neighbours that a thread of a GPU takes of a tile: as many as its registers and shared memory have room for.
fn items(leaves: &[Leaf], tiling: Tiling) -> u32 {
    if tiling == Tiling::Small {
        return 2;
    }
    match leaves.iter().map(|leaf| leaf.bytes()).sum() {
        0..=4 => 18,
        5..=8 if leaves.iter().all(|leaf| leaf.bytes() <= 4) => 12,
        5..=16 => 8,
        17..=32 => 4,
        33..=64 => 2,
        _ => 1,
    }
}
