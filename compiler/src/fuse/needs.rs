//! What must be computed, and in which order: the items behind the demands of a region.
//!
//! In: arrays and scalars that someone needs. Out: items, each after the ones it needs. An item is what may become a
//! kernel of its own: a stored array, a reduction of whole arrays, a scalar left on the device, a read-back, a branch
//! or a loop that the host runs.

use super::sources::{self, Sources, inside};
use super::{estimate, scatters};
use crate::ir::{Id, Node, Program, Type};
use std::collections::{BTreeSet, HashMap};

/// Someone's need.
#[derive(Clone, Copy, Debug)]
pub(super) enum Demand {
    /// A scalar on the host.
    Host(Id),
    /// An array, or a scalar on the device.
    Device(Id),
}

/// Something to compute.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Item {
    /// A `Materialize` of a closed generate.
    Array(Id),
    /// A closed reduction.
    Fold(Id),
    /// A closed scalar that depends on arrays, to be left in a buffer.
    Scalar(Id),
    /// The same, copied to the host.
    Read(Id),
    /// A scatter.
    Scatter(Id),
    /// A branch or a loop over arrays, or with reductions inside.
    Control(Id),
    /// A guard or demand around an array: evaluated for its failures.
    Effect(Id),
}

/// The items in order, and for each the positions of those it needs.
#[derive(Default)]
pub(super) struct Needs {
    pub(super) items: Vec<(Item, BTreeSet<usize>)>,
    done: HashMap<Item, usize>,
}

impl Needs {
    pub(super) fn demand(&mut self, program: &Program, sources: &Sources, demand: Demand) {
        let mut top = BTreeSet::new();
        match demand {
            Demand::Host(id) => self.host(program, sources, id, &mut top),
            Demand::Device(id) => match program.ty(id) {
                Type::Scalar(_) => self.scalar(program, sources, id, &mut top),
                _ => self.array(program, sources, id, &mut top),
            },
        }
    }

    /// An item whose needs are found by `inner`; it becomes a need of `user`.
    fn item(
        &mut self,
        item: Item,
        user: &mut BTreeSet<usize>,
        inner: impl FnOnce(&mut Needs, &mut BTreeSet<usize>),
    ) {
        let at = match self.done.get(&item) {
            Some(&at) => at,
            None => {
                let mut needs = BTreeSet::new();
                inner(self, &mut needs);
                self.items.push((item, needs));
                self.done.insert(item, self.items.len() - 1);
                self.items.len() - 1
            }
        };
        user.insert(at);
    }

    /// A scalar on the host: read back if it depends on arrays.
    pub(super) fn host(
        &mut self,
        program: &Program,
        sources: &Sources,
        id: Id,
        user: &mut BTreeSet<usize>,
    ) {
        if sources.host.contains_key(&id) {
            return;
        }
        // Components of branches and loops that the host runs may be known to the host afterwards.
        let mut controls = Vec::new();
        if host_after_control(program, sources, id, &mut controls) {
            for control in controls {
                self.control(program, sources, control, user);
            }
            return;
        }
        self.item(Item::Read(id), user, |needs, user| {
            needs.scalar(program, sources, id, user);
        });
    }

    pub(super) fn scalar(
        &mut self,
        program: &Program,
        sources: &Sources,
        id: Id,
        user: &mut BTreeSet<usize>,
    ) {
        if sources.slots.contains_key(&id) {
            return;
        }
        self.item(Item::Scalar(id), user, |needs, user| {
            needs.parts(program, sources, id, user);
        });
    }

    /// What a closed scalar is made of: reductions, branches with such inside, elements of arrays.
    fn parts(&mut self, program: &Program, sources: &Sources, id: Id, user: &mut BTreeSet<usize>) {
        let (mut seen, mut open) = (BTreeSet::new(), vec![id]);
        while let Some(id) = open.pop() {
            let there = sources.slots.contains_key(&id) || sources.host.contains_key(&id);
            if there || !seen.insert(id) {
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
                node => node.operands(|operand| open.push(operand)),
            }
        }
    }

