//! Programs: well-typed statements over arrays, one after the other, each from what came before.

use super::arrays::Value;
use super::choices::Choices;
use super::elements::{array_type, element};
use super::hostile;
use super::scalars::{LEAVES, Leaf};
use harness::corpus;

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
    /// See [`super::elements`].
    pub(crate) leaves: Vec<Leaf>,
    pub(crate) dims: Vec<u32>,
    pub(crate) rough: bool,
}

/// Segments of an axis.
#[derive(Clone)]
pub(crate) struct Segments {
    /// A vector.
    pub(crate) name: String,
    /// How many it has.
    pub(crate) dim: u32,
    /// The axis.
    pub(crate) of: u32,
    /// Whether these are offsets.
    pub(crate) offsets: bool,
}

/// All parameters as one.
#[derive(Clone)]
pub(crate) struct Bundle {
    pub(crate) name: String,
    pub(crate) fields: Vec<String>,
    /// Whether it is passed by value.
    pub(crate) consumed: bool,
}

/// The types of such a parameter, and of such a result.
const BUNDLES: [&str; 2] = ["Given", "Found"];

/// A program and its header.
#[derive(Clone)]
pub(crate) struct Fuzzed {
    /// As in the corpus.
    pub(crate) text: String,
    /// The block alone.
    pub(crate) block: String,
    /// Its public function.
    pub(crate) function: String,
    /// Types of the parameters and of the results.
    pub(crate) parameters: Vec<String>,
    pub(crate) results: Vec<String>,
    /// The one parameter of the function, if the others are fields of a bundle.
    pub(crate) bundle: Option<Bundle>,
    /// Whether the results are fields of a bundle.
    pub(crate) bundled: bool,
    /// Extents of the parameters, as symbols.
    pub(crate) shapes: Vec<(String, Vec<String>)>,
    /// Parameters that hold lengths of segments, and those that hold offsets, with the symbols of the axes.
    pub(crate) lengths: Vec<(String, String)>,
    pub(crate) offsets: Vec<(String, String)>,
    /// What parameters are drawn from.
    pub(crate) values: Vec<(String, (corpus::Bound, corpus::Bound))>,
    /// Its work grows with this power of the extents, at most.
    pub(crate) power: usize,
}

impl Fuzzed {
    /// A function that calls the program in the module of this number: see `tests/drivers.rs`.
    pub(crate) fn driver(&self, k: usize) -> String {
        let mut text = format!(
            "fn call_{k}(device: &Device, arguments: &mut Arguments) -> accelerate::Result<Vec<Column>> {{\n    use p{k}::*;\n"
        );
        let mut names = String::new();
        for (at, ty) in self.parameters.iter().enumerate() {
            text += &match ty.strip_prefix('&') {
                Some(ty) => format!("    let a{at}: {ty} = Argument::take(device, arguments)?;\n"),
                None => format!("    let a{at}: {ty} = value::take_scalar(arguments);\n"),
            };
            let sign = if ty.starts_with('&') && self.bundle.is_none() {
                "&"
            } else {
                ""
            };
            names += &match &self.bundle {
                None => format!(", {sign}a{at}"),
                Some(bundle) => format!("{}: a{at}, ", bundle.fields[at]),
            };
        }
        if let Some(bundle) = &self.bundle {
            let sign = if bundle.consumed { "" } else { "&" };
            names = format!(", {sign}{} {{ {names} }}", BUNDLES[0]);
        }
        text += &format!(
            "    let result = p{k}::{}(device{names})?;\n    let mut columns = Vec::new();\n",
            self.function
        );
        for (at, ty) in self.results.iter().enumerate() {
            let field = match (self.bundled, self.results.len()) {
                (true, _) => format!(".r{at}"),
                (false, 1) => String::new(),
                (false, _) => format!(".{at}"),
            };
            let array = ["Vector<", "Matrix<", "Cube<", "Array<"]
                .iter()
                .any(|name| ty.starts_with(name));
            text += &match array {
                true => format!("    Argument::put(result{field}, &mut columns)?;\n"),
                false => format!("    value::put_scalar(result{field}, &mut columns);\n"),
            };
        }
        text + "    Ok(columns)\n}\n"
    }
}

