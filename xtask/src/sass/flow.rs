//! Blocks, dominators and natural loops of a function.

use super::listing::{Function, Instruction, Next};
use anyhow::Result;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Instructions that are done one after the other, up to a jump or to where one leads.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) range: Range<usize>,
    next: Vec<usize>,
}

/// What is left by going on from it, and comes back to its head.
#[derive(Debug)]
pub(super) struct Loop {
    /// A block.
    pub(super) head: usize,
    pub(super) blocks: BTreeSet<usize>,
}

/// The blocks that can be reached, in the order of their addresses; the first one is the function's.
#[derive(Debug)]
pub(super) struct Flow {
    pub(super) blocks: Vec<Block>,
    /// By block, those on every way to it, itself among them.
    dominators: Vec<BTreeSet<usize>>,
    /// By the addresses of their heads.
    pub(super) loops: Vec<Loop>,
}

/// A branch inside of a loop, or outside of all: not one that goes round or leaves.
#[derive(Debug)]
pub(super) struct Branch {
    /// The block that ends with it.
    pub(super) at: usize,
    /// The blocks that only one side comes to, each side by its first block; none where a side is empty.
    pub(super) sides: [Vec<usize>; 2],
}

impl Flow {
    /// Of a function; a block begins at each mark, too.
    pub(super) fn of(function: &Function, is_mark: impl Fn(&Instruction) -> bool) -> Result<Flow> {
        let blocks = blocks(&function.instructions, is_mark)?;
        let dominators = dominators(&blocks);
        let loops = loops(&blocks, &dominators);
        Ok(Flow {
            blocks,
            dominators,
            loops,
        })
    }

    /// Whether every way to a block leads through another one.
    pub(super) fn dominates(&self, before: usize, block: usize) -> bool {
        self.dominators[block].contains(&before)
    }

    /// On how many blocks every way to a block leads, itself among them.
    pub(super) fn depth(&self, block: usize) -> usize {
        self.dominators[block].len()
    }

    /// The branches, by their blocks.
    pub(super) fn branches(&self) -> Vec<Branch> {
        let before = predecessors(&self.blocks);
        let stays = |at: usize, to: usize| {
            let mut around = self.loops.iter().filter(|one| one.blocks.contains(&at));
            !self.dominates(to, at) && around.all(|one| one.blocks.contains(&to))
        };
        let side = |at: usize, to: usize| -> Vec<usize> {
            let mut ways = before[to].iter();
            if !ways.all(|from| *from == at || self.dominates(to, *from)) {
                return Vec::new();
            }
            let others = (0..self.blocks.len()).filter(|block| *block != to);
            let others = others.filter(|block| self.dominates(to, *block));
            [to].into_iter().chain(others).collect()
        };
        let branch = |(at, block): (usize, &Block)| match block.next[..] {
            [one, other] if one != other && stays(at, one) && stays(at, other) => Some(Branch {
                at,
                sides: [side(at, one), side(at, other)],
            }),
            _ => None,
        };
        self.blocks.iter().enumerate().filter_map(branch).collect()
    }
}

fn blocks(
    instructions: &[Instruction],
    is_mark: impl Fn(&Instruction) -> bool,
) -> Result<Vec<Block>> {
    let mut first = BTreeSet::from([0]);
    for (at, instruction) in instructions.iter().enumerate() {
        match instruction.next()? {
            Next::Behind if is_mark(instruction) => {
                first.insert(at);
            }
            Next::Behind => {}
            Next::Jump { to, .. } => first.extend([to, at + 1]),
            Next::End { .. } => {
                first.insert(at + 1);
            }
        }
    }
    first.retain(|at| *at < instructions.len());
    let ends = first.iter().skip(1).copied().chain([instructions.len()]);
    let ranges: BTreeMap<usize, Range<usize>> = (first.iter().zip(ends))
        .map(|(first, end)| (*first, *first..end))
        .collect();
    let following = |range: &Range<usize>| -> Result<Vec<usize>> {
        let behind = Some(range.end).filter(|at| *at < instructions.len());
        let next = match instructions[range.end - 1].next()? {
            Next::Jump {
                to,
                conditional: false,
            } => vec![to],
            Next::Jump { to, .. } => behind.into_iter().chain([to]).collect(),
            Next::End { conditional: false } => Vec::new(),
            Next::Behind | Next::End { .. } => behind.into_iter().collect(),
        };
        Ok(next)
    };
    let mut reached = BTreeMap::new();
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        if let Entry::Vacant(entry) = reached.entry(at) {
            let next = following(&ranges[&at])?;
            open.extend(&next);
            entry.insert(next);
        }
    }
    let number: BTreeMap<usize, usize> = (reached.keys().enumerate())
        .map(|(number, at)| (*at, number))
        .collect();
    let block = |(at, next): (&usize, &Vec<usize>)| Block {
        range: ranges[at].clone(),
        next: next.iter().map(|at| number[at]).collect(),
    };
    Ok(reached.iter().map(block).collect())
}

