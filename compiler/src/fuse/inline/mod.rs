//! Inlining: `index(generate(sh, f), i) = f(i)` wherever the decision was not to store.
//!
//! In: a `Program` and the decisions. Out: the same function as a `Program` in which every remaining array is an
//! input, a `Materialize` of a closed generate, the state of a loop, or a component of a branch or loop over arrays;
//! whatever was an array inside a body is gone, or has been expanded to an array over the indices it depends on.

mod arithmetic;
mod compactions;
pub(in crate::fuse) mod decide;
mod epilogues;
pub(in crate::fuse) mod expand;
pub(in crate::fuse) mod frequency;
mod length;
mod recomputation;
mod rows;
mod users;

use crate::fuse::Options;
use crate::fuse::analysis::control::{is_array_loop, is_call};
use crate::fuse::analysis::domains::Expansion;
use crate::fuse::analysis::estimate::{self, Binder};
use crate::fuse::analysis::reads;
use crate::fuse::demand::conditions::{Fact, predicate};
use crate::fuse::demand::regions::{Around, reached};
use crate::fuse::inline::decide::{Decisions, decide};
use crate::fuse::rewrite::Rewrite;
use crate::fuse::scans;
use crate::ir::walk;
use crate::ir::{Id, IdSet, Node, Output, Program, QuickMap, Type, Var};
use crate::pass::index::Index;
use crate::plan::Note;
use crate::sorted::SortedSet;

/// The reason for a stored array that the program's text materialises: no fusion passes it.
pub(in crate::fuse) const BARRIER: &str = "`materialize` asks for it";

/// The reason for an array that a foreign function takes.
const TAKEN: &str = "a foreign function takes it";

/// Decides and rewrites until no array is read that is not stored; also gives notes on those that are not stored.
pub(in crate::fuse) fn run(mut program: Program, options: &Options) -> (Program, Vec<Note>) {
    let mut notes = Vec::new();
    for id in program.ids() {
        if matches!(program.node(id), Node::Materialize(_)) {
            let reason = BARRIER.to_owned();
            program.reasons.insert(id, reason);
        }
        if let Node::Routine { arguments, .. } = program.node(id) {
            for argument in arguments.clone() {
                program.reasons.insert(argument, TAKEN.to_owned());
            }
        }
    }
    while !settled(&program) {
        let mut decisions = decide(&program, options);
        let none = [&decisions.inlined, &decisions.branched]
            .iter()
            .all(|ids| ids.is_empty());
        if none && decisions.stored.is_empty() {
            // Reads of what a branch inside a body gives go into its sides, where there may be more to decide.
            let next = rewrite(program.clone(), &mut decisions, false, options);
            if next.outputs == program.outputs && next.checks == program.checks {
                break;
            }
            program = next;
            continue;
        }
        program.reasons.extend(decisions.reasons.iter().cloned());
        program = rewrite(program, &mut decisions, false, options);
        notes.extend(decisions.notes.into_iter().map(|(_, note)| note));
    }
    let program = rewrite(program, &mut Decisions::default(), true, options);
    (program.swept(), notes)
}

/// Whether all that is read is an input or stored, and in no body: then there is nothing to decide.
fn settled(program: &Program) -> bool {
    let live = walk::reachable(program, program.roots());
    live.into_iter().all(|id| match program.node(id) {
        Node::Index { array, .. } => {
            let stored = matches!(
                program.node(*array),
                Node::Input { .. } | Node::Materialize(_)
            );
            stored && program.free(*array).is_empty()
        }
        _ => true,
    })
}

/// One rewriting of the whole program; the `last` one stores what is needed as a whole.
fn rewrite(
    mut program: Program,
    decisions: &mut Decisions,
    last: bool,
    options: &Options,
) -> Program {
    let binders = estimate::binders(&program);
    let ranges = Index::with_checks(&program);
    let stores = !decisions.stored.is_empty()
        || !decisions.branched.is_empty()
        || (program.ids()).any(|id| matches!(program.node(id), Node::Materialize(_)));
    let reached = match stores {
        true => reached(&program),
        false => QuickMap::default(),
    };
    let certain = scans::certain(&program);
    let branched = match stores {
        true => expand::branched(&mut program, &binders, &reached, &decisions.branched),
        false => QuickMap::default(),
    };
    decisions.decide_branched(&branched);
    let mut outputs = std::mem::take(&mut program.outputs);
    let mut checks = std::mem::take(&mut program.checks);
    let mut inliner = Inliner {
        bound: program.ids().len(),
        program,
        decisions,
        last,
        binders,
        states: QuickMap::default(),
        done: QuickMap::default(),
        certain,
        reached,
        branched,
        always: SortedSet::new(),
        ranges,
        collapse: options.collapse,
    };
    for check in &mut checks {
        check.condition = inliner.rewrite(check.condition);
        for value in &mut check.values {
            *value = inliner.rewrite(*value);
        }
    }
    for output in &mut outputs {
        match output {
            Output::Scalar(leaves) => {
                for leaf in leaves {
                    *leaf = inliner.rewrite(*leaf);
                }
            }
            Output::Array { extents, leaves } => {
                for extent in extents {
                    *extent = inliner.rewrite(*extent);
                }
                for leaf in leaves {
                    *leaf = inliner.whole(*leaf);
                }
            }
        }
    }
    let mut program = inliner.program;
    program.outputs = outputs;
    program.checks = checks;
    program
}

