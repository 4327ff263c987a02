//! Sorts by a comparison. One that compares an expression of either element, field after field and upwards or downwards,
//! is a sort by keys; any other one goes along with the sort.

use crate::ir::{Id, Node, QuickMap, Type, Var};
use crate::lower::guards::Scope;
use crate::lower::value::{Array, ClosureValue, Value};
use crate::lower::{Lower, Lowered, not_yet};
use crate::scalar::{Binary, Leaf, Unary};
use crate::typed::Sort;
use proc_macro2::Span;

/// Leaves of what is sorted, at most: a state of the CPU's drivers has no more.
pub(super) const LEAVES: usize = 12;

/// Bytes of keys, at most, for which digits are better than comparisons.
const DIGITS: usize = 8;

/// Bytes of what a comparison looks at, at most: a block of a GPU holds a tile of elements.
const LARGEST: usize = 256;

/// Which element of a sort comes before another one.
pub(super) struct Order {
    /// How many of the leaves decide: the first ones.
    pub(super) keys: usize,
    /// How, if not in their natural order one after the other.
    pub(super) less: Option<Less>,
}

/// Whether an element comes before another one, of variables for what decides.
pub(super) struct Less {
    pub(super) left: Vec<Var>,
    pub(super) right: Vec<Var>,
    pub(super) less: Id,
}

impl Order {
    /// The natural order of the first leaves.
    pub(super) fn natural(keys: usize) -> Order {
        Order { keys, less: None }
    }
}

impl<'a> Lower<'a> {
    /// `xs.sort_by(closure)` and `xs.argsort_by(closure)`: elements or their places.
    pub(super) fn sort_by(
        &mut self,
        sort: Sort,
        array: Array<'a>,
        closure: &ClosureValue<'a>,
        span: Span,
    ) -> Lowered<Value<'a>> {
        let (vars, at) = self.indices(array.extents.len());
        let element = self.element(&array, &at);
        let leaves = element.leaves();
        let (left, a) = self.operand(&element, "a");
        let (right, b) = self.operand(&element, "b");
        let element = match sort {
            Sort::PlacesBy => Value::Scalar(*at.last().expect("an axis to sort along")),
            _ => element,
        };
        let outer = std::mem::take(&mut self.effects);
        let operands = vec![a.clone(), b.clone()];
        let order = self.in_scope(Scope::Unknown, |lower| lower.apply(closure, operands))?;
        let order = order.scalar();
        let effects = self.end_operator(outer, &[order]);
        let around = self.scopes.iter().filter_map(|scope| match scope {
            Scope::Domain { vars, .. } => Some(vars),
            Scope::Branch(_) | Scope::Unknown => None,
        });
        let segments = self.around.iter().map(|around| around.segment);
        let around: Vec<Var> = around.flatten().copied().chain(segments).collect();
        let (a, b) = (a.leaves(), b.leaves());
        if effects.is_empty()
            && let Some(keys) = self.keys_of(order, [&left, &right], [&a, &b], &leaves)
        {
            return self.sorted(array, vars, element, keys, None, span);
        }
        let less = self.is_less(order);
        let less = self.under_all(&effects, less);
        if self.p.free(less).iter().any(|var| around.contains(var)) {
            return Err(not_yet(
                span,
                "a comparison that depends on the element or row around it",
                "let the elements hold what it depends on: sort tuples",
            ));
        }
        // What it does not look at does not decide.
        let free = self.p.free(less).clone();
        let decides = |k: &usize| free.contains(&left[*k]) || free.contains(&right[*k]);
        let deciding: Vec<usize> = (0..leaves.len()).filter(decides).collect();
        let bytes: usize = (deciding.iter())
            .map(|&k| self.p.leaf(leaves[k]).bytes())
            .sum();
        if bytes > LARGEST || deciding.len() >= LEAVES {
            return Err(not_yet(
                span,
                &format!("a comparison of {} fields of {bytes} bytes", deciding.len()),
                "compare fewer fields, or write `sort_by_key(|x| ..)`",
            ));
        }
        let keys = deciding.iter().map(|&k| leaves[k]).collect();
        let of = |vars: &[Var]| deciding.iter().map(|&k| vars[k]).collect();
        let less = Less {
            left: of(&left),
            right: of(&right),
            less,
        };
        self.sorted(array, vars, element, keys, Some(less), span)
    }

    /// The keys by whose natural order elements are in the order that a comparison says, if there are some.
    fn keys_of(
        &mut self,
        order: Id,
        [left, right]: [&[Var]; 2],
        [a, b]: [&[Id]; 2],
        leaves: &[Id],
    ) -> Option<Vec<Id>> {
        let pairs = self.comparisons.get(&order)?.clone();
        let map = |vars: &[Var], to: &[Id]| -> QuickMap<Var, Id> {
            vars.iter().copied().zip(to.iter().copied()).collect()
        };
        let (to_right, to_left) = (map(left, b), map(right, a));
        let (mut keys, mut bytes) = (Vec::new(), 0);
        for (x, y) in pairs {
            let only = |lower: &Self, id: Id, vars: &[Var], not: &[Var]| {
                let free = lower.p.free(id);
                vars.iter().any(|var| free.contains(var))
                    && !not.iter().any(|var| free.contains(var))
            };
            let key = if only(self, x, left, right) && self.p.substitute(x, &to_right) == y {
                self.p.substitute(x, &map(left, leaves))
            } else if only(self, x, right, left) && self.p.substitute(x, &to_left) == y {
                // Downwards: what is not, of a number that compares as the leaf does.
                let key = self.p.substitute(x, &map(right, leaves));
                let key = self.p.ordered(key);
                match self.p.leaf(key) {
                    Leaf::Bool => self.not(key),
                    _ => self.p.unary(Unary::Not, key),
                }
            } else {
                return None;
            };
            if self.may_fail(key) {
                return None;
            }
            bytes += self.p.leaf(key).bytes();
            keys.push(key);
        }
        (!keys.is_empty() && bytes <= DIGITS).then_some(keys)
    }

    /// An order within segments: their numbers decide first.
    pub(super) fn within_segments(&mut self, order: Order) -> Order {
        let less = order.less.map(|less| {
            let number = Type::Scalar(Leaf::U32);
            let [a, b] = [(); 2].map(|()| self.p.var(number.clone()));
            let [x, y] = [a, b].map(|var| self.p.add(Node::Variable(var)));
            let before = self.binary(Binary::Lt, x, y);
            let same = self.binary(Binary::Eq, x, y);
            let rest = self.and(same, less.less);
            Less {
                left: [&[a], &less.left[..]].concat(),
                right: [&[b], &less.right[..]].concat(),
                less: self.or(before, rest),
            }
        });
        Order {
            keys: order.keys + 1,
            less,
        }
    }
}
