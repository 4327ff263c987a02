//! Bounds on speculation: what is evaluated before it is known to be needed costs no more than arrays that exist.
//!
//! In: a program after inlining. Out: the same program, in which a closed reduction or stored array that only a branch demands,
//! and whose extents have no bound, stands under the condition that the branch is taken; and those conditions, which are
//! evaluated speculatively themselves. [`Bounds`] says which extents have a bound: those that are at most a constant or the
//! extent of an array that exists, whatever condition they stand under. A reduction without bound stays in place where nothing
//! can tell whether it is demanded, and so do the elements that are read of an array.

use super::asked::{Asker, Fact, all, none_unless_asked};
use super::estimate;
use super::inline::is_array_loop;
use super::needs::closed;
use super::reached::reached;
use super::rewrite::Rewrite;
use super::rides::read;
use super::scans::prefix;
use super::sources;
use crate::ir::scopes::regions;
use crate::ir::{Id, Node, Output, Program, Type, Var};
use crate::pass::index::Index;
use crate::scalar::{Binary, Scalar};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};

/// The largest constant that bounds an extent by itself.
const MOST: u64 = 1 << 20;

/// What is to be done with an item that is not certain to be demanded.
enum Verdict {
    /// It is demanded if and only if these hold.
    Under(Vec<Fact>),
    /// It is evaluated by each of its readers.
    InPlace,
}

/// See the module.
pub(super) fn gate(mut program: Program) -> (Program, BTreeSet<Id>) {
    let verdicts = verdicts(&mut program);
    if verdicts.is_empty() {
        return (program, BTreeSet::new());
    }
    let mut gate = Gate {
        program,
        verdicts,
        conditions: BTreeSet::new(),
        states: HashMap::new(),
        done: HashMap::new(),
    };
    gate.roots(Gate::rewrite);
    (gate.program, gate.conditions)
}

/// The closed items that are not certain to be demanded, and may cost more than what is certain to be there.
fn verdicts(program: &mut Program) -> HashMap<Id, Verdict> {
    let binders = estimate::binders(program);
    let bounds = Bounds::of(program);
    let reached = reached(program);
    let live = estimate::reachable(program, program.roots());
    let item = |&id: &Id| {
        domain(program, id).is_some_and(|extents| !extents.is_empty())
            && closed(program, &binders, id)
    };
    let items: Vec<Id> = live.into_iter().filter(item).collect();
    let whole = whole(program);
    let mut asker = None;
    let mut verdicts = HashMap::new();
    for id in items {
        let extents = domain(program, id).unwrap_or_default();
        if extents
            .iter()
            .all(|&extent| bounds.bounded(program, extent))
        {
            continue;
        }
        let own = extents.iter().copied().collect();
        let around = reached
            .get(&id)
            .and_then(|around| around.extents(program, id));
        if let Some(mut around) = around {
            around.retain(|&extent| !factors(program, extent).is_subset(&own));
            let closed = around.iter().all(|&extent| host_tells(program, extent));
            if closed && !around.is_empty() {
                let facts = around.into_iter().map(Fact::NotZero).collect();
                verdicts.insert(id, Verdict::Under(facts));
            }
            continue;
        }
        if program.guards(id) && matches!(program.node(id), Node::Reduce { .. }) {
            continue;
        }
        let asker = asker.get_or_insert_with(|| Asker::new(program));
        let verdict = match asker.branch(program, id) {
            Some(taken) => Verdict::Under(vec![Fact::Holds(taken)]),
            None if whole.contains(&id) => continue,
            None => Verdict::InPlace,
        };
        verdicts.insert(id, verdict);
    }
    independent(program, &mut verdicts, &whole);
    verdicts
}

