//! One walk over a program that makes a new one: each node once, in the region where it belongs, operands first.
//!
//! The pass decides what becomes of each node; everything about regions, variables and types is here.

use super::index::{Hidden, Index};
use crate::ir::scopes::{Scope, Scopes};
use crate::ir::{Check, Id, IdSet, Node, Output, Program, QuickMap, Type, Var};
use crate::sorted::SortedSet;
use std::sync::Arc;

/// What a pass does.
pub(super) trait Rules {
    /// A node of the new program instead of `node`, whose operands belong to the new program.
    fn node(&mut self, cx: &mut Rebuild<'_>, node: Node) -> Id {
        cx.add(node)
    }

    /// What becomes of the components of a bundle of the old program; empty if all are kept.
    fn components(&mut self, _old: &Program, _bundle: Id) -> Vec<Component> {
        Vec::new()
    }

    /// Whether conditions of branches, guards, loops and checks are to be tracked in [`Rebuild::index`].
    fn wants_facts(&self) -> bool {
        false
    }
}

/// What becomes of a component of a bundle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Component {
    /// It stays.
    Kept,
    /// Nothing uses it.
    Unused,
    /// The state of a loop that never changes: it is its initial value.
    Invariant,
}

/// Where a component is now.
#[derive(Clone, Copy)]
enum Part {
    At(u32),
    Value(Id),
    Gone,
}

/// The state of the walk.
pub(super) struct Rebuild<'a> {
    pub(super) old: &'a Program,
    pub(super) new: Program,
    pub(super) index: Index,
    /// By the old program's nodes.
    map: Vec<Option<Id>>,
    vars: QuickMap<Var, Var>,
    /// The components of a bundle, as long as they differ from its projections.
    parts: QuickMap<Id, Vec<Part>>,
    scopes: Scopes,
    /// The conditions of the regions around, with the frames that know them, and their variables.
    given: Vec<(usize, Arc<SortedSet<Var>>)>,
}

/// Applies the rules to all of a program.
pub(super) fn rebuild(old: &Program, rules: &mut impl Rules) -> Program {
    let mut new = Program {
        name: old.name.clone(),
        fast_math: old.fast_math,
        parameters: old.parameters.clone(),
        sites: old.sites.clone(),
        ..Program::default()
    };
    new.reserve(old.ids().len());
    let mut cx = Rebuild {
        old,
        new,
        index: Index::new(),
        map: vec![None; old.ids().len()],
        vars: QuickMap::default(),
        parts: QuickMap::default(),
        scopes: old.scopes(),
        given: Vec::new(),
    };
    // A check may rely on those before it.
    let mut checks = Vec::new();
    for check in &old.checks {
        cx.closed(check.roots(), rules);
        let condition = cx.of(check.condition);
        let values = cx.all(&check.values);
        if rules.wants_facts() {
            cx.index.assume_check(&cx.new, condition);
        }
        checks.push(Check {
            condition,
            site: check.site,
            values,
        });
    }
    // The rest relies on all of them, so it is done anew: but for what is there for the checks alone.
    if !checks.is_empty() {
        cx.map.fill(None);
        cx.parts.clear();
    }
    cx.closed(old.outputs.iter().flat_map(Output::roots), rules);
    cx.new.checks = checks;
    let outputs = old.outputs.iter().map(|output| match output {
        Output::Scalar(leaves) => Output::Scalar(cx.all(leaves)),
        Output::Array { extents, leaves } => Output::Array {
            extents: cx.all(extents),
            leaves: cx.all(leaves),
        },
    });
    cx.new.outputs = outputs.collect();
    cx.new
}

