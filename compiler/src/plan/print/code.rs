//! The text of scalar code.

use super::indent;
use crate::ir::{QuickMap, QuickSet};
use crate::plan::body::{Carry, Op, Statement, Value};
use crate::plan::{Access, Argument, Fold, Kernel, Phase, Prefix, Skeleton, Step};
use crate::scalar::{Binary, Leaf, Scalar, Unary};
use std::fmt::Write;

/// Names and uses of the values of a kernel, or of the host.
pub(super) struct Code<'a> {
    names: &'a [Option<String>],
    memories: &'a [Access],
    uses: QuickMap<Value, u32>,
    /// What repeats, by number: the innermost around what is counted, and how many there are.
    round: u32,
    rounds: u32,
    /// Where operations stand that cost much.
    dear: QuickMap<Value, u32>,
    given: QuickMap<Value, String>,
    taken: QuickSet<String>,
    /// The last numbers of names from the source, and of those without one.
    numbers: QuickMap<Option<&'a str>, usize>,
    /// Operations that stand where they are used, with the precedence of their text.
    inline: QuickMap<Value, (String, u32)>,
}

/// Whether an operation costs more than to be shown as a part of what repeats, where it does not repeat itself.
fn is_dear(op: &Op) -> bool {
    match op {
        Op::Math(function, _) => !function.is_arithmetic(),
        Op::Binary(op, ..) => matches!(op, Binary::Div | Binary::Rem),
        Op::Foreign(..) | Op::Unary(Unary::Sqrt, _) => true,
        Op::Constant(_) | Op::Unary(..) | Op::Select(..) | Op::Cast(..) | Op::Bitcast(..) => false,
    }
}

/// Precedence of what needs no parentheses anywhere.
const ATOM: u32 = 10;

impl<'a> Code<'a> {
    pub(super) fn new(names: &'a [Option<String>], memories: &'a [Access]) -> Self {
        Code {
            names,
            memories,
            uses: QuickMap::default(),
            round: 0,
            rounds: 0,
            dear: QuickMap::default(),
            given: QuickMap::default(),
            taken: memories.iter().map(|access| access.name.clone()).collect(),
            numbers: QuickMap::default(),
            inline: QuickMap::default(),
        }
    }

    /// An operation that costs much keeps a line where it is computed, if it is used in something that repeats.
    pub(super) fn count(&mut self, values: &[Value]) {
        for &value in values {
            let elsewhere = self.dear.get(&value).is_some_and(|&at| at != self.round);
            *self.uses.entry(value).or_default() += if elsewhere { 2 } else { 1 };
        }
    }

    /// Counts what repeats.
    pub(super) fn count_repeated(&mut self, count: impl FnOnce(&mut Self)) {
        self.rounds += 1;
        let around = std::mem::replace(&mut self.round, self.rounds);
        count(self);
        self.round = around;
    }

    /// Counts twice, so that the value keeps a line.
    pub(super) fn pin(&mut self, values: &[Value]) {
        self.count(values);
        self.count(values);
    }

    pub(super) fn count_step(&mut self, step: &Step) {
        match step {
            Step::Compute(statement) => self.count_statement(statement),
            Step::Check {
                condition, values, ..
            } => {
                self.count(&[*condition]);
                self.count(values);
            }
            Step::Launch { scalars, .. } => self.count(scalars),
            Step::Routine { arguments, .. } => {
                for argument in arguments {
                    if let Argument::Scalar(value) = argument {
                        self.count(&[*value]);
                    }
                }
            }
            Step::Allocate(_)
            | Step::Fill { .. }
            | Step::Copy { .. }
            | Step::Read { .. }
            | Step::Release(_)
            | Step::Share { .. }
            | Step::Shrink { .. } => {}
            Step::If {
                condition,
                then,
                otherwise,
                values,
                ..
            } => {
                self.count(&[*condition]);
                then.iter()
                    .chain(otherwise)
                    .for_each(|step| self.count_step(step));
                for join in values {
                    self.count(&[join.then, join.otherwise]);
                }
            }
            Step::Loop {
                values,
                test,
                condition,
                body,
                ..
            } => {
                self.count(&[*condition]);
                test.iter()
                    .chain(body)
                    .for_each(|step| self.count_step(step));
                for carry in values {
                    self.count(&[carry.initial, carry.next]);
                    self.pin(&[carry.state]);
                }
            }
        }
    }

