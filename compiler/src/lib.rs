//! The compiler behind `accelerate!`: tokens in, Rust and CUDA C out.
//!
//! Two drivers call it with the same tokens. The procedural macro (`macros/`) gives the Rust back to rustc; the build
//! script (`build-support/`) has the CUDA C compiled to PTX, which the macro embeds. They share nothing but this crate and
//! a file name with a hash in it, so this crate is pure: the same tokens give the same text everywhere.
//!
//! # The pipeline
//!
//! [`compile`] takes a block through these stages in order; `unit.rs` is the list as code.
//!
//! | stage | in and out | where |
//! |---|---|---|
//! | parse | tokens to the items of the block, as written | [`syntax`] |
//! | check | names, types, methods: every expression has a type, or the user has a diagnostic | [`check`], giving [`typed`] |
//! | lower | calls, closures, tuples, mutation and early exits go; what can fail is named, and where it is evaluated | [`lower`], giving [`ir`] |
//! | simplify | rewriting by equations, index arithmetic with ranges, known control | [`pass`] |
//! | fuse | which arrays are stored at all, and in which kernel each value is computed | [`fuse`], giving [`plan`] |
//! | write | the plan as CUDA C, as Rust over lanes for the CPU, and as the host's code | [`codegen`] |
//!
//! # The passes
//!
//! Every pass from `Program` to `Program` stands in one list, [`PASSES`]. The first group, [`pass::SIMPLIFY`], is run in rounds until
//! nothing changes; the second, [`fuse::PREPARE`], once. The program is verified after each in debug builds of tests and tools; an [`Observer`] is told
//! when each begins, what it has made of the program and which rules it has applied; [`Options::switch_off`] leaves one out by
//! name, if programs are right without it; `ACCELERATE_DUMP=simplify,inline` (or `all`) in a build writes
//! `target/accelerate/<package>/<function>.<pass>.ir`.
//!
//! | pass | what it does |
//! |---|---|
//! | `simplify` | folds constants and applies the equations of `pass/rules.rs` |
//! | `forward` | reads through views become reads of what they look at; sorts of what is sorted and scatters in place go |
//! | `eliminate` | index arithmetic, checks and choices that ranges decide |
//! | `prune` | branches, loops and guards of known outcome go, and what nothing uses |
//! | `fuse-compactions` | consumers of a compaction are computed over its source, predicated |
//! | `unroll-sorts` | sorts of a few elements of which single ones are read become networks of comparisons |
//! | `flatten` | loops, scatters and sorts of rows become one of all rows |
//! | `hoist-checks` | checks of a round that its host can make leave it |
//! | `inline` | decides what is stored; all else is computed where it is read |
//! | `delinearize` | a reduction of a flat index that is divided into axes goes through these |
//! | `propagate-conditions` | a condition on indices takes the clamps from the sides of its branch, a row's check the guards from its elements |
//! | `clamp-extents` | speculative extents that wrap are zero |
//! | `limit-speculation` | items without bounds are evaluated under a condition of the host's, or in place |
//! | `speculate` | reductions and scans that may fail, and that only some elements demand, are computed once, without failures |
//! | `store-scans` | scans with consumers that are no epilogues are stored |
//! | `guard-reads` | speculative reads test their bounds |
//! | `contract` | under `#[fast_math]`: products and sums become one instruction |
//! | `hoist-functions` | mathematical functions of some axes of a domain are computed once for these |
//! | `distribute` | products of two extents that an element folds are stored, but for one: each has a kernel with tiles of its own |
//! | `hoist-scalars` | scalars that may fail are hoisted out of the bodies that need them, loops and functions that a row shares out of its elements |
//!
//! Errors of the user are collected through `parse`, `check` and `lower`, and stop a function there; from `simplify` on nothing
//! fails. A function with errors still expands to its signature, so that the rest of the file type-checks.
//!
//! # One program after each stage
//!
//! ```text
//! pub fn rmse(xs: &Vector<f32>, ys: &Vector<f32>) -> f32 {
//!     let squares = xs.zip(ys).map(|(x, y)| (x - y) * (x - y));
//!     (squares.sum() / xs.len() as f32).sqrt()
//! }
//! ```
//!
//! As a [`Program`](ir::Program): pure, typed, pointful. `zip` and `map` have become an array by its elements, `sum` a
//! reduction, the rule that lengths agree a check. Equal expressions are one node, so `x - y` stands there once.
//!
//! ```text
//! program rmse(xs: [n]f32, ys: [m]f32) -> f32
//!   check n == m #0 [n, m] "`zip` of arrays of lengths {0} and {1}"
//!   x3 = reduce(n, |i0| {
//!     squares = generate(n, |i1| {
//!       x2 = xs[i1] - ys[i1]
//!       x2 * x2
//!     })
//!     squares[i0]
//!   }, add, -0.0_f32)
//!   sqrt(x3 / n as f32)
//! ```
//!
//! As a [`Plan`](plan::Plan): every array that is left is in memory, every value has its place. By the one law
//! `generate(n, f)[i] = f(i)` the squares have gone into the reduction; the division and the root come after it, in the
//! kernel too, since its result is on the device.
//!
//! ```text
//! plan rmse(xs: [xs_len]f32, ys: [ys_len]f32): 1 kernels, reads 8 * xs.len() bytes, writes 4
//!   check xs_len == ys_len else "`zip` of arrays of lengths {0} and {1}" (xs_len, ys_len)
//!   result = allocate []f32
//!   launch rmse_reduce(xs, ys, result, xs_len, xs_len as f32)
//!   return result
//!
//! kernel rmse_reduce(xs: []f32, ys: []f32, out result: []f32, t1: u64, t2: f32)
//!   row-wise: result
//!   for each row the whole {
//!     together fold t3 < t1 {
//!       x = xs[t3]
//!       y = ys[t3]
//!       t4 = x - y
//!       t5 = add from -0.0: t4 * t4
//!     }
//!     result_2 = sqrt(t5 / t2)
//!     result[0] = result_2
//!   }
//! ```
//!
//! As code: the kernel is a function of CUDA C per regime (a thread, part of a warp, a block or many blocks per row; the
//! runtime chooses by the extents; of segments those that are too long for a block are left to equal shares of all; what one
//! phase of a row has read or computed its threads keep in registers for the next) under what it uses of the prelude, and a
//! struct with methods over any instruction set for the CPU. The host's code allocates and launches:
//!
//! ```text
//! pub fn rmse(device: &Device, xs: &Vector<f32>, ys: &Vector<f32>) -> Result<f32> {
//!     let mut call = Call::begin(device, rmse::__PROGRAM)?;
//!     let ([xs_len], [xs]) = call.input("xs", xs)?;
//!     let ([ys_len], [ys]) = call.input("ys", ys)?;
//!     call.check(xs_len == ys_len, 0, [xs_len as i64, ys_len as i64])?;
//!     let result = call.allocate(Leaf::F32, &[])?;
//!     if call.on_cpu() { /* the struct */ } else { /* launch the CUDA C */ }
//!     let done = call.end()?;
//!     done.wait()?;
//!     Ok(done.read::<f32>(&result)?)
//! }
//! ```
//!
//! `cargo run -p accelerate-rs-compiler --example stages FILE` shows every stage of the blocks in a file; a build leaves
//! most of them in `target/accelerate/<package>`, `ACCELERATE_DUMP=all` the others.
//!
//! # What is not here
//!
//! - No files (but for [`package`], which reads for drivers), environment, clock or process, and no panic on user input; a
//!   panic is a bug of ours and says so.
//! - No surface types below `lower`: elements are leaves there, `usize` is `u64`, an integer of 128 bits its two halves.
//! - No `Program` in `codegen`: it writes what a plan says and decides nothing about fusion.
//! - No source position in an identity: spans stand in tables beside nodes, and the artifact's hash is taken of the plan's
//!   text and the CUDA C, so that moving a function in its file changes nothing.
//! - No iteration over a hash map where order shows: sets and maps are ordered ([`sorted`]).

#![forbid(unsafe_code)]

pub mod check;
pub mod codegen;
mod contracts;
pub mod diag;
mod failing;
mod foreign;
pub mod fuse;
pub mod ir;
#[cfg(test)]
#[path = "../../tests/listing.rs"]
mod listing;
pub mod lower;
mod options;
pub mod package;
pub mod pass;
mod passes;
pub mod plan;
pub mod scalar;
pub mod sorted;
mod sources;
pub mod spans;
pub mod syntax;
pub mod typed;
mod unit;
mod visits;

pub use codegen::host::{Built, header, refusal};
pub use foreign::Files;
pub use options::{Options, Tiling};
pub use passes::PASSES;
pub use sources::{Reader, Sources};
pub use unit::{Compiled, Observer, Unit, compile, compile_observed};
pub use visits::visits;
