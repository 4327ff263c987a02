//! Statements of a kernel as C: constants with readable names, small expressions in place of names used once.

use super::lines;
use super::narrow::Narrow;
use super::scalar::{self, ATOM, Expr, Repr};
use super::walk::{self, Definition, Facts, is_modular};
use crate::codegen::names::{Names, plain, singular, symbol};
use crate::ir::QuickMap;
use crate::plan::body::Join;
use crate::plan::{Kernel, Op, Statement, Value};
use crate::scalar::{Binary, Leaf};
use crate::spans::SpanId;
use std::rc::Rc;

/// An expression used once stays without a name up to this many characters.
const LONG: usize = 64;
/// Levels that are told apart by their indentation.
const DEEPEST: usize = 32;

/// The text being written, and what its names stand for.
pub(super) struct Code<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) facts: &'a Facts,
    pub(super) narrow: &'a Narrow,
    pub(super) names: Names,
    /// What the kernel's functions and types begin with.
    pub(super) symbol: Rc<str>,
    /// The kernel's buffers, and the arrays of its rows, in C.
    pub(super) buffers: Vec<String>,
    /// Loads whose value is at hand already.
    pub(super) loaded: QuickMap<Value, String>,
    /// Stores, by buffer and index, that go to a variable instead.
    pub(super) stored: QuickMap<(usize, Value), String>,
    /// Values that are put into a variable of this name once they are known.
    pub(super) kept: QuickMap<Value, String>,
    /// How many uses of an index have become streams.
    pub(super) streamed: QuickMap<Value, usize>,
    /// Condition on the thread that stores, in code that several threads run alike.
    pub(super) storing: Option<String>,
    exprs: QuickMap<Value, Expr>,
    /// Of the statement that is being written, until its first line is.
    place: Option<SpanId>,
    pub(super) out: String,
    pub(super) depth: usize,
}

