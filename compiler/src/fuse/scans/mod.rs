//! Scans: which arrays and scalars are the epilogue of the scan that they read, and which read it from memory.
//!
//! In: a program after inlining, in which elements of scans are read anywhere. Out ([`run`]): the same program, in which only
//! epilogues (see `epilogue`) read a scan, and all other consumers read a stored copy; and conditions of demand that are evaluated
//! speculatively.

pub(in crate::fuse) mod epilogue;

use crate::fuse::Options;
use crate::fuse::analysis::domains::{Expansion, around};
use crate::fuse::analysis::estimate;
use crate::fuse::demand::conditions::{Demands, Fact, predicate, predicate_extent};
use crate::fuse::demand::regions::{Around, reached};
use crate::fuse::rewrite::Rewrite;
use crate::fuse::scans::epilogue::{epilogue_of, read};
use crate::ir::scopes::regions;
use crate::ir::walk::{self, inside};
use crate::ir::{Id, IdSet, Node, Output, Program, QuickMap, Type, Var};
use crate::scalar::Binary;
use crate::sorted::SortedSet;
use estimate::Binder;

/// The whole of a scan's array, stored.
pub(in crate::fuse) fn stored(program: &mut Program, array: Id) -> Id {
    let extents = program.extents(array).to_vec();
    let copy = program.generate(extents, |program, indices| {
        let indices = indices.to_vec();
        program.add(Node::Index { array, indices })
    });
    program.keep_labels(array, copy);
    let to = program.add(Node::Materialize(copy));
    program.keep_labels(array, to);
    to
}

/// Whether an element of a scan may fail, or of an array that it needs.
pub(in crate::fuse) fn fallible(program: &Program, bundle: Id) -> bool {
    program.guards(bundle)
}

/// Whether a scan has few elements in each row: folding them anew is less work than finding out what demands them.
pub(in crate::fuse) fn is_short(program: &Program, bundle: Id) -> bool {
    let Node::Scan { extents, .. } = program.node(bundle) else {
        return false;
    };
    let last = extents.last().map(|&extent| program.node(extent));
    matches!(last, Some(Node::Constant(extent)) if extent.bits <= 16)
}

/// What is evaluated wherever the domains around it have points: nothing that stands in a branch, a loop or behind a
/// check.
pub(in crate::fuse) fn certain(program: &Program) -> IdSet {
    let mut open = program.roots();
    let mut found = IdSet::default();
    while let Some(id) = open.pop() {
        if !found.insert(id) {
            continue;
        }
        match program.node(id) {
            Node::If { condition, .. } | Node::Guard { condition, .. } => open.push(*condition),
            Node::Loop { initial, .. } => open.extend(initial),
            node => node.operands(|operand| open.push(operand)),
        }
    }
    found
}

/// Whether a scan reads closed arrays of which it is not decided yet whether they are stored.
pub(in crate::fuse) fn waits(program: &Program, bundle: Id) -> bool {
    let Node::Scan { elements, .. } = program.node(bundle) else {
        return false;
    };
    let mut all = elements.iter().flat_map(|&id| inside(program, id));
    all.any(|id| match program.node(id) {
        Node::Index { array, .. } => {
            let generate = matches!(program.node(*array), Node::Generate { .. });
            generate && program.free(*array).is_empty()
        }
        _ => false,
    })
}

