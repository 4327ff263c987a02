//! Index arithmetic on programs built by hand, and random expressions against their values.

use super::*;
use crate::ir::eval::eval;
use crate::ir::tests::{place, program};
use crate::ir::{Check, Failure, Output, QuickMap, Type};
use crate::scalar::Scalar;

/// A program with a matrix `m` by `n` and a vector of `k`; extents in this order.
fn extents() -> (Program, [Id; 3]) {
    let (p, inputs) = program("f", &[("a", Leaf::F32, 2), ("b", Leaf::F32, 1)]);
    let (a, b) = (p.extents(inputs[0]).to_vec(), p.extents(inputs[1])[0]);
    (p, [a[0], a[1], b])
}

fn add(p: &mut Program, a: Id, b: Id) -> Id {
    p.binary(Binary::Add, a, b)
}

fn sub(p: &mut Program, a: Id, b: Id) -> Id {
    p.binary(Binary::Sub, a, b)
}

fn mul(p: &mut Program, a: Id, b: Id) -> Id {
    p.binary(Binary::Mul, a, b)
}

fn div(p: &mut Program, a: Id, b: Id) -> Id {
    p.binary(Binary::Div, a, b)
}

fn rem(p: &mut Program, a: Id, b: Id) -> Id {
    p.binary(Binary::Rem, a, b)
}

/// Index variables over extents.
fn over(index: &mut Index, p: &mut Program, extents: &[Id]) -> Vec<Id> {
    extents
        .iter()
        .map(|&extent| {
            let (var, read) = p.index_var();
            index.domain(var, extent);
            read
        })
        .collect()
}

#[test]
fn flatten_then_reshape_is_the_identity() {
    let (mut p, [m, n, _]) = extents();
    let mut index = Index::new();
    let v = over(&mut index, &mut p, &[m, n]);
    let row = mul(&mut p, v[0], n);
    let flat = add(&mut p, row, v[1]);
    let (q, r) = (div(&mut p, flat, n), rem(&mut p, flat, n));
    assert_eq!(index.simplify(&mut p, q), v[0]);
    assert_eq!(index.simplify(&mut p, r), v[1]);
}

#[test]
fn reshape_then_flatten_is_the_identity() {
    let (mut p, [_, n, k]) = extents();
    let mut index = Index::new();
    let size = mul(&mut p, n, k);
    let v = over(&mut index, &mut p, &[size]);
    let (q, r) = (div(&mut p, v[0], n), rem(&mut p, v[0], n));
    let row = mul(&mut p, q, n);
    let back = add(&mut p, row, r);
    assert_eq!(index.simplify(&mut p, back), v[0]);
    assert_eq!(index.less(&p, q, k), Some(true));
    assert_eq!(index.less(&p, r, n), Some(true));
}

#[test]
fn three_digits_cancel() {
    let (mut p, [m, n, k]) = extents();
    let mut index = Index::new();
    let v = over(&mut index, &mut p, &[m, n, k]);
    // (i * n + j) * k + l, then / k % n.
    let a = mul(&mut p, v[0], n);
    let a = add(&mut p, a, v[1]);
    let a = mul(&mut p, a, k);
    let a = add(&mut p, a, v[2]);
    let q = div(&mut p, a, k);
    let j = rem(&mut p, q, n);
    let i = div(&mut p, q, n);
    assert_eq!(index.simplify(&mut p, j), v[1]);
    assert_eq!(index.simplify(&mut p, i), v[0]);
}

#[test]
fn reversing_twice_is_the_identity() {
    let (mut p, [_, n, _]) = extents();
    let mut index = Index::new();
    let v = over(&mut index, &mut p, &[n]);
    let one = p.usize(1);
    let last = sub(&mut p, n, one);
    let back = sub(&mut p, last, v[0]);
    let again = sub(&mut p, last, back);
    assert_eq!(index.simplify(&mut p, again), v[0]);
    assert_eq!(index.less(&p, back, n), Some(true));
}

