//! Accesses that run along with a domain, to be made 16 bytes at a time.
//!
//! A *stream* is a load or store, made for every point of the domain, whose index is `start + flat`, with the flat
//! index of the domain and a start that is the same for all points. Stores of a point to `start + count * flat` and the
//! `count - 1` elements behind it are streams too: of arrays that alternate, for example. The code of a point then takes the loaded values
//! as parameters and gives the stored ones through references, and does not care how they travel.

mod ahead;
mod candidates;
mod peeled;
mod stream;

pub(super) use ahead::Ahead;
pub(super) use candidates::{Starts, candidates};

use super::body::Code;
use super::scalar;
use crate::codegen::names::singular;
use crate::plan::affine::Polynomial;
use crate::plan::{Statement, Value, uses};
use candidates::Candidate;
use stream::{Base, Stream, times};

/// Bytes of an access.
const ACCESS: usize = 16;
/// The most neighbours that one thread works on together.
const WIDEST: usize = 8;
/// Bytes of loads that a thread should have issued before it uses the first: 48 KiB per multiprocessor if 768 threads of it
/// are resident.
const IN_FLIGHT: usize = 64;

/// Values that the neighbours of an access are computed with, all together: code that is written out for longer ones is
/// nothing to nvcc but work, and no access is waited for.
const WRITTEN_OUT: usize = 512;

/// Which of a thread's points a walk takes, where those of some accesses are kept for later walks.
#[derive(Clone, PartialEq, Eq, Default)]
pub(super) enum Part {
    #[default]
    All,
    /// Those of the first accesses.
    First(First),
    /// All but those of the first accesses, so many.
    Rest(String),
}

/// The first accesses of a thread, whose points are kept.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct First {
    /// So many, in C.
    pub(super) rounds: String,
    /// The points' code has an element of each of these arrays as further arguments.
    pub(super) arrays: Vec<String>,
    /// Bytes of registers for what is loaded, besides those that a thread has for that in any case.
    pub(super) room: usize,
}

/// Neighbours for an access, where the smallest elements take so many bytes.
pub(super) fn width_of(smallest: usize) -> usize {
    (ACCESS / smallest).min(WIDEST)
}

/// The streams of a body.
pub(super) struct Streams {
    pub(super) streams: Vec<Stream>,
    /// Neighbours per access; 1 if nothing is to be gained.
    pub(super) width: usize,
    /// Accesses in flight per stream.
    pub(super) unroll: usize,
    /// Starts that must be multiples of the width.
    starts: Vec<(Polynomial, String)>,
    /// The name of the test that they are, if it has been written.
    aligned: Option<String>,
    part: Part,
}

impl Streams {
    /// Those of `body`, and makes `code` write the body in terms of them. Their starts are computed here.
    pub(super) fn find(
        code: &mut Code<'_>,
        body: &[Statement],
        extents: &[Value],
        vars: &[Value],
        starts: Starts<'_>,
    ) -> Streams {
        let mut found = Streams {
            streams: Vec::new(),
            width: 1,
            unroll: 1,
            starts: match starts {
                Starts::Of(all) => all.to_vec(),
                Starts::Domain | Starts::Known | Starts::Parts => Vec::new(),
            },
            aligned: None,
            part: Part::All,
        };
        for candidate in candidates(code, body, extents, vars, starts) {
            let Candidate {
                buffer,
                index,
                loaded,
                start,
                place,
            } = candidate;
            let start = found.start(code, start);
            let c_buffer = code.buffers[buffer].clone();
            let same = |stream: &&Stream| {
                !stream.writes && stream.buffer == c_buffer && stream.start == start
            };
            let name = match found.streams.iter().find(same) {
                Some(stream) => stream.name.clone(),
                None => {
                    let wanted = match loaded {
                        Some(value) => code.wanted(value),
                        None => singular(&c_buffer),
                    };
                    let name = code.names.fresh(&wanted);
                    found.streams.push(Stream {
                        leaf: code.kernel.buffers[buffer].leaf,
                        buffer: c_buffer,
                        start,
                        name: name.clone(),
                        writes: loaded.is_none(),
                        place,
                    });
                    name
                }
            };
            *code.streamed.entry(index).or_default() += 1;
            match loaded {
                Some(value) => _ = code.loaded.insert(value, name),
                None => _ = code.stored.insert((buffer, index), name),
            }
        }
        let sizes = || found.streams.iter().map(|stream| stream.leaf.bytes());
        if let Some(smallest) = sizes().min() {
            let longest = (WRITTEN_OUT / uses::defined(body).len().max(1)).max(1);
            found.width = width_of(smallest).min(1 << longest.ilog2());
            found.unroll = found.ahead();
        }
        found
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.streams.is_empty()
    }

