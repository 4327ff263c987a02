//! The work of compiling grows with the length of a program, not faster.
//!
//! Work is counted, not timed: nodes and statements that are looked at, and bytes of text that are written. So it is the same on
//! every machine, whatever else runs there. The bench tells the time.

use compile_bench::{FAMILIES, Family, Work, steepest};

/// By how much the work may grow where the size doubles, each time: what is quadratic grows by 4.
const MOST: f64 = 2.3;

/// What grows faster, and how fast it may: to become fewer, and never more than it is.
///
/// What an element costs is counted through the arrays that it reads and that are not decided yet, up to 96 nodes: chains of four
/// rotations are shorter, those of eight are not. The program of a block of SHA-256 is that much longer itself: it has 425 nodes a
/// round but for the first two, which know where the state begins: 2554, 5956, 12760 and 26368.
const FASTER: &[(&str, &str, f64)] = &[
    ("rotations", "visits", 2.46),
    ("sha256 blocks", "visits", 2.31),
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
