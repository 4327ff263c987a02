//! Folds and scans: of an axis, of all, within segments, and products.

use super::arrays::Value;
use super::grammar::{Grammar, Segments, Shaped};
use super::scalars::{LEAVES, Leaf};

impl Grammar {
    /// A fold of the last axis, if not of another one or of all.
    pub(super) fn folded(&mut self, array: &Shaped) -> Value {
        let rank = array.dims.len();
        let axis = self.choices.below(rank);
        let along = rank > 1 && self.choices.chance(1, 2);
        let all = !along && rank > 1 && self.choices.chance(1, 4);
        let (suffix, first) = match (along, all) {
            (true, _) => ("_axis", format!("{axis}, ")),
            (_, true) => ("_all", String::new()),
            _ => ("", String::new()),
        };
        let mut dims = array.dims.clone();
        if all {
            dims.clear();
        } else {
            dims.remove(if along { axis } else { rank - 1 });
        }
        let (call, leaves, rough) = self.fold_call(array, suffix, &first);
        Value {
            text: format!("{}.{call}", array.name),
            bound: vec![self.result(&leaves, dims, rough)],
        }
    }

    /// A fold's name with this suffix, and arguments after the first ones; its leaves, and whether it is rough.
    pub(super) fn fold_call(
        &mut self,
        array: &Shaped,
        suffix: &str,
        first: &str,
    ) -> (String, Vec<Leaf>, bool) {
        let (rough, leaves) = (array.rough, array.leaves.clone());
        let numbers = leaves.len() > 1 && leaves.iter().all(|leaf| *leaf != Leaf::Bool);
        if numbers && self.choices.chance(1, 5) {
            // By component.
            let floats = leaves.iter().any(|leaf| leaf.is_float());
            let name = match floats {
                true => "sum",
                false => *self.choices.one::<&str>(&["sum", "product"]),
            };
            let call = format!("{name}{suffix}({})", first.trim_end_matches(", "));
            return (call, leaves, floats);
        }
        if let ([leaf], true) = (array.leaves.as_slice(), self.choices.chance(1, 2)) {
            let (leaf, float) = (*leaf, leaf.is_float());
            let bare = |name: &str| format!("{name}{suffix}({})", first.trim_end_matches(", "));
            if leaf == Leaf::Bool {
                return (
                    bare(self.choices.one::<&str>(&["all", "any"])),
                    leaves,
                    false,
                );
            }
            match self.choices.below(6) {
                0 => return (bare("sum"), leaves, float),
                1 if !float => return (bare("product"), leaves, false),
                1 => return (bare("mean"), leaves, true),
                2 if self.failing => {
                    return (
                        bare(self.choices.one::<&str>(&["min", "max"])),
                        leaves,
                        rough,
                    );
                }
                3 if self.failing && !rough => {
                    return (
                        bare(self.choices.one::<&str>(&["argmin", "argmax"])),
                        vec![Leaf::Usize],
                        false,
                    );
                }
                4 if !float => {
                    // A sum of something of another type.
                    let to = *self.choices.one(&[Leaf::I64, Leaf::U32, Leaf::I16]);
                    let (pattern, known) = self.bind(array);
                    let value = self.within(known, |grammar| grammar.scalar(to, 2, true).text);
                    let initial = self.literal(to);
                    let operator = *self.choices.one(&["+", "^", "*"]);
                    let closure = format!("|acc, {pattern}| acc {operator} {value}");
                    return (
                        format!("fold{suffix}({first}{initial}, {closure})"),
                        vec![to],
                        false,
                    );
                }
                _ => {}
            }
        }
        let (operator, rounds) = self.operator(array, false);
        if self.failing && self.choices.chance(1, 4) {
            return (
                format!("fold1{suffix}({first}{operator})"),
                leaves,
                rough || rounds,
            );
        }
        let initial = self.literals(&array.leaves);
        (
            format!("fold{suffix}({first}{initial}, {operator})"),
            leaves,
            rough || rounds,
        )
    }

    pub(super) fn scanned(&mut self, array: &Shaped) -> Value {
        self.scan_call(array, "", "", None)
    }

