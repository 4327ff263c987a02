//! Hoists scalars that can fail out of bodies, under the condition that the body runs.
//!
//! In: a program after inlining. Out: the same program, in which a closed scalar that every element of a stored array or of a whole
//! reduction or scan needs, and that holds reductions that can fail, is predicated by the condition that there are elements, if the
//! host does not evaluate it in any case; and the set of those scalars. All others that can fail stay where they are; a value under
//! a guard outside of bodies is computed only if that holds. Loops of scalars and mathematical functions that the elements of a row
//! share are predicated by the condition that the row has elements; they stay in the body, which runs them once a row. Loops over
//! arrays always leave bodies, and so do the arrays that they begin with: without demand a loop has no rounds, and an array that
//! can fail no elements that do.

use crate::fuse::analysis::control::{closed, is_apart, is_item};
use crate::fuse::analysis::estimate::{self, Binder};
use crate::fuse::analysis::rounds;
use crate::fuse::demand::conditions::{
    Fact, implied, predicate, predicate_all, predicate_condition,
};
use crate::fuse::demand::loops::idle;
use crate::fuse::demand::regions::{Around, reached};
use crate::fuse::rewrite::Rewrite;
use crate::ir::walk::{self, fallible, fallible_but, inside};
use crate::ir::{Id, Node, Program, QuickMap, Type, Var};
use crate::sorted::SortedSet;

/// See the module.
pub(in crate::fuse) fn run(mut program: Program) -> (Program, SortedSet<Id>) {
    let demand = |id: Id| matches!(program.node(id), Node::Demand { .. });
    if !(program.ids()).any(|id| program.guards(id) || program.loops(id) || demand(id)) {
        return (program, SortedSet::new());
    }
    let idle = idle(&mut program);
    let mut reached = reached(&program);
    reached.retain(|_, around| around.is_unconditional());
    let in_region = |(&id, around): (&Id, &Around)| {
        let outside = around.extents(&program, id);
        outside
            .is_some_and(|extents| extents.is_empty())
            .then_some(id)
    };
    let in_region = reached.iter().filter_map(in_region).collect();
    let certain = reached.into_keys().collect();
    let mut outputs = std::mem::take(&mut program.outputs);
    let binders = estimate::binders(&program);
    let checks = rounds::hoisted(&program);
    let mut hoister = Hoister {
        program,
        checks,
        idle,
        certain,
        in_region,
        binders,
        states: QuickMap::default(),
        done: QuickMap::default(),
        hoisted: SortedSet::new(),
    };
    for output in &mut outputs {
        // Extents too: an array and its extents may come out of one loop.
        output.map_roots(|id| hoister.rewrite(id));
    }
    hoister.program.outputs = outputs;
    (hoister.program, hoister.hoisted)
}

struct Hoister {
    program: Program,
    /// Loops over arrays, the arrays that they begin with if these may fail, and what holds where they are demanded.
    idle: QuickMap<Id, Vec<Fact>>,
    /// What is evaluated wherever the domains around it have elements, and the host takes the branches and rounds around it.
    certain: SortedSet<Id>,
    /// Those of them that the host evaluates in any case, before and after their rewriting.
    in_region: SortedSet<Id>,
    /// Checks of the host.
    checks: SortedSet<Id>,
    binders: QuickMap<Var, Binder>,
    states: QuickMap<Var, Var>,
    done: QuickMap<Id, Id>,
    hoisted: SortedSet<Id>,
}

impl Rewrite for Hoister {
    fn program(&mut self) -> &mut Program {
        &mut self.program
    }

    fn states(&mut self) -> &mut QuickMap<Var, Var> {
        &mut self.states
    }

    fn binders(&mut self) -> Option<&mut QuickMap<Var, Binder>> {
        Some(&mut self.binders)
    }

    fn extent(&mut self, id: Id) -> Id {
        self.rewrite(id)
    }
}

