//! Speculation with recovery: what may fail, and is not certain to be demanded, is computed without failures, and beside it
//! whether it would have failed.
//!
//! In: a program after inlining. Out: the same function, in which a closed reduction that may fail, and that only some element
//! demands, is computed once, without failures. A reader takes the value where another reduction tells that nothing fails; where
//! something does, it folds the elements itself, and reports what fails there. Scans have one more component for that: whether
//! no element up to here fails. So failures are those of lazy evaluation, and nothing is folded anew for each reader unless
//! something has failed. Before that, reductions of other rows are computed for all rows (`rows`).

pub(super) mod clamp_extents;
pub(super) mod guard_reads;
mod limit;
mod rows;
mod total;

use crate::fuse::analysis::control::closed;
use crate::fuse::analysis::estimate::{self, Binder};
use crate::fuse::demand::regions::reached;
use crate::fuse::rewrite::Rewrite;
use crate::fuse::scans::epilogue::read;
use crate::fuse::scans::{self, prefix};
use crate::ir::walk::{self, fallible, inside};
use crate::ir::{Id, Node, Program, QuickMap, Var};
use crate::plan::Note;
use crate::sorted::SortedSet;
pub(super) use limit::limit;
use total::{Speculated, Total, UpTo};

/// How elements of a scan are found that cannot be computed before.
const FOLDED: &str = "each element that is read of a scan is folded anew: it may fail in a way that cannot be found out before";

/// See the module. Also gives notes on scans that could not be speculated.
pub(super) fn speculate(program: Program, notes: &mut Vec<Note>) -> Program {
    let mut program = rows::share(program);
    let uncertain = uncertain(&program);
    if uncertain.is_empty() {
        return program;
    }
    let mut total = Total::default();
    let mut in_place = SortedSet::new();
    for id in uncertain {
        if !total.speculate(&mut program, id) && matches!(program.node(id), Node::Scan { .. }) {
            in_place.insert(id);
        }
    }
    notes.extend(in_place.iter().map(|id| Note {
        text: FOLDED.to_owned(),
        span: program.spans.get(id).copied(),
        barrier: false,
    }));
    let mut recoverer = Recoverer {
        program,
        speculated: total.speculated,
        in_place,
        states: QuickMap::default(),
        done: QuickMap::default(),
    };
    recoverer.roots(Recoverer::rewrite);
    recoverer.program
}

/// The closed reductions and scans that may fail, themselves or by what they read of such scans, and that nothing is certain to
/// demand, operands first, and reductions of a row that some of its elements demand. Those of few elements had better stay
/// where they are.
fn uncertain(program: &Program) -> Vec<Id> {
    let live = walk::reachable(program, program.roots());
    if !live
        .iter()
        .any(|&id| scans::fails(program, id) || is_failing(program, id))
    {
        return Vec::new();
    }
    let binders = estimate::binders(program);
    let reached = reached(program);
    let certain = |id: Id| {
        let scan = matches!(program.node(id), Node::Scan { .. });
        let around = reached.get(&id);
        around.is_some_and(|around| {
            (scan || around.is_told_by_host(program)) && around.extents(program, id).is_some()
        })
    };
    let mut found = SortedSet::new();
    let of_rows = of_rows(program, &binders);
    for id in live {
        let (extents, elements) = match program.node(id) {
            Node::Reduce {
                extents, elements, ..
            }
            | Node::Scan {
                extents, elements, ..
            } => (extents, elements),
            _ => continue,
        };
        let is_scan = matches!(program.node(id), Node::Scan { .. });
        let few = !is_scan && estimate::is_few(program, extents);
        let reads = |&part: &Id| {
            inside(program, part)
                .any(|id| read(program, id).is_some_and(|(scan, ..)| found.contains(&scan)))
        };
        let fails = scans::fails(program, id)
            || is_failing(program, id)
            || elements.iter().chain(extents).any(reads);
        let apart = closed(program, &binders, id) && !certain(id) || of_rows.contains(&id);
        if fails && !few && apart {
            found.insert(id);
        }
    }
    found.into_iter().collect()
}

