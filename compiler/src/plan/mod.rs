//! `Plan`: what runs. Buffers, and steps over them.
//!
//! Every array here is manifest: a producer that was fused has become statements of a kernel's body. Code generators
//! see a `Plan` and nothing before it. Scalar code, on the host and in kernels, is the structured SSA of `body.rs`.

pub(crate) mod affine;
pub mod body;
mod contents;
mod cost;
pub mod interpret;
mod peak;
mod polynomial;
mod print;
pub mod products;
pub mod sorts;
pub mod stages;
mod symbols;
pub mod tiles;
pub(crate) mod uses;
mod verify;
pub mod windows;

pub use body::{Fold, Op, Statement, Value};
pub use products::{Blocks, Products};
pub use sorts::{Comparison, Sorted};
pub use stages::{Room, Stage};
pub use tiles::Tiles;
pub use windows::Windows;

use crate::ir::{Place, Routine, Site};
use crate::scalar::{Leaf, Scalar};
use std::sync::Arc;

/// Numbers that the state of a phase of folds or scans may have: as many as `State` of the runtime's CPU drivers.
pub const MOST_LEAVES: usize = 32;

/// A buffer: one leaf of an array, or one scalar left on the device.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BufferId(pub u32);

/// A kernel of the plan.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct KernelId(pub u32);

/// A function ready to be written as code.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The function's name.
    pub name: String,
    /// As in the program.
    pub parameters: Vec<crate::ir::Parameter>,
    /// Host values bound before the first step: scalar parameter leaves in order ...
    pub scalars: Vec<Value>,
    /// ... and per array parameter its extents.
    pub extents: Vec<Vec<Value>>,
    /// ... and whether it runs on a CUDA device, if anything asks.
    pub on_cuda: Option<Value>,
    /// Types of the host values.
    pub types: Vec<Leaf>,
    /// Names of the host values, for readable output.
    pub names: Vec<Option<String>>,
    /// Indexed by [`BufferId`]. The first ones are the leaves of the array parameters, in order.
    pub buffers: Vec<Buffer>,
    /// Indexed by [`KernelId`].
    pub kernels: Vec<Kernel>,
    /// In order.
    pub steps: Vec<Step>,
    /// The results, in order.
    pub outputs: Vec<Output>,
    /// Indexed by [`Site`].
    pub sites: Vec<Place>,
    /// What it costs.
    pub cost: Cost,
    /// Decisions worth telling: why an edge was fused or stored. Printed with the plan, named by contracts.
    pub notes: Vec<Note>,
}

/// One leaf of an array in device memory, row-major.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// Readable and unique in the plan.
    pub name: String,
    /// The type of its elements.
    pub leaf: Leaf,
    /// Host values; empty for a scalar on the device.
    pub extents: Vec<Value>,
}

/// One thing the host does, in order.
#[derive(Clone, Debug)]
pub enum Step {
    /// Computes host values (no loads, no stores). A failing check inside fails the call at once.
    Compute(Statement),
    /// Fails the call at once if `condition` is false.
    Check {
        condition: Value,
        site: Site,
        values: Vec<Value>,
    },
    /// Makes a buffer; its contents are undefined.
    Allocate(BufferId),
    /// Sets all elements of a buffer to a value whose bytes are all equal.
    Fill { buffer: BufferId, value: Scalar },
    /// A buffer with the contents of another, which it does not share; the same memory if this was the `last` use of the
    /// other name, and it was the last name of that memory. With `last` the name moves.
    Copy {
        buffer: BufferId,
        of: BufferId,
        last: bool,
    },
    /// Runs a kernel on buffers and scalars, one for each of the kernel's parameters.
    Launch {
        kernel: KernelId,
        buffers: Vec<BufferId>,
        scalars: Vec<Value>,
    },
    /// Calls a Rust function of the user's on the device's stream: it reads its arguments, in order, and writes into the
    /// results, which are zeros before. Stands where it is known to run on a CUDA device.
    Routine {
        routine: Arc<Routine>,
        arguments: Vec<Argument>,
        results: Vec<BufferId>,
    },
    /// Waits, and copies the only element of a rank-0 buffer to the host.
    Read { value: Value, buffer: BufferId },
    /// The last use of this name has gone by; when the memory has no other name (or owner), it may be used again.
    /// Parameters that were passed by reference are never released.
    Release(BufferId),
    /// The first elements of a buffer, as many as this one has; the name of the other moves.
    Shrink { buffer: BufferId, of: BufferId },
    /// Another name for the same memory; nothing is copied.
    Share { buffer: BufferId, of: BufferId },
    /// Runs one branch. Joined values and buffers take that branch's.
    If {
        condition: Value,
        then: Vec<Step>,
        otherwise: Vec<Step>,
        values: Vec<body::Join>,
        buffers: Vec<BufferJoin>,
    },
    /// `loop { test; if !condition { break } body; state = next }`. State values and buffers start at `initial` and
    /// stay readable after the loop.
    Loop {
        values: Vec<body::Carry>,
        buffers: Vec<BufferCarry>,
        test: Vec<Step>,
        condition: Value,
        body: Vec<Step>,
    },
}

