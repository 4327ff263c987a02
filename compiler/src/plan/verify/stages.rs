//! Invariants of stages: see [`super`].

use super::Wrong;
use super::code::Code;
use crate::plan::Stage;
use crate::plan::body::Statement;
use crate::scalar::Leaf;
use crate::sorted::SortedSet;

/// The stages of a row; `buffers` come before the rooms.
pub(super) fn stages(code: &mut Code<'_>, stages: &[Stage], buffers: usize) -> Result<(), Wrong> {
    for (k, stage) in stages.iter().enumerate() {
        stage_of(code, stage, buffers).map_err(|wrong| format!("stage {k}: {wrong}"))?;
    }
    Ok(())
}

fn stage_of(code: &mut Code<'_>, stage: &Stage, buffers: usize) -> Result<(), Wrong> {
    match stage {
        Stage::Uniform(body) => code.list(body),
        Stage::Each {
            extents,
            vars,
            body,
        } => {
            let (mut read, mut stored) = (SortedSet::new(), SortedSet::new());
            accesses(body, &mut read, &mut stored);
            if stored.iter().any(|at| *at >= buffers && read.contains(at)) {
                return Err("a room is read while it is stored to".to_owned());
            }
            code.scoped(|code| {
                code.domain(extents, vars)?;
                code.list(body)
            })
        }
        Stage::Swap(a, b) => {
            let room = |at: &usize| code.rooms.get(at.checked_sub(buffers)?);
            match (room(a), room(b)) {
                (Some(a), Some(b)) if (a.leaf, a.length) == (b.leaf, b.length) => Ok(()),
                _ => Err("rooms that cannot change places".to_owned()),
            }
        }
        Stage::Rounds {
            state,
            test,
            condition,
            body,
        } => {
            for carry in state {
                code.is(carry.initial, code.types[carry.state.0 as usize])?;
            }
            (state.iter()).try_for_each(|carry| code.define(carry.state))?;
            code.scoped(|code| {
                code.list(test)?;
                code.is(*condition, Leaf::Bool)
            })?;
            code.scoped(|code| {
                stages(code, body, buffers)?;
                let mut carries = state.iter();
                carries
                    .try_for_each(|carry| code.is(carry.next, code.types[carry.state.0 as usize]))
            })
        }
    }
}

/// The buffers and rooms that statements read and store to.
fn accesses(statements: &[Statement], read: &mut SortedSet<usize>, stored: &mut SortedSet<usize>) {
    for statement in statements {
        match statement {
            Statement::Load { buffer, .. } => _ = read.insert(*buffer),
            Statement::Store { buffer, .. } => _ = stored.insert(*buffer),
            Statement::Let { .. } | Statement::Check { .. } => {}
            Statement::If {
                then, otherwise, ..
            } => {
                accesses(then, read, stored);
                accesses(otherwise, read, stored);
            }
            Statement::Loop { test, body, .. } => {
                accesses(test, read, stored);
                accesses(body, read, stored);
            }
            Statement::Fold { body, .. } => accesses(body, read, stored),
        }
    }
}
