//! Trip counts of scalar loops: how many rounds, and which loops end soon, whatever they compute.

use super::{Id, Node, Program};
use crate::scalar::{Binary, Leaf, Scalar, Unary};

/// The largest constant that bounds a trip count by itself.
const MOST: u64 = 1 << 20;

/// Whether a loop has no more rounds than an array may have elements.
pub(crate) fn ends(program: &Program, node: &Node) -> bool {
    counts(program, node, bounded).is_some() || halves(program, node)
}

/// The most rounds of a loop that counts up to a constant.
pub(crate) fn most(program: &Program, node: &Node) -> Option<u64> {
    let constant = |program: &Program, id: Id| matches!(program.node(id), Node::Constant(_));
    match program.node(counts(program, node, constant)?) {
        Node::Constant(constant) => Some(constant.bits).filter(|&bits| bits <= MOST),
        _ => None,
    }
}

/// The trip count of a loop that counts from zero, unless a later round breaks: there is a first round if and only if it is not zero.
pub(crate) fn trip_count(program: &Program, node: &Node) -> Option<Id> {
    let Node::Loop {
        state,
        initial,
        condition,
        ..
    } = node
    else {
        return None;
    };
    let begins_as = |id: Id, value: Scalar| match program.node(id) {
        Node::Variable(var) => {
            let at = state.iter().position(|own| own == var);
            at.is_some_and(|at| *program.node(initial[at]) == Node::Constant(value))
        }
        _ => false,
    };
    let end = counts(program, node, |_, _| true)?;
    let mut open = vec![*condition];
    while let Some(id) = open.pop() {
        let holds = match *program.node(id) {
            Node::Binary(Binary::And, a, b) => {
                open.extend([a, b]);
                true
            }
            Node::Binary(Binary::Lt, counted, to) => {
                to == end && begins_as(counted, Scalar::zero(Leaf::U64))
            }
            Node::Unary(Unary::Not, flag) => begins_as(flag, Scalar::bool(false)),
            _ => begins_as(id, Scalar::bool(true)),
        };
        if !holds {
            return None;
        }
    }
    Some(end)
}

/// Of a loop that counts up to such a bound, that bound: `while k < n && .. { k = k + 1; .. }`.
fn counts(program: &Program, node: &Node, is_bound: fn(&Program, Id) -> bool) -> Option<Id> {
    let Node::Loop {
        state,
        condition,
        next,
        ..
    } = node
    else {
        return None;
    };
    let mut open = vec![*condition];
    while let Some(id) = open.pop() {
        match *program.node(id) {
            Node::Binary(Binary::And, a, b) => open.extend([a, b]),
            Node::Project(bundle, k) => {
                let no = Node::Constant(Scalar::bool(false));
                if let Node::If {
                    condition,
                    otherwise,
                    ..
                } = program.node(bundle)
                    && *program.node(otherwise[k as usize]) == no
                {
                    open.push(*condition);
                }
            }
            Node::Binary(Binary::Lt, counted, end) => {
                let own = program.free(end).iter().any(|var| state.contains(var));
                let at = state
                    .iter()
                    .position(|&var| *program.node(counted) == Node::Variable(var));
                let steps = at.is_some_and(|at| match *program.node(next[at]) {
                    Node::Binary(Binary::Add, a, b) => {
                        a == counted && is(program, b, 1) || b == counted && is(program, a, 1)
                    }
                    _ => false,
                });
                if steps && !own && is_bound(program, end) {
                    return Some(end);
                }
            }
            _ => {}
        }
    }
    None
}

/// Whether a number is at most a constant or the extent of an array.
fn bounded(program: &Program, id: Id) -> bool {
    match *program.node(id) {
        Node::Constant(constant) => constant.bits <= MOST,
        Node::Extent { .. } => true,
        Node::Binary(Binary::Min, a, b) => bounded(program, a) || bounded(program, b),
        Node::Guard { value, .. } | Node::Demand { value, .. } => bounded(program, value),
        _ => false,
    }
}

fn is(program: &Program, id: Id, value: u64) -> bool {
    matches!(program.node(id), Node::Constant(known) if known.bits == value)
}

/// Whether a loop searches by halves.
fn halves(program: &Program, node: &Node) -> bool {
    let Node::Loop {
        state,
        condition,
        next,
        ..
    } = node
    else {
        return false;
    };
    let Node::Binary(Binary::Lt, low, high) = *program.node(*condition) else {
        return false;
    };
    let of = |id: Id| {
        let at = state
            .iter()
            .position(|&var| *program.node(id) == Node::Variable(var))?;
        match *program.node(next[at]) {
            Node::Select(right, a, b) => Some((right, a, b)),
            _ => None,
        }
    };
    let Some(((right, after, stays), (same, also, middle))) = of(low).zip(of(high)) else {
        return false;
    };
    let sum = |id: Id, holds: &dyn Fn(Id, Id) -> bool| matches!(*program.node(id), Node::Binary(Binary::Add, a, b) if holds(a, b) || holds(b, a));
    let half = |id: Id| {
        matches!(*program.node(id), Node::Binary(Binary::Div, distance, two)
            if is(program, two, 2) && *program.node(distance) == Node::Binary(Binary::Sub, high, low))
    };
    right == same
        && (stays, also) == (low, high)
        && sum(middle, &|a, b| a == low && half(b))
        && sum(after, &|a, b| a == middle && is(program, b, 1))
}
