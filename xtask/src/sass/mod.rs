//! `cargo xtask sass [FILTER]`: what kernels of the corpus cost an element, read in the machine code that ptxas makes of them.
//! Without a filter the table is written to `benches/results/sass.md`. With `--against cub` the same is read in CUB's kernels,
//! and that table is written to `benches/results/sass-cub.md`.

mod budgets;
mod count;
mod cub;
mod device;
mod flow;
mod json;
mod listing;
mod measure;
mod path;
mod suite;
mod table;
mod tools;

use crate::command::{Built, cargo, root, run_build};
use anyhow::{Context, Result, bail};
use measure::Measured;
use tools::Tools;

/// What cargo builds for it: the compiler's example that shows stages.
const STAGES: [&str; 5] = [
    "build",
    "--package",
    "accelerate-rs-compiler",
    "--example",
    "stages",
];

/// Counts, prints, and fails if a budget is broken.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let (filter, rival) = options(arguments)?;
    let tools = Tools::find(&run_build(cargo(&STAGES))?)?;
    if rival {
        return written("sass-cub.md", filter, &cub::compare(filter, &tools)?);
    }
    let measured = Measured::named(filter, &tools)?;
    written("sass.md", filter, &table::write(&measured.rows))?;
    measured.judged()
}

/// What has to be in a name, and whether CUB's kernels are counted, too.
fn options(arguments: &[String]) -> Result<(&str, bool)> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (rest, rival) = match words[..] {
        ["--against", "cub", ref rest @ ..] | [ref rest @ .., "--against", "cub"] => (rest, true),
        ref rest => (rest, false),
    };
    match *rest {
        [] => Ok(("", rival)),
        [filter] if !filter.starts_with('-') => Ok((filter, rival)),
        _ => bail!("usage: cargo xtask sass [FILTER] [--against cub]"),
    }
}

/// Prints a table; one of all kernels is kept among the results.
fn written(name: &str, filter: &str, text: &str) -> Result<()> {
    print!("{text}");
    if filter.is_empty() {
        let path = root().join("benches/results").join(name);
        std::fs::write(&path, text).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

/// Counts, for the tests: fails if a budget is broken. Why it cannot, if it cannot.
pub(crate) fn check(built: &Built) -> Result<(), Unchecked> {
    let tools = Tools::find(built).map_err(Unchecked::NoTools)?;
    let measured = Measured::named("", &tools).map_err(Unchecked::Broken)?;
    measured.judged().map_err(Unchecked::Broken)
}

/// Why budgets do not hold, or are not known to.
pub(crate) enum Unchecked {
    NoTools(anyhow::Error),
    Broken(anyhow::Error),
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_rival_is_named_before_the_filter_or_after_it() {
        let read = |text: &str| {
            let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            let found = super::options(&words);
            found.ok().map(|(filter, rival)| (filter.to_owned(), rival))
        };
        let some = |filter: &str, rival| Some((filter.to_owned(), rival));
        assert_eq!(read(""), some("", false));
        assert_eq!(read("scan"), some("scan", false));
        assert_eq!(read("--against cub"), some("", true));
        assert_eq!(read("scan --against cub"), some("scan", true));
        assert_eq!(read("--against cub scan"), some("scan", true));
        for wrong in ["--against", "--against thrust", "a b", "--cub"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
