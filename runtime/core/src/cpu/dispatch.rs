//! The versions of a kernel: the instruction set of this machine, and the one function per instruction set in which
//! generic code is instantiated. Which there are, `build.rs` decides when this crate is built.

#[cfg(accelerate_cpu = "avx2")]
use crate::lanes::Avx2;
#[cfg(accelerate_cpu = "avx512")]
use crate::lanes::Avx512;
#[cfg(accelerate_cpu = "baseline")]
use crate::lanes::Portable;
use crate::lanes::{Lanes, One};
use std::sync::atomic::{AtomicU8, Ordering};

/// The instruction sets that a kernel of an optimised build may be compiled for, in order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// Any machine.
    Portable,
    /// AVX2, FMA and F16C.
    Avx2,
    /// AVX-512 F, BW, DQ, VL and CD.
    Avx512,
}

impl Level {
    /// All of them.
    pub const ALL: [Level; 3] = [Level::Portable, Level::Avx2, Level::Avx512];
}

/// The chosen version, counted from 1; 0 before the first choice.
static CHOSEN: AtomicU8 = AtomicU8::new(0);

/// The best version for this machine, or the one that `ACCELERATE_CPU` (`baseline`, `avx2`, `avx512`) allows.
#[inline]
pub fn level() -> Level {
    match CHOSEN.load(Ordering::Relaxed) {
        0 => first(),
        chosen => Level::ALL[usize::from(chosen) - 1],
    }
}

/// From now on kernels run in this version, if this machine has it and it was built; whether that is so. For tests.
pub fn choose(level: Level) -> bool {
    let there = level <= of_machine() && built(level);
    if there {
        CHOSEN.store(level as u8 + 1, Ordering::Relaxed);
    }
    there
}

#[cold]
fn first() -> Level {
    let most = match std::env::var("ACCELERATE_CPU").as_deref() {
        Ok("baseline") => Level::Portable,
        Ok("avx2") => Level::Avx2,
        _ => Level::Avx512,
    };
    let most = most.min(of_machine());
    let mut levels = Level::ALL.into_iter().rev();
    // Of those that were built the best one that is allowed; or the least that this machine has, if none is.
    let best = (levels.find(|&level| level <= most && built(level)))
        .or_else(|| Level::ALL.into_iter().find(|&level| built(level)));
    match best {
        Some(level) if choose(level) => level,
        _ => panic!(
            "accelerate was built for the instruction set of another machine: build it here, or with `ACCELERATE_CPU=all`"
        ),
    }
}

/// Whether there are kernels of this version.
fn built(level: Level) -> bool {
    match level {
        Level::Portable => cfg!(accelerate_cpu = "baseline"),
        Level::Avx2 => cfg!(accelerate_cpu = "avx2"),
        Level::Avx512 => cfg!(accelerate_cpu = "avx512"),
    }
}

#[cfg(target_arch = "x86_64")]
fn of_machine() -> Level {
    let avx2 = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("f16c")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("lzcnt");
    let avx512 = avx2
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512cd");
    match (avx2, avx512) {
        (_, true) => Level::Avx512,
        (true, false) => Level::Avx2,
        (false, false) => Level::Portable,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn of_machine() -> Level {
    Level::Portable
}

/// Work to be instantiated for an instruction set.
pub trait Work {
    /// What it gives.
    type Result;
    /// Does it. Must be `#[inline(always)]`, and so must everything it calls that is generic over lanes.
    fn run<L: Lanes>(self) -> Self::Result;
}

/// Runs `work` in one of the versions that a build has of it.
pub trait Versions: Copy + Send + Sync {
    /// Runs `work` in the version for this machine.
    fn run<W: Work>(work: W) -> W::Result;
}

/// The versions of a kernel: a single lane in a crate with debug assertions and where the code is long, else vectors.
#[derive(Clone, Copy, Debug)]
pub struct Build<const SINGLE: bool>;

/// A single lane: without optimisation vectors take longer to compile, and to run.
impl Versions for Build<true> {
    #[inline]
    fn run<W: Work>(work: W) -> W::Result {
        work.run::<One>()
    }
}

/// Every instruction set that was asked for.
impl Versions for Build<false> {
    #[inline]
    fn run<W: Work>(work: W) -> W::Result {
        match level() {
            #[cfg(accelerate_cpu = "baseline")]
            Level::Portable => work.run::<Portable>(),
            // SAFETY: this machine has what `level` says.
            #[cfg(accelerate_cpu = "avx2")]
            Level::Avx2 => unsafe { avx2(work) },
            // SAFETY: this machine has what `level` says.
            #[cfg(accelerate_cpu = "avx512")]
            Level::Avx512 => unsafe { avx512(work) },
            #[allow(unreachable_patterns, reason = "all of them may have been built")]
            _ => unreachable!("`level` gives what was built"),
        }
    }
}

#[cfg(accelerate_cpu = "avx2")]
#[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,popcnt,lzcnt")]
fn avx2<W: Work>(work: W) -> W::Result {
    work.run::<Avx2>()
}

#[cfg(accelerate_cpu = "avx512")]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx2,fma,f16c,bmi1,bmi2,popcnt,lzcnt"
)]
fn avx512<W: Work>(work: W) -> W::Result {
    work.run::<Avx512>()
}
