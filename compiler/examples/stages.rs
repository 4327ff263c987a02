//! Prints the stages of each function of a file, without the passes and the parts of the planner that are named (see
//! `Options::switches`); with decisions by chance, if `seed=NUMBER` is among them; as a file of the crate whose root is there, if
//! `root=FILE` is:
//! `cargo run -p accelerate-rs-compiler --example stages -- FILE [lowered|passes|ir|plan|cuda|entries|readable|rust|expansion] [NAME ..]`.

use accelerate_compiler::ir::Program;
use accelerate_compiler::package::{Crate, Package};
use accelerate_compiler::pass::Fired;
use accelerate_compiler::{Built, Observer, Options, Sources, compile_observed};
use std::io::Write;
use std::process::{Command, Stdio};

/// Prints what a function is after each pass that has changed it.
struct Passes {
    wanted: bool,
    last: String,
}

impl Observer for Passes {
    fn begin(&mut self, _function: Option<&str>, _stage: &'static str) {}

    fn after(&mut self, function: &str, pass: &'static str, program: &Program, _fired: &Fired) {
        if self.wanted {
            let text = program.to_string();
            if text != self.last {
                println!("after `{pass}`, {function}:\n{text}");
            }
            self.last = text;
        }
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().expect("a file");
    let stage = arguments.next().unwrap_or_default();
    let mut options = Options {
        without_contracts: true,
        ..Options::default()
    };
    let mut root = path.clone();
    for name in arguments {
        match name.split_once('=') {
            Some(("seed", seed)) => options.seed = Some(seed.parse().expect("a number")),
            Some(("root", file)) => root = file.to_owned(),
            _ => options.switch_off(&name).expect("a switch"),
        }
    }
    let text = std::fs::read_to_string(&path).expect("a readable file");
    let file = syn::parse_file(&text).expect("Rust");
    for item in file.items {
        let syn::Item::Macro(item) = item else {
            continue;
        };
        let mut passes = Passes {
            wanted: stage == "passes",
            last: String::new(),
        };
        // Of the package where this is run.
        let reader = Package::new("").reader(Crate::Root(root.clone().into()));
        options.sources = Sources::read(&item.mac.tokens, &reader);
        let mut unit = compile_observed(item.mac.tokens, &options, &mut passes);
        for error in &unit.errors {
            let start = error.span.start();
            println!(
                "{path}:{}:{}: {}\n  help: {:?}",
                start.line,
                start.column + 1,
                error.message,
                error.help
            );
        }
        if stage == "expansion" {
            println!("{}", formatted(&unit.expand(|_| false).to_string()));
        }
        for mut compiled in std::mem::take(&mut unit.functions) {
            match &*stage {
                "lowered" => println!("{}", compiled.lowered),
                "ir" => println!("{}", compiled.program),
                "plan" => println!("{}", compiled.plan),
                "cuda" => println!("{}", compiled.cuda.source),
                "entries" => println!("{}", compiled.cuda.entries()),
                "readable" => println!("{}", compiled.cuda.readable(&path, &compiled.spans)),
                "rust" => {
                    // Rust has it once more, as a string.
                    compiled.cuda.source.clear();
                    let tokens = unit.expand_function(&compiled, Built::Nothing);
                    println!("{}", formatted(&tokens.to_string()));
                }
                _ => {}
            }
        }
    }
}

/// As rustfmt writes it, or as it is where there is none.
fn formatted(text: &str) -> String {
    let format = || {
        let mut rustfmt = Command::new("rustfmt");
        rustfmt.args(["--edition", "2024"]);
        rustfmt.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = rustfmt.spawn().ok()?;
        child.stdin.take()?.write_all(text.as_bytes()).ok()?;
        let output = child.wait_with_output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then_some(text)
    };
    format().unwrap_or_else(|| text.to_owned())
}
