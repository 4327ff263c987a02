//! Contractions: finds what the rows of a kernel share.
//!
//! In: the phases of a row-wise kernel. Out: the same statements sorted by the axes they depend on, if there are few
//! enough for tiles; a schedule for its sizes.

use crate::fuse::Tiling;
use crate::fuse::body::Body;
use crate::ir::QuickMap;
use crate::plan::tiles::{Part, Schedule, Tiles};
use crate::plan::{Fold, Op, Phase, Statement, Value, uses};
use crate::scalar::Leaf;
use crate::sorted::SortedSet;

/// Shared memory of a block that needs no special request, in bytes.
const SHARED: u32 = 48 << 10;
/// Registers of a thread for the states of its elements.
const REGISTERS: u32 = 64;
/// A value that costs less is computed anew rather than shared.
const CHEAP: u64 = 2;

/// The axes that a value depends on, as bits; those of the domain from the lowest on.
type Axes = u64;
/// The fold's own.
const INNER: Axes = 1 << 63;

/// A kernel's tiles, if tiles are of use.
pub(in crate::fuse) fn find(
    body: &Body,
    extents: &[Value],
    vars: &[Value],
    phases: &[Phase],
) -> Option<Tiles> {
    let at = phases
        .iter()
        .position(|phase| matches!(phase, Phase::Fold { .. }))?;
    let Phase::Fold {
        extents: inner,
        vars: inner_vars,
        body: statements,
        folds,
    } = &phases[at]
    else {
        return None;
    };
    let ([extent], [var]) = (inner.as_slice(), inner_vars.as_slice()) else {
        return None;
    };
    let before = uniform(&phases[..at])?;
    let after = uniform(&phases[at + 1..])?;
    let stores = uses::stores(statements);
    if body.tiling == Tiling::Off || extents.is_empty() || stores || has_effects(&before) {
        return None;
    }
    let mut axes: QuickMap<Value, Axes> = QuickMap::default();
    for (axis, &coordinate) in vars.iter().enumerate() {
        axes.insert(coordinate, 1 << axis);
    }
    axes.insert(*var, INNER);
    let mut code = Vec::new();
    for (own, statement) in
        (before.iter().map(|s| (false, s))).chain(statements.iter().map(|s| (true, s)))
    {
        let list = std::slice::from_ref(statement);
        let depends = of_all(&axes, uses::free(list));
        for value in uses::defined(list) {
            axes.insert(value, depends);
        }
        code.push(Line {
            statement,
            depends,
            own,
        });
    }
    let column = vars.len() - 1;
    let rows = (0..column).rev().map(Some).chain([None]);
    let split = Split {
        body,
        axes,
        code,
        folds,
        extent: *extent,
        after,
    };
    rows.filter(|row| row.is_none_or(|row| row < 62))
        .find_map(|row| split.tiles(row, column))
}

/// The statements of uniform phases; nothing if another phase is among them.
fn uniform(phases: &[Phase]) -> Option<Vec<Statement>> {
    let mut statements = Vec::new();
    for phase in phases {
        match phase {
            Phase::Uniform(list) => statements.extend(list.iter().cloned()),
            Phase::Fold { .. } | Phase::Each { .. } | Phase::Scan { .. } => return None,
        }
    }
    Some(statements)
}

fn has_effects(statements: &[Statement]) -> bool {
    let stores = |statement: &Statement| matches!(statement, Statement::Store { .. });
    uses::checks(statements) || statements.iter().any(stores)
}

/// Arithmetic and branches: what may be computed for elements that are not there.
fn is_pure(statement: &Statement) -> bool {
    match statement {
        Statement::Let { .. } => true,
        Statement::If {
            then, otherwise, ..
        } => then.iter().chain(otherwise).all(is_pure),
        Statement::Load { .. }
        | Statement::Store { .. }
        | Statement::Check { .. }
        | Statement::Loop { .. }
        | Statement::Fold { .. } => false,
    }
}

fn of_all(axes: &QuickMap<Value, Axes>, values: impl IntoIterator<Item = Value>) -> Axes {
    let of = |value: Value| axes.get(&value).copied().unwrap_or(0);
    values.into_iter().map(of).fold(0, |all, one| all | one)
}

/// A statement with what it depends on, and whether it is the fold's.
struct Line<'a> {
    statement: &'a Statement,
    depends: Axes,
    own: bool,
}

