//! What the threads of a row keep of it in registers, from one phase to those that follow.
//!
//! Phases that go through one domain in strides give each thread the same points. So what a point's code has read or
//! computed in one phase is at hand in the next: the powers of a softmax, for example, are computed for their sum and then
//! divided by it. That holds for the first points of each thread, as many as find room in registers, in code of their own
//! where all is known when it is compiled; the points beyond them read and compute again. The runtime has rows on teams
//! that keep all of them, where there are such.

mod find;
mod keys;
mod strided;

use crate::codegen::cuda::body::Code;
use crate::codegen::cuda::vector::{First, Part, Starts, Streams, candidates, width_of};
use crate::plan::affine::Polynomial;
use crate::plan::{Phase, Statement, Value};
use find::{ROOM, needed};

/// What is kept, and by whom.
#[derive(Default)]
pub(super) struct Keeping {
    groups: Vec<Group>,
    arrays: Vec<Array>,
    /// One per phase.
    phases: Vec<Option<Kept>>,
    /// Whether a phase has what it has read in registers beside what it keeps of that.
    pub(super) beside: bool,
}

/// Elements in registers.
struct Array {
    /// In C once it is declared, before that what that should be.
    name: String,
    /// The array whose registers it takes: of that nothing is needed any more.
    place: Option<usize>,
}

/// Phases with the same points for each thread.
struct Group {
    /// The first of them.
    from: usize,
    /// Neighbours per access, in each of them.
    width: usize,
    /// Points of a thread that may be kept, and the names of how many a team keeps and of the accesses that they are.
    points: usize,
    kept: String,
    rounds: String,
    /// Where their streams may start, and the names of that.
    starts: Vec<(Polynomial, String)>,
    /// The name of the test that all of these are aligned; nothing if there are none.
    aligned: Option<String>,
    /// The name of the test that there are no other points.
    whole: String,
}

/// What a phase does with its first points.
pub(super) struct Kept {
    group: usize,
    /// Values that it puts into arrays.
    keeps: Vec<(Value, usize)>,
    /// Values that it finds in them.
    given: Vec<(Value, usize)>,
    /// Its code but for what only these need.
    body: Vec<Statement>,
    roots: Vec<Value>,
}

impl Group {
    /// From a phase on, with so many points of each thread; the rest is known when that is written.
    fn of(from: usize, points: usize) -> Group {
        Group {
            from,
            width: 1,
            points,
            kept: String::new(),
            rounds: String::new(),
            starts: Vec::new(),
            aligned: None,
            whole: String::new(),
        }
    }

    /// Looks at the streams of all its phases; writes where they start, and whether they are aligned there.
    fn open(&mut self, code: &mut Code<'_>, phases: &[&Phase]) {
        let mut smallest = None;
        let mut size = None;
        for phase in phases {
            let (Phase::Fold {
                extents,
                vars,
                body,
                ..
            }
            | Phase::Each {
                extents,
                vars,
                body,
            }) = phase
            else {
                unreachable!("phases that stride");
            };
            size.get_or_insert_with(|| code.domain_size(extents, "size"));
            for stream in candidates(code, body, extents, vars, Starts::Known) {
                let bytes = code.kernel.buffers[stream.buffer].leaf.bytes();
                smallest = Some(smallest.unwrap_or(bytes).min(bytes));
                let new = self.starts.iter().all(|(start, _)| *start != stream.start);
                if !stream.start.is_zero() && new {
                    let (name, text) = (code.names.fresh("start"), code.polynomial(&stream.start));
                    code.line(format!("const Index {name} = {text};"));
                    self.starts.push((stream.start, name));
                }
            }
        }
        if let Some(smallest) = smallest {
            self.width = width_of(smallest).min(self.points);
        }
        let size = size.expect("a phase");
        let (width, points) = (self.width, self.points);
        let tests: Vec<String> = (self.starts.iter())
            .map(|(_, name)| format!("{name} % {width} == 0"))
            .collect();
        if !tests.is_empty() && width > 1 {
            let name = code.names.fresh("aligned");
            let tests = tests.join(" && ");
            code.line(format!("const bool {name} = USUALLY({tests});"));
            self.aligned = Some(name);
        }
        self.kept = code.names.fresh("kept");
        self.rounds = code.names.fresh("rounds");
        self.whole = code.names.fresh("whole");
        let (kept, rounds, whole) = (&self.kept, &self.rounds, &self.whole);
        code.line(format!(
            "constexpr u32 {kept} = Team::share < {points} ? Team::share : {points}, {rounds} = {kept} / {width};"
        ));
        let full = match width {
            1 => String::new(),
            _ => format!(" && {size} % {width} == 0"),
        };
        code.line(format!(
            "const bool {whole} = USUALLY({size} <= {kept} * team.size(){full});"
        ));
    }
}

