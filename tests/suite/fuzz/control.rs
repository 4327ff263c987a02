//! Programs within programs: for rows, for elements, in branches and in loops.

use super::arrays::Value;
use super::grammar::{Grammar, Known, Shaped};
use super::scalars::Leaf;

/// What a program for rows asserts.
#[derive(Default)]
struct Asserted {
    /// An array that goes along with the rows.
    beside: String,
    /// The name of its element.
    pattern: String,
    statements: String,
}

impl Grammar {
    /// A program for each of the arrays that an array is made of: rows, columns, windows, chunks.
    pub(super) fn nested(&mut self, array: &Shaped) -> Value {
        let other = match array.dims.len() == 1 && self.choices.chance(1, 2) {
            true => self.like(array, |other| other.dims.len() > 1),
            false => array.clone(),
        };
        let array = &other;
        let dims = &array.dims;
        let rank = dims.len();
        if rank > 1 && self.choices.chance(1, 3) {
            return self.normalised(array);
        }
        let k = 1 + self.choices.below(4);
        let axis = self.choices.below(rank);
        let (call, mut outer, inner) = match self.choices.below(6) {
            0 | 1 if rank > 1 => (
                "rows()".to_owned(),
                dims[..rank - 1].to_vec(),
                vec![dims[rank - 1]],
            ),
            2 if rank > 1 => {
                let mut outer = dims.clone();
                let inner = outer.remove(rank - 2);
                ("columns()".to_owned(), outer, vec![inner])
            }
            3 if rank > 1 => {
                let mut inner = dims.clone();
                let outer = inner.remove(axis);
                let call = if axis == 0 {
                    "outer()".to_owned()
                } else {
                    format!("axis({axis})")
                };
                (call, vec![outer], inner)
            }
            kind if self.outer + rank < 4 => {
                let call = match (kind, self.failing) {
                    (4, _) => format!("chunks_exact({k})"),
                    (5, true) => format!("chunks({k})"),
                    _ => format!("windows({k})"),
                };
                let mut inner = vec![self.dim()];
                inner.extend(&dims[1..]);
                (call, vec![self.dim()], inner)
            }
            _ => return self.map(array),
        };
        let chosen = match call == "rows()" && rank == 2 {
            true => self.places_of_rows(array),
            false => None,
        };
        if let Some((_, dim)) = chosen {
            outer = vec![dim];
        }
        let row = Shaped {
            name: self.fresh("v"),
            leaves: array.leaves.clone(),
            dims: inner,
            rough: array.rough,
        };
        let name = row.name.clone();
        let scalars = self.scalars.len();
        // Other arrays are there, too; but mostly it is the row that matters.
        let before = match self.choices.chance(1, 3) {
            true => self.arrays.clone(),
            false => Vec::new(),
        };
        let first = before.len();
        let others = std::mem::replace(&mut self.arrays, before);
        self.arrays.push(row);
        self.outer += outer.len();
        let some = self.choices.chance(1, 3).then(|| self.condition(2));
        let mut body = String::new();
        for _ in 0..1 + self.choices.below(3) {
            self.statement(&mut body, "            ");
        }
        self.outer -= outer.len();
        let inner_arrays = std::mem::replace(&mut self.arrays, others);
        let inner_scalars = self.scalars.split_off(scalars);
        let arrays: Vec<&Shaped> = (inner_arrays[first + 1..].iter())
            .filter(|array| array.dims.len() + outer.len() <= 4)
            .collect();
        let last = match (arrays.last(), inner_scalars.last()) {
            (Some(array), Some(_)) if self.choices.chance(1, 2) => Ok((*array).clone()),
            (_, Some(known)) => Err(known.clone()),
            (Some(array), None) => Ok((*array).clone()),
            (None, None) => return self.map(array),
        };
        let (result, leaves, inner, rough) = match last {
            Ok(array) => (array.name, array.leaves, array.dims, array.rough),
            Err(known) => (known.name, vec![known.leaf], Vec::new(), known.rough),
        };
        let closure = match (some, inner.as_slice()) {
            (Some(condition), []) => {
                let other = self.literals(&leaves);
                format!(
                    "if {condition} {{\n{body}            {result}\n            }} else {{ {other} }}"
                )
            }
            _ => format!("\n{body}            {result}"),
        };
        let dims = [outer, inner].concat();
        let of = &array.name;
        Value {
            text: match chosen {
                Some((places, _)) => format!(
                    "{places}.map(|place| {{ let {name} = {of}.row(place); {closure}\n        }})"
                ),
                None => format!("{of}.{call}.map(|{name}| {{ {closure}\n        }})"),
            },
            bound: vec![self.array(leaves, dims, rough)],
        }
    }

