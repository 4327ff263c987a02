//! The instruction set of this machine, and the one function per instruction set in which generic code is instantiated.

#[cfg(target_arch = "x86_64")]
use crate::lanes::{Avx2, Avx512};
use crate::lanes::{Lanes, One, Portable};
use std::sync::OnceLock;

/// The versions of every kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// A single lane: debug builds.
    One,
    /// Any machine.
    Portable,
    /// AVX2 and FMA.
    Avx2,
    /// AVX-512 F, BW, DQ, VL and CD.
    Avx512,
}

/// The best version for this machine, or the one that `ACCELERATE_CPU` (`baseline`, `avx2`, `avx512`) allows.
#[inline]
pub fn level() -> Level {
    static LEVEL: OnceLock<Level> = OnceLock::new();
    *LEVEL.get_or_init(detect)
}

#[cfg(target_arch = "x86_64")]
fn detect() -> Level {
    let wish = std::env::var("ACCELERATE_CPU").unwrap_or_default();
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
    if wish == "baseline" || !avx2 {
        Level::Portable
    } else if wish == "avx2" || !avx512 {
        Level::Avx2
    } else {
        Level::Avx512
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn detect() -> Level {
    Level::Portable
}

/// Work to be instantiated for an instruction set.
pub(super) trait Work {
    type Result;
    /// Must be `#[inline(always)]`, and so must everything it calls that is generic over lanes.
    fn run<L: Lanes>(self) -> Self::Result;
}

/// Runs `work` at `level`, which this machine must have.
#[inline]
pub(super) fn dispatch<W: Work>(level: Level, work: W) -> W::Result {
    match level {
        Level::One => work.run::<One>(),
        Level::Portable => work.run::<Portable>(),
        // SAFETY: `level` comes from `detect`.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => unsafe { avx2(work) },
        // SAFETY: `level` comes from `detect`.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => unsafe { avx512(work) },
        #[cfg(not(target_arch = "x86_64"))]
        Level::Avx2 | Level::Avx512 => unreachable!("not on this architecture"),
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
