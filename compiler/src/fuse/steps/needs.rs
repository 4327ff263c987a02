//! What must be computed, and in which order: the items behind the demands of a region.
//!
//! In: arrays and scalars that someone needs. Out: items, each after the ones it needs. An item is what may become a
//! kernel of its own: a stored array, a reduction of whole arrays, a scalar left on the device, a read-back, a branch
//! or a loop that the host runs.

use crate::fuse::analysis::control::{self, is_apart, is_control};
use crate::fuse::body::sources::Sources;
use crate::fuse::item::Item;
use crate::fuse::kernels::scatters;
use crate::fuse::scans::epilogue;
use crate::fuse::steps::host::{on_host_after, stored_operand};
use crate::fuse::steps::placement::{is_left_cheap, leaves_bodies};
use crate::ir::walk::{self, evaluated, inside};
use crate::ir::{Id, IdSet, Node, Program, QuickMap, Type};
use crate::sorted::SortedSet;

/// Someone's need.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::fuse) enum Demand {
    /// A scalar on the host.
    Host(Id),
    /// An array, or a scalar on the device.
    Device(Id),
}

/// The items in order, and for each the positions of those it needs.
#[derive(Default)]
pub(in crate::fuse) struct Needs {
    pub(in crate::fuse) items: Vec<(Item, SortedSet<usize>)>,
    done: QuickMap<Item, usize>,
    /// Counts of compactions that are items anyway, and give them.
    counts: QuickMap<Id, Id>,
    /// Compactions of which the needs are being found: their own do not give their counts.
    open: Vec<Id>,
}

impl Needs {
    pub(in crate::fuse) fn of(program: &Program, sources: &Sources, demands: &[Demand]) -> Needs {
        let all = |counts: QuickMap<Id, Id>| {
            let mut needs = Needs {
                counts,
                ..Needs::default()
            };
            for &demand in demands {
                needs.demand(program, sources, demand);
            }
            needs
        };
        let needs = all(QuickMap::default());
        let counts = needs.items.iter().filter_map(|(item, _)| match item {
            Item::Compact(id) => control::count(program, *id).map(|count| (count, *id)),
            _ => None,
        });
        let counts: QuickMap<Id, Id> = counts.collect();
        match counts.is_empty() {
            true => needs,
            false => all(counts),
        }
    }

    /// Whether this is one of them.
    pub(in crate::fuse) fn has(&self, item: Item) -> bool {
        self.done.contains_key(&item)
    }

    fn demand(&mut self, program: &Program, sources: &Sources, demand: Demand) {
        let mut top = SortedSet::new();
        match demand {
            Demand::Host(id) => self.host(program, sources, id, &mut top),
            Demand::Device(id) => match program.ty(id) {
                Type::Scalar(_) => self.scalar(program, sources, id, &mut top),
                _ => self.array(program, sources, id, &mut top),
            },
        }
    }

    /// An item whose needs are found by `inner`; it becomes a need of `user`.
    pub(in crate::fuse) fn item(
        &mut self,
        item: Item,
        user: &mut SortedSet<usize>,
        inner: impl FnOnce(&mut Needs, &mut SortedSet<usize>),
    ) {
        let at = match self.done.get(&item) {
            Some(&at) => at,
            None => {
                let mut needs = SortedSet::new();
                inner(self, &mut needs);
                self.items.push((item, needs));
                self.done.insert(item, self.items.len() - 1);
                self.items.len() - 1
            }
        };
        user.insert(at);
    }

    /// A scalar on the host: read back if it depends on arrays.
    pub(in crate::fuse) fn host(
        &mut self,
        program: &Program,
        sources: &Sources,
        id: Id,
        user: &mut SortedSet<usize>,
    ) {
        if sources.host.contains_key(&id) {
            return;
        }
        // Components of branches and loops that the host runs, and counts of compactions, may be known to the host
        // afterwards.
        let mut after = Vec::new();
        let counts = |id: Id| self.giver(id);
        if host_after_control(program, sources, id, &counts, &mut after) {
            for id in after {
                match program.node(id) {
                    Node::Compact { .. } => self.compact(program, sources, id, user),
                    _ => self.control(program, sources, id, user),
                }
            }
            return;
        }
        // Arithmetic of one stored scalar is the host's own: no kernel for that.
        let read = stored_operand(program, sources, id).unwrap_or(id);
        self.item(Item::Read(read), user, |needs, user| {
            needs.scalar(program, sources, read, user);
        });
    }

