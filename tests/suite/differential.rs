//! Every program on generated inputs: the oracle (`ir::eval` of the program as lowered) against the passes and the plan, with
//! each of their switches on and off, against the CPU, and against CUDA, emulated or real. Whether a lost check is noticed
//! (`checks`) is asked with the same inputs.

use crate::checks;
use crate::entries::{self, Loaded};
use crate::kept::{self, Kept, is_narrow, wide};
use crate::levels::Levels;
use crate::programs::{self, DRIVERS};
use crate::questions::{Outcome, Question, agree, outcome, questions};
use crate::report::Report;
use crate::workers;
use accelerate::Device;
use accelerate_compiler::Tiling;
use accelerate_compiler::codegen::cuda::Entry;
use accelerate_compiler::ir::eval;
use accelerate_compiler::plan::interpret;
use accelerate_compiler::{Compiled, Options};
use emulator::Emulator;
use harness::corpus::{self, Driver};
use harness::value::Column;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Questions for the variants with a switch turned off.
const FEW: usize = 12;
/// Runs of a question by kernels without the runtime, each of another scheduler seed.
const RUNS: u64 = 2;
/// Questions of more elements, or more values to compute, are not for the variants, nor for kernels without the runtime.
const MOST_ELEMENTS: u64 = 5000;
const MOST_COMPUTED: u64 = 100_000;
/// Statements that a plan may run for a question: those of some (see `work`) repeat what they compute, and would take hours.
const STATEMENTS: u64 = 30_000_000;
/// How many blocks of the emulated device are interleaved: in one run after the other, another number.
const RESIDENCY: [u32; 5] = [8, 1, 64, 2, 16];

const EVAL: &str = "eval";
const CPU: &str = "CPU";
const LEVELS: &str = "CPU levels";
const KERNELS: &str = "emulated kernels";
const EMULATED: &str = "emulated CUDA";
pub(crate) const GPU: &str = "real GPU";

/// Where the generated code runs.
enum Place<'a> {
    Cpu,
    Emulated(&'a Emulator),
    Gpu,
}