impl Keeping {
    /// Nothing, in so many phases.
    pub(super) fn none(phases: usize) -> Keeping {
        let mut keeping = Keeping::default();
        keeping.phases.resize_with(phases, || None);
        keeping
    }

    /// Writes what stands before a phase: what its group has in common, and the arrays that it fills.
    pub(super) fn open(&mut self, code: &mut Code<'_>, phases: &[Phase], position: usize) {
        for (number, group) in self.groups.iter_mut().enumerate() {
            if group.from == position {
                let of_group = phases
                    .iter()
                    .zip(&self.phases)
                    .filter(|(_, kept)| kept.as_ref().is_some_and(|kept| kept.group == number));
                let of_group: Vec<&Phase> = of_group.map(|(phase, _)| phase).collect();
                group.open(code, &of_group);
            }
        }
        let Some(kept) = &self.phases[position] else {
            return;
        };
        let group = &self.groups[kept.group];
        for (value, array) in &kept.keeps {
            let Array { name, place } = &self.arrays[*array];
            let name = code.names.fresh(&format!("kept_{name}"));
            let (leaf, points) = (code.repr(*value).name(), &group.kept);
            code.line(match place {
                Some(place) => {
                    let place = &self.arrays[*place].name;
                    format!("{leaf} (&{name})[{points}] = {place};")
                }
                None => format!("{leaf} {name}[{points}];"),
            });
            self.arrays[*array].name = name;
        }
    }

    /// Points that a thread keeps at most; 0 if it keeps none.
    pub(super) fn points(&self) -> u32 {
        let points = self.groups.iter().map(|group| group.points);
        points.min().unwrap_or(0) as u32
    }

    /// The first points of a phase that keeps something or is given it.
    pub(super) fn of(&self, phase: usize) -> Option<FirstPoints<'_>> {
        let kept = self.phases[phase].as_ref()?;
        Some(FirstPoints {
            kept,
            group: &self.groups[kept.group],
            arrays: &self.arrays,
        })
    }
}

/// The first points of each thread in a phase.
#[derive(Clone, Copy)]
pub(super) struct FirstPoints<'a> {
    kept: &'a Kept,
    group: &'a Group,
    arrays: &'a [Array],
}

impl FirstPoints<'_> {
    /// The streams of these points, and their code, which sees what is given as parameters and assigns what is kept to others.
    pub(super) fn streams(
        &self,
        code: &mut Code<'_>,
        extents: &[Value],
        vars: &[Value],
    ) -> (Streams, Vec<Statement>) {
        let Kept {
            body, given, roots, ..
        } = self.kept;
        let mut streams = Streams::find(code, body, extents, vars, Starts::Of(&self.group.starts));
        let names = (self.kept.keeps.iter().chain(given))
            .map(|(_, array)| self.arrays[*array].name.clone())
            .collect();
        let bytes = |(value, _): &(Value, usize)| code.leaf(*value).bytes().max(4);
        let taken: usize = given.iter().map(bytes).sum();
        let part = First {
            rounds: self.group.rounds.clone(),
            arrays: names,
            room: ROOM.saturating_sub(self.group.points * taken),
        };
        streams.share(
            self.group.width,
            self.group.aligned.clone(),
            Part::First(part),
        );
        let body = needed(code, body, roots, given);
        (streams, body)
    }

    /// The test that there are no points but these.
    pub(super) fn whole(&self) -> &str {
        &self.group.whole
    }

    /// The streams of all other points.
    pub(super) fn rest(
        &self,
        code: &mut Code<'_>,
        body: &[Statement],
        extents: &[Value],
        vars: &[Value],
    ) -> Streams {
        let mut streams = Streams::find(code, body, extents, vars, Starts::Of(&self.group.starts));
        streams.share(
            self.group.width,
            self.group.aligned.clone(),
            Part::Rest(self.group.rounds.clone()),
        );
        streams
    }

    /// Parameters for what is kept and given.
    pub(super) fn parameters(&self, code: &mut Code<'_>) -> String {
        let mut text = String::new();
        for (value, _) in &self.kept.keeps {
            let (repr, name) = (code.repr(*value).name(), code.name(*value));
            text += &format!(", {repr}& {name}");
            code.kept.insert(*value, name);
        }
        for (value, _) in &self.kept.given {
            let (repr, name) = (code.repr(*value).name(), code.name(*value));
            text += &format!(", const {repr} {name}");
        }
        text
    }
}