fn predecessors(blocks: &[Block]) -> Vec<Vec<usize>> {
    let mut before = vec![Vec::new(); blocks.len()];
    for (at, block) in blocks.iter().enumerate() {
        for next in &block.next {
            before[*next].push(at);
        }
    }
    before
}

fn dominators(blocks: &[Block]) -> Vec<BTreeSet<usize>> {
    let before = predecessors(blocks);
    let mut dominators = vec![BTreeSet::from_iter(0..blocks.len()); blocks.len()];
    dominators[0] = BTreeSet::from([0]);
    loop {
        let mut changed = false;
        for at in 1..blocks.len() {
            let sets = before[at].iter().map(|from| &dominators[*from]);
            let shared = sets.cloned().reduce(|a, b| &a & &b);
            let mut own = shared.unwrap_or_default();
            own.insert(at);
            changed |= own != dominators[at];
            dominators[at] = own;
        }
        if !changed {
            return dominators;
        }
    }
}

/// One for each head: what leads back to it, and what leads there without it.
fn loops(blocks: &[Block], dominators: &[BTreeSet<usize>]) -> Vec<Loop> {
    let before = predecessors(blocks);
    let mut loops: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for (at, block) in blocks.iter().enumerate() {
        for head in block
            .next
            .iter()
            .filter(|next| dominators[at].contains(next))
        {
            let body = loops
                .entry(*head)
                .or_insert_with(|| BTreeSet::from([*head]));
            let mut open = vec![at];
            while let Some(block) = open.pop() {
                if body.insert(block) {
                    open.extend(&before[block]);
                }
            }
        }
    }
    let one = |(head, blocks)| Loop { head, blocks };
    loops.into_iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sass::listing::short;

    fn flow(text: &str) -> Flow {
        let function = Function {
            name: String::new(),
            instructions: short(text),
        };
        Flow::of(&function, |instruction| instruction.base() == "PMTRIG").unwrap()
    }

    fn heads(flow: &Flow) -> Vec<(Range<usize>, usize)> {
        let one = |one: &Loop| (flow.blocks[one.head].range.clone(), one.blocks.len());
        flow.loops.iter().map(one).collect()
    }

    #[test]
    fn a_loop_inside_a_loop_is_one_of_its_own() {
        let flow = flow(
            "MOV R0
             LDG.E R1
             FADD R2
             @P0 BRA 0x20
             STG.E R2
             @P1 BRA 0x10
             EXIT
             NOP",
        );
        // The last one is not reached.
        assert_eq!(flow.blocks.len(), 5);
        assert_eq!(heads(&flow), [(1..2, 3), (2..4, 1)]);
        assert!(flow.dominates(1, 3) && !flow.dominates(3, 2));
    }

    #[test]
    fn two_ways_back_are_one_loop() {
        let flow = flow(
            "LDG.E R1
             @P0 BRA 0x0
             FADD R2
             @P1 BRA 0x0
             EXIT",
        );
        assert_eq!(heads(&flow), [(0..2, 2)]);
    }

    #[test]
    fn shuffles_of_lanes_apart_do_not_hide_a_loop() {
        let flow = flow(
            "LDG.E R1
             BRA.DIV UR4,0x50
             SHFL.DOWN PT,R3
             @P0 BRA 0x0
             EXIT
             WARPSYNC.COLLECTIVE R4,0x70
             SHFL.DOWN PT,R3
             ENDCOLLECTIVE
             BRA 0x30",
        );
        assert_eq!(heads(&flow), [(0..3, 2)]);
        assert_eq!(flow.blocks.len(), 3);
    }

    #[test]
    fn sides_of_branches_are_what_only_they_come_to() {
        // One with an `else`, one without; the jump back and the one out of the loop are none.
        let flow = flow(
            "@P0 BRA 0x30
             FADD R2
             BRA 0x40
             FADD R3
             @P1 BRA 0x60
             FADD R4
             @P2 EXIT
             LDG.E R1
             @P3 BRA 0x40
             EXIT",
        );
        let branches = flow.branches();
        let found: Vec<_> = branches.iter().map(|one| (one.at, &one.sides)).collect();
        assert_eq!(found, [(0, &[vec![1], vec![2]]), (3, &[vec![4], vec![]]),]);
        assert_eq!(flow.depth(4), 3);
    }

    #[test]
    fn a_mark_begins_a_block() {
        let flow = flow("MOV R0\nPMTRIG 0x1\nEXIT");
        let ranges: Vec<_> = flow
            .blocks
            .iter()
            .map(|block| block.range.clone())
            .collect();
        assert_eq!(ranges, [0..1, 1..3]);
    }
}