    pub(super) fn count_kernel(&mut self, kernel: &Kernel) {
        match &kernel.skeleton {
            Skeleton::Elementwise(parts) => {
                for part in parts {
                    self.count(&part.extents);
                    self.count_all(&part.body);
                }
            }
            Skeleton::Scatter {
                extents,
                body,
                condition,
                index,
                fold,
                size,
                ..
            } => {
                self.count(extents);
                self.count_all(body);
                self.count_operators(std::slice::from_ref(fold));
                self.count(&[*condition, *index, *size]);
            }
            Skeleton::Staged {
                extents, stages, ..
            } => {
                self.count(extents);
                self.count_stages(stages);
            }
            Skeleton::Sort {
                extents,
                body,
                length,
                read,
                parts,
                by,
                ..
            } => {
                if let Some(by) = by {
                    self.count_all(&by.body);
                    self.count(&[by.less]);
                }
                self.count(extents);
                self.count_all(body);
                let elements = parts.iter().map(|part| part.element);
                let elements: Vec<Value> = elements
                    .chain([*length])
                    .chain(read.iter().flatten().copied())
                    .collect();
                self.count(&elements);
            }
            Skeleton::Rowwise {
                extents, phases, ..
            } => {
                self.count(extents);
                for phase in phases {
                    match phase {
                        Phase::Uniform(body) => self.count_all(body),
                        Phase::Fold {
                            extents,
                            body,
                            folds,
                            ..
                        } => self.count_fold(extents, body, folds),
                        Phase::Each { extents, body, .. } => {
                            self.count(extents);
                            self.count_repeated(|code| code.count_all(body));
                        }
                        Phase::Scan {
                            extents,
                            body,
                            folds,
                            each,
                            after,
                            ..
                        } => {
                            self.count_fold(extents, body, folds);
                            self.count_fold(&[], each, after);
                        }
                    }
                }
            }
        }
    }

    pub(super) fn count_all(&mut self, statements: &[Statement]) {
        statements
            .iter()
            .for_each(|statement| self.count_statement(statement));
    }

    fn count_fold(&mut self, extents: &[Value], body: &[Statement], folds: &[Fold]) {
        self.count(extents);
        self.count_repeated(|code| {
            code.count_all(body);
            code.count_operators(folds);
        });
        for fold in folds {
            self.count(fold.initial.as_deref().unwrap_or_default());
        }
    }

    fn count_operators(&mut self, folds: &[Fold]) {
        for fold in folds {
            self.count(&fold.elements);
            self.count_all(&fold.combine);
            self.count(&fold.combined);
        }
    }

