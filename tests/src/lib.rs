//! One corpus of programs, many readers: what the crates of programs and the tiers of the suite share.

pub mod corpus;
pub mod inputs;
#[path = "../listing.rs"]
mod listing;
pub mod value;
