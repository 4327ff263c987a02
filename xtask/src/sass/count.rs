//! What an element costs: the instructions of the loop that goes through the elements.

use super::flow::{Flow, Loop};
use super::listing::{Function, Instruction};
use super::path::{self, Path};
use anyhow::{Result, bail};
use std::collections::{BTreeMap, BTreeSet};

/// Which loop goes through the elements: the one that has most of these, those of loops inside not counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Anchor {
    /// Bytes of loads from global memory, the widest loads first.
    Loads,
    /// Instructions of this name.
    Of(&'static str),
    /// None does: the whole body of the function is for one tile.
    Body,
}

/// How many elements a thread has in a round: as many, or by what the loop does for each of them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Elements {
    Number(f64),
    /// As many as the entry says that a thread has in hand at once.
    Items,
    /// So many bytes are loaded from global memory.
    Loaded(f64),
    /// So many bytes are stored there.
    Stored(f64),
    /// A multiplication that adds.
    Products,
}

/// What a round of a thread is, as a budget tells it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Round<'a> {
    pub(super) anchor: Anchor,
    pub(super) elements: Elements,
    /// What the entry says that a thread has in hand at once.
    pub(super) items: u32,
    /// How often each loop inside goes round, by the addresses of their heads; without those that wait.
    pub(super) trips: &'a [f64],
    /// Warps of a block.
    pub(super) warps: f64,
    /// The ways that are taken, where the code has others: all of them otherwise.
    pub(super) path: Option<Path>,
}

/// What a round costs a thread.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Cost {
    /// Instructions an element.
    pub(super) instructions: f64,
    /// The part of them that multiplies and adds.
    pub(super) products: f64,
    /// Bytes of each access of global memory, of loads and of stores.
    pub(super) loads: BTreeSet<u32>,
    pub(super) stores: BTreeSet<u32>,
    /// Bytes of loads asked for before the first is used.
    pub(super) in_flight: u32,
    /// Atomic operations on global memory that nobody waits for, and those that somebody does.
    pub(super) reductions: u32,
    pub(super) atomics: u32,
    /// Divisions of integers.
    pub(super) divisions: u32,
}

/// Where the part of a block's code begins that only one of its warps goes through, and where it ends: `ONE_WARP` and
/// `ALL_WARPS` of the prelude.
const ONE_WARP: &str = "0x1";
const ALL_WARPS: &str = "0x2";

fn is_mark(instruction: &Instruction) -> bool {
    instruction.base() == "PMTRIG"
}

/// Counts for the entry of this name.
pub(super) fn count(functions: &[Function], entry: &str, round: &Round<'_>) -> Result<Cost> {
    let of_name = |name: &str| functions.iter().find(|function| function.name == name);
    let Some(function) = of_name(entry) else {
        let names: Vec<&str> = functions.iter().map(|function| &*function.name).collect();
        bail!("no entry `{entry}` in {}", names.join(", "));
    };
    let flow = Flow::of(function, is_mark)?;
    let shares = match &round.path {
        Some(path) => path::shares(function, &flow, path)?,
        None => vec![1.0; flow.blocks.len()],
    };
    let Some(region) = Region::of(function, &flow, &shares, round)? else {
        bail!("`{entry}` has no loop with {:?}", round.anchor);
    };
    let weights = weights(function, &flow, &region, &shares, round)?;
    let mut cost = Cost::default();
    let (mut loaded, mut stored, mut products) = (0.0, 0.0, 0.0);
    for (block, weight) in &weights {
        for instruction in &function.instructions[flow.blocks[*block].range.clone()] {
            if is_mark(instruction) {
                continue;
            }
            cost.instructions += weight;
            let called = instruction.callee().and_then(of_name);
            if let Some(called) = called {
                cost.instructions += weight * called.instructions.len() as f64;
            }
            let bytes = weight * f64::from(instruction.width());
            match instruction.base() {
                "FFMA" => products += weight,
                "LDG" if is_plain(instruction, "LDG") => loaded += bytes,
                "STG" if is_plain(instruction, "STG") => stored += bytes,
                _ => {}
            }
            describe(instruction, &mut cost);
        }
    }
    cost.products = products / cost.instructions;
    let elements = match round.elements {
        Elements::Number(elements) => elements,
        Elements::Items => f64::from(round.items),
        Elements::Loaded(bytes) => loaded / bytes,
        Elements::Stored(bytes) => stored / bytes,
        Elements::Products => products,
    };
    if elements == 0.0 {
        bail!("`{entry}` has no {:?} in its loop", round.elements);
    }
    cost.instructions /= elements;
    let blocks = weights
        .keys()
        .map(|block| flow.blocks[*block].range.clone());
    let straight = blocks.flat_map(|range| &function.instructions[range]);
    cost.in_flight = in_flight(straight);
    Ok(cost)
}