/// A program in the making.
pub(crate) struct Grammar {
    pub(crate) choices: Choices,
    pub(crate) scalars: Vec<Known>,
    /// Counters of the loops around, the innermost one last.
    pub(crate) counters: Vec<String>,
    pub(crate) arrays: Vec<Shaped>,
    /// Folds inside of elements that may still come: work is multiplied by each.
    pub(crate) folds: usize,
    /// The highest rank so far.
    pub(crate) rank: usize,
    /// Whether the program may fail on some inputs.
    pub(crate) failing: bool,
    /// Whether scatters combine in order.
    pub(crate) ordered: bool,
    /// How many axes there are around a row's program.
    pub(crate) outer: usize,
    /// Segments in scope.
    pub(crate) segments: Vec<Segments>,
    /// Structs in use.
    pub(crate) structs: Vec<Vec<Leaf>>,
    /// Whether the enum is.
    pub(crate) enums: bool,
    /// Names in use.
    given: Vec<String>,
    dims: u32,
}

const FOLDS: usize = 3;

/// Symbols of the parameters' extents.
const SYMBOLS: [&str; 4] = ["n", "m", "k", "l"];
/// That of the number of segments.
const PIECES: &str = "s";

impl Grammar {
    /// A program made from these choices, with the choices.
    pub(crate) fn program(choices: Choices) -> (Fuzzed, Choices) {
        let mut grammar = Grammar {
            choices,
            scalars: Vec::new(),
            counters: Vec::new(),
            arrays: Vec::new(),
            folds: FOLDS,
            rank: 1,
            failing: false,
            ordered: false,
            outer: 0,
            segments: Vec::new(),
            structs: Vec::new(),
            enums: false,
            given: Vec::new(),
            dims: SYMBOLS.len() as u32 + 1,
        };
        let mut fuzzed = grammar.write();
        if hostile::sought() || grammar.choices.chance(1, 4) {
            hostile::rename(&mut fuzzed, &grammar.given, &mut grammar.choices);
        }
        (fuzzed, grammar.choices)
    }

    /// A name that is not in use.
    pub(crate) fn fresh(&mut self, stem: &str) -> String {
        self.given.push(format!("{stem}{}", self.given.len() + 1));
        self.given[self.given.len() - 1].clone()
    }

    /// An extent that equals no other one.
    pub(crate) fn dim(&mut self) -> u32 {
        self.dims += 1;
        self.dims
    }

