//! Results whose places, number or order depend on elements: scatters, compactions, sorts.

use super::arrays::{DEPTH, Value};
use super::elements::element;
use super::grammar::{Grammar, Known, Shaped};
use super::scalars::Leaf;
use super::views::{extent, tuple};

impl Grammar {
    /// Counts, and combinations by key.
    pub(super) fn counted(&mut self, array: &Shaped) -> Value {
        if self.outer > 0 && self.ordered {
            return self.folded(array);
        }
        let (pattern, known) = self.bind(array);
        let key = self.within(known, |grammar| grammar.scalar(Leaf::Usize, 2, true).text);
        let bins = 1 + self.choices.below(9);
        let key = match self.failing && self.choices.chance(1, 3) {
            true => key,
            false => format!("{key} % {bins}"),
        };
        let keys = format!("{}.map(|{pattern}| {key})", array.name);
        let dims = vec![self.dim()];
        if array.rough || self.choices.chance(1, 3) {
            return Value {
                text: format!("{keys}.histogram({bins})"),
                bound: vec![self.array(vec![Leaf::U32], dims, false)],
            };
        }
        let (operator, rounds) = self.operator(array, !self.ordered);
        let rounds = rounds && !self.ordered;
        let initial = self.literals(&array.leaves);
        Value {
            text: format!(
                "{keys}.reduce_by_index({}, {bins}, {initial}, {operator})",
                array.name
            ),
            bound: vec![self.array(array.leaves.clone(), dims, rounds)],
        }
    }

    /// All elements that are asked for combined into one, in any order: into an array of rank 0.
    pub(super) fn gathered_up(&mut self, array: &Shaped) -> Value {
        if self.outer > 0 || array.rough {
            return self.folded(array);
        }
        let (at, mut known) = self.indices(array.dims.len());
        let (pattern, more) = self.bind(array);
        if self.choices.chance(2, 3) {
            return self.least_of_all(array, &pattern, more);
        }
        known.extend(more);
        let condition = self.within(known, |grammar| grammar.condition(2));
        let (operator, rounds) = self.operator(array, true);
        let initial = self.literals(&array.leaves);
        Value {
            text: format!(
                "fill((), {initial}).scatter({operator}, {}, |{at}, {pattern}| if {condition} {{ Some(()) }} else {{ None }}).value()",
                array.name
            ),
            bound: vec![self.result(&array.leaves, Vec::new(), rounds)],
        }
    }

    /// By key, or of all, the least pair: an operator on whole elements.
    fn least_of_all(&mut self, array: &Shaped, pattern: &str, known: Vec<Known>) -> Value {
        let leaves = [(); 2].map(|()| *self.choices.one(&[Leaf::I32, Leaf::U8, Leaf::I64]));
        let name = &array.name;
        let [key, a, b] = self.within(known, |grammar| {
            [Leaf::Usize, leaves[0], leaves[1]].map(|leaf| grammar.scalar(leaf, 2, true).text)
        });
        let initial = self.literals(&leaves);
        let operator = "|(a, b), (c, d)| if c < a || (c == a && d < b) { (c, d) } else { (a, b) }";
        if self.choices.chance(1, 2) {
            return Value {
                text: format!(
                    "fill((), {initial}).scatter({operator}, {name}.map(|{pattern}| ({a}, {b})), |_, _| Some(())).value()"
                ),
                bound: vec![self.result(&leaves, Vec::new(), false)],
            };
        }
        let bins = 1 + self.choices.below(9);
        let dims = vec![self.dim()];
        Value {
            text: format!(
                "{name}.map(|{pattern}| ({key}) % {bins}).reduce_by_index({name}.map(|{pattern}| ({a}, {b})), {bins}, {initial}, {operator})"
            ),
            bound: vec![self.array(leaves.to_vec(), dims, false)],
        }
    }

    /// By key, the least of three numbers, which are more bytes than are exchanged at once.
    pub(super) fn least_of_three(&mut self, array: &Shaped) -> Value {
        if self.outer > 0 || array.rough {
            return self.folded(array);
        }
        let leaves = [
            Leaf::I64,
            *self.choices.one(&[Leaf::I64, Leaf::Usize]),
            *self.choices.one(&[Leaf::I32, Leaf::U8, Leaf::I64]),
        ];
        let (pattern, known) = self.bind(array);
        let [key, a, b, c] = self.within(known, |grammar| {
            [Leaf::Usize, leaves[0], leaves[1], leaves[2]]
                .map(|leaf| grammar.scalar(leaf, 2, true).text)
        });
        let value = element(&leaves, &[a, b, c]);
        let [one, other] = [["a", "b", "c"], ["d", "e", "f"]]
            .map(|names| element(&leaves, &names.map(str::to_owned)));
        let (name, initial) = (&array.name, self.literals(&leaves));
        let (bins, dims) = (1 + self.choices.below(9), vec![self.dim()]);
        Value {
            text: format!(
                "{name}.map(|{pattern}| ({key}) % {bins}).reduce_by_index({name}.map(|{pattern}| {value}), {bins}, {initial}, |{one}, {other}| if d < a || (d == a && (e < b || (e == b && f < c))) {{ {other} }} else {{ {one} }})"
            ),
            bound: vec![self.array(leaves.to_vec(), dims, false)],
        }
    }