    pub(in crate::fuse) fn scalar(
        &mut self,
        program: &Program,
        sources: &Sources,
        id: Id,
        user: &mut SortedSet<usize>,
    ) {
        if sources.slots.contains_key(&id) {
            return;
        }
        if let Some(compact) = self.giver(id) {
            return self.compact(program, sources, compact, user);
        }
        self.item(Item::Scalar(id), user, |needs, user| {
            needs.parts(program, sources, id, user);
        });
    }

    /// What a closed scalar is made of: reductions, branches with such inside, elements of arrays.
    fn parts(&mut self, program: &Program, sources: &Sources, id: Id, user: &mut SortedSet<usize>) {
        let (mut seen, mut open) = (IdSet::default(), vec![id]);
        while let Some(id) = open.pop() {
            let there = sources.slots.contains_key(&id) || sources.host.contains_key(&id);
            if there || !seen.insert(id) {
                continue;
            }
            if let Some(compact) = self.giver(id) {
                self.compact(program, sources, compact, user);
                continue;
            }
            match program.node(id) {
                Node::Index { array, indices } => {
                    self.array(program, sources, *array, user);
                    open.extend(indices);
                }
                Node::Reduce { .. } if sources.closed(program, id) => {
                    self.fold(program, sources, id, user);
                }
                Node::If { .. } | Node::Loop { .. }
                    if sources.closed(program, id) && is_control(program, id) =>
                {
                    self.control(program, sources, id, user);
                }
                _ => operands(program, sources, id, &mut open),
            }
        }
    }

    fn fold(&mut self, program: &Program, sources: &Sources, id: Id, user: &mut SortedSet<usize>) {
        self.item(Item::Fold(id), user, |needs, user| {
            let Node::Reduce {
                extents,
                elements,
                combined,
                initial,
                ..
            } = program.node(id)
            else {
                unreachable!("a reduction");
            };
            for &extent in extents {
                needs.host(program, sources, extent, user);
            }
            let rest = elements.iter().chain(combined);
            for &part in rest.chain(initial.iter().flatten()) {
                needs.body(program, sources, part, user);
            }
        });
    }

    /// What the body of a kernel needs from outside.
    pub(in crate::fuse) fn body(
        &mut self,
        program: &Program,
        sources: &Sources,
        id: Id,
        user: &mut SortedSet<usize>,
    ) {
        let (mut seen, mut open) = (IdSet::default(), vec![id]);
        while let Some(id) = open.pop() {
            let there = sources.slots.contains_key(&id) || sources.host.contains_key(&id);
            if there || !seen.insert(id) {
                continue;
            }
            if let Some(compact) = self.giver(id) {
                self.compact(program, sources, compact, user);
                continue;
            }
            let scalar = matches!(program.ty(id), Type::Scalar(_));
            if scalar
                && sources.closed(program, id)
                && leaves_bodies(program, sources, id)
                && !is_left_cheap(program, sources, id)
            {
                let mut after = Vec::new();
                let counts = |id: Id| self.giver(id);
                let known = host_after_control(program, sources, id, &counts, &mut after);
                let compact = |id: &Id| matches!(program.node(*id), Node::Compact { .. });
                if known && after.iter().all(compact) {
                    for compact in after {
                        self.compact(program, sources, compact, user);
                    }
                    continue;
                }
                match program.node(id) {
                    Node::Project(bundle, _) if is_control(program, *bundle) => {
                        self.control(program, sources, *bundle, user);
                    }
                    _ => self.scalar(program, sources, id, user),
                }
                continue;
            }
            match program.node(id) {
                Node::Index { array, indices } => {
                    self.array(program, sources, *array, user);
                    open.extend(indices);
                }
                _ => operands(program, sources, id, &mut open),
            }
        }
    }