/// What a routine is called with.
#[derive(Clone, Copy, Debug)]
pub enum Argument {
    /// A leaf of an array.
    Array(BufferId),
    /// A leaf of a scalar, which the host knows.
    Scalar(Value),
}

impl Argument {
    /// The buffer, if it is one.
    pub fn array(&self) -> Option<BufferId> {
        match *self {
            Argument::Array(id) => Some(id),
            Argument::Scalar(_) => None,
        }
    }
}

/// `result` names `then` or `otherwise` after an `If`. The names move: neither is used or released afterwards.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "see the type")]
pub struct BufferJoin {
    pub result: BufferId,
    pub then: BufferId,
    pub otherwise: BufferId,
}

/// `state` starts as `initial` and becomes `next` each round. The names move: `initial` is not used after the loop
/// began, nor `next` after its round; what `state` named before is let go (unless the body released it already).
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "see the type")]
pub struct BufferCarry {
    pub state: BufferId,
    pub initial: BufferId,
    pub next: BufferId,
}

/// A result of the function.
#[derive(Clone, Debug)]
pub enum Output {
    /// A scalar known on the host: its leaves.
    Host(Vec<Value>),
    /// A scalar left in rank-0 buffers: its leaves.
    Device(Vec<BufferId>),
    /// An array: its leaves.
    Array {
        extents: Vec<Value>,
        leaves: Vec<BufferId>,
    },
}

/// One launch: a skeleton with a body. Values of a kernel are its own; `scalars` are bound by the launch.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Readable and unique in the plan: `dotp_reduce`.
    pub name: String,
    /// One line on what it does, for comments and the printed plan.
    pub summary: String,
    /// Types of the kernel's values.
    pub types: Vec<Leaf>,
    /// Names of the kernel's values, for readable code.
    pub names: Vec<Option<String>>,
    /// Where values come from, for readable code.
    pub(crate) places: crate::ir::QuickMap<Value, crate::spans::SpanId>,
    /// What it reads and writes; statements name them by position.
    pub buffers: Vec<Access>,
    /// Values passed at launch: extents and host scalars.
    pub scalars: Vec<Value>,
    /// The shape of the computation.
    pub skeleton: Skeleton,
}

/// A buffer as a kernel sees it. A buffer is read or written by a launch, never both; a scatter combines into those that
/// it writes, a sort goes back and forth between them.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "see the type")]
pub struct Access {
    pub name: String,
    pub leaf: Leaf,
    pub writes: bool,
}

/// The shape of a kernel's computation.
#[derive(Clone, Debug)]
pub enum Skeleton {
    /// Independent elements, of one domain; or of several where each stores a part of the same arrays (see
    /// `fuse::divide`). At least one.
    Elementwise(Vec<Points>),
    /// Independent rows, one for every point of `extents` (rank 0: a single row), each worked on by several threads
    /// together: the phases in order. Values of a `Uniform` phase and results of a `Fold` or `Scan` phase are the same for the
    /// whole row and may be used by all later phases.
    Rowwise {
        extents: Vec<Value>,
        vars: Vec<Value>,
        phases: Vec<Phase>,
        /// How neighbouring rows can be worked on together, if they share what they read.
        tiles: Option<Box<Tiles>>,
        /// What a fold of the rows combines, if that is a contraction.
        products: Option<Box<Products>>,
    },
    /// Independent rows, one for every point of `extents`, each worked on by a block over arrays of its own: see `stages`.
    Staged {
        extents: Vec<Value>,
        vars: Vec<Value>,
        rooms: Vec<Room>,
        stages: Vec<Stage>,
        /// Of the stage that has most.
        points: u64,
    },
    /// Independent points that combine into a few buffers: `body` at every point of `extents`, and where `condition`
    /// holds, the elements at `index` (flat, below `size`) of the `targets` become what the fold's operator gives of
    /// them, on the left, and of its elements; in any order.
    Scatter {
        extents: Vec<Value>,
        vars: Vec<Value>,
        body: Vec<Statement>,
        condition: Value,
        index: Value,
        /// Without an initial value; nobody uses its results.
        fold: Fold,
        /// The number of elements of each target, passed at launch.
        size: Value,
        /// Positions of buffers, one per leaf.
        targets: Vec<usize>,
        meeting: Meeting,
    },
    /// Rows of neighbouring points, each sorted by itself: `body` gives the elements at every point of `extents`. Several
    /// launches: see `sorts`.
    Sort {
        extents: Vec<Value>,
        vars: Vec<Value>,
        body: Vec<Statement>,
        /// The number of points of a row, passed at launch.
        length: Value,
        /// The places of a sorted row that are read, from one to before another, if not all (a partial sort): elsewhere there may
        /// be anything.
        read: Option<[Value; 2]>,
        /// The leaves of an element: the keys first, compared one after the other by [`Scalar::order`], or ...
        parts: Vec<Sorted>,
        /// How many are keys.
        keys: usize,
        /// ... by this.
        by: Option<Box<Comparison>>,
        /// Neighbours that a thread of a GPU takes at once.
        items: u32,
    },
}