    /// Forward permutations with a closure.
    pub(super) fn scattered(&mut self, array: &Shaped) -> Value {
        let alike = |other: &Shaped| other.leaves == array.leaves;
        let target = self.like(array, alike);
        if (self.outer > 0 && self.ordered) || array.rough {
            return self.viewed(array);
        }
        let (at, mut known) = self.indices(array.dims.len());
        let places: Vec<String> = known.iter().map(|known| known.name.clone()).collect();
        let (pattern, more) = self.bind(array);
        known.extend(more);
        let (to, condition) = self.within(known, |grammar| {
            (grammar.place(&target), grammar.condition(2))
        });
        let once = self.outer == 0 && array.dims == target.dims && self.choices.chance(1, 3);
        let (call, to, rough) = if once {
            let turned: Vec<String> = (places.iter().enumerate())
                .map(|(axis, place)| format!("{} - 1 - {place}", extent(array, axis)))
                .collect();
            let to = if self.failing { to } else { tuple(&turned) };
            ("scatter_unique(".to_owned(), to, target.rough)
        } else {
            let (operator, rounds) = self.operator(array, !self.ordered);
            let ordered = self.ordered && !target.dims.is_empty();
            (
                format!("scatter({operator}, "),
                to,
                target.rough || (rounds && !ordered),
            )
        };
        let to = match self.choices.below(3) {
            0 => format!("Some({to})"),
            _ => format!("if {condition} {{ Some({to}) }} else {{ None }}"),
        };
        Value {
            text: format!(
                "{}.{call}{}, |{at}, {pattern}| {to})",
                target.name, array.name
            ),
            bound: vec![self.array(array.leaves.clone(), target.dims.clone(), rough)],
        }
    }

    /// Compactions.
    pub(super) fn kept(&mut self, array: &Shaped) -> Value {
        if array.dims.len() != 1 || self.outer > 0 {
            return self.folded(array);
        }
        let (pattern, known) = self.bind(array);
        let names: Vec<String> = known.iter().map(|known| known.name.clone()).collect();
        let same = element(&array.leaves, &names);
        let condition = self.within(known.clone(), |grammar| grammar.condition(DEPTH - 1));
        let name = &array.name;
        let (dims, rough, leaves) = (vec![self.dim()], array.rough, array.leaves.clone());
        let (call, bound) = match self.choices.below(7) {
            0 | 1 => {
                let call = format!("filter(|{pattern}| {condition})");
                (call, vec![self.array(leaves, dims, rough)])
            }
            2 => {
                let others = vec![self.dim()];
                let kept = self.array(leaves.clone(), dims, rough);
                let call = format!("partition(|{pattern}| {condition})");
                (call, vec![kept, self.array(leaves, others, rough)])
            }
            3 => {
                let (value, leaves, rough) = self.body(known);
                let value = match self.choices.below(2) {
                    0 => format!("if {condition} {{ Some({value}) }} else {{ None }}"),
                    _ => format!(
                        "if {condition} {{ None }} else {{ let _ = {same}; Some({value}) }}"
                    ),
                };
                let call = format!("filter_map(|{pattern}| {value})");
                (call, vec![self.array(leaves, dims, rough)])
            }
            4 if !rough => ("dedup()".to_owned(), vec![self.array(leaves, dims, false)]),
            5 if !rough && !leaves.iter().any(|leaf| leaf.is_float()) => {
                ("unique()".to_owned(), vec![self.array(leaves, dims, false)])
            }
            _ => {
                let call = format!("indices_of(|{pattern}| {condition})");
                (call, vec![self.array(vec![Leaf::Usize], dims, false)])
            }
        };
        Value {
            text: format!("{name}.{call}"),
            bound,
        }
    }

