//! Whether a scan or a reduction is asked for at all, where that can be told to the point before it is computed.
//!
//! In: a program. Out: what holds if, and only if, some element of it is evaluated. All of it is evaluated then, so it may be
//! computed once, under that condition, though it can fail: of `xs.map_indexed(|i, x| if i > 0 { sums[i - 1] } else { x })`
//! that there are two elements. Each row of a scan is asked for by itself: the reads of it name the row.

use super::asked::{Asker, Fact, domain, unfailing};
use super::estimate;
use super::reached::Around;
use super::rides;
use super::scans;
use super::sources::{fallible, movable};
use crate::ir::{Id, Node, Program, Var};
use crate::pass::anywhere::{conjunction, if_holds};
use crate::scalar::{Binary, Unary};
use std::collections::{BTreeSet, HashMap};

/// Of the scans that may fail and that nobody is certain to ask for, those of which that can be told, and when.
pub(super) fn uncertain(
    program: &mut Program,
    asker: &mut Asker,
    reached: &HashMap<Id, Around>,
) -> HashMap<Id, Vec<Fact>> {
    let uncertain = |&id: &Id| {
        let extents = |around: &Around| around.extents(program, id);
        scans::fails(program, id) && reached.get(&id).and_then(extents).is_none()
    };
    let live = estimate::reachable(program, program.roots());
    let uncertain: Vec<Id> = live.into_iter().filter(uncertain).collect();
    let told = uncertain.into_iter().filter_map(|id| {
        // What combines elements combines also those that are left out.
        let combines = match program.node(id) {
            Node::Scan { combined, .. } => combined.iter().any(|&id| fallible(program, id)),
            _ => true,
        };
        let facts = (!combines).then(|| asker.exactly_row(program, id))??;
        Some((id, facts))
    });
    told.collect()
}

/// When something is evaluated.
#[derive(Clone, Copy)]
enum Told {
    Always,
    When(Id),
}

/// What is the same for all that is told about one bundle: extents that are not zero.
struct Known {
    extents: Vec<Id>,
    done: HashMap<Id, Option<Told>>,
}

impl Asker {
    /// What holds if and only if somebody asks for a reduction that is bound by nothing. What this reads is in bounds.
    pub(super) fn exactly(&mut self, program: &mut Program, bundle: Id) -> Option<Vec<Fact>> {
        let facts = self.under_extents(program, bundle, |asker, program, known| {
            asker.told(program, bundle, known)
        })?;
        let mut all = facts.iter();
        all.all(|fact| match *fact {
            Fact::NotZero(id) | Fact::Holds(id) => movable(program, &mut self.ranges, id),
        })
        .then_some(facts)
    }

    /// The same of a scan, by the indices of its rows. What this reads may be out of bounds where nobody asks.
    pub(super) fn exactly_row(&mut self, program: &mut Program, bundle: Id) -> Option<Vec<Fact>> {
        self.under_extents(program, bundle, |asker, program, known| {
            let Node::Scan { extents, vars, .. } = program.node(bundle).clone() else {
                return None;
            };
            let rows = extents.len() - 1;
            let reads = asker.reads(program, bundle)?;
            let mut any = None;
            for read in reads {
                let own = asker.row(program, read, &extents[..rows])?;
                let told = asker.told(program, read, known)?;
                let told = asker.some(program, told, &own.iter().copied().collect())?;
                let own = own.into_iter();
                let to: Vec<Id> = (vars.iter())
                    .map(|&var| program.add(Node::Variable(var)))
                    .collect();
                any = Some(match (told, any) {
                    (Told::Always, _) | (_, Some(Told::Always)) => Told::Always,
                    (Told::When(condition), any) => {
                        let map = own.zip(to).collect();
                        let condition = program.substitute(condition, &map);
                        either(program, any, condition)
                    }
                });
            }
            match any? {
                Told::When(condition) if rows > 0 => Some(Told::When(by_row(
                    program,
                    condition,
                    &extents[..rows],
                    &vars,
                ))),
                told => Some(told),
            }
        })
    }

