//! Whether a condition holds for any index of a domain, without going through it.
//!
//! Comparisons of the index with what is the same for all of them leave an interval, and `0..n` meets it or does not:
//! `any(i != 0)` is `1 < n`. So `reduce(n, |i| p(i), or, false)` is a scalar that the host may know.

use super::rebuild::Rebuild;
use crate::ir::{Id, Node, Program, Var};
use crate::scalar::{Binary, Leaf, Scalar, Unary};

/// A bound of an interval: whether it is no part of it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Bound {
    at: Id,
    strict: bool,
}

/// What a condition says about an index.
#[derive(Default)]
struct Interval {
    low: Vec<Bound>,
    high: Vec<Bound>,
    /// Values that it does not have.
    apart: Vec<Id>,
    /// What it says of other things.
    others: Vec<Id>,
}

/// Whether a condition holds for any value of an index below an extent; nothing if that takes all of them. Of the bounds
/// those that depend on the extent are compared first, and no other is where there are no indices.
pub(crate) fn anywhere(program: &mut Program, condition: Id, var: Var, extent: Id) -> Option<Id> {
    let mut interval = Interval::default();
    interval.read(program, condition, true, var)?;
    let mut all = match interval.apart[..] {
        [] => interval.meets(program, extent),
        [apart] if interval.low.is_empty() && interval.high.is_empty() => {
            vec![other_than(program, apart, extent)]
        }
        _ => return None,
    };
    all.extend(interval.others);
    let last = all.pop()?;
    let all = all.into_iter().rev();
    Some(all.fold(last, |rest, first| if_holds(program, first, rest)))
}

/// `reduce(n, |i| p(i), or, false)`, and `reduce(n, |i| p(i), and, true)`, where nothing is read and nothing fails.
pub(super) fn reduced(cx: &mut Rebuild<'_>, bundle: Id, k: usize) -> Option<Id> {
    let Node::Reduce {
        extents,
        vars,
        elements,
        left,
        right,
        combined,
        initial: Some(initial),
        ..
    } = cx.new.node(bundle).clone()
    else {
        return None;
    };
    let ([extent], [var], [condition], 0) = (&extents[..], &vars[..], &elements[..], k) else {
        return None;
    };
    let Node::Binary(op @ (Binary::Or | Binary::And), a, b) = *cx.new.node(combined[0]) else {
        return None;
    };
    let is = |program: &Program, id: Id, var: Var| *program.node(id) == Node::Variable(var);
    let any = op == Binary::Or;
    let start = matches!(cx.new.node(initial[0]), Node::Constant(start)
        if start.leaf == Leaf::Bool && start.is_true() != any);
    let operands = is(&cx.new, a, left[0]) && is(&cx.new, b, right[0]);
    if !start || !operands || !plain(&cx.new, *condition) {
        return None;
    }
    let condition = match any {
        true => *condition,
        false => cx.new.unary(Unary::Not, *condition),
    };
    let found = anywhere(&mut cx.new, condition, *var, *extent)?;
    Some(match any {
        true => found,
        false => cx.new.unary(Unary::Not, found),
    })
}

/// Comparisons of what is there anyway, and sums and differences of that.
fn plain(program: &Program, id: Id) -> bool {
    match program.node(id) {
        Node::Constant(_) | Node::Parameter(_) | Node::Extent { .. } | Node::Variable(_) => true,
        Node::Unary(Unary::Not, a) => plain(program, *a),
        Node::Binary(op, a, b) => {
            !matches!(op, Binary::Div | Binary::Rem) && plain(program, *a) && plain(program, *b)
        }
        _ => false,
    }
}

impl Interval {
    /// Adds what a condition says, or its opposite.
    fn read(&mut self, program: &mut Program, id: Id, holds: bool, var: Var) -> Option<()> {
        if !program.free(id).contains(&var) {
            let other = match holds {
                true => id,
                false => program.unary(Unary::Not, id),
            };
            self.others.push(other);
            return Some(());
        }
        let both = match *program.node(id) {
            Node::Unary(Unary::Not, a) => return self.read(program, a, !holds, var),
            Node::Binary(Binary::And, a, b) if holds => [a, b],
            Node::Binary(Binary::Or, a, b) if !holds => [a, b],
            Node::Binary(op, a, b) => return self.compare(program, op, [a, b], holds, var),
            Node::Project(bundle, k) if holds => {
                let (condition, other) = conjunction(program, bundle, k as usize)?;
                [condition, other]
            }
            _ => return None,
        };
        let [a, b] = both;
        self.read(program, a, holds, var)?;
        self.read(program, b, holds, var)
    }

