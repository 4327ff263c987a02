//! Programs as users get them: the expansions of many, compiled together by rustc against the runtime that the suite was
//! built with, and run on the CPU and, through the runtime, on the emulated device.

use super::Ready;
use super::wire;
use crate::kept::{Kept, wide};
use crate::questions::{Outcome, agree};
use accelerate_compiler::{Options, compile};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

/// As build scripts write what the macro embeds.
#[path = "../../../build-support/src/container.rs"]
#[expect(dead_code, reason = "no cubins are written here")]
mod container;

/// How long the questions of a batch may take.
const PATIENCE: Duration = Duration::from_secs(300);
/// What of rustc's errors is told.
const LINES: usize = 40;

/// What went wrong with which program; without one, with all.
pub(super) type Problem = (Option<usize>, String);

/// Compiles programs and asks them their questions.
pub(super) fn run(programs: &[Ready], name: &str) -> Vec<Problem> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let problems = compiled(programs, &folder).and_then(|program| {
        let mut problems = asked(&program, programs, false)?;
        if emulator::load().is_ok() {
            problems.extend(asked(&program, programs, true)?);
        }
        Ok(problems)
    });
    let _ = fs::remove_dir_all(&folder);
    problems.unwrap_or_else(|problem| vec![problem])
}

fn general(error: impl ToString) -> Problem {
    (None, error.to_string())
}

/// The newest library of a crate beside the suite: what it was linked with. Of several it is the one that `user`, another
/// library, has been built with, and so names.
fn library(folder: &Path, name: &str, user: Option<&Path>) -> Result<PathBuf, Problem> {
    let user = match user {
        Some(user) => fs::read(user).map_err(general)?,
        None => Vec::new(),
    };
    let needed = |path: &PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let hash = name.rsplit('-').next().unwrap_or_default().as_bytes();
        user.is_empty() || user.windows(hash.len()).any(|part| part == hash)
    };
    let begin = format!("lib{name}-");
    let entries = fs::read_dir(folder).map_err(general)?.flatten();
    let mut found: Vec<_> = entries
        .map(|entry| entry.path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "rlib")
        })
        .filter(|path| {
            path.file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with(&begin))
        })
        .filter(needed)
        .filter_map(|path| Some((fs::metadata(&path).ok()?.modified().ok()?, path)))
        .collect();
    found.sort();
    let (_, path) = found
        .pop()
        .ok_or_else(|| general(format!("no library of `{name}`")))?;
    Ok(path)
}