    /// What is told of a bundle as facts, with the extents around it. None of them depends on anything that may fail: it would
    /// be computed before.
    fn under_extents(
        &mut self,
        program: &mut Program,
        bundle: Id,
        tell: impl FnOnce(&mut Self, &mut Program, &mut Known) -> Option<Told>,
    ) -> Option<Vec<Fact>> {
        if !program.free(bundle).is_empty() {
            return None;
        }
        let mut known = Known {
            extents: domain(program, bundle),
            done: HashMap::new(),
        };
        self.ranges.push();
        for extent in known.extents.clone() {
            self.assume_some(program, extent);
        }
        let mut around = Vec::new();
        for extent in self.asked.get(&bundle).cloned().unwrap_or_default() {
            if !self.is_some(program, extent, &known) {
                around.push(extent);
                self.assume_some(program, extent);
            }
        }
        known.extents.extend(&around);
        let told = tell(self, program, &mut known);
        self.ranges.pop();
        let condition = match told? {
            Told::Always => None,
            Told::When(condition) => Some(Fact::Holds(condition)),
        };
        let facts = around.into_iter().map(Fact::NotZero).chain(condition);
        let facts: Vec<Fact> = facts.collect();
        let sure = |id: Id| {
            let mut all = estimate::reachable(program, [id]).into_iter();
            !all.any(|id| matches!(program.node(id), Node::Guard { .. } | Node::Loop { .. }))
        };
        let mut all = facts.iter();
        all.all(|fact| match *fact {
            Fact::NotZero(id) | Fact::Holds(id) => sure(id),
        })
        .then_some(facts)
    }

    /// The reads of a scan, if nobody needs it as a whole.
    fn reads(&self, program: &Program, bundle: Id) -> Option<Vec<Id>> {
        let projects = self.users.get(&bundle).into_iter().flatten();
        let users = projects.flat_map(|(project, _)| self.users.get(project).into_iter().flatten());
        let reads: BTreeSet<Id> = users.map(|&(read, _)| read).collect();
        let read = |&id: &Id| rides::read(program, id).is_some_and(|(own, ..)| own == bundle);
        reads.iter().all(read).then(|| reads.into_iter().collect())
    }

    /// The variables that name the row of a read: each for all rows.
    fn row(&self, program: &Program, read: Id, rows: &[Id]) -> Option<Vec<Var>> {
        let (_, _, indices) = rides::read(program, read)?;
        let named = indices.iter().zip(rows).map(|(&index, &rows)| {
            let Node::Variable(var) = *program.node(index) else {
                return None;
            };
            let extent = self.binders.get(&var)?.extent;
            (extent == Some(rows)).then_some(var)
        });
        let named: Vec<Var> = named.collect::<Option<_>>()?;
        let distinct: BTreeSet<Var> = named.iter().copied().collect();
        (distinct.len() == named.len()).then_some(named)
    }

    /// When something is evaluated, for all values of what it depends on.
    fn told(&mut self, program: &mut Program, id: Id, known: &mut Known) -> Option<Told> {
        if self.roots.contains(&id) {
            return Some(Told::Always);
        }
        if let Some(&told) = known.done.get(&id) {
            return told;
        }
        let told = self.told_by_all(program, id, known);
        known.done.insert(id, told);
        told
    }

    fn told_by_all(&mut self, program: &mut Program, id: Id, known: &mut Known) -> Option<Told> {
        let (mut conditions, mut untold) = (Vec::new(), false);
        let free = program.free(id).clone();
        for (user, region) in self.users.get(&id).cloned().unwrap_or_default() {
            match self.told_by(program, id, (user, region), known) {
                Some(Told::When(condition)) if !self.at_an_end(program, condition, &free) => {
                    conditions.push(condition);
                }
                Some(_) => return Some(Told::Always),
                None => untold = true,
            }
        }
        // One that holds only if another one does says nothing more.
        let all = conditions.clone();
        let more = |&condition: &Id| {
            let mut others = all.iter().filter(|&&other| other != condition);
            !others.any(|&other| factors(program, condition).contains(&other))
        };
        conditions.retain(more);
        let mut any = None;
        for condition in conditions.into_iter().filter(|_| !untold) {
            let condition = self.anywhere(program, condition, &free)?;
            any = Some(either(program, any, condition));
        }
        any
    }

