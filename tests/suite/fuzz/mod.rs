//! Programs that nobody wrote: drawn from a grammar of everything the language has, compiled with passes on and off and with
//! heuristic choices at random, and run by the oracle, as plans, and as kernels on the emulated device. What disagrees is
//! shrunk and printed as a program of the corpus.
//!
//! Before that, blocks that are no programs, and functions that rustc compiles as they are written.
//!
//! `ACCELERATE_FUZZ="minutes=60 seed=3"` searches longer, and tells what was hit how often. With `kernels=0 batches=0` it asks
//! plans alone, which compiles no C++ and no Rust. With `work=1` a plan that does too much is a failure, else it is counted. With
//! `hostile=1` every program has names that mean something elsewhere.

mod arrays;
mod batch;
mod choices;
mod control;
mod elements;
mod enums;
mod folds;
mod grammar;
mod hits;
mod hostile;
mod imperative;
mod methods;
mod options;
mod scalars;
mod scatters;
mod skeletons;
mod stencils;
mod strict;
mod tokens;
mod views;
mod wide;
mod wire;
mod work;

use crate::entries::Loaded;
use crate::kept::{Kept, wide};
use crate::nvcc;
use crate::questions::{Question, agree, outcome};
use crate::report::Report;
use crate::workers;
use accelerate_compiler::Tiling;
use accelerate_compiler::ir::eval;
use accelerate_compiler::plan::interpret;
use accelerate_compiler::{Compiled, Options, compile};
use choices::{Choices, shrink};
use emulator::Emulator;
use grammar::{Fuzzed, Grammar};
use harness::corpus::Header;
use harness::inputs::{self, Floats, Random};
use harness::value;
use hits::Hits;
use std::collections::BTreeMap;
use std::iter;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

const TIER: &str = "fuzz";
/// What a program may be refused with: a limit of the compiler, or an error that the generator makes now and then.
const REFUSALS: [&str; 4] = [
    "not supported yet",
    "this fails in every call",
    "this divides by zero",
    "this takes the remainder by zero",
];
/// Programs of a run that nobody asked more of.
const PROGRAMS: u64 = 80;
const SEED: u64 = 1;
/// Batches of blocks of tokens, in a run or for each minute of one.
const TOKENS: u64 = 40;
/// Other ways to compile each program.
const VARIANTS: u64 = 3;
const QUESTIONS: u64 = 5;
/// Extents.
const SIZES: [u64; 12] = [0, 1, 2, 3, 5, 8, 31, 33, 64, 130, 257, 1000];
/// Values that the oracle may compute for a question, about.
const PATIENCE: u64 = 100_000;
/// What has taken longer is asked no larger question: without some passes, and by chance, plans repeat their work.
const LONG: Duration = Duration::from_secs(2);
/// Statements of kernels that the interpreter runs for a question at most: some seconds.
const STATEMENTS: u64 = 20_000_000;
/// How long a failure is shrunk, about.
const SHRINKING: Duration = Duration::from_secs(120);
/// Of so many programs of a search, one is compiled by rustc.
const THROUGH: u64 = 4;
/// Of so many programs, nvcc compiles one.
const NVCC: u64 = 20;
/// And of those whose names are hostile.
const NVCC_HOSTILE: u64 = 4;
/// Programs that rustc compiles at once, in a run and in a search.
const BATCH: usize = 10;
const LARGE_BATCH: usize = 24;

/// How long to search, and from where.
struct Search {
    first: u64,
    programs: u64,
    tokens: u64,
    /// Batches of functions as in Rust.
    imperative: u64,
    /// Of programs for rustc: how many, of so many programs.
    batches: usize,
    batch: usize,
    /// Whether the emulated device runs them.
    kernels: bool,
    minutes: Option<f64>,
    seed: u64,
    /// Whether no plan may do too much.
    work: bool,
}

/// What `ACCELERATE_FUZZ` has for a key.
fn asked(key: &str) -> Option<f64> {
    let text = std::env::var("ACCELERATE_FUZZ").unwrap_or_default();
    let mut words = text.split_whitespace();
    words.find_map(|word| word.strip_prefix(key)?.strip_prefix('=')?.parse().ok())
}

