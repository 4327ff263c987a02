//! The corpus through the passes: nothing left to do, quickly; and what fails afterwards.

#[path = "../../tests/listing.rs"]
mod listing;

use accelerate_compiler::ir::Program;
use accelerate_compiler::ir::eval::{Array, eval};
use accelerate_compiler::package::{Crate, Package};
use accelerate_compiler::pass;
use accelerate_compiler::plan::interpret;
use accelerate_compiler::scalar::{Leaf, Scalar};
use accelerate_compiler::{Options, Sources, check, diag::Errors, fuse, lower, syntax, typed};
use std::path::Path;

/// Every public function of the corpus, as lowered, with the file's name.
fn corpus() -> Vec<(String, Program)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/programs");
    let mut programs = Vec::new();
    for (name, path) in listing::programs(folder.as_ref()) {
        let text = std::fs::read_to_string(&path).expect("text");
        let file = syn::parse_file(&text).expect("Rust");
        for item in file.items {
            let syn::Item::Macro(item) = item else {
                continue;
            };
            let mut errors = Errors::default();
            let lane = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/lane");
            let root = Crate::Root(lane.join("src/lib.rs"));
            let sources = Sources::read(&item.mac.tokens, &Package::new(lane).reader(root));
            let parsed = syntax::parse(item.mac.tokens, &sources.modules, &mut errors);
            let block = check::check(&parsed, &mut errors);
            for (k, function) in block.functions.iter().enumerate() {
                if matches!(function.host, typed::Host::Helper) {
                    continue;
                }
                if let Ok((mut program, _)) = lower::lower(&block, k) {
                    // To the bit: what it may change has bounds of its own.
                    program.fast_math = false;
                    programs.push((name.clone(), program));
                }
            }
        }
    }
    programs
}

/// What programs mean after the passes is asked of all of them by the tier `eval` of `tests/suite`.
#[test]
fn the_corpus_is_simplified_once() {
    let programs = corpus();
    assert!(programs.len() >= 60, "{} programs", programs.len());
    let options = Options::default();
    for (name, program) in programs {
        let start = std::time::Instant::now();
        let after = pass::run(program, &options);
        let taken = start.elapsed();
        assert!(taken.as_secs() < 5, "{name}: {taken:?}");
        let again = pass::run(after.clone(), &options);
        let texts = [&again, &after].map(Program::canonical_text);
        assert_eq!(texts[0], texts[1], "{name}:\n{after}\n{again}");
    }
}

/// Where segments are not those of the axis, nobody needs the elements of some: these fail no more. Of two elements that
/// fail the other one is told then, and never one that is before what strict evaluation tells.
#[test]
fn what_nobody_needs_fails_no_more() {
    let (_, program) = (corpus().into_iter())
        .find(|(name, _)| name == "smvm")
        .expect("the program");
    let number = |leaf| move |number: i64| Scalar::number(leaf, number);
    let vector = |leaves: Vec<Vec<Scalar>>| Array {
        extents: vec![leaves[0].len() as u64],
        leaves,
    };
    let arrays = [
        vector(vec![[1, 9].map(number(Leaf::U32)).to_vec()]),
        vector(vec![
            [7, 6].map(number(Leaf::U32)).to_vec(),
            [1.0, 2.0].map(Scalar::f32).to_vec(),
        ]),
        vector(vec![[1.0, 2.0, 3.0].map(Scalar::f32).to_vec()]),
    ];
    let after = pass::run(program.clone(), &Options::default());
    let strict = eval(&program, &[], &arrays).expect_err("both elements fail");
    let plan = fuse::fuse(&after, &Options::default());
    let failed = interpret::run(&plan, &[], &arrays).expect_err("the first one fails");
    assert_eq!([&strict.values, &failed.values], [&[6, 3], &[7, 3]]);
    assert_eq!(strict.site, failed.site);
}