    pub(in crate::fuse) fn array(
        &mut self,
        program: &Program,
        sources: &Sources,
        id: Id,
        user: &mut SortedSet<usize>,
    ) {
        if sources.slots.contains_key(&id) {
            return;
        }
        match program.node(id) {
            Node::Materialize(generate) => self.item(Item::Array(id), user, |needs, user| {
                let Node::Generate {
                    extents, element, ..
                } = program.node(*generate)
                else {
                    unreachable!("only generates are materialized");
                };
                for &extent in extents {
                    needs.host(program, sources, extent, user);
                }
                match extents.is_empty() && is_folded(program, *element) {
                    // The one element is where the scalar is.
                    true => needs.scalar(program, sources, *element, user),
                    false => needs.body(program, sources, *element, user),
                }
            }),
            Node::Project(bundle, _) => match program.node(*bundle) {
                Node::Scan {
                    extents,
                    elements,
                    combined,
                    ..
                } => {
                    for &extent in extents {
                        self.host(program, sources, extent, user);
                    }
                    for &part in elements.iter().chain(combined) {
                        self.body(program, sources, part, user);
                    }
                }
                Node::Scatter { .. } => self.scatter(program, sources, *bundle, user),
                Node::Compact { .. } => self.compact(program, sources, *bundle, user),
                Node::Routine { .. } => self.routine(program, sources, *bundle, user),
                Node::Sort {
                    extents,
                    elements,
                    less,
                    ..
                } => self.item(Item::Sort(*bundle), user, |needs, user| {
                    for &extent in extents {
                        needs.host(program, sources, extent, user);
                    }
                    for &part in elements.iter().chain(less) {
                        needs.body(program, sources, part, user);
                    }
                }),
                _ => self.control(program, sources, *bundle, user),
            },
            Node::Guard { value, .. } | Node::Demand { value, .. } => {
                self.item(Item::Effect(id), user, |needs, user| {
                    for part in effect_parts(program, id) {
                        needs.parts(program, sources, part, user);
                    }
                    needs.array(program, sources, *value, user);
                });
            }
            other => unreachable!("no array to compute: {other:?}"),
        }
    }

    fn scatter(
        &mut self,
        program: &Program,
        sources: &Sources,
        id: Id,
        user: &mut SortedSet<usize>,
    ) {
        self.item(Item::Scatter(id), user, |needs, user| {
            let Node::Scatter {
                defaults,
                extents,
                condition,
                at,
                elements,
                combined,
                ..
            } = program.node(id)
            else {
                unreachable!("a scatter");
            };
            for &array in defaults {
                if scatters::filling(program, array).is_none() && !scatters::covers(program, id) {
                    needs.array(program, sources, array, user);
                }
                for &extent in program.extents(array) {
                    needs.host(program, sources, extent, user);
                }
            }
            for &extent in extents {
                needs.host(program, sources, extent, user);
            }
            let points = [condition].into_iter().chain(at).chain(elements);
            for &part in points.chain(combined) {
                needs.body(program, sources, part, user);
            }
        });
    }

    /// The compaction that gives this count.
    fn giver(&self, id: Id) -> Option<Id> {
        let compact = self.counts.get(&id).copied();
        compact.filter(|compact| !self.open.contains(compact))
    }

    fn compact(
        &mut self,
        program: &Program,
        sources: &Sources,
        id: Id,
        user: &mut SortedSet<usize>,
    ) {
        self.open.push(id);
        self.item(Item::Compact(id), user, |needs, user| {
            let Node::Compact {
                extents,
                condition,
                elements,
                ..
            } = program.node(id)
            else {
                unreachable!("a compaction");
            };
            for &extent in extents {
                needs.host(program, sources, extent, user);
            }
            for &part in [condition].into_iter().chain(elements) {
                needs.body(program, sources, part, user);
            }
        });
        self.open.pop();
    }

    pub(in crate::fuse) fn control(
        &mut self,
        program: &Program,
        sources: &Sources,
        id: Id,
        user: &mut SortedSet<usize>,
    ) {
        self.item(Item::Control(id), user, |needs, user| {
            needs.control_parts(program, sources, id, user);
        });
    }
}

/// What a node is made of; of a branch or a loop, what the components need that anybody wants.
pub(super) fn operands(program: &Program, sources: &Sources, id: Id, open: &mut Vec<Id>) {
    let parts = match program.node(id) {
        Node::If {
            condition,
            then,
            otherwise,
        } => (condition, then, otherwise),
        Node::Loop {
            condition,
            initial,
            next,
            ..
        } => (condition, initial, next),
        node => return evaluated(node, |operand| open.push(operand)),
    };
    let (condition, first, second) = parts;
    open.push(*condition);
    for k in sources.wanted(id, first.len()) {
        open.extend([first[k as usize], second[k as usize]]);
    }
}