    /// Sorted along the last axis.
    pub(super) fn sorted(&mut self, array: &Shaped) -> Value {
        // The sign of a computed NaN is unspecified, but decides an order: floats are sorted as they come only.
        let floats = array.leaves.iter().any(|leaf| leaf.is_float());
        if array.rough || (floats && !array.name.starts_with('a')) {
            return self.map(array);
        }
        if array.dims.len() == 1 && self.outer == 0 && self.choices.chance(1, 4) {
            return self.order_statistic(array);
        }
        let name = &array.name;
        let mut dims = array.dims.clone();
        match self.choices.below(5) {
            0 => Value {
                text: format!("{name}.sort()"),
                bound: vec![self.array(array.leaves.clone(), dims, false)],
            },
            1 => Value {
                text: format!("{name}.argsort()"),
                bound: vec![self.array(vec![Leaf::Usize], dims, false)],
            },
            2 if dims.len() == 1 && self.choices.chance(1, 2) => {
                let (pattern, known) = self.bind(array);
                let condition = self.within(known, |grammar| grammar.condition(1));
                Value {
                    text: format!("{name}.partition_point(|{pattern}| {condition})"),
                    bound: vec![self.result(&[Leaf::Usize], Vec::new(), false)],
                }
            }
            2 => {
                dims.pop();
                let text = match self.choices.below(2) {
                    0 => format!("{name}.is_sorted()"),
                    _ => {
                        let (pattern, key) = self.key(array);
                        format!("{name}.is_sorted_by_key(|{pattern}| {key})")
                    }
                };
                Value {
                    text,
                    bound: vec![self.result(&[Leaf::Bool], dims, false)],
                }
            }
            // Which of several failures a comparison meets is not told, nor may it depend on what is around it.
            4 if !self.failing && self.outer == 0 => self.compared(array),
            _ => {
                let (pattern, key) = self.key(array);
                Value {
                    text: format!("{name}.sort_by_key(|{pattern}| {key})"),
                    bound: vec![self.array(array.leaves.clone(), dims, false)],
                }
            }
        }
    }

    /// Single elements of sorted ones: of all, or of each few.
    fn order_statistic(&mut self, array: &Shaped) -> Value {
        let (name, leaves) = (&array.name, array.leaves.clone());
        if self.choices.chance(1, 3) {
            let other = self.literals(&leaves);
            return Value {
                text: format!(
                    "if {name}.len() > 1 {{ {name}.sort()[{name}.len() / 2] }} else {{ {other} }}"
                ),
                bound: vec![self.result(&leaves, Vec::new(), false)],
            };
        }
        let few = 2 + self.choices.below(6);
        let place = self.choices.below(few);
        let (key, leaves) = match self.choices.below(3) {
            0 => ("argsort()".to_owned(), vec![Leaf::Usize]),
            1 => {
                let (pattern, key) = self.key(array);
                (format!("sort_by_key(|{pattern}| {key})"), leaves)
            }
            _ => ("sort()".to_owned(), leaves),
        };
        let parts = *self.choices.one(&["windows", "chunks_exact"]);
        let dims = vec![self.dim()];
        Value {
            text: format!("{name}.{parts}({few}).map(|few| few.{key}[{place}])"),
            bound: vec![self.array(leaves, dims, false)],
        }
    }

    /// Sorted by a comparison.
    pub(super) fn compared(&mut self, array: &Shaped) -> Value {
        let (pattern, key) = self.key(array);
        let order = self.order();
        let mut dims = array.dims.clone();
        let (call, bound) = match self.choices.below(4) {
            0 => {
                let places = self.array(vec![Leaf::Usize], dims, false);
                (format!("argsort_by(|a, b| {order})"), places)
            }
            1 => {
                dims.pop();
                let sorted = self.result(&[Leaf::Bool], dims, false);
                (format!("is_sorted_by(|a, b| ({order}).is_le())"), sorted)
            }
            _ => {
                let elements = self.array(array.leaves.clone(), dims, false);
                (format!("sort_by(|a, b| {order})"), elements)
            }
        };
        let name = &array.name;
        Value {
            text: format!("{{ let key = |{pattern}| {key}; {name}.{call} }}"),
            bound: vec![bound],
        }
    }

    /// A pattern for an element, and what it is sorted by.
    fn key(&mut self, array: &Shaped) -> (String, String) {
        let (pattern, known) = self.bind(array);
        let kinds = [Leaf::I32, Leaf::U8, Leaf::Bool, Leaf::I64, Leaf::U16];
        let leaf = *self.choices.one(&kinds);
        let key = self.within(known, |grammar| grammar.scalar(leaf, 2, true).text);
        (pattern, key)
    }

    /// A total order of two elements, by what `key` gives.
    fn order(&mut self) -> &'static str {
        // More than a radix sort takes for a key.
        const WIDE: &str = "((key(a) as i64).rotate_left(3), key(a) as u64).cmp(&((key(b) as i64).rotate_left(3), key(b) as u64))";
        const ORDERS: [&str; 5] = [
            "key(b).cmp(&key(a))",
            "key(a).partial_cmp(&key(b)).unwrap().reverse()",
            "if key(a) == key(b) { Ordering::Equal } else if key(a) < key(b) { Ordering::Less } else { Ordering::Greater }",
            "match key(a).cmp(&key(b)) { Ordering::Less => Ordering::Greater, Ordering::Equal => Ordering::Equal, _ => Ordering::Less }",
            "(key(a), key(b)).cmp(&(key(b), key(a)))",
        ];
        match self.choices.chance(3, 4) {
            true => WIDE,
            false => self.choices.one::<&str>(&ORDERS),
        }
    }
}
