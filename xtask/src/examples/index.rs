//! `examples/README.md`: a line for each program, made of its source and of what its functions say they cost.

use super::table::{ABOVE, PROGRAMS};
use crate::command::{Built, command, root};
use anyhow::{Context, Result, bail, ensure};
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
cargo xtask examples --check             # all, at small sizes, on the CPU and on the emulated CUDA device
cargo xtask examples --check --full      # at full size, optimised, on the CPU
cargo xtask examples --index             # writes this page
```

All take `--size`, `--device cpu|cuda|cuda:1`, `--repeat` and `--cost`, and `--check`, which compares with a computation of another kind in plain
Rust or with published values, never with another back end alone. Pictures go to `target/pictures`.

[`from_c`](from_c) is a library of array programs with a program in C that calls them; its test compiles and runs both.

| | | | |
|---|---|---|---|
| ![](pictures/ray_tracer.png) `ray_tracer` | ![](pictures/fluid.png) `fluid` | ![](pictures/n_body.png) `n_body` | ![](pictures/mandelbrot.png) `mandelbrot` |
| ![](pictures/k_means.png) `k_means` | ![](pictures/smvm.png) `smvm` | ![](pictures/floyd_warshall.png) `floyd_warshall` | ![](pictures/canny.png) `canny` |

Kernels and bytes are those of the function that is named, as the compiler knows them (`f::COST`): launches on the longest path, the body of a loop
counted once; bytes of device memory in the extents of the parameters. Lines are those of the whole block, without comments.

| program | what it shows | function | kernels | bytes read | bytes written | lines |
|---|---|---|--:|---|---|--:|
";

const OTHERS: &str = "
The other functions that programs call:

| program | function | kernels | bytes read | bytes written |
|---|---|--:|---|---|
";

const KERNELS_ABOVE: &str = "
Functions that take more kernels than they could, and what that waits for:

| function | kernels | ideal | waits for |
|---|--:|--:|---|
";

const TAIL: &str = "
[`LINES.md`](LINES.md) has the lines of published programs beside these, in Accelerate, Futhark and CUDA; `data/README.md` says where photographs and
tables come from.
";

/// A function as its program tells of it.
struct Function {
    program: &'static str,
    name: String,
    kernels: u32,
    /// Bytes read, bytes written.
    bytes: [String; 2],
}

/// The functions of all programs.
fn functions(built: &Built) -> Result<Vec<Function>> {
    let mut functions = Vec::new();
    for entry in fs::read_dir(root().join("examples/src/bin"))? {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default();
        let listed = PROGRAMS.iter().any(|program| name == program.name);
        ensure!(listed, "{} is not listed in xtask", path.display());
    }
    for program in PROGRAMS {
        let name = program.name;
        let output = command(built.executable(name)?).arg("--cost").output()?;
        for line in String::from_utf8(output.stdout)?.lines() {
            let [function, kernels, read, written] = line.split('\t').collect::<Vec<_>>()[..]
            else {
                bail!("`{name} --cost` says `{line}`");
            };
            functions.push(Function {
                program: name,
                name: function.to_owned(),
                kernels: kernels
                    .parse()
                    .with_context(|| format!("`{name}`: {line}"))?,
                bytes: [read, written].map(by_length),
            });
        }
    }
    Ok(functions)
}

/// The page.
pub(crate) fn text(built: &Built) -> Result<String> {
    let functions = functions(built)?;
    let mut text = String::from(HEAD);
    for program in PROGRAMS {
        let name = program.name;
        let source = root().join(format!("examples/src/bin/{name}.rs"));
        let source = fs::read_to_string(&source).with_context(|| source.display().to_string())?;
        let first = functions.iter().find(|function| function.program == name);
        let first = first.with_context(|| format!("`{name} --cost` says nothing"))?;
        text += &format!(
            "| [`{name}`](src/bin/{name}.rs) | {} | `{}` | {} | {} | {} | {} |\n",
            summary(&source),
            first.name,
            first.kernels,
            cell(&first.bytes[0]),
            cell(&first.bytes[1]),
            lines(&source),
        );
    }
    text += OTHERS;
    for (k, function) in functions.iter().enumerate() {
        if k > 0 && functions[k - 1].program == function.program {
            let Function {
                program,
                name,
                kernels,
                bytes: [read, written],
            } = function;
            let (read, written) = (cell(read), cell(written));
            text += &format!("| `{program}` | `{name}` | {kernels} | {read} | {written} |\n");
        }
    }
    text += KERNELS_ABOVE;
    for above in ABOVE {
        let here = |function: &&Function| {
            function.program == above.program && function.name == above.function
        };
        let function = functions.iter().find(here);
        let function =
            function.with_context(|| format!("no `{}` in `{}`", above.function, above.program))?;
        let (kernels, ideal) = (function.kernels, above.ideal);
        ensure!(
            kernels > ideal,
            "`{}` takes {kernels} kernels, no more than the {ideal} that it could: its line of `ABOVE` has to go",
            above.function
        );
        text += &format!(
            "| `{}` | {kernels} | {ideal} | {} |\n",
            above.function, above.waits
        );
    }
    Ok(text + TAIL)
}

/// A polynomial, unless it is too long for a table.
fn cell(polynomial: &str) -> String {
    if polynomial.len() > 100 {
        String::from("see `--cost`")
    } else {
        format!("`{polynomial}`")
    }
}

/// The first sentence of the module's documentation, without sources in parentheses.
pub(super) fn summary(source: &str) -> String {
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

/// `m.len()` for the product of all extents of `m`.
fn by_length(polynomial: &str) -> String {
    let mut text = polynomial.to_owned();
    let names = polynomial
        .split(' ')
        .filter_map(|word| word.strip_suffix(".shape().0"));
    for name in names {
        let [rows, columns, last] = [0, 1, 2].map(|axis| format!("{name}.shape().{axis}"));
        let length = format!("{name}.len()");
        text = text.replace(&format!("{rows} * {columns} * {last}"), &length);
        text = text.replace(&format!("{rows} * {columns}"), &length);
    }
    text
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
        let cube = "u.shape().0 * u.shape().1 * u.shape().2 + 4";
        assert_eq!(by_length(cube), "u.len() + 4");
    }
}
