//! Traces of launches: what `f::choice` tells.

use crate::error::Result;
use std::cell::RefCell;
use std::fmt::{self, Display, Formatter};

/// A launch of a kernel on a GPU: the variant that was chosen for the sizes of the data, and how many threads run it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The kernel, one of `f::KERNELS`.
    pub kernel: &'static str,
    /// Its variant: a name for `ACCELERATE_CHOICE`, and an entry of `f::CUDA`.
    pub variant: &'static str,
    /// Blocks along x and y.
    pub blocks: (u32, u32),
    /// Threads of a block.
    pub threads: u32,
    /// Blocks that a multiprocessor has room for at one time.
    pub resident: u32,
    /// Dynamic shared memory of a block, in bytes; static shared memory is not counted.
    pub shared: u32,
}

impl Display for Choice {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (x, y) = self.blocks;
        write!(f, "{}: {x}", self.variant)?;
        if y > 1 {
            write!(f, " x {y}")?;
        }
        write!(f, " blocks of {} threads", self.threads)
    }
}

thread_local! {
    /// The trace of this thread, while a call is traced.
    static TRACE: RefCell<Option<Vec<Choice>>> = const { RefCell::new(None) };
}

/// Traces the launches of a call. A call inside of another has a trace of its own.
pub fn choice<T>(call: impl FnOnce() -> Result<T>) -> Result<Vec<Choice>> {
    struct Around(Option<Vec<Choice>>);
    impl Drop for Around {
        fn drop(&mut self) {
            TRACE.set(self.0.take());
        }
    }
    let _around = Around(TRACE.replace(Some(Vec::new())));
    call()?;
    Ok(TRACE.take().unwrap_or_default())
}

/// Appends a launch to the trace, if there is one.
pub(super) fn push(launch: impl FnOnce() -> Choice) {
    TRACE.with_borrow_mut(|trace| {
        if let Some(trace) = trace {
            trace.push(launch());
        }
    });
}
