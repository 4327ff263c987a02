//! Elementwise kernels some of whose loads run along another axis than the stores: a block works on tiles of both axes.
//!
//! First a block reads all such elements of a tile, neighbours along the axis of the reads, into its shared memory; then
//! each thread takes points along the axis of the stores, and does as any elementwise kernel does.

use super::body::Code;
use super::scalar::{self, ATOM};
use crate::codegen::transposed::{self, Load, Transposed};
use crate::options::Tiling;
use crate::plan::Points;
use crate::scalar::{Leaf, Scalar};

/// Threads per block: each has several elements of a tile.
const THREADS: u32 = 256;
/// Bytes of shared memory that a block has for a place of a tile, at most.
const MOST: usize = 128;

/// The tiles of a domain.
pub(super) struct Tiles {
    transposed: Transposed,
    /// The shared memory of each load; that of an earlier one if that is alike.
    rooms: Vec<String>,
    /// Each once, with its leaf.
    own: Vec<(String, Leaf)>,
    /// The logarithm of the places of a tile.
    places: u32,
}

impl Tiles {
    /// Those of a domain, if there are such loads.
    pub(super) fn find(code: &mut Code<'_>, part: &Points, tiling: Tiling) -> Option<Tiles> {
        let leaf = |buffer: usize| code.kernel.buffers[buffer].leaf;
        let known = |value| code.kernel.scalars.contains(&value);
        let mut transposed = Transposed::find(code.facts, &part.body, &part.vars, &known, &leaf)?;
        let used = |load: &Load| !code.facts.unused(load.value);
        transposed.loads.retain(used);
        let (mut rooms, mut own): (Vec<String>, Vec<(String, Leaf)>) = Default::default();
        let mut bytes = 0;
        for position in 0..transposed.loads.len() {
            let (before, load) = (&transposed.loads[..position], &transposed.loads[position]);
            if let Some(alike) = before.iter().position(|other| other.is_like(load)) {
                rooms.push(rooms[alike].clone());
                continue;
            }
            let leaf = code.kernel.buffers[load.buffer].leaf;
            if bytes + leaf.bytes() > MOST {
                break;
            }
            bytes += leaf.bytes();
            let wanted = format!("{}_room", code.kernel.memory_name(load.buffer));
            let room = code.names.fresh(&wanted);
            own.push((room.clone(), leaf));
            rooms.push(room);
        }
        transposed.loads.truncate(rooms.len());
        if rooms.is_empty() {
            return None;
        }
        // About as much of shared memory, whatever the elements are.
        let places = match bytes {
            _ if tiling == Tiling::Small => 6,
            1..=3 => 12,
            4..=8 => 11,
            9..=16 => 10,
            17..=32 => 9,
            _ => 8,
        };
        Some(Tiles {
            transposed,
            rooms,
            own,
            places,
        })
    }

    /// Points that a thread works on in a tile.
    pub(super) fn items(&self) -> u32 {
        ((1 << self.places) / THREADS).max(1)
    }

    /// Threads of a block that has as many points of a tile for each.
    pub(super) fn threads(&self) -> u32 {
        (1 << self.places) / self.items()
    }

