//! The pass `prune`: branches, loops, guards and demands whose outcome is known, and components that nothing uses.

use super::anywhere;
use super::rebuild::{Component, Rebuild, Rules, rebuild};
use super::{Fired, State};
use crate::ir::scopes::outside;
use crate::ir::{Id, IdSet, Node, Program, QuickMap, Type, Var};
use crate::scalar::{self, Binary, Math, Scalar, Unary};
use crate::sorted::{SortedMap, SortedSet};

pub(super) fn run(program: Program, state: &mut State) -> Program {
    let mut control = Control {
        used: used_components(&program),
        fired: &mut state.fired,
    };
    let mut program = rebuild(&program, &mut control);
    let count = program.checks.len();
    let holds =
        |program: &Program, id| matches!(program.node(id), Node::Constant(c) if c.is_true());
    let mut checks = std::mem::take(&mut program.checks);
    checks.retain(|check| !holds(&program, check.condition));
    for _ in checks.len()..count {
        control.fired.count("check(true) =");
    }
    program.checks = checks;
    program
}

struct Control<'a> {
    /// Components that are projected, by bundle of the old program; `None` if the bundle is used as a whole.
    used: SortedMap<Id, Option<SortedSet<u32>>>,
    fired: &'a mut Fired,
}

impl Rules for Control<'_> {
    fn components(&mut self, old: &Program, bundle: Id) -> Vec<Component> {
        let Some(Some(used)) = self.used.get(&bundle) else {
            return Vec::new();
        };
        let mut components = components(old, bundle, used);
        // The leaves of an element are computed by copies of one bundle, which are one again in a kernel, where all
        // components are used: there `fuse` leaves out what nobody wants.
        if !old.free(bundle).is_empty() {
            for component in &mut components {
                if *component == Component::Unused {
                    *component = Component::Kept;
                }
            }
        }
        for component in &components {
            match component {
                Component::Kept => {}
                Component::Unused => self.fired.count("unused component"),
                Component::Invariant => self.fired.count("loop(x, |s| s) = x"),
            }
        }
        components
    }

    fn node(&mut self, cx: &mut Rebuild<'_>, node: Node) -> Id {
        match known(cx, &node) {
            Some((rule, id)) => {
                self.fired.count(rule);
                id
            }
            None => cx.add(node),
        }
    }
}

fn truth(program: &Program, id: Id) -> Option<bool> {
    match program.node(id) {
        Node::Constant(constant) => Some(constant.is_true()),
        _ => None,
    }
}

fn known(cx: &mut Rebuild<'_>, node: &Node) -> Option<(&'static str, Id)> {
    let whole = node;
    match node {
        Node::Guard {
            condition, value, ..
        } if truth(&cx.new, *condition) == Some(true) => Some(("guard(true, x) = x", *value)),
        Node::Demand {
            effect,
            value,
            required,
        } if !cx.may_fail(*effect)
            && (*required || !cx.new.loops(*effect) && !cx.new.is_costly(*effect)) =>
        {
            Some(("demand(x, y) = y", *value))
        }
        Node::If {
            condition,
            then,
            otherwise,
        } => match *cx.new.node(*condition) {
            Node::Unary(Unary::Not, condition) => {
                let node = Node::If {
                    condition,
                    then: otherwise.clone(),
                    otherwise: then.clone(),
                };
                Some(("if(!p, x, y) = if(p, y, x)", cx.add(node)))
            }
            _ => {
                let settle = |parts: &[Id], holds: bool| -> Vec<Id> {
                    let parts = parts.iter();
                    parts
                        .map(|&part| settled(&cx.new, part, *condition, holds))
                        .collect()
                };
                let node = Node::If {
                    condition: *condition,
                    then: settle(then, true),
                    otherwise: settle(otherwise, false),
                };
                (node != *whole).then(|| ("if(p, select(p, x, y), z) = if(p, x, z)", cx.add(node)))
            }
        },
        Node::Project(bundle, k) => component(cx, *bundle, *k as usize),
        _ => None,
    }
}

/// What is left of a choice where the outcome of a condition is known.
fn settled(program: &Program, id: Id, condition: Id, holds: bool) -> Id {
    let (then, otherwise) = match program.node(id) {
        Node::Select(by, a, b) if *by == condition => (*a, *b),
        Node::Project(bundle, k) => match program.node(*bundle) {
            Node::If {
                condition: by,
                then,
                otherwise,
            } if *by == condition => (then[*k as usize], otherwise[*k as usize]),
            _ => return id,
        },
        _ => return id,
    };
    let taken = if holds { then } else { otherwise };
    settled(program, taken, condition, holds)
}