#[test]
fn rotations_and_clamps_stay_inside() {
    let (mut p, [_, n, k]) = extents();
    let mut index = Index::new();
    let v = over(&mut index, &mut p, &[n]);
    let (zero, one) = (p.usize(0), p.usize(1));
    let far = add(&mut p, v[0], k);
    let rotated = rem(&mut p, far, n);
    assert_eq!(index.less(&p, rotated, n), Some(true));
    // min(max(i as i64 - 1, 0), n as i64 - 1) as usize.
    let signed = |p: &mut Program, id| p.add(Node::Cast(Leaf::I64, id));
    let (i, n64, one64) = (signed(&mut p, v[0]), signed(&mut p, n), signed(&mut p, one));
    let zero64 = signed(&mut p, zero);
    let before = sub(&mut p, i, one64);
    let low = p.binary(Binary::Max, before, zero64);
    let last = sub(&mut p, n64, one64);
    let clamped = p.binary(Binary::Min, low, last);
    let at = p.add(Node::Cast(Leaf::U64, clamped));
    assert_eq!(index.less(&p, at, n), Some(true));
    // The same without the way through i64: select(i == 0, 0, i - 1), and saturating.
    let first = p.binary(Binary::Eq, v[0], zero);
    let before = sub(&mut p, v[0], one);
    let chosen = p.add(Node::Select(first, zero, before));
    assert_eq!(index.less(&p, chosen, n), Some(true));
    // i - 1 alone may wrap.
    assert_eq!(index.less(&p, before, n), None);
    let next = add(&mut p, v[0], one);
    let last = sub(&mut p, n, one);
    let clamped = p.binary(Binary::Min, next, last);
    assert_eq!(index.less(&p, clamped, n), Some(true));
    assert_eq!(index.less(&p, next, n), None);
}

#[test]
fn facts_of_a_domain_hold_only_for_its_variables() {
    let (mut p, [_, n, _]) = extents();
    let mut index = Index::new();
    over(&mut index, &mut p, &[n]);
    let zero = p.usize(0);
    assert_eq!(index.less(&p, zero, n), None);
    index.push();
    let holds = p.binary(Binary::Lt, zero, n);
    index.assume(&p, holds, true);
    assert_eq!(index.less(&p, zero, n), Some(true));
    index.pop();
    assert_eq!(index.less(&p, zero, n), None);
}

#[test]
fn checks_make_extents_equal() {
    let (mut p, [m, n, k]) = extents();
    let size = mul(&mut p, m, n);
    let condition = p.binary(Binary::Eq, size, k);
    let site = place(&mut p, Failure::ShapeMismatch, "");
    p.checks.push(Check {
        condition,
        site,
        values: vec![],
    });
    let mut index = Index::with_checks(&p);
    assert!(index.same_extent(&p, size, k));
    assert!(!index.same_extent(&p, m, k));
    let v = over(&mut index, &mut p, &[m, n]);
    let row = mul(&mut p, v[0], n);
    let flat = add(&mut p, row, v[1]);
    assert_eq!(index.less(&p, flat, k), Some(true));
}

#[test]
fn enclosing_conditions_are_used() {
    let (mut p, [_, n, _]) = extents();
    let k = p.var(Type::Scalar(Leaf::U64));
    let k = p.add(Node::Variable(k));
    let one = p.usize(1);
    let mut index = Index::new();
    let condition = p.binary(Binary::Lt, k, n);
    let next = add(&mut p, k, one);
    assert_eq!(index.less_equal(&p, next, n), None);
    index.push();
    index.assume(&p, condition, true);
    assert_eq!(index.less_equal(&p, next, n), Some(true));
    assert_eq!(index.decide(&p, condition), Some(true));
    index.pop();
}

