//! Register blocking of windows: a thread's neighbouring points along the outer axis, by unroll and jam.
//!
//! In: windows with the body of one point. Out: windows with the body of two or four, statement by statement, if it is long.
//! Elements of sources that several points read are loaded once, and invariants are computed once, such as the weights
//! of a convolution. Left in a loop over points, nvcc hoists all of these and spills.

use super::edges::Axis;
use crate::fuse::body::values::Values;
use crate::plan::windows::{Read, Windows};
use crate::plan::{Op, Statement, Value, uses};
use crate::scalar::{Binary, Leaf, Scalar};
use crate::sorted::{SortedMap, SortedSet};

/// Statements of a point from which points are blocked. The loop over points with fewer is unrolled.
const LONG: usize = 16;
/// Bytes of registers for elements that later points of the thread read, and for loads in flight.
const KEPT: usize = 384;
/// Bytes of loads in flight, at most, of elements that all points share.
const IN_FLIGHT: usize = 128;

/// See the module.
pub(super) fn run(values: &mut Values, axes: &[Axis], windows: &mut Windows) {
    let Some((axis, each)) = windows.outer() else {
        return;
    };
    let is_straight = |statement: &Statement| match statement {
        Statement::Let { .. }
        | Statement::Load { .. }
        | Statement::Store { .. }
        | Statement::Check { .. } => true,
        Statement::If { .. } | Statement::Loop { .. } | Statement::Fold { .. } => false,
    };
    if windows.body.len() < LONG || !windows.body.iter().all(is_straight) {
        return;
    }
    // Elements of a row that one point reads, the next point reads a row later.
    let row: SortedMap<(usize, Vec<i64>), usize> = (windows.reads.iter())
        .map(|read| {
            let mut beside = read.offset.clone();
            beside[axis] = 0;
            ((read.source, beside), values.leaf(read.value).bytes())
        })
        .collect();
    let kept: usize = row.values().sum();
    let loads = windows.body.iter().map(|statement| match statement {
        Statement::Load { value, .. } => values.leaf(*value).bytes(),
        _ => 0,
    });
    let in_flight = loads.sum::<usize>().min(IN_FLIGHT);
    let fits = |count: &u32| {
        each.is_multiple_of(*count) && (*count as usize - 1) * kept + in_flight <= KEPT
    };
    let two = (in_flight > 0 && each.is_multiple_of(2)).then_some(2);
    let count = [4, 2].into_iter().find(fits).or(two);
    let Some(count) = count.filter(|_| kept > 0) else {
        return;
    };
    let mut group = Group {
        values,
        axis,
        var: axes[axis].var,
        reads: Vec::new(),
        points: vec![SortedMap::new(); count as usize],
        varying: SortedSet::new(),
        statements: Vec::new(),
    };
    group.read(&windows.reads);
    group.places();
    for statement in &windows.body {
        group.statement(statement);
    }
    // One block a thread: a loop over blocks would have what it loads hoisted into registers.
    if in_flight > 0 {
        windows.tile[axis] /= each / count;
    }
    windows.register_block = count;
    windows.reads = group.reads;
    windows.body = group.statements;
}

struct Group<'v> {
    values: &'v mut Values,
    axis: usize,
    /// The coordinate along the axis, of the first point.
    var: Value,
    reads: Vec<Read>,
    /// Of each point, its values by those of the first.
    points: Vec<SortedMap<Value, Value>>,
    /// Values that differ between points.
    varying: SortedSet<Value>,
    statements: Vec<Statement>,
}

impl Group<'_> {
    fn read(&mut self, reads: &[Read]) {
        let mut known: SortedMap<(usize, Vec<i64>), Value> = SortedMap::new();
        for read in reads {
            known.insert((read.source, read.offset.clone()), read.value);
        }
        self.reads = reads.to_vec();
        for read in reads {
            self.varying.insert(read.value);
            for point in 0..self.points.len() {
                let mut offset = read.offset.clone();
                offset[self.axis] += point as i64;
                let key = (read.source, offset);
                let value = match known.get(&key) {
                    Some(&value) => value,
                    None => {
                        let value = self.values.fresh_like(read.value);
                        self.reads.push(Read {
                            value,
                            source: read.source,
                            offset: key.1.clone(),
                        });
                        known.insert(key, value);
                        value
                    }
                };
                self.points[point].insert(read.value, value);
            }
        }
    }

    /// The coordinates of the points.
    fn places(&mut self) {
        self.varying.insert(self.var);
        for point in 1..self.points.len() {
            let distance = self.values.fresh(Leaf::U64);
            let op = Op::Constant(Scalar::wrapped(Leaf::U64, point as u64));
            let (value, statements) = (distance, &mut self.statements);
            statements.push(Statement::Let { value, op });
            let value = self.values.fresh_like(self.var);
            let op = Op::Binary(Binary::Add, self.var, distance);
            statements.push(Statement::Let { value, op });
            self.points[point].insert(self.var, value);
        }
    }

    /// Once for each point, if it differs.
    fn statement(&mut self, statement: &Statement) {
        let operands = uses::free(std::slice::from_ref(statement));
        if operands.is_disjoint(&self.varying) {
            self.statements.push(statement.clone());
            return;
        }
        for point in 0..self.points.len() {
            let mut own = statement.clone();
            if let Statement::Let { value, .. } | Statement::Load { value, .. } = &mut own {
                self.varying.insert(*value);
                let fresh = match point {
                    0 => *value,
                    _ => self.values.fresh_like(*value),
                };
                self.points[point].insert(*value, fresh);
                *value = fresh;
            }
            let names = &self.points[point];
            own.map_operands(&mut |operand| names.get(&operand).copied().unwrap_or(operand));
            self.statements.push(own);
        }
    }
}
