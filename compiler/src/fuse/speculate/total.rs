//! Total expressions: without failures, and what tells whether there would have been one.
//!
//! In: a reduction or a scan that may fail. Out: one that cannot, with zero in the place of what fails, and a condition that holds
//! if and only if nothing fails. What has none may only be evaluated in its place.

use crate::fuse::analysis::bounds::Bounds;
use crate::fuse::analysis::control::closed;
use crate::fuse::analysis::estimate::{self, Binder};
use crate::fuse::demand::conditions::without_failures;
use crate::fuse::inline::expand;
use crate::ir::trips::ends;
use crate::ir::walk::{fallible, inside};
use crate::ir::{Id, Node, Program, QuickMap, Type, Var};
use crate::pass::anywhere::if_holds;
use crate::plan::MOST_LEAVES;
use crate::scalar::{Binary, Leaf};

/// What is computed without failures, and what tells whether nothing fails.
#[derive(Clone)]
pub(super) enum Speculated {
    Reduction { values: Vec<Id>, succeeds: Id },
    Scan { bundle: Id, succeeds: UpTo },
}

/// What tells whether no element of a scan fails, up to one.
#[derive(Clone, Copy)]
pub(super) enum UpTo {
    /// A component of the scan.
    Component(u32),
    /// A scalar: what may fail is the same for all elements.
    Any(Id),
}

/// Expressions without failures, and what tells whether they fail.
#[derive(Default)]
pub(super) struct Total {
    pub(super) speculated: QuickMap<Id, Speculated>,
    values: QuickMap<Id, Id>,
    successes: QuickMap<Id, Option<Id>>,
    bounds: Option<Bounds>,
    binders: Option<QuickMap<Var, Binder>>,
}

impl Total {
    /// Makes a reduction or a scan that cannot fail; not where operands are combined by what may fail, or in a domain without
    /// bounds, or where its elements need not end.
    pub(super) fn speculate(&mut self, program: &mut Program, id: Id) -> bool {
        let (Node::Reduce {
            extents, combined, ..
        }
        | Node::Scan {
            extents, combined, ..
        }) = program.node(id).clone()
        else {
            return false;
        };
        let bounds = self.bounds.get_or_insert_with(|| Bounds::of(program));
        let bounded = extents.iter().all(|&id| bounds.bounded(program, id));
        if !bounded || combined.iter().any(|&id| fallible(program, id)) {
            return false;
        }
        let made = match program.node(id) {
            Node::Reduce { .. } => self.reduction(program, id),
            _ => self.scan(program, id),
        };
        let Some(speculated) = made else {
            return false;
        };
        self.speculated.insert(id, speculated);
        true
    }

    fn reduction(&mut self, program: &mut Program, id: Id) -> Option<Speculated> {
        let mut succeeds = self.succeeds(program, id)?;
        let bundle = self.value(program, id);
        program.keep_labels(id, bundle);
        let mut values = program.components(bundle);
        let binders = self
            .binders
            .get_or_insert_with(|| estimate::binders(program));
        if !closed(program, binders, id) {
            succeeds = self.of_all_rows(program, succeeds)?;
            for value in &mut values {
                *value = self.of_all_rows(program, *value)?;
            }
        }
        Some(Speculated::Reduction { values, succeeds })
    }

    /// A scalar of a row, read of a stored array of those of all rows.
    fn of_all_rows(&mut self, program: &mut Program, id: Id) -> Option<Id> {
        let binders = self
            .binders
            .get_or_insert_with(|| estimate::binders(program));
        let reason = "a reduction of the row may fail, and not all elements need it";
        expand::scalar(program, binders, id, reason)
    }

    fn scan(&mut self, program: &mut Program, id: Id) -> Option<Speculated> {
        let Node::Scan {
            extents,
            vars,
            mut elements,
            mut left,
            mut right,
            mut combined,
        } = program.node(id).clone()
        else {
            return None;
        };
        if elements.len() >= MOST_LEAVES || extents.iter().any(|&id| fallible(program, id)) {
            return None;
        }
        let succeeds = self.all(program, &elements)?;
        let component = elements.len() as u32;
        for element in &mut elements {
            *element = self.value(program, *element);
        }
        let same = !vars.iter().any(|var| program.free(succeeds).contains(var));
        if !same {
            elements.push(succeeds);
            let [a, b] = [(); 2].map(|()| program.var(Type::Scalar(Leaf::Bool)));
            let [x, y] = [a, b].map(|var| program.add(Node::Variable(var)));
            left.push(a);
            right.push(b);
            combined.push(program.binary(Binary::And, x, y));
        }
        let bundle = program.add(Node::Scan {
            extents,
            vars,
            elements,
            left,
            right,
            combined,
        });
        for k in 0..component {
            let [old, new] = [id, bundle].map(|bundle| program.add(Node::Project(bundle, k)));
            self.values.insert(old, new);
        }
        program.keep_labels(id, bundle);
        let succeeds = match same {
            true => UpTo::Any(succeeds),
            false => UpTo::Component(component),
        };
        Some(Speculated::Scan { bundle, succeeds })
    }

    /// The same without failures: zero in their place.
    fn value(&mut self, program: &mut Program, id: Id) -> Id {
        without_failures(program, id, &mut self.values)
    }

    /// Whether the evaluation of a scalar reports no failure, told without any; nothing if it need not end.
    fn succeeds(&mut self, program: &mut Program, id: Id) -> Option<Id> {
        if let Some(&known) = self.successes.get(&id) {
            return known;
        }
        let known = self.success(program, id);
        self.successes.insert(id, known);
        known
    }

