//! Memory traffic of launches, where the device profiles them.

use accelerate_compiler::plan::{Meeting, Skeleton};
use emulator::Emulator;
use emulator::direct::Memory;

/// Totals of a plan's run.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Traffic {
    /// Of the plan: a sort's passes are one.
    pub(crate) launches: u64,
    /// Distinct bytes of each launch, without those that its kernel has for itself.
    pub(crate) read: u64,
    pub(crate) written: u64,
}

impl Traffic {
    /// With what a launch has done to its buffers.
    pub(crate) fn and(
        mut self,
        emulator: &Emulator,
        skeleton: &Skeleton,
        buffers: &[Memory<'_>],
    ) -> Traffic {
        let own = match skeleton {
            Skeleton::Scatter {
                meeting: Meeting::Locked { locks: at, .. } | Meeting::Once { met: at, .. },
                ..
            } => Some(*at),
            _ => None,
        };
        self.launches += 1;
        for (at, buffer) in buffers.iter().enumerate() {
            let (read, written) = emulator.touched(buffer.address());
            if own != Some(at) {
                self.read += read;
                self.written += written;
            }
        }
        self
    }
}
