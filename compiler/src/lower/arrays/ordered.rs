//! Scatters in order: `#[deterministic]` promises the same bits on every run and every device, whatever the operator.
//!
//! A stable sort by target brings together what meets, in the order of the source, as a run of neighbours. Where a run
//! begins, it is folded from the default on, one element after the other. A long run would keep one thread busy for long:
//! so all of the sorted elements are cut into blocks of a fixed size, each that lies within one run is folded by itself,
//! and the run takes it in one step. How operands are bracketed follows from the targets alone.

use super::comparisons::Order;
use super::scatters::Points;
use super::sorts::MOVED;
use crate::ir::{Id, Node, QuickMap};
use crate::lower::operators::Operator;
use crate::lower::value::{Array, Value};
use crate::lower::{Lower, Lowered};
use crate::scalar::{Binary, Leaf};
use proc_macro2::Span;

/// Elements of a block: a compromise between the steps of one thread within a block and over the blocks of a run.
const BLOCK: u64 = 256;

/// Points in the order of their targets.
struct Runs<'o> {
    operator: &'o Operator,
    /// How many points there are.
    count: Id,
    /// The position of each point's target, in order, in the narrowest type that is known to hold it.
    keys: Id,
    /// Positions are less; that of a point without a target is not.
    bound: Id,
    /// The elements, read at these places if they did not move with the keys.
    elements: Vec<Id>,
    places: Option<Id>,
}

impl<'a> Lower<'a> {
    /// Whether the order of operands shows in no bit.
    pub(super) fn order_free(&self, operator: &Operator) -> bool {
        operator.commutes
            && operator.combined.iter().all(|&whole| {
                matches!(
                    self.p.node(whole),
                    Node::Binary(Binary::Min | Binary::Max, ..)
                ) || !self.p.leaf(whole).is_float()
            })
    }

    /// The points of a scatter combined in their order.
    pub(super) fn scatter_in_order(
        &mut self,
        defaults: &Array<'a>,
        points: &Points<'a>,
        operator: &Operator,
        span: Span,
    ) -> Lowered<Value<'a>> {
        if operator.combined.is_empty() {
            return Ok(Value::Array(defaults.clone()));
        }
        let runs = self.runs(defaults, points, operator, span)?;
        let blocks = self.blocks(&runs);
        let (zero, one) = (self.p.usize(0), self.p.usize(1));
        let size = self.p.usize(BLOCK);

        let (vars, at) = self.indices(1);
        let target = self.index(runs.keys, &at);
        let first = self.p.binary(Binary::Eq, at[0], zero);
        let before = self.binary(Binary::Sub, at[0], one);
        let before = self.index(runs.keys, &[before]);
        let begins = self.p.binary(Binary::Ne, before, target);
        let yes = self.p.bool(true);
        let begins = self.either(first, vec![yes], vec![begins])[0];
        let position = self.cast(Leaf::U64, target);
        let valid = self.p.binary(Binary::Lt, position, runs.bound);
        let begins = self.and(begins, valid);

