//! What the printer must know of a kernel before it writes: where each value is defined and how it is used.

use crate::codegen::affine::Operations;
use crate::plan::body::Carry;
use crate::plan::windows::Read;
use crate::plan::{Kernel, Meeting, Op, Phase, Skeleton, Stage, Statement, Value, Windows};
use crate::scalar::{Binary, Unary};
use std::sync::Arc;

/// How a value comes about.
#[derive(Clone, Debug)]
pub(super) enum Definition {
    /// Passed at launch.
    Scalar,
    /// An index below the extent.
    Var(Value),
    Op(Op),
    /// An element of a buffer.
    Load(usize),
    /// One of two values.
    Join(Value, Value),
    /// The state of a loop that starts at the first and becomes the second while the condition (third) holds.
    Carry(Value, Value, Value),
    /// The result of a fold (by a known operator), an operator's parameter.
    Fold(Option<Binary>),
    /// An element of what a block has at hand, by the name of that.
    Read(String),
}

/// How a value is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Use {
    /// As an index into a buffer.
    Index,
    /// As an operand of the operation that defines this value.
    Operand(Value),
    /// As what may become this value.
    Flow(Value),
    /// As the extent of a domain.
    Extent,
    /// As an operand of a sum or product, which makes a NaN of its own of every NaN.
    Term,
    /// For its exact value in its own type.
    Exact,
}

/// Definitions and uses of every value; `scope` numbers the statement lists.
pub(super) struct Facts {
    pub(super) definitions: Vec<Option<Definition>>,
    pub(super) uses: Vec<Vec<(Use, u32)>>,
    /// The list that defines the value.
    pub(super) scopes: Vec<u32>,
    /// Values in the order of their definitions.
    pub(super) order: Vec<Value>,
    /// Of which floats no use sees the bits.
    numbers: Vec<bool>,
    /// Some loop may be left because of a failed check.
    pub(super) loops: bool,
    pub(super) checks: bool,
    lists: u32,
}

impl Operations for Facts {
    fn operation(&self, value: Value) -> Option<&Op> {
        match self.definition(value) {
            Some(Definition::Op(op)) => Some(op),
            _ => None,
        }
    }
}

impl Facts {
    /// Of a whole kernel.
    pub(super) fn of(kernel: &Kernel) -> Facts {
        let count = kernel.types.len();
        let mut facts = Facts {
            definitions: vec![None; count],
            uses: vec![Vec::new(); count],
            scopes: vec![0; count],
            order: Vec::new(),
            numbers: vec![false; count],
            loops: false,
            checks: false,
            lists: 0,
        };
        for scalar in &kernel.scalars {
            facts.define(*scalar, Definition::Scalar, 0);
        }
        match &kernel.skeleton {
            Skeleton::Elementwise(parts) => {
                for part in parts {
                    facts.domain(&part.extents, &part.vars, 0);
                    facts.list(&part.body);
                    if let Some(windows) = &part.windows {
                        facts.windows(windows);
                    }
                }
            }
            Skeleton::Scatter {
                extents,
                vars,
                body,
                condition,
                index,
                fold,
                size,
                meeting,
                targets: _,
            } => {
                facts.domain(extents, vars, 0);
                facts.used(*size, Use::Extent, 0);
                let scope = facts.list(body);
                facts.used(*condition, Use::Exact, scope);
                // Written as often as there are targets.
                facts.used(*index, Use::Index, scope);
                facts.used(*index, Use::Index, scope);
                match meeting {
                    Meeting::Locked { count, .. } => facts.used(*count, Use::Extent, 0),
                    Meeting::Once { .. } => facts.checks = true,
                    Meeting::Apart | Meeting::Never => {}
                }
                facts.folds(std::slice::from_ref(fold), scope, 0);
            }
            Skeleton::Sort {
                extents,
                vars,
                body,
                length,
                read,
                parts,
                by,
                ..
            } => {
                if let Some(by) = by {
                    for key in by.left.iter().chain(&by.right) {
                        facts.define(*key, Definition::Fold(None), u32::MAX);
                    }
                    let scope = facts.list(&by.body);
                    facts.used(by.less, Use::Exact, scope);
                }
                facts.domain(extents, vars, 0);
                facts.used(*length, Use::Extent, 0);
                for place in read.iter().flatten() {
                    facts.used(*place, Use::Extent, 0);
                }
                let scope = facts.list(body);
                for part in parts {
                    facts.used(part.element, Use::Exact, scope);
                }
            }
            Skeleton::Staged {
                extents,
                vars,
                stages,
                ..
            } => {
                facts.domain(extents, vars, 0);
                // A row is left once it has failed, and every check says so.
                facts.loops = true;
                facts.stages(stages);
            }
            Skeleton::Rowwise {
                extents,
                vars,
                phases,
                ..
            } => {
                facts.domain(extents, vars, 0);
                for phase in phases {
                    facts.phase(phase);
                }
            }
        }
        facts.forget_bodies();
        facts.find_numbers();
        facts
    }

