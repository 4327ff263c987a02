//! Programs within programs: for rows, for elements, in branches and in loops.

use super::arrays::Value;
use super::grammar::{Grammar, Shaped};
use super::scalars::Leaf;

impl Grammar {
    /// A program for each row or column.
    pub(super) fn nested(&mut self, array: &Shaped) -> Value {
        let [outer, inner] = array.dims.as_slice() else {
            return self.map(array);
        };
        let (call, outer, inner) = match self.choices.below(2) {
            0 => ("rows()", *outer, *inner),
            _ => ("columns()", *inner, *outer),
        };
        let row = Shaped {
            name: self.fresh("v"),
            leaves: array.leaves.clone(),
            dims: vec![inner],
            rough: array.rough,
        };
        let name = row.name.clone();
        let scalars = self.scalars.len();
        // Only the row: other arrays in scope would do, and come up in scalar code.
        let others = std::mem::replace(&mut self.arrays, vec![row]);
        let outside = std::mem::replace(&mut self.rows, true);
        let mut body = String::new();
        for _ in 0..1 + self.choices.below(3) {
            self.statement(&mut body, "            ");
        }
        self.rows = outside;
        let inner_arrays = std::mem::replace(&mut self.arrays, others);
        let inner_scalars = self.scalars.split_off(scalars);
        let vectors: Vec<&Shaped> = inner_arrays[1..]
            .iter()
            .filter(|array| array.dims.len() <= 2)
            .collect();
        let last = match (vectors.last(), inner_scalars.last()) {
            (Some(vector), Some(_)) if self.choices.chance(1, 2) => Ok((*vector).clone()),
            (_, Some(known)) => Err(known.clone()),
            (Some(vector), None) => Ok((*vector).clone()),
            (None, None) => return self.map(array),
        };
        let (result, bound) = match last {
            Ok(vector) => {
                let mut dims = vec![outer];
                dims.extend(&vector.dims);
                (
                    vector.name.clone(),
                    self.array(vector.leaves, dims, vector.rough),
                )
            }
            Err(known) => (
                known.name,
                self.array(vec![known.leaf], vec![outer], known.rough),
            ),
        };
        Value {
            text: format!(
                "{}.{call}.map(|{name}| {{\n{body}            {result}\n        }})",
                array.name
            ),
            bound: vec![bound],
        }
    }

    /// Each element of one vector with each of another one.
    pub(super) fn spread(&mut self, array: &Shaped) -> Value {
        let other = self.like(array, |other| other.dims.len() == 1);
        if array.dims.len() != 1 || other.dims.len() != 1 || self.folds == 0 {
            return self.map(array);
        }
        self.folds -= 1;
        let (a, mut known) = self.bind(array);
        let (b, more) = self.bind(&other);
        known.extend(more);
        let (body, leaves, rough) = self.body(known);
        let inner = format!("{}.map(|{b}| {body})", other.name);
        let dims = vec![array.dims[0], other.dims[0]];
        if let [leaf] = leaves.as_slice()
            && self.choices.chance(1, 2)
        {
            let (fold, rounds) = self.fold(*leaf, false);
            return Value {
                text: format!("{}.map(|{a}| {inner}{fold})", array.name),
                bound: vec![self.array(leaves, vec![array.dims[0]], rough || rounds)],
            };
        }
        Value {
            text: format!("{}.map(|{a}| {inner})", array.name),
            bound: vec![self.array(leaves, dims, rough)],
        }
    }

    pub(super) fn chosen(&mut self, array: &Shaped) -> Value {
        let other = self.like(array, |other| {
            other.leaves == array.leaves && other.dims.len() == array.dims.len()
        });
        let condition = self.condition(2);
        let dims = match other.dims == array.dims {
            true => array.dims.clone(),
            false => array.dims.iter().map(|_| self.dim()).collect(),
        };
        Value {
            text: format!(
                "if {condition} {{ {}.reverse() }} else {{ {}.clone() }}",
                array.name, other.name
            ),
            bound: vec![self.array(array.leaves.clone(), dims, array.rough || other.rough)],
        }
    }

    /// A few rounds of something that keeps type and shape.
    pub(super) fn looped(&mut self, array: &Shaped) -> Value {
        let [leaf] = array.leaves.as_slice() else {
            return self.viewed(array);
        };
        let state = self.fresh("v");
        let (pattern, mut known) = self.bind(array);
        // What is rough in one round is so in the next.
        known.iter_mut().for_each(|known| known.rough = true);
        self.scalars.extend(known);
        let body = self.scalar(*leaf, 2, false);
        self.scalars.pop();
        let step = match self.choices.below(4) {
            0 => format!("{state}.map(|{pattern}| {})", body.text),
            1 => format!("{state}.rotate_left(1).map(|{pattern}| {})", body.text),
            2 if array.dims.len() == 1 => {
                format!("{state}.stencil(Clamp, |w| if w[-1] < w[1] {{ w[0] }} else {{ w[1] }})")
            }
            _ => format!(
                "{state}.zip({}).map(|({pattern}, _)| {})",
                array.name, body.text
            ),
        };
        let step = match array.rough || *leaf == Leaf::Bool {
            true => format!("{state}.reverse()"),
            false => step,
        };
        let rounds = self.choices.below(4);
        Value {
            text: format!(
                "{{ let mut {state} = {}.clone(); for _ in 0..{rounds} {{ {state} = {step}; }} {state} }}",
                array.name
            ),
            bound: vec![self.array(
                array.leaves.clone(),
                array.dims.clone(),
                array.rough || leaf.is_float(),
            )],
        }
    }
}