impl Search {
    fn from_environment() -> Search {
        let minutes = asked("minutes");
        Search {
            programs: match minutes {
                Some(_) => u64::MAX,
                None => asked("programs").map_or(PROGRAMS, |number| number as u64),
            },
            tokens: asked("tokens").unwrap_or(TOKENS as f64 * minutes.unwrap_or(1.0)) as u64,
            imperative: asked("imperative").unwrap_or(minutes.unwrap_or(1.0)) as u64,
            batches: asked("batches")
                .map_or(minutes.map_or(1, |_| usize::MAX), |number| number as usize),
            batch: match minutes {
                Some(_) => LARGE_BATCH,
                None => asked("batch").map_or(BATCH, |number| number as usize),
            },
            kernels: asked("kernels") != Some(0.0),
            first: asked("first").map_or(0, |number| number as u64),
            minutes,
            seed: asked("seed").map_or(SEED, |number| number as u64),
            work: asked("work") == Some(1.0),
        }
    }
}

/// What has been found, before it is shrunk: that takes long.
fn tell(seed: u64, stage: &str, problem: &str, fuzzed: &Fuzzed) {
    eprintln!("seed {seed:#x}, {stage}: {problem}\n{}", fuzzed.text);
}

/// How a program fared.
enum Fate {
    /// What it was asked.
    Fine(Vec<Question>),
    /// The compiler does not take it, and says why.
    Rejected(String),
    /// A stage and what is wrong.
    Failed(&'static str, String),
}

/// A program that the stages agree on, to be compiled by rustc.
struct Ready {
    fuzzed: Fuzzed,
    choices: Choices,
    seed: u64,
    questions: Vec<Question>,
}

/// Runs the tier: each program is a case.
pub(crate) fn run(report: &mut Report) {
    if !report.wants(TIER) || !report.selects(TIER) {
        return;
    }
    let search = Search::from_environment();
    tokens::run(report, TIER, search.seed, search.tokens);
    imperative::run(report, TIER, search.seed, search.imperative);
    let emulator = emulator::load().ok().filter(|_| search.kernels);
    if search.minutes.is_none() && search.batches > 0 {
        hostile::run(report, TIER, search.seed);
    }
    let start = Instant::now();
    let limit = search
        .minutes
        .map(|minutes| Duration::from_secs_f64(60.0 * minutes));
    let mut hits = Hits::new();
    let mut work = work::Worst::default();
    let (mut ready, mut left) = (Vec::new(), search.batches);
    for number in (search.first..).take(search.programs as usize) {
        if limit.is_some_and(|limit| start.elapsed() > limit) {
            break;
        }
        if !workers::claims(report.claims(), TIER, &number.to_string()) {
            continue;
        }
        let seed = (search.seed << 32) + number;
        let (fuzzed, choices) = Grammar::program(Choices::random(Random(seed).bits()));
        if search.programs == 1 {
            eprintln!("seed {seed:#x}\n{}", fuzzed.text);
        }
        let began = Instant::now();
        // Compilers take longest, rustc most of all: a search has the emulated device run each program once, some by themselves,
        // some through the runtime.
        let through = search.minutes.is_some() && Random(seed).below(THROUGH) == 0;
        let emulator = emulator.filter(|_| !through);
        let fate = fate(&fuzzed, seed, emulator, &mut hits);
        report.spent(TIER, &format!("program {number}"), began.elapsed());
        match fate {
            Fate::Fine(questions) => {
                let excess = work.measure(&fuzzed, seed);
                report.case(TIER, "", || match excess.filter(|_| search.work) {
                    Some(problem) => {
                        Err(format!("seed {seed:#x}, work: {problem}\n{}", fuzzed.text))
                    }
                    None => Ok(()),
                });
                if left > 0 && (search.minutes.is_none() || through) {
                    ready.push(Ready {
                        questions: told_alike(&fuzzed, questions),
                        fuzzed,
                        choices,
                        seed,
                    });
                }
            }
            // Limits are no failures, but everything else that is written is well-typed.
            Fate::Rejected(why) if !REFUSALS.iter().any(|refusal| why.contains(refusal)) => {
                report.case(TIER, &format!("seed {seed:#x}, rejected"), || {
                    Err(format!("{why}\n{}", fuzzed.text))
                });
            }
            Fate::Rejected(why) => {
                report.count(TIER, "rejected", 1);
                report.count(TIER, &format!("`{why}`"), 1);
            }
            Fate::Failed(stage, problem) => {
                let fails =
                    |fuzzed: &Fuzzed| match self::fate(fuzzed, seed, emulator, &mut Hits::new()) {
                        Fate::Failed(found, problem) if found == stage => Some(problem),
                        _ => None,
                    };
                tell(seed, stage, &problem, &fuzzed);
                let (fuzzed, problem) = smallest(&choices, problem, fails);
                report.case(TIER, &format!("seed {seed:#x}, {stage}"), || {
                    Err(format!("{problem}\n{}", fuzzed.text))
                });
            }
        }
        if ready.len() == search.batch {
            left -= 1;
            built(report, &std::mem::take(&mut ready), &search);
        }
    }
    if !ready.is_empty() && left > 0 {
        built(report, &ready, &search);
    }
    work.tell(report, TIER);
    if search.minutes.is_some() {
        for (what, count) in hits.counts() {
            report.count(TIER, what, count);
        }
    }
}

/// Programs as users get them; what disagrees is a case.
fn built(report: &mut Report, ready: &[Ready], search: &Search) {
    let began = Instant::now();
    let problems = batch::run(ready, &batch_name());
    report.spent(TIER, "a batch for rustc", began.elapsed());
    report.count(TIER, "compiled by rustc", ready.len());
    for (which, problem) in problems {
        let Some(Ready {
            fuzzed,
            choices,
            seed,
            ..
        }) = which.map(|k| &ready[k])
        else {
            report.case(TIER, "a batch for rustc", || Err(problem));
            continue;
        };
        tell(*seed, "rustc", &problem, fuzzed);
        let text = match search.minutes {
            None => format!("{problem}\n{}", fuzzed.text),
            Some(_) => {
                let fails = |fuzzed: &Fuzzed| fails_built(fuzzed, *seed);
                let (fuzzed, problem) = smallest(choices, problem, fails);
                format!("{problem}\n{}", fuzzed.text)
            }
        };
        report.case(TIER, &format!("seed {seed:#x}, rustc"), || Err(text));
    }
}

fn batch_name() -> String {
    format!("batch-{}", std::process::id())
}

/// The questions that the plan answers within the interval of the oracle.
fn told_alike(fuzzed: &Fuzzed, mut questions: Vec<Question>) -> Vec<Question> {
    if let Ok(compiled) = compiled(fuzzed, &Options::default()) {
        questions.retain(|question| {
            let Question {
                scalars, arrays, ..
            } = question;
            let result = interpret::run_within(&compiled.plan, scalars, arrays, STATEMENTS);
            result.is_some_and(|result| agree(&outcome(&compiled, result), question, "").is_ok())
        });
    }
    questions
}

/// What is wrong with a program as users get it, if the other stages agree on it.
fn fails_built(fuzzed: &Fuzzed, seed: u64) -> Option<String> {
    let Fate::Fine(questions) = fate(fuzzed, seed, None, &mut Hits::new()) else {
        return None;
    };
    let (again, choices) = (fuzzed.clone(), Choices::of(Vec::new()));
    let ready = Ready {
        questions: told_alike(&again, questions),
        fuzzed: again,
        choices,
        seed,
    };
    let problems = batch::run(&[ready], &batch_name());
    problems.into_iter().next().map(|(_, problem)| problem)
}

/// The smallest program found that fails, and how.
fn smallest(
    choices: &Choices,
    problem: String,
    fails: impl Fn(&Fuzzed) -> Option<String>,
) -> (Fuzzed, String) {
    let mut again = |candidate: &[u32]| {
        let (fuzzed, choices) = Grammar::program(Choices::of(candidate.to_vec()));
        Some((choices.made().to_vec(), fails(&fuzzed)?))
    };
    let found = (choices.made().to_vec(), problem);
    let (best, problem) = shrink(found, Instant::now() + SHRINKING, &mut again);
    (Grammar::program(Choices::of(best)).0, problem)
}

fn fate(fuzzed: &Fuzzed, seed: u64, emulator: Option<&Emulator>, hits: &mut Hits) -> Fate {
    caught(|| examine(fuzzed, seed, emulator, hits))
        .unwrap_or_else(|text| Fate::Failed("panic of the oracle", text))
}

/// The text of a panic as an error.
fn caught<T>(body: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(body)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        text.unwrap_or("no text").to_owned()
    })
}

