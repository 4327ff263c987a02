//! Names and types: a block as written in, a [`typed::Block`] and every diagnostic out.
//!
//! Each function is inferred on its own, as Rust does it; a generic helper once for each use at other types. Functions
//! with errors are left out of the result (as are their callers), so later phases see only what is whole.
//! Nothing here panics, whatever the tokens.

mod alternatives;
mod arguments;
mod arrays;
mod assign;
mod attributes;
mod blocks;
mod bounds;
mod calls;
mod closures;
mod compactions;
mod comparisons;
mod conditions;
mod consts;
mod control;
mod conversions;
mod enums;
mod exhaustive;
mod exports;
mod expressions;
mod finish;
mod fixed;
mod foreign;
mod functions;
mod generics;
mod habits;
mod host;
mod infer;
mod items;
mod jumps;
mod leaving;
mod literals;
mod loops;
mod made;
mod methods;
mod moves;
mod nested;
mod numbers;
mod numbers_table;
mod operations;
mod operations_table;
mod operators;
mod options;
mod orderings;
mod paths;
mod patterns;
mod reductions;
mod scans;
mod scatters;
mod scope;
mod segmented;
mod segments;
mod shapes;
mod signatures;
mod slices;
mod sorts;
mod spacing;
mod stencils;
mod suggest;
mod types;
mod unsupported;
mod wide;

use crate::diag::{Diagnostic, Errors};
use crate::sorted::SortedMap;
use crate::syntax;
use crate::typed::{self, Expr, ExprKind, Type};
use infer::{POISON, Variables};
use made::Made;
use proc_macro2::Span;
use std::cell::RefCell;
use std::rc::Rc;

/// Checks a block. Errors are added to `errors`.
pub fn check(block: &syntax::Block, errors: &mut Errors) -> typed::Block {
    let context = Context::new(block);
    let (functions, failed) = functions::check_all(&context);
    let constants = context.constants_of_host();
    let made = context.made_structs();
    let structs = context.structs.into_iter().chain(made).collect();
    let mut diagnostics = context.diagnostics.into_inner();
    diagnostics.sort_by_key(|d| (d.span.start().line, d.span.start().column));
    // As with rustc: what is only odd is told when nothing is wrong.
    if diagnostics.iter().any(|d| !d.warning) || !errors.is_empty() {
        diagnostics.retain(|d| !d.warning);
    }
    for diagnostic in diagnostics {
        errors.push(diagnostic);
    }
    typed::Block {
        structs,
        constants,
        functions,
        failed,
    }
}

/// The items of a block, and what has been found out about them.
pub(super) struct Context<'a> {
    syntax: &'a syntax::Block,
    structs: Vec<typed::Struct>,
    /// The generic ones with their arguments.
    made: Rc<Made>,
    struct_names: Vec<String>,
    /// Which structs are bundles.
    bundles: Vec<bool>,
    /// Which types have fields that have been reported.
    broken: Vec<bool>,
    aliases: SortedMap<String, &'a syntax::Declared<syn::ItemType>>,
    /// Aliases being resolved, to find circles.
    open_aliases: RefCell<Vec<String>>,
    constants: RefCell<SortedMap<String, consts::State>>,
    /// The operators of the block's types: method, operand types, function.
    operators: Vec<(String, Vec<Type>, usize)>,
    functions: SortedMap<String, usize>,
    instances: RefCell<functions::Instances>,
    diagnostics: RefCell<Vec<Diagnostic>>,
}

impl Context<'_> {
    /// Records a diagnostic once: an instantiated function meets its errors again.
    fn report(&self, mut diagnostic: Diagnostic) {
        let start = |span: Span| (span.start().line, span.start().column);
        let at = start(diagnostic.span);
        if self.syntax.places.iter().any(|place| start(*place) == at) {
            // What is odd is told where it stands.
            if diagnostic.warning {
                return;
            }
            diagnostic.message = format!("in what is imported here: {}", diagnostic.message);
        }
        let mut list = self.diagnostics.borrow_mut();
        let key = |d: &Diagnostic| {
            let at = d.span.start();
            (at.line, at.column, d.message.clone())
        };
        let new = key(&diagnostic);
        if !list.iter().any(|old| key(old) == new) {
            list.push(diagnostic);
        }
    }
}

