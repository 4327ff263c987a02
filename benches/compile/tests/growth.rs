//! Compile time grows with the length of a program, not faster.

use compile_bench::{FAMILIES, growth, steepest};

/// By how much the time may grow where the size doubles.
const MOST: f64 = 2.3;

/// Families that grow faster, and how fast they may: to become fewer.
const FASTER: &[(&str, f64)] = &[];

/// Noise makes times longer, never shorter: what is too much is measured again.
const ATTEMPTS: usize = 4;

#[test]
fn compile_time_grows_with_the_length_of_a_program() {
    let mut wrong = Vec::new();
    for family in FAMILIES {
        let most = FASTER.iter().find(|(name, _)| *name == family.name);
        let most = most.map_or(MOST, |&(_, most)| most);
        let mut best = vec![f64::INFINITY; family.sizes.len()];
        let mut found = f64::INFINITY;
        for _ in 0..ATTEMPTS {
            let times = growth(family, &family.sizes, 2);
            for (best, time) in best.iter_mut().zip(times) {
                *best = best.min(time);
            }
            found = steepest(&family.sizes, &best);
            if found <= most {
                break;
            }
        }
        if found > most {
            wrong.push(format!(
                "{}: {found:.2} a doubling, {best:.4?} s",
                family.name
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