/// Compiles and runs a program in every way there is without compiling Rust.
fn examine(fuzzed: &Fuzzed, seed: u64, emulator: Option<&Emulator>, hits: &mut Hits) -> Fate {
    let compiled = match compiled(fuzzed, &Options::default()) {
        Ok(compiled) => compiled,
        Err(fate) => return fate,
    };
    let mut random = Random(seed);
    let questions = questions(fuzzed, &compiled, &mut random);
    let mut all = vec![("as users get it".to_owned(), compiled)];
    for _ in 0..VARIANTS {
        let (name, options) = options(&mut random);
        match self::compiled(fuzzed, &options) {
            Ok(compiled) => all.push((name, compiled)),
            Err(Fate::Rejected(_)) => {}
            Err(Fate::Failed(stage, problem)) => {
                return Fate::Failed(stage, format!("{name}: {problem}"));
            }
            Err(fate) => return fate,
        }
    }
    let mut asked = Vec::new();
    for (name, compiled) in &all {
        let result = caught(|| interpreted(compiled, &questions, name));
        let panicked = |text| Err(("panic", format!("{name}: {text}")));
        match result.unwrap_or_else(panicked) {
            Ok(number) => asked.push(&questions[..number]),
            Err((stage, problem)) => return Fate::Failed(stage, problem),
        }
        let answered = asked[asked.len() - 1].len();
        if answered < questions.len() {
            hits.given_up();
        }
        if answered > 0 {
            hits.plan(compiled);
        }
    }
    let one_of = if hostile::sought() {
        NVCC_HOSTILE
    } else {
        NVCC
    };
    if Random(seed).below(one_of) == 0
        && let Some(problem) = nvcc::refuses(&all[0].1.cuda.source)
    {
        return Fate::Failed("nvcc", problem);
    }
    if let Some(emulator) = emulator {
        // The first one, and one of the others, if that makes a difference.
        let other = 1 + random.below(VARIANTS) as usize;
        let text = &all[0].1.cuda.source;
        let differs = (all.get(other)).is_some_and(|(_, compiled)| compiled.cuda.source != *text);
        for at in iter::once(0).chain(differs.then_some(other)) {
            let ((name, compiled), questions) = (&all[at], asked[at]);
            if questions.is_empty() {
                continue;
            }
            hits.entries(compiled);
            let result = caught(|| on_device(compiled, questions, emulator, seed, name));
            if let Err(problem) = result.unwrap_or_else(Err) {
                return Fate::Failed("kernels", problem);
            }
        }
    } else if !asked[0].is_empty() {
        // Through the runtime, with others.
        hits.entries(&all[0].1);
    }
    Fate::Fine(questions)
}

