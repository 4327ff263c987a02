//! What an expression lowers to: trees of IR nodes.
//!
//! An element is a tree whose leaves are scalar nodes; an array is the same tree with array nodes for leaves, so
//! that tuples, structs and options are gone once the leaves are taken out of the tree.

use super::{Lower, Lowered, not_yet};
use crate::ir::{Id, Node, QuickMap};
use crate::scalar::{Leaf, Scalar};
use crate::sorted::SortedMap;
use crate::typed::{self, Label, Local, Type};
use proc_macro2::Span;
use std::rc::Rc;

/// The value of an expression.
#[derive(Clone)]
pub(super) enum Value<'a> {
    /// One leaf: a scalar node, or an array node inside [`Array::tree`].
    Scalar(Id),
    /// A tuple or a struct.
    Tuple(Vec<Value<'a>>),
    /// `payload` is zero where `some` is false, and safe to evaluate always.
    Option {
        some: Id,
        payload: Box<Value<'a>>,
    },
    /// `start..end`.
    Range(Id, Id),
    Array(Array<'a>),
    Nested(Nested<'a>),
    Window(Rc<Window<'a>>),
    Closure(Rc<ClosureValue<'a>>),
    /// Declared, not assigned yet.
    Unset,
    /// The value of an expression that never gives one.
    Never,
}

/// An array: one array node per leaf of the element. The nodes' own extents have the same values as `extents`, but
/// need not be the same nodes.
#[derive(Clone)]
pub(super) struct Array<'a> {
    pub(super) extents: Vec<Id>,
    pub(super) tree: Box<Value<'a>>,
}

/// How an array of arrays makes its element at an index.
type Element<'a> = dyn Fn(&mut Lower<'a>, &[Id]) -> Value<'a> + 'a;

/// An array of arrays: never stored, always a view.
#[derive(Clone)]
pub(super) struct Nested<'a> {
    pub(super) extents: Vec<Id>,
    pub(super) element: Rc<Element<'a>>,
}

/// What a stencil's closure gets: an array, the index in bounds that offsets count from, and what stands beyond.
pub(super) struct Window<'a> {
    pub(super) array: Array<'a>,
    pub(super) at: Vec<Id>,
    pub(super) boundary: Beyond<'a>,
}

/// A boundary with its argument evaluated.
#[derive(Clone)]
pub(super) enum Beyond<'a> {
    /// An element of the array itself.
    Inside(typed::Boundary),
    Constant(Value<'a>),
    Function(Rc<ClosureValue<'a>>),
}

/// A closure with what it sees: the variables of the function that it stands in.
pub(super) struct ClosureValue<'a> {
    pub(super) closure: &'a typed::Closure,
    pub(super) environment: Environment<'a>,
    pub(super) frame: Rc<Frame>,
}

/// What a function being inlined has of its own.
#[derive(Clone, Default)]
pub(super) struct Frame {
    /// Names of locals, for messages.
    pub(super) names: QuickMap<Key, String>,
    /// Operators are taken to associate.
    pub(super) associative: bool,
    /// What meets in a scatter is combined in order, where that shows.
    pub(super) deterministic: bool,
    /// The functions around it.
    pub(super) calls: Vec<usize>,
    /// In a method of Rust's, the call of it.
    pub(super) call: Option<Span>,
}

/// What an environment holds: the locals of a function, and what control flow turned into data.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Key {
    Local(Local),
    /// Whether `return` has happened.
    Returned,
    /// The value of that `return`.
    Result,
    /// Whether `break` of this loop has happened.
    Broken(u32),
    /// Whether `continue` of this loop has happened in this round.
    Continued(u32),
    /// The counter of a `for`.
    Counter(u32),
}

impl Key {
    pub(super) fn broken(label: Label) -> Key {
        Key::Broken(label.0)
    }

    pub(super) fn continued(label: Label) -> Key {
        Key::Continued(label.0)
    }

    pub(super) fn counter(label: Label) -> Key {
        Key::Counter(label.0)
    }
}

/// The values of the variables at a point of the program.
pub(super) type Environment<'a> = SortedMap<Key, Value<'a>>;

impl<'a> Value<'a> {
    /// The unit value.
    pub(super) fn unit() -> Self {
        Value::Tuple(Vec::new())
    }

