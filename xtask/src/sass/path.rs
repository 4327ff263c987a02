//! Which way threads take through code that has several, where the code was not compiled for one of them: a library's kernel
//! has a full tile and the last one in the same function, the first tile and the others, and parts that a few warps do.

use super::flow::Flow;
use super::listing::{Function, Instruction};
use anyhow::{Result, bail};
use std::cmp::Ordering;

/// What is known of the ways through a kernel beside what is usually so.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path {
    /// Of two sides of a branch of which only one has such an instruction, that one is taken.
    pub(super) prefers: &'static [&'static str],
    /// What only some of a block's warps do.
    pub(super) parts: &'static [Part],
}

/// Each side of an `if` without `else` and without barriers, as large as there is, that has an instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// With modifiers, if it must have them: `LD.STRONG`.
    of: &'static str,
    /// How many of them there are; any number otherwise.
    many: Option<usize>,
    /// The part of a block's warps that comes to it.
    share: f64,
}

impl Part {
    pub(super) const fn of(of: &'static str, share: f64) -> Part {
        Part {
            of,
            many: None,
            share,
        }
    }

    /// Never done; told from others by how many of these it has.
    pub(super) const fn never(of: &'static str, many: usize) -> Part {
        Part {
            of,
            many: Some(many),
            share: 0.0,
        }
    }
}

/// What reads how far the tiles before have come, which the first one does not.
const LOOKS_BACK: [&str; 2] = ["LD.STRONG", "LDG.STRONG"];

/// By block, the part of the threads that comes to it: none to what full tiles leave out.
pub(super) fn shares(function: &Function, flow: &Flow, path: &Path) -> Result<Vec<f64>> {
    let code = Code { function, flow };
    let mut shares = vec![1.0; flow.blocks.len()];
    let mut branches = flow.branches();
    // What is decided outside comes first: there is nothing to decide on a side that is not taken.
    branches.sort_by_key(|branch| flow.depth(branch.at));
    let mut parts: Vec<&Vec<usize>> = Vec::new();
    for branch in &branches {
        let [one, other] = &branch.sides;
        if shares[branch.at] == 0.0 {
            continue;
        }
        match (one.is_empty(), other.is_empty()) {
            (false, false) => {
                let left = if code.prefers(one, other, path)? {
                    other
                } else {
                    one
                };
                left.iter().for_each(|block| shares[*block] = 0.0);
            }
            (false, true) => parts.push(one),
            (true, false) => parts.push(other),
            (true, true) => {}
        }
    }
    parts.retain(|side| shares[side[0]] > 0.0 && code.number(side, "BAR") == 0);
    for part in path.parts {
        let is_it = |side: &Vec<usize>| match (code.number(side, part.of), part.many) {
            (0, _) => false,
            (number, Some(many)) => number == many,
            (_, None) => true,
        };
        // Those outside come first, and what lies inside of them goes with them.
        let mut found = false;
        while let Some(at) = parts.iter().position(|side| is_it(side)) {
            let side = parts[at];
            side.iter().for_each(|block| shares[*block] *= part.share);
            parts.retain(|other| !side.contains(&other[0]));
            found = true;
        }
        if !found {
            bail!("no part of it has {part:?}");
        }
    }
    Ok(shares)
}

/// Whether an instruction has this name, and its modifiers.
fn is_named(instruction: &Instruction, name: &str) -> bool {
    let mut words = name.split('.');
    words.next() == Some(instruction.base()) && words.all(|modifier| instruction.has(modifier))
}

struct Code<'a> {
    function: &'a Function,
    flow: &'a Flow,
}

impl Code<'_> {
    fn of(&self, block: usize) -> &[Instruction] {
        &self.function.instructions[self.flow.blocks[block].range.clone()]
    }

    /// How many instructions of this name are on a side.
    fn number(&self, side: &[usize], name: &str) -> usize {
        let code = side.iter().flat_map(|block| self.of(*block));
        code.filter(|one| is_named(one, name)).count()
    }

    /// Whether the first side is the one that is taken.
    fn prefers(&self, one: &[usize], other: &[usize], path: &Path) -> Result<bool> {
        let has = |side: &[usize], names: &[&str]| {
            let mut names = names.iter();
            names.any(|name| self.number(side, name) > 0)
        };
        for names in [path.prefers, &LOOKS_BACK] {
            match (has(one, names), has(other, names)) {
                (true, false) => return Ok(true),
                (false, true) => return Ok(false),
                _ => {}
            }
        }
        let length =
            |side: &[usize]| -> usize { side.iter().map(|block| self.of(*block).len()).sum() };
        let (a, b) = (self.accesses(one), self.accesses(other));
        match a.unguarded.cmp(&b.unguarded) {
            Ordering::Greater => Ok(true),
            Ordering::Less => Ok(false),
            // Sides that access nothing are both short, or the same in another order.
            Ordering::Equal if !(a.any || b.any) || length(one) == length(other) => {
                Ok(length(one) >= length(other))
            }
            Ordering::Equal => bail!(
                "ambiguous path: the sides at {:#x} and {:#x} access memory alike",
                self.address(one[0]),
                self.address(other[0])
            ),
        }
    }

    fn address(&self, block: usize) -> usize {
        16 * self.flow.blocks[block].range.start
    }

    /// Accesses of global memory on a side. Those of full tiles have no condition of their own; a condition around a whole loop
    /// is not one of its accesses.
    fn accesses(&self, side: &[usize]) -> Accesses {
        let conditions: Vec<_> = (self.flow.branches().into_iter())
            .filter(|branch| side.contains(&branch.at))
            .filter_map(|branch| match branch.sides {
                [one, other] if other.is_empty() => Some(one),
                [one, other] if one.is_empty() => Some(other),
                _ => None,
            })
            .collect();
        let is_conditional = |block: usize| {
            let mut around = conditions.iter().filter(|side| side.contains(&block));
            around.any(|side| {
                let mut loops = self.flow.loops.iter();
                !loops.any(|one| side.contains(&one.head) && one.blocks.contains(&block))
            })
        };
        let mut accesses = Accesses::default();
        for block in side {
            let conditional = is_conditional(*block);
            for access in self.of(*block) {
                let kind = match access.base() {
                    _ if access.has("STRONG") => continue,
                    "LDG" => 0,
                    "STG" => 1,
                    _ => continue,
                };
                accesses.any = true;
                if access.predicate.is_empty() && !conditional {
                    let (widest, number) = accesses.unguarded[kind];
                    accesses.unguarded[kind] = (widest.max(access.width()), number + 1);
                }
            }
        }
        accesses
    }
}