impl<'a> Code<'a> {
    /// Nothing written; the buffers and scalars of the kernel have their names.
    pub(super) fn new(kernel: &'a Kernel, facts: &'a Facts, narrow: &'a Narrow) -> Code<'a> {
        let mut code = Code {
            kernel,
            facts,
            narrow,
            names: Names::default(),
            symbol: symbol(&kernel.name).into(),
            buffers: Vec::new(),
            loaded: QuickMap::default(),
            stored: QuickMap::default(),
            kept: QuickMap::default(),
            streamed: QuickMap::default(),
            storing: None,
            exprs: QuickMap::default(),
            place: None,
            out: String::new(),
            depth: 0,
        };
        for memory in kernel.memories() {
            let name = code.names.fresh(&memory.name);
            code.buffers.push(name);
        }
        for scalar in &kernel.scalars {
            code.name(*scalar);
        }
        code
    }

    /// One line.
    pub(super) fn line(&mut self, text: impl AsRef<str>) {
        let text = text.as_ref();
        if !text.is_empty() {
            if let Some(place) = self.place.take() {
                self.out.push_str(&lines::mark(place));
            }
            let indent = self.indent();
            self.out.push_str(&indent);
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// Four spaces per level, but for levels so deep that the text would be mostly that.
    fn indent(&self) -> String {
        "    ".repeat(self.depth.min(DEEPEST))
    }

    /// A line that opens a block.
    pub(super) fn open(&mut self, text: impl AsRef<str>) {
        self.line(text);
        self.depth += 1;
    }

    /// The line that closes it, or goes on with another.
    pub(super) fn close(&mut self, text: impl AsRef<str>) {
        self.depth -= 1;
        self.line(text);
    }

    /// Indents by one more.
    pub(super) fn deeper(&mut self) {
        self.depth += 1;
    }

    /// Whether the value has been written.
    pub(super) fn is_bound(&self, value: Value) -> bool {
        self.exprs.contains_key(&value)
    }

    /// A line at the left edge.
    pub(super) fn pragma(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// All that was written.
    pub(super) fn finish(self) -> String {
        self.out
    }

    /// What `write` writes, apart.
    pub(super) fn apart(&mut self, write: impl FnOnce(&mut Self)) -> String {
        let before = std::mem::take(&mut self.out);
        write(self);
        std::mem::replace(&mut self.out, before)
    }

    /// The leaf type of a value.
    pub(super) fn leaf(&self, value: Value) -> Leaf {
        self.kernel.types[value.0 as usize]
    }

    /// The type of a value in C.
    pub(super) fn repr(&self, value: Value) -> Repr {
        if self.narrow.is_index(value) {
            Repr::Index
        } else {
            Repr::Leaf(self.leaf(value))
        }
    }

    /// A new name for a value, which from now on is written so.
    pub(super) fn name(&mut self, value: Value) -> String {
        let wanted = self.wanted(value);
        let name = self.names.fresh(&wanted);
        self.bind(value, Expr::atom(name.clone()));
        name
    }

    /// The name from the source, or one after what the value is.
    pub(super) fn wanted(&self, value: Value) -> String {
        if let Some(name) = &self.kernel.names[value.0 as usize] {
            return name.clone();
        }
        match self.facts.definition(value) {
            Some(Definition::Scalar) if self.leaf(value) == Leaf::U64 => "n".to_owned(),
            Some(Definition::Scalar) => "scalar".to_owned(),
            Some(Definition::Var(_)) => {
                let free = ["i", "j", "k", "l"]
                    .into_iter()
                    .find(|name| self.names.is_free(name));
                free.unwrap_or("i").to_owned()
            }
            Some(Definition::Load(buffer)) => singular(self.kernel.memory_name(*buffer)),
            Some(Definition::Fold(Some(op))) => match (op, self.leaf(value)) {
                (Binary::Add, _) => "sum",
                (Binary::Mul, _) => "product",
                (Binary::Min, _) => "smallest",
                (Binary::Max, _) => "largest",
                (Binary::And, Leaf::Bool) => "all",
                (Binary::Or, Leaf::Bool) => "any",
                _ => "folded",
            }
            .to_owned(),
            Some(Definition::Fold(None)) => "folded".to_owned(),
            Some(Definition::Read(source)) => singular(source),
            _ => format!("x_{}", value.0),
        }
    }

    /// From now on the value is written so.
    pub(super) fn bind(&mut self, value: Value, expr: Expr) {
        self.exprs.insert(value, expr);
    }

    /// The value in its C type.
    pub(super) fn expr(&self, value: Value) -> Expr {
        match self.exprs.get(&value) {
            Some(expr) => expr.clone(),
            None => panic!(
                "cuda: value {} of `{}` is used before it is defined",
                value.0, self.kernel.name
            ),
        }
    }

    /// The value's text.
    pub(super) fn text(&self, value: Value) -> String {
        self.expr(value).text
    }

    /// The value as `Index`.
    pub(super) fn low(&self, value: Value) -> Expr {
        let expr = self.expr(value);
        if self.narrow.is_index(value) {
            expr
        } else {
            scalar::convert("Index", &expr)
        }
    }

    /// The value in its leaf type.
    pub(super) fn full(&self, value: Value) -> Expr {
        let expr = self.expr(value);
        let literal = expr.text.bytes().all(|byte| byte.is_ascii_digit());
        if self.narrow.is_index(value) && !literal {
            scalar::convert("u64", &expr)
        } else {
            expr
        }
    }

    /// An operation; the result in the C type of `value`.
    fn op(&self, value: Value, op: &Op) -> Expr {
        let is_index = self.narrow.is_index(value);
        let to_index = |expr: Expr| {
            if is_index {
                scalar::convert("Index", &expr)
            } else {
                expr
            }
        };
        match op {
            Op::Constant(constant) => scalar::constant(*constant, self.repr(value)),
            Op::Unary(op, a) if self.leaf(*a) == Leaf::U64 => to_index(scalar::unary(
                *op,
                Repr::Leaf(Leaf::U64),
                &self.full(*a),
                true,
            )),
            Op::Unary(op, a) => {
                let is_number = self.facts.is_number(value);
                scalar::unary(*op, self.repr(*a), &self.expr(*a), is_number)
            }
            Op::Binary(op, a, b) if self.leaf(*a) == Leaf::U64 => {
                let exact = self.narrow.is_exact_index(*a) && self.narrow.is_exact_index(*b);
                let shift = matches!(op, Binary::Shl | Binary::Shr | Binary::MulHigh);
                let boolean = self.leaf(value) == Leaf::Bool;
                if is_index && is_modular(*op) {
                    scalar::binary(*op, Repr::Index, &self.low(*a), &self.low(*b))
                } else if exact && !shift && (boolean || is_index) {
                    scalar::binary(*op, Repr::Index, &self.expr(*a), &self.expr(*b))
                } else {
                    let right = if self.leaf(*b) == Leaf::U64 {
                        self.full(*b)
                    } else {
                        self.expr(*b)
                    };
                    to_index(scalar::binary(
                        *op,
                        Repr::Leaf(Leaf::U64),
                        &self.full(*a),
                        &right,
                    ))
                }
            }
            Op::Binary(op, a, b) => {
                scalar::binary(*op, self.repr(*a), &self.expr(*a), &self.expr(*b))
            }
            Op::Select(condition, a, b) if is_index => {
                scalar::select(&self.expr(*condition), &self.low(*a), &self.low(*b))
            }
            Op::Select(condition, a, b) => {
                scalar::select(&self.expr(*condition), &self.full(*a), &self.full(*b))
            }
            Op::Cast(_, a) => scalar::cast(self.repr(*a), self.repr(value), &self.expr(*a)),
            Op::Bitcast(to, a) => {
                let from = Repr::Leaf(self.leaf(*a));
                to_index(scalar::bitcast(from, Repr::Leaf(*to), &self.full(*a)))
            }
            Op::Math(op, arguments) => {
                let arguments: Vec<Expr> = arguments
                    .iter()
                    .map(|argument| self.expr(*argument))
                    .collect();
                scalar::math(*op, self.leaf(value), &arguments)
            }
            Op::Foreign(f, _) => {
                let arguments = walk::operands(op).into_iter();
                let arguments: Vec<Expr> = arguments.map(|argument| self.full(argument)).collect();
                to_index(scalar::foreign(f, &arguments))
            }
        }
    }

    /// Defines a value: as a constant with a name, or in place where it is used once.
    pub(super) fn define(&mut self, value: Value, expr: Expr) {
        if let Some(kept) = self.kept.get(&value).cloned() {
            self.line(format!("{kept} = {};", expr.text));
            self.bind(value, Expr::atom(kept));
            return;
        }
        let literal = expr.level == ATOM
            && plain(&expr.text)
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'.');
        let named = self.kernel.names[value.0 as usize].is_some();
        let short = plain(&expr.text).len() <= LONG && !named && self.facts.used_once_here(value);
        if (literal && !named) || short {
            self.bind(value, expr);
        } else {
            self.local(value, &expr.text);
        }
    }

    /// A variable. It is not `const`: in a lambda, nvcc would try to evaluate a constant integer, and each one that it is made
    /// of, once for every use.
    fn local(&mut self, value: Value, text: &str) {
        let repr = self.repr(value).name();
        let name = self.name(value);
        self.line(format!("{repr} {name} = {text};"));
    }

    /// Whether nothing that is written reads the value.
    fn is_unused(&self, value: Value) -> bool {
        self.facts.uses[value.0 as usize].len() == self.streamed.get(&value).copied().unwrap_or(0)
    }

    /// A name in place of anything longer. A constant may be used outside of the braces that are open, where its name would
    /// not be known.
    pub(super) fn settle(&mut self, value: Value) {
        let expr = self.expr(value);
        if let Some(Definition::Op(Op::Constant(_))) = self.facts.definition(value) {
            if expr.level < ATOM {
                self.bind(value, Expr::atom(format!("({})", expr.text)));
            }
        } else if expr.level < ATOM || expr.text.contains(['(', '[']) {
            self.local(value, &expr.text);
        }
    }

    /// Statements in order.
    pub(super) fn list(&mut self, statements: &[Statement]) {
        let around = self.place.take();
        for statement in statements {
            self.statement(statement);
        }
        self.place = around;
    }

    /// One of them.
    pub(super) fn statement(&mut self, statement: &Statement) {
        let place = lines::value_of(statement).and_then(|value| self.kernel.places.get(&value));
        self.place = place.copied();
        match statement {
            Statement::Let { value, .. } if self.is_unused(*value) => {}
            Statement::Let { value, op } => {
                let expr = match op {
                    Op::Constant(constant) => {
                        let expr = scalar::constant(*constant, self.repr(*value));
                        self.bind(*value, expr);
                        return;
                    }
                    op => self.op(*value, op),
                };
                self.define(*value, expr);
            }
            Statement::Load { value, .. } if self.facts.unused(*value) => {}
            Statement::Load {
                value,
                buffer,
                index,
                guard,
            } => {
                if let Some(name) = self.loaded.get(value).cloned() {
                    if let Some(kept) = self.kept.get(value) {
                        self.line(format!("{kept} = {name};"));
                    }
                    self.bind(*value, Expr::atom(name));
                    return;
                }
                let element = Expr::atom(self.element(*buffer, *index));
                let expr = match guard {
                    None => element,
                    Some(guard) => {
                        let zero = crate::scalar::Scalar {
                            leaf: self.leaf(*value),
                            bits: 0,
                        };
                        scalar::select(
                            &self.expr(*guard),
                            &element,
                            &scalar::constant(zero, self.repr(*value)),
                        )
                    }
                };
                let expr = if self.narrow.is_index(*value) {
                    scalar::convert("Index", &expr)
                } else {
                    expr
                };
                self.define(*value, expr);
            }
            Statement::Store {
                buffer,
                index,
                value,
            } => {
                let value = self.text(*value);
                if let Some(name) = self.stored.get(&(*buffer, *index)).cloned() {
                    self.line(format!("{name} = {value};"));
                    return;
                }
                let condition = self
                    .storing
                    .as_ref()
                    .map_or(String::new(), |condition| format!("if ({condition}) "));
                let target = self.element(*buffer, *index);
                self.line(format!("{condition}{target} = {value};"));
            }
            Statement::Check {
                condition,
                site,
                values,
            } => {
                let condition = self.expr(*condition).at(ATOM);
                let mut reported: Vec<String> = values
                    .iter()
                    .map(|value| {
                        let expr = self.full(*value);
                        scalar::cast(Repr::Leaf(self.leaf(*value)), Repr::Leaf(Leaf::I64), &expr)
                            .text
                    })
                    .collect();
                reported.resize(2, "0".to_owned());
                let report = format!(
                    "report(failure, epoch, {}, {})",
                    site.0,
                    reported.join(", ")
                );
                if self.facts.loops {
                    self.line(format!("if (!{condition}) {{ {report}; failed = true; }}"));
                } else {
                    self.line(format!("if (!{condition}) {report};"));
                }
            }
            Statement::If {
                condition,
                then,
                otherwise,
                results,
            } => self.branch(*condition, then, otherwise, results),
            Statement::Loop {
                state,
                test,
                condition,
                body,
            } => self.repeat(state, test, *condition, body),
            Statement::Fold {
                extents,
                vars,
                body,
                folds,
            } => self.fold(extents, vars, body, folds),
        }
    }

    fn branch(
        &mut self,
        condition: Value,
        then: &[Statement],
        otherwise: &[Statement],
        results: &[Join],
    ) {
        self.depth += 1;
        let first = self.apart(|code| code.list(then));
        let second = self.apart(|code| code.list(otherwise));
        self.depth -= 1;
        if let ([join], true, true) = (results, first.is_empty(), second.is_empty()) {
            let (a, b) = (
                self.as_type_of(join.result, join.then),
                self.as_type_of(join.result, join.otherwise),
            );
            let expr = scalar::select(&self.expr(condition), &a, &b);
            self.define(join.result, expr);
            return;
        }
        // The branches are written; their results are assigned at their ends.
        let mut ends = [String::new(), String::new()];
        let used: Vec<&Join> = results
            .iter()
            .filter(|join| !self.facts.unused(join.result))
            .collect();
        for join in &used {
            let (a, b) = (
                self.as_type_of(join.result, join.then),
                self.as_type_of(join.result, join.otherwise),
            );
            let repr = self.repr(join.result).name();
            let name = self.name(join.result);
            self.line(format!("{repr} {name};"));
            self.depth += 1;
            let indent = self.indent();
            self.depth -= 1;
            ends[0] += &format!("{indent}{name} = {};\n", a.text);
            ends[1] += &format!("{indent}{name} = {};\n", b.text);
        }
        let [first, second] = [first + &ends[0], second + &ends[1]];
        let condition = self.expr(condition);
        if first.is_empty() && second.is_empty() {
            return;
        }
        if first.is_empty() {
            self.line(format!("if (!{}) {{", condition.at(ATOM)));
            self.out.push_str(&second);
        } else {
            self.line(format!("if ({}) {{", condition.text));
            self.out.push_str(&first);
            if !second.is_empty() {
                self.line("} else {");
                self.out.push_str(&second);
            }
        }
        self.line("}");
    }

    /// `value` converted to the C type of `target`.
    pub(super) fn as_type_of(&self, target: Value, value: Value) -> Expr {
        if self.narrow.is_index(target) {
            self.low(value)
        } else {
            self.full(value)
        }
    }
}
