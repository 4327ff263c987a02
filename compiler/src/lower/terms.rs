//! Constructors that fold the trivial: index arithmetic, conditions, reads of views. Everything else is left to the
//! passes; this much keeps checks that always hold, branches never taken and views of views out of the program.

use super::Lower;
use crate::ir::{Id, Node, QuickMap, QuickSet, Type, Var};
use crate::scalar::{self, Binary, Leaf, Scalar, Unary};

/// How large an expression may be to be computed on both sides of a condition.
const CHEAP: usize = 8;

/// How large an element may be for an array to count as a view that reads see through.
const VIEW: usize = 24;

impl Lower<'_> {
    /// The value of a constant node.
    pub(super) fn constant_of(&self, id: Id) -> Option<Scalar> {
        match self.p.node(id) {
            Node::Constant(scalar) => Some(*scalar),
            _ => None,
        }
    }

    /// `true` or `false`, if known.
    pub(super) fn known(&self, id: Id) -> Option<bool> {
        self.constant_of(id).map(|scalar| scalar.bits != 0)
    }

    fn known_usize(&self, id: Id) -> Option<u64> {
        self.constant_of(id)
            .filter(|scalar| scalar.leaf == Leaf::U64)
            .map(|scalar| scalar.bits)
    }

    /// An integer constant of a type.
    pub(super) fn int(&mut self, leaf: Leaf, value: i128) -> Id {
        let mask = if leaf.bits() == 64 {
            u64::MAX
        } else {
            (1 << leaf.bits()) - 1
        };
        let bits = value as u64 & mask;
        self.p.constant(Scalar { leaf, bits })
    }

    /// A number of a type, integer or float.
    pub(super) fn number(&mut self, leaf: Leaf, value: f64) -> Id {
        match leaf.is_float() {
            true => self.p.constant(Scalar::float(leaf, value)),
            false => self.int(leaf, value as i128),
        }
    }

    /// `!a`.
    pub(super) fn not(&mut self, a: Id) -> Id {
        match self.p.node(a) {
            Node::Constant(scalar) => {
                let value = scalar.bits == 0;
                self.p.bool(value)
            }
            Node::Unary(Unary::Not, inner) => *inner,
            _ => self.p.unary(Unary::Not, a),
        }
    }

    /// `a & b` of conditions.
    pub(super) fn and(&mut self, a: Id, b: Id) -> Id {
        match (self.known(a), self.known(b)) {
            (Some(true), _) => b,
            (_, Some(true)) => a,
            (Some(false), _) | (_, Some(false)) => self.p.bool(false),
            _ if a == b => a,
            _ => self.p.binary(Binary::And, a, b),
        }
    }

    /// `a | b` of conditions.
    pub(super) fn or(&mut self, a: Id, b: Id) -> Id {
        match (self.known(a), self.known(b)) {
            (Some(false), _) => b,
            (_, Some(false)) => a,
            (Some(true), _) | (_, Some(true)) => self.p.bool(true),
            _ if a == b => a,
            _ => self.p.binary(Binary::Or, a, b),
        }
    }

    /// A binary operation; constants are folded, neutral elements of `U64`, and equal operands of integer comparisons.
    pub(super) fn binary(&mut self, op: Binary, a: Id, b: Id) -> Id {
        let leaf = self.p.leaf(a);
        if leaf == Leaf::Bool && matches!(op, Binary::And | Binary::Or) {
            return match op {
                Binary::And => self.and(a, b),
                _ => self.or(a, b),
            };
        }
        if a == b && !leaf.is_float() {
            match op {
                Binary::Eq | Binary::Le => return self.p.bool(true),
                Binary::Ne | Binary::Lt => return self.p.bool(false),
                _ => {}
            }
        }
        if let (Some(x), Some(y)) = (self.constant_of(a), self.constant_of(b))
            && !(matches!(op, Binary::Div | Binary::Rem) && y.bits == 0)
        {
            return self.p.constant(scalar::binary(op, x, y));
        }
        if leaf == Leaf::U64 {
            match (op, self.known_usize(a), self.known_usize(b)) {
                (Binary::Lt, _, Some(0)) => return self.p.bool(false),
                (Binary::Le, Some(0), _) => return self.p.bool(true),
                (Binary::Add | Binary::Sub, _, Some(0))
                | (Binary::Mul | Binary::Div, _, Some(1)) => {
                    return a;
                }
                (Binary::Add, Some(0), _) | (Binary::Mul, Some(1), _) => return b,
                (Binary::Mul, Some(0), _)
                | (Binary::Mul, _, Some(0))
                | (Binary::Rem, _, Some(1)) => return self.p.usize(0),
                _ => {}
            }
        }
        self.p.binary(op, a, b)
    }

    /// `if condition { a } else { b }` of scalars that are safe to evaluate both.
    pub(super) fn select(&mut self, condition: Id, a: Id, b: Id) -> Id {
        if a == b {
            return a;
        }
        if let Some(known) = self.known(condition) {
            return if known { a } else { b };
        }
        if self.p.leaf(a) == Leaf::Bool {
            match (self.known(a), self.known(b)) {
                (Some(true), _) => return self.or(condition, b),
                (Some(false), _) => {
                    let not = self.not(condition);
                    return self.and(not, b);
                }
                (_, Some(false)) => return self.and(condition, a),
                (_, Some(true)) => {
                    let not = self.not(condition);
                    return self.or(not, a);
                }
                _ => {}
            }
        }
        self.p.add(Node::Select(condition, a, b))
    }

    /// `as`.
    pub(super) fn cast(&mut self, leaf: Leaf, a: Id) -> Id {
        if self.p.leaf(a) == leaf {
            return a;
        }
        match self.constant_of(a) {
            Some(constant) => self.p.constant(scalar::cast(leaf, constant)),
            None => self.p.cast(leaf, a),
        }
    }

    /// The product of extents.
    pub(super) fn product(&mut self, extents: &[Id]) -> Id {
        let one = self.p.usize(1);
        extents.iter().fold(one, |product, &extent| {
            self.binary(Binary::Mul, product, extent)
        })
    }

    /// Whether the product of extents is one of 64 bits. That of the extents of parameters and of constants is.
    pub(super) fn product_fits(&mut self, extents: &[Id]) -> Id {
        let (zero, mut fits) = (self.p.usize(0), self.p.bool(true));
        let known = |lower: &Self, id| {
            lower.known_usize(id).is_some() || matches!(lower.p.node(id), Node::Extent { .. })
        };
        if extents.len() == 1 || extents.iter().all(|&extent| known(self, extent)) {
            return fits;
        }
        let mut product = extents[0];
        for &extent in &extents[1..] {
            let high = self.binary(Binary::MulHigh, product, extent);
            let small = self.binary(Binary::Eq, high, zero);
            fits = self.binary(Binary::And, fits, small);
            product = self.binary(Binary::Mul, product, extent);
        }
        fits
    }

    /// An element of an array node. Reads of a view (an array whose element is a read or index arithmetic) see
    /// through it; larger elements stay shared, for fusion to decide.
    pub(super) fn index(&mut self, array: Id, indices: &[Id]) -> Id {
        if let Node::Generate { vars, element, .. } = self.p.node(array) {
            let (vars, element) = (vars.clone(), *element);
            let mut budget = VIEW;
            let view = self.is_view(element, &mut budget);
            if view && !self.p.makes_rows(element, &vars, indices) {
                let map: QuickMap<Var, Id> =
                    vars.into_iter().zip(indices.iter().copied()).collect();
                return self.p.substitute(element, &map);
            }
        }
        self.p.add(Node::Index {
            array,
            indices: indices.to_vec(),
        })
    }

    /// An array node by its element over variables; the array itself if that is what is read. A variable is bound
    /// once in a program: the second leaf of an element gets a copy.
    pub(super) fn abstracted(&mut self, extents: &[Id], vars: &[Var], element: Id) -> Id {
        if let Node::Index { array, indices } = self.p.node(element)
            && self.p.extents(*array) == extents
            && !self.p.free(*array).iter().any(|var| vars.contains(var))
            && indices.len() == vars.len()
            && indices
                .iter()
                .zip(vars)
                .all(|(&index, &var)| *self.p.node(index) == Node::Variable(var))
        {
            return *array;
        }
        let mut vars = vars.to_vec();
        let mut element = element;
        if vars.iter().any(|var| self.bound.contains(var)) {
            let (fresh, reads): (Vec<_>, Vec<_>) = vars.iter().map(|_| self.p.index_var()).unzip();
            let map = vars.into_iter().zip(reads).collect();
            element = self.p.substitute(element, &map);
            vars = fresh;
        }
        self.bound.extend(&vars);
        self.p.add(Node::Generate {
            extents: extents.to_vec(),
            vars,
            element,
        })
    }

    fn is_view(&self, id: Id, budget: &mut usize) -> bool {
        if *budget == 0 {
            return false;
        }
        *budget -= 1;
        match self.p.node(id) {
            Node::Constant(_) | Node::Parameter(_) | Node::Extent { .. } | Node::Variable(_) => {
                true
            }
            Node::Index { indices, .. } => indices.iter().all(|&index| self.is_view(index, budget)),
            Node::Binary(op, a, b)
                if self.p.leaf(*a) == Leaf::U64
                    || (self.p.leaf(*a).is_integer()
                        && matches!(op, Binary::Add | Binary::Sub)) =>
            {
                self.is_view(*a, budget) && self.is_view(*b, budget)
            }
            Node::Cast(_, a) if self.p.leaf(*a).is_integer() => self.is_view(*a, budget),
            Node::Select(a, b, c) if self.p.leaf(*b) == Leaf::U64 => [a, b, c]
                .into_iter()
                .all(|&operand| self.is_view(operand, budget)),
            _ => false,
        }
    }

    /// Whether both sides of a condition may evaluate it: small, and nothing in it can fail.
    pub(super) fn is_cheap(&self, id: Id) -> bool {
        self.is_cheap_besides(id, &QuickSet::default())
    }

    /// Whether it is cheap where some nodes have been evaluated already.
    pub(super) fn is_cheap_besides(&self, id: Id, evaluated: &QuickSet<Id>) -> bool {
        self.cheap_within(id, evaluated, &mut CHEAP.clone())
    }

    fn cheap_within(&self, id: Id, evaluated: &QuickSet<Id>, budget: &mut usize) -> bool {
        match self.p.node(id) {
            _ if evaluated.contains(&id) => return true,
            Node::Constant(_) | Node::Parameter(_) | Node::Extent { .. } => return true,
            Node::Variable(_) => return matches!(self.p.ty(id), Type::Scalar(_)),
            Node::Index { .. } => return self.safe_reads.contains(&id),
            Node::Project(bundle, _) => {
                return evaluated.contains(bundle) && matches!(self.p.ty(id), Type::Scalar(_));
            }
            _ => {}
        }
        if *budget == 0 {
            return false;
        }
        *budget -= 1;
        let mut cheap = |id: Id| self.cheap_within(id, evaluated, budget);
        match self.p.node(id) {
            Node::Unary(_, a) | Node::Cast(_, a) | Node::Bitcast(_, a) => cheap(*a),
            Node::Binary(Binary::Div, a, _) if !self.p.leaf(*a).is_float() => false,
            Node::Binary(Binary::Rem, ..) => false,
            Node::Binary(_, a, b) => cheap(*a) && cheap(*b),
            Node::Select(a, b, c) => cheap(*a) && cheap(*b) && cheap(*c),
            _ => false,
        }
    }

    /// The nodes that have been evaluated once a scalar has, as far as that is plain.
    pub(super) fn needed_by(&self, id: Id) -> QuickSet<Id> {
        let mut needed = QuickSet::default();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if !needed.insert(id) {
                continue;
            }
            match self.p.node(id) {
                Node::Unary(_, a) | Node::Cast(_, a) | Node::Bitcast(_, a) => open.push(*a),
                Node::Binary(_, a, b) => open.extend([a, b]),
                Node::Select(condition, ..) => open.push(*condition),
                Node::Project(bundle, _) => open.push(*bundle),
                _ => {}
            }
        }
        needed
    }

    /// Whether a scalar depends on parameters and extents only, and cannot fail: the host knows it before a launch.
    pub(super) fn host_known(&mut self, id: Id) -> bool {
        if let Some(&known) = self.host.get(&id) {
            return known;
        }
        let known = self.p.free(id).is_empty() && {
            match self.p.node(id).clone() {
                Node::Constant(_) | Node::Parameter(_) | Node::Extent { .. } => true,
                node @ (Node::Unary(..)
                | Node::Binary(..)
                | Node::Select(..)
                | Node::Cast(..)
                | Node::Bitcast(..)) => {
                    let mut operands = Vec::new();
                    node.operands(|operand| operands.push(operand));
                    operands.into_iter().all(|operand| self.host_known(operand))
                }
                _ => false,
            }
        };
        self.host.insert(id, known);
        known
    }
}
