//! The pass `simplify`: constant folding, the rule tables, casts of casts, and one order for operands that commute.
//!
//! Mathematical functions are inexact and never folded; what divides by zero is left to its guard.

use super::rebuild::{Rebuild, Rules, rebuild};
use super::rules::{self, Bindings, Pattern, Rule};
use super::{Fired, State};
use crate::ir::{Id, Node, Program, QuickMap};
use crate::scalar::{self, Binary, Leaf, Math, Scalar, Unary};
use crate::sorted::SortedSet;
use std::sync::OnceLock;

pub(super) fn run(program: Program, state: &mut State) -> Program {
    static TABLES: OnceLock<[Table; 4]> = OnceLock::new();
    let tables = TABLES.get_or_init(|| {
        [rules::INT, rules::FLOAT, rules::BOOL, rules::FAST].map(|table| {
            let mut by_root = Table::default();
            for prepared in table.iter().map(|text| Prepared::new(text)) {
                let root = Root::of_pattern(&prepared.rule.left);
                by_root.entry(root).or_default().push(prepared);
            }
            by_root
        })
    });
    let fast = program.fast_math;
    rebuild(
        &program,
        &mut Algebra {
            tables,
            fast,
            fired: &mut state.fired,
        },
    )
}

/// What a rule can only apply to.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Root {
    Unary(Unary),
    Binary(Binary),
    Select,
    Other,
}

impl Root {
    fn of_pattern(pattern: &Pattern) -> Root {
        match pattern {
            Pattern::Unary(op, _) => Root::Unary(*op),
            Pattern::Binary(op, ..) => Root::Binary(*op),
            Pattern::Select(..) => Root::Select,
            Pattern::Anything(_)
            | Pattern::Literal(_)
            | Pattern::Number(_)
            | Pattern::Truth(_)
            | Pattern::Math(..) => Root::Other,
        }
    }
}

/// Rules by their roots, those of one root in order.
type Table = QuickMap<Root, Vec<Prepared>>;

struct Prepared {
    rule: Rule,
    /// Variables of the left side that the right side loses.
    lost: Vec<char>,
    negates: bool,
}

impl Prepared {
    fn new(text: &'static str) -> Prepared {
        let rule = Rule::parse(text);
        let (mut left, mut right) = (SortedSet::new(), SortedSet::new());
        rule.left.names(&mut left);
        rule.right.names(&mut right);
        Prepared {
            lost: left.difference(&right).copied().collect(),
            negates: matches!(rule.right, Pattern::Unary(Unary::Neg, _)),
            rule,
        }
    }
}

struct Algebra<'a> {
    /// `INT`, `FLOAT`, `BOOL`, `FAST`.
    tables: &'static [Table; 4],
    fast: bool,
    fired: &'a mut Fired,
}

impl Rules for Algebra<'_> {
    fn node(&mut self, cx: &mut Rebuild<'_>, node: Node) -> Id {
        if let Some(constant) = folded(&cx.new, &node) {
            self.fired.count("constant folding");
            return cx.add(Node::Constant(constant));
        }
        let node = self.ordered(cx, node);
        if let Some((rule, to)) = conversion(cx, &node, self.fast) {
            self.fired.count(rule);
            return match to {
                Ok(id) => id,
                Err(node) => self.node(cx, node),
            };
        }
        let id = cx.add(node);
        self.rewritten(cx, id).unwrap_or(id)
    }
}