    fn fold(&mut self, program: &Program, sources: &Sources, id: Id, user: &mut BTreeSet<usize>) {
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
    fn body(&mut self, program: &Program, sources: &Sources, id: Id, user: &mut BTreeSet<usize>) {
        let (mut seen, mut open) = (BTreeSet::new(), vec![id]);
        while let Some(id) = open.pop() {
            let there = sources.slots.contains_key(&id) || sources.host.contains_key(&id);
            if there || !seen.insert(id) {
                continue;
            }
            let scalar = matches!(program.ty(id), Type::Scalar(_));
            if scalar && sources.closed(program, id) && leaves_bodies(program, sources, id) {
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
                node => node.operands(|operand| open.push(operand)),
            }
        }
    }

    pub(super) fn array(
        &mut self,
        program: &Program,
        sources: &Sources,
        id: Id,
        user: &mut BTreeSet<usize>,
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
                needs.body(program, sources, *element, user);
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
        user: &mut BTreeSet<usize>,
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

    fn control(
        &mut self,
        program: &Program,
        sources: &Sources,
        id: Id,
        user: &mut BTreeSet<usize>,
    ) {
        self.item(Item::Control(id), user, |needs, user| {
            needs.control_parts(program, sources, id, user);
        });
    }
}

/// The scalars that an array's guard or demand evaluates.
pub(super) fn effect_parts(program: &Program, id: Id) -> Vec<Id> {
    match program.node(id) {
        Node::Guard {
            condition, values, ..
        } => [&[*condition][..], values].concat(),
        Node::Demand { effect, .. } if matches!(program.ty(*effect), Type::Scalar(_)) => {
            vec![*effect]
        }
        _ => Vec::new(),
    }
}

/// A branch or loop that the host runs: over arrays, or with reductions inside.
pub(super) fn is_control(program: &Program, id: Id) -> bool {
    match program.node(id) {
        Node::If {
            condition,
            then,
            otherwise,
        } => {
            // What the condition needs is there in any case.
            let before: BTreeSet<Id> = inside(program, *condition).collect();
            then.iter().chain(otherwise).any(|&part| {
                matches!(program.ty(part), Type::Array(..))
                    || inside(program, part).any(|id| {
                        matches!(program.node(id), Node::Reduce { .. }) && !before.contains(&id)
                    })
                    || scattered(program, part).any(|id| {
                        fails(program, id) && !scattered(program, *condition).any(|c| c == id)
                    })
            })
        }
        Node::Loop {
            state,
            condition,
            next,
            ..
        } => {
            state
                .iter()
                .any(|&var| matches!(program.var_type(var), Type::Array(..)))
                || [condition].into_iter().chain(next).any(|&part| {
                    inside(program, part).any(|id| {
                        let node = program.node(id);
                        let own = program.free(id).iter().any(|var| state.contains(var));
                        matches!(node, Node::Reduce { .. })
                            && (own || sources::fallible(program, id))
                    }) || scattered(program, part).any(|id| {
                        let own = program.free(id).iter().any(|var| state.contains(var));
                        own || fails(program, id)
                    })
                })
        }
        _ => false,
    }
}

/// The scatters that an expression needs.
fn scattered(program: &Program, id: Id) -> impl Iterator<Item = Id> {
    let any = program
        .ids()
        .any(|id| matches!(program.node(id), Node::Scatter { .. }));
    let all = if any {
        estimate::reachable(program, [id])
    } else {
        Vec::new()
    };
    (all.into_iter()).filter(|&id| matches!(program.node(id), Node::Scatter { .. }))
}

/// Whether a scatter may fail.
pub(super) fn fails(program: &Program, id: Id) -> bool {
    sources::fallible(program, id) || scatters::fails_by_itself(program, id).is_some()
}

/// A closed scalar that is not computed where it is used: it holds reductions or control.
pub(super) fn is_apart(program: &Program, id: Id) -> bool {
    inside(program, id).any(|id| match program.node(id) {
        Node::Reduce { .. } => true,
        Node::If { .. } | Node::Loop { .. } => is_control(program, id),
        _ => false,
    })
}

/// Whether a closed scalar that is apart is computed before the bodies that need it. What may fail is not, as they need
/// not get there, unless no kernel can compute it.
fn leaves_bodies(program: &Program, sources: &Sources, id: Id) -> bool {
    let over_arrays = |id: Id| match program.ty(id) {
        Type::Bundle(types) => types.iter().any(|ty| matches!(ty, Type::Array(..))),
        _ => false,
    };
    is_apart(program, id)
        && (sources.lifted.contains(&id)
            || !sources::fallible(program, id)
            || inside(program, id).any(over_arrays))
}

/// Whether the host knows a scalar once some branches and loops have been run; those are collected.
fn host_after_control(
    program: &Program,
    sources: &Sources,
    id: Id,
    controls: &mut Vec<Id>,
) -> bool {
    let (mut seen, mut open) = (BTreeSet::new(), vec![id]);
    while let Some(id) = open.pop() {
        if sources.host.contains_key(&id) || !seen.insert(id) {
            continue;
        }
        if sources.slots.contains_key(&id) {
            return false;
        }
        match program.node(id) {
            Node::Index { .. } | Node::Reduce { .. } => return false,
            Node::Variable(var) if sources.states.contains(var) => return false,
            Node::Project(bundle, k)
                if sources.closed(program, *bundle) && is_control(program, *bundle) =>
            {
                if !super::control::on_host_after(program, sources, *bundle, *k) {
                    return false;
                }
                controls.push(*bundle);
            }
            node => node.operands(|operand| open.push(operand)),
        }
    }
    true
}
