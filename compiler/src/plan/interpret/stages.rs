//! Phases and stages of the interpreter.

use super::{Memory, Thread};
use crate::plan::body::{Statement, Value};
use crate::plan::{Phase, Room, Stage};
use crate::scalar::Scalar;
use std::cell::RefCell;
use std::rc::Rc;

/// Arrays for a row, with garbage in them.
pub(super) fn memories(rooms: &[Room]) -> Vec<Memory> {
    let memory = |room: &Room| {
        let garbage = Scalar::wrapped(room.leaf, 0xa5a5_a5a5_a5a5_a5a5);
        Rc::new(RefCell::new(vec![garbage; room.length as usize]))
    };
    rooms.iter().map(memory).collect()
}

impl Thread<'_> {
    /// What a statement names.
    pub(super) fn memory(&self, at: usize, writes: bool) -> &Memory {
        match self.buffers.get(at) {
            Some((memory, written)) => {
                assert_eq!(*written, writes, "a launch reads a buffer or writes it");
                memory
            }
            None => &self.rooms[at - self.buffers.len()],
        }
    }

    pub(super) fn phases(&mut self, phases: &[Phase]) {
        for phase in phases {
            self.stopped = false;
            match phase {
                Phase::Uniform(statements) => self.run(statements),
                Phase::Fold {
                    extents,
                    vars,
                    body,
                    folds,
                } => self.fold(extents, vars, body, folds),
                Phase::Each {
                    extents,
                    vars,
                    body,
                } => self.each(extents, vars, body),
                Phase::Scan {
                    extents,
                    vars,
                    body,
                    folds,
                    prefixes,
                    each,
                    after,
                } => {
                    let mut totals = self.begun(after);
                    self.scan(extents, vars, body, folds, |thread, states| {
                        thread.stopped = false;
                        thread.prefixes(prefixes, states);
                        thread.run(each);
                        for (fold, total) in after.iter().zip(&mut totals) {
                            thread.next(fold, total);
                        }
                    });
                    self.ended(after, totals);
                }
            }
        }
    }

    /// Independent elements.
    fn each(&mut self, extents: &[Value], vars: &[Value], body: &[Statement]) {
        self.domain(extents, vars, |thread| {
            thread.stopped = false;
            thread.run(body);
        });
    }

    /// `None` once a check has failed.
    pub(super) fn stages(&mut self, stages: &[Stage]) -> Option<()> {
        let failures = self.failures.len();
        for stage in stages {
            self.stopped = false;
            match stage {
                Stage::Uniform(statements) => self.run(statements),
                Stage::Each {
                    extents,
                    vars,
                    body,
                } => self.each(extents, vars, body),
                Stage::Swap(a, b) => {
                    let first = self.buffers.len();
                    self.rooms.swap(a - first, b - first);
                }
                Stage::Rounds {
                    state,
                    test,
                    condition,
                    body,
                } => {
                    self.frame.first_round(state);
                    loop {
                        self.run(test);
                        if !self.frame.is(*condition) {
                            break;
                        }
                        self.stages(body)?;
                        self.frame.next_round(state);
                    }
                }
            }
            if self.failures.len() > failures {
                return None;
            }
        }
        Some(())
    }
}