/// The part of a function that costs what a round does.
struct Region<'a> {
    blocks: BTreeSet<usize>,
    /// The loops inside.
    inner: Vec<&'a Loop>,
}

impl Region<'_> {
    fn of<'a>(
        function: &Function,
        flow: &'a Flow,
        shares: &[f64],
        round: &Round<'_>,
    ) -> Result<Option<Region<'a>>> {
        if round.anchor == Anchor::Body {
            return Ok(Some(Region {
                blocks: (0..flow.blocks.len()).collect(),
                inner: flow.loops.iter().collect(),
            }));
        }
        let Some(around) = anchor(function, flow, shares, round)? else {
            return Ok(None);
        };
        let inside = |one: &&Loop| one.head != around.head && around.blocks.contains(&one.head);
        Ok(Some(Region {
            blocks: around.blocks.clone(),
            inner: flow.loops.iter().filter(inside).collect(),
        }))
    }
}

/// The loop that goes through the elements. On a path that is told there must be one.
fn anchor<'a>(
    function: &Function,
    flow: &'a Flow,
    shares: &[f64],
    round: &Round<'_>,
) -> Result<Option<&'a Loop>> {
    let worth = |instruction: &Instruction| match round.anchor {
        Anchor::Loads if is_plain(instruction, "LDG") => instruction.width(),
        Anchor::Of(name) if instruction.base() == name => 1,
        _ => 0,
    };
    // The widest first: what is left over goes through a loop that may be unrolled more.
    let own = |one: &Loop| -> (u32, u32) {
        let inside = |block: &usize| {
            let mut others = flow.loops.iter();
            others.any(|other| {
                other.head != one.head
                    && one.blocks.contains(&other.head)
                    && other.blocks.contains(block)
            })
        };
        let blocks = one.blocks.iter().filter(|block| !inside(block));
        let ranges = blocks.map(|block| flow.blocks[*block].range.clone());
        let code = ranges.flat_map(|range| &function.instructions[range]);
        let worths = code.map(worth);
        worths.fold((0, 0), |(most, sum), worth| (most.max(worth), sum + worth))
    };
    let done = flow.loops.iter().filter(|one| shares[one.head] > 0.0);
    let rated = done.map(|one| (own(one), one));
    let rated: Vec<_> = rated.filter(|(worth, _)| *worth > (0, 0)).collect();
    let best = rated.iter().max_by_key(|(worth, _)| *worth);
    let alike = rated
        .iter()
        .filter(|(worth, _)| Some(worth) == best.map(|(most, _)| most));
    if round.path.is_some() && alike.count() > 1 {
        bail!(
            "ambiguous path: several loops with as much of {:?}",
            round.anchor
        );
    }
    Ok(best.map(|(_, one)| *one))
}

/// How often a thread does each block of a region in a round of it. What reports a failure is never done, nor what divides floats
/// that are next to the largest or the smallest ones.
fn weights(
    function: &Function,
    flow: &Flow,
    region: &Region<'_>,
    shares: &[f64],
    round: &Round<'_>,
) -> Result<BTreeMap<usize, f64>> {
    let code = |block: usize| &function.instructions[flow.blocks[block].range.clone()];
    let waits = |one: &Loop| {
        let mut blocks = one.blocks.iter();
        blocks.any(|block| code(*block).iter().any(is_wait))
    };
    let goes_round = |one: &&Loop| shares[one.head] > 0.0 && !waits(one);
    let inner: Vec<&Loop> = region.inner.iter().copied().filter(goes_round).collect();
    if inner.len() != round.trips.len() {
        let place = |one: &&Loop| {
            let size: usize = one.blocks.iter().map(|block| code(*block).len()).sum();
            format!(
                "{:#x} ({size} instructions)",
                16 * flow.blocks[one.head].range.start
            )
        };
        let places: Vec<String> = inner.iter().map(place).collect();
        bail!(
            "{} loops inside, and the budget knows {}: {}",
            inner.len(),
            round.trips.len(),
            places.join(", ")
        );
    }
    let marks = |wanted: &str| -> Vec<usize> {
        let is_wanted = |block: &usize| {
            let first = &code(*block)[0];
            is_mark(first) && first.operands == wanted
        };
        (0..flow.blocks.len()).filter(is_wanted).collect()
    };
    let (opened, closed) = (marks(ONE_WARP), marks(ALL_WARPS));
    let by_one_warp = |block: usize| {
        opened.iter().any(|open| {
            let ends = |close: &&usize| flow.dominates(*open, **close);
            let closed = closed.iter().filter(ends);
            flow.dominates(*open, block)
                && closed.copied().all(|close| !flow.dominates(close, block))
        })
    };
    let is_rare = |block: usize| {
        let mut callees = code(block).iter().filter_map(Instruction::callee);
        callees.any(|callee| callee.contains("report") || callee.contains("slowpath"))
    };
    let mut weights = BTreeMap::new();
    let done = |block: &usize| shares[*block] > 0.0 && !is_rare(*block);
    for block in region.blocks.iter().copied().filter(done) {
        let around = inner.iter().zip(round.trips);
        let around = around.filter(|(one, _)| one.blocks.contains(&block));
        let trips: f64 = around.map(|(_, trips)| trips).product();
        let share = if by_one_warp(block) {
            1.0 / round.warps
        } else {
            1.0
        };
        weights.insert(block, trips * share * shares[block]);
    }
    Ok(weights)
}

