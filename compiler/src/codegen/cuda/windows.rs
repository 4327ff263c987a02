//! Stencils: the entries of an elementwise kernel in which a block works on a tile of neighbouring points.
//!
//! Tiles that keep away from the edges fill the block's shared memory first, a place at a time, and then do their points
//! from there, without tests. The others do as the kernel says.

use super::body::Code;
use super::scalar::Expr;
use super::{Entry, Regime, Variants};
use crate::plan::windows::{Read, Source};
use crate::plan::{Points, Value, Windows, uses};
use crate::sorted::SortedMap;

/// Statements of a point beyond which its loop stays one.
const LONG: usize = 64;
/// Rounds of a block's threads over the places of a source that are written out.
const ROUNDS: u32 = 16;

/// What the walk over a tile needs.
struct Walk<'a> {
    windows: &'a Windows,
    vars: &'a [Value],
    /// Coordinates of the tile's first point.
    first: Vec<String>,
    /// The shared memory of each source.
    rooms: Vec<String>,
}

/// Writes the function of the tiles and its entries.
pub(super) fn write(
    mut code: Code<'_>,
    points: &Points,
    windows: &Windows,
) -> (String, Vec<Entry>) {
    let Points {
        extents,
        vars,
        body,
        windows: _,
    } = points;
    let variants = Variants::of(&code);
    let function = format!("{}_windows", code.symbol);
    let places: Vec<String> = vars.iter().map(|var| code.name(*var)).collect();
    let typed =
        |code: &Code<'_>, k: usize| format!("const {} {}", code.repr(vars[k]).name(), places[k]);
    let sources = windows.sources.iter();
    let rooms: Vec<String> = sources
        .map(|source| code.names.fresh(&format!("{}_room", source.name)))
        .collect();
    let leaf = |code: &Code<'_>, source: &Source| code.leaf(source.value).name();
    let mut parameters = vec![variants.parameters(&code, true)];
    for (source, room) in windows.sources.iter().zip(&rooms) {
        parameters.push(format!("{}* {room}", leaf(&code, source)));
    }
    code.line("template <class Index>");
    code.open(format!(
        "INLINE void {function}({})\n{{",
        Variants::broken(&parameters.join(", "))
    ));
    let coordinates: Vec<String> = (0..vars.len()).map(|k| typed(&code, k)).collect();
    code.open(format!(
        "const auto element = [&]({}) {{",
        coordinates.join(", ")
    ));
    code.declare_failed();
    code.list(body);
    code.close("};");

    // A tile's number, axis by axis.
    let ends: Vec<String> = extents
        .iter()
        .map(|extent| format!("Index({})", code.text(*extent)))
        .collect();
    let mut first = Vec::new();
    let mut counts = Vec::new();
    for ((&points, end), place) in windows.tile.iter().zip(&ends).zip(&places) {
        first.push(code.names.fresh(&format!("first_{place}")));
        if points == 1 {
            counts.push(end.clone());
        } else {
            let count = code.names.fresh(&format!("tiles_of_{place}"));
            code.line(format!(
                "const Index {count} = ({end} + {}) / {points};",
                points - 1
            ));
            counts.push(count);
        }
    }
    let all = code.names.fresh("tiles");
    code.line(format!("const Index {all} = {};", counts.join(" * ")));
    code.list(&windows.given.statements);
    code.open(format!(
        "for (Index tile = blockIdx.x; tile < {all}; tile += gridDim.x) {{"
    ));
    let mut rest = "tile".to_owned();
    for (k, count) in counts.iter().enumerate().rev() {
        let points = windows.tile[k];
        let number = if k == 0 {
            rest.clone()
        } else {
            format!("{rest} % {count}")
        };
        let times = if points == 1 {
            String::new()
        } else {
            format!(" * {points}")
        };
        code.line(format!("const Index {} = {number}{times};", first[k]));
        rest = format!("{rest} / {count}");
    }
    let walk = Walk {
        windows,
        vars,
        first,
        rooms,
    };
    let given = windows.given.conditions.iter();
    let mut tests: Vec<String> = given.map(|&condition| code.text(condition)).collect();
    for (k, (first, end)) in walk.first.iter().zip(&ends).enumerate() {
        let [before, after] = windows.margins[k];
        let points = u64::from(windows.tile[k]);
        if before > 0 {
            tests.push(format!("{first} >= {before}"));
        }
        if points > 1 || after > 0 {
            tests.push(format!("{first} + {} <= {end}", points + after));
        }
    }
    let tests = if tests.is_empty() {
        "true".to_owned()
    } else {
        tests.join(" && ")
    };
    code.open(format!("if (USUALLY({tests})) {{"));
    walk.inside(&mut code);
    code.close("} else {");
    code.deeper();
    let points: u32 = windows.tile.iter().product();
    code.open(format!(
        "for (u32 at = threadIdx.x; at < {points}; at += {}) {{",
        windows.threads
    ));
    let own = local(&mut code, "const u32", "at", &windows.tile);
    for (k, own) in own.iter().enumerate() {
        let place = typed(&code, k);
        code.line(format!("{place} = {} + {own};", walk.first[k]));
    }
    let within = (0..vars.len()).filter(|&k| windows.tile[k] > 1);
    let within: Vec<String> = within
        .map(|k| format!("{} < {}", places[k], ends[k]))
        .collect();
    code.line(format!(
        "if ({}) element({});",
        within.join(" && "),
        places.join(", ")
    ));
    code.close("}");
    code.close("}");
    code.close("}");
    code.close("}");

    let mut entries = Vec::new();
    for wide in [false, true] {
        let suffix = if wide { "_wide" } else { "" };
        let name = format!("{}_near{suffix}", code.symbol);
        let regime = regime(&code, extents, windows);
        let entry = Entry {
            items_per_thread: points / windows.threads,
            ..variants.entry(&code, regime, &name, windows.threads, wide)
        };
        variants.open_entry(&mut code, &entry);
        let mut arguments = vec![variants.arguments(&code)];
        for (source, room) in windows.sources.iter().zip(&walk.rooms) {
            let places = source.room(&windows.tile, windows.stream);
            let leaf = leaf(&code, source);
            code.line(format!("SHARED({leaf}, {room}, {places});"));
            arguments.push(room.clone());
        }
        let index = if wide { "u64" } else { "u32" };
        code.line(format!("{function}<{index}>({});", arguments.join(", ")));
        code.close("}");
        entries.push(entry);
    }
    (code.finish(), entries)
}

