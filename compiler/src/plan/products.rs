//! Products that folds of rows combine: contractions in the body of a phase.
//!
//! A row that folds what a contraction gives for each of its columns (the distances to all centres, of which the least is wanted)
//! reads for each column what all other rows read too. So a block of rows may have its products made first, in tiles, and put into
//! rooms of its own; then the phases of its rows read them there. The phases stay what the kernel means.

use super::tiles::{Inner, Tiles};
use super::{Access, Fold, Kernel, Op, Phase, Skeleton, Statement, Value, uses};
use crate::scalar::{Binary, Leaf};

/// Which contraction is in a kernel's phases, and its statements sorted for tiles.
#[derive(Clone, Debug)]
pub struct Products {
    /// The position of the phase, a fold.
    pub phase: usize,
    /// The position of the contraction in its body, a fold as well.
    pub statement: usize,
    /// Over the axes of the rows and those of the phase. The last two are the tiles' rows and columns. Nothing follows the fold.
    pub tiles: Tiles,
}

/// What is made of a kernel for blocks of its rows. Both have the buffers of the kernel and then the rooms, its scalars and then the
/// first row of a block.
#[derive(Clone, Debug)]
pub struct Blocks {
    /// Puts the products of a block into the rooms: those of a row side by side.
    pub products: Kernel,
    /// The kernel, with reads of the rooms in the place of products.
    pub rows: Kernel,
}

/// A domain's extents and coordinates.
type Domain = (Vec<Value>, Vec<Value>);

impl Products {
    /// The contraction's fold.
    pub fn inner<'a>(&self, phases: &'a [Phase]) -> Option<Inner<'a>> {
        let Phase::Fold { body, .. } = phases.get(self.phase)? else {
            return None;
        };
        let Statement::Fold {
            extents,
            vars,
            body,
            folds,
        } = body.get(self.statement)?
        else {
            return None;
        };
        Some(Inner {
            extent: *extents.first()?,
            var: *vars.first()?,
            body,
            folds,
        })
    }

    /// The axes of rows, then those of the phase.
    fn domain(&self, rows: Domain, phases: &[Phase]) -> Option<Domain> {
        let Phase::Fold { extents, vars, .. } = phases.get(self.phase)? else {
            return None;
        };
        Some((
            [rows.0, extents.clone()].concat(),
            [rows.1, vars.clone()].concat(),
        ))
    }

    /// Whether a block is of rows of the kernel; otherwise it is of rows of the phase's domain.
    pub fn of_rows(&self, rank: usize) -> bool {
        self.tiles.row.is_some_and(|row| row < rank)
    }

    /// What is made of a kernel that has these products.
    pub fn blocks(&self, kernel: &Kernel) -> Option<Blocks> {
        let Skeleton::Rowwise {
            extents,
            vars,
            phases,
            ..
        } = &kernel.skeleton
        else {
            return None;
        };
        let inner = self.inner(phases)?;
        let (all, points) = self.domain((extents.clone(), vars.clone()), phases)?;
        let [.., columns] = all[..] else { return None };
        let [.., row, column] = points[..] else {
            return None;
        };
        let results = || inner.folds.iter().flat_map(|fold: &Fold| &fold.results);
        let mut room = kernel.clone();
        let first = room.value(Leaf::U64);
        room.scalars.push(first);
        for (k, &result) in results().enumerate() {
            room.buffers.push(Access {
                name: format!("room_{k}"),
                leaf: kernel.types[result.0 as usize],
                writes: true,
            });
        }
        // Where a product of a block is.
        let [local, line, place] = [(); 3].map(|()| room.value(Leaf::U64));
        let of = |value, op, a, b| Statement::Let {
            value,
            op: Op::Binary(op, a, b),
        };
        let at = [
            of(local, Binary::Sub, row, first),
            of(line, Binary::Mul, local, columns),
            of(place, Binary::Add, line, column),
        ];
        let rooms = results().enumerate();
        let rooms = rooms.map(|(k, &result)| (kernel.buffers.len() + k, result));
        let stores = rooms.clone().map(|(buffer, value)| Statement::Store {
            buffer,
            index: place,
            value,
        });
        let tiles = Tiles {
            after: at.iter().cloned().chain(stores).collect(),
            ..self.tiles.clone()
        };
        let mut products = room.clone();
        products.name = format!("{}_products", kernel.name);
        products.skeleton = Skeleton::Rowwise {
            extents: all,
            vars: points,
            phases: vec![
                Phase::Uniform(before(phases, self.phase, self.statement)),
                Phase::Fold {
                    extents: vec![inner.extent],
                    vars: vec![inner.var],
                    body: inner.body.to_vec(),
                    folds: inner.folds.to_vec(),
                },
                Phase::Uniform(tiles.after.clone()),
            ],
            tiles: Some(Box::new(tiles)),
            products: None,
        };
        let loads = rooms.map(|(buffer, value)| Statement::Load {
            value,
            buffer,
            index: place,
            guard: None,
        });
        let mut reading = phases.clone();
        let Phase::Fold { body, .. } = &mut reading[self.phase] else {
            return None;
        };
        body.splice(
            self.statement..=self.statement,
            at.iter().cloned().chain(loads),
        );
        let mut rows = room;
        rows.name = format!("{}_of_products", kernel.name);
        for access in &mut rows.buffers[kernel.buffers.len()..] {
            access.writes = false;
        }
        rows.skeleton = Skeleton::Rowwise {
            extents: extents.clone(),
            vars: vars.clone(),
            phases: reading,
            tiles: None,
            products: None,
        };
        Some(Blocks { products, rows })
    }
}

/// What a statement in the body of a phase needs of those that come before it there, and of uniform phases.
pub(crate) fn before(phases: &[Phase], phase: usize, statement: usize) -> Vec<Statement> {
    let Some(Phase::Fold { body, .. }) = phases.get(phase) else {
        return Vec::new();
    };
    let uniform = phases[..phase].iter().flat_map(|phase| match phase {
        Phase::Uniform(list) => &list[..],
        Phase::Fold { .. } | Phase::Each { .. } | Phase::Scan { .. } => &[],
    });
    let earlier: Vec<&Statement> = uniform.chain(&body[..statement]).collect();
    uses::backward_slice(&earlier, uses::free(&body[statement..=statement]))
}

impl Kernel {
    /// A new value.
    fn value(&mut self, leaf: Leaf) -> Value {
        self.types.push(leaf);
        self.names.resize(self.types.len(), None);
        Value(self.types.len() as u32 - 1)
    }
}