/// Whether it sleeps until others are ready, or asks whether they are.
fn is_wait(instruction: &Instruction) -> bool {
    match instruction.base() {
        "NANOSLEEP" => true,
        "SYNCS" => instruction.has("TRYWAIT"),
        "LD" | "LDG" => instruction.has("STRONG"),
        _ => false,
    }
}

/// Whether it is of this kind and of nothing that others write at the time.
fn is_plain(instruction: &Instruction, base: &str) -> bool {
    instruction.base() == base && !instruction.has("STRONG")
}

/// Adds what kind of instruction it is.
fn describe(instruction: &Instruction, cost: &mut Cost) {
    if is_plain(instruction, "LDG") {
        cost.loads.insert(instruction.width());
    } else if is_plain(instruction, "STG") {
        cost.stores.insert(instruction.width());
    }
    match instruction.base() {
        "RED" | "REDG" => cost.reductions += 1,
        "ATOM" | "ATOMG" => cost.atomics += 1,
        // How a division begins, of which its sequel is multiplications.
        "I2F" if instruction.has("RP") => cost.divisions += 1,
        "CALL" => {
            let callee = instruction.callee().unwrap_or_default();
            cost.divisions += u32::from(callee.contains("div") || callee.contains("rem"));
        }
        _ => {}
    }
}

/// Bytes of loads up to the first instruction that reads what one of them has loaded.
fn in_flight<'a>(instructions: impl Iterator<Item = &'a Instruction>) -> u32 {
    let mut awaited = BTreeSet::new();
    let mut bytes = 0;
    for instruction in instructions {
        let mut registers = registers(&instruction.operands);
        if is_plain(instruction, "LDG") {
            let Some(first) = registers.next() else {
                continue;
            };
            if registers.any(|register| awaited.contains(&register)) {
                break;
            }
            awaited.extend(first..first + instruction.width().div_ceil(4));
            bytes += instruction.width();
        } else if registers.any(|register| awaited.contains(&register)) {
            break;
        }
    }
    bytes
}