    /// Shared memory, as parameters of the kernel's function.
    pub(super) fn parameters(&self) -> impl Iterator<Item = String> + '_ {
        let parameter = |(room, leaf): &(String, Leaf)| format!("{}* {room}", leaf.name());
        self.own.iter().map(parameter)
    }

    /// The arguments for them.
    pub(super) fn arguments(&self) -> impl Iterator<Item = String> + '_ {
        self.own.iter().map(|(room, _)| room.clone())
    }

    /// Makes the room, in an entry.
    pub(super) fn declare(&self, code: &mut Code<'_>) {
        let (places, apart) = (1 << self.places, (1 << self.places) / 32);
        for (room, leaf) in &self.own {
            code.line(format!(
                "SHARED({}, {room}, {});",
                leaf.name(),
                places + apart
            ));
        }
    }

    /// Writes the loop over tiles, numbered in a type from the block's first one.
    pub(super) fn write(&self, code: &mut Code<'_>, part: &Points, repr: &str, first: &str) {
        let Points {
            extents,
            vars,
            body,
            windows: _,
        } = part;
        let axes = Axes::of(self, vars.len());
        // The code of a point takes what has been read.
        let coordinates: Vec<String> = vars.iter().map(|var| code.name(*var)).collect();
        let typed = |code: &Code<'_>, k: usize| {
            format!("const {} {}", code.repr(vars[k]).name(), coordinates[k])
        };
        let mut parameters: Vec<String> = (0..vars.len()).map(|k| typed(code, k)).collect();
        for ((room, leaf), load) in self.loads() {
            let name = code.names.fresh(&code.wanted(load.value));
            parameters.push(format!("const {} {name}", leaf.name()));
            let alike = self.transposed.loads.iter().zip(&self.rooms);
            for (load, _) in alike.filter(|(_, other)| **other == *room) {
                code.loaded.insert(load.value, name.clone());
            }
        }
        for load in &self.transposed.loads {
            *code.streamed.entry(load.index).or_default() += 1;
        }
        code.open(format!(
            "const auto element = [&]({}) {{",
            parameters.join(", ")
        ));
        code.declare_failed();
        code.list(body);
        code.close("};");

        let ends: Vec<String> = extents
            .iter()
            .map(|extent| format!("{repr}({})", code.text(*extent)))
            .collect();
        let end = |axis: Option<usize>| axis.map_or("1", |axis| ends[axis].as_str());
        code.line(format!(
            "const auto shape = tile_for<{}, {}>({}, {}, {});",
            self.places,
            axes.between(),
            end(Some(axes.along)),
            end(Some(axes.across)),
            end(axes.beyond)
        ));
        // A tile's number, axis by axis.
        let counts: Vec<String> = (0..vars.len())
            .map(|k| match axes.name(k) {
                None => ends[k].clone(),
                Some(log) => {
                    let count = code.names.fresh(&format!("tiles_of_{}", coordinates[k]));
                    code.line(format!(
                        "const {repr} {count} = ({} + ((1u << shape.{log}) - 1)) >> shape.{log};",
                        ends[k]
                    ));
                    count
                }
            })
            .collect();
        let all = code.names.fresh("tiles");
        code.line(format!("const {repr} {all} = {};", counts.join(" * ")));
        code.open(format!(
            "for ({repr} number = {first}; number < {all}; number += gridDim.x) {{"
        ));
        let mut rest = "number".to_owned();
        let mut firsts = vec![String::new(); vars.len()];
        for k in (0..vars.len()).rev() {
            firsts[k] = code.names.fresh(&format!("first_{}", coordinates[k]));
            let number = match k {
                0 => rest.clone(),
                _ => format!("{rest} % {}", counts[k]),
            };
            let shifted = match axes.name(k) {
                None => number,
                Some(log) if k == 0 => format!("{number} << shape.{log}"),
                Some(log) => format!("({number}) << shape.{log}"),
            };
            code.line(format!("const {repr} {} = {shifted};", firsts[k]));
            if k > 0 {
                let outer = code.names.fresh("outer");
                code.line(format!("const {repr} {outer} = {rest} / {};", counts[k]));
                rest = outer;
            }
        }
        let point = |code: &mut Code<'_>, way: &str| {
            let mut within = Vec::new();
            for k in 0..vars.len() {
                let first = &firsts[k];
                let own = match axes.name(k) {
                    Some(axis) => {
                        within.push(format!("{} < {}", coordinates[k], ends[k]));
                        format!(" + tile.{way}_{axis}(at) + tile.{way}_{axis}(more)")
                    }
                    None => String::new(),
                };
                let place = typed(code, k);
                code.line(format!("{place} = {first}{own};"));
            }
            within.join(" && ")
        };
        code.open("const auto work = [&](const auto tile) {");
        let inputs = self.fill(code, part, &point);
        code.line("// Hazard: points take what other threads have read.");
        code.line("__syncthreads();");
        self.take(code, &coordinates, &inputs, &point);
        code.line("// Hazard: the next tile is read into what is still taken from.");
        code.line("__syncthreads();");
        code.close("};");
        let whole: Vec<String> = [axes.along, axes.across]
            .into_iter()
            .map(|k| {
                let name = axes.name(k).expect("an axis of a tile");
                format!(" && {} + (1u << shape.{name}) <= {}", firsts[k], ends[k])
            })
            .collect();
        code.open(format!(
            "if (USUALLY(blockDim.x == {} && shape.is_square(){})) {{",
            self.threads(),
            whole.concat()
        ));
        code.line(format!(
            "work(whole_tile<{}, {}>());",
            self.places,
            axes.between()
        ));
        code.close("} else {");
        code.deeper();
        code.line("work(shape);");
        code.close("}");
        code.close("}");
    }

    /// Each room with the first load into it.
    fn loads(&self) -> impl Iterator<Item = (&(String, Leaf), &Load)> {
        self.own.iter().map(|own| {
            let mut rooms = self.rooms.iter();
            let first = rooms.position(|room| *room == own.0);
            (
                own,
                &self.transposed.loads[first.expect("each room is of a load")],
            )
        })
    }

    /// Reads a tile, several elements at once before the first is put away.
    fn fill(
        &self,
        code: &mut Code<'_>,
        part: &Points,
        point: &dyn Fn(&mut Code<'_>, &str) -> String,
    ) -> Vec<String> {
        let mut fields = Vec::new();
        let mut names = Vec::new();
        for ((_, leaf), load) in self.loads() {
            let name = code.names.fresh(&code.wanted(load.value));
            fields.push(format!("{} {name};", leaf.name()));
            names.push(name);
        }
        code.line(format!("struct inputs {{ {} }};", fields.join(" ")));
        code.open("const auto read = [&](const u32 at, const u32 more) -> inputs {");
        let within = point(code, "read");
        code.line(format!("if (!tile.has({within})) return {{}};"));
        let conditions = self.loads().flat_map(|(_, load)| &load.conditions);
        let conditions = conditions.map(|one| one.value);
        for statement in transposed::computing(&part.body, code.facts, conditions) {
            code.statement(statement);
        }
        let mut elements = Vec::new();
        for ((_, leaf), load) in self.loads() {
            let buffer = &code.buffers[load.buffer];
            let element = format!("{buffer}[{}]", code.polynomial(&load.place));
            let conditions: Vec<String> = (load.conditions.iter())
                .map(|one| {
                    let value = code.expr(one.value).at(ATOM);
                    match one.holds {
                        true => value,
                        false => format!("!{value}"),
                    }
                })
                .collect();
            let zero = Scalar {
                leaf: *leaf,
                bits: 0,
            };
            let zero = scalar::constant(zero, scalar::Repr::Leaf(*leaf)).text;
            elements.push(match conditions.is_empty() {
                true => element,
                false => format!(
                    "{}({} ? {element} : {zero})",
                    leaf.name(),
                    conditions.join(" && ")
                ),
            });
        }
        code.line(format!("return {{{}}};", elements.join(", ")));
        code.close("};");
        code.open("const auto keep = [&](const u32 at, const u32 more, const inputs& in) {");
        code.line("const u32 place = tile.turned(at), next = tile.turned(more);");
        for ((room, leaf), name) in self.own.iter().zip(&names) {
            code.line(format!(
                "{room}[apart<{0}>(place) + apart<{0}>(next)] = in.{name};",
                leaf.name()
            ));
        }
        code.close("};");
        code.line(format!("for_places<{}>(tile, read, keep);", self.items()));
        names
    }

    /// The points of a tile.
    fn take(
        &self,
        code: &mut Code<'_>,
        coordinates: &[String],
        inputs: &[String],
        point: &dyn Fn(&mut Code<'_>, &str) -> String,
    ) {
        code.open("const auto take = [&](const u32 at, const u32 more) -> inputs {");
        let taken = self.own.iter();
        let taken = taken
            .map(|(room, leaf)| format!("{room}[apart<{0}>(at) + apart<{0}>(more)]", leaf.name()));
        let taken: Vec<String> = taken.collect();
        code.line(format!("return {{{}}};", taken.join(", ")));
        code.close("};");
        code.open("const auto give = [&](const u32 at, const u32 more, const inputs& in) {");
        let within = point(code, "stored");
        let mut arguments = coordinates.to_vec();
        arguments.extend(inputs.iter().map(|name| format!("in.{name}")));
        code.line(format!(
            "if (tile.has({within})) element({});",
            arguments.join(", ")
        ));
        code.close("};");
        code.line(format!("for_places<{}>(tile, take, give);", self.items()));
    }
}

/// The axes of a tile.
struct Axes {
    along: usize,
    across: usize,
    beyond: Option<usize>,
}

impl Axes {
    fn of(tiles: &Tiles, rank: usize) -> Axes {
        let (along, across) = (rank - 1, tiles.transposed.axis);
        Axes {
            along,
            across,
            beyond: (0..along).rev().find(|&k| k != across),
        }
    }

    /// Whether the third axis is between the others, in the result as in what is read.
    fn between(&self) -> bool {
        self.beyond.is_some_and(|beyond| beyond > self.across)
    }

    /// The field that tells how wide a tile is along an axis, if it is wider than a point.
    fn name(&self, axis: usize) -> Option<&'static str> {
        match axis {
            _ if axis == self.along => Some("along"),
            _ if axis == self.across => Some("across"),
            _ if Some(axis) == self.beyond => Some("beyond"),
            _ => None,
        }
    }
}