struct Inliner<'a> {
    program: Program,
    decisions: &'a Decisions,
    last: bool,
    binders: QuickMap<Var, Binder>,
    /// Of so many nodes.
    bound: usize,
    states: QuickMap<Var, Var>,
    done: QuickMap<Id, Id>,
    /// What stands in no branch.
    certain: IdSet,
    /// The arrays that are evaluated in any case.
    reached: QuickMap<Id, Around>,
    /// What holds where arrays of a row are evaluated in a branch of it.
    branched: QuickMap<Id, Vec<Fact>>,
    /// Those among the new ones that are stored.
    always: SortedSet<Id>,
    ranges: Index,
    /// Whether indices are simplified.
    collapse: bool,
}

impl Rewrite for Inliner<'_> {
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

impl Inliner<'_> {
    fn rewrite(&mut self, id: Id) -> Id {
        if let Some(&to) = self.done.get(&id) {
            return to;
        }
        let mut node = self.node(id);
        let to = match node {
            Node::Index { array, indices } if self.decisions.plain.contains(&array) => {
                let Node::Generate { vars, element, .. } = self.program.node(array).clone() else {
                    unreachable!("only generates are inlined");
                };
                let indices = self.rewrite_all(&indices);
                for &index in &indices {
                    self.done.entry(index).or_insert(index);
                }
                // From the outside in, so that each element is substituted in once.
                let map = vars.into_iter().zip(indices).collect();
                let element = self.program.substitute(element, &map);
                self.rewrite(element)
            }
            Node::Index { array, indices } => {
                let inlined = self.program.unguarded(array);
                let inlined = self.decisions.inlined.contains(&inlined);
                let array = self.rewrite(array);
                let indices = self.rewrite_all(&indices);
                let certain = self.certain.contains(id);
                self.read(array, indices, inlined, certain)
            }
            Node::Generate {
                extents,
                vars,
                element,
            } => {
                let extents = self.rewrite_all(&extents);
                self.bind(&vars, &extents);
                let mut element = self.rewrite(element);
                let stored = self.decisions.stored.get(&id);
                if let Some(facts) = stored.or(self.branched.get(&id)).cloned() {
                    let facts = facts.into_iter();
                    let facts: Vec<Fact> =
                        facts.map(|fact| fact.map(|id| self.rewrite(id))).collect();
                    element = predicate(&mut self.program, &facts, element);
                }
                let made = self.program.add(Node::Generate {
                    extents,
                    vars,
                    element,
                });
                let made = self.eta(made);
                let stored = self.decisions.stored.contains_key(&id);
                if stored && matches!(self.program.node(made), Node::Generate { .. }) {
                    self.program.keep_labels(id, made);
                    self.program.add(Node::Materialize(made))
                } else {
                    made
                }
            }
            Node::Materialize(array) => {
                let array = self.rewrite(array);
                self.store(array)
            }
            Node::Loop {
                state,
                initial,
                condition,
                next,
            } => {
                let initial = self.whole_all(&initial);
                let condition = self.rewrite(condition);
                let next = self.whole_all(&next);
                self.program.add(Node::Loop {
                    state,
                    initial,
                    condition,
                    next,
                })
            }
            Node::If {
                condition,
                then,
                otherwise,
            } => {
                let inside = self.is_inside(id);
                let condition = self.rewrite(condition);
                let (then, otherwise) = if inside {
                    (self.rewrite_all(&then), self.rewrite_all(&otherwise))
                } else {
                    (self.whole_all(&then), self.whole_all(&otherwise))
                };
                self.program.add(Node::If {
                    condition,
                    then,
                    otherwise,
                })
            }
            Node::Scatter {
                ref mut defaults,
                ref vars,
                ref extents,
                ..
            } => {
                *defaults = self.whole_all(defaults);
                let (vars, extents) = (vars.clone(), self.rewrite_all(extents));
                self.bind(&vars, &extents);
                let own = defaults.len();
                let mut k = 0;
                node.map_operands(|operand| {
                    k += 1;
                    if k <= own {
                        operand
                    } else {
                        self.rewrite(operand)
                    }
                });
                self.program.add(node)
            }
            Node::Project(bundle, k) => {
                let to = self.rewrite(bundle);
                // The extents of an array stand in the same bundle and are projected first.
                if matches!(self.program.ty(id), Type::Array(..)) {
                    for extent in self.program.extents(id).to_vec() {
                        self.rewrite(extent);
                    }
                }
                self.program.add(Node::Project(to, k))
            }
            _ => {
                if let Node::Reduce { extents, vars, .. }
                | Node::Scan { extents, vars, .. }
                | Node::Compact { extents, vars, .. }
                | Node::Sort { extents, vars, .. } = &node
                {
                    let (vars, extents) = (vars.clone(), self.rewrite_all(extents));
                    self.bind(&vars, &extents);
                }
                node.map_operands(|operand| self.rewrite(operand));
                self.program.add(node)
            }
        };
        self.program.keep_labels(id, to);
        let placed = self.reached.contains_key(&id) || self.branched.contains_key(&id);
        if placed && matches!(self.program.node(to), Node::Materialize(_)) {
            self.always.insert(to);
        }
        self.done.insert(id, to);
        to
    }

    fn extend_binders(&mut self) {
        estimate::extend(&self.program, &mut self.binders, self.bound);
        self.bound = self.program.ids().len();
    }

    /// From here on these variables run over the rewritten extents.
    fn bind(&mut self, vars: &[Var], extents: &[Id]) {
        for (var, &extent) in vars.iter().zip(extents) {
            if let Some(binder) = self.binders.get_mut(var) {
                binder.extent = Some(extent);
            }
        }
    }

    fn rewrite_all(&mut self, ids: &[Id]) -> Vec<Id> {
        ids.iter().map(|&id| self.rewrite(id)).collect()
    }

    fn whole_all(&mut self, ids: &[Id]) -> Vec<Id> {
        ids.iter().map(|&id| self.whole(id)).collect()
    }

    /// Whether a branch stands in a body. A call never does: nothing bound by bodies reaches it.
    fn is_inside(&self, id: Id) -> bool {
        !self.program.free(id).is_empty()
            && !self.over_loop_state(id)
            && !is_call(&self.program, id)
    }

    /// Whether an expression depends on the state of a loop over arrays and on nothing else that is bound.
    fn over_loop_state(&self, id: Id) -> bool {
        self.program.free(id).iter().all(|var| {
            self.binders
                .get(var)
                .is_some_and(|binder| is_array_loop(&self.program, binder.node))
        })
    }

    /// An array that something needs as a whole; a scalar is only rewritten.
    fn whole(&mut self, id: Id) -> Id {
        let to = self.rewrite(id);
        if self.last { self.store(to) } else { to }
    }

    fn store(&mut self, id: Id) -> Id {
        match self.program.node(id).clone() {
            Node::Generate { .. } => {
                let to = self.program.add(Node::Materialize(id));
                self.program.keep_labels(id, to);
                to
            }
            Node::Guard {
                condition,
                site,
                values,
                value,
            } if matches!(self.program.ty(id), Type::Array(..)) => {
                let value = self.store(value);
                self.program.add(Node::Guard {
                    condition,
                    site,
                    values,
                    value,
                })
            }
            Node::Demand {
                effect,
                value,
                required,
            } if matches!(self.program.ty(id), Type::Array(..)) => {
                let value = self.store(value);
                self.program.add(Node::Demand {
                    effect,
                    value,
                    required,
                })
            }
            Node::Project(bundle, _) if matches!(self.program.node(bundle), Node::Scan { .. }) => {
                scans::stored(&mut self.program, id)
            }
            _ => id,
        }
    }

    /// `index(array, indices)`, as far inwards as it goes.
    fn read(&mut self, array: Id, indices: Vec<Id>, inlined: bool, certain: bool) -> Id {
        match self.program.node(array).clone() {
            Node::Generate { vars, element, .. } if inlined => {
                let map = vars.into_iter().zip(indices).collect();
                self.program.substitute(element, &map)
            }
            Node::Guard {
                condition,
                site,
                values,
                value,
            } => {
                let value = self.read(value, indices, inlined, false);
                self.program.add(Node::Guard {
                    condition,
                    site,
                    values,
                    value,
                })
            }
            Node::Demand {
                effect,
                value,
                required,
            } => {
                let value = self.read(value, indices, inlined, certain);
                self.program.add(Node::Demand {
                    effect,
                    value,
                    required,
                })
            }
            Node::Materialize(inner) => match self.expand(inner) {
                Expansion::Closed => self.program.add(Node::Index { array, indices }),
                Expansion::Over(vars, expanded)
                    if certain
                        || self.always.contains(&array)
                        || reads::is_speculatable(&self.program, &mut self.ranges, expanded) =>
                {
                    let mut all: Vec<Id> = vars
                        .into_iter()
                        .map(|var| self.program.add(Node::Variable(var)))
                        .collect();
                    all.extend(indices);
                    self.program.add(Node::Index {
                        array: expanded,
                        indices: all,
                    })
                }
                // In a branch, its condition may be what keeps reads in bounds.
                Expansion::Over(..) | Expansion::Impossible => {
                    self.read(inner, indices, true, certain)
                }
            },
            Node::Project(bundle, k) if matches!(self.program.node(bundle), Node::Scan { .. }) => {
                self.read_scan(bundle, k, indices, certain)
            }
            Node::Project(bundle, k) if self.is_inside(bundle) => {
                let Node::If {
                    condition,
                    then,
                    otherwise,
                } = self.program.node(bundle).clone()
                else {
                    return self.program.add(Node::Index { array, indices });
                };
                let then = self.read(then[k as usize], indices.clone(), false, false);
                let otherwise = self.read(otherwise[k as usize], indices, false, false);
                let bundle = self.program.add(Node::If {
                    condition,
                    then: vec![then],
                    otherwise: vec![otherwise],
                });
                self.program.add(Node::Project(bundle, 0))
            }
            _ => self.program.add(Node::Index { array, indices }),
        }
    }

    /// An element of a scan that is computed as a whole, over the indices it depends on as well; or, where it cannot
    /// or may not be, the reduction of the elements up to it. Of one that may fail this is decided later.
    fn read_scan(&mut self, bundle: Id, k: u32, indices: Vec<Id>, certain: bool) -> Id {
        self.extend_binders();
        let (vars, bundle) = match scans::expand(&mut self.program, &self.binders, bundle) {
            Expansion::Closed => (Vec::new(), bundle),
            Expansion::Over(vars, expanded)
                if certain
                    || match scans::fallible(&self.program, expanded) {
                        true => !scans::is_short(&self.program, expanded),
                        false => reads::is_speculatable(&self.program, &mut self.ranges, expanded),
                    } =>
            {
                (vars, expanded)
            }
            // Once what it reads is stored, its reads may be in bounds.
            _ if !self.last && scans::waits(&self.program, bundle) => {
                let array = self.program.add(Node::Project(bundle, k));
                return self.program.add(Node::Index { array, indices });
            }
            _ => return scans::prefix(&mut self.program, bundle, k, &indices),
        };
        let rows = vars.into_iter();
        let rows: Vec<Id> = rows
            .map(|var| self.program.add(Node::Variable(var)))
            .collect();
        let array = self.program.add(Node::Project(bundle, k));
        self.program.add(Node::Index {
            array,
            indices: [rows, indices].concat(),
        })
    }

    /// A stored array inside a body becomes one stored array over the indices it depends on as well.
    fn expand(&mut self, generate: Id) -> Expansion {
        self.extend_binders();
        expand::expand(&mut self.program, &self.binders, generate)
    }

    /// `generate(extents of xs, |i..| xs[i..]) = xs`.
    fn eta(&mut self, id: Id) -> Id {
        let Node::Generate {
            extents,
            vars,
            element,
        } = self.program.node(id).clone()
        else {
            return id;
        };
        let Node::Index { array, mut indices } = self.program.node(element).clone() else {
            return id;
        };
        if self.program.extents(array) != extents
            || !self.program.free(array).is_subset(self.program.free(id))
        {
            return id;
        }
        if self.collapse {
            for index in &mut indices {
                *index = self.ranges.simplify(&mut self.program, *index);
            }
        }
        let same = indices
            .iter()
            .zip(vars)
            .all(|(&index, var)| *self.program.node(index) == Node::Variable(var));
        if same { array } else { id }
    }
}
