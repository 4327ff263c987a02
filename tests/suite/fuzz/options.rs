//! Options as elements, the greatest elements, and results of any length for each element.

use super::arrays::{DEPTH, Value};
use super::grammar::{Grammar, Shaped};
use super::scalars::Leaf;
use super::views::extent;

impl Grammar {
    /// An array of options, made, stored or turned around, and asked.
    pub(super) fn optional(&mut self, array: &Shaped) -> Value {
        let (pattern, known) = self.bind(array);
        let condition = self.within(known.clone(), |grammar| grammar.condition(2));
        let (body, leaves, mut rough) = self.body(known);
        let made = match self.choices.below(3) {
            0 => format!("({condition}).then(|| {body})"),
            1 => format!("if {condition} {{ None }} else {{ Some({body}) }}"),
            _ => format!("Some({body}).filter(|_| {condition})"),
        };
        let vector = array.dims.len() == 1 && self.outer == 0;
        let ordered = !rough && !leaves.iter().any(|leaf| leaf.is_float());
        let stored = match self.choices.below(5) {
            0 => ".materialize()",
            1 => ".reverse()",
            2 if vector && ordered => ".sort()",
            _ => "",
        };
        let made = format!("{}.map(|{pattern}| {made}){stored}", array.name);
        if vector && self.choices.chance(1, 3) {
            let dims = vec![self.dim()];
            return Value {
                text: format!("{made}.filter_map(|o| o)"),
                bound: vec![self.array(leaves, dims, rough)],
            };
        }
        let default = self.literals(&leaves);
        let (asked, result) = match self.choices.below(4) {
            0 => (format!("o.unwrap_or({default})"), leaves),
            1 if ordered => (
                format!("(o.is_some(), o == Some({default}))"),
                vec![Leaf::Bool; 2],
            ),
            2 => {
                let (inner, known) = self.named("s", &leaves, rough);
                let (value, result, more) = self.body(known);
                rough |= more;
                let none = self.literals(&result);
                let text = format!("match o {{ Some({inner}) => {value}, None => {none} }}");
                (text, result)
            }
            _ => (format!("o.or(Some({default})).unwrap()"), leaves),
        };
        Value {
            text: format!("{made}.map(|o| {asked})"),
            bound: vec![self.array(result, array.dims.clone(), rough)],
        }
    }

    /// The greatest of the last axis: few, of a number that is known, or as many as something says.
    pub(super) fn greatest(&mut self, array: &Shaped) -> Value {
        // The sign of a computed NaN is unspecified, but decides an order.
        let floats = array.leaves.iter().any(|leaf| leaf.is_float());
        if array.rough || (floats && !array.name.starts_with('a')) {
            return self.map(array);
        }
        let axis = array.dims.len() - 1;
        let few = self.choices.below(7);
        let count = match self.failing {
            true => format!("{few}"),
            false => format!("{}.min({few})", extent(array, axis)),
        };
        // Rows long enough for any such number.
        let (receiver, count) = match self.failing || self.outer > 0 || self.choices.chance(1, 2) {
            true => (array.name.clone(), count),
            false => {
                let literal = self.literals(&array.leaves);
                let shape: Vec<String> = (0..=axis)
                    .map(|k| match k == axis {
                        true => "6_usize".to_owned(),
                        false => extent(array, k),
                    })
                    .collect();
                let more = format!("fill({}, {literal})", super::views::tuple(&shape));
                (format!("{}.concat({more})", array.name), format!("{few}"))
            }
        };
        let mut dims = array.dims.clone();
        dims[axis] = self.dim();
        let (name, leaves) = match self.choices.below(2) {
            0 => ("top_k", array.leaves.clone()),
            _ => ("argtop_k", vec![Leaf::Usize]),
        };
        Value {
            text: format!("{receiver}.{name}({count})"),
            bound: vec![self.array(leaves, dims, false)],
        }
    }

    /// As many elements as each of a vector says.
    pub(super) fn as_often(&mut self, array: &Shaped) -> Value {
        if array.dims.len() != 1 || self.outer > 0 {
            return self.optional(array);
        }
        let (pattern, known) = self.bind(array);
        let count = self.within(known.clone(), |grammar| {
            grammar.scalar(Leaf::Usize, 2, true).text
        });
        let count = format!("({count}) % 5");
        let (name, dims) = (&array.name, vec![self.dim()]);
        if self.choices.chance(1, 3) {
            return Value {
                text: format!("{name}.repeat_each({name}.map(|{pattern}| {count}))"),
                bound: vec![self.array(array.leaves.clone(), dims, array.rough)],
            };
        }
        let (at, mut inner) = self.indices(1);
        inner.extend(known.clone());
        let (body, leaves, rough) = self.body(inner);
        let mut each = format!("generate({count}, |{at}| {body})");
        if self.choices.chance(1, 3) {
            let (pattern, more) = self.named("x", &leaves, rough);
            let condition = self.within([known, more].concat(), |grammar| {
                grammar.condition(DEPTH - 2)
            });
            each += &format!(".filter(|{pattern}| {condition})");
        }
        let call = match self.choices.below(2) {
            0 => format!("flat_map(|{pattern}| {each})"),
            _ => format!("map_segments(|{pattern}| {each}).values()"),
        };
        Value {
            text: format!("{name}.{call}"),
            bound: vec![self.array(leaves, dims, rough)],
        }
    }
}
