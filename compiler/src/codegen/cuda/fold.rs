//! Folds: their states, operators and identities in C, and the fold that one thread makes alone.

use super::body::Code;
use super::scalar::{self, Expr, Repr};
use super::walk::Definition;
use crate::plan::{Fold, Op, Statement, Value};
use crate::scalar::{Binary, Leaf, Math, Scalar};

/// The identity of a known operator.
pub(super) fn identity(op: Binary, leaf: Leaf) -> Expr {
    scalar::constant(Fold::identity(op, leaf), Repr::Leaf(leaf))
}

/// Whether `initial` changes nothing: it is the operator's identity.
pub(super) fn starts_neutral(code: &Code<'_>, fold: &Fold) -> bool {
    let (Some(known), Some(initial)) = (&fold.known, &fold.initial) else {
        return false;
    };
    known
        .iter()
        .zip(initial)
        .zip(&fold.results)
        .all(|((op, initial), result)| {
            code.is_bound(*initial) && code.text(*initial) == identity(*op, code.leaf(*result)).text
        })
}

/// What an element is the product of, where that goes into a sum without being rounded first.
pub(super) fn factors(code: &Code<'_>, fold: &Fold, position: usize) -> Option<(Value, Value)> {
    let op = fold.known.as_ref()?[position];
    let leaf = code.leaf(fold.results[position]);
    match code.facts.definition(fold.elements[position]) {
        Some(Definition::Op(Op::Binary(Binary::Mul, a, b)))
            if fold.contracts && op == Binary::Add && leaf.is_float() =>
        {
            Some((*a, *b))
        }
        _ => None,
    }
}

/// `left op element` for a known operator, contracted where that is allowed.
pub(super) fn accumulate(code: &Code<'_>, fold: &Fold, position: usize, left: &Expr) -> Expr {
    let op = fold.known.as_ref().expect("a known operator")[position];
    let element = fold.elements[position];
    let leaf = code.leaf(fold.results[position]);
    if let Some((a, b)) = factors(code, fold, position) {
        return scalar::math(
            Math::MulAdd,
            leaf,
            &[code.expr(a), code.expr(b), left.clone()],
        );
    }
    scalar::binary(op, Repr::Leaf(leaf), left, &code.expr(element))
}

/// Writes the operator's code, `combine`, on operands that have names; gives the results.
pub(super) fn combined(
    code: &mut Code<'_>,
    fold: &Fold,
    combine: &[Statement],
    left: &[Expr],
    right: &[Expr],
) -> Vec<Expr> {
    if let Some(known) = &fold.known {
        let leaf = |position: usize| Repr::Leaf(code.leaf(fold.results[position]));
        return (0..known.len())
            .map(|position| {
                scalar::binary(
                    known[position],
                    leaf(position),
                    &left[position],
                    &right[position],
                )
            })
            .collect();
    }
    for (parameter, operand) in fold
        .left
        .iter()
        .zip(left)
        .chain(fold.right.iter().zip(right))
    {
        code.bind(*parameter, operand.clone());
    }
    code.list(combine);
    fold.combined
        .iter()
        .map(|value| code.full(*value))
        .collect()
}

impl Code<'_> {
    /// A fold by one thread: nested loops.
    pub(super) fn fold(
        &mut self,
        extents: &[Value],
        vars: &[Value],
        body: &[Statement],
        folds: &[Fold],
    ) {
        let mut started = Vec::new();
        for fold in folds {
            let has_known = fold.known.is_some();
            for (position, result) in fold.results.iter().enumerate() {
                let leaf = self.leaf(*result);
                let start = match (&fold.initial, &fold.known) {
                    (Some(initial), _) => self.full(initial[position]).text,
                    (None, Some(known)) => identity(known[position], leaf).text,
                    (None, None) => {
                        scalar::constant(Scalar { leaf, bits: 0 }, Repr::Leaf(leaf)).text
                    }
                };
                let name = self.name(*result);
                self.line(format!("{} {name} = {start};", leaf.name()));
            }
            started.push(if fold.initial.is_none() && !has_known {
                let name = self
                    .names
                    .fresh(&format!("has_{}", self.text(fold.results[0])));
                self.line(format!("bool {name} = false;"));
                Some(name)
            } else {
                None
            });
        }
        for (extent, var) in extents.iter().zip(vars) {
            let bound = self.text(*extent);
            let repr = self.repr(*var).name();
            let var = self.name(*var);
            self.open(format!(
                "for ({repr} {var} = 0; {var} < {bound}; ++{var}) {{"
            ));
        }
        self.list(body);
        for (fold, started) in folds.iter().zip(started) {
            let state: Vec<Expr> = fold
                .results
                .iter()
                .map(|result| self.expr(*result))
                .collect();
            if fold.known.is_some() {
                let moves: Vec<(Value, Expr)> = (0..state.len())
                    .map(|position| {
                        (
                            fold.results[position],
                            accumulate(self, fold, position, &state[position]),
                        )
                    })
                    .collect();
                self.assign(&moves);
                continue;
            }
            for element in &fold.elements {
                self.settle(*element);
            }
            let elements: Vec<Expr> = fold
                .elements
                .iter()
                .map(|element| self.expr(*element))
                .collect();
            if let Some(started) = &started {
                self.open(format!("if ({started}) {{"));
            }
            let combine = fold.combine_in_order(vars);
            let results = combined(self, fold, &combine, &state, &elements);
            let moves: Vec<(Value, Expr)> = fold.results.iter().copied().zip(results).collect();
            self.assign(&moves);
            if let Some(started) = &started {
                self.close("} else {");
                self.deeper();
                let moves: Vec<(Value, Expr)> =
                    fold.results.iter().copied().zip(elements).collect();
                self.assign(&moves);
                self.line(format!("{started} = true;"));
                self.close("}");
            }
        }
        for _ in extents {
            self.close("}");
        }
    }
}
