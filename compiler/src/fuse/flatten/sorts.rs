//! Sorts of all rows, or of those that a path leads to.

use super::path::{self, Step};
use super::{Made, Rows};
use crate::ir::{Id, Node, Program, Type};
use crate::scalar::{Binary, Leaf, Unary};

/// The sort of all rows that the path leads to, if they are of one size and compared alike.
pub(super) fn over(program: &mut Program, rows: &Rows) -> Option<Made> {
    let Node::Sort {
        extents,
        vars,
        elements,
        keys,
        left,
        right,
        less,
    } = program.node(rows.of).clone()
    else {
        return None;
    };
    let elements = rows.guarded(program, &extents, elements);
    let extents = extents.into_iter();
    let extents: Vec<Id> = extents
        .map(|extent| rows.unguarded(program, extent))
        .collect();
    let mut shared = extents.iter().chain(&less);
    if !shared.all(|&id| rows.is_uniform(program, id)) {
        return None;
    }
    let mut known = None;
    // Checks need no rows of their own: where they do not hold all fails.
    let last = rows.path.iter().rposition(|step| !step.check);
    let (branches, checks) = rows.path.split_at(last.map_or(0, |last| last + 1));
    let elements = path::under(program, checks, elements);
    let (domain, over, elements, at, mut effects) = match branches.is_empty() {
        true => (
            rows.extents.clone(),
            rows.vars.clone(),
            elements,
            rows.at.clone(),
            Vec::new(),
        ),
        false => {
            let reached = Reached::of(program, rows, branches);
            let (var, row) = program.index_var();
            let row = program.add(Node::Index {
                array: reached.rows,
                indices: vec![row],
            });
            let row = unravelled(program, &rows.every, row);
            let map = rows.vars.iter().copied().zip(row).collect();
            let elements = program.substitute_all(&elements, &map);
            let domain = vec![path::none_unless(program, &rows.host, reached.count)];
            let at = vec![reached.rank];
            known = reached.condition;
            (
                domain,
                vec![var],
                elements,
                at,
                vec![reached.rows, reached.ranks],
            )
        }
    };
    let all = program.add(Node::Sort {
        extents: [domain, extents].concat(),
        vars: [over, vars].concat(),
        elements,
        keys,
        left,
        right,
        less,
    });
    if !effects.is_empty() {
        effects.push(program.components(all)[0]);
    }
    Some(Made {
        all,
        at,
        known,
        effects,
    })
}

/// The rows that a path leads to, in order.
struct Reached {
    /// Their places among all rows.
    rows: Id,
    count: Id,
    /// How many of them there are up to each row.
    ranks: Id,
    /// Which of them the row around is, if it is one.
    rank: Id,
    /// The condition of the row around, and where it is stored.
    condition: Option<(Id, Id)>,
}

impl Reached {
    fn of(program: &mut Program, rows: &Rows, path: &[Step]) -> Self {
        let mut all = rows.every[0];
        for &extent in &rows.every[1..] {
            all = program.binary(Binary::Mul, all, extent);
        }
        let holds = path::holds(program, path);
        let holds = program.add(Node::Generate {
            extents: rows.every.clone(),
            vars: rows.vars.clone(),
            element: holds,
        });
        let read = |program: &mut Program, indices: Vec<Id>| {
            program.add(Node::Index {
                array: holds,
                indices,
            })
        };
        let known = rows.condition.map(|step| {
            let stored = read(program, rows.at.clone());
            let value = match step.holds {
                true => stored,
                false => program.unary(Unary::Not, stored),
            };
            (step.condition, value)
        });
        let condition = |program: &mut Program, row: Id| {
            let indices = unravelled(program, &rows.every, row);
            read(program, indices)
        };
        let counted = |program: &mut Program| {
            let (var, row) = program.index_var();
            let condition = condition(program, row);
            let one = program.add(Node::Cast(Leaf::U64, condition));
            let [left, right] = [(); 2].map(|()| program.var(Type::Scalar(Leaf::U64)));
            let [a, b] = [left, right].map(|var| program.add(Node::Variable(var)));
            (var, one, left, right, program.binary(Binary::Add, a, b))
        };
        let (var, one, left, right, sum) = counted(program);
        let none = program.usize(0);
        let count = program.add(Node::Reduce {
            extents: vec![all],
            vars: vec![var],
            elements: vec![one],
            left: vec![left],
            right: vec![right],
            combined: vec![sum],
            initial: Some(vec![none]),
            commutes: true,
        });
        let count = program.components(count)[0];
        let (var, row) = program.index_var();
        let condition = condition(program, row);
        let reached = program.add(Node::Compact {
            count,
            extents: vec![all],
            vars: vec![var],
            condition,
            elements: vec![row],
        });
        let (var, one, left, right, sum) = counted(program);
        let ranks = program.add(Node::Scan {
            extents: vec![all],
            vars: vec![var],
            elements: vec![one],
            left: vec![left],
            right: vec![right],
            combined: vec![sum],
        });
        let mut place = rows.at[0];
        for (&index, &extent) in rows.at.iter().zip(&rows.every).skip(1) {
            place = program.binary(Binary::Mul, place, extent);
            place = program.binary(Binary::Add, place, index);
        }
        let array = program.components(ranks)[0];
        let ordinal = program.add(Node::Index {
            array,
            indices: vec![place],
        });
        let one = program.usize(1);
        Self {
            rows: program.components(reached)[0],
            count,
            ranks: array,
            condition: known,
            rank: program.binary(Binary::Sub, ordinal, one),
        }
    }
}

/// The index at a row-major place.
fn unravelled(program: &mut Program, extents: &[Id], place: Id) -> Vec<Id> {
    let (mut rest, mut at) = (place, Vec::new());
    for &extent in extents[1..].iter().rev() {
        at.push(program.binary(Binary::Rem, rest, extent));
        rest = program.binary(Binary::Div, rest, extent);
    }
    at.push(rest);
    at.reverse();
    at
}
