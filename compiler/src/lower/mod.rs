//! A checked function becomes a [`Program`].
//!
//! In: a function of a [`crate::typed::Block`]. Out: a `Program` without calls, closures, tuples, mutable variables or
//! early exits: helpers and closures are inlined, elements are trees of leaves (`value`), variables are in SSA form
//! with branches and loops as bundles (`control`, `loops`), and every array operation (`arrays`) is a
//! `Generate`, a `Reduce` or an `Index`. What can fail is a check, a guard or a demand (`guards.rs`). The only errors
//! are about what the type checker cannot see: irregular shapes and operators that do not associate.

mod anticipate;
mod arrays;
mod associativity;
mod closures;
mod control;
mod expressions;
mod foreign;
mod guards;
mod loops;
mod numbers;
mod operators;
mod patterns;
mod state;
mod terms;
mod unroll;
mod value;
mod walk;
mod wide;

use crate::diag::Diagnostic;
use crate::ir::{Id, Node, Output, Parameter, Program, QuickMap, QuickSet, Var};
use crate::spans::Spans;
use crate::typed::{Block, Foreign, Type};
use anticipate::Fallible;
use arrays::{Around, Hull, Segments};
use guards::{Effect, Required, Scope};
use proc_macro2::Span;
use std::rc::Rc;
use value::{Array, Environment, Frame, Key, Value};

/// A part of the lowering, or the user's error.
type Lowered<T> = Result<T, Box<Diagnostic>>;

/// The state of lowering one function.
struct Lower<'a> {
    block: &'a Block,
    p: Program,
    spans: Spans,
    /// The variables in scope.
    environment: Environment<'a>,
    /// What stands around the current expression.
    scopes: Vec<Scope>,
    /// What the results of the current region wait for.
    effects: Vec<Effect>,
    /// What is required before the current expression.
    required: Required,
    /// The function being inlined.
    frame: Rc<Frame>,
    /// Reads of stored arrays by the variables of their own domain.
    safe_reads: QuickSet<Id>,
    /// Index variables that a `Generate` binds.
    bound: QuickSet<Var>,
    /// Counters of loops with constant bounds.
    counters: QuickMap<Id, Hull>,
    /// Orderings that compare leaf after leaf.
    comparisons: QuickMap<Id, numbers::Pairs>,
    /// Which scalars the host knows.
    host: QuickMap<Id, bool>,
    /// Segments by their offsets and the axis: the first operation on them reports what is wrong with them.
    segments: QuickMap<(Id, Id), Segments>,
    /// The closures over segments around the current expression.
    around: Vec<Rc<Around>>,
    /// The segments that arrays of an extent have in the closure of a segment.
    flat: QuickMap<(Var, Id), Segments>,
    /// Arrays over the places of all segments: these are reached whatever a closure does.
    numbers: QuickSet<Id>,
    /// What each node may do.
    fallible: Vec<Fallible>,
    /// In the body of a foreign function of arrays, so deep in scopes: what it requires of shapes there.
    of_body: Option<(usize, Vec<Effect>)>,
}

/// Lowers the function at position `function`.
///
/// # Errors
/// Irregular nesting, operators that do not associate, and what is not supported yet.
pub fn lower(block: &Block, function: usize) -> Result<(Program, Spans), Vec<Diagnostic>> {
    let source = &block.functions[function];
    let mut lower = Lower {
        block,
        p: Program {
            name: source.name.to_string(),
            fast_math: source.attributes.fast_math,
            ..Program::default()
        },
        spans: Spans::default(),
        environment: Environment::new(),
        scopes: Vec::new(),
        effects: Vec::new(),
        required: Required::default(),
        frame: Rc::new(Frame {
            names: QuickMap::default(),
            associative: source.attributes.associative,
            deterministic: source.attributes.deterministic,
            calls: vec![function],
            call: None,
        }),
        safe_reads: QuickSet::default(),
        bound: QuickSet::default(),
        counters: QuickMap::default(),
        comparisons: QuickMap::default(),
        host: QuickMap::default(),
        segments: QuickMap::default(),
        around: Vec::new(),
        flat: QuickMap::default(),
        numbers: QuickSet::default(),
        fallible: Vec::new(),
        of_body: None,
    };
    match lower.function(function) {
        Ok(()) => Ok((lower.p, lower.spans)),
        Err(diagnostic) => Err(vec![*diagnostic]),
    }
}

/// An error about a construct that the language has and the compiler does not.
fn not_yet(span: Span, what: &str, instead: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(span, format!("not supported yet: {what}")).help(instead))
}

impl<'a> Lower<'a> {
    fn function(&mut self, position: usize) -> Lowered<()> {
        let function = &self.block.functions[position];
        let (mut arrays, mut scalars) = (0, 0);
        let mut given = Vec::new();
        for parameter in &function.parameters {
            let (name, consumed) = (&*parameter.name, parameter.consumed);
            let numbers = (&mut arrays, &mut scalars);
            let value = self.parameter(numbers, name, &parameter.ty, consumed);
            self.name_value(&value, &parameter.name);
            let key = Key::Local(parameter.local);
            self.name_local(key, &parameter.name);
            given.extend(value.leaves());
            self.environment.insert(key, value);
        }
        let value = match &function.attributes.foreign {
            Some(Foreign::Rust(path)) => {
                self.foreign_arrays((position, path), given, function.name.span())?
            }
            Some(Foreign::Cuda(_)) | None => {
                let value = self.body(&function.body)?;
                self.coerced(value, &function.result)
            }
        };
        let value = self.sealed(value, &function.result, function.name.span())?;
        let effects = self.end_region(Vec::new(), &value.leaves());
        self.outputs(&value, &effects);
        Ok(())
    }

