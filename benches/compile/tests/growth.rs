//! The work of compiling grows with the length of a program, not faster.
//!
//! Work is counted, not timed: nodes and statements that are looked at, and bytes of text that are written. So it is the same on
//! every machine, whatever else runs there. The bench tells the time.

use compile_bench::{FAMILIES, Family, Work, steepest};

/// By how much the work may grow where the size doubles, each time: what is quadratic grows by 4.
const MOST: f64 = 2.3;

/// What grows faster, and how fast it may: to become fewer, and never more than it is.
///
/// Rotations and wraps of each other are one kernel that reads more and more places: its text is what grows, and with it all that
/// looks at it. What an element costs is counted through the arrays that it reads and that are not decided yet, up to 96 nodes: short
/// chains of wraps are looked at whole for each of their arrays. Rows in
/// rows are substituted from the inside out, with all that is in them for each level. With eight rounds more of SHA-256 is the
/// same than with sixteen.
const FASTER: &[(&str, &str, f64)] = &[
    ("wraps", "visits", 3.5),
    ("rotations", "visits", 2.85),
    ("nesting", "visits", 2.65),
    ("sha256 blocks", "visits", 2.35),
];

/// Of the thread that compiles: two hundred levels are deep where nothing is optimised.
const STACK: usize = 1 << 28;

#[test]
fn work_grows_with_the_length_of_a_program() {
    let thread = std::thread::Builder::new().stack_size(STACK);
    let done = thread.spawn(measure).expect("a thread").join();
    let wrong = done.expect("all families compile");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The families whose work grows too fast.
fn measure() -> Vec<String> {
    let mut wrong = Vec::new();
    for family in FAMILIES {
        let work = |&size: &usize| Work::of(&(family.source)(size));
        let all: Vec<Work> = family.sizes.iter().map(work).collect();
        type Part = (&'static str, fn(&Work) -> u64);
        let parts: [Part; 2] = [("visits", |work| work.visits), ("bytes", |work| work.bytes)];
        for (name, part) in parts {
            let counts: Vec<u64> = all.iter().map(part).collect();
            let most = steepest_of(family, &counts);
            let known = |(of, what, _): &&(&str, &str, f64)| *of == family.name && *what == name;
            let allowed = FASTER.iter().find(known).map_or(MOST, |(.., most)| *most);
            if most > allowed {
                let family = family.name;
                wrong.push(format!("{family}: {name} {most:.2} a doubling, {counts:?}"));
            }
        }
    }
    wrong
}

fn steepest_of(family: &Family, counts: &[u64]) -> f64 {
    let counts: Vec<f64> = counts.iter().map(|&count| count as f64).collect();
    steepest(&family.sizes, &counts)
}
