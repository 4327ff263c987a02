//! The versions of a kernel: the instruction set of this machine, and the one function per instruction set in which
//! generic code is instantiated.

#[cfg(target_arch = "x86_64")]
use crate::lanes::{Avx2, Avx512};
use crate::lanes::{Lanes, One, Portable};
use std::sync::atomic::{AtomicU8, Ordering};

/// The instruction sets that a kernel of an optimised build is compiled for, in order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// Any machine.
    Portable,
    /// AVX2 and FMA.
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

/// From now on kernels run in this version, if this machine has it; whether it has. For tests.
pub fn choose(level: Level) -> bool {
    let there = level <= of_machine();
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
    choose(most.min(of_machine()));
    level()
}

#[cfg(target_arch = "x86_64")]
fn of_machine() -> Level {
    let avx2 = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
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

/// The versions in a crate with or without debug assertions.
#[derive(Clone, Copy, Debug)]
pub struct Build<const DEBUG: bool>;

/// A single lane: without optimisation vectors take longer to compile, and to run.
impl Versions for Build<true> {
    #[inline]
    fn run<W: Work>(work: W) -> W::Result {
        work.run::<One>()
    }
}

/// Every instruction set.
impl Versions for Build<false> {
    #[inline]
    fn run<W: Work>(work: W) -> W::Result {
        match level() {
            Level::Portable => work.run::<Portable>(),
            // SAFETY: this machine has what `level` says.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => unsafe { avx2(work) },
            // SAFETY: this machine has what `level` says.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => unsafe { avx512(work) },
            #[cfg(not(target_arch = "x86_64"))]
            Level::Avx2 | Level::Avx512 => unreachable!("not on this architecture"),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,popcnt,lzcnt")]
fn avx2<W: Work>(work: W) -> W::Result {
    work.run::<Avx2>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx2,fma,bmi1,bmi2,popcnt,lzcnt"
)]
fn avx512<W: Work>(work: W) -> W::Result {
    work.run::<Avx512>()
}
