//! Compile time grows with the length of a program, not faster.

use compile_bench::{FAMILIES, Family, growth};

/// By how much the time may grow where the size doubles, on average over three doublings: what is quadratic grows by 4. The
/// bench tells the figures; here other tests run at the same time.
const MOST: f64 = 3.0;

/// Families that grow faster, and how fast they may: to become fewer.
///
/// Rotations of rotations are kernels that read more and more places. The text of arms is indented by their number. Rows in
/// rows are inlined in a round for each level, and each writes anew what is inside.
const FASTER: &[(&str, f64)] = &[("rotations", 3.7), ("arms", 3.3), ("nesting", 3.3)];

/// Noise makes times longer, never shorter: what is too much is measured again.
const ATTEMPTS: usize = 4;

/// Of the thread that compiles: two hundred levels are deep where nothing is optimised.
const STACK: usize = 1 << 28;

#[test]
fn compile_time_grows_with_the_length_of_a_program() {
    let thread = std::thread::Builder::new().stack_size(STACK);
    let done = thread.spawn(measure).expect("a thread").join();
    let wrong = done.expect("all families compile");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The families that grow too fast.
fn measure() -> Vec<String> {
    let mut wrong = Vec::new();
    // Hashes are measured by the bench alone: they take seconds where nothing is optimised.
    let short = |family: &&Family| !family.name.starts_with("sha256");
    for family in FAMILIES.iter().filter(short) {
        let most = FASTER.iter().find(|(name, _)| *name == family.name);
        let most = most.map_or(MOST, |&(_, most)| most);
        let mut best = vec![f64::INFINITY; family.sizes.len()];
        let mut mean = f64::INFINITY;
        for _ in 0..ATTEMPTS {
            let times = growth(family, &family.sizes, 1);
            for (best, time) in best.iter_mut().zip(times) {
                *best = best.min(time);
            }
            mean = (best[3] / best[0]).cbrt();
            if mean <= most {
                break;
            }
        }
        if mean > most {
            let name = family.name;
            wrong.push(format!("{name}: {mean:.2} a doubling, {best:.4?} s"));
        }
    }
    wrong
}