/// What the tiers run on.
#[derive(Default)]
struct Devices {
    cpu: Option<Device>,
    /// Its instruction sets, and numbers of threads.
    levels: Option<Levels>,
    /// The emulated device, for kernels without the runtime.
    kernels: Option<&'static Emulator>,
    emulated: Option<(Device, &'static Emulator)>,
    gpu: Option<Device>,
    /// Tiers that were asked for and cannot run, and why.
    missing: Vec<(&'static str, String)>,
}

/// Runs all tiers that were asked for.
pub(crate) fn run(report: &mut Report) {
    let drivers: Vec<&Driver> = DRIVERS
        .iter()
        .filter(|driver| report.selects(driver.program))
        .collect();
    let tiers = [EVAL, CPU, LEVELS, KERNELS, EMULATED, checks::TIER];
    let real = report.wants(GPU) && report.is_for_one_program();
    if !real && !tiers.iter().any(|tier| report.wants(tier)) {
        return;
    }
    let devices = open(report);
    let Devices {
        cpu,
        levels,
        kernels,
        emulated,
        gpu,
        missing,
    } = &devices;
    let first = if report.wants(EVAL) {
        EVAL
    } else if cpu.is_some() {
        CPU
    } else if levels.is_some() {
        LEVELS
    } else if kernels.is_some() {
        KERNELS
    } else if emulated.is_some() {
        EMULATED
    } else if report.wants(checks::TIER) {
        checks::TIER
    } else {
        GPU
    };
    let nothing = first == GPU && gpu.is_none();
    for driver in &drivers {
        if !workers::claims(report.claims(), driver.program, driver.function) {
            continue;
        }
        for (tier, reason) in missing {
            report.skip(tier, 1, reason);
        }
        if nothing {
            continue;
        }
        let prepared = corpus::compile(driver, &Options::default());
        let prepared = prepared.and_then(|compiled| {
            let questions = catch_unwind(AssertUnwindSafe(|| questions(driver, &compiled)));
            questions
                .map(|questions| (compiled, questions))
                .map_err(|_| "the oracle panics".to_owned())
        });
        let (compiled, questions) = match prepared {
            Ok(prepared) => prepared,
            Err(problem) => {
                report.case(first, driver.program, || Err(problem));
                continue;
            }
        };
        let mut others = Vec::new();
        if report.wants(EVAL) {
            let mut given_up = 0;
            report.case(EVAL, driver.program, || {
                others = variants(driver, &compiled)?;
                lawful(driver, &questions)?;
                given_up = meaning(&compiled, &others, &questions)?;
                Ok(())
            });
            report.count(EVAL, "variants", others.len());
            report.count(EVAL, "questions given up", given_up);
        }
        if report.wants(checks::TIER) {
            checks::run(report, driver, &compiled, &questions);
        }
        if let Some(device) = cpu {
            report.case(CPU, driver.program, || {
                compare(driver, &questions, device, &Place::Cpu)
            });
        }
        if let Some(levels) = levels {
            report.case(LEVELS, driver.program, || {
                levels.compare(driver, &questions)
            });
        }
        if let Some(emulator) = kernels {
            let mut counts = Counts::default();
            report.case(KERNELS, driver.program, || {
                if others.is_empty() {
                    others = variants(driver, &compiled)?;
                }
                on_device(&compiled, &others, &questions, emulator, &mut counts)
            });
            report.count(KERNELS, "variants", counts.variants);
            report.count(KERNELS, "variants of the same kernels", counts.same);
            report.count(KERNELS, "variants left out", counts.left_out);
            report.count(KERNELS, "kernels of variants", counts.kernels);
            report.count(KERNELS, "runs", counts.runs);
        }
        if let Some((device, emulator)) = emulated {
            report.case(EMULATED, driver.program, || {
                compare(driver, &questions, device, &Place::Emulated(emulator))
            });
        }
        if let Some(device) = gpu {
            report.case(GPU, driver.program, || {
                compare(driver, &questions, device, &Place::Gpu)
            });
        }
    }
}

/// Opens what there is for the tiers that were asked for, and notes what is missing.
fn open(report: &Report) -> Devices {
    let mut devices = Devices::default();
    let [cpu, kernels, emulated] = [CPU, KERNELS, EMULATED].map(|tier| report.wants(tier));
    devices.cpu = cpu.then(Device::cpu);
    devices.levels = report.wants(LEVELS).then(Levels::open);
    if kernels || emulated {
        match emulator::load() {
            Ok(emulator) => {
                programs::artifacts()
                    .into_iter()
                    .for_each(emulator::add_sources);
                devices.kernels = kernels.then_some(emulator);
                if emulated && !programs::has_ptx() {
                    let reason = "no nvcc when the suite was built: `cargo xtask cuda` fetches it";
                    devices.missing.push((EMULATED, reason.to_owned()));
                } else if emulated {
                    match Device::cuda(0) {
                        Ok(device) => devices.emulated = Some((device, emulator)),
                        Err(error) => devices.missing.push((EMULATED, error.to_string())),
                    }
                }
            }
            Err(error) => {
                for (tier, wanted) in [(KERNELS, kernels), (EMULATED, emulated)] {
                    if wanted {
                        devices.missing.push((tier, format!("{error:#}")));
                    }
                }
            }
        }
    } else if report.wants(GPU) && report.is_for_one_program() {
        match Device::cuda(0) {
            Ok(device) => devices.gpu = Some(device),
            Err(error) => devices.missing.push((GPU, error.to_string())),
        }
    }
    devices
}

/// A program compiled otherwise.
struct Variant {
    name: String,
    compiled: Compiled,
}

/// Each switch off by itself, and other decisions than the best ones; without those that change nothing.
fn variants(driver: &Driver, compiled: &Compiled) -> Result<Vec<Variant>, String> {
    let mut variants: Vec<Variant> = Vec::new();
    let text = |compiled: &Compiled| format!("{}\n{}", compiled.program, compiled.plan);
    let mut seen = vec![text(compiled)];
    let mut add = |name: String, change: &dyn Fn(&mut Options)| {
        let mut options = Options {
            without_contracts: true,
            ..Options::default()
        };
        change(&mut options);
        let compiled =
            corpus::compile(driver, &options).map_err(|problem| format!("{name}: {problem}"))?;
        let text = text(&compiled);
        if !seen.contains(&text) {
            seen.push(text);
            variants.push(Variant { name, compiled });
        }
        Ok::<(), String>(())
    };
    for name in Options::switches() {
        add(format!("without {name}"), &|options| {
            options.switch_off(name).expect("a switch");
        })?;
    }
    add("small tiles".to_owned(), &|options| {
        options.tiles = Tiling::Small
    })?;
    for seed in 0..3 {
        add(format!("decisions of seed {seed}"), &|options| {
            options.seed = Some(seed)
        })?;
    }
    Ok(variants)
}

/// Of a law, every answer is true.
fn lawful(driver: &Driver, questions: &[Question]) -> Result<(), String> {
    if !corpus::header(driver.program).law {
        return Ok(());
    }
    let truth = |column: &Column| column.values.iter().all(|value| value.bits == 1);
    let broken = questions.iter().find_map(|question| {
        let answer = match &question.answer {
            Ok(columns) => format!(
                "result {}",
                columns.iter().position(|column| !truth(column))?
            ),
            Err(error) => error.clone(),
        };
        Some(format!(
            "{}: the law does not hold: {answer}",
            question.title
        ))
    });
    broken.map_or(Ok(()), Err)
}

/// The passes and the plan mean what the program means, with every switch. How many questions take too long.
fn meaning(
    compiled: &Compiled,
    others: &[Variant],
    questions: &[Question],
) -> Result<usize, String> {
    let simplified = |of: &Compiled, asked: &Question| {
        Some(eval::eval(&of.program, &asked.scalars, &asked.arrays))
    };
    let planned = |of: &Compiled, asked: &Question| {
        interpret::run_within(&of.plan, &asked.scalars, &asked.arrays, STATEMENTS)
    };
    asked(compiled, questions, "all passes, simplified", simplified)?;
    let mut given_up = asked(compiled, questions, "all passes, plan", planned)?;
    // Most switches change the plan only.
    let mut seen = vec![compiled.program.to_string()];
    for Variant { name, compiled } in others {
        let small = || questions.iter().filter(is_small).take(FEW);
        let program = compiled.program.to_string();
        if !seen.contains(&program) {
            asked(
                compiled,
                small(),
                &format!("{name}, simplified"),
                simplified,
            )?;
            seen.push(program);
        }
        given_up += asked(compiled, small(), &format!("{name}, plan"), planned)?;
    }
    Ok(given_up)
}

fn is_small(question: &&Question) -> bool {
    question.elements < MOST_ELEMENTS && question.computed < MOST_COMPUTED
}

/// What `run` makes of the questions. How many it gives up.
fn asked<'a>(
    compiled: &Compiled,
    questions: impl IntoIterator<Item = &'a Question>,
    who: &str,
    run: impl Fn(&Compiled, &Question) -> Option<Result<Vec<eval::Output>, eval::Failed>>,
) -> Result<usize, String> {
    let mut given_up = 0;
    for question in questions {
        match run(compiled, question) {
            Some(result) => agree(&outcome(compiled, result), question, who)?,
            None => given_up += 1,
        }
    }
    Ok(given_up)
}

/// What the kernels' tier counts.
#[derive(Default)]
struct Counts {
    variants: usize,
    same: usize,
    left_out: usize,
    kernels: usize,
    runs: usize,
}

/// The CUDA C, every entry of it, with every switch. What runs on which grid is drawn; with the same draw the bits do
/// not depend on the order in which threads run.
fn on_device(
    compiled: &Compiled,
    others: &[Variant],
    questions: &[Question],
    emulator: &Emulator,
    counts: &mut Counts,
) -> Result<(), String> {
    let mut run = |loaded: &Loaded, question: &Question, draw: u64, seed: u64, who: &str| {
        emulator.seed(seed);
        emulator.residency(residency(seed));
        counts.runs += 1;
        let result = loaded
            .run(&question.scalars, &question.arrays, draw)
            .map_err(|text| format!("{who}, {}: {text}", question.title))?;
        let found = outcome(loaded.compiled, result);
        agree(
            &found,
            question,
            &format!("{who}, draw {draw}, seed {seed}"),
        )?;
        Ok::<Outcome, String>(found)
    };
    let small = |(_, question): &(usize, &Question)| is_small(question);
    let suited =
        |compiled, questions: &[&Question], kept| match wide(compiled, questions.iter().copied()) {
            true => Kept::All,
            false => kept,
        };
    let all: Vec<&Question> = questions.iter().filter(is_small).collect();
    // Of entries of wide indices some are met below.
    let loaded = Loaded::new(emulator, compiled, suited(compiled, &all, Kept::Narrow))?;
    // Those of many threads are asked through the runtime.
    for (number, question) in questions.iter().enumerate().filter(small) {
        let draw = number as u64;
        let mut first = None;
        for seed in RUNS * draw..RUNS * (draw + 1) {
            let found = run(&loaded, question, draw, seed, "all passes")?;
            let expected = first.get_or_insert_with(|| found.clone());
            if question.repeats && *expected != found {
                return Err(format!(
                    "{}: other bits with scheduler seed {seed}, draw {draw}",
                    question.title
                ));
            }
        }
    }
    let few: Vec<(usize, &Question)> = questions
        .iter()
        .enumerate()
        .filter(small)
        .take(FEW)
        .collect();
    let asked: Vec<&Question> = few.iter().map(|(_, question)| *question).collect();
    let mut ask = |compiled: &Compiled, entries: Vec<Vec<&Entry>>, name: &str| {
        let loaded = Loaded::only(emulator, compiled, entries)?;
        for &(number, question) in &few {
            let _ = run(&loaded, question, number as u64, number as u64, name)?;
        }
        Ok::<(), String>(())
    };
    let drawn = |compiled: &Compiled, name: &str| {
        Kept::Drawn(entries::digest(&format!("{} {name}", compiled.name)))
    };
    let name = "all passes";
    let mut entries = drawn(compiled, name).entries(compiled);
    entries
        .iter_mut()
        .for_each(|entries| entries.retain(|entry| !is_narrow(entry)));
    if entries.iter().any(|entries| !entries.is_empty()) {
        ask(compiled, entries, name)?;
    }
    // A kernel does in another plan what it does in this one: it is met once.
    let mut met: BTreeSet<u64> = kept::digests(compiled).into_iter().collect();
    for Variant { name, compiled } in others {
        // Every fourth one: each switch is met by a quarter of the programs, and by all where plans are interpreted.
        let pair = entries::digest(&format!("{name} of {}", compiled.name));
        if !pair.is_multiple_of(4) {
            counts.left_out += 1;
            continue;
        }
        let digests = kept::digests(compiled).into_iter();
        let new: Vec<bool> = digests.map(|digest| met.insert(digest)).collect();
        if !new.contains(&true) {
            counts.same += 1;
            continue;
        }
        counts.variants += 1;
        counts.kernels += new.iter().filter(|new| **new).count();
        let mut entries = suited(compiled, &asked, drawn(compiled, name)).entries(compiled);
        let known = entries.iter_mut().zip(new).filter(|(_, new)| !new);
        known.for_each(|(entries, _)| entries.clear());
        ask(compiled, entries, name)?;
    }
    Ok(())
}

fn residency(run: u64) -> u32 {
    RESIDENCY[(run % RESIDENCY.len() as u64) as usize]
}

/// The generated code on a device. The order in which its threads run changes no bit.
fn compare(
    driver: &Driver,
    questions: &[Question],
    device: &Device,
    place: &Place,
) -> Result<(), String> {
    for (number, question) in questions.iter().enumerate() {
        let runs = match place {
            Place::Emulated(_) | Place::Gpu => 2,
            Place::Cpu => 1,
        };
        let mut first: Option<Outcome> = None;
        for run in 0..runs {
            if let Place::Emulated(emulator) = place {
                emulator.seed(run * 1000 + number as u64);
                emulator.residency(residency(number as u64 + run));
                emulator.end_of_page(run == 1);
            }
            let found = (driver.call)(device, &mut question.arguments.clone())
                .map_err(|error| error.to_string());
            agree(&found, question, &format!("run {run}"))?;
            if let Place::Emulated(emulator) = place {
                let report = emulator.report();
                if !report.is_empty() {
                    emulator.recover();
                    return Err(format!("{}: {report}", question.title));
                }
            }
            let repeats = question.repeats || matches!(place, Place::Cpu);
            if *first.get_or_insert_with(|| found.clone()) != found && repeats {
                return Err(format!("{}: other bits in run {run}", question.title));
            }
        }
    }
    Ok(())
}
