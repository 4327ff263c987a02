//! Failures that kernels find, and the status of arrays that depend on them.

use crate::cuda::{End, Record};
use crate::error::{Error, Place, Result};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A place in a program that can fail, as the macro emits it.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// Which error it is.
    pub kind: Kind,
    /// The operation, with `{0}` and `{1}` for the values, as `u64`; `{0:i}` is one as `i64`.
    pub message: &'static str,
    /// The token to point at.
    pub place: Place,
}

/// The kinds of failure a program can meet: variants of [`Error`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "see `Error`")]
pub enum Kind {
    ShapeMismatch,
    OutOfBounds,
    DivisionByZero,
    EmptyReduction,
    SegmentMismatch,
    Indivisible,
    AssertionFailed,
}

/// A failure that happened. The least one of a call is the one reported, whatever the order of execution.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Found {
    /// Indexes the program's sites, which are in program order.
    pub site: u32,
    /// What the message shows.
    pub values: [i64; 2],
}

impl Found {
    /// As an error.
    pub fn error(self, sites: &[Site]) -> Error {
        let Site {
            kind,
            message,
            place,
        } = sites[self.site as usize];
        let mut message = message.to_owned();
        for (k, &value) in self.values.iter().enumerate() {
            message = message
                .replace(&format!("{{{k}}}"), &(value as u64).to_string())
                .replace(&format!("{{{k}:i}}"), &value.to_string());
        }
        let place = Some(place);
        match kind {
            Kind::ShapeMismatch => Error::ShapeMismatch { place, message },
            Kind::OutOfBounds => Error::OutOfBounds { place, message },
            Kind::DivisionByZero => Error::DivisionByZero { place, message },
            Kind::EmptyReduction => Error::EmptyReduction { place, message },
            Kind::SegmentMismatch => Error::SegmentMismatch { place, message },
            Kind::Indivisible => Error::Indivisible { place, message },
            Kind::AssertionFailed => Error::AssertionFailed { place, message },
        }
    }
}

/// A failed check of a function without arrays, which has no `Result`.
#[cold]
pub fn panic(sites: &[Site], site: u32, values: [i64; 2]) -> ! {
    panic!("{}", Found { site, values }.error(sites));
}

/// Where the kernels of a call on the CPU report failures.
#[derive(Debug, Default)]
pub struct Failure {
    any: AtomicBool,
    /// The least, and its epoch.
    least: Mutex<(Option<Found>, u32)>,
    /// Of what runs now.
    epoch: AtomicU32,
}

impl Failure {
    /// Records a failure, unless a lesser one is known, or a round that has failed was to be the loop's last.
    #[cold]
    pub fn report(&self, site: u32, values: [i64; 2]) {
        let found = Found { site, values };
        let epoch = self.epoch();
        let mut kept = self.least.lock().unwrap_or_else(PoisonError::into_inner);
        let (least, first) = &mut *kept;
        if is_later(epoch, *first) {
            return;
        }
        if epoch != 0 {
            *first = epoch;
        }
        if least.is_none_or(|least| found < least) {
            *least = Some(found);
        }
        self.any.store(true, Ordering::Release);
    }

    /// What runs now belongs to this epoch.
    pub(crate) fn epoch(&self) -> u32 {
        self.epoch.load(Ordering::Relaxed)
    }

    /// What runs from now on belongs to this epoch.
    pub(crate) fn set_epoch(&self, epoch: u32) {
        self.epoch.store(epoch, Ordering::Relaxed);
    }

    /// The least failure so far.
    pub fn found(&self) -> Option<Found> {
        self.found_in().map(|(found, _)| found)
    }

    /// The least failure so far, and the epoch of the first.
    pub(crate) fn found_in(&self) -> Option<(Found, u32)> {
        if !self.any.load(Ordering::Acquire) {
            return None;
        }
        let kept = self.least.lock().unwrap_or_else(PoisonError::into_inner);
        kept.0.map(|found| (found, kept.1))
    }
}

/// Whether a round comes after the first one that failed, in the numbering through a call; 0 is outside of loops, and
/// no failure in a loop.
pub(crate) fn is_later(epoch: u32, first: u32) -> bool {
    first != 0 && first < epoch
}

/// How a call with checks ended, once that is known.
#[derive(Debug)]
pub(crate) struct Outcome {
    known: OnceLock<Option<Error>>,
    /// Where to find out: a record on a GPU and the sites it speaks of.
    source: Mutex<Option<(Record, &'static [Site])>>,
}

impl Outcome {
    /// A call that failed.
    pub(crate) fn failed(error: Error) -> Arc<Outcome> {
        Arc::new(Outcome {
            known: OnceLock::from(Some(error)),
            source: Mutex::new(None),
        })
    }

