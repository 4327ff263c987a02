//! What a program is made from: a sequence of small numbers, each a choice among alternatives. So a program is shrunk by
//! shortening and lowering its sequence and making the program again (MacIver and Donaldson, "Test-case reduction via
//! test-case generation", ECOOP 2020). Zero is always the simplest alternative, and what comes after the end.

use harness::inputs::Random;
use std::time::Instant;

/// Choices that are given, or drawn at random, and those that were made.
pub(crate) struct Choices {
    given: Vec<u32>,
    random: Option<Random>,
    made: Vec<u32>,
}

impl Choices {
    /// All at random.
    pub(crate) fn random(seed: u64) -> Choices {
        Choices {
            given: Vec::new(),
            random: Some(Random(seed)),
            made: Vec::new(),
        }
    }

    /// These, and then zeros.
    pub(crate) fn of(given: Vec<u32>) -> Choices {
        Choices {
            given,
            random: None,
            made: Vec::new(),
        }
    }

    /// One of `n` alternatives.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        let n = n.max(1) as u32;
        let choice = match &mut self.random {
            Some(random) => random.below(u64::from(n)) as u32,
            None => self
                .given
                .get(self.made.len())
                .map_or(0, |&choice| choice.min(n - 1)),
        };
        self.made.push(choice);
        choice as usize
    }

    /// True in `k` of `n` cases, of which zero is none.
    pub(crate) fn chance(&mut self, k: usize, n: usize) -> bool {
        self.below(n) >= n - k
    }

    /// One of these; the first is the simplest.
    pub(crate) fn one<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// What was chosen.
    pub(crate) fn made(&self) -> &[u32] {
        &self.made
    }
}

/// A sequence whose program fails, and how.
type Failure = (Vec<u32>, String);

/// The smallest one found: parts are left out, numbers are lowered, as long as that helps and until this time.
pub(crate) fn shrink(
    mut best: Failure,
    until: Instant,
    fails: &mut dyn FnMut(&[u32]) -> Option<Failure>,
) -> Failure {
    let mut try_one = |candidate: Vec<u32>, best: &mut Failure| -> Option<bool> {
        if Instant::now() > until {
            return None;
        }
        let Some(found) = fails(&candidate) else {
            return Some(false);
        };
        let simpler = (found.0.len(), &found.0) < (best.0.len(), &best.0);
        if simpler {
            *best = found;
        }
        Some(simpler)
    };
    loop {
        let before = best.0.clone();
        let mut width = (before.len() / 2).max(1);
        loop {
            let mut at = 0;
            while at < best.0.len() {
                let mut shorter = best.0.clone();
                shorter.drain(at..(at + width).min(shorter.len()));
                match try_one(shorter, &mut best) {
                    None => return best,
                    Some(true) => {}
                    Some(false) => at += width,
                }
            }
            if width == 1 {
                break;
            }
            width /= 2;
        }
        for at in 0..best.0.len() {
            for lower in [0, 1] {
                if best.0.get(at).is_some_and(|&choice| choice > lower) {
                    let mut lowered = best.0.clone();
                    lowered[at] = lower;
                    if try_one(lowered, &mut best).is_none() {
                        return best;
                    }
                }
            }
        }
        if best.0 == before {
            return best;
        }
    }
}