    fn compare(
        &mut self,
        program: &mut Program,
        op: Binary,
        [a, b]: [Id; 2],
        holds: bool,
        var: Var,
    ) -> Option<()> {
        let is = |id: Id| *program.node(id) == Node::Variable(var);
        let (at, first) = match (is(a), is(b)) {
            (true, false) => (b, true),
            (false, true) => (a, false),
            _ => return None,
        };
        if program.free(at).contains(&var) {
            return None;
        }
        match (op, holds) {
            // The negation turns the comparison around: `!(a < b)` is `b <= a`.
            (Binary::Lt | Binary::Le, _) => {
                let strict = (op == Binary::Lt) == holds;
                match first == holds {
                    true => self.high.push(Bound { at, strict }),
                    false => self.low.push(Bound { at, strict }),
                }
            }
            (Binary::Eq, true) | (Binary::Ne, false) => {
                self.low.push(Bound { at, strict: false });
                self.high.push(Bound { at, strict: false });
            }
            (Binary::Ne, true) | (Binary::Eq, false) if is_zero(program, at) => {
                self.low.push(Bound { at, strict: true });
            }
            (Binary::Ne, true) | (Binary::Eq, false) => self.apart.push(at),
            _ => return None,
        }
        Some(())
    }

    /// What holds if `0..extent` has a value in the interval: no lower bound is beyond an upper one.
    fn meets(&self, program: &mut Program, extent: Id) -> Vec<Id> {
        let next = |program: &mut Program, bound: &Bound, moves: bool| match *program.node(bound.at)
        {
            Node::Constant(number) if bound.strict == moves && number.bits < u64::MAX => Bound {
                at: program.usize(number.bits + 1),
                strict: !moves,
            },
            _ => *bound,
        };
        let mut low: Vec<Bound> = (self.low.iter())
            .map(|bound| next(program, bound, true))
            .collect();
        let mut high = vec![Bound {
            at: extent,
            strict: true,
        }];
        high.extend(self.high.iter().map(|bound| next(program, bound, false)));
        if low.is_empty() {
            let at = program.usize(0);
            low.push(Bound { at, strict: false });
        }
        let mut all = Vec::new();
        for &high in &high {
            for &low in &low {
                match meet(program, low, high) {
                    Some(holds) if !all.contains(&holds) => all.push(holds),
                    _ => {}
                }
            }
        }
        all
    }
}

/// That there is a value between two bounds, unless that is sure.
fn meet(program: &mut Program, low: Bound, high: Bound) -> Option<Id> {
    if is_zero(program, low.at) && !low.strict {
        let zero = low.at;
        return (high.strict).then(|| program.binary(Binary::Ne, high.at, zero));
    }
    Some(match (low.strict, high.strict) {
        (false, false) => program.binary(Binary::Le, low.at, high.at),
        (true, true) => {
            let [zero, one] = [0, 1].map(|number| program.usize(number));
            let some = program.binary(Binary::Ne, high.at, zero);
            let last = program.binary(Binary::Sub, high.at, one);
            let less = program.binary(Binary::Lt, low.at, last);
            if_holds(program, some, less)
        }
        _ => program.binary(Binary::Lt, low.at, high.at),
    })
}

/// That an extent has an index other than this one.
fn other_than(program: &mut Program, apart: Id, extent: Id) -> Id {
    let [zero, one] = [0, 1].map(|number| program.usize(number));
    if matches!(program.node(apart), Node::Constant(_)) {
        return program.binary(Binary::Ne, extent, zero);
    }
    let some = program.binary(Binary::Ne, extent, zero);
    let more = program.binary(Binary::Lt, one, extent);
    let other = program.binary(Binary::Ne, apart, zero);
    let either = program.binary(Binary::Or, more, other);
    if_holds(program, some, either)
}

fn is_zero(program: &Program, id: Id) -> bool {
    matches!(program.node(id), Node::Constant(number) if number.bits == 0)
}

