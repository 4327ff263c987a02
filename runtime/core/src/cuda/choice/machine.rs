//! What the model knows of a device: attributes that are the same for all devices of one kind.

/// A device, as its driver describes it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::cuda) struct Machine {
    pub(in crate::cuda) multiprocessors: u32,
    /// Cycles in a nanosecond, at the highest clock.
    pub(super) clock: f64,
    /// Bytes of device memory in a nanosecond.
    pub(super) bandwidth: f64,
    /// Bytes of the L2 cache.
    pub(super) cache: f64,
    /// Threads that a multiprocessor has room for.
    pub(super) threads: f64,
}

/// What the driver's attributes say.
#[derive(Clone, Copy, Default, Debug)]
pub(in crate::cuda) struct Attributes {
    pub(in crate::cuda) multiprocessors: i32,
    /// In kHz.
    pub(in crate::cuda) clock: i32,
    /// In kHz.
    pub(in crate::cuda) memory_clock: i32,
    /// In bits.
    pub(in crate::cuda) bus_width: i32,
    /// In bytes.
    pub(in crate::cuda) cache: i32,
    /// Threads of a multiprocessor.
    pub(in crate::cuda) threads: i32,
}

/// What a device is taken to have that does not tell: as a card of the middle has.
const MIDDLING: Attributes = Attributes {
    multiprocessors: 64,
    clock: 1_500_000,
    memory_clock: 5_000_000,
    bus_width: 384,
    cache: 8 << 20,
    threads: 1536,
};

/// Bytes that a multiprocessor takes from the cache in a cycle, at most.
const BYTES_OF_CYCLE: f64 = 64.0;

impl Machine {
    pub(in crate::cuda) fn of(attributes: Attributes) -> Machine {
        let known = |of: fn(&Attributes) -> i32| match of(&attributes) {
            value @ 1.. => value,
            _ => of(&MIDDLING),
        };
        let multiprocessors = known(|of| of.multiprocessors) as u32;
        let clock = f64::from(known(|of| of.clock)) / 1e6;
        // Two transfers in a cycle.
        let memory_clock = f64::from(known(|of| of.memory_clock)) / 1e6;
        let peak = 2.0 * memory_clock * f64::from(known(|of| of.bus_width)) / 8.0;
        Machine {
            multiprocessors,
            clock,
            bandwidth: peak.min(BYTES_OF_CYCLE * clock * f64::from(multiprocessors)),
            cache: f64::from(known(|of| of.cache)),
            threads: f64::from(known(|of| of.threads)),
        }
    }
}
