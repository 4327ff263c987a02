//! Sorts of the last axis, and what follows from an order: whether an array has it, and where an element stands.
//!
//! Elements move with their keys if they are small, else their places do. A sort within a closure of elements or rows is
//! one of an array that has the closure's axes in front; in a branch, or if it may fail, `fuse::spread` makes it one.

use super::comparisons::{LEAVES, Less, Order};
use crate::ir::{Id, Node, QuickMap, QuickSet, Site, Var};
use crate::lower::guards::Scope;
use crate::lower::value::{Array, ClosureValue, Value};
use crate::lower::{Lower, Lowered, not_yet};
use crate::scalar::{Binary, Leaf};
use crate::typed::{Expr, Sort};
use proc_macro2::Span;

/// Bytes of an element beside its key that move with it: two leaves of 64 bits.
pub(super) const MOVED: usize = 16;

impl<'a> Lower<'a> {
    pub(super) fn sort(
        &mut self,
        sort: Sort,
        arguments: &'a [Expr],
        span: Span,
    ) -> Lowered<Value<'a>> {
        if matches!(sort, Sort::Top | Sort::TopPlaces) {
            return self.greatest(sort, arguments, span);
        }
        let array = self.array(&arguments[0])?;
        match sort {
            Sort::IsSorted => return self.is_sorted(&array, None, span),
            Sort::IsSortedBy => {
                let closure = self.closure(&arguments[1])?;
                return self.is_sorted(&array, Some(&closure), span);
            }
            Sort::IsSortedByKey => {
                let closure = self.closure(&arguments[1])?;
                let keys = self.tabulate(&array.extents, span, |lower, at| {
                    let element = lower.element(&array, at);
                    lower.apply(&closure, vec![element])
                })?;
                return self.is_sorted(&keys.into_array(), None, span);
            }
            Sort::Search => {
                let sought = self.expr(&arguments[1])?;
                return Ok(self.search(&array, &sought));
            }
            Sort::PartitionPoint => {
                let closure = self.closure(&arguments[1])?;
                let n = array.extents[0];
                let at = self.bisect(n, |lower, middle| {
                    let element = lower.element(&array, &[middle]);
                    let outer = std::mem::take(&mut lower.effects);
                    let apply = |lower: &mut Self| lower.apply(&closure, vec![element]);
                    let holds = lower.in_scope(Scope::Unknown, apply)?.scalar();
                    let effects = lower.end_region(outer, &[holds]);
                    Ok(lower.under_all(&effects, holds))
                })?;
                return Ok(Value::Scalar(at));
            }
            Sort::By | Sort::PlacesBy => {
                let closure = self.closure(&arguments[1])?;
                return self.sort_by(sort, array, &closure, span);
            }
            Sort::Elements | Sort::ByKey | Sort::Places => {}
            Sort::Top | Sort::TopPlaces => unreachable!("no whole sort"),
        }
        let (vars, at) = self.indices(array.extents.len());
        let place = *at.last().expect("an axis to sort along");
        let element = self.element(&array, &at);
        let mut keys = element.leaves();
        if sort == Sort::ByKey {
            let closure = self.closure(&arguments[1])?;
            let outer = std::mem::take(&mut self.effects);
            let domain = Scope::Domain {
                vars: vars.clone(),
                extents: array.extents.clone(),
            };
            let element = element.clone();
            let key = self.in_scope(domain, |lower| lower.apply(&closure, vec![element]))?;
            let effects = self.end_region(outer, &key.leaves());
            keys = (key.leaves().into_iter())
                .map(|leaf| self.under_all(&effects, leaf))
                .collect();
        }
        let element = match sort {
            Sort::Places => Value::Scalar(place),
            _ => element,
        };
        self.sorted(array, vars, element, keys, None, span)
    }

    /// Elements of an array (at `vars`), or their places, in the order of keys or of a comparison of these.
    pub(super) fn sorted(
        &mut self,
        array: Array<'a>,
        vars: Vec<Var>,
        element: Value<'a>,
        keys: Vec<Id>,
        less: Option<Less>,
        span: Span,
    ) -> Lowered<Value<'a>> {
        if keys.is_empty() {
            let tree = element.map(&mut |leaf| self.abstracted(&array.extents, &vars, leaf));
            return Ok(Value::Array(Array {
                extents: array.extents,
                tree: Box::new(tree),
            }));
        }
        let own = element.leaves();
        // A leaf that is a key comes out of the sort in order as it is.
        let beside = own.iter().filter(|leaf| !keys.contains(leaf));
        let moved: Vec<Id> = beside.copied().collect();
        let bytes: usize = moved.iter().map(|&id| self.p.leaf(id).bytes()).sum();
        let by_place = bytes > MOVED || keys.len() + moved.len() > LEAVES;
        let moved = match by_place {
            true => {
                let place = *vars.last().expect("an axis to sort along");
                vec![self.p.add(Node::Variable(place))]
            }
            false => moved,
        };
        let elements = [&keys[..], &moved].concat();
        let order = Order {
            keys: keys.len(),
            less,
        };
        let sorted = self.sort_node(&array.extents, vars, &elements, order, span)?;
        let from = |leaf: Id| elements.iter().position(|&other| other == leaf);
        if by_place {
            let places = sorted[keys.len()];
            let extents = array.extents.clone();
            let array = self.reindexed(&array, extents, |lower, at| {
                let place = lower.index(places, at);
                let mut from = at.to_vec();
                *from.last_mut().expect("an axis to sort along") = place;
                from
            });
            return Ok(Value::Array(array));
        }
        let leaves: Vec<Id> = (own.iter())
            .filter_map(|&leaf| Some(sorted[from(leaf)?]))
            .collect();
        Ok(Value::Array(Array {
            extents: array.extents,
            tree: Box::new(element.with_leaves(&leaves)),
        }))
    }

    /// The sorted leaves, over the extents of the array that is sorted.
    pub(super) fn sort_node(
        &mut self,
        extents: &[Id],
        vars: Vec<Var>,
        elements: &[Id],
        order: Order,
        span: Span,
    ) -> Lowered<Vec<Id>> {
        let keys = &elements[..order.keys];
        let halves: Vec<Option<Leaf>> = (keys.iter())
            .map(|&key| Some(self.p.leaf(key)).filter(|leaf| leaf.is_half()))
            .collect();
        if order.less.is_none() && halves.iter().any(Option::is_some) {
            // Back ends know the order of their bits as integers.
            let mut elements = elements.to_vec();
            for key in &mut elements[..order.keys] {
                if self.p.leaf(*key).is_half() {
                    *key = self.p.ordered(*key);
                }
            }
            let mut sorted = self.sort_node(extents, vars, &elements, order, span)?;
            for (array, half) in sorted.iter_mut().zip(halves) {
                if let Some(leaf) = half {
                    let (vars, at) = self.indices(extents.len());
                    let key = self.index(*array, &at);
                    let element = self.p.unordered(leaf, key);
                    *array = self.abstracted(extents, &vars, element);
                }
            }
            return Ok(sorted);
        }
        if let Some(around) = self.segment_around(extents, elements, &vars, span)? {
            return self.sorted_segments(&around, extents[0], vars[0], elements, order, span);
        }
        let (outer, around) = self.rows_around(extents, &vars, elements, span)?;
        let (fresh, reads) = self.indices(outer.len());
        let map: QuickMap<Var, Id> = outer.iter().copied().zip(reads).collect();
        let elements = self.p.substitute_all(elements, &map);
        let all = [&around[..], extents].concat();
        // A variable is bound once in a program.
        let (own, at) = self.indices(vars.len());
        let elements = self
            .p
            .substitute_all(&elements, &vars.into_iter().zip(at).collect());
        let (left, right, less) = match order.less {
            Some(Less { left, right, less }) => (left, right, Some(less)),
            None => (Vec::new(), Vec::new(), None),
        };
        let bundle = self.p.add(Node::Sort {
            extents: all,
            vars: [fresh, own].concat(),
            elements,
            keys: order.keys as u32,
            left,
            right,
            less,
        });
        self.locate(bundle, span);
        let sorted = self.p.components(bundle);
        if outer.is_empty() {
            return Ok(sorted);
        }
        let row: Vec<Id> = (outer.iter())
            .map(|&var| self.p.add(Node::Variable(var)))
            .collect();
        let line = |array: Id| {
            let (vars, at) = self.indices(extents.len());
            let element = self.index(array, &[&row[..], &at].concat());
            self.abstracted(extents, &vars, element)
        };
        Ok(sorted.into_iter().map(line).collect())
    }

    /// The variables of the elements and rows around that a sort depends on, and their extents, if all are sorted at once.
    fn rows_around(
        &mut self,
        extents: &[Id],
        vars: &[Var],
        elements: &[Id],
        span: Span,
    ) -> Lowered<(Vec<Var>, Vec<Id>)> {
        let mut free: Vec<Var> = (elements.iter().chain(extents))
            .flat_map(|&id| self.p.free(id).iter().copied())
            .collect();
        free.retain(|var| !vars.contains(var));
        let is_domain = |scope: &Scope| matches!(scope, Scope::Domain { .. });
        let Some(first) = self.scopes.iter().position(is_domain) else {
            return Ok((Vec::new(), Vec::new()));
        };
        let (mut outer, mut around) = (Vec::new(), Vec::new());
        for scope in &self.scopes[first..] {
            if let Scope::Domain { vars, extents } = scope {
                for (&var, &extent) in vars.iter().zip(extents) {
                    if free.contains(&var) {
                        outer.push(var);
                        around.push(extent);
                    }
                }
            }
        }
        let varies = |id: Id| self.p.free(id).iter().any(|var| outer.contains(var));
        let bare = extents.iter().map(|&extent| self.p.unguarded(extent));
        if bare.chain(around.iter().copied()).any(varies) {
            return Err(not_yet(
                span,
                "this sort for each element or row",
                "sort the whole array outside of the closure: the last axis of each row is sorted by itself",
            ));
        }
        // Where not all rows are reached, or what one does may keep others from it, it leaves the closure later.
        let inside = self.scopes[first..].iter().all(is_domain);
        let fails = (elements.iter().chain(extents)).any(|&id| self.may_fail(id));
        match inside && !fails {
            true => Ok((outer, around)),
            false => Ok((Vec::new(), Vec::new())),
        }
    }

    /// Whether evaluating a scalar may report a failure, or not end.
    pub(super) fn may_fail(&self, id: Id) -> bool {
        let of_segments = |site: &Site| {
            let mut sites = self.segments.values().filter_map(|segments| segments.sites);
            sites.any(|sites| sites.contains(site))
        };
        let (mut seen, mut open) = (QuickSet::default(), vec![id]);
        while let Some(id) = open.pop() {
            // What has been computed for all segments is reached whatever happens here, as are their own checks.
            if self.numbers.contains(&id) || !seen.insert(id) {
                continue;
            }
            let node = self.p.node(id);
            match node {
                Node::Guard { site, .. } if of_segments(site) => {}
                Node::Guard { .. } | Node::Loop { .. } => return true,
                _ => {}
            }
            node.operands(|operand| open.push(operand));
        }
        false
    }

    /// Whether no element is less than the one before it, or whether a closure holds of each and the next one.
    fn is_sorted(
        &mut self,
        array: &Array<'a>,
        closure: Option<&ClosureValue<'a>>,
        span: Span,
    ) -> Lowered<Value<'a>> {
        let axis = array.extents.len() - 1;
        let n = array.extents[axis];
        let one = self.p.usize(1);
        let some = self.binary(Binary::Max, n, one);
        let pairs = self.binary(Binary::Sub, some, one);
        let extents = [&array.extents[..axis], &[pairs]].concat();
        let holds = self.tabulate(&extents, span, |lower, at| {
            let (row, place) = at.split_at(axis);
            let next = lower.binary(Binary::Add, place[0], one);
            let [before, after] =
                [place[0], next].map(|at| lower.element(array, &[row, &[at]].concat()));
            if let Some(closure) = closure {
                return lower.apply(closure, vec![before, after]);
            }
            let less = lower.less(&after.leaves(), &before.leaves());
            Ok(Value::Scalar(lower.not(less)))
        })?;
        let holds = holds.into_array();
        let all = |lower: &mut Self, row: &[Id]| {
            let (vars, at) = lower.indices(1);
            let element = lower.element(&holds, &[row, &at].concat()).scalar();
            let operator = lower.leafwise(&[(Binary::And, Leaf::Bool)]);
            let initial = vec![lower.p.bool(true)];
            let sorted = lower.reduce(vec![pairs], vars, vec![element], &operator, Some(initial));
            Ok(Value::Scalar(sorted[0]))
        };
        match axis {
            0 => all(self, &[]),
            _ => self.tabulate(&array.extents[..axis], span, all),
        }
    }

    /// The first place of an element in a sorted array, if it is there: halves the places where it may be until there is
    /// one.
    fn search(&mut self, array: &Array<'a>, sought: &Value<'a>) -> Value<'a> {
        let n = array.extents[0];
        let sought = sought.leaves();
        let zero = self.p.usize(0);
        let at = self.bisect(n, |lower, middle| {
            let there = lower.element(array, &[middle]).leaves();
            Ok(lower.less(&there, &sought))
        });
        let at = at.expect("comparisons are lowered");
        let inside = self.binary(Binary::Lt, at, n);
        let there = self.element(array, &[at]).leaves();
        let (no, mut equal) = (self.p.bool(false), self.p.bool(true));
        for (&a, &b) in there.iter().zip(&sought) {
            let (a, b) = (self.p.ordered(a), self.p.ordered(b));
            let same = self.binary(Binary::Eq, a, b);
            equal = self.and(equal, same);
        }
        let some = self.either(inside, vec![equal], vec![no])[0];
        let payload = self.select(some, at, zero);
        Value::Option {
            some,
            payload: Box::new(Value::Scalar(payload)),
        }
    }

    /// The first of so many places that is not `before` what is sought, by bisection.
    fn bisect(&mut self, n: Id, before: impl FnOnce(&mut Self, Id) -> Lowered<Id>) -> Lowered<Id> {
        let (zero, one, two) = (self.p.usize(0), self.p.usize(1), self.p.usize(2));
        let ((low, least), (high, end)) = (self.p.index_var(), self.p.index_var());
        let open = self.p.binary(Binary::Lt, least, end);
        let width = self.binary(Binary::Sub, end, least);
        let half = self.binary(Binary::Div, width, two);
        let middle = self.binary(Binary::Add, least, half);
        let before = before(self, middle)?;
        let after = self.binary(Binary::Add, middle, one);
        let next = vec![
            self.select(before, after, least),
            self.select(before, end, middle),
        ];
        let bundle = self.p.add(Node::Loop {
            state: vec![low, high],
            initial: vec![zero, n],
            condition: open,
            next,
        });
        Ok(self.p.components(bundle)[0])
    }

    /// `a < b`, leaf by leaf.
    pub(super) fn less(&mut self, a: &[Id], b: &[Id]) -> Id {
        let mut less = self.p.bool(false);
        for (&a, &b) in a.iter().zip(b).rev() {
            let (a, b) = (self.p.ordered(a), self.p.ordered(b));
            let (below, same) = (self.binary(Binary::Lt, a, b), self.binary(Binary::Eq, a, b));
            let rest = self.and(same, less);
            less = self.or(below, rest);
        }
        less
    }
}
