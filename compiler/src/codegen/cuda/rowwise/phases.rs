//! The phases of a row in C.

use super::folds::{
    Empty, accumulate, write_combine, write_element, write_identity, write_results, write_team,
};
use super::kept::{FirstPoints, Keeping};
use super::scans::{self, Scan};
use crate::codegen::cuda::body::Code;
use crate::codegen::cuda::domain::Flat;
use crate::codegen::cuda::fold;
use crate::codegen::cuda::state::State;
use crate::codegen::cuda::vector::{Ahead, Starts, Streams, Walk};
use crate::plan::{Fold, Phase, Statement, Value};

/// Statements of a simple point.
const SIMPLE: usize = 16;

/// What the entries are told of the phases' code.
pub(super) struct Threads {
    /// Elements that one has in flight.
    pub(super) items: u32,
    /// Elements that one keeps at most.
    pub(super) kept: u32,
    /// Whether hardly anything else needs registers.
    pub(super) simple: bool,
}

/// Writes all phases.
pub(super) fn write(
    code: &mut Code<'_>,
    phases: &[Phase],
    states: &[Option<State>],
    splits: bool,
    ragged: bool,
) -> Threads {
    let mut items = 1;
    let several = phases
        .iter()
        .filter(|phase| !matches!(phase, Phase::Uniform(_)))
        .count()
        > 1;
    let mut folded = false;
    let mut keeping = match splits {
        true => Keeping::none(phases.len()),
        false => Keeping::find(code, phases),
    };
    for (position, (phase, state)) in phases.iter().zip(states).enumerate() {
        keeping.open(code, phases, position);
        let first = keeping.of(position);
        match phase {
            Phase::Uniform(body) if position + 1 == phases.len() => {
                // Nothing needs it but its stores.
                let who = if folded || !splits {
                    "team.leader()"
                } else {
                    "team.first()"
                };
                code.open(format!("if ({who}) {{"));
                code.list(body);
                code.close("}");
            }
            Phase::Uniform(body) => {
                code.storing = Some(
                    if folded || !splits {
                        "team.leader()"
                    } else {
                        "team.first()"
                    }
                    .to_owned(),
                );
                code.list(body);
                code.storing = None;
            }
            Phase::Each {
                extents,
                vars,
                body,
            } => items = items.max(write_each(code, extents, vars, body, first)),
            Phase::Fold {
                extents,
                vars,
                body,
                folds,
            } => {
                let state = state.as_ref().expect("a fold has a state");
                if ragged {
                    let length = code.domain_size(extents, "length");
                    code.line(format!("if (skips(team, {length})) return;"));
                }
                items = items.max(write_fold(
                    code, extents, vars, body, folds, state, several, splits, first,
                ));
                folded = true;
            }
            Phase::Scan {
                extents,
                vars,
                body,
                folds,
                prefixes,
                each,
                after,
            } => {
                let state = state.as_ref().expect("a scan has a state");
                let scan = Scan {
                    extents,
                    vars,
                    body,
                    folds,
                    prefixes,
                    each,
                    after,
                };
                scans::write(code, &scan, state, splits);
                folded = true;
            }
        }
    }
    Threads {
        items,
        kept: keeping.points(),
        simple: !keeping.beside && phases.iter().all(is_simple),
    }
}

/// Whether a phase does little at each point, and combines little.
fn is_simple(phase: &Phase) -> bool {
    match phase {
        Phase::Uniform(_) => true,
        Phase::Fold { body, folds, .. } => {
            let results = folds.iter().map(|fold| fold.results.len());
            body.len() <= SIMPLE && results.sum::<usize>() <= 2
        }
        Phase::Each { body, .. } => body.len() <= SIMPLE,
        Phase::Scan { .. } => false,
    }
}

fn write_each(
    code: &mut Code<'_>,
    extents: &[Value],
    vars: &[Value],
    body: &[Statement],
    first: Option<FirstPoints<'_>>,
) -> u32 {
    code.open("{");
    if let Some(first) = &first {
        let before = code.streamed.clone();
        code.open("{");
        let (streams, body) = first.streams(code, extents, vars);
        write_elements(code, extents, vars, &body, &streams, Some(first));
        code.close("}");
        code.streamed = before;
    }
    let streams = match &first {
        Some(first) => {
            code.open(format!("if (!{}) {{", first.whole()));
            first.rest(code, body, extents, vars)
        }
        None => Streams::find(code, body, extents, vars, Starts::Known),
    };
    write_elements(code, extents, vars, body, &streams, None);
    if first.is_some() {
        code.close("}");
    }
    code.close("}");
    (streams.width * streams.unroll) as u32
}

fn write_elements(
    code: &mut Code<'_>,
    extents: &[Value],
    vars: &[Value],
    body: &[Statement],
    streams: &Streams,
    first: Option<&FirstPoints<'_>>,
) {
    let index = code.domain_index(extents, vars);
    let size = code.domain_size(extents, "size");
    let mut parameters = streams.parameters();
    if let Some(first) = first {
        parameters += &first.parameters(code);
    }
    code.open(format!(
        "const auto element = [&](const {} {}{parameters}) {{",
        index.repr, index.name
    ));
    code.point(&index, extents, vars);
    code.list(body);
    code.close("};");
    code.kept.clear();
    streams.run(code, &walk(&index, &size), &|i, _, arguments| {
        format!("element({i}{arguments});")
    });
}

/// Along a domain in strides of the team.
fn walk<'a>(index: &'a Flat, size: &'a str) -> Walk<'a> {
    Walk {
        i: &index.name,
        repr: index.repr,
        size,
        first: "team.rank()",
        step: "team.size()",
    }
}

