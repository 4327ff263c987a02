//! The text of every stage of every program, reviewed by eye: `cargo insta review`.

use crate::programs::DRIVERS;
use crate::report::Report;
use accelerate_compiler::{Built, Compiled, Options};
use harness::corpus::{self, Driver};

/// Compares all stages with their snapshots.
pub(crate) fn run(report: &mut Report) {
    if !report.wants("snapshots") {
        return;
    }
    for driver in DRIVERS.iter() {
        if report.selects(driver.program) {
            report.case("snapshots", driver.program, || check(driver));
        }
    }
}

fn check(driver: &Driver) -> Result<(), String> {
    let mut unit =
        accelerate_compiler::compile(corpus::tokens(driver.program), &Options::default());
    if let Some(error) = unit.errors.first() {
        return Err(error.message.clone());
    }
    let named = |function: &Compiled| function.name == driver.function;
    let position = unit.functions.iter().position(named);
    let mut compiled = unit
        .functions
        .swap_remove(position.ok_or("no such function")?);
    let cuda = format!("{}\n{}", compiled.cuda.entries(), compiled.cuda.own());
    // Rust has it once more, as a string.
    compiled.cuda.source.clear();
    let rust = corpus::formatted(unit.expand_function(&compiled, Built::Nothing));
    let stages = [
        ("checked", compiled.lowered.to_string()),
        ("simplified", compiled.program.to_string()),
        ("plan", compiled.plan.to_string()),
        ("cuda", cuda),
        (
            "rust",
            without_places(&rust).replace(&compiled.hash, "hash"),
        ),
    ];
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/../snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for (stage, text) in stages {
            insta::assert_snapshot!(format!("{}.{stage}", driver.program), text);
        }
    });
    Ok(())
}

/// The text without the numbers of places: they depend on what else the suite has parsed, and move with every comment.
fn without_places(text: &str) -> String {
    let numbers = ["file: \"", "line: ", "column: "];
    let kept = text.lines().filter(|line| {
        let line = line.trim_start();
        !numbers.iter().any(|number| line.starts_with(number))
    });
    kept.collect::<Vec<_>>().join("\n")
}
