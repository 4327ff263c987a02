//! Neighbours at constant offsets, or at those of loops, of one array or of two.

use super::arrays::Value;
use super::grammar::{Grammar, Known, Shaped};
use super::scalars::Leaf;

impl Grammar {
    pub(super) fn stencil(&mut self, array: &Shaped) -> Value {
        let other = self.like(array, |other| other.dims == array.dims);
        let mut arrays = vec![array.clone()];
        if self.choices.chance(1, 4) && other.dims == array.dims {
            arrays.push(other);
        }
        let rank = array.dims.len();
        let (mut lets, mut known) = (String::new(), Vec::new());
        let (mut arguments, mut windows) = (Vec::new(), Vec::new());
        for (k, array) in arrays.iter().enumerate() {
            if k > 0 {
                arguments.push(format!("&{}", array.name));
            }
            arguments.push(self.boundary(array));
            let window = self.fresh("w");
            for _ in 0..1 + self.choices.below(3) {
                let offsets: Vec<String> = (0..rank)
                    .map(|_| (self.choices.below(5) as i32 - 2).to_string())
                    .collect();
                let at = match offsets.as_slice() {
                    [one] => one.clone(),
                    many => format!("({})", many.join(", ")),
                };
                let (pattern, more) = self.bind(array);
                lets += &format!("let {pattern} = {window}[{at}]; ");
                known.extend(more);
            }
            if let ([leaf], true) = (&array.leaves[..], self.choices.chance(1, 4)) {
                let (text, sum) = self.over_offsets(&window, rank, *leaf, array.rough);
                lets += &text;
                known.push(sum);
            }
            windows.push(window);
        }
        let (body, leaves, rough) = self.body(known);
        let name = if arrays.len() > 1 {
            "stencil2"
        } else {
            "stencil"
        };
        Value {
            text: format!(
                "{}.{name}({}, |{}| {{ {lets}{body} }})",
                array.name,
                arguments.join(", "),
                windows.join(", ")
            ),
            bound: vec![self.array(leaves, array.dims.clone(), rough)],
        }
    }

    /// A loop over the offsets of a window, and what it accumulates.
    fn over_offsets(
        &mut self,
        window: &str,
        rank: usize,
        leaf: Leaf,
        rough: bool,
    ) -> (String, Known) {
        let [sum, counter] = ["s", "d"].map(|stem| self.fresh(stem));
        let (low, high) = (self.choices.below(3), self.choices.below(3));
        let range = match self.choices.below(3) {
            0 => format!("-{low}..={high}"),
            1 => format!("(-{low}..{high}).rev()"),
            _ => format!("(-{low}..={high}).step_by(2)"),
        };
        let moved = match self.choices.below(3) {
            0 => counter.clone(),
            1 => format!("1 - {counter}"),
            _ => format!("2 * {counter} + 1"),
        };
        let along = self.choices.below(rank);
        let offsets = (0..rank).map(|axis| match axis == along {
            true => moved.clone(),
            false => (self.choices.below(3) as i32 - 1).to_string(),
        });
        let offsets: Vec<String> = offsets.collect();
        let at = match offsets.as_slice() {
            [one] => one.clone(),
            many => format!("({})", many.join(", ")),
        };
        let combined = match leaf {
            Leaf::Bool => format!("{sum} ^ {window}[{at}]"),
            _ => format!("{sum}.max({window}[{at}])"),
        };
        let initial = self.literal(leaf);
        let name = leaf.name();
        let text = format!(
            "let mut {sum}: {name} = {initial}; for {counter} in {range} {{ {sum} = {combined}; }} "
        );
        let known = Known {
            name: sum,
            leaf,
            rough,
        };
        (text, known)
    }

    /// What stands beyond the edges.
    pub(super) fn boundary(&mut self, array: &Shaped) -> String {
        let literal = self.literals(&array.leaves);
        match self.choices.below(6) {
            0 => "Clamp".to_owned(),
            1 => "Wrap".to_owned(),
            2 => "Mirror".to_owned(),
            3 => "Reflect".to_owned(),
            4 => format!("Constant({literal})"),
            _ => {
                let other = self.literals(&array.leaves);
                let pattern = match array.dims.len() {
                    1 => "i".to_owned(),
                    rank => format!("(i{})", ", _".repeat(rank - 1)),
                };
                format!("Function(|{pattern}| if i < 0 {{ {literal} }} else {{ {other} }})")
            }
        }
    }
}
