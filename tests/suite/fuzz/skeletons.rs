//! What fusion looks for, said outright: statements that lead to kernels which anything at random seldom leads to.

use super::arrays::Value;
use super::elements::element;
use super::grammar::{Grammar, Shaped};
use super::scalars::Leaf;
use super::views::tuple;

/// Of one number.
fn number(array: &Shaped) -> Option<Leaf> {
    match array.leaves[..] {
        [leaf] if leaf != Leaf::Bool => Some(leaf),
        _ => None,
    }
}

/// What a statement leads to.
#[derive(Clone, Copy)]
enum Lead {
    Contraction,
    Windows,
    Merge,
    Functions,
    Staged,
    Each,
    /// Folds of rows of which one may be asked for.
    Asked,
    /// Rows of which threads keep what several phases need.
    Rows,
    Compaction,
    Scatter,
    /// Of more than may be exchanged at once.
    Locked,
    Histogram,
    Segments,
    Columns,
    Parts,
    Sort,
    Scan,
    /// Of rows, reduced where it comes by.
    Reduced,
}

/// How often, among all: more often what leads to its skeleton more seldom.
const LEADS: [(Lead, usize); 18] = [
    (Lead::Contraction, 4),
    (Lead::Windows, 10),
    (Lead::Merge, 18),
    (Lead::Functions, 1),
    (Lead::Staged, 4),
    (Lead::Each, 2),
    (Lead::Asked, 2),
    (Lead::Rows, 11),
    (Lead::Compaction, 1),
    (Lead::Scatter, 1),
    (Lead::Locked, 2),
    (Lead::Histogram, 1),
    (Lead::Segments, 7),
    (Lead::Columns, 1),
    (Lead::Parts, 9),
    (Lead::Sort, 1),
    (Lead::Scan, 1),
    (Lead::Reduced, 3),
];

impl Grammar {
    /// An operation on an array that it fits.
    pub(super) fn typical(&mut self) -> Value {
        let leads = LEADS.iter();
        let leads: Vec<Lead> = leads
            .flat_map(|&(lead, often)| std::iter::repeat_n(lead, often))
            .collect();
        match *self.choices.one(&leads) {
            Lead::Contraction => self.contracted(),
            Lead::Windows => self.blurred(),
            Lead::Merge => self.merged(),
            Lead::Functions => self.computed(),
            Lead::Staged => {
                let array = self.having(|array| array.dims.len() == 1 && array.leaves.len() == 1);
                self.relaxed(&array)
            }
            Lead::Each => {
                let array = self.having(|array| array.dims.len() > 1);
                match array.dims.len() {
                    1 => self.map(&array),
                    _ => self.normalised(&array),
                }
            }
            Lead::Asked => {
                let array = self.having(|array| array.dims.len() > 1);
                match array.dims.len() {
                    1 => self.map(&array),
                    _ => self.asked(&array),
                }
            }
            Lead::Rows => {
                let array = self.having(|array| array.dims.len() > 1);
                match array.dims.len() {
                    1 => self.map(&array),
                    _ => self.standardised(&array),
                }
            }
            Lead::Compaction => {
                let array = self.having(|array| array.dims.len() == 1);
                self.kept(&array)
            }
            Lead::Scatter => {
                let array = self.having(|array| array.dims.len() < 4 && !array.rough);
                self.scattered(&array)
            }
            Lead::Locked => {
                let array = self.having(|array| !array.rough);
                self.least_of_three(&array)
            }
            Lead::Histogram => {
                let array = self.having(|array| !array.rough);
                self.counted(&array)
            }
            Lead::Segments => {
                let segments = self.segments.first().map(|segments| segments.of);
                let array = self.having(|array| array.dims.last().copied() == segments);
                self.segmented(&array)
            }
            Lead::Columns => {
                let array = self.having(|array| array.dims.len() > 1);
                let (call, leaves, rough) = self.fold_call(&array, "_axis", "0, ");
                Value {
                    text: format!("{}.{call}", array.name),
                    bound: vec![self.result(&leaves, array.dims[1..].to_vec(), rough)],
                }
            }
            Lead::Parts => {
                let array = self.choices.one(&self.arrays).clone();
                let mut joined = self.joined(&array);
                // What a reader computes for itself is not put together.
                if self.choices.chance(3, 4) {
                    joined.text += ".materialize()";
                }
                joined
            }
            Lead::Sort => {
                let array = self.having(|array| !array.rough);
                self.sorted(&array)
            }
            Lead::Reduced => {
                let array = self.having(|array| array.dims.len() > 1);
                match array.dims.len() {
                    1 => self.scanned(&array),
                    _ => self.running(&array),
                }
            }
            Lead::Scan => {
                let array = self.having(|array| array.dims.len() < 3);
                self.scanned(&array)
            }
        }
    }

