//! Invariants of scalar code, in kernels and on the host: see [`super`].

use super::Wrong;
use crate::plan::body::{Fold, Op, Statement, Value};
use crate::plan::{Access, Prefix, Room};
use crate::scalar::{Binary, Leaf};
use crate::sorted::SortedSet;

/// Values in scope, with the code's tables.
pub(super) struct Code<'a> {
    pub(super) types: &'a [Leaf],
    /// The buffers of a kernel; the host has none.
    buffers: Option<&'a [Access]>,
    /// The arrays of a row.
    pub(super) rooms: &'a [Room],
    sites: usize,
    /// Ever defined: a value is defined once.
    defined: SortedSet<Value>,
    /// Visible here, scope by scope.
    scopes: Vec<SortedSet<Value>>,
}

impl<'a> Code<'a> {
    pub(super) fn new(types: &'a [Leaf], buffers: Option<&'a [Access]>, sites: usize) -> Self {
        Code {
            types,
            buffers,
            rooms: &[],
            sites,
            defined: SortedSet::new(),
            scopes: vec![SortedSet::new()],
        }
    }

    pub(super) fn open(&mut self) {
        self.scopes.push(SortedSet::new());
    }

    pub(super) fn close(&mut self) {
        self.scopes.pop();
    }

    /// Runs in a scope of its own.
    pub(super) fn scoped<T>(
        &mut self,
        run: impl FnOnce(&mut Self) -> Result<T, Wrong>,
    ) -> Result<T, Wrong> {
        self.open();
        let result = run(self);
        self.close();
        result
    }

    pub(super) fn define(&mut self, value: Value) -> Result<(), Wrong> {
        if value.0 as usize >= self.types.len() {
            return Err(format!("{value:?} has no type"));
        }
        if !self.defined.insert(value) {
            return Err(format!("{value:?} is defined twice"));
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(value);
        }
        Ok(())
    }

    /// The type of a value that is visible here.
    pub(super) fn leaf(&self, value: Value) -> Result<Leaf, Wrong> {
        if self.scopes.iter().any(|scope| scope.contains(&value)) {
            return Ok(self.types[value.0 as usize]);
        }
        let what = match self.defined.contains(&value) {
            true => "is used outside its scope",
            false => "is used before it is defined",
        };
        Err(format!("{value:?} {what}"))
    }

    pub(super) fn is(&self, value: Value, leaf: Leaf) -> Result<(), Wrong> {
        let found = self.leaf(value)?;
        match found == leaf {
            true => Ok(()),
            false => Err(format!(
                "{value:?} is {}, not {}",
                found.name(),
                leaf.name()
            )),
        }
    }

    pub(super) fn lengths(&self, extents: &[Value]) -> Result<(), Wrong> {
        extents
            .iter()
            .try_for_each(|&extent| self.is(extent, Leaf::U64))
    }

    /// A list of its own scope, then what must be visible at its end.
    fn nested<T>(
        &mut self,
        list: &[Statement],
        end: impl FnOnce(&mut Self) -> Result<T, Wrong>,
    ) -> Result<T, Wrong> {
        self.scoped(|code| {
            code.list(list)?;
            end(code)
        })
    }

    pub(super) fn list(&mut self, list: &[Statement]) -> Result<(), Wrong> {
        list.iter().try_for_each(|statement| {
            self.statement(statement).map_err(|wrong| match statement {
                Statement::Let { .. } | Statement::Load { .. } | Statement::Store { .. } => {
                    format!("{wrong}, in {statement:?}")
                }
                _ => wrong,
            })
        })
    }

    /// The type of a buffer's or room's elements.
    fn access(&self, buffer: usize, writes: bool) -> Result<Leaf, Wrong> {
        let buffers = self.buffers.unwrap_or_default();
        match buffers.get(buffer) {
            None => match self.rooms.get(buffer - buffers.len()) {
                Some(room) => Ok(room.leaf),
                None => Err(format!("no buffer {buffer}")),
            },
            Some(access) if access.writes != writes => {
                Err(format!("`{}` is both read and written", access.name))
            }
            Some(access) => Ok(access.leaf),
        }
    }