#[expect(
    clippy::too_many_arguments,
    reason = "the parts of a phase, taken apart by the caller's match"
)]
fn write_fold(
    code: &mut Code<'_>,
    extents: &[Value],
    vars: &[Value],
    body: &[Statement],
    folds: &[Fold],
    state: &State,
    several: bool,
    splits: bool,
    first: Option<FirstPoints<'_>>,
) -> u32 {
    let results: Vec<Value> = folds
        .iter()
        .flat_map(|fold| fold.results.iter().copied())
        .collect();
    let known = folds.iter().all(|fold| fold.known.is_some());
    let initial = folds
        .iter()
        .any(|fold| fold.initial.is_some() && !(known && fold::starts_neutral(code, fold)));
    if several {
        // The phase's own names end with its block; the results outlive it.
        for result in &results {
            let leaf = code.leaf(*result).name();
            let name = code.name(*result);
            code.line(format!("{leaf} {name};"));
        }
        code.open("{");
    }
    let direct = !several && !initial && state.fields.is_none();
    let total = if direct {
        code.name(results[0])
    } else {
        "total".to_owned()
    };
    write_combine(code, folds, state);
    let (size, items) = if known {
        write_unordered(code, extents, vars, body, folds, state, &total, first)
    } else {
        write_ordered(code, extents, vars, body, folds, state, &total)
    };
    if splits {
        code.line("if (!team.finishes()) return;");
    }
    if !direct {
        for (at, fold) in folds.iter().enumerate() {
            let empty = Empty { known, size: &size };
            write_results(code, fold, state, at, &empty, several);
        }
    }
    if several {
        code.close("}");
    }
    items
}

/// Known operators: partial results by stride, from the identity.
#[expect(
    clippy::too_many_arguments,
    reason = "the parts of a phase, taken apart by the caller's match"
)]
fn write_unordered(
    code: &mut Code<'_>,
    extents: &[Value],
    vars: &[Value],
    body: &[Statement],
    folds: &[Fold],
    state: &State,
    total: &str,
    first: Option<FirstPoints<'_>>,
) -> (String, u32) {
    let of_first = first.map(|first| {
        let before = code.streamed.clone();
        let (streams, body) = first.streams(code, extents, vars);
        let index = code.domain_index(extents, vars);
        let mut parameters = streams.parameters();
        parameters += &first.parameters(code);
        let point = (extents, vars, &body[..]);
        write_step(code, "keep", &index, &parameters, point, folds, state);
        code.kept.clear();
        code.streamed = before;
        (streams, index)
    });
    let streams = match first {
        Some(first) => first.rest(code, body, extents, vars),
        None => Streams::find(code, body, extents, vars, Starts::Known),
    };
    // No access takes neighbours, but several are in flight.
    let ahead = match first {
        None if streams.is_empty() => Ahead::find(code, body, vars, None),
        _ => None,
    };
    let index = code.domain_index(extents, vars);
    let size = code.domain_size(extents, "size");
    let name = &state.name;
    let point = (extents, vars, body);
    let mut parameters = streams.parameters();
    parameters.extend(ahead.as_ref().map(Ahead::parameters));
    write_step(code, "step", &index, &parameters, point, folds, state);
    write_identity(code, folds, state);
    let width = streams.width;
    if width == 1 {
        code.line(format!("{name} {total} = identity;"));
    } else {
        let all = vec!["identity"; width].join(", ");
        code.line(format!("{name} parts[{width}] = {{{all}}};"));
    }
    let call = |step: &str, i: &str, at: &str, arguments: &str| {
        let part = if width == 1 {
            total.to_owned()
        } else {
            format!("parts[{at}]")
        };
        format!("{step}({part}, {i}{arguments});")
    };
    if let Some((streams, index)) = of_first {
        streams.run(code, &walk(&index, &size), &|i, at, arguments| {
            call("keep", i, at, arguments)
        });
    }
    if let Some(first) = &first {
        code.open(format!("if (!{}) {{", first.whole()));
    }
    match &ahead {
        Some(ahead) => ahead.run(code, &index, &size, (extents, vars), &|i, arguments| {
            call("step", i, "0", arguments)
        }),
        None => streams.run(code, &walk(&index, &size), &|i, at, arguments| {
            call("step", i, at, arguments)
        }),
    }
    if first.is_some() {
        code.close("}");
    }
    if width > 1 {
        code.line(format!("{name} {total} = parts[0];"));
        code.pragma("#pragma unroll");
        code.line(format!(
            "for (u32 at = 1; at < {width}; ++at) {total} = combine({total}, parts[at]);"
        ));
    }
    write_team(code, total);
    let items = match &ahead {
        Some(ahead) => ahead.points(),
        None => width * streams.unroll,
    };
    (size, items as u32)
}

/// The code of a point as a function of this name, which combines its elements into a part.
fn write_step(
    code: &mut Code<'_>,
    step: &str,
    index: &Flat,
    parameters: &str,
    (extents, vars, body): (&[Value], &[Value], &[Statement]),
    folds: &[Fold],
    state: &State,
) {
    code.open(format!(
        "const auto {step} = [&]({}& part, const {} {}{parameters}) {{",
        state.name, index.repr, index.name
    ));
    code.point(index, extents, vars);
    code.list(body);
    accumulate(code, folds, state, "part");
    code.close("};");
}

/// Any associative operator.
fn write_ordered(
    code: &mut Code<'_>,
    extents: &[Value],
    vars: &[Value],
    body: &[Statement],
    folds: &[Fold],
    state: &State,
    total: &str,
) -> (String, u32) {
    let size = code.domain_size(extents, "size");
    let index = write_element(code, extents, vars, body, folds, state);
    let name = &state.name;
    code.line(format!(
        "const {name} {total} = fold_in_order<{}>(team, {size}, element, combine);",
        index.repr
    ));
    (size, 4)
}