#[test]
fn steps_stay_inside() {
    // `k < select(0 < n, (n - 1) / 3 + 1, 0)`, as a range with a step is counted.
    let (mut p, [_, _, n]) = extents();
    let (zero, one, three) = (p.usize(0), p.usize(1), p.usize(3));
    let less = sub(&mut p, n, one);
    let most = div(&mut p, less, three);
    let count = add(&mut p, most, one);
    let some = p.binary(Binary::Lt, zero, n);
    let count = p.add(Node::Select(some, count, zero));
    let (_, k) = p.index_var();
    let holds = p.binary(Binary::Lt, k, count);
    let at = mul(&mut p, k, three);
    let mut index = Index::new();
    assert!(!index.in_bounds(&p, at, &[n]));
    index.push();
    index.assume(&p, holds, true);
    assert!(index.in_bounds(&p, at, &[n]));
    index.pop();
    assert!(!index.in_bounds(&p, at, &[n]));
}

#[test]
fn padded_rows_divide() {
    // (i + k + a * (c + m)) / (c + m) = a + (i + k) / (c + m), i < c + m.
    let (mut p, [c, m, k]) = extents();
    let mut index = Index::new();
    let width = add(&mut p, c, m);
    let v = over(&mut index, &mut p, &[width, k]);
    let row = mul(&mut p, v[1], width);
    let at = add(&mut p, v[0], row);
    let q = div(&mut p, at, width);
    assert_eq!(index.simplify(&mut p, q), v[1]);
}

/// A small generator of numbers: xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

#[test]
fn random_index_expressions_keep_their_values() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut changed, mut decided) = (0, 0);
    for _ in 0..1500 {
        let (mut p, [m, n, k]) = extents();
        let mut index = Index::new();
        let vars: Vec<(Var, Id)> = [m, n, k].map(|_| p.index_var()).to_vec();
        for (&(var, _), extent) in vars.iter().zip([m, n, k]) {
            index.domain(var, extent);
        }
        let mut pool: Vec<Id> = vars.iter().map(|v| v.1).chain([m, n, k]).collect();
        pool.extend([1, 2, 3, 4].map(|c| p.usize(c)));
        for _ in 0..3 + random.below(9) {
            let mut pick = || pool[random.below(pool.len() as u64) as usize];
            let (a, b) = (pick(), pick());
            let op = [
                Binary::Add,
                Binary::Sub,
                Binary::Mul,
                Binary::Div,
                Binary::Rem,
                Binary::Min,
                Binary::Max,
                Binary::Div,
                Binary::Rem,
                Binary::Add,
                Binary::Mul,
            ][random.below(11) as usize];
            pool.push(p.binary(op, a, b));
        }
        let (a, b) = (pool[pool.len() - 1], pool[pool.len() - 2]);
        let comparison = p.binary(Binary::Lt, a, b);
        let before = [a, b, comparison];
        let after = before.map(|id| index.simplify(&mut p, id));
        changed += usize::from(before[0] != after[0]);
        decided += usize::from(matches!(p.node(after[2]), Node::Constant(_)));
        // The values for small extents and all or some indices.
        for size in [[1, 1, 1], [2, 3, 1], [3, 2, 4], [4, 1, 3], [5, 4, 2]] {
            let position: Vec<u64> = size.iter().map(|&s| random.below(s)).collect();
            let map = vars
                .iter()
                .zip(&position)
                .map(|(&(var, _), &at)| (var, p.usize(at)))
                .collect();
            let mut both = p.clone();
            let ids = [before.to_vec(), after.to_vec()].concat();
            let values = both.substitute_all(&ids, &map);
            both.outputs = vec![Output::Scalar(values)];
            let array = |extents: &[u64]| {
                let count = extents.iter().product::<u64>() as usize;
                crate::ir::eval::Array {
                    extents: extents.to_vec(),
                    leaves: vec![vec![Scalar::zero(Leaf::F32); count]],
                }
            };
            let arrays = [array(&size[..2]), array(&size[2..])];
            let crate::ir::eval::Output::Scalar(values) =
                eval(&both, &[], &arrays).expect("no failure").remove(0)
            else {
                panic!("a scalar");
            };
            // Division by zero has no meaning; eval gives zero and everything from there on may differ.
            let divides_by_zero = both.ids().any(|id| match *both.node(id) {
                Node::Binary(Binary::Div | Binary::Rem, _, b) if both.free(id).is_empty() => {
                    let mut probe = both.clone();
                    probe.outputs = vec![Output::Scalar(vec![b])];
                    let result = eval(&probe, &[], &arrays).expect("no failure");
                    result
                        == [crate::ir::eval::Output::Scalar(vec![Scalar::zero(
                            Leaf::U64,
                        )])]
                }
                _ => false,
            });
            if divides_by_zero {
                continue;
            }
            assert_eq!(
                values[..3],
                values[3..],
                "sizes {size:?} at {position:?} in\n{both}"
            );
        }
    }
    assert!(changed > 300 && decided > 200, "{changed} {decided}");
}

