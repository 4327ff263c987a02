//! Under which conditions a value is demanded.
//!
//! `regions` has the domains and loops around what is evaluated in any case, `conditions` what holds wherever a value is demanded,
//! and whether any branch that demands it is taken, `loops` the same of loops over arrays.

pub(in crate::fuse) mod conditions;
pub(in crate::fuse) mod loops;
pub(in crate::fuse) mod regions;
