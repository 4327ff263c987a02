//! Prints the stages of each function of a file, without the passes and the parts of the planner that are named (see
//! `Options::switches`); with decisions by chance, if `seed=NUMBER` is among them:
//! `cargo run -p accelerate-rs-compiler --example stages -- FILE [ir|plan|cuda] [NAME ..]`.

use accelerate_compiler::{Options, check, codegen, diag::Errors, fuse, lower, pass, syntax};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().expect("a file");
    let stage = arguments.next().unwrap_or_default();
    let mut options = Options::default();
    for name in arguments {
        match name.strip_prefix("seed=") {
            Some(seed) => options.seed = Some(seed.parse().expect("a number")),
            None => options.switch_off(&name).expect("a switch"),
        }
    }
    let text = std::fs::read_to_string(&path).expect("a readable file");
    let file = syn::parse_file(&text).expect("Rust");
    for item in file.items {
        let syn::Item::Macro(item) = item else {
            continue;
        };
        let mut errors = Errors::default();
        let parsed = syntax::parse(item.mac.tokens, &mut errors);
        let block = check::check(&parsed, &mut errors);
        for error in errors.into_vec() {
            let start = error.span.start();
            println!(
                "{path}:{}:{}: {}\n  help: {:?}",
                start.line,
                start.column + 1,
                error.message,
                error.help
            );
        }
        for (k, function) in block.functions.iter().enumerate() {
            if matches!(function.host, accelerate_compiler::typed::Host::Helper) {
                continue;
            }
            match lower::lower(&block, k) {
                Ok(program) => {
                    let program = pass::run(program, &options);
                    if stage == "ir" {
                        println!("{program}");
                    }
                    let plan = fuse::fuse(&program, &options);
                    if stage == "plan" {
                        println!("{plan}");
                    }
                    let module = codegen::cuda::write(&plan);
                    if stage == "cuda" {
                        println!("{}", module.source);
                    }
                }
                Err(errors) => errors
                    .iter()
                    .for_each(|error| println!("{path}: lower: {}", error.message)),
            }
        }
    }
}
