//! Code motion out of rounds and bodies, of what may fail.

pub(in crate::fuse) mod checks;
pub(in crate::fuse) mod functions;
pub(in crate::fuse) mod scalars;
