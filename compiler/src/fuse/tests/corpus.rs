//! The corpus, from its text: every plan means what its program means, and has the structure that its header states.

use super::{same, variants};
use crate::diag::Errors;
use crate::fuse::Options;
use crate::fuse::fuse;
use crate::ir::eval::{self, Array};
use crate::ir::{Parameter, Program};
use crate::package::of_corpus;
use crate::plan::{Polynomial, interpret};
use crate::scalar::{Leaf, Scalar};
use crate::sorted::SortedMap;
use crate::{check, listing, lower, pass, syntax, typed};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The lines at the head of a program that matter here.
#[derive(Default)]
struct Header {
    kernels: Option<u32>,
    bytes: Option<String>,
    shapes: SortedMap<String, Vec<String>>,
    values: SortedMap<String, (f64, f64)>,
    lengths: SortedMap<String, String>,
    offsets: SortedMap<String, String>,
}

fn header(text: &str) -> Header {
    let mut header = Header::default();
    for line in text.lines().filter_map(|line| line.strip_prefix("//! ")) {
        let Some((key, rest)) = line.split_once(": ") else {
            continue;
        };
        match key {
            "kernels" => header.kernels = rest.split(' ').next().and_then(|n| n.parse().ok()),
            "bytes" => header.bytes = Some(rest.to_owned()),
            "shapes" => {
                for part in entries(rest) {
                    if let Some((name, shape)) = part.trim().split_once(' ') {
                        let symbols = shape.trim_matches(['(', ')']).split(", ");
                        let symbols = symbols.filter(|symbol| !symbol.is_empty());
                        let symbols = symbols.map(str::to_owned).collect();
                        header.shapes.insert(name.to_owned(), symbols);
                    }
                }
            }
            "lengths" | "offsets" => {
                for part in entries(rest) {
                    if let Some((name, symbol)) = part.trim().split_once(' ') {
                        let (name, symbol) = (name.to_owned(), symbol.to_owned());
                        match key {
                            "lengths" => header.lengths.insert(name, symbol),
                            _ => header.offsets.insert(name, symbol),
                        };
                    }
                }
            }
            "values" => {
                for part in entries(rest) {
                    if let Some((name, range)) = part.trim().split_once(' ')
                        && let Some((low, high)) = range.split_once("..")
                        && let (Ok(low), Ok(high)) = (low.parse(), high.parse())
                    {
                        header.values.insert(name.to_owned(), (low, high));
                    }
                }
            }
            _ => {}
        }
    }
    header
}

/// The parts of a list, split at commas outside parentheses.
fn entries(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for symbol in text.chars() {
        depth += match symbol {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        match (symbol, depth) {
            (',', 0) => parts.push(String::new()),
            _ => parts.last_mut().expect("a part").push(symbol),
        }
    }
    parts
}

/// The public functions of a program's text.
pub(super) fn programs(text: &str) -> Vec<Program> {
    let file = syn::parse_file(text).expect("Rust");
    let tokens = file.items.into_iter().find_map(|item| match item {
        syn::Item::Macro(item) => Some(item.mac.tokens),
        _ => None,
    });
    let mut errors = Errors::default();
    let tokens = tokens.expect("a block");
    let modules = of_corpus(&tokens).modules;
    let parsed = syntax::parse(tokens, &modules, &mut errors);
    let block = check::check(&parsed, &mut errors);
    let errors: Vec<String> = errors.into_vec().into_iter().map(|e| e.message).collect();
    assert!(errors.is_empty(), "check: {}", errors.join("; "));
    let functions = block.functions.iter().enumerate();
    functions
        .filter(|(_, function)| !matches!(function.host, typed::Host::Helper))
        .map(|(k, _)| match lower::lower(&block, k) {
            Ok((program, _)) => program,
            Err(errors) => {
                let errors: Vec<String> = errors.into_iter().map(|e| e.message).collect();
                panic!("lower: {}", errors.join("; "))
            }
        })
        .collect()
}

/// A small generator: the same numbers on every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        self.0 >> 33
    }

    fn scalar(&mut self, leaf: Leaf, range: Option<(f64, f64)>) -> Scalar {
        let share = (self.next() % 1024) as f64 / 1024.0;
        let (low, high) = range.unwrap_or(match leaf {
            Leaf::U8 | Leaf::U16 | Leaf::U32 | Leaf::U64 => (0.0, 9.0),
            _ => (-8.0, 9.0),
        });
        let value = low + share * (high - low);
        match leaf {
            Leaf::Bool => Scalar::bool(self.next().is_multiple_of(2)),
            Leaf::F32 => Scalar::f32(value as f32),
            Leaf::F64 => Scalar::f64(value),
            leaf => Scalar::number(leaf, value.floor() as i64),
        }
    }

    /// Arguments whose extents are those of the header, each symbol one of a few sizes.
    fn arguments(&mut self, program: &Program, header: &Header) -> (Vec<Scalar>, Vec<Array>) {
        let mut sizes: SortedMap<String, u64> = SortedMap::new();
        let (mut scalars, mut arrays) = (Vec::new(), Vec::new());
        for parameter in &program.parameters {
            match parameter {
                Parameter::Scalars { name, leaves } => {
                    for (_, leaf) in leaves {
                        scalars.push(self.scalar(*leaf, header.values.get(name).copied()));
                    }
                }
                Parameter::Array {
                    name, leaves, rank, ..
                } => {
                    let extents: Vec<u64> = (0..*rank as usize)
                        .map(|axis| {
                            let symbols = header.shapes.get(name);
                            let symbol = symbols.and_then(|symbols| symbols.get(axis)).cloned();
                            let symbol = symbol.unwrap_or_else(|| format!("{name}{axis}"));
                            let size = [0, 1, 2, 3, 5, 7][self.next() as usize % 6];
                            let constant = symbol.parse().ok();
                            constant.unwrap_or_else(|| *sizes.entry(symbol).or_insert(size))
                        })
                        .collect();
                    let count = extents.iter().product::<u64>();
                    let range = header.values.get(name).copied();
                    let (lengths, offsets) = (header.lengths.get(name), header.offsets.get(name));
                    let leaves = leaves
                        .iter()
                        .map(|(_, leaf)| {
                            let Some(axis) = lengths.or(offsets) else {
                                return (0..count).map(|_| self.scalar(*leaf, range)).collect();
                            };
                            // Segments of that axis: half of them empty, mostly.
                            let cuts = count.saturating_sub(u64::from(offsets.is_some()));
                            let size = [0, 1, 2, 3, 5, 7][self.next() as usize % 6];
                            let n = *sizes.entry(axis.clone()).or_insert(size);
                            let mut ends: Vec<u64> =
                                (1..cuts).map(|_| self.next() % (n + 1)).collect();
                            ends.sort_unstable();
                            ends.extend((cuts > 0).then_some(n));
                            let begins = std::iter::once(0).chain(ends.iter().copied());
                            let mut all: Vec<u64> = match lengths {
                                Some(_) => ends
                                    .iter()
                                    .zip(begins)
                                    .map(|(to, from)| to - from)
                                    .collect(),
                                None => begins.collect(),
                            };
                            all.truncate(count as usize);
                            all.into_iter()
                                .map(|x| Scalar::number(*leaf, x as i64))
                                .collect()
                        })
                        .collect();
                    arrays.push(Array { extents, leaves });
                }
            }
        }
        (scalars, arrays)
    }
}

