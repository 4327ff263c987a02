//! Operations on arrays in scope.

use super::grammar::{Bound, Grammar, Known, Shaped};
use super::scalars::{LEAVES, Leaf};

/// The right side of a `let`.
pub(crate) struct Value {
    pub(crate) text: String,
    pub(crate) bound: Vec<Bound>,
}

/// Depth of scalar expressions.
const DEPTH: usize = 3;

impl Grammar {
    /// An operation on something in scope.
    pub(crate) fn value(&mut self) -> Value {
        // The latest ones come up more often: chains are what fusion is about.
        let count = self.arrays.len();
        let back = self.choices.below(count).min(self.choices.below(count));
        let array = self.arrays[count - 1 - back].clone();
        match self.choices.below(24) {
            0..=2 => self.map(&array),
            3 => self.map_indexed(&array),
            4 => self.zipped(&array),
            5 => self.generated(&array),
            6 | 7 => self.folded(&array),
            8 | 9 => self.scanned(&array),
            10 | 11 => self.viewed(&array),
            12 => self.gathered(&array),
            13 => self.stencil(&array),
            14 => self.counted(&array),
            15 => self.nested(&array),
            16 => self.spread(&array),
            17 => self.chosen(&array),
            18 => self.looped(&array),
            19 | 20 => self.kept(&array),
            21 => self.sorted(&array),
            _ => self.joined(&array),
        }
    }

    pub(super) fn array(&mut self, leaves: Vec<Leaf>, dims: Vec<u32>, rough: bool) -> Bound {
        self.rank = self.rank.max(dims.len());
        Bound::Array(Shaped {
            name: self.fresh("v"),
            leaves,
            dims,
            rough,
        })
    }

