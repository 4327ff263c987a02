//! Events: order between streams, and the ends of calls.

use super::driver::{Event, Stream};
use super::{Gpu, failed};
use crate::error::Result;
use std::cell::RefCell;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Events that are free to be recorded anew. They are made one at a time and never destroyed.
#[derive(Default)]
pub(super) struct Events(Mutex<Vec<Event>>);

impl Gpu {
    /// An event, recorded behind everything queued on a stream.
    fn recorded(&self, stream: Stream) -> Result<Event> {
        let free = self.free_events().pop();
        let event = match free {
            Some(event) => event,
            None => (self.driver.event()).map_err(|error| failed("cuEventCreate", error))?,
        };
        match self.driver.record(&event, stream) {
            Ok(()) => Ok(event),
            Err(error) => {
                self.free_events().push(event);
                Err(failed("cuEventRecord", error))
            }
        }
    }

    fn free_events(&self) -> MutexGuard<'_, Vec<Event>> {
        (self.events.0.lock()).unwrap_or_else(PoisonError::into_inner)
    }

    /// What is queued on a stream from now on waits for an event.
    fn wait(&self, stream: Stream, event: &Event) -> Result<()> {
        (self.driver.wait(stream, event)).map_err(|error| failed("cuStreamWaitEvent", error))
    }

    /// What is queued on a stream from now on waits for everything queued on another one so far.
    pub(super) fn join(&self, stream: Stream, other: Stream) -> Result<()> {
        let event = self.recorded(other)?;
        let outcome = self.wait(stream, &event);
        // A wait is for where the event is now, wherever it is recorded later.
        self.free_events().push(event);
        outcome
    }
}

/// The end of a call on a GPU. Until it is recorded, results of the call are read in the order of the main stream.
pub(crate) struct End {
    gpu: Arc<Gpu>,
    event: OnceLock<Event>,
}

thread_local! {
    /// Of the call that this thread makes, in a stream of calls.
    static END: RefCell<Option<Arc<End>>> = const { RefCell::new(None) };
}

impl End {
    /// Makes a call whose results can be read while what is queued after it still runs.
    pub(crate) fn of<T>(gpu: &Arc<Gpu>, call: impl FnOnce() -> Result<T>) -> Result<T> {
        struct Around(Option<Arc<End>>);
        impl Drop for Around {
            fn drop(&mut self) {
                END.set(self.0.take());
            }
        }
        let end = Arc::new(End {
            gpu: gpu.clone(),
            event: OnceLock::new(),
        });
        let around = Around(END.replace(Some(end.clone())));
        let result = call()?;
        drop(around);
        // Results that are scalars of the host need none.
        if Arc::strong_count(&end) > 1 {
            let event = gpu.recorded(Stream::Main)?;
            end.event.set(event).expect("it is recorded once");
        }
        Ok(result)
    }

    /// That of the call which this thread makes on a GPU, in a stream of calls.
    pub(crate) fn current(gpu: &Arc<Gpu>) -> Option<Arc<End>> {
        END.with_borrow(|end| end.clone().filter(|end| Arc::ptr_eq(&end.gpu, gpu)))
    }

    /// Where to read results of a call: on a stream that waits for its end, and for nothing behind that.
    pub(super) fn stream(end: Option<&Arc<End>>) -> Result<Stream> {
        match end.and_then(|end| Some((&end.gpu, end.event.get()?))) {
            Some((gpu, event)) => {
                gpu.wait(Stream::Download, event)?;
                Ok(Stream::Download)
            }
            None => Ok(Stream::Main),
        }
    }
}

impl Drop for End {
    fn drop(&mut self) {
        if let Some(event) = self.event.take() {
            self.gpu.free_events().push(event);
        }
    }
}

impl fmt::Debug for End {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "End({:?})", self.event)
    }
}
