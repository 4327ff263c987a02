//! Contractions: rows of which neighbours along two axes share what their folds read.
//!
//! A row-wise kernel with one fold over an axis `k` is a contraction if what the fold combines depends on few axes of
//! the domain at a time: some values on `(row, k)`, others on `(column, k)`, and only arithmetic on both. Then a block
//! of rows and columns can be worked on together, each shared value being computed once and used by all. The row-wise
//! phases stay what the kernel means; [`Tiles`] has the same statements, sorted by what they depend on.

use super::{Fold, Phase, Statement, Value};

/// How a contraction is cut into tiles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// Rows, columns and elements of the fold that a block of threads has at hand at once.
    pub tile: [u32; 3],
    /// Rows and columns of the tile that each thread works on.
    pub each: [u32; 2],
}

impl Schedule {
    /// Rows and columns of threads.
    pub fn threads(&self) -> [u32; 2] {
        [self.tile[0] / self.each[0], self.tile[1] / self.each[1]]
    }

    /// Elements of the result that a tile has.
    pub fn area(&self) -> u32 {
        self.tile[0] * self.tile[1]
    }
}

/// Statements, and what they are there for. They use nothing but each other's values, those of [`Tiles::batch`],
/// coordinates and the kernel's scalars.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// In order.
    pub statements: Vec<Statement>,
    /// What others use of them.
    pub values: Vec<Value>,
}

/// The statements of a contraction.
#[derive(Clone, Debug)]
pub struct Tiles {
    /// The domain's axis of rows; none if nothing depends on a column and `k`: then each tile is a single row.
    pub row: Option<usize>,
    /// The domain's axis of columns: the last. All others are batches.
    pub column: usize,
    /// Sizes, the largest first: smaller ones are for results that large ones would not keep a device busy with.
    pub schedules: Vec<Schedule>,
    /// What all tiles of a batch share.
    pub batch: Part,
    /// Of a row.
    pub of_row: Part,
    /// Of a column.
    pub of_column: Part,
    /// Of a row and an element of the fold.
    pub left: Part,
    /// Of a column and an element of the fold.
    pub right: Part,
    /// What is left of the fold's body, without accesses and checks. Its values are the fold's operands.
    pub body: Vec<Statement>,
    /// What follows the fold.
    pub after: Vec<Statement>,
}

/// The fold of a contraction.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "as of `Phase::Fold`")]
pub struct Inner<'a> {
    pub extent: Value,
    pub var: Value,
    pub body: &'a [Statement],
    pub folds: &'a [Fold],
}

impl<'a> Inner<'a> {
    /// The one among these phases.
    pub fn of(phases: &'a [Phase]) -> Option<Inner<'a>> {
        phases.iter().find_map(|phase| match phase {
            Phase::Fold {
                extents,
                vars,
                body,
                folds,
            } => Some(Inner {
                extent: *extents.first()?,
                var: *vars.first()?,
                body,
                folds,
            }),
            Phase::Uniform(_) | Phase::Each { .. } | Phase::Scan { .. } => None,
        })
    }
}

impl Tiles {
    /// The phases again, made of the sorted statements.
    pub fn phases(&self, inner: Inner<'_>) -> Vec<Phase> {
        let list = |parts: &[&[Statement]]| parts.concat();
        let parts = [&self.batch, &self.of_row, &self.of_column];
        let [batch, of_row, of_column] = parts.map(|part| part.statements.as_slice());
        vec![
            Phase::Uniform(list(&[batch, of_row, of_column])),
            Phase::Fold {
                extents: vec![inner.extent],
                vars: vec![inner.var],
                body: list(&[&self.left.statements, &self.right.statements, &self.body]),
                folds: inner.folds.to_vec(),
            },
            Phase::Uniform(self.after.clone()),
        ]
    }

    /// Coordinates of batches, and those of the row (if there is one) and the column.
    pub fn coordinates(&self, vars: &[Value]) -> (Vec<Value>, Option<Value>, Value) {
        let others = (0..vars.len()).filter(|&axis| Some(axis) != self.row && axis != self.column);
        let row = self.row.map(|axis| vars[axis]);
        (
            others.map(|axis| vars[axis]).collect(),
            row,
            vars[self.column],
        )
    }
}
