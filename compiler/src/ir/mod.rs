//! `Program`: what is computed. Pure, typed, hash-consed, pointful.
//!
//! Elements are flattened to leaf scalars before they come here, so a node is a scalar of one [`Leaf`] type, an
//! array of leaf scalars with symbolic extents, or a bundle of several results read by [`Node::Project`]. Equal
//! expressions are one node, up to the names of bound variables. A `Program` is built through `build.rs` only.
//!
//! `eval.rs` is the meaning, `print.rs` the text, `verify.rs` the invariants.

mod alpha;
mod build;
pub mod eval;
mod half;
mod operands;
mod order;
mod print;
mod quick;
mod routine;
pub(crate) mod scopes;
mod sets;
mod substitute;
mod sweep;
mod table;
#[cfg(test)]
pub(crate) mod tests;
mod total_order;
pub(crate) mod trips;
mod verify;
pub(crate) mod walk;

use crate::scalar::{Binary, Foreign, Leaf, Math, Scalar, Unary};
use crate::sorted::SortedSet;
use crate::spans::SpanId;
pub(crate) use quick::{QuickHasher, QuickMap, QuickSet};
pub use routine::Routine;
pub(crate) use sets::IdSet;
use std::sync::Arc;

/// A node of a program. Operands have smaller ids than their users.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Id(pub u32);

/// A variable bound by a region: an index, an accumulator, the state of a loop. Unique in a program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Var(pub u32);

/// A place in the source that can fail at run time; ordered as in the program text. Indexes [`Program::sites`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Site(pub u32);

/// The type of a node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// One value.
    Scalar(Leaf),
    /// Values over a domain; each extent is a `U64` scalar node.
    Array(Leaf, Vec<Id>),
    /// Several results.
    Bundle(Vec<Type>),
}

/// One expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A literal.
    Constant(Scalar),
    /// The k-th scalar parameter leaf of the program.
    Parameter(u32),
    /// One leaf of an array parameter, as an array.
    Input { array: u32, leaf: u32 },
    /// The length of an array parameter along an axis: `U64`.
    Extent { array: u32, axis: u32 },
    /// A bound variable; its type stands in [`Program::var_type`].
    Variable(Var),
    /// See [`Unary`].
    Unary(Unary, Id),
    /// See [`Binary`].
    Binary(Binary, Id, Id),
    /// `if condition { a } else { b }` with both sides evaluated: scalars only.
    Select(Id, Id, Id),
    /// Rust's `as`.
    Cast(Leaf, Id),
    /// The same bits as another type of the same width.
    Bitcast(Leaf, Id),
    /// See [`Math`].
    Math(Math, Vec<Id>),
    /// A foreign function of scalars: its arguments, and at last what its body says of them. On CUDA devices the function is
    /// called, elsewhere it is the last operand. No rule looks into it.
    Foreign(Arc<Foreign>, Vec<Id>),
    /// Whether it runs on a CUDA device: a `bool` that the host knows. In an evaluation it does not.
    OnCuda,
    /// A bundle of arrays, one for each result of a Rust function of the user's, with all their `extents` in order: what it
    /// computes of its `arguments`, scalars and arrays in memory. Stands in the first side of a branch on [`Node::OnCuda`]
    /// alone; in the other one stands what the body of the foreign function says.
    Routine {
        routine: Arc<Routine>,
        extents: Vec<Id>,
        arguments: Vec<Id>,
    },
    /// An element of an array. In bounds by construction: a read that may fail has a [`Node::Guard`] around it, and
    /// where the guard's condition is false the element is not read.
    Index { array: Id, indices: Vec<Id> },
    /// `value` where `condition` holds; otherwise the failure is reported with `values` and the result is zero.
    /// Nothing that only `value` needs is evaluated where `condition` is false.
    Guard {
        condition: Id,
        site: Site,
        values: Vec<Id>,
        value: Id,
    },
    /// `value`, after `effect` has been evaluated for its failures: what a region evaluates besides what its result needs. What
    /// is not `required` may be left out, as a value on which no result depends may; an assertion may not.
    Demand {
        effect: Id,
        value: Id,
        required: bool,
    },
    /// A bundle: the branch that is taken; only that one is evaluated. Scalars or arrays; an extent in which the two
    /// sides of an array differ is a component too.
    If {
        condition: Id,
        then: Vec<Id>,
        otherwise: Vec<Id>,
    },
    /// A bundle: `while condition(state) { state = next(state) }`, from `initial`. Scalars or arrays; an extent of an
    /// array in the state is a scalar of the state where it varies, and else a node that does not depend on it.
    Loop {
        state: Vec<Var>,
        initial: Vec<Id>,
        condition: Id,
        next: Vec<Id>,
    },
    /// An array by its elements: `vars` run over `extents`.
    Generate {
        extents: Vec<Id>,
        vars: Vec<Var>,
        element: Id,
    },
    /// A bundle of scalars: the elements in row-major order combined by `combined(left, right)`, which associates;
    /// `commutes` if operands may also change places. `initial` enters once, on the left. Without `initial` the
    /// domain is not empty (a guard comes first).
    Reduce {
        extents: Vec<Id>,
        vars: Vec<Var>,
        elements: Vec<Id>,
        left: Vec<Var>,
        right: Vec<Var>,
        combined: Vec<Id>,
        initial: Option<Vec<Id>>,
        commutes: bool,
    },
    /// A bundle of arrays over `extents`: along the last axis, the elements up to each index (inclusive) combined in
    /// order by `combined(left, right)`, which associates. The axes before are independent rows.
    Scan {
        extents: Vec<Id>,
        vars: Vec<Var>,
        elements: Vec<Id>,
        left: Vec<Var>,
        right: Vec<Var>,
        combined: Vec<Id>,
    },
    /// A bundle of arrays like `defaults`, which all have the same extents: at each point of `extents` where `condition`
    /// holds, in any order, the elements at the index `at` (in bounds then) become `combined(left, right)` of what they
    /// are and of `elements`. The operator associates and commutes; or `once` is given, it is `right`, and an index that
    /// comes a second time is reported there, with its coordinates.
    Scatter {
        defaults: Vec<Id>,
        extents: Vec<Id>,
        vars: Vec<Var>,
        condition: Id,
        at: Vec<Id>,
        elements: Vec<Id>,
        left: Vec<Var>,
        right: Vec<Var>,
        combined: Vec<Id>,
        once: Option<Site>,
    },
    /// A bundle of arrays of one axis, which has the extent `count`: the elements at the points of `extents` (one axis too)
    /// where `condition` holds, in order. `count` is the number of those points; elsewhere elements are not evaluated.
    Compact {
        count: Id,
        extents: Vec<Id>,
        vars: Vec<Var>,
        condition: Id,
        elements: Vec<Id>,
    },
    /// A bundle of arrays over `extents`, one per element: along the last axis, the elements in the order of the first
    /// `keys` of them, compared one after the other by [`Scalar::order`], or by `less(left, right)` of them if there is
    /// that: whether the left element comes before the right one. Equal ones keep their order; what is no order gives some
    /// permutation. The axes before are independent rows.
    Sort {
        extents: Vec<Id>,
        vars: Vec<Var>,
        elements: Vec<Id>,
        keys: u32,
        left: Vec<Var>,
        right: Vec<Var>,
        less: Option<Id>,
    },
    /// A component of a bundle.
    Project(Id, u32),
    /// The same array, forced into memory.
    Materialize(Id),
}

