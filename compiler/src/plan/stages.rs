//! Rows that a block works on stage by stage, over arrays of its own.
//!
//! A [`Room`] holds an array of constant length for the row at hand: in shared memory on a GPU, on the stack of a CPU.
//! Statements name it by its position after those of the kernel's buffers. What one stage has stored, all later ones may
//! read: between stages the threads of a block wait for each other, and leave the row if a check of it has failed. From
//! row to row they do not wait: the first stage stores, and the last one reads, elements of rooms at its own flat points.

use super::body::{Carry, Statement, Value};
use super::{Access, Kernel, Skeleton};
use crate::scalar::Leaf;

/// An array of a row.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "see the type")]
pub struct Room {
    pub name: String,
    pub leaf: Leaf,
    pub length: u64,
}

/// A part of a row's work, for all threads together.
#[derive(Clone, Debug)]
pub enum Stage {
    /// Scalar code, the same for all threads; no stores. Its values may be used by all that follows in its list.
    Uniform(Vec<Statement>),
    /// Independent elements: `body` (which stores) for every point of `extents`. No room is both read and stored to.
    Each {
        extents: Vec<Value>,
        vars: Vec<Value>,
        body: Vec<Statement>,
    },
    /// Two rooms of one type and length change names.
    Swap(usize, usize),
    /// `loop { test; if !condition { break } body; state = next }`. All threads and rows go through the same rounds. The
    /// state stays readable after the loop.
    Rounds {
        state: Vec<Carry>,
        test: Vec<Statement>,
        condition: Value,
        body: Vec<Stage>,
    },
}

impl Kernel {
    /// The arrays of a row.
    pub fn rooms(&self) -> &[Room] {
        match &self.skeleton {
            Skeleton::Staged { rooms, .. } => rooms,
            _ => &[],
        }
    }

    /// The name of one of [`Kernel::memories`].
    pub(crate) fn memory_name(&self, memory: usize) -> &str {
        match self.buffers.get(memory) {
            Some(buffer) => &buffer.name,
            None => &self.rooms()[memory - self.buffers.len()].name,
        }
    }

    /// What statements can name: the buffers, then the rooms.
    pub fn memories(&self) -> Vec<Access> {
        let mut all = self.buffers.clone();
        all.extend(self.rooms().iter().map(|room| Access {
            name: room.name.clone(),
            leaf: room.leaf,
            writes: true,
        }));
        all
    }
}
