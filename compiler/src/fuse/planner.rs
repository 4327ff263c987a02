//! A plan under construction: the state of the planner, whose methods stand in `steps` and `kernels`.

use crate::fuse::Options;
use crate::fuse::body::sources::Sources;
use crate::fuse::body::values::Values;
use crate::fuse::item::Item;
use crate::ir::{Id, Program};
use crate::plan::{BufferId, Kernel, Note};

/// A plan under construction.
pub(in crate::fuse) struct Planner<'a> {
    pub(in crate::fuse) program: Program,
    pub(in crate::fuse) options: &'a Options,
    pub(in crate::fuse) sources: Sources,
    /// The host's.
    pub(in crate::fuse) values: Values,
    pub(in crate::fuse) kernels: Vec<Kernel>,
    /// The branches and loops of the host around the region, and in which part of each it is.
    pub(in crate::fuse) around: Vec<(Id, usize)>,
    /// In order.
    pub(in crate::fuse) launched: Vec<Launched>,
    /// What the kernel at hand compacts, and the memory with room for all of it.
    pub(in crate::fuse) rooms: Vec<(Id, BufferId)>,
    pub(in crate::fuse) notes: Vec<Note>,
}

/// Items that become one step.
pub(in crate::fuse) struct Group {
    pub(in crate::fuse) shape: Shape,
    pub(in crate::fuse) items: Vec<Item>,
    /// What items need from other groups: producer and consumer.
    pub(in crate::fuse) after: Vec<(Item, Item)>,
    /// Producers that it stores besides its items.
    pub(in crate::fuse) outputs: Vec<Output>,
}

/// An array that the kernel of its consumers computes.
#[derive(Clone)]
pub(in crate::fuse) struct Output {
    pub(in crate::fuse) array: Id,
    /// Whether it is live after the kernel. If not, it has no buffer.
    pub(in crate::fuse) stored: bool,
}

/// A launch that has been planned.
pub(in crate::fuse) struct Launched {
    pub(in crate::fuse) item: Item,
    pub(in crate::fuse) shape: Shape,
    /// The branches and loops around it, and in which part of each it is.
    pub(in crate::fuse) around: Vec<(Id, usize)>,
}

/// The shape of a kernel, by canonical extents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::fuse) enum Shape {
    /// Independent points.
    Points(Vec<Id>),
    /// Rows over these extents, each with reductions.
    Rows(Vec<Id>),
    /// Rows over these extents, each with products over this one: they share tiles.
    Products(Vec<Id>, Id),
    /// One row: reductions over whole domains.
    Whole(Vec<Id>),
    /// Rows and an axis: scans along it.
    Scans(Vec<Id>),
    /// A scatter of these extents, which nothing joins.
    Scatter(Vec<Id>),
    /// A sort of these extents, which nothing joins.
    Sort(Vec<Id>),
    /// No kernel.
    Alone,
}

impl Shape {
    /// The shape with its extents written in another way; scans, scatters and sorts take theirs from their nodes.
    pub(in crate::fuse) fn map(self, of: impl Fn(Vec<Id>) -> Vec<Id>) -> Shape {
        match self {
            Shape::Points(extents) => Shape::Points(of(extents)),
            Shape::Rows(extents) => Shape::Rows(of(extents)),
            Shape::Products(rows, extent) => Shape::Products(of(rows), of(vec![extent])[0]),
            Shape::Whole(extents) => Shape::Whole(of(extents)),
            Shape::Scans(extents) => Shape::Scans(extents),
            Shape::Scatter(extents) => Shape::Scatter(extents),
            Shape::Sort(extents) => Shape::Sort(extents),
            Shape::Alone => Shape::Alone,
        }
    }

    pub(in crate::fuse) fn joins(&self) -> bool {
        !matches!(self, Shape::Alone | Shape::Scatter(_) | Shape::Sort(_))
    }
}
