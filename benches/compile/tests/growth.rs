//! The work of compiling grows with the length of a program, not faster.
//!
//! Work is counted, not timed: nodes and statements that are looked at, and bytes of text that are written. So it is the same on
//! every machine, whatever else runs there. The bench tells the time.

use compile_bench::{FAMILIES, Work, steepest};

/// By how much a program may grow where the size doubles, and the work where the size or the program does: what is quadratic grows by 4.
const MOST: f64 = 2.3;

/// What grows faster, and how fast it may: to become fewer, and never more than it is.
///
/// What an element costs is counted through the arrays that it reads and that are not decided yet, up to 96 nodes: chains of four
/// rotations are shorter, those of eight are not.
const FASTER: &[(&str, &str, f64)] = &[("rotations", "visits", 2.46)];

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
        let of = |part: fn(&Work) -> u64| all.iter().map(|work| part(work) as f64).collect();
        let sizes: Vec<f64> = family.sizes.iter().map(|&size| size as f64).collect();
        let statements: Vec<f64> = of(|work| work.statements);
        let longer = lengths(&sizes, &statements);
        let parts: [(&str, &[f64], Vec<f64>); 3] = [
            ("statements", &sizes, statements),
            ("visits", &longer, of(|work| work.visits)),
            ("bytes", &longer, of(|work| work.bytes)),
        ];
        for (name, lengths, counts) in parts {
            let most = steepest(lengths, &counts);
            let known = |(of, what, _): &&(&str, &str, f64)| *of == family.name && *what == name;
            let allowed = FASTER.iter().find(known).map_or(MOST, |(.., most)| *most);
            if most > allowed {
                let family = family.name;
                wrong.push(format!(
                    "{family}: {name} {most:.2} a doubling, {counts:?} of {lengths:?}"
                ));
            }
        }
    }
    wrong
}

/// Lengths that grow as the size or as the program, whichever grows more: a program of half the size may be less than half as long,
/// where its first rounds are of numbers that are known.
fn lengths(sizes: &[f64], statements: &[f64]) -> Vec<f64> {
    let steps = sizes.windows(2).zip(statements.windows(2));
    let more = steps.map(|(n, s)| (n[1] / n[0]).max(s[1] / s[0]));
    let all = more.scan(1.0, |length, more| {
        *length *= more;
        Some(*length)
    });
    std::iter::once(1.0).chain(all).collect()
}