    fn success(&mut self, program: &mut Program, id: Id) -> Option<Id> {
        match program.node(id).clone() {
            Node::Guard {
                condition, value, ..
            } => {
                let first = self.succeeds(program, condition)?;
                let holds = self.value(program, condition);
                let first = both(program, first, holds);
                let then = self.succeeds(program, value)?;
                Some(both(program, first, then))
            }
            Node::Demand {
                effect,
                value,
                required,
            } => {
                let value = self.succeeds(program, value)?;
                match required {
                    true => {
                        let effect = self.succeeds(program, effect)?;
                        Some(both(program, effect, value))
                    }
                    false => Some(value),
                }
            }
            Node::Project(bundle, k) => match program.node(bundle).clone() {
                Node::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    let first = self.succeeds(program, condition)?;
                    let then = self.succeeds(program, then[k as usize])?;
                    let otherwise = self.succeeds(program, otherwise[k as usize])?;
                    if then == otherwise {
                        return Some(both(program, first, then));
                    }
                    let condition = self.value(program, condition);
                    let chosen = program.add(Node::If {
                        condition,
                        then: vec![then],
                        otherwise: vec![otherwise],
                    });
                    let chosen = program.add(Node::Project(chosen, 0));
                    Some(both(program, first, chosen))
                }
                Node::Loop { .. } | Node::Reduce { .. } => self.succeeds(program, bundle),
                _ => None,
            },
            Node::Reduce {
                extents,
                vars,
                elements,
                combined,
                initial,
                ..
            } => {
                let mut rest = combined.iter().chain(initial.iter().flatten());
                if rest.any(|&id| program.may_fail(id)) {
                    return None;
                }
                let first = self.all(program, &extents)?;
                let element = self.all(program, &elements)?;
                // Of no elements none fails, but those are soon found again.
                let varies = vars.iter().any(|var| program.free(element).contains(var));
                let rest = match varies {
                    true => {
                        let extents = extents.iter().map(|&id| self.value(program, id)).collect();
                        none_fails(program, extents, vars, element)
                    }
                    false => element,
                };
                Some(both(program, first, rest))
            }
            Node::Loop {
                state,
                initial,
                condition,
                next,
            } => {
                if program.may_fail(condition) || !ends(program, program.node(id)) {
                    return None;
                }
                let first = self.all(program, &initial)?;
                let round = self.all(program, &next)?;
                let rounds = match program.node(round) {
                    Node::Constant(_) => round,
                    _ => self.rounds(program, (state, initial, next), condition, round),
                };
                Some(both(program, first, rounds))
            }
            Node::If { .. } => None,
            Node::Index { array, indices } => {
                let first = self.all(program, &indices)?;
                let Node::Project(bundle, _) = *program.node(array) else {
                    return Some(first);
                };
                let Some(&Speculated::Scan { bundle, succeeds }) = self.speculated.get(&bundle)
                else {
                    return Some(first);
                };
                let up_to = match succeeds {
                    UpTo::Any(succeeds) => succeeds,
                    UpTo::Component(k) => {
                        let array = program.add(Node::Project(bundle, k));
                        let indices = indices.iter().map(|&id| self.value(program, id)).collect();
                        program.add(Node::Index { array, indices })
                    }
                };
                Some(both(program, first, up_to))
            }
            node => {
                let mut operands = Vec::new();
                node.operands(|operand| operands.push(operand));
                self.all(program, &operands)
            }
        }
    }

    /// Whether no round of a loop fails: it ends with the first that does.
    fn rounds(
        &mut self,
        program: &mut Program,
        (mut state, initial, next): (Vec<Var>, Vec<Id>, Vec<Id>),
        condition: Id,
        round: Id,
    ) -> Id {
        let succeeded = program.var(Type::Scalar(Leaf::Bool));
        let so_far = program.add(Node::Variable(succeeded));
        let component = state.len() as u32;
        state.push(succeeded);
        let [mut initial, mut next] = [initial, next].map(|ids| {
            ids.iter()
                .map(|&id| self.value(program, id))
                .collect::<Vec<Id>>()
        });
        initial.push(program.bool(true));
        next.push(round);
        let condition = self.value(program, condition);
        let condition = program.binary(Binary::And, so_far, condition);
        let rounds = program.add(Node::Loop {
            state,
            initial,
            condition,
            next,
        });
        program.add(Node::Project(rounds, component))
    }

    fn all(&mut self, program: &mut Program, ids: &[Id]) -> Option<Id> {
        let mut held = program.bool(true);
        for &id in ids {
            let own = self.succeeds(program, id)?;
            held = both(program, held, own);
        }
        Some(held)
    }
}

/// Whether a condition holds for all indices of a domain.
fn none_fails(program: &mut Program, extents: Vec<Id>, vars: Vec<Var>, element: Id) -> Id {
    let [left, right] = [(); 2].map(|()| program.var(Type::Scalar(Leaf::Bool)));
    let [a, b] = [left, right].map(|var| program.add(Node::Variable(var)));
    let both = program.binary(Binary::And, a, b);
    let yes = program.bool(true);
    let all = program.add(Node::Reduce {
        extents,
        vars,
        elements: vec![element],
        left: vec![left],
        right: vec![right],
        combined: vec![both],
        initial: Some(vec![yes]),
        commutes: true,
    });
    program.add(Node::Project(all, 0))
}

/// The second one is evaluated only where the first holds, but for reductions.
fn both(program: &mut Program, first: Id, then: Id) -> Id {
    let holds = |id: Id| matches!(program.node(id), Node::Constant(known) if known.is_true());
    let folds = inside(program, then).any(|id| matches!(program.node(id), Node::Reduce { .. }));
    match (holds(first), holds(then)) {
        (true, _) => then,
        (_, true) => first,
        _ if folds => program.binary(Binary::And, first, then),
        _ => if_holds(program, first, then),
    }
}