/// Values of closed copies of expressions for given extents of `extents()`.
fn values(p: &Program, ids: &[Id], map: &QuickMap<Var, Id>, size: [u64; 3]) -> Vec<Scalar> {
    let mut closed = p.clone();
    let roots = closed.substitute_all(ids, map);
    closed.outputs = vec![Output::Scalar(roots)];
    let array = |extents: &[u64]| crate::ir::eval::Array {
        extents: extents.to_vec(),
        leaves: vec![vec![
            Scalar::zero(Leaf::F32);
            extents.iter().product::<u64>() as usize
        ]],
    };
    let arrays = [array(&size[..2]), array(&size[2..])];
    let output = eval(&closed, &[], &arrays).expect("no failure").remove(0);
    let crate::ir::eval::Output::Scalar(values) = output else {
        panic!("a scalar");
    };
    values
}

#[test]
fn random_signed_and_conditional_expressions_keep_their_values() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut decided = 0;
    for _ in 0..1500 {
        let (mut p, [m, n, k]) = extents();
        let mut index = Index::new();
        let vars: Vec<(Var, Id)> = [m, n, k].map(|_| p.index_var()).to_vec();
        for (&(var, _), extent) in vars.iter().zip([m, n, k]) {
            index.domain(var, extent);
        }
        let leaf = [Leaf::I64, Leaf::I32, Leaf::U8, Leaf::U64][random.below(4) as usize];
        let mut pool: Vec<Id> = vars.iter().map(|v| v.1).chain([m, n, k]).collect();
        if leaf != Leaf::U64 {
            for id in &mut pool {
                *id = p.add(Node::Cast(leaf, *id));
            }
        }
        pool.extend([-2, 0, 1, 3].map(|c| p.constant(Scalar::number(leaf, c))));
        let mut conditions = vec![p.binary(Binary::Lt, pool[0], pool[1])];
        for _ in 0..3 + random.below(9) {
            let mut pick = || pool[random.below(pool.len() as u64) as usize];
            let (a, b) = (pick(), pick());
            let condition = conditions[random.below(conditions.len() as u64) as usize];
            let constant = p.constant(Scalar::number(leaf, 1 + random.below(4) as i64));
            let id = match random.below(10) {
                0 | 1 => p.binary(Binary::Add, a, b),
                2 | 3 => p.binary(Binary::Sub, a, b),
                4 => p.binary(Binary::Mul, a, b),
                5 => p.binary([Binary::Min, Binary::Max][random.below(2) as usize], a, b),
                6 => p.binary(
                    [Binary::Div, Binary::Rem][random.below(2) as usize],
                    a,
                    constant,
                ),
                7 => {
                    let compare = [Binary::Lt, Binary::Le, Binary::Eq, Binary::Ne];
                    let c = p.binary(compare[random.below(4) as usize], a, b);
                    conditions.push(c);
                    a
                }
                8 => p.add(Node::Select(condition, a, b)),
                _ => {
                    let choice = p.add(Node::If {
                        condition,
                        then: vec![a],
                        otherwise: vec![b],
                    });
                    p.add(Node::Project(choice, 0))
                }
            };
            pool.push(id);
        }
        // A fact that need not hold: results count only where it does.
        let fact = conditions[random.below(conditions.len() as u64) as usize];
        index.assume(&p, fact, true);
        let (a, b) = (pool[pool.len() - 1], pool[pool.len() - 2]);
        let comparison = p.binary(Binary::Lt, a, b);
        let before = [a, b, comparison];
        let after = before.map(|id| index.simplify(&mut p, id));
        decided += usize::from(matches!(p.node(after[2]), Node::Constant(_)));
        for size in [
            [1, 1, 1],
            [2, 3, 1],
            [3, 2, 4],
            [4, 1, 3],
            [5, 4, 2],
            [1, 7, 9],
        ] {
            let map = (vars.iter().zip(size))
                .map(|(&(var, _), s)| (var, p.usize(random.below(s))))
                .collect();
            let ids = [&before[..], &after, &[fact]].concat();
            let found = values(&p, &ids, &map, size);
            if found[6].is_true() {
                assert_eq!(
                    found[..3],
                    found[3..6],
                    "{leaf:?} {size:?} {map:?} in {p:?}"
                );
            }
        }
    }
    assert!(decided > 300, "{decided}");
}

