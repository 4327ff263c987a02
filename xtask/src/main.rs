//! The commands of the README: `cargo xtask cuda | demo | examples | test | fuzz | bench | sass | changes | bundle`.

mod bench;
mod bundle;
mod changes;
mod command;
#[path = "../../tests/listing.rs"]
mod corpus;
mod cuda;
mod demo;
mod emulator;
mod examples;
mod fuzz;
mod sass;
mod test;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask cuda      fetches nvcc from Python wheels into .cuda/ unless one is found
cargo xtask demo      processes a photograph on the CPU and on an emulated GPU, and compares the pictures
cargo xtask examples  lists the programs of examples/ (--check runs and compares them, --check --full at full size,
                      --index writes their index, --filter NAME)
cargo xtask test      formatting, lints, every suite; says which tiers ran (options: --quick, --filter NAME)
cargo xtask fuzz      compares back ends on programs at random (options: --minutes NUMBER, --seed NUMBER)
cargo xtask bench     measures against rivals in one run, libraries of Python in an environment below target/ among them; a whole
                      run writes benches/results/cpu.md and a chart (options: --quick, --filter NAME, --rounds NUMBER; others are
                      passed on to the benches)
cargo xtask bench compile [corpus|FAMILY ..]  measures the compiler
cargo xtask bench build  builds each program of examples/ as a crate of its own and writes benches/results/build.md (--filter NAME)
cargo xtask sass      counts the instructions that kernels need for an element, without a GPU (options: part of a name;
                      --against cub counts those of NVIDIA's CUB, too, and fetches its headers into .cuda/)
cargo xtask changes   shows what the compiler makes of the corpus otherwise than before (options: --since COMMIT, part of a name)
cargo xtask bundle    makes what to copy to a machine with a GPU (options: --to FOLDER, --rehearse)";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_default();
    let rest: Vec<String> = arguments.collect();
    let done = match name.as_str() {
        "cuda" => cuda::run(),
        "demo" => demo::run(),
        "examples" => examples::run(&rest),
        "test" => test::run(&rest),
        "fuzz" => fuzz::run(&rest),
        "bench" => bench::run(&rest),
        "sass" => sass::run(&rest),
        "bundle" => bundle::run(&rest),
        "changes" => changes::run(&rest),
        _ => {
            eprintln!("{USAGE}");
            return if matches!(name.as_str(), "" | "--help" | "-h" | "help") {
                ExitCode::SUCCESS
            } else {
                ExitCode::FAILURE
            };
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