    /// The leaves of an element, in order.
    pub(super) fn leaves(&self) -> Vec<Id> {
        let mut out = Vec::new();
        self.each_leaf(&mut |id| out.push(id));
        out
    }

    fn each_leaf(&self, f: &mut impl FnMut(Id)) {
        match self {
            Value::Scalar(id) => f(*id),
            Value::Tuple(fields) => fields.iter().for_each(|field| field.each_leaf(f)),
            Value::Option { some, payload } => {
                f(*some);
                payload.each_leaf(f);
            }
            Value::Range(start, end) => {
                f(*start);
                f(*end);
            }
            Value::Array(array) => array.tree.each_leaf(f),
            Value::Nested(_)
            | Value::Window(_)
            | Value::Closure(_)
            | Value::Unset
            | Value::Never => {}
        }
    }

    /// The same element with every leaf replaced.
    pub(super) fn map(&self, f: &mut impl FnMut(Id) -> Id) -> Value<'a> {
        match self {
            Value::Scalar(id) => Value::Scalar(f(*id)),
            Value::Tuple(fields) => Value::Tuple(fields.iter().map(|field| field.map(f)).collect()),
            Value::Option { some, payload } => {
                let some = f(*some);
                Value::Option {
                    some,
                    payload: Box::new(payload.map(f)),
                }
            }
            Value::Range(start, end) => {
                let start = f(*start);
                Value::Range(start, f(*end))
            }
            other => other.clone(),
        }
    }

    /// The same element with the leaves given in order.
    pub(super) fn with_leaves(&self, leaves: &[Id]) -> Value<'a> {
        let mut leaves = leaves.iter().copied();
        self.map(&mut |_| leaves.next().expect("as many leaves as before"))
    }

    /// Whether an array occurs in it.
    pub(super) fn has_array(&self) -> bool {
        match self {
            Value::Array(_) | Value::Nested(_) => true,
            Value::Tuple(fields) => fields.iter().any(Value::has_array),
            Value::Option { payload, .. } => payload.has_array(),
            _ => false,
        }
    }

    /// The one leaf of a scalar.
    ///
    /// # Panics
    /// For anything else: `check` has seen to it.
    pub(super) fn scalar(&self) -> Id {
        match self {
            Value::Scalar(id) => *id,
            Value::Array(array) if array.extents.is_empty() => array.tree.scalar(),
            _ => panic!("a scalar was expected"),
        }
    }

    /// The array that it is.
    ///
    /// # Panics
    /// For anything else: `check` has seen to it.
    pub(super) fn into_array(self) -> Array<'a> {
        match self {
            Value::Array(array) => array,
            _ => panic!("an array was expected"),
        }
    }
}

impl<'a> Lower<'a> {
    /// The leaf type of a scalar type.
    pub(super) fn leaf_of(&self, ty: &Type) -> Option<Leaf> {
        match ty {
            Type::Leaf(leaf) => Some(*leaf),
            Type::Char => Some(Leaf::U32),
            Type::Ordering => Some(Leaf::I8),
            Type::Usize => Some(Leaf::U64),
            Type::Isize => Some(Leaf::I64),
            _ => None,
        }
    }