    pub(super) fn statement(&mut self, statement: &Statement) -> Result<(), Wrong> {
        match statement {
            Statement::Let { value, op } => {
                let found = self.result(op, *value)?;
                self.define(*value)?;
                self.is(*value, found)
            }
            Statement::Load {
                value,
                buffer,
                index,
                guard,
            } => {
                let leaf = self.access(*buffer, false)?;
                self.is(*index, Leaf::U64)?;
                guard.map_or(Ok(()), |guard| self.is(guard, Leaf::Bool))?;
                self.define(*value)?;
                self.is(*value, leaf)
            }
            Statement::Store {
                buffer,
                index,
                value,
            } => {
                let leaf = self.access(*buffer, true)?;
                self.is(*index, Leaf::U64)?;
                self.is(*value, leaf)
            }
            Statement::Check {
                condition,
                site,
                values,
            } => {
                self.is(*condition, Leaf::Bool)?;
                self.site(site.0 as usize)?;
                values
                    .iter()
                    .try_for_each(|&value| self.leaf(value).map(drop))
            }
            Statement::If {
                condition,
                then,
                otherwise,
                results,
            } => {
                self.is(*condition, Leaf::Bool)?;
                self.nested(then, |code| {
                    let mut sides = results.iter();
                    sides
                        .try_for_each(|join| code.is(join.then, code.types[join.result.0 as usize]))
                })?;
                self.nested(otherwise, |code| {
                    let mut sides = results.iter();
                    sides.try_for_each(|join| {
                        code.is(join.otherwise, code.types[join.result.0 as usize])
                    })
                })?;
                results.iter().try_for_each(|join| self.define(join.result))
            }
            Statement::Loop {
                state,
                test,
                condition,
                body,
            } => {
                for carry in state {
                    self.is(carry.initial, self.types[carry.state.0 as usize])?;
                }
                state
                    .iter()
                    .try_for_each(|carry| self.define(carry.state))?;
                self.nested(test, |code| code.is(*condition, Leaf::Bool))?;
                self.nested(body, |code| {
                    let mut carries = state.iter();
                    carries.try_for_each(|carry| {
                        code.is(carry.next, code.types[carry.state.0 as usize])
                    })
                })
            }
            Statement::Fold {
                extents,
                vars,
                body,
                folds,
            } => self.fold(extents, vars, body, folds),
        }
    }

    pub(super) fn site(&self, site: usize) -> Result<(), Wrong> {
        match site < self.sites {
            true => Ok(()),
            false => Err(format!("no site {site}")),
        }
    }

    /// Variables over a domain, defined in the innermost scope.
    pub(super) fn domain(&mut self, extents: &[Value], vars: &[Value]) -> Result<(), Wrong> {
        self.lengths(extents)?;
        if extents.len() != vars.len() {
            return Err("a domain with as many variables as extents is needed".to_owned());
        }
        vars.iter().try_for_each(|&var| {
            self.define(var)?;
            self.is(var, Leaf::U64)
        })
    }

    pub(super) fn fold(
        &mut self,
        extents: &[Value],
        vars: &[Value],
        body: &[Statement],
        folds: &[Fold],
    ) -> Result<(), Wrong> {
        folds.iter().try_for_each(|fold| self.parts(fold))?;
        self.scoped(|code| {
            code.domain(extents, vars)?;
            code.list(body)?;
            folds.iter().try_for_each(|fold| code.elements(fold))
        })?;
        self.operators(folds)
    }

    /// The operators of folds, and their results.
    fn operators(&mut self, folds: &[Fold]) -> Result<(), Wrong> {
        folds.iter().try_for_each(|fold| self.operator(fold))?;
        let mut results = folds.iter().flat_map(|fold| &fold.results);
        results.try_for_each(|&result| self.define(result))
    }

    /// The parts of a fold agree in number, and its initial value fits.
    pub(super) fn parts(&mut self, fold: &Fold) -> Result<(), Wrong> {
        let count = fold.results.len();
        let parts = [&fold.elements, &fold.left, &fold.right, &fold.combined];
        let initial = fold.initial.as_ref().map_or(count, Vec::len);
        if parts.iter().any(|part| part.len() != count) || initial != count {
            return Err("the parts of a fold differ in number".to_owned());
        }
        match &fold.initial {
            Some(initial) => self.like_results(fold, initial),
            None => Ok(()),
        }
    }

    fn like_results(&self, fold: &Fold, values: &[Value]) -> Result<(), Wrong> {
        let mut pairs = values.iter().zip(&fold.results);
        pairs.try_for_each(|(&value, result)| self.is(value, self.types[result.0 as usize]))
    }

    pub(super) fn elements(&mut self, fold: &Fold) -> Result<(), Wrong> {
        self.like_results(fold, &fold.elements)
    }