    fn count_statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Let { value, op } => {
                self.count(&op.operands());
                if is_dear(op) {
                    self.dear.insert(*value, self.round);
                }
            }
            Statement::Load {
                value,
                index,
                guard,
                ..
            } => {
                self.count(&[*index]);
                self.count(guard.as_slice());
                let _ = value;
            }
            Statement::Store { index, value, .. } => self.count(&[*index, *value]),
            Statement::Check {
                condition, values, ..
            } => {
                self.count(&[*condition]);
                self.count(values);
            }
            Statement::If {
                condition,
                then,
                otherwise,
                results,
            } => {
                self.count(&[*condition]);
                self.count_all(then);
                self.count_all(otherwise);
                for join in results {
                    self.count(&[join.then, join.otherwise]);
                }
            }
            Statement::Loop {
                state,
                test,
                condition,
                body,
            } => {
                self.count_round(state, |code| {
                    code.count_all(test);
                    code.count(&[*condition]);
                    code.count_all(body);
                });
            }
            Statement::Fold {
                extents,
                body,
                folds,
                ..
            } => self.count_fold(extents, body, folds),
        }
    }

    /// A loop; each part of its state keeps a line.
    pub(super) fn count_round(&mut self, state: &[Carry], count: impl FnOnce(&mut Self)) {
        self.count_repeated(|code| {
            count(code);
            state.iter().for_each(|carry| code.count(&[carry.next]));
        });
        for carry in state {
            self.count(&[carry.initial]);
            self.pin(&[carry.state]);
        }
    }

    /// The name of a value: the source's if there is one.
    pub(super) fn name(&mut self, value: Value) -> String {
        if let Some(name) = self.given.get(&value) {
            return name.clone();
        }
        let base = self.names[value.0 as usize].as_deref();
        let mut name = base.unwrap_or("t1").to_owned();
        let number = self.numbers.entry(base).or_insert(1);
        while !self.taken.insert(name.clone()) {
            *number += 1;
            name = match base {
                Some(base) => format!("{base}_{number}"),
                None => format!("t{number}"),
            };
        }
        self.given.insert(value, name.clone());
        name
    }

    /// The text of a value where it is used, in parentheses if it binds less than `above`.
    pub(super) fn use_of(&mut self, value: Value, above: u32) -> String {
        match self.inline.get(&value) {
            Some((text, precedence)) if *precedence < above => format!("({text})"),
            Some((text, _)) => text.clone(),
            None => self.name(value),
        }
    }

    pub(super) fn list(&mut self, values: &[Value]) -> String {
        let values: Vec<String> = values.iter().map(|&value| self.use_of(value, 0)).collect();
        values.join(", ")
    }

    pub(super) fn domain(&mut self, vars: &[Value], extents: &[Value]) -> String {
        let parts: Vec<String> = vars
            .iter()
            .zip(extents)
            .map(|(&var, &extent)| format!("{} < {}", self.name(var), self.use_of(extent, 2)))
            .collect();
        parts.join(", ")
    }

    pub(super) fn assign(&mut self, to: Value, from: Value) -> String {
        let from = self.use_of(from, 0);
        format!("{} = {from}", self.name(to))
    }

    pub(super) fn statements(&mut self, list: &[Statement], depth: usize, text: &mut String) {
        for statement in list {
            self.statement(statement, depth, text);
        }
    }

    /// The name of a buffer. A plan that breaks its invariants is printed too.
    fn memory(&self, buffer: usize) -> &'a str {
        (self.memories.get(buffer)).map_or("?", |access| access.name.as_str())
    }

    pub(super) fn statement(&mut self, statement: &Statement, depth: usize, text: &mut String) {
        let space = indent(depth);
        // Writing to a string does not fail.
        match statement {
            Statement::Let { value, op } => {
                let (expression, precedence) = self.op(op);
                let named = self.names[value.0 as usize].is_some();
                let constant = matches!(op, Op::Constant(_));
                let once = self.uses.get(value).copied().unwrap_or(0) <= 1;
                if constant || (once && !named && expression.len() < 80) {
                    self.inline.insert(*value, (expression, precedence));
                } else {
                    let name = self.name(*value);
                    let _ = writeln!(text, "{space}{name} = {expression}");
                }
            }
            Statement::Load {
                value,
                buffer,
                index,
                guard,
            } => {
                let index = self.use_of(*index, 0);
                let mut read = format!("{}[{index}]", self.memory(*buffer));
                if let Some(guard) = guard {
                    let guard = self.use_of(*guard, 0);
                    read = format!("{read} if {guard} else 0");
                }
                let name = self.name(*value);
                let _ = writeln!(text, "{space}{name} = {read}");
            }
            Statement::Store {
                buffer,
                index,
                value,
            } => {
                let (index, value) = (self.use_of(*index, 0), self.use_of(*value, 0));
                let name = self.memory(*buffer);
                let _ = writeln!(text, "{space}{name}[{index}] = {value}");
            }
            Statement::Check {
                condition,
                site,
                values,
            } => {
                let condition = self.use_of(*condition, 0);
                let values = self.list(values);
                let _ = writeln!(text, "{space}check {condition} else #{} ({values})", site.0);
            }
            Statement::If {
                condition,
                then,
                otherwise,
                results,
            } => {
                let condition = self.use_of(*condition, 0);
                let _ = writeln!(text, "{space}if {condition} {{");
                self.statements(then, depth + 1, text);
                for join in results {
                    let line = self.assign(join.result, join.then);
                    let _ = writeln!(text, "{space}  {line}");
                }
                let _ = writeln!(text, "{space}}} else {{");
                self.statements(otherwise, depth + 1, text);
                for join in results {
                    let line = self.assign(join.result, join.otherwise);
                    let _ = writeln!(text, "{space}  {line}");
                }
                let _ = writeln!(text, "{space}}}");
            }
            Statement::Loop {
                state,
                test,
                condition,
                body,
            } => {
                for carry in state {
                    let line = self.assign(carry.state, carry.initial);
                    let _ = writeln!(text, "{space}{line}");
                }
                let _ = writeln!(text, "{space}loop {{");
                self.statements(test, depth + 1, text);
                let condition = self.use_of(*condition, 0);
                let _ = writeln!(text, "{space}  while {condition}");
                self.statements(body, depth + 1, text);
                let names: Vec<String> = state.iter().map(|c| self.name(c.state)).collect();
                let nexts: Vec<String> = state.iter().map(|c| self.use_of(c.next, 0)).collect();
                let _ = writeln!(text, "{space}  {} = {}", names.join(", "), nexts.join(", "));
                let _ = writeln!(text, "{space}}}");
            }
            Statement::Fold {
                extents,
                vars,
                body,
                folds,
            } => self.fold("fold", extents, vars, body, folds, depth, text),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one construct")]
    pub(super) fn fold(
        &mut self,
        word: &str,
        extents: &[Value],
        vars: &[Value],
        body: &[Statement],
        folds: &[Fold],
        depth: usize,
        text: &mut String,
    ) {
        let space = indent(depth);
        let over = self.domain(vars, extents);
        let _ = writeln!(text, "{space}{word} {over} {{");
        self.statements(body, depth + 1, text);
        self.folds(folds, depth, text);
        let _ = writeln!(text, "{space}}}");
    }

    fn folds(&mut self, folds: &[Fold], depth: usize, text: &mut String) {
        let space = indent(depth);
        for fold in folds {
            let elements = self.list(&fold.elements);
            let operator = self.operator(fold, depth + 1, text);
            let initial = match &fold.initial {
                Some(initial) => format!(" from {}", self.list(initial)),
                None => String::new(),
            };
            let results: Vec<String> = fold.results.iter().map(|&v| self.name(v)).collect();
            let results = results.join(", ");
            let _ = writeln!(text, "{space}  {results} = {operator}{initial}: {elements}");
        }
    }

    /// A fold's operator; its statements come first.
    pub(super) fn operator(&mut self, fold: &Fold, depth: usize, text: &mut String) -> String {
        match &fold.known {
            Some(known) => known
                .iter()
                .map(|op| op.name())
                .collect::<Vec<_>>()
                .join(", "),
            None => {
                let operands = [&fold.left[..], &fold.right].concat();
                let operands = self.list(&operands);
                self.statements(&fold.combine, depth + 1, text);
                format!("|{operands}| {}", self.list(&fold.combined))
            }
        }
    }

    /// What a scan does at each point, after the fold of its operands.
    pub(super) fn each(
        &mut self,
        prefixes: &[Prefix],
        each: &[Statement],
        after: &[Fold],
        depth: usize,
        text: &mut String,
    ) {
        let all = |values: fn(&Prefix) -> &Vec<Value>| -> Vec<Value> {
            prefixes.iter().flat_map(values).copied().collect()
        };
        let (through, before) = (all(|prefix| &prefix.through), all(|prefix| &prefix.before));
        let mut names = self.list(&through);
        if !before.is_empty() {
            names = format!("{names}; before: {}", self.list(&before));
        }
        let space = indent(depth);
        let _ = writeln!(text, "{space}at each {names} {{");
        self.statements(each, depth + 1, text);
        self.folds(after, depth, text);
        let _ = writeln!(text, "{space}}}");
    }

    fn op(&mut self, op: &Op) -> (String, u32) {
        match op {
            Op::Constant(scalar) => (constant(*scalar), ATOM),
            Op::Unary(Unary::Neg, a) => (format!("-{}", self.use_of(*a, ATOM)), 9),
            Op::Unary(Unary::Not, a) => (format!("!{}", self.use_of(*a, ATOM)), 9),
            Op::Unary(op, a) => (format!("{}({})", op.name(), self.use_of(*a, 0)), ATOM),
            Op::Binary(op, a, b) => match op.symbol() {
                Some((symbol, precedence)) => {
                    let a = self.use_of(*a, precedence);
                    let b = self.use_of(*b, precedence + 1);
                    (format!("{a} {symbol} {b}"), precedence)
                }
                None => (format!("{}({})", op.name(), self.list(&[*a, *b])), ATOM),
            },
            Op::Select(c, a, b) => (format!("select({})", self.list(&[*c, *a, *b])), ATOM),
            Op::Cast(leaf, a) => (format!("{} as {}", self.use_of(*a, 8), leaf.name()), 8),
            Op::Bitcast(leaf, a) => (
                format!("bits_{}({})", leaf.name(), self.use_of(*a, 0)),
                ATOM,
            ),
            Op::Math(f, arguments) => (format!("{}({})", f.name(), self.list(arguments)), ATOM),
            Op::Foreign(f, values) => {
                let (body, arguments) = values.split_last().expect("what the body says");
                let (arguments, body) = (self.list(arguments), self.use_of(*body, 0));
                (format!("foreign {}({arguments}; {body})", f.name), ATOM)
            }
        }
    }
}

fn constant(scalar: Scalar) -> String {
    match scalar.leaf {
        Leaf::Bool => scalar.is_true().to_string(),
        leaf if leaf.is_half() => format!("{:?}", scalar.as_f64()),
        Leaf::F32 => format!("{:?}", f32::from_bits(scalar.bits as u32)),
        Leaf::F64 => format!("{:?}", f64::from_bits(scalar.bits)),
        _ => scalar.as_i128().to_string(),
    }
}
