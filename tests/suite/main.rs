//! The suite of the corpus: every reader, in tiers. A harness of its own, since it counts by tier and says what it skipped.
//!
//! Arguments: a part of a program's name; `--tier NAME` for one tier, or for all with this in their names (`--tier gpu` is
//! what a bundle runs). Several programs are shared by processes (`workers`). On a real GPU each has a process of its own
//! (`gpu`), of which `--jobs N` run at the same time, each for at most `--limit SECONDS`; after `--seconds N` none is begun.

mod checks;
mod compare;
mod differential;
mod entries;
mod fuzz;
mod gpu;
mod interval;
mod kept;
mod levels;
mod litmus;
mod look_back;
mod modules;
mod mutation;
mod nvcc;
mod profile;
mod programs;
mod questions;
mod races;
mod report;
mod snapshots;
mod sorting;
mod stages;
mod structure;
mod tidy;
mod traffic;
mod versions;
mod work;
mod workers;

use report::Report;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some(code) = races::watched(&arguments) {
        return code;
    }
    let mut report = Report::from_arguments(arguments.into_iter());
    if report.claims().is_some() {
        work(&mut report);
        return report.finish();
    }
    if report.is_for_one_program() {
        differential::run(&mut report);
        return report.finish();
    }
    tidy::run(&mut report);
    structure::run(&mut report);
    versions::run(&mut report);
    snapshots::run(&mut report);
    nvcc::run(&mut report);
    if report.is_much() {
        workers::run(&mut report);
    } else {
        work(&mut report);
    }
    gpu::run(&mut report);
    litmus::run(&mut report);
    report.finish()
}

/// What takes long: done by workers, each its share.
fn work(report: &mut Report) {
    work::run(report);
    differential::run(report);
    profile::run(report);
    look_back::run(report);
    races::run(report);
    mutation::run(report);
    fuzz::run(report);
}