    fn write(&mut self) -> Fuzzed {
        self.failing = self.choices.chance(1, 6);
        self.ordered = self.choices.chance(1, 4);
        let mut shapes = Vec::new();
        let mut parameters = Vec::new();
        for _ in 0..1 + self.choices.below(3) {
            let rank = *self.choices.one(&[1, 1, 2, 1, 2, 3, 2, 2, 4]);
            let dims: Vec<u32> = (0..rank)
                .map(|axis| ((axis + self.choices.below(2)) % SYMBOLS.len()) as u32)
                .collect();
            let leaves = self.leaves();
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
        let [mut lengths, mut offsets] = [Vec::new(), Vec::new()];
        if self.choices.chance(1, 3) {
            let name = self.fresh("g");
            let axes: Vec<u32> = (self.arrays.iter())
                .filter_map(|array| array.dims.last().copied())
                .collect();
            let of = *self.choices.one(&axes);
            let at_offsets = self.choices.chance(1, 2);
            let leaf = *self.choices.one(&[Leaf::Usize, Leaf::U32, Leaf::U8]);
            shapes.push((name.clone(), vec![PIECES.to_owned()]));
            parameters.push(format!("{name}: &Vector<{}>", leaf.name()));
            let kind = if at_offsets {
                &mut offsets
            } else {
                &mut lengths
            };
            kind.push((name.clone(), SYMBOLS[of as usize].to_owned()));
            self.segments.push(Segments {
                name,
                dim: SYMBOLS.len() as u32,
                of,
                offsets: at_offsets,
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
        let bundle = self.choices.chance(1, 6).then(|| Bundle {
            name: self.fresh("p"),
            fields: (parameters.iter())
                .filter_map(|one| Some(one.split_once(": ")?.0.to_owned()))
                .collect(),
            consumed: self.choices.chance(1, 2),
        });
        let mut body = String::new();
        let first = (self.arrays.len(), self.scalars.len());
        for _ in 0..1 + self.choices.below(6) {
            self.statement(&mut body, "        ");
        }
        let results = self.results(first, &body);
        let types: Vec<String> = results.iter().map(|(_, ty)| ty.clone()).collect();
        let names: Vec<String> = results.iter().map(|(name, _)| name.clone()).collect();
        let bundled = types.iter().any(|ty| ty.contains('<')) && self.choices.chance(1, 6);
        let fields = types.iter().enumerate();
        let mut declarations = match bundled {
            true => strukt(
                BUNDLES[1],
                fields.map(|(at, ty)| (format!("r{at}"), ty.clone())),
            ),
            false => String::new(),
        };
        let mut head = parameters.join(", ");
        if let Some(bundle) = &bundle {
            let typed = parameters.iter().filter_map(|one| one.split_once(": "));
            let typed =
                typed.map(|(name, ty)| (name.to_owned(), ty.trim_start_matches('&').to_owned()));
            declarations += &strukt(BUNDLES[0], typed);
            let sign = if bundle.consumed { "" } else { "&" };
            let [given, name] = [BUNDLES[0], &bundle.name];
            head = format!("{name}: {sign}{given}");
            let fields = bundle.fields.join(", ");
            body = format!("        let {given} {{ {fields} }} = {name};\n{body}");
            for (field, _) in shapes.iter_mut() {
                *field = format!("{name}.{field}");
            }
            for (field, _) in lengths.iter_mut().chain(&mut offsets) {
                *field = format!("{name}.{field}");
            }
        }
        let (types, names) = match results.as_slice() {
            [_] if !bundled => (types[0].clone(), names[0].clone()),
            _ if bundled => {
                let fields = names.iter().enumerate();
                let fields = fields.map(|(at, name)| format!("r{at}: {name}"));
                let fields: Vec<String> = fields.collect();
                let found = BUNDLES[1].to_owned();
                (
                    found.clone(),
                    format!("{found} {{ {} }}", fields.join(", ")),
                )
            }
            _ => (
                format!("({})", types.join(", ")),
                format!("({})", names.join(", ")),
            ),
        };
        let attribute = match self.ordered {
            true => "    #[deterministic]\n",
            false => "",
        };
        let block = format!(
            "{}{declarations}{attribute}    pub fn fuzzed({head}) -> {types} {{\n{body}        {names}\n    }}\n",
            self.declarations(),
        );
        let line = |kind: &str, all: &[(String, String)]| {
            let all = all
                .iter()
                .map(|(name, axis)| format!("//! {kind}: {name} {axis}\n"));
            all.collect::<String>()
        };
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
                "//! Found by the fuzzer.\n//!\n//! shapes: {}\n{}{}\naccelerate! {{\n{block}}}\n",
                header.join(", "),
                line("lengths", &lengths),
                line("offsets", &offsets),
            ),
            block,
            function: "fuzzed".to_owned(),
            values: Vec::new(),
            parameters: (parameters.iter())
                .map(|parameter| {
                    parameter
                        .split_once(": ")
                        .map_or("", |(_, ty)| ty)
                        .to_owned()
                })
                .collect(),
            results: results.into_iter().map(|(_, ty)| ty).collect(),
            bundle,
            bundled,
            shapes,
            lengths,
            offsets,
            power: self.rank + FOLDS - self.folds,
        }
    }

    /// One `let`, and what it binds in scope.
    pub(crate) fn statement(&mut self, body: &mut String, indent: &str) {
        let Value { text, bound } = match self.outer == 0 && self.choices.chance(6, 7) {
            true => self.typical(),
            false => self.value(),
        };
        let names: Vec<String> = (bound.iter())
            .map(|bound| match bound {
                Bound::Array(array) => array.name.clone(),
                Bound::Element(known) => {
                    let leaves: Vec<Leaf> = known.iter().map(|known| known.leaf).collect();
                    let names: Vec<String> = known.iter().map(|known| known.name.clone()).collect();
                    element(&leaves, &names)
                }
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
                Bound::Element(known) => self.scalars.extend(known),
            }
        }
    }

    /// One to five of what was bound after the parameters, the last one among them, with types; first what nothing in the
    /// body reads, since nobody would compute that.
    fn results(&mut self, (arrays, scalars): (usize, usize), body: &str) -> Vec<(String, String)> {
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
        let words: Vec<&str> = body.split(|c: char| !c.is_alphanumeric()).collect();
        let unread =
            |(name, _): &(String, String)| words.iter().filter(|word| *word == name).count() < 2;
        let count = 1 + self.choices.below(5);
        let mut results = vec![all.remove(0)];
        let (unread, read): (Vec<_>, Vec<_>) = all.into_iter().partition(unread);
        for mut from in [unread, read] {
            while results.len() < count && !from.is_empty() {
                results.push(from.remove(self.choices.below(from.len())));
            }
        }
        results
    }
}

/// A struct's declaration.
fn strukt(name: &str, fields: impl Iterator<Item = (String, String)>) -> String {
    let fields: Vec<String> = fields
        .map(|(name, ty)| format!("pub {name}: {ty}"))
        .collect();
    format!("    pub struct {name} {{ {} }}\n\n", fields.join(", "))
}

/// What a `let` binds.
pub(crate) enum Bound {
    Array(Shaped),
    /// An element: its leaves.
    Element(Vec<Known>),
}