impl Rebuild<'_> {
    /// Adds a node as it is.
    pub(super) fn add(&mut self, node: Node) -> Id {
        self.new.add(node)
    }

    /// Whether evaluating a new node may report a failure.
    pub(super) fn may_fail(&self, id: Id) -> bool {
        self.new.guards(id)
    }

    /// What a node of the old program is in the new one, if it is there already.
    pub(super) fn became(&self, id: Id) -> Option<Id> {
        self.map[id.0 as usize]
    }

    /// What has become of a node that comes before.
    fn of(&self, id: Id) -> Id {
        self.map[id.0 as usize].expect("operands come before their users")
    }

    fn all(&self, ids: &[Id]) -> Vec<Id> {
        ids.iter().map(|&id| self.of(id)).collect()
    }

    /// Nodes of the top region and all they need, in order.
    fn closed(&mut self, roots: impl Iterator<Item = Id>, rules: &mut impl Rules) {
        // What others needed is there, with all that it needs.
        let (mut needed, mut seen, mut open) =
            (Vec::new(), IdSet::default(), Vec::from_iter(roots));
        while let Some(id) = open.pop() {
            if self.map[id.0 as usize].is_none() && seen.insert(id) {
                if self.scopes.place[id.0 as usize] == Some(0) {
                    needed.push(id);
                }
                self.old.node(id).operands(|operand| open.push(operand));
            }
        }
        needed.sort_unstable();
        for id in needed {
            self.visit(id, rules);
        }
    }

    fn region(&mut self, scope: Scope, rules: &mut impl Rules) {
        for k in 0..self.scopes.nodes[scope].len() {
            self.visit(self.scopes.nodes[scope][k], rules);
        }
    }

    fn visit(&mut self, id: Id, rules: &mut impl Rules) {
        if self.map[id.0 as usize].is_some() {
            return;
        }
        let old = self.old;
        let hidden = rules
            .wants_facts()
            .then(|| self.hide_conditions(id))
            .flatten();
        let to = match old.node(id) {
            Node::Project(bundle, k) => self.project(*bundle, *k, rules),
            Node::Variable(var) => {
                let var = self.vars[var];
                self.add(Node::Variable(var))
            }
            node => {
                let first = self.scopes.first[id.0 as usize];
                let mut node = match first {
                    Some(first) => self.with_regions(id, node, first, rules),
                    None => self.mapped(node),
                };
                self.keep_extents(&mut node);
                rules.node(self, node)
            }
        };
        if let Some(hidden) = hidden {
            self.index.recall(hidden);
        }
        if let Some(name) = old.names.get(&id) {
            self.new.name(to, name);
        }
        if let Some(&span) = old.spans.get(&id) {
            self.new.place(to, span);
        }
        self.map[id.0 as usize] = Some(to);
    }

    /// Forgets conditions on variables that an array or a reduction does not use: it may be placed outside of them, and what it
    /// reads must be in bounds there too.
    fn hide_conditions(&mut self, id: Id) -> Option<Hidden> {
        let free = self.old.free(id);
        if self.given.is_empty() || !is_over_domain(self.old.node(id)) {
            return None;
        }
        let given = self.given.iter();
        let others = given.filter(|(_, vars)| !vars.is_empty() && vars.is_disjoint(free));
        let mut others = others.map(|(frame, _)| *frame).peekable();
        others.peek()?;
        Some(self.index.hide(others))
    }

    fn mapped(&self, node: &Node) -> Node {
        let mut node = node.clone();
        node.map_operands(|id| self.of(id));
        node
    }

    fn project(&mut self, bundle: Id, k: u32, rules: &mut impl Rules) -> Id {
        match self.part(bundle, k) {
            Ok(node) => rules.node(self, node),
            Err(value) => value,
        }
    }

    /// The component of a bundle: a projection, or its value.
    fn part(&self, bundle: Id, k: u32) -> Result<Node, Id> {
        let to = self.of(bundle);
        match self.parts.get(&bundle).map(|parts| parts[k as usize]) {
            None => Ok(Node::Project(to, k)),
            Some(Part::At(k)) => Ok(Node::Project(to, k)),
            Some(Part::Value(id)) => Err(id),
            Some(Part::Gone) => panic!("component {k} of {bundle:?} is used"),
        }
    }

    /// Rebuilds the regions of a node under the facts that hold in them.
    fn with_regions(&mut self, id: Id, node: &Node, first: Scope, rules: &mut impl Rules) -> Node {
        let components = rules.components(self.old, id);
        if let Node::Loop { state, initial, .. } = node {
            for (k, component) in components.iter().enumerate() {
                let read = self.old.find(&Node::Variable(state[k]));
                if let (Component::Invariant, Some(read)) = (component, read) {
                    self.map[read.0 as usize] = Some(self.of(initial[k]));
                }
            }
        }
        self.bind(&node.bound());
        let facts = rules.wants_facts();
        match node {
            &Node::If { condition, .. } => {
                for (k, holds) in [true, false].into_iter().enumerate() {
                    self.region_given(first + k, condition, holds, facts, rules);
                }
            }
            &Node::Guard { condition, .. } => {
                self.region_given(first, condition, true, facts, rules);
            }
            Node::Loop {
                state,
                initial,
                condition,
                next,
            } => {
                if facts {
                    for (k, &var) in state.iter().enumerate() {
                        if counts_up(self.old, var, *condition, next[k]) {
                            let start = self.of(initial[k]);
                            self.index.starts_at(&self.new, self.vars[&var], start);
                        }
                    }
                }
                self.region(first, rules);
                self.region_given(first + 1, *condition, true, facts, rules);
            }
            Node::Generate { .. } | Node::Compact { .. } => {
                self.domain(node, first, facts, rules);
            }
            Node::Reduce { .. } | Node::Scan { .. } | Node::Scatter { .. } | Node::Sort { .. } => {
                self.domain(node, first, facts, rules);
                self.region(first + 1, rules);
            }
            _ => unreachable!("no regions"),
        }
        let mut node = self.mapped(node);
        node.map_bound(|var| self.vars[&var]);
        if components
            .iter()
            .any(|&component| component != Component::Kept)
        {
            self.drop_components(id, &mut node, &components);
        }
        node
    }

    /// The region of the elements. That the domain is not empty is no fact of it: what does not use the variables may be
    /// placed outside, where the domain may be empty, and what it reads must be in bounds there too.
    fn domain(&mut self, node: &Node, scope: Scope, facts: bool, rules: &mut impl Rules) {
        if let Node::Generate { extents, vars, .. }
        | Node::Reduce { extents, vars, .. }
        | Node::Scan { extents, vars, .. }
        | Node::Scatter { extents, vars, .. }
        | Node::Compact { extents, vars, .. }
        | Node::Sort { extents, vars, .. } = node
            && facts
        {
            let vars: Vec<Var> = vars.iter().map(|var| self.vars[var]).collect();
            let extents = self.all(extents);
            self.index.domains(&vars, &extents);
        }
        self.region(scope, rules);
    }

    fn region_given(
        &mut self,
        scope: Scope,
        condition: Id,
        holds: bool,
        facts: bool,
        rules: &mut impl Rules,
    ) {
        // What is known anyway need not be assumed: what has been proved so far stays at hand.
        let to = self.of(condition);
        let facts = facts && self.index.decide(&self.new, to) != Some(holds);
        if facts {
            let vars = Arc::clone(self.old.free_shared(condition));
            self.given.push((self.index.depth(), vars));
            self.index.push();
            self.index.assume(&self.new, to, holds);
        }
        self.region(scope, rules);
        if facts {
            self.index.pop();
            self.given.pop();
        }
    }

    /// New variables, in order, scalars before arrays whose extents they may be.
    fn bind(&mut self, bound: &[Var]) {
        let is_array = |var: &Var| matches!(self.old.var_type(*var), Type::Array(..));
        let (arrays, scalars): (Vec<Var>, Vec<Var>) = bound.iter().partition(|var| is_array(var));
        for var in scalars.into_iter().chain(arrays) {
            let mut ty = self.old.var_type(var).clone();
            if let Type::Array(_, extents) = &mut ty {
                for extent in extents {
                    *extent = self.translate(*extent);
                }
            }
            let new = match self.old.states.contains(&var) {
                true => self.new.state_var(ty),
                false => self.new.var(ty),
            };
            self.vars.insert(var, new);
            self.new.add(Node::Variable(new));
            if let Some(name) = self.old.var_names.get(&var) {
                self.new.name_var(new, name);
            }
        }
    }

    /// A node that only a type mentions.
    fn translate(&mut self, id: Id) -> Id {
        if let Some(to) = self.map[id.0 as usize] {
            return to;
        }
        let mut node = self.old.node(id).clone();
        match &node {
            Node::Variable(var) => {
                let var = self.vars[var];
                return self.add(Node::Variable(var));
            }
            Node::Project(bundle, k) if self.map[bundle.0 as usize].is_some() => {
                return match self.part(*bundle, *k) {
                    Ok(node) => self.add(node),
                    Err(value) => value,
                };
            }
            _ => {}
        }
        assert!(
            node.bound().is_empty(),
            "an extent with a region of its own"
        );
        node.map_operands(|id| self.translate(id));
        self.add(node)
    }

    fn drop_components(&mut self, id: Id, node: &mut Node, components: &[Component]) {
        fn keep<T>(list: &mut Vec<T>, components: &[Component]) {
            let mut rest = components.iter();
            list.retain(|_| rest.next() == Some(&Component::Kept));
        }
        let values = match &node {
            Node::Loop { initial, .. } => initial.clone(),
            _ => Vec::new(),
        };
        match node {
            Node::If {
                then, otherwise, ..
            } => {
                keep(then, components);
                keep(otherwise, components);
            }
            Node::Loop {
                state,
                initial,
                next,
                ..
            } => {
                keep(state, components);
                keep(initial, components);
                keep(next, components);
            }
            Node::Reduce {
                elements,
                left,
                right,
                combined,
                initial,
                ..
            } => {
                keep(elements, components);
                keep(left, components);
                keep(right, components);
                keep(combined, components);
                initial
                    .iter_mut()
                    .for_each(|initial| keep(initial, components));
            }
            Node::Scan {
                elements,
                left,
                right,
                combined,
                ..
            } => {
                keep(elements, components);
                keep(left, components);
                keep(right, components);
                keep(combined, components);
            }
            Node::Scatter {
                defaults,
                elements,
                left,
                right,
                combined,
                ..
            } => {
                keep(defaults, components);
                keep(elements, components);
                keep(left, components);
                keep(right, components);
                keep(combined, components);
            }
            Node::Compact { elements, .. } | Node::Sort { elements, .. } => {
                keep(elements, components)
            }
            _ => unreachable!("no bundle"),
        }
        let mut next = 0;
        let parts = components
            .iter()
            .enumerate()
            .map(|(k, component)| match component {
                Component::Kept => {
                    next += 1;
                    Part::At(next - 1)
                }
                Component::Unused => Part::Gone,
                Component::Invariant => Part::Value(values[k]),
            });
        self.parts.insert(id, parts.collect());
    }

    /// An extent of an array that leaves an `If` and differs between its sides must be a component too.
    fn keep_extents(&self, node: &mut Node) {
        let Node::If {
            then, otherwise, ..
        } = node
        else {
            return;
        };
        for k in 0..then.len() {
            let (Type::Array(_, a), Type::Array(_, b)) =
                (self.new.ty(then[k]), self.new.ty(otherwise[k]))
            else {
                continue;
            };
            for (&x, &y) in a.iter().zip(b) {
                let there = then
                    .iter()
                    .zip(otherwise.iter())
                    .any(|pair| pair == (&x, &y));
                if x != y && !there {
                    then.push(x);
                    otherwise.push(y);
                }
            }
        }
    }
}

