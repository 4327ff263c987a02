//! How much device memory a call has at one time.
//!
//! In: a plan with its releases. Out: the bytes of results and temporaries that are alive together, at most, as a polynomial in
//! the parameters' extents. What parameters hold is there before; what the runtime keeps for itself is not counted. The dearer
//! side of a branch counts, and two rounds of a loop.

use super::symbols::Symbols;
use super::{BufferId, Plan, Polynomial, Step};
use crate::sorted::SortedMap;

/// The most memory while the steps run.
pub(super) fn peak(symbols: &Symbols<'_>, plan: &Plan) -> Polynomial {
    let mut search = Search {
        symbols,
        peak: Polynomial::default(),
    };
    search.steps(&plan.steps, Live::default());
    search.peak
}

/// Memory that the call has made, and its names. Names that are not here are those of parameters.
#[derive(Clone, Default)]
struct Live {
    names: SortedMap<BufferId, usize>,
    /// What is gone is zero.
    sizes: Vec<Polynomial>,
}

impl Live {
    fn allocate(&mut self, name: BufferId, size: Polynomial) {
        self.names.insert(name, self.sizes.len());
        self.sizes.push(size);
    }

    /// Another name for what one names.
    fn share(&mut self, name: BufferId, of: BufferId) {
        match self.names.get(&of) {
            Some(&memory) => self.names.insert(name, memory),
            None => self.names.remove(&name),
        };
    }

    fn release(&mut self, name: BufferId) {
        let Some(memory) = self.names.remove(&name) else {
            return;
        };
        if !self.names.values().any(|&other| other == memory) {
            self.sizes[memory] = Polynomial::default();
        }
    }

    /// A name moves; what the new one named is let go.
    fn rename(&mut self, name: BufferId, of: BufferId) {
        if name != of {
            self.release(name);
            self.share(name, of);
            self.names.remove(&of);
        }
    }

    fn total(&self) -> Polynomial {
        let sizes = self.sizes.iter();
        sizes.fold(Polynomial::default(), |sum, size| sum.plus(size))
    }
}

struct Search<'a> {
    symbols: &'a Symbols<'a>,
    peak: Polynomial,
}

impl Search<'_> {
    /// What lives after these steps.
    fn steps(&mut self, steps: &[Step], mut live: Live) -> Live {
        for step in steps {
            live = self.step(step, live);
            let peak = std::mem::take(&mut self.peak);
            self.peak = live.total().larger(peak);
        }
        live
    }

    fn step(&mut self, step: &Step, mut live: Live) -> Live {
        match step {
            Step::Allocate(name) => live.allocate(*name, self.symbols.bytes(*name)),
            Step::Copy {
                buffer,
                of,
                last: true,
            } => live.rename(*buffer, *of),
            Step::Copy { buffer, .. } => live.allocate(*buffer, self.symbols.bytes(*buffer)),
            Step::Shrink { buffer, of } => live.rename(*buffer, *of),
            Step::Share { buffer, of } => live.share(*buffer, *of),
            Step::Release(name) => live.release(*name),
            Step::If {
                then,
                otherwise,
                buffers,
                ..
            } => {
                let mut a = self.steps(then, live.clone());
                let mut b = self.steps(otherwise, live);
                for join in buffers {
                    a.rename(join.result, join.then);
                    b.rename(join.result, join.otherwise);
                }
                let (of_a, of_b) = (a.total(), b.total());
                live = if of_a.clone().larger(of_b) == of_a {
                    a
                } else {
                    b
                };
            }
            Step::Loop {
                buffers,
                test,
                body,
                ..
            } => {
                for carry in buffers {
                    live.rename(carry.state, carry.initial);
                }
                // In the first round the state may be that of a parameter.
                for _ in 0..2 {
                    live = self.steps(test, live);
                    live = self.steps(body, live);
                    for carry in buffers {
                        live.rename(carry.state, carry.next);
                    }
                }
            }
            Step::Compute(_)
            | Step::Check { .. }
            | Step::Fill { .. }
            | Step::Launch { .. }
            | Step::Routine { .. }
            | Step::Read { .. } => {}
        }
        live
    }
}
