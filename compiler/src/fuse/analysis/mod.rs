//! What the passes and the planner ask of expressions.
//!
//! `control` tells what is computed by itself, `domains` over which indices arrays of rows are stored, `bounds` which extents are
//! bounded, `partial_sorts` which places of sorts are read, `reads` which reads stay in bounds, `rounds` what the host checks
//! before rounds, `indices` are polynomials, `estimate` counts runs and costs.

pub(in crate::fuse) mod bounds;
pub(in crate::fuse) mod control;
pub(in crate::fuse) mod domains;
pub(in crate::fuse) mod estimate;
pub(in crate::fuse) mod indices;
pub(in crate::fuse) mod partial_sorts;
pub(in crate::fuse) mod reads;
pub(in crate::fuse) mod rounds;
