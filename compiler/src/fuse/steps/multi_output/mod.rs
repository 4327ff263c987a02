//! Multi-output fusion: a producer is stored by the kernel of its consumers.
//!
//! In: groups of items in the order of their launches. Out: the same groups, but for arrays that have become outputs of another
//! kernel over their domain: of reductions that read them, compute them in any case, or share their operands; of elementwise
//! kernels that read them. Reads of an output in its kernel are replaced by its elements: it is written once, and not read.

mod points;

use crate::fuse::analysis::domains::parts;
use crate::fuse::item::Item;
use crate::fuse::planner::{Group, Output, Planner, Shape};
use crate::fuse::rewrite::Replacing;
use crate::fuse::steps::needs::{Demand, Needs};
use crate::ir::walk::inside;
use crate::ir::{Id, Node, QuickMap, Var};
use crate::sorted::{SortedMap, SortedSet};
use points::{Joins, Points};

/// Operations that may be computed again for an array that leaves a kernel.
const LITTLE: f64 = 4.0;

impl Planner<'_> {
    /// Moves producers into the groups of their consumers; gives the groups that are left.
    pub(in crate::fuse) fn fuse_outputs(
        &mut self,
        needs: &Needs,
        demands: &[Demand],
        mut groups: Vec<Group>,
        mut position: Vec<usize>,
    ) -> Vec<Group> {
        let points: Vec<Vec<Points>> = groups.iter().map(|group| self.points_of(group)).collect();
        // Consumers first, then kernels that share operands.
        for reads in [true, false] {
            for from in 0..groups.len() {
                for to in 0..groups.len() {
                    // Elementwise kernels over one domain have been joined already.
                    let elementwise = matches!(groups[to].shape, Shape::Points(_));
                    if to == from || elementwise && !reads {
                        continue;
                    }
                    let points = &points[to];
                    let arrays =
                        self.arrays_for(needs, &groups, &position, points, [from, to], reads);
                    let moves = |item: Item| arrays.contains(&item.id());
                    for (at, (item, _)) in needs.items.iter().enumerate() {
                        if position[at] == from && moves(*item) {
                            position[at] = to;
                        }
                    }
                    let output = |&array: &Id| Output {
                        array,
                        stored: is_live(needs, demands, &position, array, to),
                    };
                    let outputs: Vec<Output> = arrays.iter().map(output).collect();
                    groups[from].items.retain(|&item| !moves(item));
                    groups[from]
                        .outputs
                        .retain(|output| !arrays.contains(&output.array));
                    groups[to].after.retain(|&(producer, _)| !moves(producer));
                    let edges = std::mem::take(&mut groups[from].after);
                    let moved = |edge: &(Item, Item)| moves(edge.1);
                    let (moved, stays): (Vec<_>, Vec<_>) = edges.into_iter().partition(moved);
                    groups[from].after = stays;
                    groups[to].after.extend(moved);
                    groups[to].outputs.extend(outputs);
                }
            }
        }
        groups.retain(|group| !group.items.is_empty());
        groups
    }

    /// The arrays of one group that another one stores: those that its reductions read, or all of the others. A group that has taken
    /// in others moves as a whole.
    fn arrays_for(
        &mut self,
        needs: &Needs,
        groups: &[Group],
        position: &[usize],
        points: &[Points],
        [from, to]: [usize; 2],
        reads: bool,
    ) -> Vec<Id> {
        let Shape::Points(extents) = &groups[from].shape else {
            return Vec::new();
        };
        let mut alike = points.iter().filter(|points| points.extents == *extents);
        if extents.is_empty() || points.is_empty() || !alike.all(|points| points.is_fusible) {
            return Vec::new();
        }
        let whole = !groups[from].outputs.is_empty();
        let with = |at: usize| whole && position[at] == from;
        let in_order = |at: usize, item: Item| {
            let users = (needs.items.iter().enumerate())
                .filter(|(_, (_, needed))| needed.contains(&at))
                .all(|(user, _)| position[user] >= to || with(user));
            let mut needed = needs.items[at].1.iter();
            let needed = needed.all(|&at| position[at] < to || with(at));
            matches!(item, Item::Array(_)) && users && needed
        };
        let items = needs.items.iter().enumerate();
        let own = items.filter(|(at, _)| position[*at] == from);
        let own: Vec<(usize, Item)> = own.map(|(at, (item, _))| (at, *item)).collect();
        let found: Vec<(Id, Joins)> = (own.iter())
            .filter(|&&(at, item)| in_order(at, item))
            .filter_map(|&(_, item)| {
                Some((
                    item.id(),
                    self.joins(needs, &groups[to], points, item.id())?,
                ))
            })
            .collect();
        let mut joined = groups[to].outputs.iter().map(|output| output.array);
        let beside = found
            .iter()
            .any(|(_, joins)| matches!(joins, Joins::Beside))
            || joined.any(|array| self.sources.canonical(self.program.extents(array)) == *extents);
        let read = found.iter().any(|(_, joins)| matches!(joins, Joins::Read));
        let all = found.len() == own.len() && if reads { read } else { beside };
        let moves = |joins: &Joins| match joins {
            _ if whole => all,
            Joins::Read => reads,
            Joins::Beside => !reads,
            Joins::Anywhere => !reads && all,
        };
        let mut moved: Vec<Id> = (found.into_iter())
            .filter(|(_, joins)| moves(joins))
            .map(|(array, _)| array)
            .collect();
        // Common subexpressions would be computed in both kernels.
        let stay: Vec<Id> = (own.iter().map(|(_, item)| item.id()))
            .filter(|id| !moved.contains(id))
            .filter(|&id| matches!(self.program.node(id), Node::Materialize(_)))
            .collect();
        moved.retain(|&array| {
            let mut stay = stay.iter();
            stay.all(|&other| self.common_work(array, other) <= LITTLE)
        });
        moved
    }

    /// Replaces reads of a kernel's outputs by their elements.
    pub(in crate::fuse) fn see_through(&mut self, outputs: &[Output], roots: &mut [&mut Id]) {
        let arrays: SortedMap<Id, (Vec<Var>, Id)> = (outputs.iter())
            .map(|output| (output.array, parts(&self.program, output.array)))
            .collect();
        // One may read another.
        for _ in outputs {
            let all: SortedSet<Id> = (roots.iter())
                .flat_map(|root| inside(&self.program, **root).collect::<Vec<Id>>())
                .collect();
            let mut elements = QuickMap::default();
            for id in all {
                if let Node::Index { array, indices } = self.program.node(id).clone()
                    && let Some((vars, element)) = arrays.get(&array)
                {
                    let map = vars.iter().copied().zip(indices).collect();
                    elements.insert(id, self.program.substitute(*element, &map));
                }
            }
            if elements.is_empty() {
                return;
            }
            let mut replacing = Replacing::new(&mut self.program, elements);
            for root in roots.iter_mut() {
                **root = replacing.rewrite(**root);
            }
        }
    }
}

/// Whether an array is live outside of a group: a result, or an operand of another one.
fn is_live(needs: &Needs, demands: &[Demand], position: &[usize], array: Id, group: usize) -> bool {
    let at = needs
        .items
        .iter()
        .position(|(item, _)| *item == Item::Array(array));
    let uses = |needed: &SortedSet<usize>| at.is_some_and(|at| needed.contains(&at));
    let mut users = needs.items.iter().zip(position);
    demands.contains(&Demand::Device(array))
        || users.any(|((_, needed), &user)| user != group && uses(needed))
}
