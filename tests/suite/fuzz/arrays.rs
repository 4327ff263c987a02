//! Operations on arrays in scope.

use super::elements::element;
use super::grammar::{Bound, Grammar, Known, Shaped};
use super::scalars::Leaf;

/// The right side of a `let`.
pub(crate) struct Value {
    pub(crate) text: String,
    pub(crate) bound: Vec<Bound>,
}

/// Depth of scalar expressions.
pub(super) const DEPTH: usize = 3;

impl Grammar {
    /// An operation on something in scope.
    pub(crate) fn value(&mut self) -> Value {
        // The latest ones come up more often: chains are what fusion is about.
        let count = self.arrays.len();
        let back = self.choices.below(count).min(self.choices.below(count));
        let array = self.arrays[count - 1 - back].clone();
        match self.choices.below(67) {
            0..=3 => self.map(&array),
            4 => self.map_indexed(&array),
            5 => self.zipped(&array),
            6 => self.generated(&array),
            7 | 8 => self.folded(&array),
            9 | 10 => self.scanned(&array),
            11 | 12 => self.viewed(&array),
            13 | 14 => self.pieces(&array),
            15 => self.gathered(&array),
            16 | 17 => self.stencil(&array),
            18 => self.counted(&array),
            19 | 20 => self.scattered(&array),
            21..=24 => self.nested(&array),
            25 => self.spread(&array),
            26 => self.chosen(&array),
            27..=29 => self.looped(&array),
            30 | 31 => self.kept(&array),
            32 => self.sorted(&array),
            33..=35 => self.segmented(&array),
            36..=39 => self.product(&array),
            40 => self.unzipped(&array),
            41 => self.enumerated(&array),
            42..=44 => self.gathered_up(&array),
            45..=47 => self.sorted(&array),
            48 | 49 => self.kept(&array),
            50..=52 => self.relaxed(&array),
            53 | 54 => self.product(&array),
            55 | 56 => self.operated(&array),
            60 | 61 => self.optional(&array),
            62 | 63 => self.greatest(&array),
            64 | 65 => self.as_often(&array),
            _ => self.joined(&array),
        }
    }

    pub(super) fn array(&mut self, leaves: Vec<Leaf>, dims: Vec<u32>, rough: bool) -> Bound {
        self.rank = self.rank.max(self.outer + dims.len());
        Bound::Array(Shaped {
            name: self.fresh("v"),
            leaves,
            dims,
            rough,
        })
    }

    pub(super) fn map(&mut self, array: &Shaped) -> Value {
        let (pattern, known) = self.bind(array);
        let (body, leaves, rough) = self.body(known);
        Value {
            text: format!("{}.map(|{pattern}| {body})", array.name),
            bound: vec![self.array(leaves, array.dims.clone(), rough)],
        }
    }

    /// A pattern for an index, and what it binds.
    pub(super) fn indices(&mut self, rank: usize) -> (String, Vec<Known>) {
        let known: Vec<Known> = (0..rank)
            .map(|_| Known {
                name: self.fresh("i"),
                leaf: Leaf::Usize,
                rough: false,
            })
            .collect();
        let names: Vec<&str> = known.iter().map(|known| known.name.as_str()).collect();
        let pattern = match names.as_slice() {
            [one] => (*one).to_owned(),
            many => format!("({})", many.join(", ")),
        };
        (pattern, known)
    }

    fn map_indexed(&mut self, array: &Shaped) -> Value {
        let (at, mut known) = self.indices(array.dims.len());
        let (pattern, more) = self.bind(array);
        known.extend(more);
        let (body, leaves, rough) = self.body(known);
        Value {
            text: format!("{}.map_indexed(|{at}, {pattern}| {body})", array.name),
            bound: vec![self.array(leaves, array.dims.clone(), rough)],
        }
    }

    fn generated(&mut self, array: &Shaped) -> Value {
        let (at, known) = self.indices(array.dims.len());
        let (body, leaves, rough) = self.body(known);
        Value {
            text: format!("generate({}.shape(), |{at}| {body})", array.name),
            bound: vec![self.array(leaves, array.dims.clone(), rough)],
        }
    }

