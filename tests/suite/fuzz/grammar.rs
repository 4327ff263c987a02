//! Programs: well-typed statements over arrays, one after the other, each from what came before.

use super::arrays::Value;
use super::choices::Choices;
use super::scalars::{LEAVES, Leaf};

/// A scalar in scope.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) name: String,
    pub(crate) leaf: Leaf,
    /// See [`super::scalars::Expression`].
    pub(crate) rough: bool,
}

/// An array in scope: equal extents have equal numbers.
#[derive(Clone, Debug)]
pub(crate) struct Shaped {
    pub(crate) name: String,
    /// One, or those of a pair.
    pub(crate) leaves: Vec<Leaf>,
    pub(crate) dims: Vec<u32>,
    pub(crate) rough: bool,
}

/// A program and its header.
pub(crate) struct Fuzzed {
    /// As in the corpus.
    pub(crate) text: String,
    /// The block alone.
    pub(crate) block: String,
    /// Extents of the parameters, as symbols.
    pub(crate) shapes: Vec<(String, Vec<String>)>,
    /// Its work grows with this power of the extents, at most.
    pub(crate) power: usize,
}

/// A program in the making.
pub(crate) struct Grammar {
    pub(crate) choices: Choices,
    pub(crate) scalars: Vec<Known>,
    pub(crate) arrays: Vec<Shaped>,
    /// Folds inside of elements that may still come: work is multiplied by each.
    pub(crate) folds: usize,
    /// The highest rank so far.
    pub(crate) rank: usize,
    /// Whether the program may fail on some inputs.
    pub(crate) failing: bool,
    /// Whether this is a row's program.
    pub(crate) rows: bool,
    names: u32,
    dims: u32,
}

const FOLDS: usize = 3;

/// Symbols of the parameters' extents.
const SYMBOLS: [&str; 3] = ["n", "m", "k"];

impl Grammar {
    /// A program made from these choices, with the choices.
    pub(crate) fn program(choices: Choices) -> (Fuzzed, Choices) {
        let mut grammar = Grammar {
            choices,
            scalars: Vec::new(),
            arrays: Vec::new(),
            folds: FOLDS,
            rank: 1,
            failing: false,
            rows: false,
            names: 0,
            dims: SYMBOLS.len() as u32,
        };
        let fuzzed = grammar.write();
        (fuzzed, grammar.choices)
    }