#[test]
fn bits_of_networks() {
    let (mut p, _) = extents();
    let mut index = Index::new();
    let n = p.usize(512);
    let i = over(&mut index, &mut p, &[n])[0];
    let nine = p.usize(9);
    let stage = over(&mut index, &mut p, &[nine])[0];
    let stage = p.add(Node::Cast(Leaf::U32, stage));
    let (one, two) = (p.usize(1), p.usize(2));
    let bit = p.binary(Binary::Shl, one, stage);
    let twice = p.binary(Binary::Shl, two, stage);
    let mask = sub(&mut p, twice, one);
    for other in [bit, mask] {
        let partner = p.binary(Binary::Xor, i, other);
        assert_eq!(index.less(&p, partner, n), Some(true));
    }
    let half = p.usize(256);
    let partner = p.binary(Binary::Xor, i, bit);
    assert_eq!(index.less(&p, partner, half), None);
    // One bit more than there is room for.
    let partner = p.binary(Binary::Or, i, twice);
    assert_eq!(index.less(&p, partner, n), None);
    let low = p.binary(Binary::And, partner, i);
    assert_eq!(index.less(&p, low, n), Some(true));
}

/// As `lower` writes the places of a stencil.
#[test]
fn boundaries_stay_inside() {
    let kinds = ["wrap", "reflect"];
    for (kind, offset) in kinds
        .iter()
        .flat_map(|kind| [-5_i64, -2, -1, 1].map(|by| (kind, by)))
    {
        let (mut p, [_, n, _]) = extents();
        let mut index = Index::new();
        let i = over(&mut index, &mut p, &[n])[0];
        let (one, two, by) = (p.usize(1), p.usize(2), p.usize(offset.unsigned_abs()));
        let select = |p: &mut Program, condition, a, b| p.add(Node::Select(condition, a, b));
        let (shifted, inside) = match offset > 0 {
            true => {
                let shifted = add(&mut p, i, by);
                (shifted, p.binary(Binary::Lt, shifted, n))
            }
            false => (sub(&mut p, i, by), p.binary(Binary::Le, by, i)),
        };
        let twice = mul(&mut p, n, two);
        let period = match *kind {
            "wrap" => n,
            _ => twice,
        };
        let period = p.binary(Binary::Max, period, one);
        let part = rem(&mut p, by, period);
        let part = match offset > 0 {
            true => part,
            false => sub(&mut p, period, part),
        };
        let moved = add(&mut p, i, part);
        let back = sub(&mut p, moved, period);
        let once = p.binary(Binary::Lt, moved, period);
        let place = select(&mut p, once, moved, back);
        let place = match *kind {
            "wrap" => place,
            _ => {
                let last = sub(&mut p, twice, one);
                let turned = sub(&mut p, last, place);
                p.binary(Binary::Min, place, turned)
            }
        };
        let place = select(&mut p, inside, shifted, place);
        assert_eq!(index.less(&p, place, n), Some(true), "{kind}, {offset}");
    }
}
