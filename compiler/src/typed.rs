//! The language after type checking: what `check` makes of syntax and `lower` turns into `ir`.
//!
//! Every type is known, every name is resolved, patterns are irrefutable or tested in order, methods are resolved to
//! operations. Helpers and closures are still calls: `lower` inlines them.

mod items;
mod operations;

use crate::scalar::{Binary, Leaf, Math, Scalar, Unary};
use proc_macro2::Span;

pub use items::{
    Attributes, Constant, File, Foreign, Home, Host, Limited, Method, Struct, TypeItem, Variant,
};
pub use operations::{Axes, Boundary, Compaction, Reduction, Scan, Scatter, Sort};

/// The types that Rust has without a path.
pub(crate) const PRIMITIVES: [&str; 17] = [
    "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "str", "u8", "u16",
    "u32", "u64", "u128", "usize",
];

/// A type of the surface language, fully inferred.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// A scalar. `usize` and `isize` are kept apart from `u64` and `i64` here, and only here.
    Leaf(Leaf),
    /// `usize`: lengths and indices.
    Usize,
    /// `isize`.
    Isize,
    /// `i128` and `u128`, of scalar code only: a pair for [`ExprKind::Field`], the high half with the sign, and the low one.
    I128,
    /// See above.
    U128,
    /// `char`: a `u32` below the type checker.
    Char,
    /// `Ordering`: an `i8` below the type checker, -1, 0 or 1.
    Ordering,
    /// `[T; n]`: a tuple of equal types below the type checker.
    Fixed(Box<Type>, usize),
    /// A tuple; the unit type is the empty one.
    Tuple(Vec<Type>),
    /// A struct or an enum of the block: its position in [`Block::structs`].
    Struct(usize),
    /// A bundle: a struct with an array among its fields, which is a tuple with names, and no element.
    Bundle(usize),
    /// `Option<T>` of an element: a `bool`, and the leaves of T, which are zeros in a `None`.
    Option(Box<Type>),
    /// `a..b` of integers, as a value.
    Range(Box<Type>),
    /// An array of elements with its rank; `Scalar<T>` is rank 0. Arrays of arrays (`rows()`) are [`Type::Nested`].
    Array(Box<Type>, usize),
    /// `m.rows()`, `m.columns()`, `xs.outer()`, `xs.axis(k)`: an array of rank `outer` whose elements are arrays.
    Nested {
        /// The rank of the outer array.
        outer: usize,
        /// The type of each element: an `Array`, or a tuple of arrays and scalars after `zip`.
        inner: Box<Type>,
    },
    /// `Segmented<T>`: vectors of any lengths, one after the other. A pair for [`ExprKind::Field`]: their elements, a vector,
    /// and where each begins and the last one ends, a vector of `usize`.
    Segmented(Box<Type>),
    /// `Offsets::new(&offsets)`: where segments begin and end, in a vector of integers of this type.
    Offsets(Box<Type>),
    /// What a stencil's closure gets: the elements around one, by their offsets. The element type and the rank.
    Window(Box<Type>, usize),
    /// A closure, known by its definition.
    Closure,
    /// A parameter of a helper that is a function: its arguments and its result.
    Function(Vec<Type>, Box<Type>),
    /// The type of `return`, `break`, `continue` and endless loops.
    Never,
    /// A type that `check` has not found yet: never in a finished block.
    Unknown(u32),
}

/// The types of the halves of integers of 128 bits.
static HALVES: [Type; 2] = [Type::Leaf(Leaf::I64), Type::Leaf(Leaf::U64)];

impl Type {
    /// Of an integer of 128 bits, the types of its high and its low half.
    pub fn halves(&self) -> Option<[&'static Type; 2]> {
        match self {
            Type::I128 => Some([&HALVES[0], &HALVES[1]]),
            Type::U128 => Some([&HALVES[1], &HALVES[1]]),
            _ => None,
        }
    }

    /// Whether it is an integer of 128 bits.
    pub fn is_wide(&self) -> bool {
        self.halves().is_some()
    }

