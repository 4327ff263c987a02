//! Invariants of tiles: each part uses nothing but what it may depend on, and the whole is all that is needed.

use super::Wrong;
use super::code::Code;
use crate::plan::tiles::{Inner, Part, Tiles};
use crate::plan::{Kernel, Phase, Statement, Value};

/// The parts of a contraction over `vars`.
pub(super) fn tiles(
    kernel: &Kernel,
    sites: usize,
    vars: &[Value],
    phases: &[Phase],
    tiles: &Tiles,
) -> Result<(), Wrong> {
    let inner = Inner::of(phases).ok_or("tiles without a fold")?;
    let (batches, row, column) = tiles.coordinates(vars);
    let alone = |what: &str, depends: &[&[Value]], part: &Part| {
        let mut code = Code::new(&kernel.types, Some(&kernel.buffers), sites);
        let mut known = kernel.scalars.iter().chain(&batches);
        known.try_for_each(|&value| code.define(value))?;
        code.list(&tiles.batch.statements)?;
        let mut depends = depends.iter().copied().flatten();
        depends.try_for_each(|&value| code.define(value))?;
        code.list(&part.statements)?;
        let mut values = part.values.iter();
        values
            .try_for_each(|&value| code.leaf(value).map(drop))
            .map_err(|wrong: Wrong| format!("{what} of a tile: {wrong}"))
    };
    let (row, column, k) = (row.as_slice(), &[column][..], &[inner.var][..]);
    alone("the rows", &[row], &tiles.of_row)?;
    alone("the columns", &[column], &tiles.of_column)?;
    alone("the left side", &[row, k], &tiles.left)?;
    alone("the right side", &[column, k], &tiles.right)?;
    // The body has the values of its sides, not what they are made of.
    let mut code = Code::new(&kernel.types, Some(&kernel.buffers), sites);
    let sides = [&tiles.of_row, &tiles.of_column, &tiles.left, &tiles.right];
    let given = sides.iter().flat_map(|part| &part.values);
    let known = kernel.scalars.iter().chain(&batches);
    let mut known = known.chain(row).chain(column).chain(given);
    known.try_for_each(|&value| code.define(value))?;
    code.list(&tiles.batch.statements)?;
    code.fold(&[inner.extent], &[inner.var], &tiles.body, inner.folds)?;
    let mut code = Code::new(&kernel.types, Some(&kernel.buffers), sites);
    let results = inner.folds.iter().flat_map(|fold| &fold.results);
    let known = kernel.scalars.iter().chain(vars).chain(results);
    known.copied().try_for_each(|value| code.define(value))?;
    code.list(&tiles.batch.statements)?;
    code.list(&tiles.after)?;
    let loads = |statement: &Statement| matches!(statement, Statement::Load { .. });
    match tiles.body.iter().any(loads) {
        true => Err("the body of a tile reads memory".to_owned()),
        false => Ok(()),
    }
}