/// The scalars that an array's guard or demand evaluates.
pub(in crate::fuse) fn effect_parts(program: &Program, id: Id) -> Vec<Id> {
    match program.node(id) {
        Node::Guard {
            condition, values, ..
        } => [&[*condition][..], values].concat(),
        Node::Demand {
            effect,
            required: true,
            ..
        } => vec![*effect],
        _ => Vec::new(),
    }
}

/// The element of a stored array of rank 0.
pub(in crate::fuse) fn only_element(program: &Program, array: Id) -> Option<Id> {
    match program.node(array) {
        Node::Materialize(generate) => match program.node(*generate) {
            Node::Generate {
                extents, element, ..
            } => extents.is_empty().then_some(*element),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a scalar is made of reductions, and of nothing that the host runs.
fn is_folded(program: &Program, id: Id) -> bool {
    is_apart(program, id) && !inside(program, id).any(|id| is_control(program, id))
}

/// Whether the host knows a scalar once what it needs of branches and loops has been run.
pub(in crate::fuse) fn host_tells(program: &Program, sources: &Sources, id: Id) -> bool {
    host_after_control(program, sources, id, &|_| None, &mut Vec::new())
}

/// Whether the host knows a scalar once some branches and loops have been run, and compactions; those are collected.
fn host_after_control(
    program: &Program,
    sources: &Sources,
    id: Id,
    giver: &impl Fn(Id) -> Option<Id>,
    after: &mut Vec<Id>,
) -> bool {
    let (mut seen, mut open) = (IdSet::default(), vec![id]);
    while let Some(id) = open.pop() {
        if sources.host.contains_key(&id) || !seen.insert(id) {
            continue;
        }
        if sources.is_stored(program, id) {
            return false;
        }
        if let Some(compact) = giver(id) {
            after.push(compact);
            continue;
        }
        match program.node(id) {
            Node::Index { .. } | Node::Reduce { .. } => return false,
            Node::Variable(var) if sources.states.contains(var) => return false,
            Node::Project(bundle, k)
                if sources.closed(program, *bundle) && is_control(program, *bundle) =>
            {
                if !on_host_after(program, sources, *bundle, *k) {
                    return false;
                }
                after.push(*bundle);
            }
            node => evaluated(node, |operand| open.push(operand)),
        }
    }
    true
}

impl Needs {
    /// What a staged loop needs from outside.
    pub(in crate::fuse) fn stage_parts(
        &mut self,
        program: &Program,
        sources: &Sources,
        id: Id,
        user: &mut SortedSet<usize>,
    ) {
        let Node::Loop {
            initial,
            condition,
            next,
            state,
        } = program.node(id)
        else {
            unreachable!("asked of a loop");
        };
        for &var in state {
            if let Type::Array(_, extents) = program.var_type(var) {
                for &extent in extents {
                    self.host(program, sources, extent, user);
                }
            }
        }
        // With each, whether a stage stores it: it is then computed there, though it is to be in memory.
        let kept = |&id: &Id| (id, true);
        let mut open: Vec<(Id, bool)> = vec![(*condition, false)];
        open.extend(initial.iter().chain(next).map(kept));
        let mut seen = SortedSet::new();
        while let Some((id, stored)) = open.pop() {
            let there = sources.slots.contains_key(&id) || sources.host.contains_key(&id);
            if there || !seen.insert(id) {
                continue;
            }
            let node = program.node(id);
            match (program.ty(id), sources.closed(program, id)) {
                (Type::Scalar(_), true) => self.body(program, sources, id, user),
                (Type::Array(..), true) => match node {
                    Node::Generate { .. } => node.operands(|operand| open.push((operand, false))),
                    Node::Materialize(array)
                        if stored
                            && used_once(program, id)
                            && !epilogue::reads_scans(program, *array) =>
                    {
                        open.push((*array, true));
                    }
                    _ => self.array(program, sources, id, user),
                },
                _ => match node {
                    Node::Loop {
                        initial,
                        condition,
                        next,
                        ..
                    } => {
                        open.push((*condition, false));
                        open.extend(initial.iter().chain(next).map(kept));
                    }
                    _ => node.operands(|operand| open.push((operand, false))),
                },
            }
        }
    }
}

/// Whether one expression only needs another, which is no result.
fn used_once(program: &Program, id: Id) -> bool {
    let mut uses = program.roots().iter().filter(|&&root| root == id).count();
    for user in walk::reachable(program, program.roots()) {
        program
            .node(user)
            .operands(|operand| uses += usize::from(operand == id));
    }
    uses == 1
}