    /// The places of rows that are chosen now and then, and how many they are: by a filter, or by what may be no row's.
    fn places_of_rows(&mut self, array: &Shaped) -> Option<(String, u32)> {
        if self.outer > 0 || !self.choices.chance(1, 4) {
            return None;
        }
        let vector = self.like(array, |other| other.dims.len() == 1);
        if let ([dim], true) = (vector.dims.as_slice(), self.failing) {
            let (pattern, known) = self.bind(&vector);
            let key = self.within(known, |grammar| grammar.scalar(Leaf::Usize, 2, true).text);
            return Some((format!("{}.map(|{pattern}| {key} % 4)", vector.name), *dim));
        }
        let places = format!(
            "iota({}.shape().0).filter(|place| place % 3 != 1)",
            array.name
        );
        Some((places, self.dim()))
    }

    /// Rows whose elements are changed by a fold of the row.
    pub(super) fn normalised(&mut self, array: &Shaped) -> Value {
        let row = Shaped {
            name: self.fresh("v"),
            leaves: array.leaves.clone(),
            dims: array.dims[array.dims.len() - 1..].to_vec(),
            rough: array.rough,
        };
        let (call, leaves, rough) = self.fold_call(&row, "", "");
        let (folded, mut known) = self.named("t", &leaves, rough);
        let (pattern, more) = self.bind(&row);
        known.extend(more);
        let (body, leaves, rough) = self.body(known);
        Value {
            text: format!(
                "{}.rows().map(|{row}| {{ let {folded} = {row}.{call}; {row}.map(|{pattern}| {body}) }})",
                array.name,
                row = row.name,
            ),
            bound: vec![self.array(leaves, array.dims.clone(), rough)],
        }
    }

    /// Rows whose elements are changed by folds of the row that take no order and no decisions, one after the other: each of
    /// what the row is, or of what the elements have been made before.
    pub(super) fn standardised(&mut self, array: &Shaped) -> Value {
        let mut row = Shaped {
            name: self.fresh("v"),
            dims: array.dims[array.dims.len() - 1..].to_vec(),
            ..array.clone()
        };
        let mut text = format!("{}.rows().map(|{}| {{", array.name, row.name);
        let before = self.scalars.len();
        for _ in 0..1 + self.choices.below(2) {
            if self.choices.chance(1, 2) {
                let (pattern, known) = self.bind(&row);
                let leaf = *self.choices.one(&row.leaves);
                let value = self.within(known, |grammar| grammar.straight(leaf, 2));
                let name = self.fresh("v");
                text += &format!(
                    " let {name} = {}.map(|{pattern}| {});",
                    row.name, value.text
                );
                row = Shaped {
                    name,
                    leaves: vec![leaf],
                    rough: value.rough,
                    ..row
                };
            }
            let (pattern, known) = self.bind(&row);
            let leaf = *self.choices.one(&row.leaves);
            let value = self.within(known, |grammar| grammar.straight(leaf, 1));
            let element = Shaped {
                leaves: vec![leaf],
                ..row.clone()
            };
            let (operator, rounds) = self.operator(&element, true);
            let (name, first) = (self.fresh("t"), self.literal(leaf));
            text += &format!(
                " let {name} = {}.map(|{pattern}| {}).fold({first}, {operator});",
                row.name, value.text
            );
            self.scalars.push(Known {
                name,
                leaf,
                rough: value.rough || rounds,
            });
        }
        let (pattern, known) = self.bind(&row);
        let leaf = *self.choices.one(&row.leaves);
        let value = self.within(known, |grammar| grammar.straight(leaf, 2));
        self.scalars.truncate(before);
        Value {
            text: format!("{text} {}.map(|{pattern}| {}) }})", row.name, value.text),
            bound: vec![self.array(vec![leaf], array.dims.clone(), value.rough)],
        }
    }

