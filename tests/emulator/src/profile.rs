//! What accesses of kernels would cost on a GPU, as the device counts them in instrumented kernels (`native/profile.h`).

use crate::Emulator;
use std::ffi::{CStr, c_char, c_int};

/// How memory is accessed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Access {
    Read,
    Write,
    Atomic,
    SharedRead,
    SharedWrite,
    SharedAtomic,
}

impl Access {
    const ALL: [(&'static str, Access); 6] = [
        ("read", Access::Read),
        ("write", Access::Write),
        ("atomic", Access::Atomic),
        ("shared read", Access::SharedRead),
        ("shared write", Access::SharedWrite),
        ("shared atomic", Access::SharedAtomic),
    ];

    /// Whether memory of a block is meant, where wavefronts are counted; else the device's, where sectors are.
    pub fn is_shared(self) -> bool {
        matches!(
            self,
            Access::SharedRead | Access::SharedWrite | Access::SharedAtomic
        )
    }
}

impl std::fmt::Display for Access {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (name, _) = Access::ALL[*self as usize];
        f.write_str(name)
    }
}

/// What was counted of a place in a kernel, over all its launches.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The entry.
    pub kernel: String,
    /// How it accesses memory.
    pub access: Access,
    /// Functions with their lines, the innermost first.
    pub place: String,
    /// Of warps.
    pub requests: u64,
    /// That took part in them.
    pub lanes: u64,
    /// Sectors, or wavefronts.
    pub units: u64,
    /// As many as there are at best.
    pub ideal: u64,
    /// Atomic operations on one address.
    pub most: u64,
}

impl Place {
    /// How much more than the best.
    pub fn ratio(&self) -> f64 {
        self.units as f64 / self.ideal.max(1) as f64
    }

    fn of_line(line: &str) -> Option<Place> {
        let fields: Vec<&str> = line.split('\t').collect();
        let [kernel, access, place, requests, lanes, units, ideal, most] = fields[..] else {
            return None;
        };
        let (_, access) = Access::ALL.into_iter().find(|(name, _)| *name == access)?;
        Some(Place {
            kernel: kernel.to_owned(),
            access,
            place: place.to_owned(),
            requests: requests.parse().ok()?,
            lanes: lanes.parse().ok()?,
            units: units.parse().ok()?,
            ideal: ideal.parse().ok()?,
            most: most.parse().ok()?,
        })
    }
}

impl Emulator {
    /// Counts from now on, and from nothing, or not. Kernels that are compiled from then on are instrumented for it.
    pub fn profile(&self, on: bool) {
        self.set::<c_int>("accelerate_emulator_profile", on.into());
    }

    /// What was counted, by kernel, access and place.
    pub fn places(&self) -> Vec<Place> {
        let text = self.call::<*const c_char>("accelerate_emulator_profile_table");
        // SAFETY: a text that stays valid until the next call.
        let text = unsafe { CStr::from_ptr(text) }.to_string_lossy();
        text.lines().filter_map(Place::of_line).collect()
    }

    /// How many bytes of the allocation that begins there kernels have read and written since this was asked before.
    pub fn touched(&self, address: u64) -> (u64, u64) {
        type Touched = unsafe extern "C" fn(u64, *mut u64, *mut u64);
        let (mut read, mut written) = (0, 0);
        // SAFETY: the declared type; both results outlive the call.
        unsafe {
            self.symbol::<Touched>("accelerate_emulator_touched")(address, &mut read, &mut written);
        }
        (read, written)
    }
}