    /// The same by one user, by the values of all that the condition depends on.
    fn told_by(
        &mut self,
        program: &mut Program,
        id: Id,
        (user, region): (Id, Option<usize>),
        known: &mut Known,
    ) -> Option<Told> {
        let own = match (program.node(user), region) {
            (_, None) => None,
            (&Node::If { condition, .. }, Some(0)) => Some(condition),
            (&Node::If { condition, .. }, Some(_)) => Some(program.unary(Unary::Not, condition)),
            (&Node::Guard { condition, .. }, Some(_)) => Some(condition),
            (&Node::Scatter { condition, .. } | &Node::Compact { condition, .. }, Some(0)) => {
                Some(condition).filter(|&condition| condition != id)
            }
            (
                Node::Generate { .. } | Node::Reduce { .. } | Node::Scan { .. } | Node::Sort { .. },
                Some(0),
            ) => None,
            // Rounds, and what combines elements: they may be none.
            _ => return None,
        };
        let mut told = self.told(program, user, known)?;
        if let Some(own) = own {
            let own = unfailing(program, own, &mut HashMap::new());
            if fallible(program, own) {
                return None;
            }
            told = both(program, told, own);
        }
        if region == Some(0) {
            for extent in domain(program, user) {
                if !self.is_some(program, extent, known) {
                    let closed = program.free(extent).is_empty() && !fallible(program, extent);
                    let zero = program.usize(0);
                    let some = closed.then(|| program.binary(Binary::Ne, extent, zero))?;
                    told = match told {
                        Told::Always => Told::When(some),
                        Told::When(condition) => Told::When(if_holds(program, some, condition)),
                    };
                }
            }
        }
        Some(told)
    }

    fn assume_some(&mut self, program: &mut Program, extent: Id) {
        let zero = program.usize(0);
        let some = program.binary(Binary::Ne, extent, zero);
        self.ranges.assume(program, some, true);
    }

    /// Whether an extent is known not to be zero where the bundle has elements.
    fn is_some(&mut self, program: &mut Program, extent: Id, known: &Known) -> bool {
        let zero = program.usize(0);
        known.extents.contains(&extent) || self.ranges.in_bounds(program, zero, &[extent])
    }

    /// For some values of all variables but these.
    fn some(&mut self, program: &mut Program, told: Told, but: &BTreeSet<Var>) -> Option<Told> {
        match told {
            Told::When(condition) if !self.at_an_end(program, condition, but) => {
                self.anywhere(program, condition, but).map(Told::When)
            }
            _ => Some(Told::Always),
        }
    }
}

fn either(program: &mut Program, any: Option<Told>, condition: Id) -> Told {
    match any {
        Some(Told::Always) => Told::Always,
        Some(Told::When(other)) if other != condition => {
            Told::When(program.binary(Binary::Or, other, condition))
        }
        _ => Told::When(condition),
    }
}

fn both(program: &mut Program, told: Told, own: Id) -> Told {
    match told {
        Told::Always => Told::When(own),
        Told::When(condition) if condition == own => told,
        Told::When(condition) => Told::When(if_holds(program, condition, own)),
    }
}

/// The conditions of which each holds where this one does.
fn factors(program: &Program, condition: Id) -> BTreeSet<Id> {
    let mut found = BTreeSet::from([condition]);
    if let Node::Project(bundle, k) = *program.node(condition)
        && let Some((first, other)) = conjunction(program, bundle, k as usize)
    {
        found.extend(factors(program, first));
        found.extend(factors(program, other));
    }
    found
}

/// A condition of a row, of which the elements find out once.
fn by_row(program: &mut Program, condition: Id, rows: &[Id], vars: &[Var]) -> Id {
    let vars = &vars[..rows.len()];
    let all = estimate::reachable(program, [condition]);
    let folds = |id: Id| matches!(program.node(id), Node::Reduce { .. });
    let bound = vars.iter().any(|var| program.free(condition).contains(var));
    if !bound || !all.into_iter().any(folds) {
        return condition;
    }
    let array = program.generate(rows.to_vec(), |program, indices| {
        let map = vars.iter().copied().zip(indices.iter().copied()).collect();
        program.substitute(condition, &map)
    });
    let array = program.add(Node::Materialize(array));
    let reason = "whether anybody asks for a row is found out before".to_owned();
    program.reasons.insert(array, reason);
    let indices = vars.iter().map(|&var| program.add(Node::Variable(var)));
    let indices = indices.collect();
    program.add(Node::Index { array, indices })
}
