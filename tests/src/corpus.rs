//! The programs: their header lines, their compiled stages, their drivers.

use crate::listing;
use crate::value::{Arguments, Column};
use accelerate::Device;
use accelerate_compiler::{Compiled, Options, Reader, Sources};
use proc_macro2::TokenStream;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// Calls one function of the corpus.
#[derive(Clone, Copy)]
pub struct Driver {
    /// The file's name.
    pub program: &'static str,
    /// The function's name.
    pub function: &'static str,
    /// Where the build script left PTX and CUDA C.
    pub artifacts: &'static str,
    /// Takes the arguments, gives the leaves of the results.
    pub call: fn(&Device, &mut Arguments) -> accelerate::Result<Vec<Column>>,
}

/// What the first lines of a program say.
#[derive(Clone, Debug, Default)]
pub struct Header {
    /// `kernels: 2 (reduce, elementwise)`: the number and the kinds.
    pub kernels: Option<(u32, Vec<String>)>,
    /// `choices: 0`.
    pub choices: Option<usize>,
    /// `bytes: 8n + 4`.
    pub bytes: Option<String>,
    /// `law: ..`: every result is true.
    pub law: bool,
    /// `shapes: xs n, m (m, n)`: symbols of the extents by parameter.
    pub shapes: BTreeMap<String, Vec<String>>,
    /// `sizes: m 2 n 1023, m 2 n 1024`: values of all symbols that are tried, besides those that every program is.
    pub sizes: Vec<BTreeMap<String, u64>>,
    /// `values: k 0..9, at 0..n`: half-open ranges by parameter.
    pub values: BTreeMap<String, (Bound, Bound)>,
    /// `lengths: ks n`: parameters whose elements are lengths of segments of an axis, by its symbol.
    pub lengths: BTreeMap<String, String>,
    /// `offsets: at n`: the same, as offsets.
    pub offsets: BTreeMap<String, String>,
    /// `work: at 0..n`: ranges on which it does not fail at any size, instead of those of `values` ...
    pub work: BTreeMap<String, (Bound, Bound)>,
    /// ... or `work: fails`: at some sizes it always does.
    pub fails: bool,
}

/// The end of a range of values.
#[derive(Clone, PartialEq, Debug)]
pub enum Bound {
    /// Itself.
    Number(f64),
    /// A symbol of `shapes`.
    Size(String),
}

impl Bound {
    /// What it is where symbols have these sizes.
    pub fn at(&self, sizes: &BTreeMap<String, u64>) -> f64 {
        match self {
            Bound::Number(number) => *number,
            Bound::Size(symbol) => sizes[symbol] as f64,
        }
    }
}

/// The root of the workspace; or the folder of the executable, if the corpus has been brought to another machine with it.
fn root() -> PathBuf {
    let beside = std::env::current_exe().ok();
    let beside = beside.and_then(|own| Some(own.parent()?.to_owned()));
    let beside = beside.filter(|folder| folder.join("tests/programs").is_dir());
    beside.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
}

/// The files of all programs, from the root of the workspace, by name.
pub fn paths() -> &'static BTreeMap<String, PathBuf> {
    static PATHS: LazyLock<BTreeMap<String, PathBuf>> = LazyLock::new(|| {
        let root = root();
        let found = listing::programs(&root.join("tests/programs")).into_iter();
        let from_root = |path: PathBuf| match path.strip_prefix(&root) {
            Ok(inside) => inside.to_owned(),
            Err(_) => path,
        };
        found.map(|(name, path)| (name, from_root(path))).collect()
    });
    &PATHS
}

/// The file of a program, from the root of the workspace.
///
/// # Panics
/// If there is none.
pub fn path(program: &str) -> &'static Path {
    let path = paths().get(program);
    path.unwrap_or_else(|| panic!("there is no program `{program}`"))
}

