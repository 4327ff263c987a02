//! Prints the stages of each function of a file, without the passes and the parts of fusion (`vertical`, `horizontal`,
//! `hoist`, `flatten`, `divide`) that are named; with decisions by chance, if `seed=NUMBER` is among them:
//! `cargo run -p accelerate-rs-compiler --example stages -- FILE [ir|plan|cuda] [NAME ..]`.

use accelerate_compiler::{check, codegen, diag::Errors, fuse, lower, pass, syntax};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().expect("a file");
    let stage = arguments.next().unwrap_or_default();
    let mut options = pass::Options::default();
    options.disabled.extend(arguments);
    let on = |name: &str| !options.disabled.contains(name);
    let parts = fuse::Options {
        vertical: on("vertical"),
        horizontal: on("horizontal"),
        hoist: on("hoist"),
        flatten: on("flatten"),
        divide: on("divide"),
        seed: (options.disabled.iter())
            .find_map(|name| name.strip_prefix("seed="))
            .map(|seed| seed.parse().expect("a number")),
        ..fuse::Options::default()
    };
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
                    let plan = fuse::fuse(&program, &parts);
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
