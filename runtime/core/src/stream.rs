//! Calls with many inputs: `f::stream`.

use crate::cuda::End;
use crate::device::{Device, Target};
use crate::error::Result;
use std::collections::VecDeque;
use std::fmt;
use std::iter::{Fuse, FusedIterator};

/// The results of a function for many inputs, in order: what `f::stream` gives.
///
/// On a GPU calls are queued for two inputs more than results have been asked for, so that it computes while the host makes the
/// next input and reads the last result. On the CPU each is computed when it is asked for.
pub struct Stream<I: Iterator, A, R> {
    device: Device,
    inputs: Fuse<I>,
    input: fn(I::Item) -> Result<A>,
    call: fn(&Device, A) -> Result<R>,
    /// Of the calls that are queued already.
    results: VecDeque<Result<R>>,
}

/// How many inputs are pulled on a GPU before the results of those before them are asked for: one that it computes, and one that
/// it goes on with while the host is busy.
const AHEAD: usize = 2;

/// What a [`Stream`] pulls: an input, or a [`Result`] with one, whose error is that of its call.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no input of this function, which takes `{A}`",
    label = "expected an iterator of `{A}`, or of results with that",
    note = "an input is what the function takes, a tuple if that is more than one thing, with arrays by value"
)]
pub trait Input<A> {
    #[doc(hidden)]
    fn input(self) -> Result<A>;
}

impl<A> Input<A> for A {
    fn input(self) -> Result<A> {
        Ok(self)
    }
}

impl<A> Input<A> for Result<A> {
    fn input(self) -> Result<A> {
        self
    }
}

/// See [`Stream`].
pub fn stream<I, A, R>(
    device: &Device,
    inputs: I,
    call: fn(&Device, A) -> Result<R>,
) -> Stream<I::IntoIter, A, R>
where
    I: IntoIterator<Item: Input<A>>,
{
    Stream {
        device: device.clone(),
        inputs: inputs.into_iter().fuse(),
        input: Input::input,
        call,
        results: VecDeque::new(),
    }
}

impl<I: Iterator, A, R> Stream<I, A, R> {
    /// Makes the call for the next input.
    fn pull(&mut self) -> Option<Result<R>> {
        let input = (self.input)(self.inputs.next()?);
        let call = |input| (self.call)(&self.device, input);
        Some(input.and_then(|input| match self.device.target() {
            Target::Cpu => call(input),
            Target::Cuda(gpu) => End::of(gpu, || call(input)),
        }))
    }
}

impl<I: Iterator, A, R> Iterator for Stream<I, A, R> {
    type Item = Result<R>;

    fn next(&mut self) -> Option<Result<R>> {
        let ahead = match self.device.target() {
            Target::Cpu => 0,
            Target::Cuda(_) => AHEAD,
        };
        while self.results.len() <= ahead
            && let Some(result) = self.pull()
        {
            self.results.push_back(result);
        }
        self.results.pop_front()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let (least, most) = self.inputs.size_hint();
        let queued = self.results.len();
        (
            least.saturating_add(queued),
            most.and_then(|most| most.checked_add(queued)),
        )
    }
}

impl<I: Iterator, A, R> FusedIterator for Stream<I, A, R> {}

/// Tells the device and how many results are queued.
impl<I: Iterator, A, R> fmt::Debug for Stream<I, A, R> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let queued = self.results.len();
        write!(f, "Stream on {} with {queued} results queued", self.device)
    }
}