impl Hoister {
    fn rewrite(&mut self, id: Id) -> Id {
        if let Some(&to) = self.done.get(&id) {
            return to;
        }
        let mut node = self.node(id);
        node.map_operands(|operand| self.rewrite(operand));
        if let Node::Reduce {
            extents,
            vars,
            elements,
            ..
        } = &mut node
        {
            *elements = self.rows(extents, vars, elements.clone());
        }
        match &mut node {
            // A dead effect is left out.
            Node::Demand {
                effect,
                value,
                required: false,
            } if !walk::needs(&self.program, *value, *effect) => {
                self.done.insert(id, *value);
                return *value;
            }
            Node::Materialize(array) => {
                if let Node::Generate {
                    extents,
                    vars,
                    element,
                } = self.program.node(*array).clone()
                    && self.closed(*array)
                {
                    let own = some(&extents);
                    let mut around = self.around(id);
                    around.retain(|fact| !own.contains(fact));
                    let all = [&own[..], &around].concat();
                    let mut changed = self.body(&all, &[element])[0];
                    changed = predicate(&mut self.program, &around, changed);
                    changed = self.rows(&extents, &vars, vec![changed])[0];
                    if changed != element {
                        let made = self.program.add(Node::Generate {
                            extents,
                            vars,
                            element: changed,
                        });
                        self.program.keep_labels(*array, made);
                        *array = made;
                    }
                }
            }
            // It may not be demanded at all: what it needs itself must not be computed, and read, before that is known.
            Node::Reduce { .. } if !self.certain.contains(&id) => {}
            Node::Reduce {
                extents, elements, ..
            }
            | Node::Scan {
                extents, elements, ..
            }
            | Node::Sort {
                extents, elements, ..
            } if self.closed(id) => *elements = self.body(&some(extents), &elements.clone()),
            Node::Scatter {
                defaults,
                extents,
                condition,
                at,
                elements,
                ..
            } if self.closed(id) => {
                // A target of no elements has no points either.
                let target = self.program.extents(defaults[0]).iter();
                let target = target.filter(|extent| !extents.contains(extent));
                let around: Vec<Id> = extents.iter().chain(target).copied().collect();
                let around = some(&around);
                let all = [&[*condition][..], at, elements].concat();
                let mut all = self.body(&around, &all);
                *elements = all.split_off(1 + at.len());
                *at = all.split_off(1);
                *condition = all[0];
            }
            Node::Compact {
                extents, condition, ..
            } if self.closed(id) => *condition = self.body(&some(extents), &[*condition])[0],
            Node::Loop {
                initial, condition, ..
            } if self.idle.contains_key(&id) => {
                let around = self.around(id);
                *condition = match fallible(&self.program, *condition) {
                    true => predicate(&mut self.program, &around, *condition),
                    false => predicate_condition(&mut self.program, &around, *condition),
                };
                for initial in initial {
                    let scalar = matches!(self.program.ty(*initial), Type::Scalar(_));
                    if scalar && fallible(&self.program, *initial) {
                        *initial = predicate(&mut self.program, &around, *initial);
                    }
                }
            }
            Node::Guard {
                condition, value, ..
            } if self.waits(id, *condition, *value) => {
                let holds = [Fact::Holds(*condition)];
                *value = predicate(&mut self.program, &holds, *value);
            }
            _ => {}
        }
        let to = self.program.add(node);
        self.program.keep_labels(id, to);
        if self.in_region.contains(&id) {
            self.in_region.insert(to);
        }
        self.done.insert(id, to);
        to
    }

    /// Whether some of a value is computed before the guard around it, extents of reductions for one, though it must not if
    /// that fails. What the condition needs is there in any case.
    fn waits(&self, guard: Id, condition: Id, value: Id) -> bool {
        let program = &self.program;
        let scalar = matches!(program.ty(value), Type::Scalar(_));
        scalar
            && !self.checks.contains(&guard)
            && self.closed(guard)
            && fallible(program, value)
            && {
                let before: SortedSet<Id> = inside(program, condition).collect();
                let mut own = inside(program, value).filter(|id| !before.contains(id));
                own.any(|id| {
                    is_item(program, id) && fallible_but(program, id, |id| before.contains(&id))
                })
            }
    }

    /// What holds where something that may fail is demanded.
    fn around(&mut self, id: Id) -> Vec<Fact> {
        let facts = self.idle.get(&id).cloned().unwrap_or_default();
        let facts = facts.into_iter();
        facts.map(|fact| fact.map(|id| self.rewrite(id))).collect()
    }