/// What tells whether an item is demanded must not need one that waits itself.
fn independent(program: &Program, verdicts: &mut HashMap<Id, Verdict>, whole: &BTreeSet<Id>) {
    let waits = |id: &Id| matches!(verdicts.get(id), Some(Verdict::Under(_)));
    let needs_one = |verdict: &Verdict| match verdict {
        Verdict::Under(facts) => {
            let told = facts.iter().map(|fact| match *fact {
                Fact::Holds(id) | Fact::NotZero(id) => id,
            });
            estimate::reachable(program, told).iter().any(waits)
        }
        Verdict::InPlace => false,
    };
    let dependent = verdicts.iter().filter(|(_, verdict)| needs_one(verdict));
    let dependent: Vec<Id> = dependent.map(|(&id, _)| id).collect();
    for id in dependent {
        match whole.contains(&id) {
            true => verdicts.remove(&id),
            false => verdicts.insert(id, Verdict::InPlace),
        };
    }
}

/// The stored arrays that more than reads of single elements need.
fn whole(program: &Program) -> BTreeSet<Id> {
    let mut whole = BTreeSet::new();
    for id in estimate::reachable(program, program.roots()) {
        let read = match program.node(id) {
            Node::Index { array, .. } => Some(*array),
            _ => None,
        };
        program.node(id).operands(|operand| {
            if Some(operand) != read && matches!(program.ty(operand), Type::Array(..)) {
                whole.insert(operand);
                if let Node::Project(bundle, _) = program.node(operand) {
                    whole.insert(*bundle);
                }
            }
        });
    }
    whole
}

/// The extents that a product is zero without.
fn factors(program: &Program, extent: Id) -> BTreeSet<Id> {
    match *program.node(extent) {
        Node::Binary(Binary::Mul, a, b) => &factors(program, a) | &factors(program, b),
        _ => BTreeSet::from([extent]),
    }
}

/// Whether the host knows a scalar without reading an array.
fn host_tells(program: &Program, id: Id) -> bool {
    program.free(id).is_empty()
        && sources::inside(program, id).all(|id| {
            !matches!(
                program.node(id),
                Node::Index { .. } | Node::Reduce { .. } | Node::Loop { .. } | Node::Guard { .. }
            )
        })
}