fn compiled(fuzzed: &Fuzzed, options: &Options) -> Result<Compiled, Fate> {
    let tokens = fuzzed.block.parse().expect("the grammar writes tokens");
    let unit = compile(tokens, options);
    if let Some(error) = unit.errors.iter().find(|error| !error.warning) {
        let message = &error.message;
        return Err(match message.starts_with("internal error") {
            true => Fate::Failed("compiler", message.clone()),
            false => Fate::Rejected(message.clone()),
        });
    }
    let program = unit.functions.into_iter().next();
    let program = program.ok_or_else(|| Fate::Failed("compiler", "no function".to_owned()))?;
    let verified = program.program.verify();
    verified.map_err(|problem| Fate::Failed("verify", problem))?;
    Ok(program)
}

/// Switches at random.
fn options(random: &mut Random) -> (String, Options) {
    let mut options = Options::default();
    let mut name = Vec::new();
    for switch in Options::switches() {
        if random.below(4) == 0 {
            options.switch_off(switch).expect("a switch");
            name.push(switch.to_owned());
        }
    }
    if random.below(2) == 0 {
        options.tiles = Tiling::Small;
        name.push("small tiles".to_owned());
    }
    if random.below(2) == 0 {
        let seed = random.below(1000);
        options.seed = Some(seed);
        name.push(format!("decisions of seed {seed}"));
    }
    (format!("without [{}]", name.join(", ")), options)
}