    /// What only the bodies of foreign functions use has no use: the functions are called.
    fn forget_bodies(&mut self) {
        let foreign = |definition: &Option<Definition>| {
            matches!(definition, Some(Definition::Op(Op::Foreign(..))))
        };
        if !self.definitions.iter().any(foreign) {
            return;
        }
        for value in self.order.iter().rev() {
            let position = value.0 as usize;
            let Some(Definition::Op(op)) = &self.definitions[position] else {
                continue;
            };
            if !self.uses[position].is_empty() {
                continue;
            }
            let by = (use_of(*value, op), self.scopes[position]);
            for operand in operands(op) {
                let uses = &mut self.uses[operand.0 as usize];
                if let Some(at) = uses.iter().position(|other| *other == by) {
                    uses.remove(at);
                }
            }
        }
    }

    fn windows(&mut self, windows: &Windows) {
        let read = |facts: &mut Facts, reads: &[Read], scope: u32| {
            for read in reads {
                let source = windows.sources[read.source].name.clone();
                facts.define(read.value, Definition::Read(source), scope);
            }
        };
        let scope = self.list(&windows.given.statements);
        for &condition in &windows.given.conditions {
            // Used for every tile: keep its name.
            self.used(condition, Use::Exact, scope);
            self.used(condition, Use::Exact, scope);
        }
        for source in &windows.sources {
            let scope = self.list(&source.statements);
            read(self, &source.reads, scope);
            self.used(source.value, Use::Exact, scope);
        }
        let scope = self.list(&windows.body);
        read(self, &windows.reads, scope);
    }

    fn stages(&mut self, stages: &[Stage]) {
        for stage in stages {
            match stage {
                Stage::Uniform(body) => _ = self.list(body),
                Stage::Each {
                    extents,
                    vars,
                    body,
                } => {
                    self.domain(extents, vars, 0);
                    self.list(body);
                }
                Stage::Swap(..) => {}
                Stage::Rounds {
                    state,
                    test,
                    condition,
                    body,
                } => {
                    self.carries(state, *condition, 0);
                    let test = self.list(test);
                    self.used(*condition, Use::Exact, test);
                    self.stages(body);
                    for carry in state {
                        self.used(carry.next, Use::Flow(carry.state), u32::MAX);
                    }
                }
            }
        }
    }

    /// The states of a loop.
    fn carries(&mut self, state: &[Carry], condition: Value, scope: u32) {
        for carry in state {
            self.used(carry.initial, Use::Flow(carry.state), scope);
            let definition = Definition::Carry(carry.initial, carry.next, condition);
            self.define(carry.state, definition, scope);
            // A variable: never written elsewhere than where it stands.
            self.used(carry.state, Use::Flow(carry.state), scope);
        }
    }