/// The scan over the indices that it depends on as well, with those as rows.
pub(in crate::fuse) fn expand(
    program: &mut Program,
    binders: &QuickMap<Var, Binder>,
    bundle: Id,
) -> Expansion {
    let Node::Scan {
        extents,
        vars,
        elements,
        left,
        right,
        combined,
    } = program.node(bundle).clone()
    else {
        return Expansion::Impossible;
    };
    let Some((over, outer)) = around(program, binders, bundle, &extents) else {
        return Expansion::Impossible;
    };
    if over.is_empty() {
        return Expansion::Closed;
    }
    // All rows have one operator.
    let own = |&id: &Id| program.free(id).iter().any(|var| over.contains(var));
    if combined.iter().any(own) {
        return Expansion::Impossible;
    }
    let (fresh, reads): (Vec<Var>, Vec<Id>) = over.iter().map(|_| program.index_var()).unzip();
    for (from, to) in over.iter().zip(&fresh) {
        if let Some(name) = program.var_names.get(from).cloned() {
            program.name_var(*to, &name);
        }
    }
    let map = over.iter().copied().zip(reads).collect();
    let elements = program.substitute_all(&elements, &map);
    let expanded = program.add(Node::Scan {
        extents: [outer, extents].concat(),
        vars: [fresh, vars].concat(),
        elements,
        left,
        right,
        combined,
    });
    program.keep_labels(bundle, expanded);
    Expansion::Over(over, expanded)
}

/// An element of a scan by itself: the reduction of the elements up to it.
pub(in crate::fuse) fn prefix(program: &mut Program, bundle: Id, k: u32, indices: &[Id]) -> Id {
    let Node::Scan {
        vars,
        elements,
        left,
        right,
        combined,
        ..
    } = program.node(bundle).clone()
    else {
        unreachable!("no scan: {:?}", program.node(bundle));
    };
    let (&last, rows) = indices.split_last().expect("a scan has an axis");
    let one = program.usize(1);
    let extent = program.binary(Binary::Add, last, one);
    let (var, read) = program.index_var();
    let at = rows.iter().copied().chain([read]);
    let map: QuickMap<Var, Id> = vars.into_iter().zip(at).collect();
    let elements = program.substitute_all(&elements, &map);
    let mut map = QuickMap::default();
    let mut fresh = |vars: Vec<Var>| -> Vec<Var> {
        let mut one = |var: Var| {
            let new = program.var(Type::Scalar(match program.var_type(var) {
                Type::Scalar(leaf) => *leaf,
                other => unreachable!("an operand that is no scalar: {other:?}"),
            }));
            let read = program.add(Node::Variable(new));
            map.insert(var, read);
            new
        };
        vars.into_iter().map(&mut one).collect()
    };
    let (left, right) = (fresh(left), fresh(right));
    let combined = program.substitute_all(&combined, &map);
    let reduced = program.add(Node::Reduce {
        extents: vec![extent],
        vars: vec![var],
        elements,
        left,
        right,
        combined,
        initial: None,
        commutes: false,
    });
    program.add(Node::Project(reduced, k))
}

/// See the module.
pub(in crate::fuse) fn run(mut program: Program, options: &Options) -> (Program, SortedSet<Id>) {
    let is_scan = |id: Id| matches!(program.node(id), Node::Scan { .. });
    if !(program.ids()).any(|id| is_scan(id) || program.moves(id)) {
        return (program, SortedSet::new());
    }
    let reached = reached(&program);
    let demands = (program.ids())
        .any(|id| fails(&program, id))
        .then(|| Demands::new(&program));
    let mut outputs = std::mem::take(&mut program.outputs);
    let mut checks = std::mem::take(&mut program.checks);
    let mut rewriter = Rewriter {
        program,
        options,
        reached,
        demands,
        speculative: SortedSet::new(),
        states: QuickMap::default(),
        done: QuickMap::default(),
    };
    for check in &mut checks {
        check.condition = rewriter.rewrite(check.condition, false);
        for value in &mut check.values {
            *value = rewriter.rewrite(*value, false);
        }
    }
    for output in &mut outputs {
        match output {
            Output::Scalar(leaves) => {
                for leaf in leaves {
                    let epilogue = rewriter.is_epilogue(&[], &[], *leaf);
                    *leaf = rewriter.rewrite(*leaf, epilogue);
                }
            }
            Output::Array { extents, leaves } => {
                for id in extents.iter_mut().chain(leaves) {
                    *id = rewriter.rewrite(*id, false);
                }
            }
        }
    }
    rewriter.program.outputs = outputs;
    rewriter.program.checks = checks;
    (rewriter.program, rewriter.speculative)
}

