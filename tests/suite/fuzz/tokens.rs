//! Blocks that nobody means: those of the corpus and of the errors' tests with tokens and whole groups left out, doubled,
//! exchanged or replaced, and noise. The compiler has an answer to each: no panic, no endless loop, code that parses, and an
//! error wherever there is a stub instead of code.

use super::caught;
use crate::report::Report;
use crate::workers;
use accelerate_compiler::{Options, compile};
use harness::corpus;
use harness::inputs::Random;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Blocks of a case.
const BATCH: u64 = 50;
/// Mutilations of a block, at most.
const MOST: u64 = 4;
/// A compiler that takes longer than this hangs.
const PATIENCE: Duration = Duration::from_secs(20);
/// Blocks tried while one that fails is shrunk.
const TRIES: usize = 2000;
/// Tokens that the corpus has no use for.
const STRANGE: &str = "'a 'static \"text\" b\"bytes\" b'x' 'x' 1e999 1e-999f32 0xffff_ffff_ffff_ffff_ffff 1u7 0u8 300u8 1.5i32 \
    340282366920938463463374607431768211456 -128i8 ..= ... => -> :: ? # $ @ ~ & && _ self Self super crate async \
    await dyn impl trait where unsafe extern static mut ref box move yield union macro_rules r#fn usize::MAX f32::NAN \
    i64::MIN None Some Ok Err Box Vec String u128 f16 str";

/// A token, or a group of them.
#[derive(Clone)]
enum Tree {
    Token(TokenTree),
    Group(Delimiter, Vec<Tree>),
}

/// Where a tree stands: positions from the outermost group inwards.
type Spot = Vec<usize>;

/// So many cases.
pub(super) fn run(report: &mut Report, tier: &str, seed: u64, batches: u64) {
    let sources = sources();
    for batch in 0..batches {
        let name = format!("tokens-{batch}");
        if workers::claims(report.claims(), tier, &name) {
            report.case(tier, &name, || {
                let mut random = Random(seed.wrapping_mul(0x1000).wrapping_add(batch) << 20);
                (0..BATCH).try_for_each(|_| case(&sources, &mut random))
            });
            report.count(tier, "blocks of tokens", BATCH as usize);
        }
    }
}

fn case(sources: &[String], random: &mut Random) -> Result<(), String> {
    let block = mutilated(sources, random);
    let Err(problem) = answer(&block) else {
        return Ok(());
    };
    let (block, problem) = smallest(block, problem);
    Err(format!("{problem}\naccelerate! {{ {} }}", stream(&block)))
}

/// What the compiler makes of it, if that is not what it should be.
fn answer(block: &[Tree]) -> Result<(), String> {
    let text = stream(block).to_string();
    let (sender, receiver) = mpsc::channel();
    // A compiler that hangs keeps its thread.
    thread::spawn(move || {
        let answer =
            caught(|| answer_to(&text)).unwrap_or_else(|panic| Err(format!("panic: {panic}")));
        let _ = sender.send(answer);
    });
    let answer = receiver.recv_timeout(PATIENCE);
    answer.unwrap_or_else(|_| Err(format!("no answer within {PATIENCE:?}")))
}

fn answer_to(text: &str) -> Result<(), String> {
    // Neighbours may be no tokens together.
    let Ok(tokens) = TokenStream::from_str(text) else {
        return Ok(());
    };
    let unit = compile(tokens, &Options::default());
    let internal = |error: &&accelerate_compiler::diag::Diagnostic| {
        error.message.starts_with("internal error")
    };
    if let Some(error) = unit.errors.iter().find(internal) {
        return Err(error.message.clone());
    }
    for function in &unit.functions {
        function.program.verify()?;
    }
    let expansion = unit.expand(|_| false);
    let text = expansion.to_string();
    let errors = unit.errors.iter().filter(|error| !error.warning).count();
    if (errors == 0) == text.contains("compile_error") {
        return Err(format!("{errors} errors, but {text}"));
    }
    if errors == 0 && text.contains("this program has errors") {
        return Err("a stub without an error".to_owned());
    }
    let items = syn::parse2::<syn::File>(expansion.clone()).map(|_| ());
    items
        .or_else(|_| syn::parse2::<syn::Expr>(expansion).map(|_| ()))
        .map_err(|error| format!("the expansion does not parse: {error}: {text}"))
}

/// Without whatever the failure does not need.
fn smallest(mut block: Vec<Tree>, mut problem: String) -> (Vec<Tree>, String) {
    let stage = |problem: &str| {
        problem
            .split([':', '`'])
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let wanted = stage(&problem);
    let (mut at, mut tries) = (0, TRIES);
    while let Some(spot) = spots(&block).get(at).cloned() {
        let mut shorter = block.clone();
        take(&mut shorter, &spot);
        match answer(&shorter) {
            _ if tries == 0 => break,
            Err(found) if stage(&found) == wanted => (block, problem) = (shorter, found),
            _ => at += 1,
        }
        tries -= 1;
    }
    (block, problem)
}

/// The blocks of the corpus and of the errors' tests.
fn sources() -> Vec<String> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let errors = fs::read_dir(tests.join("errors")).into_iter().flatten();
    let mut paths: Vec<PathBuf> = errors.flatten().map(|file| file.path()).collect();
    paths.sort();
    let corpus = corpus::paths().values();
    paths.extend(corpus.map(|path| tests.join("..").join(path)));
    let mut blocks = Vec::new();
    for path in paths.iter().filter(|path| is_rust(path)) {
        let text = fs::read_to_string(path).unwrap_or_default();
        if let Ok(tokens) = TokenStream::from_str(&text) {
            find(tokens, &mut blocks);
        }
    }
    blocks
}

