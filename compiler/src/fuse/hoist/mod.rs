//! Code motion out of rounds and bodies: checks, scalars that may fail, and mathematical functions.

pub(in crate::fuse) mod checks;
pub(in crate::fuse) mod functions;
pub(in crate::fuse) mod scalars;
