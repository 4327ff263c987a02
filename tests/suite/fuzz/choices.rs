//! What a program is made from: a sequence of small numbers, each a choice among alternatives. So a program is shrunk by
//! shortening and lowering its sequence and making the program again (MacIver and Donaldson, "Test-case reduction via
//! test-case generation", ECOOP 2020). Zero is always the simplest alternative, and what comes after the end.

use harness::inputs::Random;

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

/// The smallest sequence found that still fails: parts are left out, numbers are lowered, as long as that helps and `tries`
/// last.
pub(crate) fn shrink(
    mut best: Vec<u32>,
    mut tries: usize,
    fails: &mut dyn FnMut(&[u32]) -> Option<Vec<u32>>,
) -> Vec<u32> {
    let mut try_one = |candidate: Vec<u32>, best: &mut Vec<u32>| -> Option<bool> {
        tries = tries.checked_sub(1)?;
        let Some(made) = fails(&candidate) else {
            return Some(false);
        };
        let simpler = (made.len(), &made) < (best.len(), &*best);
        if simpler {
            *best = made;
        }
        Some(simpler)
    };
    loop {
        let before = best.clone();
        let mut width = (best.len() / 2).max(1);
        loop {
            let mut at = 0;
            while at < best.len() {
                let mut shorter = best.clone();
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
        for at in 0..best.len() {
            for lower in [0, 1] {
                if best.get(at).is_some_and(|&choice| choice > lower) {
                    let mut lowered = best.clone();
                    lowered[at] = lower;
                    if try_one(lowered, &mut best).is_none() {
                        return best;
                    }
                }
            }
        }
        if best == before {
            return best;
        }
    }
}