/// A condition that is evaluated only if another one holds: that one, and itself.
pub(crate) fn conjunction(program: &Program, bundle: Id, k: usize) -> Option<(Id, Id)> {
    let Node::If {
        condition,
        then,
        otherwise,
    } = program.node(bundle)
    else {
        return None;
    };
    let never = *program.node(otherwise[k]) == Node::Constant(Scalar::bool(false));
    never.then(|| (*condition, then[k]))
}

/// Whether both conditions hold; the other one is evaluated only if the first does.
pub(crate) fn if_holds(program: &mut Program, first: Id, other: Id) -> Id {
    let no = program.bool(false);
    let bundle = program.add(Node::If {
        condition: first,
        then: vec![other],
        otherwise: vec![no],
    });
    program.add(Node::Project(bundle, 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::eval::{Output as Value, eval};
    use crate::ir::{Output, Parameter, Type};

    fn compared(program: &mut Program, at: Id, with: Id) -> Vec<Id> {
        let mut all = Vec::new();
        for op in [Binary::Lt, Binary::Le, Binary::Eq, Binary::Ne] {
            for [a, b] in [[at, with], [with, at]] {
                let holds = program.binary(op, a, b);
                all.extend([holds, program.unary(Unary::Not, holds)]);
            }
        }
        all
    }

    fn reduction(program: &mut Program, condition: Id, var: Var, extent: Id) -> Id {
        let [left, right] = [(); 2].map(|()| program.var(Type::Scalar(Leaf::Bool)));
        let [a, b] = [left, right].map(|var| program.add(Node::Variable(var)));
        let either = program.binary(Binary::Or, a, b);
        let none = program.bool(false);
        let bundle = program.add(Node::Reduce {
            extents: vec![extent],
            vars: vec![var],
            elements: vec![condition],
            left: vec![left],
            right: vec![right],
            combined: vec![either],
            initial: Some(vec![none]),
            commutes: true,
        });
        program.add(Node::Project(bundle, 0))
    }

    #[test]
    fn is_what_going_through_all_gives() {
        let mut program = Program::default();
        for name in ["n", "c", "d"] {
            program.parameters.push(Parameter::Scalars {
                name: name.to_owned(),
                leaves: vec![(String::new(), Leaf::U64)],
            });
        }
        let [n, c, d] = [0, 1, 2].map(|k| program.add(Node::Parameter(k)));
        let two = program.usize(2);
        // Each reduction has a variable of its own.
        let conditions = |program: &mut Program, at: Id| {
            let zero = program.usize(0);
            let mut all = compared(program, at, c);
            let others = [compared(program, at, d), compared(program, at, two)].concat();
            let other = program.binary(Binary::Lt, c, d);
            for other in others.into_iter().chain([other]) {
                for own in compared(program, at, c) {
                    all.push(program.binary(Binary::And, own, other));
                    all.push(if_holds(program, other, own));
                }
            }
            all.extend(compared(program, at, zero));
            all
        };
        let (var, at) = program.index_var();
        let count = conditions(&mut program, at).len();
        let mut leaves = Vec::new();
        for k in 0..count {
            let (var, at) = match k {
                0 => (var, at),
                _ => program.index_var(),
            };
            let condition = conditions(&mut program, at)[k];
            if let Some(found) = anywhere(&mut program, condition, var, n) {
                leaves.extend([found, reduction(&mut program, condition, var, n)]);
            }
        }
        assert!(leaves.len() > count, "most are known");
        program.outputs = vec![Output::Scalar(leaves)];
        let numbers = [0, 1, 2, 3, u64::MAX];
        for n in 0..5 {
            for (c, d) in numbers.into_iter().flat_map(|c| numbers.map(|d| (c, d))) {
                let scalars = [n, c, d].map(|number| Scalar::wrapped(Leaf::U64, number));
                let results = eval(&program, &scalars, &[]).expect("nothing fails");
                let [Value::Scalar(found)] = &results[..] else {
                    panic!("one result: {results:?}");
                };
                for (k, pair) in found.chunks(2).enumerate() {
                    assert_eq!(pair[0], pair[1], "{k} of {count}: n {n}, c {c}, d {d}");
                }
            }
        }
    }
}