/// Whether a variable of a loop only grows, by one from round to round, without wrapping.
fn counts_up(program: &Program, var: Var, condition: Id, next: Id) -> bool {
    let is_var = |id: Id| *program.node(id) == Node::Variable(var);
    let is_one = |id: Id| matches!(program.node(id), Node::Constant(one) if one.leaf.is_integer() && one.bits == 1);
    let steps = match *program.node(next) {
        Node::Binary(crate::scalar::Binary::Add, a, b) => {
            (is_var(a) && is_one(b)) || (is_one(a) && is_var(b))
        }
        _ => false,
    };
    steps && bounded(program, var, condition)
}

/// Whether a condition implies `var < something`.
fn bounded(program: &Program, var: Var, condition: Id) -> bool {
    use crate::scalar::Binary;
    match *program.node(condition) {
        Node::Binary(Binary::Lt, a, _) => *program.node(a) == Node::Variable(var),
        Node::Binary(Binary::And, a, b) => bounded(program, var, a) || bounded(program, var, b),
        Node::Project(bundle, k) => match program.node(bundle) {
            Node::If {
                condition,
                then,
                otherwise,
            } => {
                let k = k as usize;
                let never = matches!(program.node(otherwise[k]), Node::Constant(c) if !c.is_true());
                never && (bounded(program, var, *condition) || bounded(program, var, then[k]))
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether a node evaluates something for each element of a domain.
fn is_over_domain(node: &Node) -> bool {
    matches!(
        node,
        Node::Generate { .. }
            | Node::Reduce { .. }
            | Node::Scan { .. }
            | Node::Scatter { .. }
            | Node::Compact { .. }
            | Node::Sort { .. }
    )
}