    fn closed(&self, id: Id) -> bool {
        closed(&self.program, &self.binders, id)
    }

    /// The elements of a domain, with what they share in its new place.
    fn body(&mut self, around: &[Fact], elements: &[Id]) -> Vec<Id> {
        let mut map = QuickMap::default();
        let program = &self.program;
        let hoisted = |id| self.closed(id) && is_apart(program, id);
        for id in self.shared(elements, hoisted) {
            // What the host evaluates in any case fails, or nothing does.
            let in_region = |id| self.in_region.contains(&id);
            let under = match fallible_but(&self.program, id, in_region) {
                true => predicate(&mut self.program, around, id),
                false => id,
            };
            self.hoisted.insert(under);
            map.insert(id, under);
        }
        elements
            .iter()
            .map(|&id| self.replace(id, &mut map))
            .collect()
    }

    /// The elements of a domain; what may not end or fail in a loop that the elements of a row share is predicated.
    fn rows(&mut self, extents: &[Id], vars: &[Var], mut elements: Vec<Id>) -> Vec<Id> {
        // There is an element: what is predicated by that is evaluated.
        let program = &self.program;
        let predicated = self.shared(&elements, |id| implied(program, extents, id).is_some());
        let mut map = QuickMap::default();
        for id in predicated {
            map.extend(implied(&self.program, extents, id).map(|value| (id, value)));
        }
        for element in &mut elements {
            *element = self.replace(*element, &mut map);
        }
        for depth in 0..vars.len() {
            let program = &self.program;
            let of_row = |id: Id| {
                let free = program.free(id);
                let last = depth.checked_sub(1).map(|last| vars[last]);
                !self.closed(id)
                    && !vars[depth..].iter().any(|var| free.contains(var))
                    && last.is_none_or(|last| free.contains(&last))
                    && estimate::is_of_rows(program, id)
            };
            let shared = self.shared(&elements, of_row);
            let under = predicate_all(&mut self.program, &some(&extents[depth..]), &shared);
            let mut map = shared.into_iter().zip(under).collect();
            for element in &mut elements {
                *element = self.replace(*element, &mut map);
            }
        }
        elements
    }

    /// The outermost scalars of a kind that every element is certain to evaluate, if they can fail.
    fn shared(&self, elements: &[Id], kind: impl Fn(Id) -> bool) -> Vec<Id> {
        let program = &self.program;
        let (mut found, mut seen, mut open) = (Vec::new(), SortedSet::new(), elements.to_vec());
        while let Some(id) = open.pop() {
            if !seen.insert(id) || self.hoisted.contains(&id) {
                continue;
            }
            let scalar = matches!(program.ty(id), Type::Scalar(_));
            if scalar && kind(id) {
                if fallible(program, id) {
                    found.push(id);
                }
                continue;
            }
            match program.node(id) {
                Node::Index { indices, .. } => open.extend(indices),
                Node::Guard {
                    condition, values, ..
                } => {
                    open.push(*condition);
                    open.extend(values);
                }
                Node::If { condition, .. } => open.push(*condition),
                Node::Loop { initial, .. } => open.extend(initial),
                Node::Reduce {
                    extents, initial, ..
                } => {
                    open.extend(extents);
                    open.extend(initial.iter().flatten());
                }
                node => node.operands(|operand| open.push(operand)),
            }
        }
        found
    }

    fn replace(&mut self, id: Id, map: &mut QuickMap<Id, Id>) -> Id {
        if let Some(&to) = map.get(&id) {
            return to;
        }
        // Arrays have bodies of their own.
        if matches!(self.program.ty(id), Type::Array(..)) {
            return id;
        }
        let mut node = self.program.node(id).clone();
        node.map_operands(|operand| self.replace(operand, map));
        let to = self.program.add(node);
        self.program.keep_labels(id, to);
        map.insert(id, to);
        to
    }
}

/// That extents are not zero.
fn some(extents: &[Id]) -> Vec<Fact> {
    extents.iter().copied().map(Fact::NotZero).collect()
}