    pub(super) fn operator(&mut self, fold: &Fold) -> Result<(), Wrong> {
        self.scoped(|code| {
            for side in [&fold.left, &fold.right] {
                side.iter().try_for_each(|&value| code.define(value))?;
                code.like_results(fold, side)?;
            }
            let touches = |statement: &Statement| {
                matches!(statement, Statement::Load { .. } | Statement::Store { .. })
            };
            if fold.combine.iter().any(touches) {
                return Err("an operator that reads or writes memory".to_owned());
            }
            code.list(&fold.combine)?;
            code.like_results(fold, &fold.combined)
        })
    }

    pub(super) fn scan(
        &mut self,
        extents: &[Value],
        vars: &[Value],
        body: &[Statement],
        folds: &[Fold],
        prefixes: &[Prefix],
        (each, after): (&[Statement], &[Fold]),
    ) -> Result<(), Wrong> {
        if vars.len() != 1 || folds.is_empty() || prefixes.len() != folds.len() {
            return Err("a scan is of one axis, with a prefix for each fold".to_owned());
        }
        if folds.iter().any(|fold| fold.initial.is_some()) {
            return Err("a scan with an initial value".to_owned());
        }
        if after.iter().any(|fold| fold.known.is_none()) {
            return Err("a reduction after a scan by an unknown operator".to_owned());
        }
        after.iter().try_for_each(|fold| self.parts(fold))?;
        self.fold(extents, vars, body, folds)?;
        // The results come after all points; the axis is defined with the fold, in whose scope it was.
        let row = self.scopes.pop().unwrap_or_default();
        let results: SortedSet<Value> =
            folds.iter().flat_map(|fold| fold.results.clone()).collect();
        self.scopes
            .push(row.difference(&results).copied().collect());
        let done = self.scoped(|code| {
            if let Some(scope) = code.scopes.last_mut() {
                scope.extend(vars);
            }
            for (prefix, fold) in prefixes.iter().zip(folds) {
                for values in [&prefix.through, &prefix.before] {
                    for (&value, &result) in values.iter().zip(&fold.results) {
                        code.define(value)?;
                        code.is(value, code.types[result.0 as usize])?;
                    }
                }
                let all = fold.results.len();
                if prefix.through.len() != all || ![0, all].contains(&prefix.before.len()) {
                    return Err("a prefix and its fold differ in number".to_owned());
                }
            }
            code.list(each)?;
            after.iter().try_for_each(|fold| code.elements(fold))
        });
        self.scopes.pop();
        self.scopes.push(row);
        done?;
        self.operators(after)
    }

    /// The type of an operation's result, whose operands are checked.
    fn result(&self, op: &Op, value: Value) -> Result<Leaf, Wrong> {
        for operand in op.operands() {
            self.leaf(operand)?;
        }
        let same = |a: Value, b: Value| self.is(b, self.types[a.0 as usize]);
        let of = |a: &Value| self.types[a.0 as usize];
        Ok(match op {
            Op::Constant(scalar) => scalar.leaf,
            Op::Unary(crate::scalar::Unary::CountOnes, _)
            | Op::Unary(crate::scalar::Unary::LeadingZeros, _)
            | Op::Unary(crate::scalar::Unary::TrailingZeros, _) => self.types[value.0 as usize],
            Op::Unary(_, a) => of(a),
            Op::Binary(Binary::Shl | Binary::Shr, a, b) => {
                self.is(*b, Leaf::U32)?;
                of(a)
            }
            Op::Binary(op, a, b) => {
                same(*a, *b)?;
                match op {
                    Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le => Leaf::Bool,
                    _ => of(a),
                }
            }
            Op::Select(condition, a, b) => {
                self.is(*condition, Leaf::Bool)?;
                same(*a, *b)?;
                of(a)
            }
            Op::Cast(leaf, _) => *leaf,
            Op::Bitcast(leaf, a) if leaf.bits() == of(a).bits() => *leaf,
            Op::Bitcast(..) => return Err("the same bits of another width".to_owned()),
            Op::Math(_, arguments) => {
                let first = arguments.first().copied().unwrap_or(value);
                arguments.iter().try_for_each(|&other| same(first, other))?;
                self.types[first.0 as usize]
            }
            Op::Foreign(f, values) => {
                if values.len() != f.parameters.len() + 1 {
                    return Err(format!("`{}` with other arguments", f.name));
                }
                let types = f.parameters.iter().chain([&f.result]);
                (values.iter().zip(types)).try_for_each(|(&value, &leaf)| self.is(value, leaf))?;
                f.result
            }
        })
    }
}