fn component(cx: &mut Rebuild<'_>, bundle: Id, k: usize) -> Option<(&'static str, Id)> {
    match cx.new.node(bundle).clone() {
        Node::If {
            condition,
            then,
            otherwise,
        } => {
            let (a, b) = (then[k], otherwise[k]);
            match truth(&cx.new, condition) {
                Some(true) => return Some(("if(true, x, y) = x", a)),
                Some(false) => return Some(("if(false, x, y) = y", b)),
                None => {}
            }
            if a == b && !cx.may_fail(condition) {
                return Some(("if(p, x, x) = x", a));
            }
            if cheap(&cx.new, condition, a, b) {
                let select = cx.add(Node::Select(condition, a, b));
                return Some(("if(p, x, y) = select(p, x, y)", select));
            }
            None
        }
        Node::Loop {
            state,
            initial,
            condition,
            next,
        } => {
            // The condition's free variables are all that its value depends on.
            let asked = cx.new.free(condition);
            let known = |parts: &[Id], before: &QuickMap<Var, Scalar>| -> QuickMap<Var, Scalar> {
                let parts = state
                    .iter()
                    .zip(parts)
                    .filter(|(var, _)| asked.contains(var));
                let values =
                    parts.filter_map(|(&var, &id)| Some((var, value(&cx.new, id, before, 12)?)));
                values.collect()
            };
            let first = known(&initial, &QuickMap::default());
            if !value(&cx.new, condition, &first, 12)?.is_true() {
                return Some(("loop(x, false) = x", initial[k]));
            }
            let again = value(&cx.new, condition, &known(&next, &first), 12)?.is_true();
            let scalars = |&var: &Var| matches!(cx.new.var_type(var), Type::Scalar(_));
            if again || !state.iter().all(scalars) {
                return None;
            }
            let first = state.iter().copied().zip(initial.iter().copied()).collect();
            let once = cx.new.substitute(next[k], &first);
            Some(("loop(x, once, f) = f(x)", once))
        }
        Node::Reduce {
            extents,
            initial: Some(initial),
            ..
        } => {
            let empty =
                |&extent: &Id| matches!(cx.new.node(extent), Node::Constant(c) if c.bits == 0);
            if extents.iter().any(empty) {
                return Some(("reduce(0, f, op, x) = x", initial[k]));
            }
            let found = anywhere::reduced(cx, bundle, k)?;
            Some(("any(i < x) = 0 < min(n, x)", found))
        }
        _ => None,
    }
}

/// The value of a small expression of constants and known variables.
fn value(program: &Program, id: Id, map: &QuickMap<Var, Scalar>, depth: u32) -> Option<Scalar> {
    let inner = |id| value(program, id, map, depth.checked_sub(1)?);
    match *program.node(id) {
        Node::Constant(constant) => Some(constant),
        Node::Variable(var) => map.get(&var).copied(),
        Node::Unary(op, a) => Some(scalar::unary(op, inner(a)?)),
        Node::Binary(Binary::And, a, b) if program.leaf(a) == crate::scalar::Leaf::Bool => {
            match (inner(a), inner(b)) {
                (Some(x), _) | (_, Some(x)) if !x.is_true() => Some(x),
                (Some(x), Some(_)) => Some(x),
                _ => None,
            }
        }
        Node::Binary(Binary::Div | Binary::Rem, ..) => None,
        Node::Binary(op, a, b) => Some(scalar::binary(op, inner(a)?, inner(b)?)),
        Node::Cast(leaf, a) => Some(scalar::cast(leaf, inner(a)?)),
        _ => None,
    }
}

/// Work that may be done in vain rather than branched around.
const CHEAP: usize = 8;

/// Whether both sides of a choice can be evaluated where only one is needed.
fn cheap(program: &Program, condition: Id, a: Id, b: Id) -> bool {
    let none = IdSet::default();
    if is_cheap(program, a, &none) && is_cheap(program, b, &none) {
        return true;
    }
    let mut certain = strict(program, a).common(&strict(program, b));
    certain.extend(&strict(program, condition));
    is_cheap(program, a, &certain) && is_cheap(program, b, &certain)
}

/// Whether an expression can be evaluated where it is not needed: it cannot fail or read, and is small.
/// What is evaluated anyway costs nothing.
fn is_cheap(program: &Program, id: Id, certain: &IdSet) -> bool {
    let (mut open, mut seen) = (vec![id], Vec::new());
    while let Some(id) = open.pop() {
        if !matches!(program.ty(id), Type::Scalar(_)) {
            return false;
        }
        if certain.contains(id) {
            continue;
        }
        match program.node(id) {
            Node::Constant(_) | Node::Parameter(_) | Node::Extent { .. } | Node::Variable(_) => {
                continue;
            }
            Node::Binary(Binary::Div | Binary::Rem, _, b)
                if !program.leaf(*b).is_float() && !divides(program, *b) =>
            {
                return false;
            }
            Node::Unary(..)
            | Node::Binary(..)
            | Node::Select(..)
            | Node::Cast(..)
            | Node::Bitcast(..)
            | Node::Math(Math::MulAdd | Math::Fmuladd | Math::FastDiv, _) => {}
            _ => return false,
        }
        if !seen.contains(&id) {
            seen.push(id);
            program.node(id).operands(|operand| open.push(operand));
        }
        if seen.len() > CHEAP {
            return false;
        }
    }
    true
}