    /// Scans of rows, reduced by an operator that takes no order: with the elements of the row, where there is one for each.
    pub(super) fn running(&mut self, array: &Shaped) -> Value {
        let row = Shaped {
            name: self.fresh("v"),
            dims: array.dims[array.dims.len() - 1..].to_vec(),
            ..array.clone()
        };
        let (operator, rounds) = self.operator(&row, false);
        let initial = self.literals(&row.leaves);
        let (call, alike) = match self.choices.below(4) {
            0 => (format!("scan1({operator})"), true),
            1 => (format!("rscan1({operator})"), true),
            2 => (format!("scan_exclusive({initial}, {operator}).0"), true),
            _ => (format!("scan({initial}, {operator})"), false),
        };
        let (pattern, mut known) = self.named("x", &row.leaves, row.rough || rounds);
        let (mut own, mut scanned) = (pattern, format!("{}.{call}", row.name));
        if alike && self.choices.chance(1, 2) {
            let (pattern, more) = self.bind(&row);
            known.extend(more);
            (own, scanned) = (
                format!("({own}, {pattern})"),
                format!("{scanned}.zip({})", row.name),
            );
        }
        let leaf = *self.choices.one(&row.leaves);
        let outer = array.dims[..array.dims.len() - 1].to_vec();
        let asserted = match self.failing && self.choices.chance(2, 3) {
            true => self.asserted(leaf, &outer),
            false => None,
        };
        let Asserted {
            beside,
            pattern,
            statements,
        } = match asserted {
            Some((asserted, read)) => {
                known.push(read);
                asserted
            }
            None => Asserted::default(),
        };
        let value = self.within(known, |grammar| grammar.straight(leaf, 1));
        let element = Shaped {
            leaves: vec![leaf],
            ..row.clone()
        };
        let (operator, more) = self.operator(&element, true);
        let first = self.literal(leaf);
        let parameter = match pattern.is_empty() {
            true => row.name.clone(),
            false => format!("({}, {pattern})", row.name),
        };
        Value {
            text: format!(
                "{}.rows(){beside}.map(|{parameter}| {{ {statements}{scanned}.map(|{own}| {}).fold({first}, {operator}) }})",
                array.name, value.text
            ),
            bound: vec![self.array(vec![leaf], outer, value.rough || more)],
        }
    }

    /// An element that only an assertion keeps in bounds: at a place that each row has of its own, if an array says one
    /// for each of these.
    fn asserted(&mut self, leaf: Leaf, outer: &[u32]) -> Option<(Asserted, Known)> {
        let fits = |array: &&Shaped| array.dims.len() == 1 && array.leaves == [leaf];
        let fitting: Vec<Shaped> = self.arrays.iter().filter(fits).cloned().collect();
        if fitting.is_empty() {
            return None;
        }
        let from = self.choices.one(&fitting).clone();
        let says = |array: &&Shaped| {
            let [leaf] = array.leaves[..] else {
                return false;
            };
            array.dims == outer && leaf != Leaf::Bool && !leaf.is_float()
        };
        let own: Vec<Shaped> = self.arrays.iter().filter(says).cloned().collect();
        let mut asserted = Asserted::default();
        let at = match own.is_empty() {
            true => self.straight(Leaf::Usize, 1).text,
            false => {
                asserted.beside = format!(".zip({})", self.choices.one(&own).name);
                asserted.pattern = self.fresh("x");
                format!("{} as usize", asserted.pattern)
            }
        };
        let (place, read) = (self.fresh("s"), self.fresh("s"));
        let from_name = &from.name;
        asserted.statements = format!(
            "let {place} = ({at}) % ({from_name}.len() + 2); assert!({place} < {from_name}.len()); let {read} = {from_name}[{place}]; "
        );
        let known = Known {
            name: read,
            leaf,
            rough: from.rough,
        };
        Some((asserted, known))
    }