    /// Walks along a part of the points only, by accesses of a width that other walks have, too.
    pub(super) fn share(&mut self, width: usize, aligned: Option<String>, part: Part) {
        (self.width, self.aligned, self.part) = (width, aligned, part);
        if !self.streams.is_empty() {
            self.unroll = self.ahead();
        }
    }

    /// Accesses that have enough in flight.
    fn ahead(&self) -> usize {
        let read = self.streams.iter().filter(|stream| !stream.writes);
        let read: usize = read.map(|stream| stream.leaf.bytes()).sum();
        let access = (read * self.width).max(8);
        match &self.part {
            Part::All => IN_FLIGHT.div_ceil(access).min(4),
            // All rounds are so many times as many.
            Part::First(first) => 1 << first.room.max(IN_FLIGHT).div_ceil(access).ilog2(),
            // Other registers have what is kept.
            Part::Rest(_) => (IN_FLIGHT / 2).div_ceil(access),
        }
    }

    /// The name of a start, computed once.
    fn start(&mut self, code: &mut Code<'_>, start: Polynomial) -> Option<String> {
        if start.is_zero() {
            return None;
        }
        if let Some((_, name)) = self.starts.iter().find(|(other, _)| *other == start) {
            return Some(name.clone());
        }
        let name = code.names.fresh("start");
        let text = code.polynomial(&start);
        code.line(format!("const Index {name} = {text};"));
        self.starts.push((start, name.clone()));
        Some(name)
    }

    /// Parameters of the point's code.
    pub(super) fn parameters(&self) -> String {
        let parameter = |stream: &Stream| {
            let leaf = stream.leaf.name();
            if stream.writes {
                format!(", {leaf}& {}", stream.name)
            } else {
                format!(", const {leaf} {}", stream.name)
            }
        };
        self.streams.iter().map(parameter).collect()
    }