impl Algebra<'_> {
    /// Operands that commute in order: constants last, else by structure.
    fn ordered(&mut self, cx: &Rebuild<'_>, node: Node) -> Node {
        let Node::Binary(op, a, b) = node else {
            return node;
        };
        let constant = |id: Id| matches!(cx.new.node(id), Node::Constant(_));
        let swapped = match (constant(a), constant(b)) {
            (false, false) => cx.new.compare(b, a).is_lt(),
            (first, second) => first && !second,
        };
        if rules::commutes(op) && swapped {
            Node::Binary(op, b, a)
        } else {
            node
        }
    }

    fn rewritten(&mut self, cx: &mut Rebuild<'_>, id: Id) -> Option<Id> {
        // The type of the numbers in the equation.
        let (root, operand) = match *cx.new.node(id) {
            Node::Unary(op, a) => (Root::Unary(op), a),
            Node::Binary(op, a, _) => (Root::Binary(op), a),
            Node::Select(_, a, _) => (Root::Select, a),
            _ => return None,
        };
        let leaf = cx.new.leaf(operand);
        let compared = match (cx.new.node(id), cx.new.node(operand)) {
            (
                Node::Unary(Unary::Not, _) | Node::Binary(Binary::And | Binary::Or, ..),
                Node::Binary(_, a, _),
            ) if leaf == Leaf::Bool => Some(cx.new.leaf(*a)),
            _ => None,
        };
        for leaf in [Some(leaf), compared].into_iter().flatten() {
            let [int, float, bool, fast] = self.tables;
            let (table, more) = match leaf {
                Leaf::Bool => (bool, None),
                leaf if leaf.is_float() => (float, self.fast.then_some(fast)),
                _ => (int, None),
            };
            let tables = [Some(table), more].into_iter().flatten();
            let rules = tables.filter_map(|table| table.get(&root)).flatten();
            for prepared in rules {
                let unsigned = leaf.is_integer() && !leaf.is_signed();
                if prepared.negates && unsigned {
                    continue;
                }
                let mut found = Bindings::new();
                let left = &prepared.rule.left;
                if !rules::matches(&cx.new, left, id, leaf, &mut found) {
                    continue;
                }
                // A value may be dropped, its check may not.
                if prepared.lost.iter().any(|name| cx.may_fail(found[*name])) {
                    continue;
                }
                self.fired.count(prepared.rule.text);
                let mut add = |node| self.node(cx, node);
                return Some(rules::build(&prepared.rule.right, leaf, &found, &mut add));
            }
        }
        None
    }
}

fn constant(program: &Program, id: Id) -> Option<Scalar> {
    match program.node(id) {
        Node::Constant(constant) => Some(*constant),
        _ => None,
    }
}

/// The value of an operation on constants, where that is exact.
pub(super) fn folded(program: &Program, node: &Node) -> Option<Scalar> {
    let value = |id: &Id| constant(program, *id);
    match node {
        Node::Unary(op, a) => Some(scalar::unary(*op, value(a)?)),
        Node::Binary(Binary::Div | Binary::Rem, a, b)
            if program.leaf(*a).is_integer() && value(b)?.bits == 0 =>
        {
            None
        }
        Node::Binary(op, a, b) => Some(scalar::binary(*op, value(a)?, value(b)?)),
        Node::Select(condition, a, b) => {
            let side = if value(condition)?.is_true() { a } else { b };
            value(side)
        }
        Node::Cast(leaf, a) => Some(scalar::cast(*leaf, value(a)?)),
        Node::Bitcast(leaf, a) => Some(scalar::bitcast(*leaf, value(a)?)),
        Node::Math(Math::MulAdd, arguments) => {
            let arguments: Option<Vec<Scalar>> = arguments.iter().map(value).collect();
            Some(scalar::math(Math::MulAdd, &arguments?))
        }
        _ => None,
    }
}

/// Whether each value of `from` is one of `to`.
pub(super) fn holds_all(to: Leaf, from: Leaf) -> bool {
    let bits = from.bits();
    match to {
        _ if to == from => true,
        Leaf::Bool => false,
        Leaf::F16 | Leaf::Bf16 => false,
        Leaf::F32 => bits <= 16,
        Leaf::F64 => from == Leaf::F32 || bits <= 32,
        _ if from.is_float() => false,
        _ if from.is_signed() => to.is_signed() && to.bits() >= bits,
        _ if to.is_signed() => to.bits() > bits,
        _ => to.bits() >= bits,
    }
}

/// How far the operands of an `f32` are followed.
const DEEP: usize = 4;