    /// An array in scope that is as wanted, the latest one if none is.
    pub(super) fn having(&mut self, wanted: impl Fn(&Shaped) -> bool) -> Shaped {
        let latest = self.arrays.iter().rev();
        let fitting: Vec<Shaped> = latest.filter(|array| wanted(array)).cloned().collect();
        match fitting.as_slice() {
            [] => self.arrays[self.arrays.len() - 1].clone(),
            some => self.choices.one(some).clone(),
        }
    }

    /// A product of two matrices in one of its forms.
    fn contracted(&mut self) -> Value {
        let array = self.having(|array| array.dims.len() == 2 && number(array).is_some());
        let (&[rows, inner], Some(leaf)) = (array.dims.as_slice(), number(&array)) else {
            return self.product(&array);
        };
        if self.folds == 0 {
            return self.folded(&array);
        }
        self.folds -= 1;
        let name = &array.name;
        let fits = |other: &Shaped| other.dims.len() == 2 && other.dims[0] == inner;
        let other = self.like(&array, |other| fits(other) && other.leaves == array.leaves);
        let (right, columns, rough) = match fits(&other) {
            true => (other.name, other.dims[1], array.rough || other.rough),
            false => (format!("{name}.transpose()"), rows, array.rough),
        };
        let by_hand = |term: &str, fold: String| {
            format!(
                "{{ let right = {right}; {name}.rows().map(|a| right.columns().map(|b| a.zip(b).map(|(x, y)| {term}){fold})) }}"
            )
        };
        let literal = self.literal(leaf);
        let (text, sums) = match self.choices.below(5) {
            0 => (format!("{name}.matmul(&{right})"), true),
            1 => {
                let text = format!(
                    "{name}.map(|x| x - {literal}).matmul(&{right}).map(|x| x.max({literal}))"
                );
                (text, true)
            }
            2 => {
                let text = format!("{name}.matmul({right}.map(|x| x * {literal})) + {literal}");
                (text, true)
            }
            3 => {
                let fold = format!(".fold({literal}, |p, q| p.min(q))");
                (by_hand("x + y", fold), false)
            }
            _ => (by_hand("x.max(y) - x.min(y)", ".sum()".to_owned()), true),
        };
        let rough = rough || (sums && leaf.is_float());
        Value {
            text,
            bound: vec![self.array(array.leaves.clone(), vec![rows, columns], rough)],
        }
    }

    /// All neighbours in a box, of something computed, and perhaps of the result once more.
    fn blurred(&mut self) -> Value {
        let mut array = self.having(|array| array.dims.len() > 1 && number(array).is_some());
        if array.dims.len() == 1 && number(&array).is_some() {
            array.name = format!("{0}.outer_product({0})", array.name);
            array.dims.push(array.dims[0]);
        }
        let (rank @ (2 | 3), Some(leaf)) = (array.dims.len(), number(&array)) else {
            return self.stencil(&array);
        };
        if self.choices.chance(1, 2) {
            return self.blurred_together(&array, leaf);
        }
        let before = match (self.choices.below(3), leaf.is_float()) {
            (0, _) => "x",
            (1, true) => "((x * x).sqrt() + x.abs()).sqrt().recip()",
            (1, false) => "(x ^ x.rotate_left(3)).wrapping_mul(x | 1).reverse_bits()",
            (_, true) => "(x.abs().sqrt() / (x * x).sqrt().sqrt()).max(x.fract())",
            (_, false) => "(x / 3 + x % 7).wrapping_mul(x.swap_bytes())",
        };
        let mut text = format!("{}.map(|x| {before})", array.name);
        let mut rough = array.rough;
        if rough && before.contains("fract") {
            text = array.name.clone();
        }
        // Twice over few neighbours only: all may be read in one place.
        let (reach, rounds) = match (rank, self.choices.below(3)) {
            (2, 1) => (1, 2),
            (2, 2) => (2, 1),
            _ => (1, 1),
        };
        for _ in 0..rounds {
            let mut places = vec![Vec::new()];
            for _ in 0..rank {
                let longer = places.iter().flat_map(|place| {
                    (-reach..=reach).map(move |at| [&place[..], &[at.to_string()]].concat())
                });
                places = longer.collect();
            }
            let sums = self.choices.chance(1, 2);
            rough |= sums && leaf.is_float();
            let reads = places.iter().map(|place| format!("w[{}]", tuple(place)));
            let mut reads: Vec<String> = reads.collect();
            let all = match sums {
                true => reads.join(" + "),
                false => {
                    let first = reads.remove(0);
                    let rest = reads.iter().map(|read| format!(".max({read})"));
                    first + &rest.collect::<String>()
                }
            };
            text += &format!(".stencil({}, |w| {all})", self.boundary(&array));
        }
        Value {
            text,
            bound: vec![self.array(array.leaves.clone(), array.dims.clone(), rough)],
        }
    }