/// Whether an element of a bundle may fail.
pub(in crate::fuse) fn fails(program: &Program, bundle: Id) -> bool {
    let node = program.node(bundle);
    let stored = matches!(
        node,
        Node::Scan { .. } | Node::Sort { .. } | Node::Scatter { .. } | Node::Compact { .. }
    );
    let mut points = regions(node).1.into_iter().flatten();
    stored && points.any(|id| walk::fallible(program, id))
}

struct Rewriter<'a> {
    program: Program,
    options: &'a Options,
    reached: QuickMap<Id, Around>,
    /// If something may fail.
    demands: Option<Demands>,
    /// Conditions that are evaluated speculatively.
    speculative: SortedSet<Id>,
    states: QuickMap<Var, Var>,
    /// By node and whether an epilogue needs it.
    done: QuickMap<(Id, bool), Id>,
}

impl Rewrite for Rewriter<'_> {
    fn program(&mut self) -> &mut Program {
        &mut self.program
    }

    fn states(&mut self) -> &mut QuickMap<Var, Var> {
        &mut self.states
    }

    fn extent(&mut self, id: Id) -> Id {
        self.rewrite(id, false)
    }
}

impl Rewriter<'_> {
    /// Whether this is to be made where the scan comes by.
    fn is_epilogue(&self, vars: &[Var], extents: &[Id], element: Id) -> bool {
        let program = &self.program;
        if read(program, element).is_some() && !extents.is_empty() {
            return epilogue_of(program, vars, extents, element).is_some();
        }
        if !self.options.vertical || epilogue_of(program, vars, extents, element).is_none() {
            return false;
        }
        // What needs the scan in another way too waits for another kernel.
        let own: SortedSet<Id> = inside(program, element).collect();
        let scan = |id: Id| read(program, id).map(|(bundle, ..)| bundle);
        let scans: SortedSet<Id> = own.iter().filter_map(|&id| scan(id)).collect();
        let Some(&first) = scans.first() else {
            return true;
        };
        let all = walk::reachable_after(program, [element], first);
        let mut others = all.into_iter().filter(|id| !own.contains(id));
        !others.any(|id| scan(id).is_some_and(|bundle| scans.contains(&bundle)))
    }

    /// The extents that must not be zero for a scan to be computed, or another bundle that is stored; nothing if it may
    /// fail, and what reads it need not get there.
    fn around(&self, bundle: Id) -> Option<Vec<Id>> {
        match fails(&self.program, bundle) {
            true => self.reached.get(&bundle)?.extents(&self.program, bundle),
            false => Some(Vec::new()),
        }
    }

    fn waits(&mut self, bundle: Id, waits: bool) {
        if let Some(demands) = &mut self.demands {
            demands.waits(bundle, waits);
        }
    }

    /// What holds where a bundle is demanded that may fail.
    fn demanded(&mut self, bundle: Id) -> Vec<Fact> {
        let mut extents = self.around(bundle).unwrap_or_default();
        if let Some(demands) = &self.demands {
            extents.retain(|&extent| demands.tells(&self.program, extent));
        }
        // Where it keeps nothing it evaluates no elements in any case.
        if let Node::Compact { count, .. } = *self.program.node(bundle) {
            extents.retain(|&extent| extent != count);
        }
        let extents = extents.into_iter().map(Fact::NotZero);
        // How many elements a compaction keeps may be demanded by itself, too.
        let wanted = match self.program.node(bundle) {
            Node::Compact { count, .. } => *count,
            _ => bundle,
        };
        let branch = match &mut self.demands {
            Some(demands)
                if fails(&self.program, bundle) && demands.closed(&self.program, bundle) =>
            {
                let taken = demands.branch(&mut self.program, wanted);
                taken.filter(|&taken| !demands.stands_under(&mut self.program, bundle, taken))
            }
            _ => None,
        };
        extents.chain(branch.map(Fact::Holds)).collect()
    }

    /// Whether a fact holds not only where the elements are demanded that a compaction keeps, but also where their count is.
    fn holds_for_count(&self, bundle: Id, fact: Fact) -> bool {
        let (Node::Compact { count, .. }, Fact::NotZero(extent)) =
            (self.program.node(bundle), fact)
        else {
            return true;
        };
        let around = self.reached.get(count);
        let extents = around.and_then(|around| around.extents(&self.program, *count));
        extents.is_none_or(|extents| extents.contains(&extent))
    }

    fn rewrite(&mut self, id: Id, epilogue: bool) -> Id {
        if let Some(&to) = self.done.get(&(id, epilogue)) {
            return to;
        }
        let mut node = self.node(id);
        match &mut node {
            Node::Index { array, indices } => {
                let is_scan = read(&self.program, id).is_some();
                *array = self.rewrite(*array, false);
                for index in indices.iter_mut() {
                    *index = self.rewrite(*index, epilogue);
                }
                if is_scan && !epilogue {
                    *array = stored(&mut self.program, *array);
                    let reason =
                        "elements of a scan are read where it is not at the time".to_owned();
                    self.program.reasons.entry(*array).or_insert(reason);
                }
            }
            Node::Materialize(array) => {
                if let Node::Generate {
                    mut extents,
                    vars,
                    element,
                } = self.program.node(*array).clone()
                {
                    let epilogue = self.is_epilogue(&vars, &extents, element);
                    for extent in &mut extents {
                        *extent = self.rewrite(*extent, false);
                    }
                    let element = self.rewrite(element, epilogue);
                    let made = self.program.add(Node::Generate {
                        extents,
                        vars,
                        element,
                    });
                    self.program.keep_labels(*array, made);
                    *array = made;
                }
            }
            Node::Scan { .. } | Node::Sort { .. } | Node::Scatter { .. } | Node::Compact { .. } => {
                self.waits(id, true);
                let facts = self.demanded(id);
                let is_of_all = |fact: &Fact| self.holds_for_count(id, *fact);
                let (facts, of_elements): (Vec<Fact>, Vec<Fact>) =
                    facts.into_iter().partition(is_of_all);
                node.map_operands(|operand| self.rewrite(operand, false));
                let [facts, of_elements] = [facts, of_elements].map(|facts| {
                    let facts = facts.into_iter();
                    let facts = facts.map(|fact| fact.map(|id| self.rewrite(id, false)));
                    facts.collect::<Vec<Fact>>()
                });
                self.waits(id, false);
                if let Node::Compact { elements, .. } = &mut node {
                    for element in elements {
                        if walk::fallible(&self.program, *element) {
                            *element = predicate(&mut self.program, &of_elements, *element);
                        }
                    }
                }
                self.speculative
                    .extend(facts.iter().filter_map(|fact| match fact {
                        Fact::Holds(taken) => Some(*taken),
                        Fact::NotZero(_) => None,
                    }));
                self.predicate_points(&facts, &mut node);
            }
            _ => node.map_operands(|operand| self.rewrite(operand, epilogue)),
        }
        let to = self.program.add(node);
        self.program.keep_labels(id, to);
        self.done.insert((id, epilogue), to);
        to
    }

    /// What is evaluated at the points of a domain is so only if the bundle is demanded.
    fn predicate_points(&mut self, facts: &[Fact], node: &mut Node) {
        let program = &mut self.program;
        let others = |extents: &[Id]| -> Vec<Fact> {
            let own =
                |fact: &&Fact| matches!(fact, Fact::NotZero(extent) if extents.contains(extent));
            facts.iter().filter(|fact| !own(fact)).copied().collect()
        };
        match node {
            Node::Scan {
                extents, elements, ..
            }
            | Node::Sort {
                extents, elements, ..
            } => {
                let facts = others(extents);
                for element in elements {
                    *element = predicate(program, &facts, *element);
                }
            }
            // What they give has no extent of their domain.
            Node::Scatter { extents, .. } | Node::Compact { extents, .. } => {
                let facts = others(extents);
                if let Some(first) = extents.first_mut() {
                    *first = predicate_extent(program, &facts, *first);
                }
            }
            _ => {}
        }
    }
}