/// The text of a program.
pub fn source(program: &str) -> String {
    let path = root().join(path(program));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Reads the header lines.
pub fn header(program: &str) -> Header {
    let mut header = Header::default();
    for line in source(program)
        .lines()
        .filter_map(|line| line.strip_prefix("//! "))
    {
        let Some((key, text)) = line.split_once(": ") else {
            continue;
        };
        match key {
            "kernels" => {
                let (count, kinds) = text.split_once(" (").unwrap_or((text, ")"));
                let kinds = kinds
                    .trim_end_matches(')')
                    .split(", ")
                    .filter(|kind| !kind.is_empty());
                let count = count
                    .parse()
                    .unwrap_or_else(|_| panic!("{program}: `{line}`"));
                header.kernels = Some((count, kinds.map(str::to_owned).collect()));
            }
            "choices" => header.choices = text.parse().ok(),
            "bytes" => header.bytes = Some(text.to_owned()),
            "law" => header.law = true,
            "shapes" => {
                for (name, shape) in entries(text) {
                    let symbols = shape
                        .trim_matches(['(', ')'])
                        .split(", ")
                        .filter(|symbol| !symbol.is_empty())
                        .map(str::to_owned)
                        .collect();
                    header.shapes.insert(name.to_owned(), symbols);
                }
            }
            "sizes" => {
                for text in text.split(", ") {
                    let words: Vec<&str> = text.split(' ').collect();
                    let sizes = words.chunks(2).map(|words| match words {
                        [symbol, size] => {
                            size.parse().ok().map(|size| ((*symbol).to_owned(), size))
                        }
                        _ => None,
                    });
                    let sizes: Option<BTreeMap<String, u64>> = sizes.collect();
                    let sizes = sizes.unwrap_or_else(|| panic!("{program}: `{line}`"));
                    header.sizes.push(sizes);
                }
            }
            "lengths" | "offsets" => {
                let all = entries(text).into_iter();
                let all = all.map(|(name, axis)| (name.to_owned(), axis.to_owned()));
                match key {
                    "lengths" => header.lengths.extend(all),
                    _ => header.offsets.extend(all),
                }
            }
            "work" if text == "fails" => header.fails = true,
            "values" | "work" => {
                let ranges = match key {
                    "values" => &mut header.values,
                    _ => &mut header.work,
                };
                for (name, range) in entries(text) {
                    let (low, high) = range
                        .split_once("..")
                        .unwrap_or_else(|| panic!("{program}: `{line}`"));
                    let bound = |text: &str| match text.parse() {
                        Ok(number) => Bound::Number(number),
                        Err(_) => Bound::Size(text.to_owned()),
                    };
                    let range = (bound(low), bound(high));
                    ranges.insert(name.to_owned(), range);
                }
            }
            _ => {}
        }
    }
    let ranges = header.values.values().chain(header.work.values());
    let bounds = ranges.flat_map(|(low, high)| [low, high]);
    for bound in bounds {
        let known = |symbol| {
            header
                .shapes
                .values()
                .flatten()
                .any(|other| other == symbol)
        };
        if let Bound::Size(symbol) = bound {
            assert!(
                known(symbol),
                "{program}: `{symbol}` is neither a number nor a size"
            );
        }
    }
    header
}

/// `xs n, m (m, n)` as pairs of a name and the rest, split at commas outside parentheses.
fn entries(text: &str) -> Vec<(&str, &str)> {
    let mut parts = Vec::new();
    let (mut start, mut depth) = (0, 0);
    for (at, symbol) in text.char_indices() {
        match symbol {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
        .into_iter()
        .filter_map(|part| part.trim().split_once(' '))
        .collect()
}

/// The tokens of a program's block.
pub fn tokens(program: &str) -> TokenStream {
    let file = syn::parse_file(&source(program)).expect("build.rs has parsed it");
    let block = file.items.into_iter().find_map(|item| match item {
        syn::Item::Macro(item) => Some(item.mac.tokens),
        _ => None,
    });
    block.expect("a program has a block")
}

/// With what a block needs of other files.
pub fn with_sources(options: &Options, tokens: &TokenStream) -> Options {
    Options {
        sources: Sources::read(tokens, &Programs),
        ..options.clone()
    }
}

/// The programs as the package of most of the corpus has them: the package itself need not be there.
struct Programs;

impl Reader for Programs {
    fn module(&self, path: &str) -> Result<Vec<String>, String> {
        let program = path.strip_prefix("crate::programs::");
        let program = program.and_then(|path| path.rsplit("::").next());
        let program = program.ok_or_else(|| format!("`{path}` is no program"))?;
        Ok(vec![tokens(program).to_string()])
    }

    fn file(&self, path: &str) -> Result<String, String> {
        let path = match path.strip_prefix("../") {
            Some(file) => root().join("tests").join(file),
            None => root().join("tests/lane").join(path),
        };
        std::fs::read_to_string(path).map_err(|error| error.to_string())
    }
}

/// Compiles the function of a driver; what is wrong otherwise.
pub fn compile(driver: &Driver, options: &Options) -> Result<Compiled, String> {
    let tokens = tokens(driver.program);
    let options = with_sources(options, &tokens);
    let unit = accelerate_compiler::compile(tokens, &options);
    let errors: Vec<&str> = unit
        .errors
        .iter()
        .map(|error| error.message.as_str())
        .collect();
    if !errors.is_empty() {
        return Err(errors.join("; "));
    }
    let found = unit
        .functions
        .into_iter()
        .find(|function| function.name == driver.function);
    found.ok_or_else(|| format!("no function `{}`", driver.function))
}

/// Rust as rustfmt writes it, or as it is where there is none.
pub fn formatted(text: &str) -> String {
    let path = std::env::temp_dir().join(format!("accelerate-suite-{}.rs", std::process::id()));
    let format = || {
        std::fs::write(&path, text).ok()?;
        let output = Command::new("rustfmt")
            .args(["--edition", "2024", "--emit", "stdout", "--quiet"])
            .arg(&path)
            .output()
            .ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then_some(text)
    };
    let formatted = format();
    let _ = std::fs::remove_file(&path);
    // The first lines name the file.
    formatted.map_or(text.to_owned(), |text| {
        text.lines()
            .skip_while(|line| line.ends_with(".rs:") || line.is_empty())
            .collect::<Vec<_>>()
            .join("\n")
    })
}