    /// Whether it holds an array.
    pub fn has_array(&self) -> bool {
        match self {
            Type::Array(..)
            | Type::Nested { .. }
            | Type::Segmented(_)
            | Type::Offsets(_)
            | Type::Bundle(_) => true,
            Type::Tuple(types) => types.iter().any(Type::has_array),
            Type::Fixed(element, _) => element.has_array(),
            _ => false,
        }
    }
}

/// A compiled block: items by position, in source order.
#[derive(Default)]
pub struct Block {
    /// Structs and enums, whose fields are element types; those of bundles may be arrays.
    pub structs: Vec<Struct>,
    /// What the host sees of the constants, in source order.
    pub constants: Vec<Constant>,
    /// Functions with concrete types: public ones and helpers; each generic helper once per instantiation.
    pub functions: Vec<Function>,
    /// Public functions and expressions with errors, which are left out above: to be emitted as stubs.
    pub failed: Vec<Host>,
}

/// A function.
pub struct Function {
    /// Its name.
    pub name: syn::Ident,
    /// What the host sees.
    pub host: Host,
    /// Of an `impl`, if the host may have it: that depends on its body, too.
    pub method: Option<Method>,
    /// What fails in it fails at its call.
    pub fails_at_call: bool,
    /// Attributes of the language: contracts and permissions.
    pub attributes: Attributes,
    /// In order. A parameter's pattern is a name.
    pub parameters: Vec<Parameter>,
    /// The result type.
    pub result: Type,
    /// The body.
    pub body: Expr,
    /// Number of locals; ids are `0..locals`.
    pub locals: u32,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Bound to the argument.
    pub local: Local,
    /// Its type.
    pub ty: Type,
    /// An array passed by value.
    pub consumed: bool,
    /// The name's place.
    pub span: Span,
}

impl Parameter {
    /// Whether the host passes a reference.
    pub fn is_borrowed(&self) -> bool {
        self.ty.has_array() && !self.consumed
    }
}

/// A local variable of a function, unique in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Local(pub u32);

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// The token to underline: the operator of a binary expression, the name of a method, else the whole.
    pub span: Span,
}

/// The kinds of expression. Evaluation order is left to right.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A scalar literal, a constant of the block or of Rust's (`f32::consts::PI`, `i32::MAX`), already evaluated.
    Constant(Scalar),
    /// A variable.
    Local(Local),
    /// A tuple, or the fields of a struct (by `ty`) in order.
    Tuple(Vec<Expr>),
    /// A field of a tuple or struct.
    Field(Box<Expr>, usize),
    /// `Some(x)`, `None`.
    Option(Option<Box<Expr>>),
    /// A variant, by its position, of the enum that is the type, with its fields in order.
    Variant(usize, Vec<Expr>),
    /// `a..b`, with `..=` already turned into an exclusive end where it is a range of a `for`; see [`For`].
    Range(Box<Expr>, Box<Expr>),
    /// An operator on scalars; also the exact methods of numbers.
    Unary(Unary, Box<Expr>),
    /// An operator on scalars of one type (the right operand of a shift is cast to `u32`). Comparisons `>` and `>=`
    /// are `Lt` and `Le` with operands exchanged after both have been evaluated. Integer `Div` and `Rem` fail on 0.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `&&` and `||`, which evaluate the right side only where needed.
    Lazy {
        and: bool,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// A mathematical function of scalars.
    Math(Math, Vec<Expr>),
    /// A method of numbers that is made of simpler operations: `rem_euclid`, `clamp`, `signum`, `checked_add` ...
    Number(&'static str, Vec<Expr>),
    /// `as`.
    Cast(Box<Expr>),
    /// `to_bits`, `from_bits`.
    Bitcast(Box<Expr>),
    /// A function of the block, by its position: inlined.
    Call(usize, Vec<Expr>),
    /// A closure: a value of type `Closure`, bound by `let` or passed to an operation.
    Closure(Box<Closure>),
    /// A call of a closure bound to a local.
    CallClosure(Local, Vec<Expr>),
    /// An array operation: a row of the table in `check/operations_table.rs`.
    Array(ArrayOp, Vec<Expr>),
    /// Elementwise operator on arrays of one shape, or array and scalar (either side).
    Elementwise(Elementwise, Vec<Expr>),
    /// `xs[i]`, `m[(i, j)]`: checked.
    Index(Box<Expr>, Box<Expr>),
    /// Statements and a value.
    Block(Vec<Stmt>, Option<Box<Expr>>),
    /// `if`; a missing `else` is the unit. Over scalars or arrays.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `if let` and `match`: the first arm whose pattern fits and whose guard holds. The last one always fits.
    Match(Box<Expr>, Vec<Arm>),
    /// `while condition { body }`; `loop` has a constant condition.
    While {
        label: Label,
        condition: Box<Expr>,
        body: Box<Expr>,
    },
    /// `for`.
    For(Box<For>),
    /// `'label: { .. }`, of type `()` or `!`: `Break` leaves it.
    Labelled(Label, Box<Expr>),
    /// Leaves the loop or the block `label`; a value has been assigned before.
    Break(Label),
    /// Next round of the loop `label`.
    Continue(Label),
    /// Leaves the function (a closure's `return` leaves the closure).
    Return(Option<Box<Expr>>),
    /// `place = value`; compound assignments are spelled out.
    Assign(Place, Box<Expr>),
    /// `assert!(condition, "message")`, or `panic!("message")`, which has no value.
    Assert(Box<Expr>, String),
}

/// The target of an assignment: a mutable local, or a field of one (by positions).
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "see the type")]
pub struct Place {
    pub local: Local,
    pub fields: Vec<usize>,
}