/// What is known before axes are chosen.
struct Split<'a, 'b> {
    body: &'a Body<'b>,
    axes: QuickMap<Value, Axes>,
    code: Vec<Line<'a>>,
    folds: &'a [Fold],
    extent: Value,
    after: Vec<Statement>,
}

impl Split<'_, '_> {
    /// The statements sorted by these axes.
    fn tiles(&self, row: Option<usize>, column: usize) -> Option<Tiles> {
        let row_bit = row.map_or(0, |row| 1 << row);
        let column_bit: Axes = 1 << column;
        let both = |axes: Axes| axes & column_bit != 0 && (row_bit == 0 || axes & row_bit != 0);
        let of = |value: Value| self.axes.get(&value).copied().unwrap_or(0);
        if of(self.extent) & (row_bit | column_bit) != 0 {
            return None;
        }
        let constant = |line: &Line| {
            let op = Op::clone(match line.statement {
                Statement::Let { op, .. } => op,
                _ => return false,
            });
            matches!(op, Op::Constant(_))
        };
        let shared = |line: &Line| {
            constant(line) || (!line.own && line.depends & (row_bit | column_bit) == 0)
        };
        let rest = |line: &Line| line.own && both(line.depends);
        if !self
            .code
            .iter()
            .filter(|line| rest(line))
            .all(|line| is_pure(line.statement))
        {
            return None;
        }
        let statements = |which: &dyn Fn(&Line) -> bool| -> Vec<Statement> {
            let lines = self.code.iter().filter(|line| which(line));
            lines.map(|line| line.statement.clone()).collect()
        };
        let body = statements(&rest);
        let mut needed = uses::free(&body);
        let inside: SortedSet<Value> = uses::defined(&body).into_iter().collect();
        for fold in self.folds {
            needed.extend(fold.elements.iter().filter(|value| !inside.contains(value)));
            let own = uses::free(&fold.combine);
            let parameters: SortedSet<&Value> = fold.left.iter().chain(&fold.right).collect();
            needed.extend(own.iter().filter(|value| !parameters.contains(value)));
            if !fold.combine.iter().all(is_pure) {
                return None;
            }
            let known = uses::defined(&fold.combine);
            let combined = fold
                .combined
                .iter()
                .filter(|value| !parameters.contains(value) && !known.contains(value));
            needed.extend(combined);
            if (fold.initial.iter().flatten()).any(|&value| of(value) & (row_bit | column_bit) != 0)
            {
                return None;
            }
        }
        // Where each value comes from that the rest of the body needs.
        let mut sources: QuickMap<Value, &Line> = QuickMap::default();
        for line in self.code.iter().filter(|line| !shared(line)) {
            for value in uses::defined(std::slice::from_ref(line.statement)) {
                sources.insert(value, line);
            }
        }
        let [mut of_row, mut of_column, mut left, mut right]: [Vec<Value>; 4] = Default::default();
        for value in needed {
            let Some(line) = sources.get(&value) else {
                continue;
            };
            match (line.own, line.depends & column_bit != 0) {
                (true, false) => left.push(value),
                (true, true) if !both(line.depends) => right.push(value),
                (false, false) => of_row.push(value),
                (false, true) if row_bit == 0 || line.depends & row_bit == 0 => {
                    of_column.push(value)
                }
                _ => return None,
            }
        }
        let checks = |line: &Line| uses::checks(std::slice::from_ref(line.statement));
        let part = |values: Vec<Value>, checked: &dyn Fn(&Line) -> bool| -> Part {
            let mut wanted: SortedSet<Value> = values.iter().copied().collect();
            let mut statements = Vec::new();
            for line in self.code.iter().rev().filter(|line| !shared(line)) {
                let list = std::slice::from_ref(line.statement);
                let gives = uses::defined(list)
                    .iter()
                    .any(|value| wanted.contains(value));
                if gives || (line.own && checks(line) && checked(line)) {
                    wanted.extend(uses::free(list));
                    statements.insert(0, line.statement.clone());
                }
            }
            Part { statements, values }
        };
        let none = |_: &Line| false;
        let [on_left, on_right] =
            [0, column_bit].map(|bit| move |line: &Line| line.depends & column_bit == bit);
        let left = part(left, &on_left);
        let right = part(right, &|line| on_right(line) && !both(line.depends));
        let (of_row, of_column) = (part(of_row, &none), part(of_column, &none));
        let silent = |part: &Part| part.values.is_empty() && !part.statements.is_empty();
        if silent(&left) || silent(&right) {
            return None;
        }
        // Whether sharing pays: a side is reused along the other axis.
        let worth = |part: &Part| uses::cost(&part.statements) > CHEAP;
        let pays = match row {
            Some(_) => worth(&right) && (worth(&left) || !of_row.values.is_empty()),
            None => {
                let varies = |fold: &Fold| fold.elements.iter().any(|&value| both(of(value)));
                right.values.is_empty() && worth(&left) && self.folds.iter().all(varies)
            }
        };
        if !pays {
            return None;
        }
        let batch = statements(&shared);
        let own = self.code.iter().filter(|line| !line.own && !shared(line));
        let before: Vec<&Statement> = own.map(|line| line.statement).collect();
        let needed = uses::backward_slice(&before, uses::free(&self.after));
        let after = [needed, self.after.clone()].concat();
        let values = uses::defined(&batch);
        let schedules = self.schedules(row.is_some(), &left, &right);
        if schedules.is_empty() {
            return None;
        }
        Some(Tiles {
            row,
            column,
            schedules,
            batch: Part {
                statements: batch,
                values,
            },
            of_row,
            of_column,
            left,
            right,
            body,
            after,
        })
    }