/// Writes the crate and compiles it.
fn compiled(programs: &[Ready], folder: &Path) -> Result<PathBuf, Problem> {
    let artifacts = folder.join("accelerate");
    fs::create_dir_all(&artifacts).map_err(general)?;
    let suite = Path::new(env!("CARGO_MANIFEST_DIR"));
    let value = suite.join("../src/value.rs");
    let mut main = format!(
        "#[path = {value:?}]\nmod value;\n#[path = {:?}]\nmod wire;\n{}",
        suite.join("fuzz/wire.rs"),
        include_str!("served.rs").replace("//!", "//"),
    );
    let mut calls = String::new();
    for (k, program) in programs.iter().enumerate() {
        let tokens = program
            .fuzzed
            .block
            .parse()
            .expect("the grammar writes tokens");
        let unit = compile(tokens, &Options::default());
        for compiled in &unit.functions {
            let Some(artifact) = &compiled.artifact else {
                continue;
            };
            // The emulated device runs the CUDA C itself.
            let source = artifacts.join(artifact).with_extension("cu");
            let kept = match wide(compiled, &program.questions) {
                true => Kept::All,
                false => Kept::Narrow,
            };
            let text = kept.text(compiled, &compiled.cuda.source);
            fs::write(&source, text).map_err(general)?;
            let ptx = format!(
                "// accelerate-module: {}\n// accelerate-source: {}\n// accelerate-flags: -O0\n.target sm_80\n",
                compiled.hash,
                source.display()
            );
            let image = container::Image {
                architecture: "80".to_owned(),
                content: container::Content::Ptx(ptx),
            };
            let file = container::write(&compiled.hash, &[image]);
            fs::write(artifacts.join(artifact), file).map_err(general)?;
        }
        let expansion = unit.expand(|_| true).to_string();
        fs::write(folder.join(format!("p{k}.rs")), expansion).map_err(general)?;
        main += &format!("mod p{k};\n{}", program.fuzzed.driver(k));
        calls += &format!("call_{k}, ");
    }
    main += &format!("const CALLS: &[Call] = &[{calls}];\n");
    let path = folder.join("main.rs");
    fs::write(&path, main).map_err(general)?;
    let own = std::env::current_exe().map_err(general)?;
    let libraries = own
        .parent()
        .ok_or_else(|| general("the suite is nowhere"))?;
    let program = folder.join("batch");
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.args([
        "--edition",
        "2024",
        "--crate-name",
        "batch",
        "--cap-lints",
        "allow",
    ]);
    // The versions for all instruction sets, as in the corpus; optimising them would take five times as long.
    rustc.args([
        "-C",
        "opt-level=0",
        "-C",
        "debug-assertions=off",
        "-C",
        "debuginfo=0",
    ]);
    rustc
        .arg(&path)
        .arg("-o")
        .arg(&program)
        .arg("-L")
        .arg(libraries);
    // Its thread pools would be others than those of another `rayon`.
    let runtime = library(libraries, "accelerate", None)?;
    let rayon = library(libraries, "rayon", Some(&runtime))?;
    let compiler = library(libraries, "accelerate_compiler", None)?;
    for (name, library) in [
        ("accelerate", runtime),
        ("accelerate_compiler", compiler),
        ("rayon", rayon),
    ] {
        rustc
            .arg("--extern")
            .arg(format!("{name}={}", library.display()));
    }
    rustc.env("OUT_DIR", folder);
    let output = rustc.output().map_err(general)?;
    if output.status.success() {
        return Ok(program);
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let named = (0..programs.len()).find(|k| text.contains(&format!("/p{k}.rs:")));
    let lines: Vec<&str> = text.lines().take(LINES).collect();
    let short = |line: &&str| line.chars().take(300).collect::<String>();
    let lines: Vec<String> = lines.iter().map(short).collect();
    Err((named, format!("rustc: {}", lines.join("\n"))))
}

/// Runs a batch on all its questions.
fn asked(program: &Path, programs: &[Ready], gpu: bool) -> Result<Vec<Problem>, Problem> {
    let each = || {
        (programs.iter().enumerate())
            .flat_map(|(k, ready)| ready.questions.iter().map(move |q| (k, q)))
    };
    let text: String = each()
        .map(|(k, question)| wire::question(k, &question.arguments))
        .collect();
    let [input, output, errors] = ["in", "out", "err"].map(|kind| program.with_extension(kind));
    fs::write(&input, text).map_err(general)?;
    let mut command = Command::new(program);
    command.stdin(File::open(&input).map_err(general)?);
    command.stdout(File::create(&output).map_err(general)?);
    command.stderr(File::create(&errors).map_err(general)?);
    if gpu {
        let library = emulator::library().map_err(general)?;
        command
            .env(
                "ACCELERATE_EMULATOR_CACHE",
                program.with_extension("kernels"),
            )
            .arg("cuda")
            .env("LD_LIBRARY_PATH", library.parent().unwrap_or(library));
    }
    let mut child = command.spawn().map_err(general)?;
    let ended = match finished(&mut child, PATIENCE).map_err(general)? {
        Some(status) => status.to_string(),
        None => "no end".to_owned(),
    };
    let text = fs::read_to_string(&output).map_err(general)?;
    let mut lines = text.lines().peekable();
    let mut problems: Vec<Problem> = Vec::new();
    for (k, question) in each() {
        let mut found = Ok(());
        let mut first: Option<(String, Outcome)> = None;
        let mut answers = 0;
        while lines.peek().is_some_and(|line| *line != "next") {
            let Some((who, outcome)) = wire::next_answer(&mut lines) else {
                break;
            };
            answers += 1;
            if found.is_ok() {
                found = agree(&outcome, question, &who);
                let level = |who: &str| who.split(',').next().map(str::to_owned);
                match &first {
                    Some((before, same))
                        if level(before) == level(&who) && *same != outcome && found.is_ok() =>
                    {
                        found = Err(format!(
                            "{}: {who} gives other bits than {before}",
                            question.title
                        ));
                    }
                    _ => first = Some((who, outcome)),
                }
            }
            if gpu {
                break;
            }
        }
        if !gpu {
            let _ = lines.next();
        }
        if answers == 0 {
            let told = fs::read_to_string(&errors).unwrap_or_default();
            let told = told.lines().rev().take(LINES).collect::<Vec<_>>();
            let told = told.into_iter().rev().collect::<Vec<_>>().join("\n");
            found = Err(format!("{}, GPU {gpu}: {ended}\n{told}", question.title));
        }
        if let Err(problem) = found
            && !problems.iter().any(|(other, _)| *other == Some(k))
        {
            problems.push((Some(k), problem));
        }
        if answers == 0 {
            break;
        }
    }
    Ok(problems)
}

/// How a process ended; it is killed after a while.
pub(super) fn finished(child: &mut Child, patience: Duration) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    while start.elapsed() < patience {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        thread::sleep(Duration::from_millis(20));
    }
    child.kill()?;
    child.wait()?;
    Ok(None)
}