/// Reductions that depend on a row of a stored array alone, and that only some of its elements demand.
fn of_rows(program: &Program, binders: &QuickMap<Var, Binder>) -> SortedSet<Id> {
    let stands = |array, element| program.may_fail(element) && closed(program, binders, array);
    let leading = |(id, vars): &(Id, Vec<Var>)| {
        let free = program.free(*id);
        vars.iter().take(free.len()).all(|var| free.contains(var))
    };
    let found = rows::of_some_elements(program, stands).into_iter();
    found.filter(leading).map(|(id, _)| id).collect()
}

/// Whether an element or an extent of a reduction may fail.
fn is_failing(program: &Program, id: Id) -> bool {
    match program.node(id) {
        Node::Reduce {
            extents, elements, ..
        } => (elements.iter().chain(extents)).any(|&id| fallible(program, id)),
        _ => false,
    }
}

/// Writes a program with readers of what is speculated that recover.
struct Recoverer {
    program: Program,
    speculated: QuickMap<Id, Speculated>,
    /// Scans of which each reader folds the elements itself.
    in_place: SortedSet<Id>,
    states: QuickMap<Var, Var>,
    done: QuickMap<Id, Id>,
}

impl Rewrite for Recoverer {
    fn program(&mut self) -> &mut Program {
        &mut self.program
    }

    fn states(&mut self) -> &mut QuickMap<Var, Var> {
        &mut self.states
    }

    fn extent(&mut self, id: Id) -> Id {
        self.rewrite(id)
    }
}

impl Recoverer {
    fn rewrite(&mut self, id: Id) -> Id {
        if let Some(&to) = self.done.get(&id) {
            return to;
        }
        let to = match *self.program.node(id) {
            Node::Project(bundle, k) => match self.speculated.get(&bundle) {
                Some(Speculated::Reduction { values, succeeds }) => {
                    let (value, succeeds) = (values[k as usize], *succeeds);
                    let again = self.same(id);
                    let (condition, value) = (self.rewrite(succeeds), self.rewrite(value));
                    self.chosen(condition, value, again)
                }
                _ => self.same(id),
            },
            Node::Index { .. } => match read(&self.program, id) {
                Some((bundle, k, indices)) => {
                    let indices = indices.to_vec();
                    self.scanned(id, bundle, k, &indices)
                }
                None => self.same(id),
            },
            _ => self.same(id),
        };
        self.done.insert(id, to);
        to
    }

    fn same(&mut self, id: Id) -> Id {
        let mut node = self.node(id);
        node.map_operands(|operand| self.rewrite(operand));
        let to = self.program.add(node);
        self.program.keep_labels(id, to);
        to
    }

    /// An element of a scan, as its reader evaluates it.
    fn scanned(&mut self, id: Id, bundle: Id, k: u32, indices: &[Id]) -> Id {
        let speculated = self.speculated.get(&bundle).cloned();
        if speculated.is_none() && !self.in_place.contains(&bundle) {
            return self.same(id);
        }
        let indices: Vec<Id> = indices.iter().map(|&index| self.rewrite(index)).collect();
        let old = self.rewrite(bundle);
        let again = prefix(&mut self.program, old, k, &indices);
        let Some(Speculated::Scan { bundle, succeeds }) = speculated else {
            return again;
        };
        let bundle = self.rewrite(bundle);
        let mut element = |k: u32| {
            let array = self.program.add(Node::Project(bundle, k));
            let indices = indices.clone();
            self.program.add(Node::Index { array, indices })
        };
        let value = element(k);
        let condition = match succeeds {
            UpTo::Component(k) => element(k),
            UpTo::Any(succeeds) => self.rewrite(succeeds),
        };
        self.chosen(condition, value, again)
    }

    fn chosen(&mut self, condition: Id, value: Id, again: Id) -> Id {
        let chosen = self.program.add(Node::If {
            condition,
            then: vec![value],
            otherwise: vec![again],
        });
        self.program.add(Node::Project(chosen, 0))
    }
}