    /// A call whose kernels are still queued.
    pub(crate) fn pending(record: Record, sites: &'static [Site]) -> Arc<Outcome> {
        Arc::new(Outcome {
            known: OnceLock::new(),
            source: Mutex::new(Some((record, sites))),
        })
    }

    fn succeeded(&self) -> bool {
        matches!(self.known.get(), Some(None))
    }

    /// Waits.
    fn wait(&self) -> Result<()> {
        if self.known.get().is_none() {
            let mut source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
            // Another thread may have been faster.
            if let Some((record, sites)) = source.take() {
                match record.read() {
                    Ok(found) => {
                        let error = found.map(|(found, _)| found.error(sites));
                        self.known.get_or_init(|| error);
                        record.finish(found.is_none());
                    }
                    Err(error) => {
                        // Nothing was learnt: the next wait asks again.
                        *source = Some((record, sites));
                        return Err(error);
                    }
                }
            }
        }
        match self.known.get() {
            Some(Some(error)) => Err(error.clone()),
            Some(None) | None => Ok(()),
        }
    }
}

/// What must have gone well for an array to be right, and when it is there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Status {
    /// The calls it depends on, earliest first.
    calls: Vec<Arc<Outcome>>,
    /// The end of the call that made it, in a stream of calls.
    end: Option<Arc<End>>,
}

/// A status that depends on more calls than this waits for them: a loop of calls must not gather an endless list.
const MOST: usize = 64;

impl Status {
    /// Waits for every call, and gives the first failure.
    pub(crate) fn wait(&self) -> Result<()> {
        self.calls.iter().try_for_each(|outcome| outcome.wait())
    }

    /// Depends on all that `other` depends on, too.
    pub(crate) fn join(&mut self, other: &Status) -> Result<()> {
        for outcome in &other.calls {
            let known = |mine| Arc::ptr_eq(mine, outcome);
            if !outcome.succeeded() && !self.calls.iter().any(known) {
                self.calls.push(outcome.clone());
            }
        }
        if self.calls.len() > MOST {
            // An error stays in the list and is met again by who waits for a result.
            for outcome in &self.calls {
                if let Err(error @ Error::Cuda { .. }) = outcome.wait() {
                    return Err(error);
                }
            }
            let failed = self.calls.iter().find(|outcome| !outcome.succeeded());
            self.calls = failed.cloned().into_iter().collect();
        }
        Ok(())
    }

    /// Depends on this call, too.
    pub(crate) fn push(&mut self, outcome: Arc<Outcome>) {
        self.calls.push(outcome);
    }

    /// The end of the call that makes the array.
    pub(crate) fn set_end(&mut self, end: Option<Arc<End>>) {
        self.end = end;
    }

    /// See [`Status::set_end`].
    pub(crate) fn end(&self) -> Option<&Arc<End>> {
        self.end.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SITES: &[Site] = &[
        Site {
            kind: Kind::OutOfBounds,
            message: "index {0} of an axis of {1} in `xs[i]`",
            place: Place {
                file: "src/a.rs",
                line: 3,
                column: 5,
            },
        },
        Site {
            kind: Kind::AssertionFailed,
            message: "negative",
            place: Place {
                file: "src/a.rs",
                line: 4,
                column: 5,
            },
        },
    ];

    #[test]
    fn the_least_failure_is_reported() {
        let failure = Failure::default();
        assert_eq!(failure.found(), None);
        failure.report(1, [0, 0]);
        failure.report(0, [12, 10]);
        failure.report(0, [13, 10]);
        let error = failure.found().unwrap().error(SITES);
        assert_eq!(
            error.to_string(),
            "src/a.rs:3:5: index 12 of an axis of 10 in `xs[i]`"
        );
    }

    #[test]
    fn lengths_are_unsigned_and_what_is_not_says_so() {
        let site = |message| Site {
            message,
            ..SITES[0]
        };
        let found = Found {
            site: 0,
            values: [-4, 10],
        };
        let text = |message| found.error(&[site(message)]).to_string();
        assert!(text("slice from {0} to {1}").ends_with("slice from 18446744073709551612 to 10"));
        assert!(text("key {0:i} of {1}").ends_with("key -4 of 10"));
    }

    #[test]
    fn a_status_reports_its_first_failure_each_time() {
        let failed = |site| {
            Outcome::failed(
                Found {
                    site,
                    values: [0, 0],
                }
                .error(SITES),
            )
        };
        let mut status = Status::default();
        status.push(failed(1));
        let mut other = Status::default();
        other.push(failed(0));
        status.join(&other).unwrap();
        for _ in 0..2 {
            let error = status.wait().unwrap_err();
            assert!(matches!(error, Error::AssertionFailed { .. }));
        }
    }
}