    fn phase(&mut self, phase: &Phase) {
        match phase {
            Phase::Uniform(body) => {
                self.list(body);
            }
            Phase::Each {
                extents,
                vars,
                body,
            } => {
                self.domain(extents, vars, 0);
                self.list(body);
            }
            Phase::Fold {
                extents,
                vars,
                body,
                folds,
            } => {
                self.domain(extents, vars, 0);
                let scope = self.list(body);
                self.folds(folds, scope, 0);
            }
            Phase::Scan {
                extents,
                vars,
                body,
                folds,
                prefixes,
                each,
                after,
            } => {
                self.domain(extents, vars, 0);
                let scope = self.list(body);
                self.folds(folds, scope, 0);
                for (prefix, fold) in prefixes.iter().zip(folds) {
                    for values in [&prefix.through, &prefix.before] {
                        for (leaf, value) in values.iter().enumerate() {
                            let op = fold.known.as_ref().map(|known| known[leaf]);
                            self.define(*value, Definition::Fold(op), u32::MAX);
                        }
                    }
                }
                let scope = self.list(each);
                self.folds(after, scope, 0);
            }
        }
    }

    fn define(&mut self, value: Value, definition: Definition, scope: u32) {
        self.definitions[value.0 as usize] = Some(definition);
        self.scopes[value.0 as usize] = scope;
        self.order.push(value);
    }

    fn used(&mut self, value: Value, by: Use, scope: u32) {
        self.uses[value.0 as usize].push((by, scope));
    }

    fn domain(&mut self, extents: &[Value], vars: &[Value], scope: u32) {
        for (extent, var) in extents.iter().zip(vars) {
            // Used many times: keep its name.
            self.used(*extent, Use::Extent, scope);
            self.used(*extent, Use::Extent, scope);
            self.define(*var, Definition::Var(*extent), scope);
        }
    }

    fn folds(&mut self, folds: &[crate::plan::Fold], body: u32, outer: u32) {
        for fold in folds {
            for (leaf, element) in fold.elements.iter().enumerate() {
                let is_term = (fold.known.as_ref())
                    .is_some_and(|known| matches!(known[leaf], Binary::Add | Binary::Mul));
                let by = if is_term { Use::Term } else { Use::Exact };
                self.used(*element, by, body);
            }
            for parameter in fold.left.iter().chain(&fold.right) {
                self.define(*parameter, Definition::Fold(None), u32::MAX);
            }
            let scope = self.list(&fold.combine);
            for value in &fold.combined {
                self.used(*value, Use::Exact, scope);
            }
            for value in fold.initial.iter().flatten() {
                self.used(*value, Use::Exact, outer);
                self.used(*value, Use::Exact, outer);
            }
            for (leaf, value) in fold.results.iter().enumerate() {
                let op = fold.known.as_ref().map(|known| known[leaf]);
                self.define(*value, Definition::Fold(op), outer);
            }
        }
    }

    fn list(&mut self, statements: &[Statement]) -> u32 {
        self.lists += 1;
        let scope = self.lists;
        for statement in statements {
            self.statement(statement, scope);
        }
        scope
    }

    fn statement(&mut self, statement: &Statement, scope: u32) {
        match statement {
            Statement::Let { value, op } => {
                let by = use_of(*value, op);
                for operand in operands(op) {
                    self.used(operand, by, scope);
                }
                self.define(*value, Definition::Op(op.clone()), scope);
            }
            Statement::Load {
                value,
                buffer,
                index,
                guard,
                ..
            } => {
                self.used(*index, Use::Index, scope);
                if let Some(guard) = guard {
                    self.used(*guard, Use::Exact, scope);
                }
                self.define(*value, Definition::Load(*buffer), scope);
            }
            Statement::Store { index, value, .. } => {
                self.used(*index, Use::Index, scope);
                self.used(*value, Use::Exact, scope);
            }
            Statement::Check {
                condition, values, ..
            } => {
                self.checks = true;
                self.used(*condition, Use::Exact, scope);
                for value in values {
                    self.used(*value, Use::Exact, scope);
                }
            }
            Statement::If {
                condition,
                then,
                otherwise,
                results,
            } => {
                self.used(*condition, Use::Exact, scope);
                let [then, otherwise] = [then, otherwise].map(|list| self.list(list));
                for join in results {
                    self.used(join.then, Use::Flow(join.result), then);
                    self.used(join.otherwise, Use::Flow(join.result), otherwise);
                    self.define(
                        join.result,
                        Definition::Join(join.then, join.otherwise),
                        scope,
                    );
                }
            }
            Statement::Loop {
                state,
                test,
                condition,
                body,
            } => {
                self.loops = true;
                self.carries(state, *condition, scope);
                let test = self.list(test);
                self.used(*condition, Use::Exact, test);
                let body = self.list(body);
                for carry in state {
                    self.used(carry.next, Use::Flow(carry.state), body);
                }
            }
            Statement::Fold {
                extents,
                vars,
                body,
                folds,
            } => {
                self.domain(extents, vars, scope);
                let body = self.list(body);
                self.folds(folds, body, scope);
            }
        }
    }