/// A loop's identity, unique in a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Label(pub u32);

/// `for pattern in range`.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "see the type")]
pub struct For {
    pub label: Label,
    pub pattern: Pattern,
    pub range: LoopRange,
    pub body: Expr,
}

/// `start..end`, or from the end down if `reversed`, of which `steps` take some.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "see the type")]
pub struct LoopRange {
    pub start: Expr,
    pub end: Expr,
    /// `..=`
    pub inclusive: bool,
    /// `.rev()`
    pub reversed: bool,
    /// `.step_by(k)`, one after another.
    pub steps: Vec<LoopStep>,
}

/// `.step_by(by)`, with `.rev()` after it.
#[derive(Clone, Debug)]
pub struct LoopStep {
    /// A `usize`; 0 is a failed assertion.
    pub by: Expr,
    /// The same items, the last one first.
    pub backwards: bool,
}

/// A statement.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "see the type")]
pub enum Stmt {
    Let {
        pattern: Pattern,
        value: Option<Expr>,
    },
    /// An expression whose value, if any, is dropped.
    Expr(Expr),
}

/// An arm of a match.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "see the type")]
pub struct Arm {
    pub pattern: Pattern,
    pub guard: Option<Expr>,
    pub body: Expr,
}

/// A pattern.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// `_`
    Wild,
    /// `x`, `mut x`, and `x @ pattern`.
    Bind {
        local: Local,
        name: String,
        ty: Type,
        inner: Option<Box<Pattern>>,
    },
    /// A tuple or a struct, every field in order (`..` is filled with `_`).
    Tuple(Vec<Pattern>),
    /// A literal.
    Literal(Scalar),
    /// `a..=b`, `a..`, `..=b`; an exclusive end has been turned into an inclusive one.
    Range(Option<Scalar>, Option<Scalar>),
    /// `Some(p)` and `None`.
    Option(Option<Box<Pattern>>),
    /// A variant of an enum, by their positions, every field in order.
    Variant(usize, usize, Vec<Pattern>),
    /// `a | b`: binds nothing.
    Or(Vec<Pattern>),
}

/// A closure. It may read every local in scope.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "see the type")]
pub struct Closure {
    pub parameters: Vec<(Pattern, Type)>,
    pub body: Expr,
    pub span: Span,
}

/// Operators that work elementwise on arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "see the type")]
pub enum Elementwise {
    Unary(Unary),
    /// `exchanged`: the operands change places (`>` is `Lt` exchanged).
    Binary {
        op: Binary,
        exchanged: bool,
    },
}