    /// A name that is not in use.
    pub(crate) fn fresh(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    /// An extent that equals no other one.
    pub(crate) fn dim(&mut self) -> u32 {
        self.dims += 1;
        self.dims
    }

    /// A pattern for the elements of an array, and what it binds.
    pub(crate) fn bind(&mut self, array: &Shaped) -> (String, Vec<Known>) {
        let known: Vec<Known> = (array.leaves.iter())
            .map(|&leaf| Known {
                name: self.fresh("x"),
                leaf,
                rough: array.rough,
            })
            .collect();
        let pattern = match known.as_slice() {
            [one] => one.name.clone(),
            many => format!(
                "({})",
                many.iter()
                    .map(|known| known.name.as_str())
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
        };
        (pattern, known)
    }

    fn write(&mut self) -> Fuzzed {
        self.failing = self.choices.chance(1, 8);
        let mut shapes = Vec::new();
        let mut parameters = Vec::new();
        for _ in 0..1 + self.choices.below(3) {
            let rank = 1 + *self.choices.one(&[0, 0, 1, 0, 1, 2]);
            let dims: Vec<u32> = (0..rank)
                .map(|axis| ((axis + self.choices.below(2)) % SYMBOLS.len()) as u32)
                .collect();
            let mut leaves = vec![*self.choices.one(&LEAVES)];
            if self.choices.chance(1, 5) {
                leaves.push(*self.choices.one(&LEAVES));
            }
            self.rank = self.rank.max(rank);
            let name = self.fresh("a");
            let symbols = dims.iter().map(|&dim| SYMBOLS[dim as usize].to_owned());
            shapes.push((name.clone(), symbols.collect()));
            parameters.push(format!("{name}: &{}", array_type(&leaves, rank)));
            self.arrays.push(Shaped {
                name,
                leaves,
                dims,
                rough: false,
            });
        }
        for _ in 0..self.choices.below(3) {
            let (name, leaf) = (self.fresh("c"), *self.choices.one(&LEAVES));
            parameters.push(format!("{name}: {}", leaf.name()));
            self.scalars.push(Known {
                name,
                leaf,
                rough: false,
            });
        }
        let mut body = String::new();
        let first = (self.arrays.len(), self.scalars.len());
        for _ in 0..1 + self.choices.below(6) {
            self.statement(&mut body, "        ");
        }
        let results = self.results(first);
        let types: Vec<String> = results.iter().map(|(_, ty)| ty.clone()).collect();
        let names: Vec<String> = results.iter().map(|(name, _)| name.clone()).collect();
        let (types, names) = match results.as_slice() {
            [_] => (types[0].clone(), names[0].clone()),
            _ => (
                format!("({})", types.join(", ")),
                format!("({})", names.join(", ")),
            ),
        };
        let block = format!(
            "    pub fn fuzzed({}) -> {types} {{\n{body}        {names}\n    }}\n",
            parameters.join(", ")
        );
        let header: Vec<String> = (shapes.iter())
            .map(
                |(name, symbols): &(String, Vec<String>)| match symbols.as_slice() {
                    [one] => format!("{name} {one}"),
                    many => format!("{name} ({})", many.join(", ")),
                },
            )
            .collect();
        Fuzzed {
            text: format!(
                "//! Found by the fuzzer.\n//!\n//! shapes: {}\n\naccelerate! {{\n{block}}}\n",
                header.join(", ")
            ),
            block,
            shapes,
            power: self.rank + FOLDS - self.folds,
        }
    }

    /// One `let`, and what it binds in scope.
    pub(crate) fn statement(&mut self, body: &mut String, indent: &str) {
        let Value { text, bound } = self.value();
        let names: Vec<String> = (bound.iter())
            .map(|bound| match bound {
                Bound::Array(array) => array.name.clone(),
                Bound::Scalar(known) => known.name.clone(),
            })
            .collect();
        let pattern = match names.as_slice() {
            [one] => one.clone(),
            many => format!("({})", many.join(", ")),
        };
        body.push_str(&format!("{indent}let {pattern} = {text};\n"));
        for bound in bound {
            match bound {
                Bound::Array(array) => self.arrays.push(array),
                Bound::Scalar(known) => self.scalars.push(known),
            }
        }
    }

    /// One to three of what was bound after the parameters, the last one among them, with types.
    fn results(&mut self, (arrays, scalars): (usize, usize)) -> Vec<(String, String)> {
        let mut all: Vec<(String, String)> = (self.scalars[scalars..].iter())
            .map(|known| (known.name.clone(), known.leaf.name().to_owned()))
            .collect();
        all.extend(self.arrays[arrays..].iter().map(|array| {
            (
                array.name.clone(),
                array_type(&array.leaves, array.dims.len()),
            )
        }));
        let number = |(name, _): &(String, String)| {
            let digits = name.trim_start_matches(char::is_alphabetic);
            std::cmp::Reverse(digits.parse::<u32>().unwrap_or(0))
        };
        all.sort_by_key(number);
        let count = 1 + self.choices.below(3);
        let mut results = vec![all[0].clone()];
        for _ in 1..count {
            let one = self.choices.one(&all).clone();
            if !results.contains(&one) {
                results.push(one);
            }
        }
        results
    }
}

/// What a `let` binds.
pub(crate) enum Bound {
    Array(Shaped),
    Scalar(Known),
}

/// The type of an array.
pub(crate) fn array_type(leaves: &[Leaf], rank: usize) -> String {
    let element = match leaves {
        [one] => one.name().to_owned(),
        many => format!(
            "({})",
            many.iter()
                .map(|leaf| leaf.name())
                .collect::<Vec<_>>()
                .join(", ")
        ),
    };
    match rank {
        1 => format!("Vector<{element}>"),
        2 => format!("Matrix<{element}>"),
        3 => format!("Cube<{element}>"),
        _ => format!("Array<{element}, {rank}>"),
    }
}