#[derive(Default)]
struct Accesses {
    any: bool,
    /// Loads and then stores without a condition: bytes of the widest, and how many there are.
    unguarded: [(u32, usize); 2],
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sass::listing::short;

    fn found(text: &str, path: &Path) -> Result<Vec<f64>> {
        let function = Function {
            name: String::new(),
            instructions: short(text),
        };
        let flow = Flow::of(&function, |_| false)?;
        shares(&function, &flow, path)
    }

    const PLAIN: Path = Path {
        prefers: &[],
        parts: &[],
    };

    #[test]
    fn a_tile_is_full() {
        let text = "ISETP P0
            @P0 BRA 0x60
            @P1 LDG.E R4,desc[UR4][R2.64]
            @P2 LDG.E R5,desc[UR4][R2.64]
            FADD R4,R5
            BRA 0x90
            LDG.E R4,desc[UR4][R2.64]
            LDG.E R5,desc[UR4][R2.64]
            FADD R4,R5
            STG.E desc[UR4][R2.64],R4
            EXIT";
        assert_eq!(found(text, &PLAIN).unwrap(), [1.0, 0.0, 1.0, 1.0]);
    }

    #[test]
    fn wide_loads_are_those_of_full_tiles() {
        let text = "@P0 BRA 0x40
            LDG.E.U8 R4,desc[UR4][R2.64]
            LDG.E.U8 R5,desc[UR4][R2.64]
            BRA 0x50
            LDG.E R4,desc[UR4][R2.64]
            EXIT";
        assert_eq!(found(text, &PLAIN).unwrap(), [1.0, 0.0, 1.0, 1.0]);
    }

    #[test]
    fn a_condition_by_a_branch_is_one_too() {
        // A store in a loop, and one that each round of a loop may leave out.
        let text = "@P0 BRA 0x40
            STG.E desc[UR4][R2.64],R4
            @P1 BRA 0x10
            EXIT
            @P2 BRA 0x60
            STG.E desc[UR4][R2.64],R4
            @P3 BRA 0x40
            EXIT";
        let shares = found(text, &PLAIN).unwrap();
        assert_eq!(shares, [1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn most_tiles_are_not_the_first() {
        let text = "@P0 BRA 0x30
            LD.E.64.STRONG.GPU R4,[R2.64]
            BRA 0x50
            FADD R4,R5
            FADD R4,R5
            EXIT";
        assert_eq!(found(text, &PLAIN).unwrap(), [1.0, 1.0, 0.0, 1.0]);
    }

    #[test]
    fn what_cannot_be_told_apart_is_not_guessed() {
        let text = "@P0 BRA 0x30
            STG.E desc[UR4][R2.64],R4
            EXIT
            FADD R4,R5
            STG.E desc[UR4][R2.64],R4
            POPC R4,R5
            EXIT";
        let problem = found(text, &PLAIN).unwrap_err().to_string();
        assert!(problem.starts_with("ambiguous path"), "{problem}");
        let path = Path {
            prefers: &["POPC"],
            ..PLAIN
        };
        assert_eq!(found(text, &path).unwrap(), [1.0, 0.0, 1.0]);
    }

    #[test]
    fn parts_are_those_without_barriers() {
        let text = "@P0 BRA 0x60
            SHFL.UP PT,R4
            BAR.SYNC 0x0
            @P1 BRA 0x50
            SHFL.UP PT,R4
            FADD R4,R5
            EXIT";
        const ONE: Path = Path {
            parts: &[Part::of("SHFL", 0.25)],
            ..PLAIN
        };
        assert_eq!(found(text, &ONE).unwrap(), [1.0, 1.0, 0.25, 1.0, 1.0]);
        const TWO: Path = Path {
            parts: &[Part::never("SHFL", 2)],
            ..PLAIN
        };
        let problem = found(text, &TWO).unwrap_err().to_string();
        assert!(problem.starts_with("no part of it has"), "{problem}");
    }
}