/// What is wrong with the plan of a program, simplified or not, if anything.
fn differences(meaning: &Program, program: &Program, header: &Header) -> Result<(), String> {
    // The header speaks of what is compiled.
    let simple = pass::run(program.clone(), &pass::Options::default());
    let best = fuse(&simple, &Options::default());
    for options in variants() {
        let plan = fuse(program, &options);
        let mut random = Random(7);
        for _ in 0..8 {
            let (scalars, arrays) = random.arguments(program, header);
            let wanted = eval::eval(meaning, &scalars, &arrays);
            let found = interpret::run(&plan, &scalars, &arrays);
            let equal = match (&wanted, &found) {
                (Ok(a), Ok(b)) => same(a, b),
                (Err(a), Err(b)) => a == b,
                _ => false,
            };
            if !equal {
                return Err(format!(
                    "{options:?}\n{program}\n{plan}\non {scalars:?} {arrays:?}\n\
                     wanted {wanted:?}\nfound {found:?}"
                ));
            }
        }
    }
    if let Some(kernels) = header.kernels
        && best.cost.kernels != kernels
    {
        return Err(format!("{kernels} kernels wanted\n{program}\n{best}"));
    }
    if let Some(bytes) = &header.bytes {
        let found = best.cost.read.plus(&best.cost.written);
        let found = found.rename(|name| symbol(name, header));
        let wanted = Polynomial::parse(bytes);
        if wanted.as_ref() != Some(&found) {
            return Err(format!(
                "{bytes} bytes wanted, {found} found\n{program}\n{best}"
            ));
        }
    }
    Ok(())
}

/// `xs.len()` and `m.shape().0` as the header names them.
fn symbol(name: &str, header: &Header) -> Option<String> {
    let (parameter, axis) = match name.split_once(".shape().") {
        Some((parameter, axis)) => (parameter, axis.parse().ok()?),
        None => (name.strip_suffix(".len()")?, 0),
    };
    header.shapes.get(parameter)?.get(axis).cloned()
}

#[test]
fn plans_of_the_corpus() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/programs");
    let paths = listing::programs(folder.as_ref());
    let only = std::env::var("ONLY").ok();
    let mut bad = Vec::new();
    for (name, path) in &paths {
        if only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        let text = std::fs::read_to_string(path).expect("a readable file");
        let header = header(&text);
        let result = catch_unwind(AssertUnwindSafe(|| {
            programs(&text).iter().try_for_each(|program| {
                let mut program = program.clone();
                // To the bit: what it may change has bounds of its own.
                program.fast_math = false;
                let program = &program;
                differences(program, program, &header)?;
                let simple = pass::run(program.clone(), &pass::Options::default());
                differences(program, &simple, &header)
            })
        }));
        match result {
            Ok(Ok(())) => {}
            Ok(Err(difference)) => bad.push(format!("== {name}: {difference}")),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().cloned();
                let text = text.or_else(|| panic.downcast_ref::<&str>().map(|t| (*t).to_owned()));
                bad.push(format!("== {name}: panic: {}", text.unwrap_or_default()));
            }
        }
    }
    assert!(
        bad.is_empty(),
        "{} of {}\n{}",
        bad.len(),
        paths.len(),
        bad.join("\n\n")
    );
}
