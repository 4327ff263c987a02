//! The same elements in other places: views, pieces, joins, reads at computed indices.

use super::arrays::Value;
use super::elements::element;
use super::grammar::{Grammar, Shaped};
use super::scalars::{Expression, Leaf};

/// The extent of an axis, as an expression.
pub(super) fn extent(array: &Shaped, axis: usize) -> String {
    match array.dims.len() {
        1 => format!("{}.len()", array.name),
        _ => format!("{}.shape().{axis}", array.name),
    }
}

/// Parts of a shape or an index.
pub(super) fn tuple(parts: &[String]) -> String {
    match parts {
        [one] => one.clone(),
        many => format!("({})", many.join(", ")),
    }
}

/// The highest rank that programs use.
const RANK: usize = 4;

impl Grammar {
    pub(super) fn viewed(&mut self, array: &Shaped) -> Value {
        let mut dims = array.dims.clone();
        let rank = dims.len();
        let last = rank - 1;
        let k = self.choices.below(4);
        let call = match self.choices.below(16) {
            0 => "reverse()".to_owned(),
            1 => format!("rotate_left({k} % {}.max(1))", extent(array, last)),
            2 => format!("rotate_right({k} % {}.max(1))", extent(array, last)),
            3 if rank > 1 => {
                dims.reverse();
                "transpose()".to_owned()
            }
            4 if rank > 1 => {
                dims = vec![self.dim()];
                "flatten()".to_owned()
            }
            5 | 6 => {
                let entries: Vec<String> = (0..rank)
                    .map(|axis| match self.choices.below(4) {
                        0 => "..".to_owned(),
                        1 => {
                            dims[axis] = self.dim();
                            format!("..;{}", k + 1)
                        }
                        2 => {
                            dims[axis] = self.dim();
                            format!("..;-{}", k + 1)
                        }
                        _ => {
                            let all = extent(array, axis);
                            dims[axis] = self.dim();
                            format!("{all} / 3..{all};2")
                        }
                    })
                    .collect();
                format!("slice(s![{}])", entries.join(", "))
            }
            7 if rank > 2 => {
                dims.rotate_left(1);
                let axes: Vec<String> = (0..rank).map(|k| ((k + 1) % rank).to_string()).collect();
                format!("permute_axes(({}))", axes.join(", "))
            }
            8 | 9 => {
                dims[last] = self.dim();
                let name = *self.choices.one(&["take", "skip"]);
                format!("{name}({} / 2)", extent(array, last))
            }
            10 if rank < RANK => {
                let at = k.min(rank);
                dims.insert(at, self.dim());
                format!("expand_axis({at})")
            }
            11 if rank < RANK => {
                dims.insert(0, self.dim());
                format!("replicate({k})")
            }
            12 if rank < RANK => {
                let extents: Vec<String> = (0..rank).map(|axis| extent(array, axis)).collect();
                dims.insert(0, self.dim());
                format!("broadcast_to(({}, {}))", k, extents.join(", "))
            }
            13 if self.failing => {
                dims[last] = self.dim();
                (*self.choices.one(&["tail()", "init()"])).to_owned()
            }
            14 if rank == 2 => {
                dims.swap(0, 1);
                format!("reshape(({}, {}))", extent(array, 1), extent(array, 0))
            }
            _ => "materialize()".to_owned(),
        };
        Value {
            text: format!("{}.{call}", array.name),
            bound: vec![self.array(array.leaves.clone(), dims, array.rough)],
        }
    }

    /// Pieces of an axis, and parts of one.
    pub(super) fn pieces(&mut self, array: &Shaped) -> Value {
        let mut dims = array.dims.clone();
        let (rank, last) = (dims.len(), dims.len() - 1);
        let name = &array.name;
        let (leaves, rough) = (array.leaves.clone(), array.rough);
        let k = 1 + self.choices.below(3);
        let text = match self.choices.below(10) {
            0 if rank < RANK => {
                let size = 1 + self.choices.below(4);
                dims[0] = self.dim();
                dims.insert(1, self.dim());
                format!("{name}.slide({size}, {k})")
            }
            1 if rank > 1 => {
                let first = self.dim();
                dims.splice(0..2, [first]);
                format!("{name}.join()")
            }
            2 if rank > 1 && self.failing => {
                let calls = [
                    (last, "first()", None),
                    (last, "last()", None),
                    (0, "row(0)", None),
                    (last, "column(0)", None),
                    (0, "row(", Some(")")),
                    (last, "column(", Some(")")),
                    (0, "slice(s![", Some(", ..])")),
                ];
                let fit = if rank == 2 { calls.len() } else { 2 };
                let (axis, call, rest) = *self.choices.one(&calls[..fit]);
                dims.remove(axis);
                match rest {
                    None => format!("{name}.{call}"),
                    Some(rest) => format!("{name}.{call}{}{rest}", self.of_device(array, axis)),
                }
            }
            3 if rank < RANK => {
                // Twice as many can be split in two.
                dims[0] = self.dim();
                dims.insert(0, self.dim());
                format!("{name}.concat_axis(0, {name}).split(2)")
            }
            4 => {
                dims[last] = self.dim();
                let (pattern, known) = self.bind(array);
                let names: Vec<String> = known.iter().map(|known| known.name.clone()).collect();
                let first = element(&leaves, &names);
                format!("{name}.interleave({name}).pairs().map(|({pattern}, _)| {first})")
            }
            5 => {
                let call = *self.choices.one(&["halve()", "deinterleave()"]);
                let bound = [(); 2].map(|()| {
                    dims[last] = self.dim();
                    self.array(leaves.clone(), dims.clone(), rough)
                });
                return Value {
                    text: format!("{name}.{call}"),
                    bound: bound.into(),
                };
            }
            6 if self.failing => {
                let by = self.of_device(array, last);
                let turned = *self.choices.one(&["rotate_left", "rotate_right"]);
                format!("{name}.{turned}({by})")
            }
            _ => {
                dims[0] = self.dim();
                let boundary = self.boundary(array);
                let after = self.choices.below(4);
                format!("{name}.pad({k}, {after}, {boundary})")
            }
        };
        Value {
            text,
            bound: vec![self.array(leaves, dims, rough)],
        }
    }