/// The numbers of the registers that stand in operands; not the uniform ones.
fn registers(operands: &str) -> impl Iterator<Item = u32> {
    let words = operands.split(|c: char| !c.is_ascii_alphanumeric());
    words.filter_map(|word| word.strip_prefix('R')?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sass::listing::short;
    use crate::sass::path::Part;

    fn cost(text: &str, round: &Round<'_>) -> Result<Cost> {
        let function = Function {
            name: "f".to_owned(),
            instructions: short(text),
        };
        let report = Function {
            name: "$f$_Z6report".to_owned(),
            instructions: short("RET"),
        };
        let divide = Function {
            name: "$div".to_owned(),
            instructions: short("NOP\nNOP\nRET"),
        };
        count(&[function, report, divide], "f", round)
    }

    fn round(elements: f64, trips: &[f64]) -> Round<'_> {
        Round {
            anchor: Anchor::Loads,
            elements: Elements::Number(elements),
            items: 0,
            trips,
            warps: 8.0,
            path: None,
        }
    }

    #[test]
    fn loops_inside_count_as_often_as_they_go_round() {
        let text = "LDG.E.128 R4,desc[UR4][R2.64]
            LDG.E.64 R8,desc[UR4][R2.64+0x10]
            FADD R1,R5,R1
            @P0 BRA 0x20
            REDG.E.ADD desc[UR4][R2.64],R1
            @P1 BRA 0x0
            EXIT";
        let found = cost(text, &round(2.0, &[10.0])).unwrap();
        assert_eq!(found.instructions, 12.0);
        assert_eq!(found.loads, BTreeSet::from([8, 16]));
        assert_eq!((found.in_flight, found.reductions), (24, 1));
        let loaded = Round {
            elements: Elements::Loaded(8.0),
            ..round(0.0, &[10.0])
        };
        assert_eq!(cost(text, &loaded).unwrap().instructions, 8.0);
        let problem = cost(text, &round(2.0, &[])).unwrap_err().to_string();
        assert_eq!(
            problem,
            "1 loops inside, and the budget knows 0: 0x20 (2 instructions)"
        );
    }

    #[test]
    fn what_is_left_over_is_not_the_loop() {
        let text = "LDG.E.64 R4,desc[UR4][R2.64]
            @P0 BRA 0x0
            LDG.E R4,desc[UR4][R2.64]
            LDG.E R5,desc[UR4][R2.64]
            LDG.E R6,desc[UR4][R2.64]
            @P1 BRA 0x20
            EXIT";
        let found = cost(text, &round(2.0, &[])).unwrap();
        assert_eq!(found.instructions, 1.0);
    }

    #[test]
    fn a_division_is_of_floats_of_the_usual_size() {
        let text = "LDG.E R4,desc[UR4][R2.64]
            @!P1 BRA 0x40
            MOV R8,R9
            CALL.REL.NOINC $__internal_0_$__cuda_sm3x_div_rn_noftz_f32_slowpath
            @P2 BRA 0x0
            EXIT";
        let found = cost(text, &round(1.0, &[])).unwrap();
        assert_eq!((found.instructions, found.divisions), (3.0, 0));
    }

    #[test]
    fn what_waits_counts_once_and_what_reports_not_at_all() {
        let text = "LDG.E R4,desc[UR4][R2.64]
            NANOSLEEP 0x40
            LDG.E.STRONG.GPU R5,desc[UR4][R6.64]
            @P0 BRA 0x10
            @!P1 BRA 0x70
            MOV R8,R9
            CALL.REL.NOINC $f$_Z6report
            @P2 BRA 0x0
            EXIT";
        let found = cost(text, &round(1.0, &[])).unwrap();
        assert_eq!(found.instructions, 6.0);
        assert_eq!(found.loads, BTreeSet::from([4]));
    }

    #[test]
    fn the_part_of_one_warp_counts_as_that() {
        let text = "LDG.E R4,desc[UR4][R2.64]
            @P0 BRA 0x80
            PMTRIG 0x1
            FADD R1
            FADD R1
            FADD R1
            FADD R1
            PMTRIG 0x2
            @P1 BRA 0x0
            EXIT";
        let found = cost(text, &round(1.0, &[])).unwrap();
        assert_eq!(found.instructions, 3.5);
    }

    #[test]
    fn a_body_is_one_tile() {
        let text = "@P0 BRA 0x50
            @P1 LDG.E R4,desc[UR4][R2.64]
            FADD R1
            @P2 BRA 0x20
            BRA 0x80
            LDG.E R4,desc[UR4][R2.64]
            FADD R1
            @P3 BRA 0x60
            @P4 BRA 0xa0
            LDG.E.STRONG.GPU R4,desc[UR4][R2.64]
            EXIT";
        const PATH: Path = Path {
            prefers: &[],
            parts: &[Part::of("LDG.STRONG", 0.25)],
        };
        let body = Round {
            anchor: Anchor::Body,
            path: Some(PATH),
            ..round(2.0, &[3.0])
        };
        let found = cost(text, &body).unwrap();
        assert_eq!(
            found.instructions,
            (1.0 + 1.0 + 3.0 * 2.0 + 1.0 + 0.25 + 1.0) / 2.0
        );
    }

    #[test]
    fn a_path_has_one_loop() {
        let text = "LDG.E R4,desc[UR4][R2.64]
            @P0 BRA 0x0
            LDG.E R4,desc[UR4][R2.64]
            @P1 BRA 0x20
            EXIT";
        assert!(cost(text, &round(1.0, &[])).is_ok());
        const PATH: Path = Path {
            prefers: &[],
            parts: &[],
        };
        let told = Round {
            path: Some(PATH),
            ..round(1.0, &[])
        };
        let problem = cost(text, &told).unwrap_err().to_string();
        assert!(problem.starts_with("ambiguous path"), "{problem}");
    }

    #[test]
    fn what_is_called_counts() {
        let text = "LDG.E R4,desc[UR4][R2.64]
            CALL.REL.NOINC $div
            FFMA R1,R4,R4,R1
            @P1 BRA 0x0
            EXIT";
        let found = cost(text, &round(1.0, &[])).unwrap();
        assert_eq!((found.instructions, found.divisions), (7.0, 1));
        let products = Round {
            anchor: Anchor::Of("FFMA"),
            ..round(1.0, &[])
        };
        assert_eq!(cost(text, &products).unwrap().products, 1.0 / 7.0);
        let stored = Round {
            elements: Elements::Stored(4.0),
            ..products
        };
        assert!(cost(text, &stored).is_err());
    }
}
