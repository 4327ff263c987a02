//! The greatest elements of the last axis, in falling order. A few of them, of a number known here, are one fold: its state
//! is so many elements in order, and two states are merged by a network. Others are what a sort begins with.

use super::comparisons::LEAVES;
use crate::ir::{Id, Var};
use crate::lower::operators::Operator;
use crate::lower::value::{Array, Value};
use crate::lower::{Lower, Lowered};
use crate::scalar::{Binary, Leaf, Scalar, Unary};
use crate::typed::{Expr, Sort};
use proc_macro2::Span;

/// So many are folded at most: what merging costs grows faster than their number.
const FEW: usize = 8;

/// The leaves of an element by which it is compared; nothing where it is less than all others.
type Ranked = Option<Vec<Id>>;

impl<'a> Lower<'a> {
    /// `xs.top_k(k)`, `xs.argtop_k(k)`.
    pub(super) fn greatest(
        &mut self,
        sort: Sort,
        arguments: &'a [Expr],
        span: Span,
    ) -> Lowered<Value<'a>> {
        let array = self.array(&arguments[0])?;
        let count = self.scalar(&arguments[1])?;
        let places = sort == Sort::TopPlaces;
        let axis = array.extents.len() - 1;
        let name = if places { "argtop_k" } else { "top_k" };
        let condition = self.binary(Binary::Le, count, array.extents[axis]);
        let message = format!("`{name}` of {{0}} of an axis of {{1}}");
        let values = vec![count, array.extents[axis]];
        let effects = Vec::from_iter(self.out_of_bounds(condition, &message, values, span));
        let leaves = array.tree.leaves().len() + usize::from(places);
        let few = self.constant_of(count).map(|count| count.bits as usize);
        let few = few.filter(|&k| (1..=FEW).contains(&k) && k * leaves <= LEAVES);
        let greatest = match few {
            Some(k) => self.folded_greatest(&array, k, places, span)?,
            None => {
                let sorted = self.falling(array, places, span)?;
                self.along_last(&sorted, count, |_, i| i)
            }
        };
        Ok(Value::Array(self.guarded_array(&effects, greatest)))
    }

    /// All elements, or their places, in falling order.
    fn falling(&mut self, array: Array<'a>, places: bool, span: Span) -> Lowered<Array<'a>> {
        let (vars, at) = self.indices(array.extents.len());
        let element = self.element(&array, &at);
        let keys = element
            .leaves()
            .into_iter()
            .map(|leaf| self.falling_key(leaf));
        let keys = keys.collect();
        let element = match places {
            true => Value::Scalar(*at.last().expect("an axis")),
            false => element,
        };
        let sorted = self.sorted(array, vars, element, keys, None, span)?;
        Ok(sorted.into_array())
    }

    /// What rises where a leaf falls.
    fn falling_key(&mut self, leaf: Id) -> Id {
        let key = self.p.ordered(leaf);
        match self.p.leaf(key) {
            Leaf::Bool => self.not(key),
            _ => self.p.unary(Unary::Not, key),
        }
    }

    /// The same of a few, by a fold.
    fn folded_greatest(
        &mut self,
        array: &Array<'a>,
        k: usize,
        places: bool,
        span: Span,
    ) -> Lowered<Array<'a>> {
        let axis = array.extents.len() - 1;
        let n = array.extents[axis];
        let fold = |lower: &mut Self, row: &[Id]| {
            let (vars, at) = lower.indices(1);
            let element = lower.element(array, &[row, &at].concat());
            let own = element.leaves();
            let types: Vec<Leaf> = own.iter().map(|&leaf| lower.p.leaf(leaf)).collect();
            let ranked = own.into_iter().map(|leaf| lower.p.ordered(leaf));
            let mut ranked: Vec<Id> = ranked.collect();
            // Of equals the first is the greatest.
            ranked.extend(places.then(|| lower.p.unary(Unary::Not, at[0])));
            let least: Vec<Id> = ranked.iter().map(|&leaf| lower.least_of(leaf)).collect();
            let operator = lower.merging(&ranked, k);
            let mut elements = ranked;
            (1..k).for_each(|_| elements.extend(&least));
            let initial = (0..k).flat_map(|_| least.clone()).collect();
            let found = lower.reduce(vec![n], vars, elements, &operator, Some(initial));
            let each = found.chunks(found.len() / k);
            let each: Vec<Vec<Id>> = each
                .map(|leaves| match places {
                    true => vec![lower.p.unary(Unary::Not, leaves[types.len()])],
                    false => (leaves.iter().zip(&types))
                        .map(|(&leaf, &ty)| lower.p.unordered(ty, leaf))
                        .collect(),
                })
                .collect();
            let like = match places {
                true => Value::Scalar(each[0][0]),
                false => element.with_leaves(&each[0]),
            };
            let count = lower.p.usize(k as u64);
            let (vars, at) = lower.indices(1);
            let mut leaves = each[k - 1].clone();
            for (place, of) in each.iter().enumerate().rev().skip(1) {
                let place = lower.p.usize(place as u64);
                let here = lower.p.binary(Binary::Eq, at[0], place);
                leaves = (of.iter().zip(&leaves))
                    .map(|(&leaf, &rest)| lower.select(here, leaf, rest))
                    .collect();
            }
            let tree = like.with_leaves(&leaves);
            Ok(Value::Array(Array {
                extents: vec![count],
                tree: Box::new(tree.map(&mut |leaf| lower.abstracted(&[count], &vars, leaf))),
            }))
        };
        let value = match axis {
            0 => fold(self, &[])?,
            _ => self.tabulate(&array.extents[..axis], span, fold)?,
        };
        Ok(value.into_array())
    }

    /// Of two states of k elements in falling order the k greatest, in falling order.
    fn merging(&mut self, like: &[Id], k: usize) -> Operator {
        let like = Value::Tuple(like.iter().map(|&leaf| Value::Scalar(leaf)).collect());
        let side = |lower: &mut Self, name: &str| -> (Vec<Var>, Vec<Ranked>) {
            let elements = (0..k).map(|_| lower.operand(&like, name));
            let (vars, values): (Vec<Vec<Var>>, Vec<Value<'a>>) = elements.unzip();
            let mut ranked: Vec<Ranked> = values.iter().map(|value| Some(value.leaves())).collect();
            ranked.resize(k.next_power_of_two(), None);
            (vars.concat(), ranked)
        };
        let (left, mut best) = side(self, "acc");
        let (right, other) = side(self, "x");
        // The greater ones of a falling sequence and a rising one: they fall and rise, or rise and fall.
        for (one, other) in best.iter_mut().zip(other.into_iter().rev()) {
            *one = self.in_order(one.take(), other).0;
        }
        let mut half = best.len() / 2;
        while half > 0 {
            for low in (0..best.len()).filter(|place| place & half == 0) {
                let (one, other) = (best[low].take(), best[low + half].take());
                (best[low], best[low + half]) = self.in_order(one, other);
            }
            half /= 2;
        }
        best.truncate(k);
        Operator {
            left,
            right,
            combined: best.into_iter().flatten().flatten().collect(),
            commutes: true,
            terms: None,
        }
    }

    /// The greater of two elements, and the other one.
    fn in_order(&mut self, a: Ranked, b: Ranked) -> (Ranked, Ranked) {
        let (Some(a), Some(b)) = (a.clone(), b.clone()) else {
            return (a.or(b), None);
        };
        if let (&[a], &[b]) = (&a[..], &b[..]) {
            let [most, least] = match self.p.leaf(a) {
                Leaf::Bool => [self.or(a, b), self.and(a, b)],
                _ => [Binary::Max, Binary::Min].map(|op| self.p.binary(op, a, b)),
            };
            return (Some(vec![most]), Some(vec![least]));
        }
        let less = self.less(&a, &b);
        let pick = |lower: &mut Self, a: &[Id], b: &[Id]| {
            let both = a.iter().zip(b);
            Some(both.map(|(&a, &b)| lower.select(less, a, b)).collect())
        };
        (pick(self, &b, &a), pick(self, &a, &b))
    }

    /// The least value of a leaf that is compared as it is.
    fn least_of(&mut self, leaf: Id) -> Id {
        let leaf = self.p.leaf(leaf);
        let bits = match leaf.is_signed() {
            true => 1 << (leaf.bits() - 1),
            false => 0,
        };
        self.p.constant(Scalar { leaf, bits })
    }
}
