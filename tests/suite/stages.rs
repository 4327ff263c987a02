//! The texts of the stages of each program, and what is to be seen in them. Made when they are first asked for, and once.

use crate::programs::DRIVERS;
use crate::structure;
use accelerate_compiler::codegen::cuda::PRELUDE;
use accelerate_compiler::{Built, Compiled, Options};
use harness::corpus::{self, Driver};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::{LazyLock, OnceLock};

/// One program after each stage, under the names that the compiler's example `stages` has for them.
pub(crate) struct Stages {
    pub(crate) lowered: String,
    pub(crate) ir: String,
    pub(crate) plan: String,
    /// A table of the entries, and the kernels without the prelude.
    pub(crate) cuda: String,
    /// The expansion without its copy of the CUDA C, as tokens are printed.
    pub(crate) rust: String,
    /// Functions of the runtime that the expansion calls.
    pub(crate) calls: BTreeSet<String>,
    /// What writing CUDA C and Rust has had to do: kinds of kernels in their regimes, what of the prelude and of the runtime is used.
    pub(crate) shows: BTreeSet<String>,
}

/// The stages of a program.
pub(crate) fn of(driver: &Driver) -> Result<&'static Stages, String> {
    static MADE: LazyLock<Vec<OnceLock<Result<Stages, String>>>> =
        LazyLock::new(|| DRIVERS.iter().map(|_| OnceLock::new()).collect());
    let at = DRIVERS.partition_point(|other| other.program < driver.program);
    let made = MADE[at].get_or_init(|| make(driver));
    made.as_ref().map_err(String::clone)
}

fn make(driver: &Driver) -> Result<Stages, String> {
    let tokens = corpus::tokens(driver.program);
    let options = corpus::with_sources(&Options::default(), &tokens);
    let mut unit = accelerate_compiler::compile(tokens, &options);
    if let Some(error) = unit.errors.first() {
        return Err(error.message.clone());
    }
    let named = |function: &Compiled| function.name == driver.function;
    let position = unit.functions.iter().position(named);
    let mut compiled = unit
        .functions
        .swap_remove(position.ok_or("no such function")?);
    let cuda = format!("{}\n{}", compiled.cuda.entries(), compiled.cuda.own());
    let mut shows = BTreeSet::new();
    for (kernel, entries) in compiled.plan.kernels.iter().zip(&compiled.cuda.kernels) {
        let kind = structure::kind(kernel);
        for entry in entries {
            let regime = format!("{:?}", entry.regime);
            let regime = regime.split([' ', '(']).next().unwrap_or_default();
            shows.insert(format!("the kind `{kind}` in the regime `{regime}`"));
        }
    }
    let words = cuda.split(|symbol: char| !symbol.is_alphanumeric() && symbol != '_');
    let used = words.filter(|word| DECLARED.contains(word));
    shows.extend(used.map(|word| format!("`{word}` of the prelude")));
    compiled.cuda.source.clear();
    let tokens = without_places(unit.expand_function(&compiled, Built::Nothing));
    let mut calls = BTreeSet::new();
    called(tokens.clone(), &mut calls);
    let operations = calls.intersection(&OPERATIONS);
    shows.extend(operations.map(|word| format!("`{word}` of the runtime")));
    Ok(Stages {
        lowered: compiled.lowered.to_string(),
        ir: compiled.program.to_string(),
        plan: compiled.plan.to_string(),
        cuda,
        rust: tokens.to_string().replace(&compiled.hash, "hash"),
        calls,
        shows,
    })
}

/// The names of the prelude's functions, macros and types.
static DECLARED: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    let lines = PRELUDE.lines().filter(|line| !line.starts_with([' ', '/']));
    let names = lines.filter_map(|line| {
        let before = line.split('(').next().unwrap_or(line);
        let head = match before.rsplit_once("struct ") {
            Some((_, rest)) => rest.split([' ', '<', ';', ':']).next(),
            None if before == line => None,
            None => before.rsplit(' ').next(),
        };
        head.filter(|name| !name.is_empty())
    });
    names.collect()
});

/// The names of the runtime's functions that generated code may call: mathematical ones, of which one is written as the other, ...
static MATHEMATICAL: LazyLock<BTreeSet<String>> = LazyLock::new(|| functions("math"));
/// ... and all others.
static OPERATIONS: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    functions("cpu")
        .into_iter()
        .chain(functions("lanes"))
        .collect()
});

/// The names of the functions in a folder of the runtime.
fn functions(folder: &str) -> BTreeSet<String> {
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime/core/src");
    let entries = fs::read_dir(runtime.join(folder)).into_iter().flatten();
    let texts = entries
        .flatten()
        .filter_map(|entry| fs::read_to_string(entry.path()).ok());
    let names = texts.flat_map(|text| {
        let after = text.split("fn ").skip(1).map(|rest| {
            let end = rest.find(|symbol: char| !symbol.is_alphanumeric() && symbol != '_');
            rest[..end.unwrap_or(rest.len())].to_owned()
        });
        after.collect::<Vec<_>>()
    });
    names.collect()
}

/// Which of the runtime's functions tokens name: after `::`, or after a point and before arguments; what else follows a point
/// is a field.
fn called(tokens: TokenStream, calls: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let symbol = |at: Option<usize>| match at.and_then(|at| tokens.get(at)) {
        Some(TokenTree::Punct(punct)) => Some(punct.as_char()),
        _ => None,
    };
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => called(group.stream(), calls),
            TokenTree::Ident(name) => {
                let name = name.to_string();
                let arguments = match tokens.get(at + 1) {
                    Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Parenthesis,
                    _ => symbol(Some(at + 1)) == Some(':'),
                };
                let path = [1, 2].map(|back| symbol(at.checked_sub(back)));
                let named = match path {
                    [Some(':'), Some(':')] => true,
                    [Some('.'), before] => before != Some('.') && arguments,
                    _ => false,
                };
                if named && (OPERATIONS.contains(&name) || MATHEMATICAL.contains(&name)) {
                    calls.insert(name);
                }
            }
            _ => {}
        }
    }
}

/// The tokens without what is in places: it depends on what else the suite has parsed, and moves with every comment.
fn without_places(tokens: TokenStream) -> TokenStream {
    let mut of_place = false;
    let kept = tokens.into_iter().map(|token| {
        let token = match token {
            TokenTree::Group(group) => {
                let inner = match of_place && group.delimiter() == Delimiter::Brace {
                    true => TokenStream::new(),
                    false => without_places(group.stream()),
                };
                Group::new(group.delimiter(), inner).into()
            }
            token => token,
        };
        of_place = matches!(&token, TokenTree::Ident(name) if name == "Place");
        token
    });
    kept.collect()
}