/// What the header of such a program would say.
fn header(fuzzed: &Fuzzed) -> Header {
    Header {
        shapes: fuzzed.shapes.iter().cloned().collect(),
        lengths: fuzzed.lengths.iter().cloned().collect(),
        offsets: fuzzed.offsets.iter().cloned().collect(),
        values: fuzzed.values.iter().cloned().collect(),
        ..Header::default()
    }
}

/// Inputs of a few sizes, small ones first, as far as the oracle's patience goes.
fn questions(fuzzed: &Fuzzed, compiled: &Compiled, random: &mut Random) -> Vec<Question> {
    let header = header(fuzzed);
    let largest = (PATIENCE as f64).powf(1.0 / fuzzed.power as f64) as u64;
    let mut questions = Vec::new();
    for round in 0..QUESTIONS {
        let most = 4 + 2 * round as usize;
        let sizes: BTreeMap<String, u64> = (header.shapes.values().flatten())
            .map(|symbol| {
                let size = SIZES[random.below(most as u64) as usize];
                (symbol.clone(), size.min(largest))
            })
            .collect();
        let floats = [Floats::Whole, Floats::Real, Floats::Special][random.below(3) as usize];
        let floats = match floats {
            Floats::Special if crate::compare::sums_floats(&compiled.lowered) => Floats::Real,
            floats => floats,
        };
        let arguments =
            inputs::arguments(&compiled.lowered, &header, &sizes, floats, random.bits());
        let title = format!("{sizes:?}, {floats:?}");
        // A range of values for them has fractions.
        let whole = floats == Floats::Whole && header.values.is_empty();
        let question = Question::new(compiled, title, arguments, whole);
        let computed = question.computed;
        // Everything that follows takes as long, many times over.
        if computed < 8 * PATIENCE || questions.is_empty() {
            questions.push(question);
        }
        if computed > PATIENCE {
            break;
        }
    }
    questions
}

/// As the tiers compare; but where the oracle does not evaluate an array, others may fail in it.
fn agrees(
    compiled: &Compiled,
    result: Result<Vec<eval::Output>, eval::Failed>,
    question: &Question,
    who: &str,
) -> Result<(), String> {
    let failed = result.as_ref().err().cloned();
    agree(&outcome(compiled, result), question, who).or_else(|problem| match failed {
        Some(failed) if strict::meets(&compiled.lowered, question, &failed) => Ok(()),
        _ => Err(problem),
    })
}

/// Asks the program after its passes, and the plan. How many questions a device may be asked: none from the first on that
/// the plan takes too long for.
fn interpreted(
    compiled: &Compiled,
    questions: &[Question],
    name: &str,
) -> Result<usize, (&'static str, String)> {
    let began = Instant::now();
    for (number, question) in questions.iter().enumerate() {
        if began.elapsed() > LONG {
            break;
        }
        let Question {
            scalars, arrays, ..
        } = question;
        let result = eval::eval(&compiled.program, scalars, arrays);
        agrees(compiled, result, question, name).map_err(|problem| ("passes", problem))?;
        let result = interpret::run_within(&compiled.plan, scalars, arrays, STATEMENTS);
        let Some(result) = result else {
            return Ok(number);
        };
        agrees(compiled, result, question, name).map_err(|problem| ("plan", problem))?;
    }
    Ok(questions.len())
}

fn on_device(
    compiled: &Compiled,
    questions: &[Question],
    emulator: &Emulator,
    seed: u64,
    name: &str,
) -> Result<(), String> {
    let kept = match wide(compiled, questions) {
        true => Kept::All,
        false => Kept::Narrow,
    };
    let loaded = Loaded::once(emulator, compiled, &compiled.cuda.source, kept)?;
    let began = Instant::now();
    for (draw, question) in questions.iter().enumerate() {
        if began.elapsed() > LONG {
            break;
        }
        let draw = seed.wrapping_mul(31).wrapping_add(draw as u64);
        emulator.seed(draw);
        emulator.residency([8, 1, 64, 2, 16][(draw % 5) as usize]);
        let result = loaded.run(&question.scalars, &question.arrays, draw)?;
        agrees(compiled, result, question, &format!("{name}, draw {draw}"))?;
    }
    Ok(())
}