/// What to write instead of an integer of 128 bits that the host would see.
const HALVES: &str = "write its halves, two `u64`: `(x >> 64) as u64` and `x as u64`";

/// Why something is not a constant.
type Refusal = (Span, String);

/// The types and ranks that the parameters of a generic function stand for.
#[derive(Clone, Default, PartialEq, Debug)]
pub(super) struct Generics {
    types: SortedMap<String, Type>,
    ranks: SortedMap<String, usize>,
}

/// A call whose callee's types may not be known yet.
#[derive(Clone)]
struct CallSite {
    template: usize,
    generics: Generics,
    span: Span,
}

/// The state of checking one function, or one constant.
pub(super) struct Checker<'a> {
    cx: &'a Context<'a>,
    generics: Generics,
    vars: Variables,
    scope: Vec<scope::Binding>,
    /// Items of functions in scope.
    items: syntax::Scope,
    /// Names of locals by id, with their place.
    locals: Vec<(String, Span)>,
    labels: u32,
    loops: Vec<jumps::Loop>,
    literals: Vec<literals::Literal>,
    /// Literals that are exclusive ends of range patterns.
    open_ends: Vec<usize>,
    /// The patterns of each `match`, by the place of its keyword.
    arm_spans: SortedMap<(usize, usize), Vec<Span>>,
    calls: Vec<CallSite>,
    closures: Vec<closures::Definition>,
    pending: Vec<operators::Pending>,
    bounds: Vec<operators::Bound>,
    /// The type that `return` gives: of the function or the innermost closure.
    result: Type,
    /// How many closures surround the current place.
    depth: usize,
    /// The type that the call about to be checked shall have.
    wanted: Option<Type>,
    in_unsafe: bool,
    /// Whether the function is a method of Rust's, which may call others of them by their names.
    of_rust: bool,
    failed: bool,
}

impl<'a> Checker<'a> {
    fn new(cx: &'a Context<'a>, generics: Generics) -> Self {
        Checker {
            cx,
            generics,
            vars: Variables::new(Rc::clone(&cx.made)),
            scope: Vec::new(),
            items: syntax::Scope::new(),
            locals: Vec::new(),
            labels: 0,
            loops: Vec::new(),
            literals: Vec::new(),
            open_ends: Vec::new(),
            arm_spans: SortedMap::new(),
            calls: Vec::new(),
            closures: Vec::new(),
            pending: Vec::new(),
            bounds: Vec::new(),
            result: POISON,
            depth: 0,
            wanted: None,
            in_unsafe: false,
            of_rust: false,
            failed: false,
        }
    }

    /// Reports an error; `help` may be empty.
    fn error(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        let mut diagnostic = Diagnostic::new(span, message);
        let help = help.into();
        if !help.is_empty() {
            diagnostic = diagnostic.help(help);
        }
        self.failed = true;
        self.cx.report(diagnostic);
    }

    /// Reports an error and gives an expression that causes no further ones.
    fn reject(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) -> Expr {
        self.error(span, message, help);
        self.poison(span)
    }

    fn poison(&mut self, span: Span) -> Expr {
        self.failed = true;
        expr(ExprKind::Tuple(Vec::new()), POISON, span)
    }

    /// A type as text, in backticks.
    fn show(&self, ty: &Type) -> String {
        format!("`{}`", self.vars.show(ty, &self.cx.struct_names))
    }

    fn is_poison(&self, ty: &Type) -> bool {
        self.vars.shallow(ty) == POISON
    }
}

fn expr(kind: ExprKind, ty: Type, span: Span) -> Expr {
    Expr { kind, ty, span }
}

fn unit() -> Type {
    Type::Tuple(Vec::new())
}

/// The value of type `()`.
fn nothing(at: Span) -> Expr {
    expr(ExprKind::Tuple(Vec::new()), unit(), at)
}