    /// A scan with this suffix and first argument, and the number of segments.
    fn scan_call(
        &mut self,
        array: &Shaped,
        suffix: &str,
        first: &str,
        pieces: Option<u32>,
    ) -> Value {
        let name = &array.name;
        let mut dims = array.dims.clone();
        if let ([leaf], true) = (array.leaves.as_slice(), self.choices.chance(1, 5))
            && *leaf != Leaf::Bool
        {
            let call = *self.choices.one(&["cumsum", "cummax", "cummin", "cumprod"]);
            let call = if leaf.is_float() && call == "cumprod" {
                "cumsum"
            } else {
                call
            };
            let rough = array.rough || (leaf.is_float() && call == "cumsum");
            return Value {
                text: format!("{name}.{call}{suffix}({})", first.trim_end_matches(", ")),
                bound: vec![self.array(array.leaves.clone(), dims, rough)],
            };
        }
        let (operator, rounds) = self.operator(array, false);
        let initial = self.literals(&array.leaves);
        let rough = array.rough || rounds;
        let right = if self.choices.chance(1, 3) { "r" } else { "" };
        let call = match self.choices.below(3) {
            0 => format!("{right}scan1{suffix}({first}{operator})"),
            1 => {
                dims.pop();
                dims.push(self.dim());
                format!("{right}scan{suffix}({first}{initial}, {operator})")
            }
            _ => {
                let mut outer = dims[..dims.len() - 1].to_vec();
                outer.extend(pieces);
                let results = self.array(array.leaves.clone(), dims, rough);
                let total = self.result(&array.leaves, outer, rough);
                return Value {
                    text: format!(
                        "{name}.{right}scan_exclusive{suffix}({first}{initial}, {operator})"
                    ),
                    bound: vec![results, total],
                };
            }
        };
        Value {
            text: format!("{name}.{call}"),
            bound: vec![self.array(array.leaves.clone(), dims, rough)],
        }
    }

    /// Within segments: of an array whose last axis they are of, if there is one.
    pub(super) fn segmented(&mut self, array: &Shaped) -> Value {
        if let [rows, columns] = *array.dims.as_slice()
            && self.outer == 0
            && self.choices.chance(1, 2)
        {
            let row = Shaped {
                dims: vec![columns],
                ..array.clone()
            };
            let total = self.dim();
            return self.of_segments(&row, &format!("{}.rows()", array.name), rows, total);
        }
        let fits = |array: &Shaped, segments: &Segments| array.dims.last() == Some(&segments.of);
        let given = self.segments.first().cloned();
        let Some(segments) = given.or_else(|| self.computed_segments(array)) else {
            return self.folded(array);
        };
        let array = match fits(array, &segments) {
            true => array.clone(),
            false => self.like(array, |other| fits(other, &segments)),
        };
        if !fits(&array, &segments) && !self.failing {
            return self.scanned(&array);
        }
        let Segments {
            name, dim, offsets, ..
        } = segments;
        let (first, pieces) = match offsets {
            true => (format!("Offsets::new(&{name}), "), self.dim()),
            false => (format!("&{name}, "), dim),
        };
        if array.dims.len() == 1 && self.outer == 0 && self.choices.chance(1, 3) {
            let segments = first.trim_end_matches(", ");
            let made = format!("Segmented::new({}, {segments})", array.name);
            return self.of_segments(&array, &made, pieces, array.dims[0]);
        }
        if self.choices.chance(1, 2) {
            return self.scan_call(&array, "_segmented", &first, Some(pieces));
        }
        let (call, leaves, rough) = self.fold_call(&array, "_segmented", &first);
        let mut dims = array.dims.clone();
        dims.pop();
        dims.push(pieces);
        Value {
            text: format!("{}.{call}", array.name),
            bound: vec![self.array(leaves, dims, rough)],
        }
    }

    /// Segments that the program makes: as many elements as have the same key.
    fn computed_segments(&mut self, array: &Shaped) -> Option<Segments> {
        let [of] = *array.dims.as_slice() else {
            return None;
        };
        if self.outer > 0 {
            return None;
        }
        let (pattern, known) = self.bind(array);
        let key = self.within(known, |grammar| grammar.scalar(Leaf::Usize, 2, true).text);
        let bins = 1 + self.choices.below(9);
        let counts = format!(
            "{}.map(|{pattern}| {key} % {bins}).histogram({bins})",
            array.name
        );
        let offsets = self.choices.chance(1, 2);
        Some(Segments {
            name: match offsets {
                true => format!("{counts}.scan(0, |a, b| a + b)"),
                false => counts,
            },
            dim: self.dim(),
            of,
            offsets,
        })
    }

