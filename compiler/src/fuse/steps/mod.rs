//! Planning of a region: the whole function, one side of a branch, the rounds of a loop.
//!
//! In: demands. Out: steps that satisfy them. Items are put into kernels greedily in the order of their needs: an item
//! joins the earliest kernel of its shape that comes after everything it needs, else it opens a new one.

pub(in crate::fuse) mod control;
pub(in crate::fuse) mod explain;
pub(in crate::fuse) mod group;
pub(in crate::fuse) mod host;
pub(in crate::fuse) mod liveness;
pub(in crate::fuse) mod multi_output;
pub(in crate::fuse) mod needs;
pub(in crate::fuse) mod placement;
pub(in crate::fuse) mod routines;

use crate::fuse::analysis::bounds::anticipated;
use crate::fuse::analysis::rounds;
use crate::fuse::body::{Body, Kind};
use crate::fuse::item::Item;
use crate::fuse::kernels::Built;
use crate::fuse::planner::{Group, Planner, Shape};
use crate::fuse::scans::epilogue;
use crate::fuse::steps::control::Found;
use crate::fuse::steps::needs::{Demand, Needs, effect_parts};
use crate::fuse::steps::placement::may_be_computed;
use crate::ir::{Id, IdSet, Node, QuickMap, Type, walk};
use crate::plan::{Buffer, BufferId, KernelId, MOST_LEAVES, Note, Step, Value};
use crate::scalar::{Binary, Leaf};
use crate::sorted::SortedSet;