/// The axes of tiles, outermost first.
fn regime(code: &Code<'_>, extents: &[Value], windows: &Windows) -> Regime {
    let (mut tile, mut positions) = ([1; 3], [None; 3]);
    let along = (0..extents.len()).rev().filter(|&k| windows.tile[k] > 1);
    for (slot, k) in (0..3).rev().zip(along) {
        tile[slot] = windows.tile[k];
        positions[slot] = code
            .kernel
            .scalars
            .iter()
            .position(|scalar| *scalar == extents[k]);
    }
    Regime::Windows {
        tile,
        extents: positions,
    }
}

impl Walk<'_> {
    /// A tile away from the edges.
    fn inside(&self, code: &mut Code<'_>) {
        let Walk { windows, .. } = self;
        match windows.stream {
            Some(stream) => self.streamed(code, stream),
            None => {
                for (number, source) in windows.sources.iter().enumerate() {
                    self.fill(
                        code,
                        number,
                        &source.sizes(&windows.tile).collect::<Vec<_>>(),
                        None,
                    );
                    self.wait(code, number);
                }
                self.points(code, None);
            }
        }
        // Before any other source is filled the threads have waited for the first.
        if windows.reads.iter().any(|read| read.source == 0) {
            code.line("// Hazard: the next tile fills what is still read.");
            code.line("__syncthreads();");
        }
    }

    /// A tile plane by plane. Of each source there are as many planes as the points of one read, and one more, which is
    /// filled while points may still read the others.
    fn streamed(&self, code: &mut Code<'_>, axis: usize) {
        let Walk { windows, .. } = self;
        let reach = |source: &Source| source.halo[axis][0] + source.halo[axis][1];
        let lead = windows.sources.iter().map(reach).max().unwrap_or(0);
        let step = code.names.fresh("plane");
        let steps = windows.tile[axis] + lead;
        code.open(format!(
            "for (u32 {step} = 0; {step} < {steps}; ++{step}) {{"
        ));
        for (number, source) in windows.sources.iter().enumerate() {
            let after = source.halo[axis][1];
            let plane = Plane {
                axis,
                number: match after {
                    0 => step.clone(),
                    _ => format!("({step} + {after})"),
                },
                lead,
            };
            let idle = lead - reach(source);
            if idle > 0 {
                code.open(format!("if ({step} >= {idle}) {{"));
            }
            let mut sizes: Vec<u32> = source.sizes(&windows.tile).collect();
            sizes[axis] = 1;
            self.fill(code, number, &sizes, Some(&plane));
            if idle > 0 {
                code.close("}");
            }
            self.wait(code, number);
        }
        let plane = Plane {
            axis,
            number: step.clone(),
            lead,
        };
        code.open(format!("if ({step} >= {lead}) {{"));
        self.points(code, Some(&plane));
        code.close("}");
        code.close("}");
    }

    /// Evaluates a source at so many places.
    fn fill(&self, code: &mut Code<'_>, number: usize, sizes: &[u32], plane: Option<&Plane>) {
        let Walk { windows, vars, .. } = self;
        let source = &windows.sources[number];
        let mut rooms = Rooms::default();
        // Places of rooms as wide as this one have its numbers.
        for (other, earlier) in windows.sources[..number].iter().enumerate() {
            let widths = earlier.sizes(&windows.tile).skip(1);
            if plane.is_none() && widths.eq(sizes[1..].iter().copied()) {
                rooms.insert((other, 0), "at".to_owned());
            }
        }
        let used = uses::free(&source.statements);
        let is_placed = vars.iter().any(|var| used.contains(var))
            || !source
                .reads
                .iter()
                .all(|read| rooms.contains_key(&(read.source, 0)));
        // A division of each place by sizes that are no powers of two would cost more than all the rest.
        let advances = is_placed && !sizes[1..].iter().all(|size| size.is_power_of_two());
        let begin = advances.then(|| local(code, "u32", "threadIdx.x", sizes));
        let (places, threads): (u32, u32) = (sizes.iter().product(), windows.threads);
        // How often all threads have a place. With so few rounds all loads are on their way at once.
        let all = places / threads;
        let unrolled = all < ROUNDS && source.statements.len() < LONG / 4;
        if unrolled {
            code.pragma("#pragma unroll");
            let k = code.names.fresh("k");
            let rounds = places.div_ceil(threads);
            code.open(format!("for (u32 {k} = 0; {k} < {rounds}; ++{k}) {{"));
            code.line(format!("const u32 at = threadIdx.x + {threads} * {k};"));
            match rounds > all {
                true => code.open(format!("if ({k} < {all} || at < {places}) {{")),
                false => code.open("{"),
            }
        } else {
            code.open(format!(
                "for (u32 at = threadIdx.x; at < {places}; at += {threads}) {{",
            ));
        }
        let mut own = match &begin {
            Some(begin) => begin.clone(),
            None if is_placed => local(code, "const u32", "at", sizes),
            None => vec!["0".to_owned(); sizes.len()],
        };
        let mut before: Vec<u32> = source.halo.iter().map(|halo| halo[0]).collect();
        let mut place = "at".to_owned();
        if let Some(plane) = plane {
            own[plane.axis] = plane.number.clone();
            before[plane.axis] = plane.lead;
            let ring = source.ring(plane.axis);
            place = format!("{} % {ring} * {places} + at", plane.number);
        }
        if is_placed {
            self.coordinates(code, &own, &before);
        }
        self.reads(code, &source.reads, &own, &before, &mut rooms);
        code.list(&source.statements);
        let value = code.full(source.value).text;
        code.line(format!("{}[{place}] = {value};", self.rooms[number]));
        if unrolled {
            code.close("}");
        }
        if let Some(begin) = &begin {
            advance(code, begin, sizes, threads);
        }
        code.close("}");
    }

    /// What has been filled is there.
    fn wait(&self, code: &mut Code<'_>, number: usize) {
        let last = number + 1 == self.windows.sources.len();
        code.line(match last {
            true => "// Hazard: points read what other threads have put there.",
            false => "// Hazard: the next source reads what other threads have put there.",
        });
        code.line("__syncthreads();");
    }

    /// The points of a tile, or of a plane of it.
    fn points(&self, code: &mut Code<'_>, plane: Option<&Plane>) {
        let Walk { windows, .. } = self;
        let mut tile = windows.tile.clone();
        if let Some(plane) = plane {
            tile[plane.axis] = 1;
        }
        let points: u32 = tile.iter().product();
        let unrolled = |code: &mut Code<'_>| {
            if windows.body.len() < LONG {
                code.pragma("#pragma unroll 4");
            }
        };
        let mut own = match windows.outer() {
            Some((outer, each)) => {
                tile[outer] /= each;
                let mut own = local(code, "const u32", "threadIdx.x", &tile);
                let mut before = match own[outer].as_str() {
                    "0" => Vec::new(),
                    thread => vec![format!("{each} * {thread}")],
                };
                if windows.register_block == each {
                    code.open("{");
                } else {
                    unrolled(code);
                    let k = code.names.fresh("k");
                    let step = match windows.register_block {
                        1 => format!("++{k}"),
                        several => format!("{k} += {several}"),
                    };
                    code.open(format!("for (u32 {k} = 0; {k} < {each}; {step}) {{"));
                    before.push(k);
                }
                own[outer] = match &before[..] {
                    [] => "0".to_owned(),
                    [k] if windows.register_block == 1 => k.clone(),
                    sum => {
                        let name = code.names.fresh("own");
                        code.line(format!("const u32 {name} = {};", sum.join(" + ")));
                        name
                    }
                };
                own
            }
            None => {
                unrolled(code);
                code.open(format!(
                    "for (u32 at = threadIdx.x; at < {points}; at += {}) {{",
                    windows.threads
                ));
                local(code, "const u32", "at", &tile)
            }
        };
        let mut before = vec![0; own.len()];
        if let Some(plane) = plane {
            own[plane.axis] = plane.number.clone();
            before[plane.axis] = plane.lead;
        }
        self.coordinates(code, &own, &before);
        code.declare_failed();
        let mut at = Rooms::default();
        match windows.register_block {
            1 => {
                self.reads(code, &windows.reads, &own, &before, &mut at);
                code.list(&windows.body);
            }
            // Each read stands before its first use: all of them at once exceed a thread's registers.
            _ => {
                let mut reads: SortedMap<Value, &Read> = SortedMap::new();
                reads.extend(windows.reads.iter().map(|read| (read.value, read)));
                for statement in &windows.body {
                    let mut needed = Vec::new();
                    statement.clone().map_operands(&mut |operand| {
                        needed.extend(reads.remove(&operand).cloned());
                        operand
                    });
                    self.reads(code, &needed, &own, &before, &mut at);
                    code.list(std::slice::from_ref(statement));
                }
            }
        }
        code.close("}");
    }

    /// The coordinates of a place, counted from so far before the tile.
    fn coordinates(&self, code: &mut Code<'_>, own: &[String], before: &[u32]) {
        for (k, var) in self.vars.iter().enumerate() {
            let repr = code.repr(*var).name();
            let (name, first) = (code.text(*var), &self.first[k]);
            let back = match before[k] {
                0 => String::new(),
                before => format!(" - {before}"),
            };
            code.line(format!("const {repr} {name} = {first} + {}{back};", own[k]));
        }
    }

    /// Elements of sources, for a place counted from so far before the tile.
    fn reads(
        &self,
        code: &mut Code<'_>,
        reads: &[Read],
        own: &[String],
        before: &[u32],
        at: &mut Rooms,
    ) {
        let stream = self.windows.stream;
        for read in reads {
            if code.facts.unused(read.value) {
                continue;
            }
            let source = &self.windows.sources[read.source];
            let sizes: Vec<u32> = source.sizes(&self.windows.tile).collect();
            let (mut stride, mut distance) = (1, 0);
            let mut sum = Vec::new();
            for k in (0..sizes.len()).rev().filter(|&k| Some(k) != stream) {
                let halo = i64::from(source.halo[k][0]) - i64::from(before[k]);
                distance += stride * (read.offset[k] + halo);
                if own[k] != "0" {
                    sum.push(match stride {
                        1 => own[k].clone(),
                        _ => format!("{stride} * {}", own[k]),
                    });
                }
                stride *= i64::from(sizes[k]);
            }
            let away = stream.map_or(0, |axis| read.offset[axis]);
            if let Some(axis) = stream {
                let plane = match away {
                    0 => own[axis].clone(),
                    1.. => format!("({} + {away})", own[axis]),
                    _ => format!("({} - {})", own[axis], -away),
                };
                sum.push(format!("{plane} % {} * {stride}", source.ring(axis)));
            }
            sum.reverse();
            let room = &self.rooms[read.source];
            let place = at.entry((read.source, away)).or_insert_with(|| {
                let name = code.names.fresh(&format!("in_{room}"));
                code.line(format!("const u32 {name} = {};", sum.join(" + ")));
                name
            });
            let place = match distance {
                0 => place.clone(),
                1.. => format!("{place} + {distance}"),
                _ => format!("{place} - {}", -distance),
            };
            code.define(read.value, Expr::atom(format!("{room}[{place}]")));
        }
    }
}