    /// Short rows that change for some rounds, each by itself.
    pub(super) fn relaxed(&mut self, array: &Shaped) -> Value {
        let ([leaf], [_], 0) = (array.leaves.as_slice(), array.dims.as_slice(), self.outer) else {
            return self.looped(array);
        };
        let [row, state, counter] = ["v", "v", "q"].map(|stem| self.fresh(stem));
        let length = *self.choices.one(&[4, 16, 33, 48]);
        let rounds = 1 + self.choices.below(4);
        let rough = array.rough || leaf.is_float();
        let of_state = Shaped {
            name: state.clone(),
            dims: vec![self.dim()],
            rough,
            ..array.clone()
        };
        let (at, mut known) = self.indices(1);
        let (pattern, more) = self.bind(&of_state);
        known.extend(more);
        known.push(Known {
            name: counter.clone(),
            leaf: Leaf::Usize,
            rough: false,
        });
        let inner = of_state.dims[0];
        let others = std::mem::replace(&mut self.arrays, vec![of_state]);
        let value = self.within(known, |grammar| {
            grammar.scalar(*leaf, 3, *leaf == Leaf::Bool)
        });
        self.arrays = others;
        let neighbour = 1 + self.choices.below(length);
        let step = match (self.choices.below(3), *leaf) {
            (0, _) | (_, Leaf::Bool) => value.text,
            (1, _) => format!(
                "{state}[({at} + {neighbour}) % {length}].max({})",
                value.text
            ),
            _ => format!("{} - {state}[{length} - 1 - {at}]", value.text),
        };
        let dims = vec![self.dim(), inner];
        let bound = self.array(vec![*leaf], dims, rough);
        Value {
            text: format!(
                "{}.chunks_exact({length}).map(|{row}| {{ let mut {state} = {row}; for {counter} in 0..{rounds}_usize {{ {state} = {state}.map_indexed(|{at}, {pattern}| {step}); }} {state} }})",
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
        let outer = self.outer;
        let other = self.like(array, |other| {
            let alike = other.leaves == array.leaves && other.dims.len() == array.dims.len();
            // Rows are of one size.
            alike && (outer == 0 || other.dims == array.dims)
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

    /// An element of folds of rows, by indices that may be out of range, where nobody may ask for it.
    pub(super) fn asked(&mut self, array: &Shaped) -> Value {
        let [row, folds, last, counter] = ["v", "v", "s", "q"].map(|stem| self.fresh(stem));
        let (dims, of_row) = array.dims.split_at(array.dims.len() - 1);
        let of_row = Shaped {
            name: row.clone(),
            dims: of_row.to_vec(),
            ..array.clone()
        };
        let (call, leaves, rough) = self.fold_call(&of_row, "", "");
        let at: Vec<String> = (dims.iter())
            .map(|_| self.scalar(Leaf::Usize, 2, true).text)
            .collect();
        let (at, none) = (super::views::tuple(&at), self.literals(&leaves));
        let read = match self.failing {
            true => format!("{folds}[{at}]"),
            false => format!("{folds}.get({at}).unwrap_or({none})"),
        };
        let head = format!(
            "let {folds} = {}.rows().map(|{row}| {row}.{call});",
            array.name
        );
        let other = self.having(|other| other.dims.len() == 1);
        let (text, dims) = match self.choices.below(3) {
            0 => (
                format!("if {} {{ {read} }} else {{ {none} }}", self.condition(2)),
                Vec::new(),
            ),
            1 => {
                let rounds = self.choices.below(3);
                let condition = self.condition(1);
                let text = format!(
                    "let mut {last} = {none}; let mut {counter} = 0; while {counter} < {rounds} && {condition} {{ {last} = {read}; {counter} += 1; }} {last}"
                );
                (text, Vec::new())
            }
            _ => {
                let (pattern, known) = self.bind(&other);
                let condition = self.within(known, |grammar| grammar.condition(2));
                let text = format!(
                    "{}.map(|{pattern}| if {condition} {{ {read} }} else {{ {none} }})",
                    other.name
                );
                (text, other.dims)
            }
        };
        let bound = match dims.is_empty() {
            true => self.result(&leaves, dims, rough),
            false => self.array(leaves, dims, rough),
        };
        Value {
            text: format!("{{ {head} {text} }}"),
            bound: vec![bound],
        }
    }

    /// A few rounds of something that keeps type and shape, with a number that each round changes, too.
    pub(super) fn looped(&mut self, array: &Shaped) -> Value {
        let [leaf] = array.leaves.as_slice() else {
            return self.viewed(array);
        };
        let [state, number, counter] = ["v", "s", "q"].map(|stem| self.fresh(stem));
        let of_number = *self.choices.one(&[Leaf::I32, Leaf::U8, Leaf::F32]);
        let (pattern, mut known) = self.bind(array);
        // What is rough in one round is so in the next.
        known.iter_mut().for_each(|known| known.rough = true);
        let both = self.choices.chance(1, 2);
        let exact = |name: &String, leaf| Known {
            name: name.clone(),
            leaf,
            rough: false,
        };
        let changing = match both {
            true => vec![exact(&number, of_number), exact(&counter, Leaf::Usize)],
            false => Vec::new(),
        };
        known.extend(changing.clone());
        let body = self.within(known, |grammar| grammar.scalar(*leaf, 2, false));
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
        let name = &array.name;
        let result = self.array(
            array.leaves.clone(),
            array.dims.clone(),
            array.rough || leaf.is_float(),
        );
        if !both {
            return Value {
                text: format!(
                    "{{ let mut {state} = {name}.clone(); for _ in 0..{rounds} {{ {state} = {step}; }} {state} }}"
                ),
                bound: vec![result],
            };
        }
        let first = self.literal(of_number);
        let (next, goes_on) = self.within(changing, |grammar| {
            let next = grammar.scalar(of_number, 2, true).text;
            (next, grammar.condition(1))
        });
        let [head, tail] = match self.choices.chance(1, 3) {
            true => [
                format!("let mut {counter} = 0_usize; while {counter} < {rounds} && {goes_on}"),
                format!(" {counter} += 1;"),
            ],
            false => [format!("for {counter} in 0..{rounds}_usize"), String::new()],
        };
        Value {
            text: format!(
                "{{ let mut {state} = {name}.clone(); let mut {number} = {first}; {head} {{ {state} = {step}; {number} = {next};{tail} }} ({state}, {number}) }}"
            ),
            bound: vec![result, self.result(&[of_number], Vec::new(), false)],
        }
    }
}