    /// A parameter, or a part of one: so many arrays and leaves of scalars come before it.
    fn parameter(
        &mut self,
        (arrays, scalars): (&mut u32, &mut u32),
        name: &str,
        ty: &'a Type,
        consumed: bool,
    ) -> Value<'a> {
        match ty {
            Type::Array(element, rank) => {
                self.array_parameter(arrays, name, element, *rank, consumed)
            }
            Type::Segmented(element) => {
                let [values, offsets] = ["values", "offsets"].map(|part| format!("{name}.{part}"));
                let values = self.array_parameter(arrays, &values, element, 1, consumed);
                let offsets = self.array_parameter(arrays, &offsets, &Type::Usize, 1, consumed);
                Value::Tuple(vec![values, offsets])
            }
            ty if ty.has_array() => {
                let fields = self.fields_of(ty).into_iter();
                let parts = fields.map(|(field, ty)| {
                    let name = format!("{name}.{field}");
                    self.parameter((arrays, scalars), &name, ty, consumed)
                });
                Value::Tuple(parts.collect())
            }
            element => {
                self.p.parameters.push(Parameter::Scalars {
                    name: name.to_owned(),
                    leaves: self.element_leaves(element),
                });
                let mut p = std::mem::take(&mut self.p);
                let tree = self.tree_of(element, &mut |_| {
                    *scalars += 1;
                    p.add(Node::Parameter(*scalars - 1))
                });
                self.p = p;
                tree
            }
        }
    }

    /// A parameter of the program that is an array, the `array`-th.
    fn array_parameter(
        &mut self,
        array: &mut u32,
        name: &str,
        element: &'a Type,
        rank: usize,
        consumed: bool,
    ) -> Value<'a> {
        self.p.parameters.push(Parameter::Array {
            name: name.to_owned(),
            leaves: self.element_leaves(element),
            rank: rank as u32,
            consumed,
        });
        let (number, mut leaf) = (*array, 0);
        *array += 1;
        let extents = (0..rank as u32)
            .map(|axis| {
                self.p.add(Node::Extent {
                    array: number,
                    axis,
                })
            })
            .collect();
        let mut p = std::mem::take(&mut self.p);
        let tree = self.tree_of(element, &mut |_| {
            leaf += 1;
            p.input(number, rank as u32, leaf - 1)
        });
        self.p = p;
        Value::Array(Array {
            extents,
            tree: Box::new(tree),
        })
    }

    /// `T` where `Scalar<T>` is wanted, and back.
    fn coerced(&mut self, value: Value<'a>, ty: &Type) -> Value<'a> {
        match (value, ty) {
            (Value::Tuple(values), Type::Tuple(types)) => Value::Tuple(
                values
                    .into_iter()
                    .zip(types)
                    .map(|(value, ty)| self.coerced(value, ty))
                    .collect(),
            ),
            (Value::Tuple(values), Type::Bundle(k)) => {
                let fields = values.into_iter().zip(&self.block.structs[*k].fields);
                let fields = fields.map(|(value, (_, ty))| self.coerced(value, ty));
                Value::Tuple(fields.collect())
            }
            (
                value @ (Value::Scalar(_) | Value::Tuple(_) | Value::Option { .. }),
                Type::Array(_, 0),
            ) => {
                let tree = value.map(&mut |leaf| self.abstracted(&[], &[], leaf));
                Value::Array(Array {
                    extents: Vec::new(),
                    tree: Box::new(tree),
                })
            }
            (
                Value::Array(array),
                Type::Leaf(_)
                | Type::Char
                | Type::Ordering
                | Type::Fixed(..)
                | Type::Usize
                | Type::Isize
                | Type::I128
                | Type::U128
                | Type::Struct(_),
            ) if array.extents.is_empty() => self.element(&array, &[]),
            (value, _) => value,
        }
    }

    /// One output per array, and one per element that is not part of an array, in the order of the result type.
    fn outputs(&mut self, value: &Value<'a>, effects: &[Effect]) {
        match value {
            Value::Array(array) => {
                let leaves = array.tree.leaves();
                // Beside the array: what its elements wait for might be evaluated for none of them.
                let yes = self.p.bool(true);
                let effects: Vec<Effect> = (effects.iter())
                    .map(|effect| match effect {
                        Effect::Guard { .. } => Effect::Demand(self.under(effect, yes)),
                        other => other.clone(),
                    })
                    .collect();
                let leaves = leaves
                    .into_iter()
                    .map(|leaf| {
                        let leaf = self.resized_output(leaf, &array.extents);
                        self.under_all(&effects, leaf)
                    })
                    .collect();
                self.p.outputs.push(Output::Array {
                    extents: array.extents.clone(),
                    leaves,
                });
            }
            Value::Tuple(fields) if value.has_array() => {
                for field in fields {
                    self.outputs(field, effects);
                }
            }
            element => {
                let leaves = element.leaves();
                let leaves = leaves
                    .into_iter()
                    .map(|leaf| self.under_all(effects, leaf))
                    .collect();
                self.p.outputs.push(Output::Scalar(leaves));
            }
        }
    }

    /// An array node over these very extents.
    fn resized_output(&mut self, leaf: Id, extents: &[Id]) -> Id {
        if self.p.extents(leaf) == extents {
            return leaf;
        }
        let (vars, indices): (Vec<_>, Vec<_>) = extents.iter().map(|_| self.p.index_var()).unzip();
        let element = self.index(leaf, &indices);
        self.abstracted(extents, &vars, element)
    }
}