    /// Neighbours of two things computed.
    fn blurred_together(&mut self, array: &Shaped, leaf: Leaf) -> Value {
        let (one, other) = match leaf.is_float() {
            true => (
                "(x * x + x.abs()).sqrt()",
                "(x.abs() / (x * x).sqrt().sqrt()).max(x)",
            ),
            false => (
                "(x ^ x.rotate_left(3)).wrapping_mul(x | 1)",
                "(x / 3 + x % 7).swap_bytes()",
            ),
        };
        let other_array = self.like(array, |other| {
            other.dims == array.dims && number(other) == Some(leaf)
        });
        let fits = other_array.dims == array.dims && number(&other_array) == Some(leaf);
        let second = if fits { &other_array } else { array };
        let rough = array.rough || second.rough;
        let boundaries = [self.boundary(array), self.boundary(array)];
        let zeros = vec!["0"; array.dims.len() - 1].join(", ");
        let reads = (-2..=2).map(|k| format!("w[({zeros}, {k})].max(v[({k}, {zeros})])"));
        let reads: Vec<String> = reads.collect();
        Value {
            text: format!(
                "{}.map(|x| {one}).stencil2({}, &{}.map(|x| {other}), {}, |w, v| {})",
                array.name,
                boundaries[0],
                second.name,
                boundaries[1],
                reads.join(".max(") + &")".repeat(reads.len() - 1)
            ),
            bound: vec![self.array(array.leaves.clone(), array.dims.clone(), rough)],
        }
    }

    /// Sorted by a comparison.
    fn merged(&mut self) -> Value {
        let sortable = |array: &Shaped| {
            let floats = array.leaves.iter().any(|leaf| leaf.is_float());
            !array.rough && (!floats || array.name.starts_with('a'))
        };
        let array = self.having(sortable);
        match sortable(&array) && !self.failing {
            true => self.compared(&array),
            false => self.sorted(&array),
        }
    }

    /// Mathematical functions, and bits of numbers.
    fn computed(&mut self) -> Value {
        let array = self.having(|array| array.leaves.iter().any(|leaf| leaf.is_float()));
        let (pattern, known) = self.bind(&array);
        let (mut parts, mut rough, mut leaves) = (Vec::new(), false, Vec::new());
        for known in &known {
            let name = &known.name;
            rough |= known.rough;
            let (part, leaf) = match known.leaf {
                Leaf::Bool => (format!("!{name}"), Leaf::Bool),
                leaf if leaf.is_float() => {
                    rough = true;
                    (self.mathematical(name).text, leaf)
                }
                leaf => match self.choices.below(3) {
                    0 => (
                        format!("({name} as f32).to_bits() as {}", leaf.name()),
                        leaf,
                    ),
                    1 => (
                        format!("({name} as f64).to_bits() as {}", leaf.name()),
                        leaf,
                    ),
                    // Below 2: sums that overflow on their way are free to.
                    _ => (
                        format!("f32::from_bits({name} as u32 & 0x3fffffff)"),
                        Leaf::F32,
                    ),
                },
            };
            parts.push(part);
            leaves.push(leaf);
        }
        if leaves.len() > 2 {
            // Structs and fixed arrays are of the leaves that they were of.
            return self.map(&array);
        }
        Value {
            text: format!(
                "{}.map(|{pattern}| {})",
                array.name,
                element(&leaves, &parts)
            ),
            bound: vec![self.array(leaves, array.dims.clone(), rough)],
        }
    }
}