    pub(super) fn definition(&self, value: Value) -> Option<&Definition> {
        self.definitions[value.0 as usize].as_ref()
    }

    /// The only use is in the list that defines it: an expression may stand there in the name's place.
    pub(super) fn used_once_here(&self, value: Value) -> bool {
        let uses = &self.uses[value.0 as usize];
        uses.len() == 1 && uses[0].1 == self.scopes[value.0 as usize]
    }

    /// Every use computes with the float: none sees its bits, if it is NaN.
    pub(super) fn is_number(&self, value: Value) -> bool {
        self.numbers[value.0 as usize]
    }

    /// Finds out what is a number, users before what they use.
    fn find_numbers(&mut self) {
        for position in (0..self.order.len()).rev() {
            let value = self.order[position].0 as usize;
            let is_number = |(by, _): &(Use, u32)| match by {
                Use::Term => true,
                Use::Operand(result) => match self.operation(*result) {
                    // The sign of a NaN becomes that of a number.
                    Some(Op::Binary(Binary::Copysign, _, sign)) if sign.0 as usize == value => {
                        false
                    }
                    // One of the operands, with the sign changed or not.
                    Some(
                        Op::Unary(Unary::Neg | Unary::Abs, _)
                        | Op::Binary(Binary::Min | Binary::Max | Binary::Copysign, ..)
                        | Op::Select(..),
                    ) => self.is_number(*result),
                    // A NaN of its own of every NaN, or none.
                    Some(Op::Unary(..) | Op::Math(..) | Op::Cast(..) | Op::Binary(..)) => true,
                    Some(Op::Constant(_) | Op::Bitcast(..) | Op::Foreign(..)) | None => false,
                },
                // Of a loop's state it is not known yet.
                Use::Flow(result) => self.is_number(*result),
                Use::Index | Use::Extent | Use::Exact => false,
            };
            self.numbers[value] = self.uses[value].iter().all(is_number);
        }
    }

    pub(super) fn unused(&self, value: Value) -> bool {
        self.uses[value.0 as usize].is_empty()
    }
}

/// How the operation that gives a value uses its operands.
fn use_of(value: Value, op: &Op) -> Use {
    match op {
        Op::Foreign(..) => Use::Exact,
        _ => Use::Operand(value),
    }
}

/// The operands of an operation. What the body of a foreign function says is none: the function is called.
pub(super) fn operands(op: &Op) -> Vec<Value> {
    match op {
        Op::Constant(_) => Vec::new(),
        Op::Unary(_, a) | Op::Cast(_, a) | Op::Bitcast(_, a) => vec![*a],
        Op::Binary(_, a, b) => vec![*a, *b],
        Op::Select(condition, a, b) => vec![*condition, *a, *b],
        Op::Math(_, arguments) => arguments.clone(),
        Op::Foreign(f, values) => values[..f.parameters.len()].to_vec(),
    }
}

/// A foreign function without what its body says.
pub(super) fn called(op: &Op) -> Op {
    match op {
        Op::Foreign(f, _) => Op::Foreign(Arc::clone(f), operands(op)),
        op => op.clone(),
    }
}

/// Operations whose low bits depend on the operands' low bits alone.
pub(super) fn is_modular(op: Binary) -> bool {
    matches!(op, Binary::Add | Binary::Sub | Binary::Mul)
}
