//! What a call has launched, for whoever asks for it: `f::choice`.

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
    /// Bytes of shared memory that a block asks for when it is launched; what the variant always has is not among them.
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
    /// The launches of this thread, while somebody asks for them.
    static CHOICES: RefCell<Option<Vec<Choice>>> = const { RefCell::new(None) };
}

/// The launches of a call. One inside of another has its launches for itself.
pub fn choice<T>(call: impl FnOnce() -> Result<T>) -> Result<Vec<Choice>> {
    struct Around(Option<Vec<Choice>>);
    impl Drop for Around {
        fn drop(&mut self) {
            CHOICES.set(self.0.take());
        }
    }
    let _around = Around(CHOICES.replace(Some(Vec::new())));
    call()?;
    Ok(CHOICES.take().unwrap_or_default())
}

/// Remembers a launch, if somebody asks.
pub(super) fn note(launch: impl FnOnce() -> Choice) {
    CHOICES.with_borrow_mut(|choices| {
        if let Some(choices) = choices {
            choices.push(launch());
        }
    });
}