    pub(super) fn like(&mut self, array: &Shaped, same: impl Fn(&Shaped) -> bool) -> Shaped {
        let fitting: Vec<Shaped> = (self.arrays.iter().rev())
            .filter(|other| same(other) && other.name != array.name)
            .cloned()
            .collect();
        match fitting.as_slice() {
            [] => array.clone(),
            some => self.choices.one(some).clone(),
        }
    }

    fn zipped(&mut self, array: &Shaped) -> Value {
        let other = self.like(array, |other| other.dims == array.dims);
        let (a, mut known) = self.bind(array);
        let (b, more) = self.bind(&other);
        known.extend(more);
        let (body, leaves, rough) = self.body(known);
        let text = match self.choices.below(3) {
            0 => format!(
                "{}.zip({}).map(|({a}, {b})| {body})",
                array.name, other.name
            ),
            1 => format!("{}.zip_with({}, |{a}, {b}| {body})", array.name, other.name),
            _ => format!(
                "zip_with(({}, {}), |{a}, {b}| {body})",
                array.name, other.name
            ),
        };
        Value {
            text,
            bound: vec![self.array(leaves, array.dims.clone(), rough)],
        }
    }

    /// An operator on a whole array, and another one or a number.
    fn operated(&mut self, array: &Shaped) -> Value {
        let [leaf] = array.leaves[..] else {
            return self.zipped(array);
        };
        let other = self.like(array, |other| {
            other.dims == array.dims && other.leaves == array.leaves
        });
        let rough = array.rough || other.rough;
        let operators: &[&str] = match leaf {
            Leaf::Bool => &["&", "|", "^", "==", "!="],
            leaf if leaf.is_integer() => &[
                "+", "-", "*", "&", "|", "^", "<<", ">>", "/", "%", "<", ">=", "!=",
            ],
            _ if rough => &["+", "-", "*"],
            _ => &["+", "-", "*", "<", ">=", "=="],
        };
        let operator = *self.choices.one(operators);
        let number = if leaf.is_float() { "0.5" } else { "3" };
        let literal =
            leaf != Leaf::Bool && (matches!(operator, "/" | "%") || self.choices.chance(1, 3));
        let (left, right) = match literal {
            false => (&*array.name, &*other.name),
            true if matches!(operator, "/" | "%" | "<<" | ">>") || self.choices.chance(1, 2) => {
                (&*array.name, number)
            }
            true => (number, &*array.name),
        };
        let leaf = if operator.ends_with('=') || operator == "<" {
            Leaf::Bool
        } else {
            leaf
        };
        Value {
            text: format!("{left} {operator} {right}"),
            bound: vec![self.array(vec![leaf], array.dims.clone(), rough)],
        }
    }

    /// An element of a result: its text, its leaves, and whether it is rough.
    pub(super) fn body(&mut self, known: Vec<Known>) -> (String, Vec<Leaf>, bool) {
        self.within(known, |grammar| {
            let leaves = grammar.leaves();
            let (mut parts, mut rough) = (Vec::new(), false);
            for (k, &leaf) in leaves.iter().enumerate() {
                let part = grammar.scalar(leaf, DEPTH - k.min(2), false);
                rough |= part.rough;
                parts.push(part.text);
            }
            (element(&leaves, &parts), leaves, rough)
        })
    }

    /// Something made where these are in scope.
    pub(super) fn within<T>(
        &mut self,
        known: Vec<Known>,
        make: impl FnOnce(&mut Grammar) -> T,
    ) -> T {
        let before = self.scalars.len();
        self.scalars.extend(known);
        let made = make(self);
        self.scalars.truncate(before);
        made
    }

    /// An array, or an element if there are no axes.
    pub(super) fn result(&mut self, leaves: &[Leaf], dims: Vec<u32>, rough: bool) -> Bound {
        if dims.is_empty() {
            return Bound::Element(self.named("r", leaves, rough).1);
        }
        self.array(leaves.to_vec(), dims, rough)
    }

    fn unzipped(&mut self, array: &Shaped) -> Value {
        let [a, b] = *array.leaves.as_slice() else {
            return self.map(array);
        };
        let text = format!("{}.unzip()", array.name);
        let bound = [a, b].map(|leaf| self.array(vec![leaf], array.dims.clone(), array.rough));
        Value {
            text,
            bound: bound.into(),
        }
    }
}
