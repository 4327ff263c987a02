//! The corpus through the passes: the same results and failures as before, nothing left to do, quickly.

#[path = "../../tests/listing.rs"]
mod listing;

use accelerate_compiler::ir::eval::{Array, Output, eval};
use accelerate_compiler::ir::{Parameter, Program};
use accelerate_compiler::package::{Crate, Package};
use accelerate_compiler::pass;
use accelerate_compiler::plan::interpret;
use accelerate_compiler::scalar::{Leaf, Scalar};
use accelerate_compiler::{Options, Sources, check, diag::Errors, fuse, lower, syntax, typed};
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

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

/// xorshift
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn scalar(&mut self, leaf: Leaf) -> Scalar {
        match leaf {
            Leaf::Bool => Scalar::bool(self.next() % 2 == 1),
            Leaf::F32 => Scalar::f32((self.next() % 64) as f32 / 8.0 - 2.0),
            Leaf::F64 => Scalar::f64((self.next() % 64) as f64 / 8.0 - 2.0),
            // Not zero: loops such as those of Collatz need not end then.
            _ => Scalar::number(leaf, (self.next() % 6) as i64 + 1),
        }
    }
}

fn arguments(program: &Program, extent: u64, random: &mut Random) -> (Vec<Scalar>, Vec<Array>) {
    let (mut scalars, mut arrays) = (Vec::new(), Vec::new());
    for parameter in &program.parameters {
        match parameter {
            Parameter::Scalars { leaves, .. } => {
                scalars.extend(leaves.iter().map(|(_, leaf)| random.scalar(*leaf)));
            }
            Parameter::Array { leaves, rank, .. } => {
                let count = extent.pow(*rank);
                arrays.push(Array {
                    extents: vec![extent; *rank as usize],
                    leaves: leaves
                        .iter()
                        .map(|(_, leaf)| (0..count).map(|_| random.scalar(*leaf)).collect())
                        .collect(),
                });
            }
        }
    }
    (scalars, arrays)
}

fn same(a: &[Output], b: &[Output]) -> bool {
    let leaf =
        |a: &[Scalar], b: &[Scalar]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(*b));
    a.len() == b.len()
        && a.iter().zip(b).all(|pair| match pair {
            (Output::Scalar(a), Output::Scalar(b)) => leaf(a, b),
            (
                Output::Array {
                    extents: m,
                    leaves: a,
                },
                Output::Array {
                    extents: n,
                    leaves: b,
                },
            ) => m == n && a.iter().zip(b).all(|(a, b)| leaf(a, b)),
            _ => false,
        })
}

/// Programs whose loops end on arguments such as their headers tell, and not on all that are drawn here.
const ENDLESS: [&str; 3] = [
    "conjugate_gradients",
    "conjugate_gradients_sparse",
    "descent",
];

/// Ends the process where a program does not end: a loop on drawn arguments would run for as long as CI lets it.
struct Watch {
    names: Sender<String>,
}

impl Watch {
    fn begin() -> Watch {
        let (names, begun) = channel();
        std::thread::spawn(move || {
            let mut name = String::new();
            loop {
                match begun.recv_timeout(Duration::from_secs(60)) {
                    Ok(next) => name = next,
                    Err(RecvTimeoutError::Disconnected) => return,
                    Err(RecvTimeoutError::Timeout) => {
                        eprintln!("{name} does not end on the arguments drawn: see `ENDLESS`");
                        std::process::exit(1);
                    }
                }
            }
        });
        Watch { names }
    }

    /// The program that runs now.
    fn program(&self, name: &str) {
        self.names.send(name.to_owned()).expect("the watch");
    }
}

#[test]
fn the_corpus_keeps_its_meaning() {
    let mut settings = vec![Options::default()];
    for name in Options::switches() {
        let mut options = Options::default();
        options.switch_off(name).expect("a switch");
        settings.push(options);
    }
    let programs = corpus();
    assert!(programs.len() >= 60, "{} programs", programs.len());
    let ends = |name: &str| !ENDLESS.contains(&name);
    let watch = Watch::begin();
    for (name, program) in programs.iter().filter(|(name, _)| ends(name)) {
        watch.program(name);
        // Of its own, so that a new program changes the arguments of no other.
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        for (k, options) in settings.iter().enumerate() {
            let start = std::time::Instant::now();
            let after = pass::run(program.clone(), options);
            let taken = start.elapsed();
            assert!(taken.as_secs() < 5, "{name}: {taken:?}");
            let plan = fuse::fuse(&after, options);
            if k == 0 {
                let again = pass::run(after.clone(), options);
                let texts = [&again, &after].map(Program::canonical_text);
                assert_eq!(texts[0], texts[1], "{name}:\n{after}\n{again}");
            }
            for extent in [0, 1, 2, 5] {
                let (scalars, arrays) = arguments(program, extent, &mut random);
                let before = eval(program, &scalars, &arrays);
                let results = [
                    eval(&after, &scalars, &arrays),
                    interpret::run(&plan, &scalars, &arrays),
                ];
                for result in results {
                    let good = match (&before, &result) {
                        (Ok(a), Ok(b)) => same(a, b),
                        // What nobody needs fails no more; then something later may be the first to fail.
                        (Err(_), Ok(_)) => true,
                        (Err(a), Err(b)) => a <= b,
                        (Ok(_), Err(_)) => false,
                    };
                    assert!(
                        good,
                        "{name} at {extent} without {:?}\n{before:?}\n{result:?}\n{program}\n{after}\n{plan}",
                        options
                    );
                }
            }
        }
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
