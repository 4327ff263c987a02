//! One corpus of programs, many readers: what the tiers of the suite share.

#[macro_use]
extern crate accelerate;

pub mod corpus;
pub mod inputs;
#[path = "../programs/mod.rs"]
pub mod programs;
pub mod value;
