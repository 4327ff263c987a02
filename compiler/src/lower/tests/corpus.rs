//! Every program of the corpus becomes a `Program`.

use crate::diag::Errors;
use crate::listing;
use crate::lower::lower;
use crate::package::of_corpus;
use crate::typed::Host;
use std::fs;
use std::path::Path;

#[test]
fn the_corpus_lowers() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/programs");
    let mut failures = Vec::new();
    let mut count = 0;
    for (name, path) in listing::programs(&folder) {
        if std::env::var("ACCELERATE_PROGRAM").is_ok_and(|only| only != name) {
            continue;
        }
        let file = syn::parse_file(&fs::read_to_string(&path).expect("text")).expect("Rust");
        for item in file.items {
            let syn::Item::Macro(item) = item else {
                continue;
            };
            count += 1;
            let mut errors = Errors::default();
            let tokens = item.mac.tokens;
            let modules = of_corpus(&tokens).modules;
            let parsed = crate::syntax::parse(tokens, &modules, &mut errors);
            let block = crate::check::check(&parsed, &mut errors);
            failures.extend(
                errors
                    .into_vec()
                    .into_iter()
                    .map(|error| format!("{name}: check: {}", error.message)),
            );
            for (k, function) in block.functions.iter().enumerate() {
                if matches!(function.host, Host::Helper) {
                    continue;
                }
                match lower(&block, k) {
                    Ok((program, _)) => println!("// {name}\n{program}"),
                    Err(errors) => failures.extend(
                        errors
                            .into_iter()
                            .map(|error| format!("{name}: lower: {}", error.message)),
                    ),
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(count > 0);
}