/// The extents of what is evaluated as a whole.
fn domain(program: &Program, id: Id) -> Option<Vec<Id>> {
    match program.node(id) {
        Node::Reduce { extents, .. }
        | Node::Scan { extents, .. }
        | Node::Sort { extents, .. }
        | Node::Scatter { extents, .. }
        | Node::Compact { extents, .. } => Some(extents.clone()),
        Node::Materialize(array) => match program.node(*array) {
            Node::Generate { extents, .. } => Some(extents.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// Which extents are at most a constant or the extent of an array that exists.
#[derive(Default)]
pub(super) struct Bounds {
    /// Extents of results, of states of loops and of what compactions give.
    exist: HashSet<Id>,
    /// Tells whether differences wrap.
    ranges: RefCell<Index>,
}

impl Bounds {
    pub(super) fn of(program: &Program) -> Bounds {
        let mut exist = HashSet::new();
        for output in &program.outputs {
            if let Output::Array { extents, .. } = output {
                exist.extend(extents);
                for &extent in extents {
                    if let Node::Binary(Binary::Add, a, b) = *program.node(extent) {
                        exist.extend([a, b]);
                    }
                }
            }
        }
        for id in program.ids() {
            match program.node(id) {
                Node::Compact { count, .. } => _ = exist.insert(*count),
                Node::Loop { state, .. } if is_array_loop(program, id) => {
                    for &var in state {
                        if let Type::Array(_, extents) = program.var_type(var) {
                            exist.extend(extents);
                        }
                    }
                }
                _ => {}
            }
        }
        Bounds {
            exist,
            ranges: RefCell::new(Index::with_checks(program)),
        }
    }

    /// Whether a closed scalar is speculatable: each reduction in it has bounded extents, is predicated, or is anticipated.
    pub(super) fn speculable(&self, program: &Program, id: Id, certain: &BTreeSet<Id>) -> bool {
        let (mut seen, mut open) = (BTreeSet::new(), vec![id]);
        while let Some(id) = open.pop() {
            if certain.contains(&id) || !seen.insert(id) {
                continue;
            }
            match program.node(id) {
                Node::Index { indices, .. } => open.extend(indices),
                Node::Materialize(_) | Node::Generate { .. } => {}
                Node::If { condition, .. } => open.push(*condition),
                Node::Reduce { extents, .. }
                    if !extents.iter().all(|&extent| self.bounded(program, extent)) =>
                {
                    return false;
                }
                node => sources::evaluated(node, |operand| open.push(operand)),
            }
        }
        true
    }

    /// Whether an extent has a bound, whatever condition it stands under.
    pub(super) fn bounded(&self, program: &Program, extent: Id) -> bool {
        let is = |id: Id| self.bounded(program, id);
        if self.exist.contains(&extent) {
            return true;
        }
        match program.node(extent) {
            Node::Constant(constant) => constant.bits <= MOST,
            Node::Extent { .. } => true,
            Node::Cast(_, a) => {
                let from = program.leaf(*a);
                from.is_integer() && !from.is_signed() && (from.bits() <= 16 || is(*a))
            }
            // What is chosen among others may be chosen for not wrapping.
            &Node::Select(condition, difference, b) => match *program.node(difference) {
                Node::Binary(Binary::Sub, from, less)
                    if *program.node(condition) == Node::Binary(Binary::Le, less, from) =>
                {
                    is(from) && is(b)
                }
                _ => is(difference) && is(b),
            },
            Node::Guard { value, .. } | Node::Demand { value, .. } => is(*value),
            Node::Project(bundle, k) => match program.node(*bundle) {
                Node::If {
                    then, otherwise, ..
                } => is(then[*k as usize]) && is(otherwise[*k as usize]),
                _ => false,
            },
            &Node::Binary(op, a, b) => match op {
                Binary::Add => is(a) && is(b),
                Binary::Min | Binary::And => is(a) || is(b),
                Binary::Max | Binary::Or | Binary::Xor => is(a) && is(b),
                Binary::Div | Binary::Shr => is(a),
                Binary::Rem => is(a) || is(b),
                Binary::Sub => {
                    let mut ranges = self.ranges.borrow_mut();
                    ranges.less_equal(program, b, a) == Some(true) && is(a)
                }
                Binary::Mul => shape(program, extent) || small(program, a, b, &is),
                _ => false,
            },
            _ => false,
        }
    }
}

/// What a region of the host evaluates in any case: nothing that stands in a branch, a round, a body or behind a check.
pub(super) fn anticipated(program: &Program, roots: impl IntoIterator<Item = Id>) -> BTreeSet<Id> {
    let mut open: Vec<Id> = roots.into_iter().collect();
    let mut found = BTreeSet::new();
    while let Some(id) = open.pop() {
        if !found.insert(id) {
            continue;
        }
        let (mut outside, _) = regions(program.node(id));
        open.append(&mut outside);
    }
    found
}

/// A multiple of a bounded extent by a small constant.
fn small(program: &Program, a: Id, b: Id, is: &impl Fn(Id) -> bool) -> bool {
    const TIMES: u64 = 16;
    let few = |id: Id| matches!(program.node(id), Node::Constant(times) if times.bits <= TIMES);
    few(a) && is(b) || few(b) && is(a)
}

/// Whether a product has each axis of one array at most once.
fn shape(program: &Program, product: Id) -> bool {
    let (mut open, mut axes) = (vec![product], BTreeSet::new());
    while let Some(id) = open.pop() {
        match *program.node(id) {
            Node::Binary(Binary::Mul, a, b) => open.extend([a, b]),
            Node::Extent { array, axis } if axes.insert((array, axis)) => {}
            _ => return false,
        }
    }
    let arrays: BTreeSet<u32> = axes.iter().map(|&(array, _)| array).collect();
    arrays.len() == 1
}

struct Gate {
    program: Program,
    verdicts: HashMap<Id, Verdict>,
    /// What was made up to tell whether something is demanded, in the new program.
    conditions: BTreeSet<Id>,
    states: HashMap<Var, Var>,
    done: HashMap<Id, Id>,
}

impl Rewrite for Gate {
    fn program(&mut self) -> &mut Program {
        &mut self.program
    }

    fn states(&mut self) -> &mut HashMap<Var, Var> {
        &mut self.states
    }

    fn extent(&mut self, id: Id) -> Id {
        self.rewrite(id)
    }
}

impl Gate {
    fn rewrite(&mut self, id: Id) -> Id {
        if let Some(&to) = self.done.get(&id) {
            return to;
        }
        let mut node = self.node(id);
        let scan = read(&self.program, id).map(|(scan, ..)| scan);
        node.map_operands(|operand| self.rewrite(operand));
        let facts = match &node {
            Node::Project(..) => self.facts(self.bundle(id)),
            _ => self.facts(id),
        };
        let to = match node {
            Node::Index { array, ref indices } if scan.is_some_and(|scan| self.in_place(scan)) => {
                let Node::Project(bundle, k) = *self.program.node(array) else {
                    unreachable!("a read of a scan");
                };
                prefix(&mut self.program, bundle, k, indices)
            }
            Node::Index { array, ref indices } => match self.program.node(array).clone() {
                Node::Generate { vars, element, .. } => {
                    let map = vars.into_iter().zip(indices.iter().copied()).collect();
                    self.program.substitute(element, &map)
                }
                _ => self.program.add(node),
            },
            Node::Materialize(array) if self.in_place(id) => array,
            Node::Materialize(array) if !facts.is_empty() => {
                let mut generate = self.program.node(array).clone();
                if let Node::Generate { extents, .. } = &mut generate {
                    self.limit(extents, &facts);
                }
                let limited = self.program.add(generate);
                self.program.keep_labels(array, limited);
                self.program.add(Node::Materialize(limited))
            }
            Node::Scan {
                ref mut extents, ..
            }
            | Node::Sort {
                ref mut extents, ..
            }
            | Node::Scatter {
                ref mut extents, ..
            }
            | Node::Compact {
                ref mut extents, ..
            } => {
                self.limit(extents, &facts);
                self.program.add(node)
            }
            Node::Project(reduction, k) if !facts.is_empty() => {
                let chosen = self.only(reduction, &facts);
                self.program.add(Node::Project(chosen, k))
            }
            node => self.program.add(node),
        };
        self.program.keep_labels(id, to);
        self.done.insert(id, to);
        to
    }

    /// The reduction that a scalar comes from.
    fn bundle(&self, component: Id) -> Id {
        match *self.program.node(component) {
            Node::Project(bundle, _)
                if matches!(self.program.node(bundle), Node::Reduce { .. }) =>
            {
                bundle
            }
            _ => component,
        }
    }

    fn in_place(&self, id: Id) -> bool {
        matches!(self.verdicts.get(&id), Some(Verdict::InPlace))
    }

    /// What an item stands under, in the new program.
    fn facts(&mut self, id: Id) -> Vec<Fact> {
        let Some(Verdict::Under(facts)) = self.verdicts.get(&id) else {
            return Vec::new();
        };
        let facts = facts.clone().into_iter();
        let facts: Vec<Fact> = facts.map(|fact| fact.map(|id| self.rewrite(id))).collect();
        let holds = facts.iter().filter_map(|fact| match fact {
            Fact::Holds(condition) => Some(*condition),
            Fact::NotZero(_) => None,
        });
        self.conditions.extend(holds);
        facts
    }

    /// No elements where they are not demanded.
    fn limit(&mut self, extents: &mut [Id], facts: &[Fact]) {
        if let Some(first) = extents.first_mut() {
            *first = none_unless_asked(&mut self.program, facts, *first);
        }
    }

    /// A reduction if it is demanded, else zeros.
    fn only(&mut self, reduction: Id, facts: &[Fact]) -> Id {
        let Some(condition) = all(&mut self.program, facts) else {
            return reduction;
        };
        let then = self.program.components(reduction);
        let zero = |&id: &Id| Scalar::zero(self.program.leaf(id));
        let zeros: Vec<Scalar> = then.iter().map(zero).collect();
        let otherwise = (zeros.into_iter())
            .map(|zero| self.program.constant(zero))
            .collect();
        let chosen = self.program.add(Node::If {
            condition,
            then,
            otherwise,
        });
        self.program.keep_labels(reduction, chosen);
        chosen
    }
}