impl Planner<'_> {
    pub(in crate::fuse) fn fresh(&mut self, leaf: Leaf) -> Value {
        self.values.fresh(leaf)
    }

    pub(in crate::fuse) fn plan_name(&mut self, value: Value, name: Option<String>) {
        self.values.set_name(value, name.as_ref());
    }

    /// Runs a part of the plan whose values and buffers are not visible afterwards.
    pub(in crate::fuse) fn scoped<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let (slots, host) = (self.sources.slots.clone(), self.sources.host.clone());
        let result = run(self);
        self.sources.slots = slots;
        self.sources.host = host;
        result
    }

    /// Steps for everything demanded, and where it is then.
    pub(in crate::fuse) fn region(
        &mut self,
        demands: &[Demand],
        steps: &mut Vec<Step>,
    ) -> Vec<Found> {
        let roots = demands.iter().map(|demand| match demand {
            Demand::Host(id) | Demand::Device(id) => *id,
        });
        let around = self.sources.anticipated.clone();
        let own = anticipated(&self.program, roots);
        self.sources.anticipated.extend(own);
        let mut effects = Vec::new();
        let demands: &[Demand] = &(demands.iter())
            .map(|&demand| match demand {
                Demand::Host(id) => Demand::Host(self.stripped(id, &mut effects)),
                Demand::Device(id) => Demand::Device(self.stripped(id, &mut effects)),
            })
            .collect::<Vec<_>>();
        let all = [&effects, demands].concat();
        let needs = Needs::of(&self.program, &self.sources, &all);
        for group in self.groups(needs, &all) {
            self.group(&group, steps);
        }
        self.sources.anticipated = around;
        demands
            .iter()
            .map(|&demand| match demand {
                Demand::Host(id) => Found::Value(self.host_value(id, steps)),
                Demand::Device(id) => Found::Buffer(self.sources.slot(&self.program, id)),
            })
            .collect()
    }

    /// What is left of a demand if its effects are demands of their own.
    fn stripped(&self, mut id: Id, effects: &mut Vec<Demand>) -> Id {
        while let Node::Demand {
            effect,
            value,
            required,
        } = *self.program.node(id)
        {
            let scalar = matches!(self.program.ty(value), Type::Scalar(_));
            if required && scalar {
                break;
            }
            if required {
                let effect = match needs::host_tells(&self.program, &self.sources, effect) {
                    true => Demand::Host(effect),
                    false => Demand::Device(effect),
                };
                if !effects.contains(&effect) {
                    effects.push(effect);
                }
            }
            id = value;
        }
        id
    }

    /// The guards around all that a round gives, as checks of the host before anything else; what is left.
    pub(in crate::fuse) fn checked(
        &mut self,
        mut roots: Vec<Id>,
        steps: &mut Vec<Step>,
    ) -> Vec<Id> {
        while let Some((condition, site, values)) = rounds::around(&self.program, &roots) {
            if let Node::Binary(Binary::Eq, a, b) = *self.program.node(condition) {
                self.sources.equate(a, b);
            }
            let condition = self.host_value(condition, steps);
            let values = values.iter().map(|&value| self.host_value(value, steps));
            let values = values.collect();
            steps.push(Step::Check {
                condition,
                site,
                values,
            });
            roots = rounds::under(&self.program, &roots, site);
        }
        roots
    }

    /// Items in kernels, in order.
    fn groups(&mut self, needs: Needs, demands: &[Demand]) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        let mut position: Vec<usize> = Vec::new();
        for (item, needed) in &needs.items {
            let after = needed.iter().map(|&need| position[need]).max();
            let shape = self.shape(*item);
            // A scalar goes to the kernel of the last reduction it waits for.
            let epilogue = match item {
                Item::Scalar(_) if matches!(shape, Shape::Points(_)) => {
                    after.filter(|&at| matches!(groups[at].shape, Shape::Whole(_)))
                }
                _ => None,
            };
            let first = after.map_or(0, |at| at + 1);
            let full = |group: &Group| {
                let items = group.items.iter().chain([item]);
                let roots = items.map(|&item| group::root(&self.program, item));
                matches!(group.shape, Shape::Scans(_))
                    && epilogue::leaves(&self.program, roots) > MOST_LEAVES
            };
            let joins = |at: &usize| {
                let other = &groups[*at];
                self.options.horizontal && shape.joins() && other.shape == shape && !full(other)
            };
            let at = epilogue.or_else(|| (first..groups.len()).find(joins));
            let at = at.unwrap_or_else(|| {
                groups.push(Group {
                    shape,
                    items: Vec::new(),
                    after: Vec::new(),
                    outputs: Vec::new(),
                });
                groups.len() - 1
            });
            for &need in needed.iter().filter(|&&need| position[need] != at) {
                groups[at].after.push((needs.items[need].0, *item));
            }
            groups[at].items.push(*item);
            position.push(at);
        }
        if self.options.horizontal && self.options.vertical {
            groups = self.fuse_outputs(&needs, demands, groups, position);
        }
        self.pass_on(&mut groups);
        groups
    }

    /// A reduction whose result is used by a scalar of another kernel leaves it in a buffer; so does a scalar that is used
    /// in a branch or a loop after it.
    fn pass_on(&mut self, groups: &mut [Group]) {
        let home: QuickMap<Id, usize> = groups
            .iter()
            .enumerate()
            .flat_map(|(at, group)| {
                group.items.iter().filter_map(move |item| match item {
                    Item::Fold(id) => Some((*id, at)),
                    _ => None,
                })
            })
            .collect();
        // Scalars that are stored anyway, by their kernels.
        let scalars: QuickMap<Id, usize> = groups
            .iter()
            .enumerate()
            .flat_map(|(at, group)| {
                group.items.iter().filter_map(move |item| match item {
                    Item::Scalar(id) => Some((*id, at)),
                    _ => None,
                })
            })
            .collect();
        let mut more: SortedSet<(usize, Id)> = SortedSet::new();
        for (at, group) in groups.iter().enumerate() {
            for item in &group.items {
                let roots = match item {
                    Item::Scalar(id) => vec![*id],
                    Item::Effect(id) => effect_parts(&self.program, *id),
                    _ => continue,
                };
                let (mut seen, mut open) = (IdSet::default(), roots);
                while let Some(id) = open.pop() {
                    let stored = scalars.get(&id).is_some_and(|&from| from != at);
                    if stored || !seen.insert(id) {
                        continue;
                    }
                    match self.program.node(id) {
                        Node::Project(bundle, _) if home.contains_key(bundle) => {
                            if home[bundle] != at {
                                more.insert((home[bundle], id));
                            }
                        }
                        Node::Materialize(_) => {}
                        node => walk::evaluated(node, |operand| open.push(operand)),
                    }
                }
            }
        }
        more.extend(self.used_in_control(groups, &home, &scalars));
        for (from, id) in more {
            let item = Item::Scalar(id);
            if !groups[from].items.contains(&item) {
                groups[from].items.push(item);
            }
        }
    }

    /// Scalars that are computed in a kernel for another one, and that a branch or a loop after it uses; with the kernels.
    fn used_in_control(
        &self,
        groups: &[Group],
        home: &QuickMap<Id, usize>,
        scalars: &QuickMap<Id, usize>,
    ) -> SortedSet<(usize, Id)> {
        let program = &self.program;
        // The first kernel that computes it.
        let mut computed: QuickMap<Id, usize> = QuickMap::default();
        let mut scalars_in_order: Vec<(usize, Id)> =
            scalars.iter().map(|(&id, &at)| (at, id)).collect();
        scalars_in_order.sort_unstable();
        for (at, scalar) in scalars_in_order {
            let mut open = vec![scalar];
            while let Some(id) = open.pop() {
                let elsewhere = scalars.get(&id).is_some_and(|&from| from != at);
                let there = self.sources.is_outside(program, id);
                if !elsewhere && !there && computed.insert(id, at).is_none() {
                    walk::evaluated(program.node(id), |operand| open.push(operand));
                }
            }
        }
        let mut found = SortedSet::new();
        for (at, group) in groups.iter().enumerate() {
            for item in &group.items {
                let Item::Control(id) = *item else { continue };
                let (mut seen, mut open) = (IdSet::default(), vec![id]);
                while let Some(id) = open.pop() {
                    if self.sources.is_outside(program, id) || !seen.insert(id) {
                        continue;
                    }
                    let scalar = matches!(program.ty(id), Type::Scalar(_))
                        && self.sources.closed(program, id);
                    let folds = |from: usize| {
                        walk::inside(program, id).any(|id| home.get(&id) == Some(&from))
                    };
                    match computed.get(&id).filter(|&&from| scalar && from < at) {
                        Some(&from)
                            if folds(from) && may_be_computed(program, &self.sources, id) =>
                        {
                            found.insert((from, id));
                        }
                        _ => program.node(id).operands(|operand| open.push(operand)),
                    }
                }
            }
        }
        found
    }

    /// Emits the step of a group.
    fn group(&mut self, group: &Group, steps: &mut Vec<Step>) {
        match group.items[..] {
            [Item::Control(id)] => self.control(id, steps),
            [Item::Routine(id)] => self.routine(id, steps),
            [Item::Read(id)] => {
                let buffer = self.sources.slot(&self.program, id);
                let value = self.fresh(self.program.leaf(id));
                self.plan_name(value, self.program.names.get(&id).cloned());
                steps.push(Step::Read { value, buffer });
                self.sources.host.insert(id, value);
            }
            _ => {
                if let Some(built) = self.kernel(group, steps) {
                    self.explain(group);
                    self.launch(built, steps);
                    self.shrink(steps);
                }
            }
        }
    }

    pub(in crate::fuse) fn launch(&mut self, built: Built, steps: &mut Vec<Step>) {
        let scalars = built
            .scalars
            .iter()
            .map(|&id| self.host_value(id, steps))
            .collect();
        self.notes.extend(built.note.map(|text| Note {
            text,
            span: None,
            barrier: false,
        }));
        let kernel = KernelId(self.kernels.len() as u32);
        self.kernels.push(built.kernel);
        steps.push(Step::Launch {
            kernel,
            buffers: built.buffers,
            scalars,
        });
    }

    /// A value of the host, computed now if it is not known yet.
    pub(in crate::fuse) fn host_value(&mut self, id: Id, steps: &mut Vec<Step>) -> Value {
        if let Some(value) = self.sources.host_value(id) {
            return value;
        }
        let options = self.options;
        let mut body = Body::new(&mut self.program, &mut self.sources, options);
        body.on_host = true;
        body.values = std::mem::take(&mut self.values);
        body.want(&[id]);
        body.open(Kind::Root, Vec::new(), &[id]);
        let value = body.value(id);
        let made = body.known_in_root();
        let statements = body.close();
        self.values = std::mem::take(&mut body.values);
        self.sources.host.extend(made);
        steps.extend(statements.into_iter().map(Step::Compute));
        value
    }

    /// Extents of an array as host values.
    pub(in crate::fuse) fn extent_values(
        &mut self,
        array: Id,
        steps: &mut Vec<Step>,
    ) -> Vec<Value> {
        let extents = self.program.extents(array).to_vec();
        extents
            .into_iter()
            .map(|extent| self.host_value(extent, steps))
            .collect()
    }

    /// A new buffer for an array or scalar; not allocated.
    pub(in crate::fuse) fn buffer_like(&mut self, id: Id, steps: &mut Vec<Step>) -> BufferId {
        let extents = match self.program.ty(id) {
            Type::Array(..) => self.extent_values(id, steps),
            _ => Vec::new(),
        };
        let mut name = self.program.names.get(&id).cloned();
        if let Node::Materialize(inner) = self.program.node(id) {
            let inner = self.program.names.get(inner).cloned();
            name = inner.filter(|_| name.as_deref() == Some("result")).or(name);
        }
        if let Node::Variable(var) = self.program.node(id) {
            name = name.or_else(|| self.program.var_names.get(var).cloned());
        }
        if let Node::Materialize(inner) = self.program.node(id) {
            name = name.or_else(|| self.program.names.get(inner).cloned());
        }
        let name = name.unwrap_or_else(|| "t".to_owned());
        let name = self.unique_buffer(&name);
        self.sources.buffers.push(Buffer {
            name,
            leaf: self.program.leaf(id),
            extents,
        });
        BufferId(self.sources.buffers.len() as u32 - 1)
    }

    /// A buffer for something that a kernel computes: allocated, and known from now on.
    pub(in crate::fuse) fn allocate(&mut self, id: Id, steps: &mut Vec<Step>) -> BufferId {
        let buffer = self.buffer_like(id, steps);
        steps.push(Step::Allocate(buffer));
        buffer
    }

    /// A name like this one that no buffer has.
    pub(in crate::fuse) fn unique_buffer(&self, name: &str) -> String {
        let taken = |name: &str| {
            self.sources
                .buffers
                .iter()
                .any(|buffer| buffer.name == name)
        };
        unique(name, taken)
    }

    pub(in crate::fuse) fn unique_kernel(&self, suffix: &str) -> String {
        let name = format!("{}_{suffix}", self.program.name);
        let taken = |name: &str| self.kernels.iter().any(|kernel| kernel.name == name);
        unique(&name, taken)
    }
}

/// `name`, or `name_2` and so on; digits at its end are not mistaken for a number given here.
fn unique(name: &str, taken: impl Fn(&str) -> bool) -> String {
    if !taken(name) {
        return name.to_owned();
    }
    let base = match name.rsplit_once('_') {
        Some((base, number)) if number.parse::<u32>().is_ok() => base,
        _ => name,
    };
    let mut numbered = (2..).map(|k: u32| format!("{base}_{k}"));
    numbered.find(|name| !taken(name)).unwrap_or_default()
}