    /// Walks along the domain, making the code of each point: by packs where all streams are aligned.
    ///
    /// `call` writes the call of the point's code from the index, the position in the pack and the streams' arguments.
    pub(super) fn run(
        &self,
        code: &mut Code<'_>,
        walk: &Walk<'_>,
        call: &dyn Fn(&str, &str, &str) -> String,
    ) {
        let Walk {
            i,
            repr,
            size,
            first: _,
            step,
        } = *walk;
        let singly = |code: &mut Code<'_>, first: &str| {
            code.open(format!(
                "for ({repr} {i} = {first}; {i} < {size}; {i} += {step}) {{"
            ));
            let arguments: String = self
                .streams
                .iter()
                .map(|stream| format!(", {}", stream.element(i)))
                .collect();
            code.line(call(i, "0", &arguments));
            code.close("}");
        };
        let width = self.width;
        if width == 1 {
            match self.part {
                Part::First(..) => {
                    code.open("{");
                    self.unaligned(code, walk, call, &singly);
                    code.close("}");
                }
                _ => singly(code, &self.first_of(walk, 1)),
            }
            return;
        }
        if let Some((start, name)) = self.peels() {
            return self.ends_peeled(code, walk, call, (start, name), &singly);
        }
        let tests: Vec<String> = match (&self.aligned, &self.part) {
            (Some(name), _) => vec![name.clone()],
            (None, Part::All) => (self.starts.iter())
                .map(|(_, name)| format!("{name} % {width} == 0"))
                .collect(),
            (None, _) => Vec::new(),
        };
        if !tests.is_empty() {
            code.open(format!("if ({}) {{", tests.join(" && ")));
        } else if matches!(self.part, Part::First(..)) {
            code.open("{");
        }
        self.by_whole_packs(code, walk, call, &singly);
        if !tests.is_empty() {
            code.close("} else {");
            code.deeper();
            self.unaligned(code, walk, call, &singly);
            code.close("}");
        } else if matches!(self.part, Part::First(..)) {
            code.close("}");
        }
    }

    /// Where a thread's walk begins, whose accesses of packs are so many of this walk each.
    fn first_of(&self, walk: &Walk<'_>, each: usize) -> String {
        match &self.part {
            Part::Rest(rounds) => {
                format!("{} + {} * {}", walk.first, times(each, rounds), walk.step)
            }
            Part::All | Part::First(..) => walk.first.to_owned(),
        }
    }

    /// Further arguments of the first points: what is kept of the point.
    fn kept(&self, at: &str) -> String {
        let Part::First(first) = &self.part else {
            return String::new();
        };
        (first.arrays.iter())
            .map(|array| format!(", {array}[{at}]"))
            .collect()
    }

    /// The loop over accesses that read, and what the code of one is told besides.
    fn reading(&self, each: usize, ahead: usize, repr: &str) -> (String, &'static str) {
        match &self.part {
            Part::First(First { rounds, .. }) => (
                format!("read_first<{}, {ahead}, {repr}>", times(each, rounds)),
                ", const u32 round",
            ),
            Part::All | Part::Rest(_) => (format!("read_ahead<{ahead}, {repr}>"), ""),
        }
    }

    /// Writes where each stream is for a thread's first access of so many neighbours, where only the first ones are walked
    /// along: what is added for the others is known when it is compiled.
    fn bases(&self, code: &mut Code<'_>, walk: &Walk<'_>, width: usize) -> Vec<Base> {
        let Part::First(_) = self.part else {
            return Vec::new();
        };
        let mut bases = Vec::new();
        for stream in &self.streams {
            let name = code.names.fresh(&format!("{}_from", stream.buffer));
            let leaf = stream.leaf.name();
            let constant = if stream.writes { "" } else { "const " };
            let from = stream.from(&times(width, walk.first));
            code.line(format!("{constant}{leaf}* const {name} = {from};"));
            let round = format!("round * {}", walk.step);
            let further = times(width * stream.place.1, &round);
            bases.push(Base { name, further });
        }
        bases
    }

    /// Packs, and one by one the points that are too few for another one.
    fn by_whole_packs(
        &self,
        code: &mut Code<'_>,
        walk: &Walk<'_>,
        call: &dyn Fn(&str, &str, &str) -> String,
        singly: &dyn Fn(&mut Code<'_>, &str),
    ) {
        self.by_packs(code, walk, call);
        if !matches!(self.part, Part::First(..)) {
            let (width, Walk { size, first, .. }) = (self.width, walk);
            singly(code, &format!("{size} / {width} * {width} + {first}"));
        }
    }

    fn by_packs(
        &self,
        code: &mut Code<'_>,
        walk: &Walk<'_>,
        call: &dyn Fn(&str, &str, &str) -> String,
    ) {
        let Walk {
            i,
            repr,
            size,
            first: _,
            step,
        } = *walk;
        let width = self.width;
        let first = self.first_of(walk, 1);
        let (reading, told) = self.reading(1, self.unroll, repr);
        let bases = self.bases(code, walk, width);
        let from = |at: usize| match bases.get(at) {
            Some(base) => base.from(),
            None => self.streams[at].from(i),
        };
        let is_written = |at: &usize| self.streams[*at].writes;
        let (written, read): (Vec<usize>, Vec<usize>) =
            (0..self.streams.len()).partition(is_written);
        let of_pack = |stream: &Stream| match (stream.writes, stream.place) {
            (true, (_, 1)) => format!(", {}_pack[at]", stream.name),
            (true, (k, count)) => {
                let at = format!("({count} * at + {k})");
                let packs = &self.first(stream).name;
                format!(", {packs}_packs[{at} / {width}][{at} % {width}]")
            }
            (false, _) => format!(", in.{}[at]", stream.name),
        };
        let mut arguments: String = self.streams.iter().map(of_pack).collect();
        arguments += &self.kept(&format!("{width} * round + at"));
        let looped = format!("({first}, {size} / {width}, {step}");
        if let (true, Part::First(First { rounds, .. })) = (read.is_empty(), &self.part) {
            code.open(format!(
                "first_of<{rounds}, {repr}>{looped}, [&](const {repr} group{told}) {{"
            ));
        } else if read.is_empty() {
            code.open(format!(
                "for ({repr} group = {first}; group < {size} / {width}; group += {step}) {{"
            ));
        } else {
            let field = |at: &usize| {
                let stream = &self.streams[*at];
                format!("pack<{}, {width}> {};", stream.leaf.name(), stream.name)
            };
            let fields: Vec<String> = read.iter().map(field).collect();
            let load = |at: &usize| format!("load_pack<{width}>({})", from(*at));
            let loads: Vec<String> = read.iter().map(load).collect();
            code.line(format!("struct inputs {{ {} }};", fields.join(" ")));
            if bases.is_empty() {
                code.open(format!(
                    "const auto load = [&](const {repr} group) -> inputs {{"
                ));
                code.line(format!("const {repr} {i} = {width} * group;"));
            } else {
                code.open("const auto load = [&](const u32 round) -> inputs {");
            }
            code.line(format!("return {{{}}};", loads.join(", ")));
            code.close("};");
            code.open(format!(
                "const auto use = [&](const {repr} group, const inputs& in{told}) {{"
            ));
        }
        code.line(format!("const {repr} {i} = {width} * group;"));
        for at in &written {
            let stream = &self.streams[*at];
            let (leaf, name) = (stream.leaf.name(), &stream.name);
            match stream.place {
                (_, 1) => code.line(format!("pack<{leaf}, {width}> {name}_pack;")),
                (0, count) => code.line(format!("pack<{leaf}, {width}> {name}_packs[{count}];")),
                _ => {}
            }
        }
        code.pragma("#pragma unroll");
        code.line(format!(
            "for (u32 at = 0; at < {width}; ++at) {}",
            call(&format!("{i} + at"), "at", &arguments)
        ));
        for at in written {
            let stream = &self.streams[at];
            let (from, name) = (from(at), &stream.name);
            match stream.place {
                (_, 1) => code.line(format!("store_pack<{width}>({from}, {name}_pack);")),
                (0, count) => (0..count).for_each(|k| {
                    let at = width * k;
                    code.line(format!(
                        "store_pack<{width}>({from} + {at}, {name}_packs[{k}]);"
                    ));
                }),
                _ => {}
            }
        }
        if read.is_empty() {
            code.close(match self.part {
                Part::First(_) => "});",
                Part::All | Part::Rest(_) => "}",
            });
        } else {
            code.close("};");
            code.line(format!("{reading}{looped}, load, use);"));
        }
    }

    /// The first of the neighbours that a point stores with this one.
    fn first(&self, stream: &Stream) -> &Stream {
        let like = |other: &&Stream| {
            other.writes && other.buffer == stream.buffer && other.place == (0, stream.place.1)
        };
        let mut streams = self.streams.iter();
        streams.find(like).expect("neighbours come together")
    }

    /// One by one, but still several in flight.
    fn unaligned(
        &self,
        code: &mut Code<'_>,
        walk: &Walk<'_>,
        call: &dyn Fn(&str, &str, &str) -> String,
        singly: &dyn Fn(&mut Code<'_>, &str),
    ) {
        let Walk {
            i,
            repr,
            size,
            first: _,
            step,
        } = *walk;
        let first = self.first_of(walk, self.width);
        let ahead = match self.part {
            Part::First(_) => self.unroll * self.width,
            Part::All | Part::Rest(_) => 4,
        };
        let (reading, told) = self.reading(self.width, ahead, repr);
        let bases = self.bases(code, walk, 1);
        let element = |at: usize| match bases.get(at) {
            Some(Base { name, further }) => format!("{name}[{further}]"),
            None => self.streams[at].element(i),
        };
        let reads = || self.streams.iter().filter(|stream| !stream.writes);
        let argument = |(at, stream): (usize, &Stream)| match stream.writes {
            true => format!(", {}", element(at)),
            false => format!(", in.{}", stream.name),
        };
        let mut arguments: String = self.streams.iter().enumerate().map(argument).collect();
        arguments += &self.kept("round");
        let none = reads().next().is_none();
        if let (true, Part::First(First { rounds, .. })) = (none, &self.part) {
            code.line(format!(
                "first_of<{}, {repr}>({first}, {size}, {step}, [&](const {repr} {i}{told}) {{ {} }});",
                times(self.width, rounds),
                call(i, "0", &arguments)
            ));
            return;
        }
        if none {
            singly(code, &first);
            return;
        }
        let fields: Vec<String> = reads()
            .map(|stream| format!("{} {};", stream.leaf.name(), stream.name))
            .collect();
        let loads: Vec<String> = (0..self.streams.len())
            .filter(|at| !self.streams[*at].writes)
            .map(element)
            .collect();
        code.line(format!("struct inputs {{ {} }};", fields.join(" ")));
        let of = match bases.is_empty() {
            true => format!("const {repr} {i}"),
            false => "const u32 round".to_owned(),
        };
        code.line(format!(
            "const auto load = [&]({of}) -> inputs {{ return {{{}}}; }};",
            loads.join(", ")
        ));
        code.line(format!(
            "const auto use = [&](const {repr} {i}, const inputs& in{told}) {{ {} }};",
            call(i, "0", &arguments)
        ));
        code.line(format!("{reading}({first}, {size}, {step}, load, use);"));
    }
}

/// How the threads walk along a domain, in C.
#[derive(Clone, Copy)]
pub(super) struct Walk<'a> {
    /// The variable and its type.
    pub(super) i: &'a str,
    pub(super) repr: &'a str,
    /// The number of points.
    pub(super) size: &'a str,
    /// The thread's first point, and the number of threads.
    pub(super) first: &'a str,
    pub(super) step: &'a str,
}

impl Code<'_> {
    /// An index polynomial over values that have been written.
    pub(super) fn polynomial(&self, polynomial: &Polynomial) -> String {
        let mut text = String::new();
        for (product, factor) in polynomial.terms() {
            let negative = factor > i64::MAX as u64;
            let factor = if negative {
                factor.wrapping_neg()
            } else {
                factor
            };
            let mut factors: Vec<String> = product
                .iter()
                .map(|value| self.low(*value).at(scalar::ATOM))
                .collect();
            if factor != 1 || product.is_empty() {
                factors.insert(0, scalar::index_literal(factor).text);
            }
            let sign = match (text.is_empty(), negative) {
                (true, false) => "",
                (true, true) => "0 - ",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            text += sign;
            text += &factors.join(" * ");
        }
        text
    }
}