/// What is evaluated if `id` is, nearby.
fn strict(program: &Program, id: Id) -> IdSet {
    let (mut open, mut seen, mut count) = (vec![id], IdSet::default(), 0);
    while let Some(id) = open.pop() {
        if count < 256 && seen.insert(id) {
            count += 1;
            outside(program.node(id), |operand| open.push(operand));
        }
    }
    seen
}

/// A divisor that is a constant other than zero.
fn divides(program: &Program, id: Id) -> bool {
    matches!(program.node(id), Node::Constant(constant) if constant.bits != 0)
}

fn used_components(program: &Program) -> SortedMap<Id, Option<SortedSet<u32>>> {
    let mut used: SortedMap<Id, Option<SortedSet<u32>>> = SortedMap::new();
    let (mut open, mut seen) = (program.roots(), IdSet::default());
    for &root in &open {
        if matches!(program.ty(root), Type::Bundle(_)) {
            used.insert(root, None);
        }
    }
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        let node = program.node(id);
        node.operands(|operand| {
            open.push(operand);
            if let Type::Bundle(_) = program.ty(operand) {
                let entry = used
                    .entry(operand)
                    .or_insert_with(|| Some(SortedSet::new()));
                match (node, entry) {
                    (Node::Project(_, k), Some(set)) => {
                        set.insert(*k);
                    }
                    (_, entry) => *entry = None,
                }
            }
        });
        // The extents of an array are read by its readers without being operands.
        if let Type::Array(_, extents) = program.ty(id) {
            open.extend(extents);
        }
    }
    used
}

/// What becomes of the components of a bundle of which some are used.
fn components(program: &Program, bundle: Id, used: &SortedSet<u32>) -> Vec<Component> {
    let mut needed: SortedSet<usize> = used.iter().map(|&k| k as usize).collect();
    let mentions = |ids: &[Id], var: Var| ids.iter().any(|&id| program.free(id).contains(&var));
    match program.node(bundle) {
        Node::If { then: parts, .. }
        | Node::Compact {
            elements: parts, ..
        } => mark(parts.len(), |k| {
            if needed.contains(&k) {
                Component::Kept
            } else {
                Component::Unused
            }
        }),
        Node::Loop {
            state,
            condition,
            next,
            ..
        } => {
            let invariant = |k: usize| *program.node(next[k]) == Node::Variable(state[k]);
            let extents = |k: usize| match program.var_type(state[k]) {
                Type::Array(_, extents) => extents.clone(),
                Type::Scalar(_) | Type::Bundle(_) => Vec::new(),
            };
            let count = state.len();
            needed.extend((0..count).filter(|&k| mentions(&[*condition], state[k])));
            close(&mut needed, count, |k, j| {
                mentions(&[next[k]], state[j]) || mentions(&extents(k), state[j])
            });
            mark(count, |k| {
                if !needed.contains(&k) {
                    Component::Unused
                } else if invariant(k) && extents(k).is_empty() {
                    Component::Invariant
                } else {
                    Component::Kept
                }
            })
        }
        Node::Reduce {
            left,
            right,
            combined,
            ..
        }
        | Node::Scan {
            left,
            right,
            combined,
            ..
        }
        | Node::Scatter {
            left,
            right,
            combined,
            ..
        } => {
            close(&mut needed, left.len(), |k, j| {
                mentions(&[combined[k]], left[j]) || mentions(&[combined[k]], right[j])
            });
            mark(left.len(), |k| {
                if needed.contains(&k) {
                    Component::Kept
                } else {
                    Component::Unused
                }
            })
        }
        // The order depends on all keys.
        Node::Sort { elements, keys, .. } => mark(elements.len(), |k| {
            if k < *keys as usize || needed.contains(&k) {
                Component::Kept
            } else {
                Component::Unused
            }
        }),
        _ => Vec::new(),
    }
}

fn mark(count: usize, f: impl Fn(usize) -> Component) -> Vec<Component> {
    (0..count).map(f).collect()
}

/// Adds what needed components need.
fn close(needed: &mut SortedSet<usize>, count: usize, needs: impl Fn(usize, usize) -> bool) {
    let mut open: Vec<usize> = needed.iter().copied().collect();
    while let Some(k) = open.pop() {
        for j in 0..count {
            if !needed.contains(&j) && needs(k, j) {
                needed.insert(j);
                open.push(j);
            }
        }
    }
}
