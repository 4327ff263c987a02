//! Invariants of windows: sources use earlier ones only, reads stay within what is there, and the body needs no more.

use super::Wrong;
use super::code::Code;
use crate::plan::windows::Read;
use crate::plan::{Kernel, Points, Statement, Windows};
use crate::scalar::Leaf;

/// The tiles of an elementwise kernel.
pub(super) fn windows(
    kernel: &Kernel,
    sites: usize,
    points: &Points,
    windows: &Windows,
) -> Result<(), Wrong> {
    let vars = &points.vars;
    let rank = vars.len();
    let points: u32 = windows.tile.iter().product();
    if windows.tile.len() != rank || windows.margins.len() != rank {
        return Err("a tile of another rank".to_owned());
    }
    if !points.is_multiple_of(windows.threads)
        || windows.tile.iter().filter(|&&n| n > 1).count() > 3
    {
        return Err(format!("no tile for {} threads", windows.threads));
    }
    let planes = windows.stream.map_or(1, |axis| windows.tile[axis]);
    if !(points / planes).is_multiple_of(windows.threads) {
        return Err(format!("no plane for {} threads", windows.threads));
    }
    // Reads of sources before the one of this number, from this far around a tile.
    let reads = |number: usize, around: &[[i64; 2]], reads: &[Read]| -> Result<Code<'_>, Wrong> {
        let mut code = Code::new(&kernel.types, Some(&kernel.buffers), sites);
        let mut known = kernel.scalars.iter().chain(vars);
        known.try_for_each(|&value| code.define(value))?;
        for read in reads {
            let source = windows
                .sources
                .get(read.source)
                .filter(|_| read.source < number);
            let source = source.ok_or("a read of a source that is not there yet")?;
            code.define(read.value)?;
            code.is(read.value, kernel.types[source.value.0 as usize])?;
            let mut axes = source.halo.iter().zip(around).zip(&read.offset);
            let within = axes.all(|((halo, around), &offset)| {
                let halo = halo.map(i64::from);
                around[0] - offset <= halo[0] && around[1] + offset <= halo[1]
            });
            if !within || read.offset.len() != rank {
                return Err(format!("{:?} is read beyond what a tile has", source.name));
            }
        }
        Ok(code)
    };
    for (number, source) in windows.sources.iter().enumerate() {
        let halo: Vec<[i64; 2]> = (source.halo.iter())
            .map(|sides| sides.map(i64::from))
            .collect();
        let mut code = reads(number, &halo, &source.reads)?;
        let pure = |statement: &Statement| {
            matches!(
                statement,
                Statement::Let { .. } | Statement::Load { guard: None, .. }
            )
        };
        if !source.statements.iter().all(pure) {
            return Err(format!("{:?} has more than values", source.name));
        }
        code.list(&source.statements)?;
        code.leaf(source.value)?;
    }
    let mut given = Code::new(&kernel.types, Some(&kernel.buffers), sites);
    (kernel.scalars.iter()).try_for_each(|&value| given.define(value))?;
    let computes = |statement: &Statement| matches!(statement, Statement::Let { .. });
    if !windows.given.statements.iter().all(computes) {
        return Err("conditions of scalars that are more than operations".to_owned());
    }
    given.list(&windows.given.statements)?;
    for &condition in &windows.given.conditions {
        given.is(condition, Leaf::Bool)?;
    }
    let mut here = vec![[0; 2]; rank];
    if windows.register_block > 1 {
        let (axis, each) = windows.outer().ok_or("points together along no axis")?;
        if !each.is_multiple_of(windows.register_block) {
            return Err(format!(
                "{} of {each} points together",
                windows.register_block
            ));
        }
        // The others are points of the tile, too.
        here[axis][1] = 1 - i64::from(windows.register_block);
    }
    reads(windows.sources.len(), &here, &windows.reads)?.list(&windows.body)
}