/// Whether an `f32` is always a value of a type of 16 bits.
fn is_of(program: &Program, half: Leaf, id: Id, depth: usize) -> bool {
    if depth == 0 {
        return false;
    }
    let of = |id: &Id| is_of(program, half, *id, depth - 1);
    match program.node(id) {
        Node::Constant(scalar) => scalar::cast(Leaf::F32, scalar::cast(half, *scalar)) == *scalar,
        Node::Cast(_, a) => program.leaf(*a) == half,
        // The next whole number takes no more digits.
        Node::Unary(
            Unary::Neg
            | Unary::Abs
            | Unary::Floor
            | Unary::Ceil
            | Unary::Trunc
            | Unary::Round
            | Unary::RoundEven,
            a,
        ) => of(a),
        Node::Binary(Binary::Min | Binary::Max | Binary::Copysign, a, b)
        | Node::Select(_, a, b) => of(a) && of(b),
        _ => false,
    }
}

/// Rules on types: the result, or a node that is still to be simplified.
fn conversion(
    cx: &mut Rebuild<'_>,
    node: &Node,
    fast: bool,
) -> Option<(&'static str, Result<Id, Node>)> {
    let program = &cx.new;
    match *node {
        Node::Cast(to, a) if program.leaf(a) == to => Some(("cast(x) = x", Ok(a))),
        Node::Cast(to, a) => {
            let Node::Cast(middle, x) = *program.node(a) else {
                return None;
            };
            if to == Leaf::F32 && middle.is_half() && is_of(program, middle, x, DEEP) {
                return Some(("f32(half(x)) = x if x is a half", Ok(x)));
            }
            let from = program.leaf(x);
            let integers = [to, middle, from].iter().all(|leaf| !leaf.is_float());
            let truncates = integers && to.bits() <= middle.bits() && to != Leaf::Bool;
            // What survives the way through `middle` unchanged may skip it; back to an integer only if it fits.
            let keeps = holds_all(middle, from)
                && (!middle.is_float() || to.is_float() || holds_all(to, from));
            // Halves are converted from and to `f32` only.
            let halves = to.is_half() || from.is_half();
            let exists = !halves || to == from || [to, from].contains(&Leaf::F32);
            ((truncates || keeps) && exists)
                .then_some(("cast(cast(x)) = cast(x)", Err(Node::Cast(to, x))))
        }
        Node::Bitcast(to, a) if program.leaf(a) == to => Some(("bitcast(x) = x", Ok(a))),
        Node::Bitcast(to, a) => match *program.node(a) {
            Node::Bitcast(_, x) => Some((
                "bitcast(bitcast(x)) = bitcast(x)",
                Err(Node::Bitcast(to, x)),
            )),
            _ => None,
        },
        Node::Binary(Binary::Div, x, c) => {
            let c = constant(program, c)?;
            let (rule, inverse) = match inverse(c).filter(|_| c.leaf.is_float())? {
                (inverse, true) => ("x / 2^k = x * 2^-k", inverse),
                (inverse, false) if fast => ("x / c = x * (1 / c)", inverse),
                _ => return None,
            };
            let inverse = cx.add(Node::Constant(inverse));
            Some((rule, Err(Node::Binary(Binary::Mul, x, inverse))))
        }
        _ => None,
    }
}

/// `1 / c` if neither is subnormal, and whether it is exact: that of a power of two.
fn inverse(c: Scalar) -> Option<(Scalar, bool)> {
    let value = c.as_f64();
    let exact = value.to_bits() & ((1 << 52) - 1) == 0;
    let (inverse, normal) = match c.leaf {
        Leaf::F32 => {
            let inverse = 1.0 / value as f32;
            let normal = inverse.is_normal() && (value as f32).is_normal();
            (Scalar::f32(inverse), normal)
        }
        _ => {
            let inverse = 1.0 / value;
            (
                Scalar::f64(inverse),
                inverse.is_normal() && value.is_normal(),
            )
        }
    };
    (normal && value.abs() != 1.0).then_some((inverse, exact))
}