/// A parameter of the program.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Parameter {
    /// A scalar, struct or tuple: its leaves, numbered on from the parameters before it.
    Scalars {
        name: String,
        leaves: Vec<(String, Leaf)>,
    },
    /// An array; `consumed` if it was passed by value.
    Array {
        name: String,
        leaves: Vec<(String, Leaf)>,
        rank: u32,
        consumed: bool,
    },
}

/// A result of the program; the surface type (tuples, structs) is the host signature's affair.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Output {
    /// The leaves of one scalar.
    Scalar(Vec<Id>),
    /// The leaves of one array.
    Array { extents: Vec<Id>, leaves: Vec<Id> },
}

/// Something that must hold before anything runs: it depends on scalars known on the host only.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Check {
    /// A `bool` scalar.
    pub condition: Id,
    /// Where it comes from.
    pub site: Site,
    /// Reported when it fails.
    pub values: Vec<Id>,
}

/// What a site reports. The text may use `{0}`, `{1}` .. for the values (printed as `u64`), or `{0:i}` (as `i64`).
#[derive(Clone, Debug)]
pub struct Place {
    /// The variant of the runtime's `Error`: one of LANGUAGE.md section 8.
    pub kind: Failure,
    /// The operation and the values: ``index {0} of an axis of {1} in `xs[i]` ``.
    pub message: String,
    /// The token to point at. Takes no part in printing or hashing.
    pub span: SpanId,
}

/// The kinds of failure a program can meet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the names are the runtime's")]
pub enum Failure {
    ShapeMismatch,
    OutOfBounds,
    DivisionByZero,
    EmptyReduction,
    SegmentMismatch,
    Indivisible,
    AssertionFailed,
}

/// A function as the compiler sees it.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The function's name.
    pub name: String,
    /// `#[fast_math]`: floats may be computed as real numbers are, with other roundings.
    pub fast_math: bool,
    /// In order.
    pub parameters: Vec<Parameter>,
    /// In order.
    pub outputs: Vec<Output>,
    /// In program order.
    pub checks: Vec<Check>,
    /// Indexed by [`Site`].
    pub sites: Vec<Place>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) types: Vec<Type>,
    pub(crate) vars: Vec<Type>,
    /// Variables that the rounds of a loop change.
    pub(crate) states: SortedSet<Var>,
    pub(crate) free: Vec<Arc<SortedSet<Var>>>,
    pub(crate) keys: Vec<order::Key>,
    pub(crate) contents: Vec<walk::Contents>,
    /// Hashes that do not depend on variables' names.
    pub(crate) shapes: Vec<u64>,
    /// Hashes of nodes.
    pub(crate) hashes: Vec<u64>,
    pub(crate) interned: table::Table,
    /// Nodes that have been met with other names of variables than those of the node that stands for them.
    pub(crate) renamed: QuickMap<Node, Id>,
    /// Nodes that bind variables, by their shapes.
    pub(crate) binders: QuickMap<u64, Vec<Id>>,
    /// Names from the source, for readable output; no part in identity.
    pub(crate) names: QuickMap<Id, String>,
    /// Where arrays and reductions come from in the source: no part in identity or printing either.
    pub(crate) spans: QuickMap<Id, SpanId>,
    /// Why an array is stored, where there was a choice.
    pub(crate) reasons: QuickMap<Id, String>,
    pub(crate) var_names: QuickMap<Var, String>,
}
