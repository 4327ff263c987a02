//! What its variants tell of a kernel.

use super::Sizes;
use super::machine::Machine;
use crate::program::{Entry, Regime};

/// What sort of work a kernel does.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Kind {
    /// Its rows have lengths of their own.
    pub(super) ragged: bool,
    /// It scans, and may share a row among blocks.
    pub(super) scans: bool,
    /// Its points combine into elements of a target.
    pub(super) scatters: bool,
    /// Elements of a row are apart in memory, in some accesses at least.
    pub(super) columns: bool,
    /// Later phases of a row find its elements in registers, where they are kept.
    keeps: bool,
    /// Rows share what they read, as of products.
    shares: bool,
    /// They do a lot with it, as bodies that draw each other.
    draws: bool,
}

impl Kind {
    pub(super) fn of(entries: &[Entry], sizes: Sizes) -> Kind {
        let any = |is: fn(&Entry) -> bool| entries.iter().any(is);
        let columns = any(|entry| entry.regime == Regime::Columns);
        Kind {
            ragged: sizes.inner.is_none(),
            scans: any(|entry| entry.regime == Regime::Chained),
            scatters: any(|entry| entry.regime == Regime::Tables),
            columns,
            keeps: any(|entry| entry.kept > 0),
            shares: any(|entry| matches!(entry.regime, Regime::Tiled { .. })),
            draws: any(
                |entry| matches!(entry.regime, Regime::Tiled { tile, .. } if tile[0] * tile[1] <= entry.threads),
            ),
        }
    }

    /// Instructions of an element of a row.
    pub(super) fn instructions(self) -> f64 {
        match self {
            Kind { draws: true, .. } => 25.0,
            Kind { shares: true, .. } => 14.0,
            Kind { scans: true, .. } => 18.0,
            Kind { ragged: true, .. } | Kind { keeps: true, .. } => 16.0,
            _ => 2.5,
        }
    }

    /// Cycles from one element of a thread to the next.
    pub(super) fn step(self) -> f64 {
        match self {
            Kind { draws: true, .. } => 25.0,
            Kind { keeps: true, .. } => 32.0,
            _ => 4.0,
        }
    }

    /// Bytes of an element: with a result for each where a kernel scans, and what segments draw at random.
    pub(super) fn bytes(self) -> f64 {
        match self {
            Kind { shares: true, .. } => 2.0,
            Kind { scans: true, .. } => 8.0,
            Kind { ragged: true, .. } => 30.0,
            Kind { keeps: true, .. } => 8.0,
            _ => 4.0,
        }
    }

    /// Of the elements of a thread those that it reads twice.
    pub(super) fn beyond(self, entry: &Entry, taken: f64) -> f64 {
        // A few are found in L1.
        const FEW: u32 = 32;
        match self.keeps {
            true => (taken - f64::from(entry.kept.max(FEW))).max(0.0),
            false => 0.0,
        }
    }

    /// What rows share is in L2.
    pub(super) fn latency(self, memory: f64) -> f64 {
        match self.shares {
            true => memory * 3.0 / 8.0,
            false => memory,
        }
    }

    /// What is waited for before the first element: where a row begins, and what says which elements it draws.
    pub(super) fn before(self) -> f64 {
        match self.ragged {
            true => 1400.0,
            false => 0.0,
        }
    }

    /// Barriers of a round.
    pub(super) fn barriers(self) -> f64 {
        match self.scans {
            true => 6.0,
            false => 0.0,
        }
    }

    /// Rows of unequal lengths in a warp wait for the longest.
    pub(super) fn unequal(self, lanes: f64) -> f64 {
        let beside = (32.0 / lanes).max(1.0) as u32;
        match self.ragged {
            true => 1.0 + f64::from(beside.ilog2()) / 8.0,
            false => 1.0,
        }
    }

    /// Threads that a multiprocessor has registers for.
    pub(super) fn resident(self, entry: &Entry, machine: &Machine) -> f64 {
        let part = match entry.regime {
            Regime::Balanced { .. } => 3.0 / 8.0,
            _ if self.scans || self.ragged => 5.0 / 8.0,
            _ if entry.kept > 0 => 4.0 / 8.0,
            _ => 1.0,
        };
        part * machine.threads
    }
}