    /// The fields of a tuple or struct, with the names that follow the variable's.
    pub(super) fn fields_of(&self, ty: &'a Type) -> Vec<(String, &'a Type)> {
        match ty {
            Type::Tuple(fields) => fields
                .iter()
                .enumerate()
                .map(|(k, field)| (k.to_string(), field))
                .collect(),
            Type::Fixed(element, n) => (0..*n).map(|k| (k.to_string(), &**element)).collect(),
            Type::I128 | Type::U128 => {
                let names = ["high", "low"].map(str::to_string);
                names
                    .into_iter()
                    .zip(ty.halves().into_iter().flatten())
                    .collect()
            }
            Type::Struct(k) | Type::Bundle(k) => self.block.structs[*k]
                .fields
                .iter()
                .map(|(name, field)| (name.clone(), field))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// The named leaves of an element type: `""`, `"0.1"`, `"position.x"`.
    pub(super) fn element_leaves(&self, ty: &'a Type) -> Vec<(String, Leaf)> {
        if let Some(leaf) = self.leaf_of(ty) {
            return vec![(String::new(), leaf)];
        }
        let mut out = Vec::new();
        let mut fields = self.fields_of(ty);
        if let Type::Option(inner) = ty {
            out.push(("is_some".to_string(), Leaf::Bool));
            fields.push(("some".to_string(), inner));
        }
        for (name, field) in fields {
            for (rest, leaf) in self.element_leaves(field) {
                let path = if rest.is_empty() {
                    name.clone()
                } else {
                    format!("{name}.{rest}")
                };
                out.push((path, leaf));
            }
        }
        out
    }

    /// The tree of an element type over leaves that `next` gives in order.
    pub(super) fn tree_of(&mut self, ty: &'a Type, next: &mut impl FnMut(Leaf) -> Id) -> Value<'a> {
        if let Some(leaf) = self.leaf_of(ty) {
            return Value::Scalar(next(leaf));
        }
        if let Type::Option(inner) = ty {
            return Value::Option {
                some: next(Leaf::Bool),
                payload: Box::new(self.tree_of(inner, next)),
            };
        }
        let fields = self.fields_of(ty);
        Value::Tuple(
            fields
                .into_iter()
                .map(|(_, field)| self.tree_of(field, next))
                .collect(),
        )
    }

    /// Zeros of a type; arrays are empty.
    pub(super) fn zero_of(&mut self, ty: &Type, span: Span) -> Lowered<Value<'a>> {
        if let Some(leaf) = self.leaf_of(ty) {
            return Ok(Value::Scalar(self.p.constant(Scalar { leaf, bits: 0 })));
        }
        Ok(match ty {
            Type::Tuple(fields) => Value::Tuple(
                fields
                    .iter()
                    .map(|field| self.zero_of(field, span))
                    .collect::<Lowered<_>>()?,
            ),
            Type::Fixed(element, n) => {
                let zero = self.zero_of(element, span)?;
                Value::Tuple(vec![zero; *n])
            }
            Type::Struct(k) | Type::Bundle(k) => {
                let block = self.block;
                let fields = &block.structs[*k].fields;
                Value::Tuple(
                    fields
                        .iter()
                        .map(|(_, field)| self.zero_of(field, span))
                        .collect::<Lowered<_>>()?,
                )
            }
            Type::I128 | Type::U128 => {
                let halves = ty.halves().into_iter().flatten();
                let halves = halves.map(|half| self.zero_of(half, span));
                Value::Tuple(halves.collect::<Lowered<_>>()?)
            }
            Type::Option(inner) => Value::Option {
                some: self.p.bool(false),
                payload: Box::new(self.zero_of(inner, span)?),
            },
            Type::Range(inner) => {
                let zero = self.zero_of(inner, span)?.scalar();
                Value::Range(zero, zero)
            }
            Type::Segmented(element) => {
                // No segments: they end where they begin.
                let values = self.zero_of(&Type::Array(element.clone(), 1), span)?;
                let (zero, one) = (self.p.usize(0), self.p.usize(1));
                let offsets = self.p.generate(vec![one], |_, _| zero);
                let offsets = Value::Array(Array {
                    extents: vec![one],
                    tree: Box::new(Value::Scalar(offsets)),
                });
                Value::Tuple(vec![values, offsets])
            }
            Type::Array(element, rank) => {
                let element = self.zero_of(element, span)?;
                let zero = self.p.usize(0);
                let extents = vec![zero; *rank];
                let tree = element.map(&mut |leaf| self.p.generate(extents.clone(), |_, _| leaf));
                Value::Array(Array {
                    extents,
                    tree: Box::new(tree),
                })
            }
            _ => {
                return Err(not_yet(
                    span,
                    "a variable of this type that is set later",
                    "initialise it where it is declared",
                ));
            }
        })
    }

    /// Names the leaves of a value for readable output.
    pub(super) fn name_value(&mut self, value: &Value<'a>, name: &str) {
        match value {
            // Constants are shared by everything that needs the value.
            Value::Scalar(id) if matches!(self.p.node(*id), Node::Constant(_)) => {}
            Value::Scalar(id) => self.p.name(*id, name),
            Value::Tuple(fields) => {
                for (k, field) in fields.iter().enumerate() {
                    self.name_value(field, &format!("{name}_{k}"));
                }
            }
            Value::Option { payload, .. } => self.name_value(payload, name),
            Value::Array(array) => self.name_value(&array.tree, name),
            _ => {}
        }
    }
}
