//! `examples/README.md`: a line for each program, made of its source and of what its functions say they cost.

use super::PROGRAMS;
use crate::command::{Built, command, root};
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::PathBuf;

pub(crate) fn path() -> PathBuf {
    root().join("examples/README.md")
}

const HEAD: &str = "\
# Examples

Each is a program in one `accelerate!` block and the host code around it: options, input, a picture or a table.

```text
cargo run --release -p accelerate-rs-examples --bin mandelbrot -- --help
cargo xtask examples --check      # all, at small sizes, on the CPU and on the emulated CUDA device
cargo xtask examples --index      # writes this page
```

All take `--size`, `--device cpu|cuda|cuda:1`, `--repeat` and `--cost`, and `--check`, which compares with a computation of another kind in plain
Rust or with published values, never with another back end alone. Pictures go to `target/pictures`.

Kernels and bytes are those of the function that is named, as the compiler knows them (`f::COST`): launches on the longest path, the body of a loop
counted once; bytes of device memory in the extents of the parameters. Lines are those of the whole block, without comments.

| program | what it shows | function | kernels | bytes read | bytes written | lines |
|---|---|---|--:|---|---|--:|
";

const TAIL: &str = "
`data/README.md` says where photographs and tables come from.
";

/// The page.
pub(crate) fn text(built: &Built) -> Result<String> {
    let mut text = String::from(HEAD);
    for program in PROGRAMS {
        let name = program.name;
        let source = root().join(format!("examples/src/bin/{name}.rs"));
        let source = fs::read_to_string(&source).with_context(|| source.display().to_string())?;
        let output = command(built.executable(name)?).arg("--cost").output()?;
        let costs = String::from_utf8(output.stdout)?;
        let costs: Vec<&str> = costs
            .lines()
            .next()
            .unwrap_or_default()
            .split('\t')
            .collect();
        ensure!(costs.len() == 4, "`{name} --cost` says {costs:?}");
        let bytes = |polynomial: &str| format!("`{}`", by_length(polynomial));
        text += &format!(
            "| [`{name}`](src/bin/{name}.rs) | {} | `{}` | {} | {} | {} | {} |\n",
            summary(&source),
            costs[0],
            costs[1],
            bytes(costs[2]),
            bytes(costs[3]),
            lines(&source),
        );
    }
    Ok(text + TAIL)
}

/// The first sentence of the module's documentation, without sources in parentheses.
fn summary(source: &str) -> String {
    let lines = source.lines().map_while(|line| line.strip_prefix("//! "));
    let whole = lines.collect::<Vec<_>>().join(" ");
    let mut depth = 0;
    let mut sentence = String::new();
    for (k, character) in whole.char_indices() {
        match character {
            '(' => {
                depth += 1;
                sentence.truncate(sentence.trim_end().len());
            }
            ')' => depth -= 1,
            '.' if depth == 0
                && whole[k + 1..]
                    .chars()
                    .next()
                    .is_none_or(char::is_whitespace) =>
            {
                break;
            }
            _ if depth == 0 => sentence.push(character),
            _ => {}
        }
    }
    sentence
}

/// Lines of `accelerate!` blocks that are neither blank nor comments.
fn lines(source: &str) -> usize {
    let mut inside = false;
    let mut count = 0;
    for line in source.lines() {
        match line {
            "accelerate! {" => inside = true,
            "}" => inside = false,
            _ => {
                let line = line.trim();
                count += usize::from(inside && !line.is_empty() && !line.starts_with("//"));
            }
        }
    }
    count
}

/// `m.len()` for `m.shape().0 * m.shape().1`.
fn by_length(polynomial: &str) -> String {
    let mut factors: Vec<String> = Vec::new();
    for word in polynomial.split(' ') {
        let rows = word
            .strip_suffix(".shape().1")
            .map(|name| format!("{name}.shape().0"));
        let k = factors.len();
        if k >= 2 && factors[k - 1] == "*" && rows.as_ref() == Some(&factors[k - 2]) {
            let name = word.trim_end_matches(".shape().1");
            factors.truncate(k - 2);
            factors.push(format!("{name}.len()"));
        } else {
            factors.push(word.to_owned());
        }
    }
    factors.join(" ")
}

#[cfg(test)]
mod tests {
    use super::{by_length, lines, summary};

    #[test]
    fn sources_tell_the_index() {
        let source = "//! Sorts (by Y, 1990. Twice)\n//! things of 1.5 MB. Slowly.\n\naccelerate! {\n    /// Doc.\n    pub fn f() {\n\n    }\n}\n";
        assert_eq!(summary(source), "Sorts things of 1.5 MB");
        assert_eq!(lines(source), 2);
    }

    #[test]
    fn extents_of_a_matrix_are_its_length() {
        let text = "8 * a.m.shape().0 * a.m.shape().1 + b.shape().0 * c.shape().1";
        assert_eq!(by_length(text), "8 * a.m.len() + b.shape().0 * c.shape().1");
    }
}
