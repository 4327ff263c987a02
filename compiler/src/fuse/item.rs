//! Items: what may become a kernel of its own.

use crate::ir::Id;

/// Something to compute.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::fuse) enum Item {
    /// A `Materialize` of a closed generate.
    Array(Id),
    /// A closed reduction.
    Fold(Id),
    /// A closed scalar that depends on arrays, to be left in a buffer.
    Scalar(Id),
    /// The same, copied to the host.
    Read(Id),
    /// A scatter.
    Scatter(Id),
    /// A compaction; the host knows its count afterwards.
    Compact(Id),
    /// A sort.
    Sort(Id),
    /// A Rust function of the user's.
    Routine(Id),
    /// A branch or a loop over arrays, or with reductions inside.
    Control(Id),
    /// A guard or demand around an array: evaluated for its failures.
    Effect(Id),
}

impl Item {
    /// The array or scalar that it is about.
    pub(in crate::fuse) fn id(self) -> Id {
        match self {
            Item::Array(id)
            | Item::Fold(id)
            | Item::Scalar(id)
            | Item::Read(id)
            | Item::Scatter(id)
            | Item::Compact(id)
            | Item::Sort(id)
            | Item::Routine(id)
            | Item::Control(id)
            | Item::Effect(id) => id,
        }
    }
}