    /// A closure over segments of a vector: how many there are, and their elements.
    fn of_segments(&mut self, array: &Shaped, made: &str, pieces: u32, total: u32) -> Value {
        let segment = Shaped {
            name: "segment".to_owned(),
            ..array.clone()
        };
        let (leaves, dims) = (array.leaves.clone(), vec![total]);
        // The sign of a computed NaN is unspecified, but decides an order.
        let sorts = !array.rough && !leaves.iter().any(|leaf| leaf.is_float());
        let (call, part, bound) = match self.choices.below(4) {
            0 => {
                let (call, leaves, rough) = self.fold_call(&segment, "", "");
                (call, "", self.array(leaves, vec![pieces], rough))
            }
            1 if sorts => {
                let call = "sort()".to_owned();
                (call, ".values()", self.array(leaves, dims, false))
            }
            2 => {
                let (pattern, known) = self.bind(&segment);
                let condition = self.within(known, |grammar| grammar.condition(1));
                let dims = vec![self.dim()];
                let call = format!("filter(|{pattern}| {condition})");
                (call, ".values()", self.array(leaves, dims, array.rough))
            }
            _ => {
                let (operator, rounds) = self.operator(&segment, false);
                let call = format!("reverse().scan1({operator})");
                (
                    call,
                    ".values()",
                    self.array(leaves, dims, array.rough || rounds),
                )
            }
        };
        Value {
            text: format!("{made}.map_segments(|segment| segment.{call}){part}"),
            bound: vec![bound],
        }
    }

    /// Products of vectors and of matrices.
    pub(super) fn product(&mut self, array: &Shaped) -> Value {
        let other = match self.choices.chance(2, 3) {
            true => self.like(array, |other| other.dims.len() == 2),
            false => array.clone(),
        };
        let array = if array.dims.len() == 2 { array } else { &other };
        let number = matches!(array.leaves.as_slice(), [leaf] if *leaf != Leaf::Bool);
        match array.dims.as_slice() {
            [n] if number => {
                let alike = |other: &Shaped| other.dims.len() == 1 && other.leaves == array.leaves;
                let other = self.like(array, alike);
                let rough = array.rough || other.rough;
                if other.dims == [*n] && self.choices.chance(1, 2) {
                    let rough = rough || array.leaves[0].is_float();
                    return Value {
                        text: format!("{}.dot(&{})", array.name, other.name),
                        bound: vec![self.result(&array.leaves, Vec::new(), rough)],
                    };
                }
                Value {
                    text: format!("{}.outer_product(&{})", array.name, other.name),
                    bound: vec![self.array(array.leaves.clone(), vec![*n, other.dims[0]], rough)],
                }
            }
            [rows, inner] if self.folds > 0 && self.outer == 0 => {
                self.folds -= 1;
                self.matrices(array, *rows, *inner, number)
            }
            _ => self.nested(array),
        }
    }

    /// Products of matrices, and programs of their form.
    fn matrices(&mut self, array: &Shaped, rows: u32, inner: u32, number: bool) -> Value {
        let name = &array.name;
        let fitting = |other: &Shaped| {
            other.dims.len() == 2 && other.leaves == array.leaves && other.dims[0] == inner
        };
        let other = self.like(array, fitting);
        let (right, columns, right_rough) = match other.dims[0] == inner {
            true => (other.name.clone(), other.dims[1], other.rough),
            false => (format!("{name}.transpose()"), rows, array.rough),
        };
        let rough = array.rough || array.leaves[0].is_float();
        match self.choices.below(4) {
            0 if number => Value {
                text: format!("{name}.matmul(&{right})"),
                bound: vec![self.array(
                    array.leaves.clone(),
                    vec![rows, columns],
                    rough || right_rough,
                )],
            },
            1 if number => {
                let vector = self.like(array, |other| {
                    other.leaves == array.leaves && other.dims == [inner]
                });
                let (vector, vector_rough) = match vector.dims.len() {
                    1 => (vector.name, vector.rough),
                    _ => {
                        let last = self.literals(&array.leaves);
                        (format!("{name}.fold_axis(0, {last}, |_, b| b)"), false)
                    }
                };
                Value {
                    text: format!("{name}.matvec(&{vector})"),
                    bound: vec![self.array(
                        array.leaves.clone(),
                        vec![rows],
                        rough || vector_rough,
                    )],
                }
            }
            _ => {
                let (a, mut known) = self.bind(array);
                let (b, more) = self.named("y", &array.leaves, right_rough);
                known.extend(more);
                let [row, column] = ["v", "v"].map(|stem| self.fresh(stem));
                let leaf = *self.choices.one(&LEAVES);
                let value = self.within(known, |grammar| grammar.scalar(leaf, 2, false));
                let (fold, rounds) = self.fold(leaf, false);
                let inner = format!("{row}.zip({column}).map(|({a}, {b})| {}){fold}", value.text);
                Value {
                    text: format!(
                        "{{ let right = {right}; {name}.rows().map(|{row}| right.columns().map(|{column}| {inner})) }}"
                    ),
                    bound: vec![self.array(vec![leaf], vec![rows, columns], value.rough || rounds)],
                }
            }
        }
    }
}
