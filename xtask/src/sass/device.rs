//! What the GPUs have that the table speaks of.

/// A GPU.
pub(super) struct Gpu {
    pub(super) name: &'static str,
    /// Bytes a second that a copy reads and writes.
    bandwidth: f64,
    multiprocessors: f64,
    /// Hertz.
    clock: f64,
}

pub(super) const GPUS: [Gpu; 2] = [
    Gpu {
        name: "H100",
        bandwidth: 2.9e12,
        multiprocessors: 132.0,
        clock: 1.7e9,
    },
    Gpu {
        name: "H200",
        bandwidth: 4.3e12,
        multiprocessors: 132.0,
        clock: 1.7e9,
    },
];

/// Instructions of warps a cycle of a multiprocessor, above which memory is not what a kernel waits for. Four at most are
/// issued, and hardly a kernel comes near.
pub(super) const MUCH: f64 = 2.4;

impl Gpu {
    /// Instructions of warps a cycle that a multiprocessor has to issue for memory to be the limit.
    pub(super) fn need(&self, instructions: f64, bytes: f64) -> f64 {
        instructions * self.bandwidth / (bytes * 32.0 * self.multiprocessors * self.clock)
    }
}

/// Threads of a multiprocessor of sm_90 that are there at a time.
pub(super) fn resident(threads: u32, registers: u32, shared: u32) -> u32 {
    const THREADS: u32 = 2048;
    const BLOCKS: u32 = 32;
    const REGISTERS: u32 = 65536;
    const SHARED: u32 = 228 << 10;
    // Each block has a KiB of the system's, too; a warp's registers come in pieces of 256.
    let by_shared = SHARED / (shared + 1024);
    let by_registers = REGISTERS / (registers.next_multiple_of(8) * threads);
    threads
        * (THREADS / threads)
            .min(by_shared)
            .min(by_registers)
            .min(BLOCKS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_scarce_limits() {
        assert_eq!(resident(256, 32, 0), 2048);
        assert_eq!(resident(256, 33, 0), 1536);
        assert_eq!(resident(256, 32, 40 << 10), 1280);
        assert_eq!(resident(32, 32, 0), 1024);
    }

    #[test]
    fn a_copy_needs_few_instructions() {
        // Five instructions for 16 bytes each way.
        let need = GPUS[0].need(5.0, 32.0);
        assert!(need < 0.1, "{need}");
    }
}