fn is_rust(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rs")
}

/// What stands in `accelerate!`, wherever that is.
fn find(tokens: TokenStream, blocks: &mut Vec<String>) {
    let mut named = false;
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => named = ident == "accelerate",
            TokenTree::Group(group) if named && !group.stream().is_empty() => {
                blocks.push(group.stream().to_string());
                named = false;
            }
            TokenTree::Group(group) => find(group.stream(), blocks),
            TokenTree::Punct(punct) => named &= punct.as_char() == '!',
            TokenTree::Literal(_) => named = false,
        }
    }
}

fn trees(text: &str) -> Vec<Tree> {
    let tree = |token| match token {
        TokenTree::Group(group) => {
            Tree::Group(group.delimiter(), trees(&group.stream().to_string()))
        }
        token => Tree::Token(token),
    };
    let tokens = TokenStream::from_str(text).unwrap_or_default();
    tokens.into_iter().map(tree).collect()
}

fn stream(trees: &[Tree]) -> TokenStream {
    let token = |tree: &Tree| match tree {
        Tree::Token(token) => token.clone(),
        Tree::Group(delimiter, trees) => Group::new(*delimiter, stream(trees)).into(),
    };
    trees.iter().map(token).collect()
}

/// Everything there is, groups before what is in them.
fn spots(trees: &[Tree]) -> Vec<Spot> {
    let mut all = Vec::new();
    for (at, tree) in trees.iter().enumerate() {
        all.push(vec![at]);
        if let Tree::Group(_, inner) = tree {
            all.extend(
                spots(inner)
                    .into_iter()
                    .map(|spot| [vec![at], spot].concat()),
            );
        }
    }
    all
}

/// The trees among which a spot is, and its place there.
fn around<'a>(trees: &'a mut Vec<Tree>, spot: &[usize]) -> (&'a mut Vec<Tree>, usize) {
    match spot {
        [at] => (trees, *at),
        [first, rest @ ..] => match &mut trees[*first] {
            Tree::Group(_, inner) => around(inner, rest),
            Tree::Token(_) => unreachable!("only groups have something in them"),
        },
        [] => unreachable!("a spot is somewhere"),
    }
}

fn take(trees: &mut Vec<Tree>, spot: &[usize]) -> Tree {
    let (among, at) = around(trees, spot);
    among.remove(at)
}

/// A block after a few mutilations.
fn mutilated(sources: &[String], random: &mut Random) -> Vec<Tree> {
    let any = |random: &mut Random| trees(&sources[random.below(sources.len() as u64) as usize]);
    let mut block = any(random);
    if random.below(16) == 0 {
        block = noise(&any(random), 3, random);
    }
    for _ in 0..1 + random.below(MOST) {
        let all = spots(&block);
        if all.is_empty() {
            break;
        }
        let spot = &all[random.below(all.len() as u64) as usize];
        let (among, at) = around(&mut block, spot);
        let last = among.len() - 1;
        match random.below(10) {
            0 | 1 => {
                among.remove(at);
            }
            2 => {
                let again = among[at].clone();
                among.insert(at, again);
            }
            3 => among.swap(at, random.below(1 + last as u64) as usize),
            4 => {
                // A part of another program, or of this one.
                let mut other = match random.below(2) {
                    0 => any(random),
                    _ => block.clone(),
                };
                let all = spots(&other);
                let there = take(&mut other, &all[random.below(all.len() as u64) as usize]);
                let (among, at) = around(&mut block, spot);
                among[at] = there;
            }
            5 => {
                let to = at + random.below((among.len() - at) as u64) as usize;
                let inner = among.drain(at..=to).collect();
                among.insert(at, Tree::Group(delimiter(random), inner));
            }
            6 => match &mut among[at] {
                Tree::Group(kind, _) if random.below(2) == 0 => *kind = delimiter(random),
                Tree::Group(_, inner) => {
                    let inner = std::mem::take(inner);
                    among.splice(at..=at, inner);
                }
                Tree::Token(_) => among.truncate(at),
            },
            7 => among.insert(at, strange(random)),
            8 => among[at] = strange(random),
            _ => {
                let from = any(random);
                among[at] = token(&from, random);
            }
        }
    }
    block
}

fn delimiter(random: &mut Random) -> Delimiter {
    use Delimiter::{Brace, Bracket, Parenthesis};
    [Brace, Bracket, Parenthesis][random.below(3) as usize]
}

/// Tokens in any order.
fn noise(from: &[Tree], depth: u64, random: &mut Random) -> Vec<Tree> {
    let count = random.below(12);
    let tree = |_| match random.below(8) {
        0 if depth > 0 => Tree::Group(delimiter(random), noise(from, depth - 1, random)),
        1 => strange(random),
        _ => token(from, random),
    };
    (0..count).map(tree).collect()
}

fn strange(random: &mut Random) -> Tree {
    let all: Vec<&str> = STRANGE.split_whitespace().collect();
    let mut trees = trees(all[random.below(all.len() as u64) as usize]);
    trees.swap_remove(0)
}

/// Any of the tokens.
fn token(from: &[Tree], random: &mut Random) -> Tree {
    let mut from = from.to_vec();
    let all = spots(&from);
    let spot = &all[random.below(all.len() as u64) as usize];
    match take(&mut from, spot) {
        Tree::Group(_, inner) if !inner.is_empty() => token(&inner, random),
        tree => tree,
    }
}