/// The place at no distance, in each source and plane of it.
type Rooms = SortedMap<(usize, i64), String>;

/// A plane of a tile that a block goes through plane by plane.
struct Plane {
    axis: usize,
    /// Counted in C from so far before the tile.
    number: String,
    lead: u32,
}

/// The position along each axis of a place in a box, as C that may be multiplied, in variables of a type.
fn local(code: &mut Code<'_>, ty: &str, at: &str, sizes: &[u32]) -> Vec<String> {
    let mut rest = at.to_owned();
    let mut own = vec!["0".to_owned(); sizes.len()];
    let along: Vec<usize> = (0..sizes.len()).filter(|&k| sizes[k] > 1).collect();
    for (n, &k) in along.iter().enumerate().rev() {
        let name = code.names.fresh("own");
        let text = if n == 0 {
            rest.clone()
        } else {
            format!("{rest} % {}", sizes[k])
        };
        code.line(format!("{ty} {name} = {text};"));
        rest = format!("{rest} / {}", sizes[k]);
        own[k] = name;
    }
    own
}

/// The position in a box so many places on.
fn advance(code: &mut Code<'_>, own: &[String], sizes: &[u32], places: u32) {
    let along: Vec<usize> = (0..sizes.len()).filter(|&k| sizes[k] > 1).collect();
    let mut rest = places;
    for (n, &k) in along.iter().enumerate().rev() {
        let step = if n == 0 { rest } else { rest % sizes[k] };
        rest /= sizes[k];
        if step > 0 {
            code.line(format!("{} += {step};", own[k]));
        }
    }
    for pair in along.windows(2).rev() {
        let [outer, inner] = [pair[0], pair[1]];
        code.line(format!(
            "if ({own} >= {size}) {{ {own} -= {size}; ++{}; }}",
            own[outer],
            own = own[inner],
            size = sizes[inner]
        ));
    }
}