    /// The largest tile that finds room, and smaller ones whose threads do no more each.
    fn schedules(&self, rows: bool, left: &Part, right: &Part) -> Vec<Schedule> {
        let bytes = |values: &[Value]| -> u32 {
            let leaves = values.iter().map(|&value| self.body.values.leaf(value));
            let words = leaves.clone().map(|leaf| Leaf::bytes(leaf).max(4) as u32);
            words.sum::<u32>().max(Leaf::struct_bytes(leaves))
        };
        let results: Vec<Value> = self
            .folds
            .iter()
            .flat_map(|fold| fold.results.clone())
            .collect();
        let [state, left, right] =
            [&results, &left.values, &right.values].map(|values| bytes(values));
        let schedules = |tiles: &[([u32; 2], [u32; 2])], depths: &[u32]| -> Vec<Schedule> {
            let of = |&([rows, columns], each): &([u32; 2], [u32; 2])| {
                depths.iter().map(move |&depth| Schedule {
                    tile: [rows, columns, depth],
                    each,
                })
            };
            tiles.iter().flat_map(of).collect()
        };
        let (large, small) = match (self.body.tiling, rows) {
            (Tiling::Off, _) => (Vec::new(), Vec::new()),
            (Tiling::Small, true) => (
                schedules(&[([8, 16], [2, 2])], &[4]),
                schedules(&[([4, 16], [1, 2])], &[4]),
            ),
            (Tiling::Small, false) => (schedules(&[([1, 32], [1, 1])], &[8]), Vec::new()),
            (Tiling::Large, false) => {
                (schedules(&[([1, 256], [1, 1])], &[128, 64, 32]), Vec::new())
            }
            (Tiling::Large, true) => {
                let each = [[8, 8], [8, 4], [4, 4], [4, 2], [2, 2]];
                let tiles = each.map(|[r, c]| ([16 * r, 16 * c], [r, c]));
                (
                    schedules(&tiles, &[16, 8]),
                    schedules(&[([64, 64], [8, 4]), ([32, 32], [4, 4])], &[16, 8]),
                )
            }
        };
        // Two tiles of each side, with some room between lines.
        let fits = |schedule: &Schedule| {
            let ([rows, columns, depth], [r, c]) = (schedule.tile, schedule.each);
            2 * depth * ((rows + 4) * left + (columns + 4) * right) <= SHARED
                && r * c * state.div_ceil(4) <= REGISTERS
        };
        let Some(largest) = large.into_iter().find(fits) else {
            return Vec::new();
        };
        let less = |schedule: &Schedule| {
            schedule.area() < largest.area()
                && schedule.tile[2] == largest.tile[2]
                && (0..2).all(|axis| schedule.each[axis] <= largest.each[axis])
        };
        let smaller: Vec<Schedule> = small
            .into_iter()
            .filter(|one| fits(one) && less(one))
            .collect();
        [vec![largest], smaller].concat()
    }
}