        // Only there is a target to be read.
        let zeros = vec![zero; defaults.extents.len()];
        let to = match defaults.extents.len() {
            1 => vec![position],
            _ => {
                let to = self.unravelled(&defaults.extents, position);
                self.either(begins, to, zeros)
            }
        };
        let default = self.element(defaults, &to).leaves();
        let nothing = self.zeros_like(&default);
        let initial = self.either(begins, default, nothing);
        let start = self.select(begins, at[0], runs.count);
        let folded = self.folded(&runs, start, initial, |lower, place| {
            let open = lower.p.binary(Binary::Lt, place, runs.count);
            let key = lower.index(runs.keys, &[place]);
            let same = lower.p.binary(Binary::Eq, key, target);
            let no = lower.p.bool(false);
            let open = lower.either(open, vec![same], vec![no])[0];
            // A block that ends in the run lies within it.
            let within = lower.p.binary(Binary::Rem, place, size);
            let aligned = lower.p.binary(Binary::Eq, within, zero);
            let end = lower.binary(Binary::Add, place, size);
            let there = lower.p.binary(Binary::Le, end, runs.count);
            let candidate = lower.and(aligned, there);
            let last = lower.binary(Binary::Sub, end, one);
            let last = lower.index(runs.keys, &[last]);
            let whole = lower.p.binary(Binary::Eq, last, target);
            let whole = lower.either(candidate, vec![whole], vec![no])[0];
            let block = lower.binary(Binary::Div, place, size);
            let block = blocks.iter().map(|&of| lower.index(of, &[block])).collect();
            let single = lower.operands(&runs, place);
            let operands = lower.either(whole, block, single);
            let next = lower.binary(Binary::Add, place, one);
            let next = lower.select(whole, end, next);
            (open, operands, next)
        });
        let replacing = self.replacing(&Value::Tuple(
            folded.iter().map(|&leaf| Value::Scalar(leaf)).collect(),
        ));
        let bundle = self.p.add(Node::Scatter {
            defaults: defaults.tree.leaves(),
            extents: vec![runs.count],
            vars,
            condition: begins,
            at: to,
            elements: folded,
            left: replacing.left,
            right: replacing.right,
            combined: replacing.combined,
            once: None,
        });
        self.locate(bundle, span);
        let leaves = self.p.components(bundle);
        Ok(Value::Array(Array {
            extents: defaults.extents.clone(),
            tree: Box::new(defaults.tree.with_leaves(&leaves)),
        }))
    }

    /// The points by target, those of one target in their order.
    fn runs<'o>(
        &mut self,
        defaults: &Array<'a>,
        points: &Points<'a>,
        operator: &'o Operator,
        span: Span,
    ) -> Lowered<Runs<'o>> {
        let count = self.product(&points.extents);
        let (vars, at) = self.indices(1);
        let place = at[0];
        let index = self.unravelled(&points.extents, place);
        let map: QuickMap<_, _> = points.vars.iter().copied().zip(index).collect();
        let elements = operator.elements(self, &points.element);
        let to = self.linear_index(&defaults.extents, &points.at);
        let own = [&[points.condition, to][..], &elements].concat();
        let own = self.p.substitute_all(&own, &map);
        let (some, to, elements) = (own[0], own[1], &own[2..]);
        let (leaf, bound) = self.positions(&defaults.extents, some, to);
        let key = self.either(some, vec![to], vec![bound])[0];
        let key = self.cast(leaf, key);
        let all = [&[key][..], elements].concat();
        let all = self.unless_nothing(&defaults.extents, all);
        let (key, elements) = (all[0], &all[1..]);
        let bytes: usize = (elements.iter().map(|&id| self.p.leaf(id).bytes())).sum();
        if bytes <= MOVED {
            let sorted = self.sort_node(&[count], vars, &all, Order::natural(1), span)?;
            return Ok(Runs {
                operator,
                count,
                keys: sorted[0],
                bound,
                elements: sorted[1..].to_vec(),
                places: None,
            });
        }
        let elements = (elements.iter())
            .map(|&element| {
                let (own, read) = self.indices(1);
                let map = QuickMap::from_iter([(vars[0], read[0])]);
                let element = self.p.substitute(element, &map);
                let array = self.abstracted(&[count], &own, element);
                // What fails does so in the order of the source.
                match self.may_fail(element) {
                    true => self.p.add(Node::Materialize(array)),
                    false => array,
                }
            })
            .collect();
        let sorted = self.sort_node(&[count], vars, &[key, place], Order::natural(1), span)?;
        Ok(Runs {
            operator,
            count,
            keys: sorted[0],
            bound,
            elements,
            places: Some(sorted[1]),
        })
    }

    /// What may fail is evaluated only for a target with elements: nobody asks for one of an empty result.
    fn unless_nothing(&mut self, target: &[Id], values: Vec<Id>) -> Vec<Id> {
        if !values.iter().any(|&value| self.may_fail(value)) {
            return values;
        }
        let (size, zero) = (self.product(target), self.p.usize(0));
        let asked = self.p.binary(Binary::Ne, size, zero);
        let nothing = self.zeros_like(&values);
        self.either(asked, values, nothing)
    }

    /// The narrowest type that is known to hold positions of targets, and what they are less than: that stands for no
    /// target, and has to fit only where a point may go nowhere without a failure.
    fn positions(&mut self, extents: &[Id], some: Id, to: Id) -> (Leaf, Id) {
        let targets = self.product(extents);
        let mut always = some;
        while let Node::Guard { value, .. } = *self.p.node(always) {
            always = value;
        }
        let spare = u64::from(self.known(always) != Some(true));
        let (bound, most) = match (self.constant_of(targets), self.p.node(to)) {
            (Some(targets_known), _) => (targets, targets_known.bits),
            (None, &Node::Cast(Leaf::U64, from))
                if self.p.leaf(from).is_integer() && self.p.leaf(from).bits() < 64 =>
            {
                let values = 1 << self.p.leaf(from).bits();
                let all = self.p.usize(values);
                (self.binary(Binary::Min, targets, all), values - 1 + spare)
            }
            _ => (targets, u64::MAX),
        };
        let holds = |leaf: &Leaf| most >> leaf.bits() == 0;
        let leaf = [Leaf::U8, Leaf::U16, Leaf::U32].into_iter().find(holds);
        (leaf.unwrap_or(Leaf::U64), bound)
    }

    /// What each block comes to that lies within a run: arrays, to be stored.
    fn blocks(&mut self, runs: &Runs<'_>) -> Vec<Id> {
        let (one, size, less) = (
            self.p.usize(1),
            self.p.usize(BLOCK),
            self.p.usize(BLOCK - 1),
        );
        let count = self.binary(Binary::Div, runs.count, size);
        let (vars, at) = self.indices(1);
        let from = self.binary(Binary::Mul, at[0], size);
        let last = self.binary(Binary::Add, from, less);
        let end = self.binary(Binary::Add, from, size);
        let [target, other] = [from, last].map(|place| self.index(runs.keys, &[place]));
        let same = self.p.binary(Binary::Eq, target, other);
        let position = self.cast(Leaf::U64, target);
        let valid = self.p.binary(Binary::Lt, position, runs.bound);
        let whole = self.and(same, valid);
        let initial = self.operands(runs, from);
        let nothing = self.zeros_like(&initial);
        let initial = self.either(whole, initial, nothing);
        let second = self.binary(Binary::Add, from, one);
        let start = self.select(whole, second, end);
        let folded = self.folded(runs, start, initial, |lower, place| {
            let open = lower.p.binary(Binary::Lt, place, end);
            let operands = lower.operands(runs, place);
            let next = lower.binary(Binary::Add, place, one);
            (open, operands, next)
        });
        (folded.into_iter())
            .map(|leaf| {
                let array = self.abstracted(&[count], &vars, leaf);
                self.p.add(Node::Materialize(array))
            })
            .collect()
    }

    /// A fold by one thread. Of a place: whether to go on there, the operands there, and the next place.
    fn folded(
        &mut self,
        runs: &Runs<'_>,
        start: Id,
        initial: Vec<Id>,
        step: impl FnOnce(&mut Self, Id) -> (Id, Vec<Id>, Id),
    ) -> Vec<Id> {
        let ((at, place), like) = (self.p.index_var(), &initial);
        let like = Value::Tuple(like.iter().map(|&leaf| Value::Scalar(leaf)).collect());
        let (accumulators, held) = self.operand(&like, "acc");
        let (condition, operands, next) = step(self, place);
        let Operator {
            left,
            right,
            combined,
            ..
        } = runs.operator;
        let left = left.iter().copied().zip(held.leaves());
        let map = left.chain(right.iter().copied().zip(operands)).collect();
        let combined = self.p.substitute_all(combined, &map);
        let bundle = self.p.add(Node::Loop {
            state: [&[at][..], &accumulators].concat(),
            initial: [&[start][..], &initial].concat(),
            condition,
            next: [&[next][..], &combined].concat(),
        });
        self.p.components(bundle)[1..].to_vec()
    }

    /// The element at a place of the runs.
    fn operands(&mut self, runs: &Runs<'_>, place: Id) -> Vec<Id> {
        let place = match runs.places {
            Some(places) => self.index(places, &[place]),
            None => place,
        };
        (runs.elements.iter())
            .map(|&element| self.index(element, &[place]))
            .collect()
    }

    fn zeros_like(&mut self, leaves: &[Id]) -> Vec<Id> {
        let leaves: Vec<Leaf> = leaves.iter().map(|&leaf| self.p.leaf(leaf)).collect();
        (leaves.into_iter())
            .map(|leaf| self.number(leaf, 0.0))
            .collect()
    }
}
