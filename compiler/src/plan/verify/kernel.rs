//! Invariants of kernels: each skeleton is whole, and its code is right where it stands.

use super::Wrong;
use super::code::Code;
use crate::plan::body::Value;
use crate::plan::{Kernel, Meeting, Phase, Skeleton, Sorted, sorts};
use crate::scalar::Leaf;

/// The code of a kernel.
pub(super) fn kernel(kernel: &Kernel, sites: usize) -> Result<(), Wrong> {
    let mut code = Code::new(&kernel.types, Some(&kernel.buffers), sites);
    kernel
        .scalars
        .iter()
        .try_for_each(|&scalar| code.define(scalar))?;
    match &kernel.skeleton {
        Skeleton::Elementwise(parts) => {
            if parts.is_empty() {
                return Err("no domain".to_owned());
            }
            parts.iter().try_for_each(|part| {
                code.scoped(|code| {
                    code.domain(&part.extents, &part.vars)?;
                    code.list(&part.body)
                })?;
                match &part.windows {
                    Some(_) if parts.len() > 1 => Err("tiles of one of several domains".to_owned()),
                    Some(windows) => super::windows::windows(kernel, sites, part, windows),
                    None => Ok(()),
                }
            })
        }
        Skeleton::Scatter {
            extents,
            vars,
            body,
            condition,
            index,
            fold,
            size,
            targets,
            meeting,
        } => {
            code.is(*size, Leaf::U64)?;
            code.parts(fold)?;
            code.scoped(|code| {
                code.domain(extents, vars)?;
                code.list(body)?;
                code.is(*condition, Leaf::Bool)?;
                code.is(*index, Leaf::U64)?;
                code.elements(fold)?;
                code.operator(fold)
            })?;
            let target = |(&at, &result): (&usize, &Value)| {
                let access = kernel.buffers.get(at);
                access.is_some_and(|access| {
                    access.writes && access.leaf == kernel.types[result.0 as usize]
                })
            };
            let scratch = match meeting {
                Meeting::Locked { locks: at, .. } | Meeting::Once { met: at, .. } => Some(*at),
                Meeting::Apart | Meeting::Never => None,
            };
            let word = |at: usize| {
                kernel
                    .buffers
                    .get(at)
                    .is_some_and(|access| access.leaf == Leaf::U32)
            };
            let right = targets.len() == fold.results.len()
                && targets.iter().zip(&fold.results).all(target)
                && scratch.is_none_or(word);
            match right {
                true => Ok(()),
                false => Err("targets that do not fit".to_owned()),
            }
        }
        Skeleton::Sort {
            extents,
            vars,
            body,
            length,
            read,
            parts,
            keys,
            by,
            items,
        } => {
            code.is(*length, Leaf::U64)?;
            for place in read.iter().flatten() {
                code.is(*place, Leaf::U64)?;
            }
            if !(1..=parts.len()).contains(keys) || *items == 0 {
                return Err("a sort without keys or items".to_owned());
            }
            let leaf = |part: &Sorted| kernel.types[part.element.0 as usize];
            let leaves: Vec<Leaf> = parts[..*keys].iter().map(leaf).collect();
            for part in parts {
                let stored = sorts::stored(&leaves, by.is_some(), part.wanted);
                let right = part
                    .buffers
                    .iter()
                    .zip(stored)
                    .all(|(at, stored)| match at {
                        Some(at) => kernel
                            .buffers
                            .get(*at)
                            .is_some_and(|access| access.writes && access.leaf == leaf(part)),
                        None => !stored,
                    });
                if !right {
                    return Err("buffers that do not fit".to_owned());
                }
            }
            if let Some(by) = by {
                code.scoped(|code| {
                    let like = |vars: &[Value]| {
                        let types = vars.iter().map(|value| kernel.types[value.0 as usize]);
                        types.eq(leaves.iter().copied())
                    };
                    if !like(&by.left) || !like(&by.right) {
                        return Err("a comparison of other keys".to_owned());
                    }
                    for &value in by.left.iter().chain(&by.right) {
                        code.define(value)?;
                    }
                    code.list(&by.body)?;
                    code.is(by.less, Leaf::Bool)
                })?;
            }
            code.scoped(|code| {
                code.domain(extents, vars)?;
                code.list(body)?;
                parts
                    .iter()
                    .try_for_each(|part| code.is(part.element, leaf(part)))
            })
        }
        Skeleton::Staged {
            extents,
            vars,
            rooms,
            stages,
            points: _,
        } => {
            code.rooms = rooms;
            code.domain(extents, vars)?;
            super::stages::stages(&mut code, stages, kernel.buffers.len())
        }
        Skeleton::Rowwise {
            extents,
            vars,
            phases,
            tiles,
            products,
        } => {
            code.domain(extents, vars)?;
            phases.iter().enumerate().try_for_each(|(k, phase)| {
                let done = match phase {
                    Phase::Uniform(body) => code.list(body),
                    Phase::Fold {
                        extents,
                        vars,
                        body,
                        folds,
                    } => code.fold(extents, vars, body, folds),
                    Phase::Each {
                        extents,
                        vars,
                        body,
                    } => code.scoped(|code| {
                        code.domain(extents, vars)?;
                        code.list(body)
                    }),
                    Phase::Scan {
                        extents,
                        vars,
                        body,
                        folds,
                        prefixes,
                        each,
                        after,
                    } => code.scan(extents, vars, body, folds, prefixes, (each, after)),
                };
                done.map_err(|wrong| format!("phase {k}: {wrong}"))
            })?;
            if let Some(tiles) = tiles {
                super::tiles::tiles(kernel, sites, vars, phases, tiles)?;
            }
            match products {
                Some(products) => {
                    let blocks = products.blocks(kernel).ok_or("products without a fold")?;
                    self::kernel(&blocks.products, sites)?;
                    self::kernel(&blocks.rows, sites)
                }
                None => Ok(()),
            }
        }
    }
}
