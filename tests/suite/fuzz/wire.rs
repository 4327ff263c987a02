//! Questions and answers as lines of text, between the suite and the programs of a batch: this file is part of both. The
//! suite writes questions and reads answers here; `served.rs` does the opposite.

use super::value::{Arguments, Column};
use accelerate_compiler::scalar::{Leaf, Scalar};
use std::fmt::Write;

/// A question for a program: its number, its scalars, its arrays.
pub(crate) fn question(program: usize, arguments: &Arguments) -> String {
    let mut text = format!("program {program}\n");
    for scalar in &arguments.scalars {
        text += &format!("scalar{}\n", words(&[*scalar]));
    }
    for array in &arguments.arrays {
        text += &format!("array {:?}\n", array.extents);
        for leaf in &array.leaves {
            text += &format!("leaf{}\n", words(leaf));
        }
    }
    text + "end\n"
}

/// Takes the next answer from the lines.
pub(crate) fn next_answer<'a>(
    lines: &mut impl Iterator<Item = &'a str>,
) -> Option<(String, Result<Vec<Column>, String>)> {
    let who = lines.next()?.strip_prefix("by ")?.to_owned();
    let mut columns: Vec<Column> = Vec::new();
    let mut error = None;
    for line in lines.take_while(|line| *line != "end") {
        let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
        match kind {
            "error" => error = Some(rest.to_owned()),
            "leaf" => columns.last_mut()?.values = scalars(rest),
            _ => columns.push(Column {
                shape: (kind == "array").then(|| numbers(rest)),
                values: Vec::new(),
            }),
        }
    }
    Some((who, error.map_or(Ok(columns), Err)))
}

/// A leaf's type and the bits of its values.
pub(crate) fn words(scalars: &[Scalar]) -> String {
    let mut text = format!(
        " {}",
        scalars.first().map_or("u8", |scalar| scalar.leaf.name())
    );
    for scalar in scalars {
        write!(text, " {:x}", scalar.bits).expect("texts grow");
    }
    text
}

/// Reads [`words`].
pub(crate) fn scalars(text: &str) -> Vec<Scalar> {
    let mut words = text.split_whitespace();
    let name = words.next().unwrap_or_default();
    let leaf = Leaf::ALL.into_iter().find(|leaf| leaf.name() == name);
    let leaf = leaf.expect("a leaf's name");
    let scalar = |word| Scalar {
        leaf,
        bits: u64::from_str_radix(word, 16).expect("bits"),
    };
    words.map(scalar).collect()
}

/// Reads what `{:?}` writes of numbers.
pub(crate) fn numbers(text: &str) -> Vec<u64> {
    let words = text.trim_matches(['[', ']']).split(", ");
    words.filter_map(|word| word.parse().ok()).collect()
}
