//! The gallery of the project's `README.md`: pictures that programs draw, a line about each, and the text of three.

use super::index::summary;
use crate::command::root;
use anyhow::{Context, Result};
use std::fs;
use std::path::PathBuf;

/// A program with a picture, and the functions of it whose text stands beside it.
const PICTURES: [(&str, &[&str]); 8] = [
    ("mandelbrot", &["mandelbrot"]),
    ("floyd_warshall", &["shortest"]),
    ("k_means", &["nearest", "means", "settle"]),
    ("ray_tracer", &[]),
    ("fluid", &[]),
    ("n_body", &[]),
    ("canny", &[]),
    ("smvm", &[]),
];

const BEGIN: &str = "## Gallery\n";
const END: &str = "\n## ";

pub(crate) fn path() -> PathBuf {
    root().join("README.md")
}

/// The page with its gallery made anew.
pub(crate) fn text() -> Result<String> {
    let page = fs::read_to_string(path())?;
    let begin = page.find(BEGIN).context("README.md has no gallery")? + BEGIN.len();
    let rest = page[begin..].find(END);
    let rest = begin + rest.context("nothing follows the gallery of README.md")?;
    Ok(format!(
        "{}\n{}{}",
        &page[..begin],
        gallery()?,
        &page[rest..]
    ))
}

fn gallery() -> Result<String> {
    let mut text = String::from("<table>\n");
    for (name, functions) in PICTURES {
        let place = format!("examples/src/bin/{name}.rs");
        let source = fs::read_to_string(root().join(&place)).context(place.clone())?;
        text += &format!(
            "<tr><td><img src=\"examples/pictures/{name}.png\" width=\"240\" alt=\"\"></td><td>\n\n[`{name}`]({place}): {}.\n\n",
            summary(&source)
        );
        if !functions.is_empty() {
            let found = functions.iter().map(|function| {
                let found = function_of(&source, function);
                found.with_context(|| format!("no `{function}` in {place}"))
            });
            let found: Vec<String> = found.collect::<Result<_>>()?;
            text += &format!("```rust,ignore\n{}```\n\n", found.join("\n"));
        }
        text += "</td></tr>\n";
    }
    Ok(text + "</table>\n")
}

/// The text of a function of an `accelerate!` block, from its documentation on.
fn function_of(source: &str, name: &str) -> Option<String> {
    let lines: Vec<&str> = source.lines().collect();
    let begins = |line: &str| {
        let line = line.trim_start();
        let line = line.strip_prefix("pub ").unwrap_or(line);
        let rest = line
            .strip_prefix("fn ")
            .and_then(|line| line.strip_prefix(name));
        rest.is_some_and(|rest| rest.starts_with('('))
    };
    let at = lines.iter().position(|line| begins(line))?;
    let before = lines[..at].iter().rev();
    let before = before.take_while(|line| line.starts_with("    /") || line.starts_with("    #"));
    let first = at - before.count();
    let last = at + lines[at..].iter().position(|line| *line == "    }")?;
    let own = lines[first..=last].iter();
    Some(
        own.map(|line| format!("{}\n", line.get(4..).unwrap_or_default()))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::function_of;

    #[test]
    fn functions_are_cut_out_of_blocks() {
        let source = "accelerate! {\n    fn other(x: f32) {\n    }\n\n    /// Doc.\n    #[fused]\n    pub fn one(x: f32) -> f32 {\n        x\n    }\n}\n";
        let one = "/// Doc.\n#[fused]\npub fn one(x: f32) -> f32 {\n    x\n}\n";
        assert_eq!(function_of(source, "one").as_deref(), Some(one));
        assert_eq!(function_of(source, "oth"), None);
    }
}