/// A domain: `body` (which stores) for every point of `extents`; `vars` are the point's coordinates, the last one running
/// fastest. Rank 1 wherever the index arithmetic allows (see `fuse`). Rank 0: one element.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "see the type")]
pub struct Points {
    pub extents: Vec<Value>,
    pub vars: Vec<Value>,
    pub body: Vec<Statement>,
    /// How neighbouring points can be worked on together, if they share what they read. Of a kernel's only domain.
    pub windows: Option<Box<Windows>>,
}

impl Skeleton {
    /// The domains that a launch goes through: their sizes together are its rows, or elements.
    pub fn domains(&self) -> Vec<&[Value]> {
        match self {
            Skeleton::Elementwise(parts) => parts.iter().map(|part| &part.extents[..]).collect(),
            Skeleton::Rowwise { extents, .. }
            | Skeleton::Staged { extents, .. }
            | Skeleton::Scatter { extents, .. }
            | Skeleton::Sort { extents, .. } => vec![extents],
        }
    }
}

/// What a scatter does about points with one target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meeting {
    /// Each leaf is combined by itself, atomically: it is the only one, or the operator is known.
    Apart,
    /// All leaves are combined under a lock: the target's position modulo `count`, which is the length of `locks`, a
    /// buffer of `U32` that are zero.
    Locked { locks: usize, count: Value },
    /// The elements are stored. Of points with one target all but one are reported, with the target's position. `met`, a
    /// buffer of `U32` that are zero, has a bit for each target.
    Once { met: usize, site: Site },
    /// There are none: the elements are stored.
    Never,
}

/// A part of a row's work.
#[derive(Clone, Debug)]
pub enum Phase {
    /// Scalar code once per row. Stores happen once; failed checks are reported once.
    Uniform(Vec<Statement>),
    /// Reductions over one domain, computed together.
    Fold {
        extents: Vec<Value>,
        vars: Vec<Value>,
        body: Vec<Statement>,
        folds: Vec<Fold>,
    },
    /// Independent elements of the row: `body` (which stores) for every point of `extents`.
    Each {
        extents: Vec<Value>,
        vars: Vec<Value>,
        body: Vec<Statement>,
    },
    /// Scans of one axis of the row, computed together: `body` gives the operands at each point of it, in order, and
    /// `each` (which stores) runs once per point with what they combine to up to there. The folds have no initial
    /// value; their results are what all operands combine to, zero if there are none.
    ///
    /// `after` are reductions of what `each` computes at all points, in any order, by known operators.
    Scan {
        extents: Vec<Value>,
        vars: Vec<Value>,
        body: Vec<Statement>,
        folds: Vec<Fold>,
        /// One per fold.
        prefixes: Vec<Prefix>,
        each: Vec<Statement>,
        after: Vec<Fold>,
    },
}

/// What a scan knows at a point: a value per leaf of its state.
#[derive(Clone, Debug)]
pub struct Prefix {
    /// The operands up to this point, combined.
    pub through: Vec<Value>,
    /// The operands before this point, combined; anything at the first point. Empty if nobody asks.
    pub before: Vec<Value>,
}

/// Static cost, as polynomials in the parameters' extents.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// Launches on the worst path, a loop's body counted once.
    pub kernels: u32,
    /// Distinct bytes read, summed over launches: `8 * xs.len() + 4` in text and as terms.
    pub read: Polynomial,
    /// Distinct bytes written, summed over launches.
    pub written: Polynomial,
    /// Bytes of results and temporaries that a call has at one time, at most.
    pub peak: Polynomial,
}

/// A sum of integer multiples of products of symbols (`xs.len()`, `m.shape().0`, or a named unknown such as `rounds`).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Polynomial {
    /// Sorted by their symbols; no zero coefficients.
    pub terms: Vec<(i64, Vec<String>)>,
}

/// A decision of the optimiser, told to the reader.
#[derive(Clone, Debug)]
pub struct Note {
    /// For example: ``stored `blurred`: 25 reads of each element would repeat 3 operations``.
    pub text: String,
    /// The producer's place in the source, where known.
    pub span: Option<crate::spans::SpanId>,
    /// Whether this edge kept two kernels apart.
    pub barrier: bool,
}