/// The array operations of LANGUAGE.md section 4 and 6. Arguments: the receiver first, then the written ones in order.
/// Shapes and indices are `usize` or tuples of `usize`; closures are `ExprKind::Closure` or a closure's local.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names are the language's")]
pub enum ArrayOp {
    Generate,
    Fill,
    Iota,
    /// A range used as a vector.
    RangeVector,
    Linspace,
    Map,
    MapIndexed,
    /// `xs.zip(ys)` and `zip((xs, ys, ..))`: the arrays as separate arguments; the element is a tuple of theirs.
    Zip,
    /// Arrays first, the closure (of one parameter per array) last.
    ZipWith,
    /// An array of tuples to a tuple of arrays.
    Unzip,
    /// A reduction of the axes that [`Axes`] names. `Fold` has `init` and the operator as arguments, `Fold1` the
    /// operator; the others none but `Dot`, which has the second array.
    Reduce(Reduction, Axes),
    /// A scan of the last axis, from the right if `reversed`. `Whole` and `Exclusive` have `init` and the operator as
    /// arguments, `Inclusive` the operator; the others none. If `segmented`, segments stand before them as in [`Axes`].
    Scan {
        scan: Scan,
        reversed: bool,
        segmented: bool,
    },
    /// See [`Scatter`] for the arguments after the receiver.
    Scatter(Scatter),
    /// A closure after the receiver, but for `Dedup` and `Unique`.
    Compact(Compaction),
    /// See [`Sort`] for the arguments after the receiver.
    Sort(Sort),
    Gather,
    Select,
    Take,
    Skip,
    Tail,
    Init,
    First,
    Last,
    /// Arguments after the receiver: for each axis a `usize` (drops it) or a `Range`; none is left out, `..` is `0..len`.
    Slice,
    /// Every k-th element of each axis, from the end if k is negative: one constant `isize` per axis.
    Steps,
    /// New axes along which nothing changes: their places in the result, and their extents, in turn.
    Replicate,
    Row,
    Column,
    Reshape,
    Flatten,
    Transpose,
    /// The axes are constants: `PermuteAxes` has one `Constant` argument per axis.
    PermuteAxes,
    Reverse,
    RotateLeft,
    RotateRight,
    BroadcastTo,
    /// A new axis of extent 1 at the constant position given.
    ExpandAxis,
    Concat,
    /// The constant axis, and the other array.
    ConcatAxis,
    /// Arrays of one shape along a new first axis.
    Stack,
    Interleave,
    Deinterleave,
    Halve,
    Pairs,
    /// The first axis in parts of an extent, or windows of an extent at every so manieth place.
    Split,
    Join,
    Slide,
    /// Two counts, and the boundary.
    Pad,
    /// Arrays of arrays over the first axis: an extent.
    Windows,
    Chunks,
    ChunksExact,
    /// Each array with its boundary in turn, then the closure of one window per array.
    Stencil,
    /// `Offsets::new(&offsets)`.
    Offsets,
    /// `Segmented::new(values, segments)`, the segments as in [`Axes`].
    Segmented,
    /// A closure of a vector after the receiver; of an element, if that is a vector of elements.
    MapSegments,
    /// A vector of counts.
    RepeatEach,
    /// How long the segments are.
    Lengths,
    /// What stands beyond the edges of an array: an argument of `Pad` and `Stencil` only. The value, or the closure.
    Boundary(Boundary),
    /// `w[(dy, dx)]` of a window: an `isize` per axis.
    Neighbour,
    Matmul,
    Matvec,
    OuterProduct,
    Materialize,
    /// `xs.len()` of any rank: the number of elements.
    Len,
    /// `m.shape()`.
    Shape,
    /// `xs.get(i)`: an `Option`.
    Get,
    /// `unsafe { *xs.get_unchecked(i) }`
    GetUnchecked,
    Rows,
    Columns,
    Outer,
    /// A constant axis.
    Axis,
    /// `Scalar<T>` to `T`.
    Value,
}