    /// An element of a result: its text, its leaves, and whether it is rough.
    pub(super) fn body(&mut self, known: Vec<Known>) -> (String, Vec<Leaf>, bool) {
        let count = known.len();
        self.scalars.extend(known);
        let first = *self.choices.one(&LEAVES);
        let a = self.scalar(first, DEPTH, false);
        let result = if self.choices.chance(1, 6) {
            let second = *self.choices.one(&LEAVES);
            let b = self.scalar(second, DEPTH - 1, false);
            (
                format!("({}, {})", a.text, b.text),
                vec![first, second],
                a.rough || b.rough,
            )
        } else {
            (a.text, vec![first], a.rough)
        };
        self.scalars.truncate(self.scalars.len() - count);
        result
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
    fn indices(&mut self, rank: usize) -> (String, Vec<Known>) {
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
        let text = match self.choices.below(2) {
            0 => format!(
                "{}.zip({}).map(|({a}, {b})| {body})",
                array.name, other.name
            ),
            _ => format!("{}.zip_with({}, |{a}, {b}| {body})", array.name, other.name),
        };
        Value {
            text,
            bound: vec![self.array(leaves, array.dims.clone(), rough)],
        }
    }

    /// An operator on whole elements that associates, with an initial value, and whether it rounds.
    fn operator(&mut self, array: &Shaped) -> (String, String, bool) {
        let [first, rest @ ..] = array.leaves.as_slice() else {
            unreachable!("an element has a leaf");
        };
        match rest {
            [] => {
                let literal = self.literal(*first);
                let operators: &[&str] = match first {
                    Leaf::Bool => &["|a, b| a ^ b", "|a, b| a || b", "|_, b| b", "|a, _| a"],
                    leaf if leaf.is_float() && !array.rough => &[
                        "|a, b| a.min(b)",
                        "|a, b| a.max(b)",
                        "|_, b| b",
                        "|a, b| a + b",
                    ],
                    leaf if leaf.is_float() => &["|a, b| a.min(b)", "|a, b| a + b"],
                    _ => &[
                        "|a, b| a + b",
                        "|a, b| a.max(b)",
                        "|_, b| b",
                        "|a, b| a * b",
                        "|a, _| a",
                    ],
                };
                let operator = *self.choices.one(operators);
                let rough = first.is_float() && operator.contains('+');
                (literal, operator.to_owned(), rough)
            }
            [second] => {
                let initial = format!("({}, {})", self.literal(*first), self.literal(*second));
                let integers = !first.is_float() && *first != Leaf::Bool && first == second;
                let operator = match self.choices.below(3) {
                    0 => "|_, b| b",
                    // Composition of affine maps: it does not commute.
                    1 if integers => "|(a, b), (c, d)| (a * c, b * c + d)",
                    _ => "|a, _| a",
                };
                (initial, operator.to_owned(), false)
            }
            _ => unreachable!("elements are single or pairs"),
        }
    }

    fn folded(&mut self, array: &Shaped) -> Value {
        let (initial, operator, rounds) = self.operator(array);
        let rough = array.rough || rounds;
        let rank = array.dims.len();
        let axis = self.choices.below(rank);
        let along = rank > 1 && self.choices.chance(1, 2);
        let all = !along && rank > 1 && self.choices.chance(1, 4);
        let call = if along {
            format!("fold_axis({axis}, {initial}, {operator})")
        } else if all {
            format!("fold_all({initial}, {operator})")
        } else {
            match array.leaves.as_slice() {
                [leaf] if *leaf != Leaf::Bool && !rough && self.choices.chance(1, 6) => {
                    (*self.choices.one(&["max()", "min()"])).to_owned()
                }
                _ => format!("fold({initial}, {operator})"),
            }
        };
        let mut dims = array.dims.clone();
        if all {
            dims.clear();
        } else {
            dims.remove(if along { axis } else { rank - 1 });
        }
        let bound = if !dims.is_empty() {
            vec![self.array(array.leaves.clone(), dims, rough)]
        } else if let [leaf] = array.leaves.as_slice() {
            vec![Bound::Scalar(Known {
                name: self.fresh("r"),
                leaf: *leaf,
                rough,
            })]
        } else {
            let known = array.leaves.iter().map(|&leaf| Known {
                name: self.fresh("r"),
                leaf,
                rough,
            });
            known.map(Bound::Scalar).collect()
        };
        Value {
            text: format!("{}.{call}", array.name),
            bound,
        }
    }

    fn scanned(&mut self, array: &Shaped) -> Value {
        let (initial, operator, rounds) = self.operator(array);
        let rough = array.rough || rounds;
        let right = if self.choices.chance(1, 3) { "r" } else { "" };
        let mut dims = array.dims.clone();
        let call = match self.choices.below(3) {
            0 => format!("{right}scan1({operator})"),
            1 => {
                dims.pop();
                dims.push(self.dim());
                format!("{right}scan({initial}, {operator})")
            }
            _ => {
                let total = match (array.dims.len(), array.leaves.as_slice()) {
                    (1, [leaf]) => Bound::Scalar(Known {
                        name: self.fresh("r"),
                        leaf: *leaf,
                        rough,
                    }),
                    (1, _) => return self.map(array),
                    _ => {
                        let outer = array.dims[..array.dims.len() - 1].to_vec();
                        self.array(array.leaves.clone(), outer, rough)
                    }
                };
                let results = self.array(array.leaves.clone(), dims, rough);
                return Value {
                    text: format!(
                        "{}.{right}scan_exclusive({initial}, {operator})",
                        array.name
                    ),
                    bound: vec![results, total],
                };
            }
        };
        Value {
            text: format!("{}.{call}", array.name),
            bound: vec![self.array(array.leaves.clone(), dims, rough)],
        }
    }

    pub(super) fn viewed(&mut self, array: &Shaped) -> Value {
        let mut dims = array.dims.clone();
        let rank = dims.len();
        let last = rank - 1;
        let k = self.choices.below(4);
        let call = match self.choices.below(9) {
            0 => "reverse()".to_owned(),
            1 => format!("rotate_left({k})"),
            2 if rank == 2 => {
                dims.swap(0, 1);
                "transpose()".to_owned()
            }
            3 => {
                dims = vec![self.dim()];
                "flatten()".to_owned()
            }
            4 if rank == 1 => {
                dims = vec![self.dim()];
                format!("slice(s![..;{}])", k + 1)
            }
            5 if rank == 2 => {
                dims = vec![self.dim(), self.dim()];
                format!("slice(s![..;2, ..;-{}])", k + 1)
            }
            6 if rank == 3 => {
                dims.rotate_left(1);
                "permute_axes((1, 2, 0))".to_owned()
            }
            7 => {
                dims[last] = self.dim();
                format!(
                    "take({}.shape(){} / 2)",
                    array.name,
                    [".0", ".1", ".2"]
                        .get(last)
                        .filter(|_| rank > 1)
                        .unwrap_or(&"")
                )
            }
            _ => "materialize()".to_owned(),
        };
        Value {
            text: format!("{}.{call}", array.name),
            bound: vec![self.array(array.leaves.clone(), dims, array.rough)],
        }
    }

    /// Elements of a vector at indices that are computed.
    fn gathered(&mut self, array: &Shaped) -> Value {
        let rank = array.dims.len();
        let shape = self.like(array, |_| true);
        if rank > 2 {
            return self.map_indexed(array);
        }
        let (at, known) = self.indices(shape.dims.len());
        let count = known.len();
        self.scalars.extend(known);
        let name = &array.name;
        let mut index: Vec<String> = Vec::new();
        for axis in 0..rank {
            let raw = self.scalar(Leaf::Usize, 2, true).text;
            let extent = match rank {
                1 => format!("{name}.len()"),
                _ => format!("{name}.shape().{axis}"),
            };
            index.push(format!("{raw} % {extent}"));
        }
        self.scalars.truncate(self.scalars.len() - count);
        let from = match index.as_slice() {
            [one] => one.clone(),
            many => format!("({})", many.join(", ")),
        };
        Value {
            text: format!("{name}.gather({}.shape(), |{at}| {from})", shape.name),
            bound: vec![self.array(array.leaves.clone(), shape.dims.clone(), array.rough)],
        }
    }

    fn stencil(&mut self, array: &Shaped) -> Value {
        let (rank, [leaf]) = (array.dims.len(), array.leaves.as_slice()) else {
            return self.map(array);
        };
        if rank > 2 {
            return self.map(array);
        }
        let leaf = *leaf;
        let constant = format!("Constant({})", self.literal(leaf));
        let boundaries = ["Clamp", "Wrap", "Mirror", "Reflect", constant.as_str()];
        let boundary = *self.choices.one(&boundaries);
        let count = 1 + self.choices.below(3);
        let known: Vec<Known> = (0..count)
            .map(|_| {
                let mut offset = || self.choices.below(5) as i32 - 2;
                let at = match rank {
                    1 => format!("{}", offset()),
                    _ => format!("({}, {})", offset(), offset()),
                };
                Known {
                    name: format!("w[{at}]"),
                    leaf,
                    rough: array.rough,
                }
            })
            .collect();
        let (body, leaves, rough) = self.body(known);
        // A window that is never read has no type.
        let body = if body.contains("w[") {
            body
        } else {
            let at = if rank == 1 { "0" } else { "(0, 0)" };
            format!("{{ let _ = w[{at}]; {body} }}")
        };
        Value {
            text: format!("{}.stencil({boundary}, |w| {body})", array.name),
            bound: vec![self.array(leaves, array.dims.clone(), rough)],
        }
    }

    /// Scatters: counts and sums by key.
    fn counted(&mut self, array: &Shaped) -> Value {
        if self.rows {
            return self.map(array);
        }
        let (pattern, known) = self.bind(array);
        let count = known.len();
        self.scalars.extend(known);
        let key = self.scalar(Leaf::Usize, 2, true).text;
        self.scalars.truncate(self.scalars.len() - count);
        let bins = 1 + self.choices.below(9);
        let keys = format!("{}.map(|{pattern}| {key} % {bins})", array.name);
        let dims = vec![self.dim()];
        let [leaf] = array.leaves.as_slice() else {
            return Value {
                text: format!("{keys}.histogram({bins})"),
                bound: vec![self.array(vec![Leaf::U32], dims, false)],
            };
        };
        if *leaf == Leaf::Bool || array.rough {
            return Value {
                text: format!("{keys}.histogram({bins})"),
                bound: vec![self.array(vec![Leaf::U32], dims, false)],
            };
        }
        let operator = *self.choices.one(&["a + b", "a.max(b)", "a.min(b)"]);
        let initial = self.literal(*leaf);
        let rough = leaf.is_float() && operator.contains('+');
        Value {
            text: format!(
                "{keys}.reduce_by_index({}, {bins}, {initial}, |a, b| {operator})",
                array.name
            ),
            bound: vec![self.array(vec![*leaf], dims, rough)],
        }
    }

    /// Compactions.
    fn kept(&mut self, array: &Shaped) -> Value {
        if array.dims.len() != 1 || self.rows {
            return self.map(array);
        }
        let (pattern, known) = self.bind(array);
        let rough = array.rough;
        let count = known.len();
        self.scalars.extend(known);
        let condition = self.condition(DEPTH - 1);
        self.scalars.truncate(self.scalars.len() - count);
        let name = &array.name;
        let dims = vec![self.dim()];
        let (text, bound) = match self.choices.below(4) {
            0 | 1 => {
                let text = format!("{name}.filter(|{pattern}| {condition})");
                (text, vec![self.array(array.leaves.clone(), dims, rough)])
            }
            2 => {
                let text = format!("{name}.partition(|{pattern}| {condition})");
                let others = vec![self.dim()];
                let kept = self.array(array.leaves.clone(), dims, rough);
                (
                    text,
                    vec![kept, self.array(array.leaves.clone(), others, rough)],
                )
            }
            _ => {
                let text = format!("{name}.indices_of(|{pattern}| {condition})");
                (text, vec![self.array(vec![Leaf::Usize], dims, false)])
            }
        };
        Value { text, bound }
    }

    /// Sorted along the last axis.
    fn sorted(&mut self, array: &Shaped) -> Value {
        // The sign of a NaN that was computed is nobody's, but decides an order: floats are sorted as they come only.
        let floats = array.leaves.iter().any(|leaf| leaf.is_float());
        if array.rough || self.rows || (floats && !array.name.starts_with('a')) {
            return self.map(array);
        }
        let name = &array.name;
        let dims = array.dims.clone();
        match self.choices.below(3) {
            0 => Value {
                text: format!("{name}.sort()"),
                bound: vec![self.array(array.leaves.clone(), dims, false)],
            },
            1 => Value {
                text: format!("{name}.argsort()"),
                bound: vec![self.array(vec![Leaf::Usize], dims, false)],
            },
            _ => {
                let (pattern, known) = self.bind(array);
                let count = known.len();
                self.scalars.extend(known);
                let leaf = *self
                    .choices
                    .one(&[Leaf::I32, Leaf::U8, Leaf::Bool, Leaf::I64]);
                let key = self.scalar(leaf, 2, true).text;
                self.scalars.truncate(self.scalars.len() - count);
                Value {
                    text: format!("{name}.sort_by_key(|{pattern}| {key})"),
                    bound: vec![self.array(array.leaves.clone(), dims, false)],
                }
            }
        }
    }

    fn joined(&mut self, array: &Shaped) -> Value {
        let same = |other: &Shaped| other.leaves == array.leaves && other.dims == array.dims;
        let other = self.like(array, same);
        let rough = array.rough || other.rough;
        let mut dims = array.dims.clone();
        let last = dims.len() - 1;
        let (a, b) = (&array.name, &other.name);
        let text = match self.choices.below(4) {
            0 => {
                dims[last] = self.dim();
                format!("{a}.concat({b})")
            }
            1 => {
                dims[last] = self.dim();
                format!("{a}.interleave({b})")
            }
            2 if dims.len() < 3 => {
                dims.insert(0, self.dim());
                format!("stack(({a}, {b}))")
            }
            _ => {
                dims[0] = self.dim();
                format!("{a}.concat_axis(0, {b})")
            }
        };
        Value {
            text,
            bound: vec![self.array(array.leaves.clone(), dims, rough)],
        }
    }
}
