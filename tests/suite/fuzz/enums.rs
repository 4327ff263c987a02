//! Enums and fixed arrays: made, stored, taken apart.

use super::arrays::{DEPTH, Value};
use super::elements::element;
use super::grammar::{Grammar, Known, Shaped};
use super::scalars::{Expression, Leaf};

/// The enum of programs that use one.
pub(super) const KIND: &str = "    pub enum Kind { Empty, One(i32), Two { real: f64, flag: bool }, Three(u8, (i64, u8)) }\n\n";

impl Grammar {
    /// A value of the enum; what is rough has no part in it.
    fn kind(&mut self, depth: usize) -> String {
        self.enums = true;
        let inner = depth.saturating_sub(1);
        match self.choices.below(5) {
            0 => "Kind::Empty".to_owned(),
            1 => format!("Kind::One({})", self.scalar(Leaf::I32, inner, true).text),
            2 => {
                let [real, flag] =
                    [Leaf::F64, Leaf::Bool].map(|leaf| self.scalar(leaf, inner, true).text);
                format!("Kind::Two {{ flag: {flag}, real: {real} }}")
            }
            3 => {
                let [a, b, c] =
                    [Leaf::U8, Leaf::I64, Leaf::U8].map(|leaf| self.scalar(leaf, inner, true).text);
                format!("Kind::Three({a}, ({b}, {c}))")
            }
            _ if depth > 0 => {
                let condition = self.condition(inner);
                let [a, b] = [(); 2].map(|()| self.kind(inner));
                format!("(if {condition} {{ {a} }} else {{ {b} }})")
            }
            _ => "Kind::Empty".to_owned(),
        }
    }

    /// A value of this type for each variant of an enum.
    fn of_kind(&mut self, kind: &str, leaf: Leaf, depth: usize, exact: bool) -> Expression {
        let mut arms = String::new();
        let mut rough = false;
        let variants: [(&str, &[Leaf]); 4] = [
            ("Kind::Empty", &[]),
            ("Kind::One(.0)", &[Leaf::I32]),
            ("Kind::Two { flag: .1, real: .0 }", &[Leaf::F64, Leaf::Bool]),
            (
                "Kind::Three(.0, (.1, .2))",
                &[Leaf::U8, Leaf::I64, Leaf::U8],
            ),
        ];
        for (pattern, leaves) in variants {
            let mut known: Vec<Known> = Vec::new();
            let mut pattern = pattern.to_owned();
            for (k, &leaf) in leaves.iter().enumerate() {
                let name = self.fresh("t");
                pattern = pattern.replace(&format!(".{k}"), &name);
                known.push(Known {
                    name,
                    leaf,
                    rough: false,
                });
            }
            let guarded = self.choices.chance(1, 5);
            self.within(known, |grammar| {
                if guarded {
                    let condition = grammar.condition(1);
                    let value = grammar.scalar(leaf, depth, exact);
                    rough |= value.rough;
                    arms += &format!("{pattern} if {condition} => {}, ", value.text);
                }
                let value = grammar.scalar(leaf, depth, exact);
                rough |= value.rough;
                arms += &format!("{pattern} => {}, ", value.text);
            });
        }
        Expression {
            text: format!("(match {kind} {{ {arms}}})"),
            rough,
        }
    }

    /// What is made of an enum that is made at once.
    pub(super) fn matched(&mut self, leaf: Leaf, depth: usize, exact: bool) -> Expression {
        let (name, kind) = (self.fresh("e"), self.kind(depth - 1));
        let of = self.of_kind(&name, leaf, depth.saturating_sub(2), exact);
        Expression {
            text: format!("{{ let {name} = {kind}; {} }}", of.text),
            rough: of.rough,
        }
    }

    /// An element of a fixed array, at an index that is computed.
    pub(super) fn fixed(&mut self, leaf: Leaf, depth: usize, exact: bool) -> Expression {
        let name = self.fresh("f");
        let parts: Vec<Expression> = (0..2 + self.choices.below(3))
            .map(|_| self.scalar(leaf, depth - 1, exact))
            .collect();
        let at = self.scalar(Leaf::Usize, depth - 1, true).text;
        let texts: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
        Expression {
            text: format!(
                "{{ let {name} = [{}]; {name}[({at}) % {}_usize] }}",
                texts.join(", "),
                parts.len()
            ),
            rough: parts.iter().any(|part| part.rough),
        }
    }

    /// An array of enums, made and asked.
    pub(super) fn enumerated(&mut self, array: &Shaped) -> Value {
        let (pattern, known) = self.bind(array);
        let kind = self.within(known, |grammar| grammar.kind(DEPTH));
        let name = self.fresh("e");
        let leaves = self.leaves();
        let (mut parts, mut rough) = (Vec::new(), false);
        for &leaf in &leaves {
            let part = self.of_kind(&name, leaf, 1, false);
            rough |= part.rough;
            parts.push(part.text);
        }
        let stored = *self.choices.one(&["", ".materialize()", ".reverse()"]);
        Value {
            text: format!(
                "{}.map(|{pattern}| {kind}){stored}.map(|{name}| {})",
                array.name,
                element(&leaves, &parts)
            ),
            bound: vec![self.array(leaves, array.dims.clone(), rough)],
        }
    }
}