    /// An index that the host does not know, seldom out of bounds.
    fn of_device(&mut self, array: &Shaped, axis: usize) -> String {
        let (pattern, known) = self.bind(array);
        let condition = self.within(known, |grammar| grammar.condition(1));
        let count = format!(
            "{}.map(|{pattern}| ({condition}) as usize).sum_all()",
            array.name
        );
        format!("{count} % ({} + 1)", extent(array, axis))
    }

    /// Elements at indices that are computed.
    pub(super) fn gathered(&mut self, array: &Shaped) -> Value {
        let name = &array.name;
        let shape = self.like(array, |_| true);
        if array.dims.len() == 1 && shape.leaves == [Leaf::Usize] && self.failing {
            return Value {
                text: format!("{name}.select(&{})", shape.name),
                bound: vec![self.array(array.leaves.clone(), shape.dims.clone(), array.rough)],
            };
        }
        let (at, known) = self.indices(shape.dims.len());
        let from = self.within(known, |grammar| grammar.place(array));
        Value {
            text: format!("{name}.gather({}.shape(), |{at}| {from})", shape.name),
            bound: vec![self.array(array.leaves.clone(), shape.dims.clone(), array.rough)],
        }
    }

    /// An index into an array, computed.
    pub(super) fn place(&mut self, array: &Shaped) -> String {
        let parts: Vec<String> = (0..array.dims.len())
            .map(|axis| {
                let raw = self.scalar(Leaf::Usize, 2, true).text;
                match self.failing && self.choices.chance(1, 4) {
                    true => raw,
                    false => format!("{raw} % {}", extent(array, axis)),
                }
            })
            .collect();
        tuple(&parts)
    }

    pub(super) fn joined(&mut self, array: &Shaped) -> Value {
        let same = |other: &Shaped| other.leaves == array.leaves && other.dims == array.dims;
        let mut other = self.like(array, same);
        // Joined with itself, an array is rearranged only.
        if other.name == array.name {
            other = self.changed(array);
        }
        let rough = array.rough || other.rough;
        let mut dims = array.dims.clone();
        let (rank, last) = (dims.len(), dims.len() - 1);
        let (a, b) = (&array.name, &other.name);
        let text = match self.choices.below(5) {
            0 => {
                dims[last] = self.dim();
                format!("{a}.concat({b})")
            }
            1 => {
                dims[last] = self.dim();
                format!("{a}.interleave({b})")
            }
            2 if rank < RANK => {
                dims.insert(0, self.dim());
                format!("stack(({a}, {b}))")
            }
            3 => {
                let mut at = vec!["_".to_owned(); rank];
                at[self.choices.below(rank)] = "i".to_owned();
                let k = self.choices.below(5);
                let first = match self.choices.below(5) {
                    0 => format!("i < {k}"),
                    1 => format!("{k} <= i"),
                    2 => format!("i == {k}"),
                    3 => "i % 2 == 0".to_owned(),
                    _ => format!("i & {} == 0", 1 << (k % 3)),
                };
                let at = tuple(&at);
                format!("{a}.zip({b}).map_indexed(|{at}, (x, y)| if {first} {{ x }} else {{ y }})")
            }
            _ => {
                let axis = self.choices.below(rank);
                dims[axis] = self.dim();
                format!("{a}.concat_axis({axis}, {b})")
            }
        };
        Value {
            text,
            bound: vec![self.array(array.leaves.clone(), dims, rough)],
        }
    }

    /// An array of other elements of the same type, which has no name.
    fn changed(&mut self, array: &Shaped) -> Shaped {
        let (pattern, known) = self.bind(array);
        let changed: Vec<Expression> = self.within(known, |grammar| {
            let leaves = array.leaves.iter();
            leaves.map(|&leaf| grammar.straight(leaf, 1)).collect()
        });
        let parts: Vec<String> = changed.iter().map(|part| part.text.clone()).collect();
        let made = element(&array.leaves, &parts);
        Shaped {
            name: format!("{}.map(|{pattern}| {made})", array.name),
            rough: array.rough || changed.iter().any(|part| part.rough),
            ..array.clone()
        }
    }
}
