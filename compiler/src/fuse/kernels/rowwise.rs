//! Row-wise kernels: reductions of rows, what is stored once per row, and what is stored once per element of it.

use crate::fuse::analysis::bounds::anticipated;
use crate::fuse::analysis::{estimate, reads};
use crate::fuse::body::control::known_operator;
use crate::fuse::body::sources::Sources;
use crate::fuse::body::stores::{Each, Part, Store};
use crate::fuse::body::{Body, Kind};
use crate::fuse::demand::conditions::implied;
use crate::fuse::kernels::{Built, flush, has_elements, products, summary, tiles};
use crate::ir::{Id, IdSet, Node, Program, Var, walk};
use crate::pass::index::Index;
use crate::plan::{MOST_LEAVES, Phase, Skeleton, Value};
use crate::scalar::{Binary, Unary};
use crate::sorted::{SortedMap, SortedSet};

/// Rows worked on together: reductions of a whole row first, in as few rounds as their needs allow, then what is
/// stored once per row, then the elements of the row; those of the domain of reductions where these go by.
pub(in crate::fuse) fn rowwise(
    mut body: Body,
    name: String,
    extents: &[Id],
    vars: &[Var],
    stores: &[Store],
    each: Vec<Each>,
) -> Built {
    let all: Vec<&Store> = (stores.iter())
        .chain(each.iter().flat_map(|each| &each.stores))
        .collect();
    let summary = summary(&body, "row-wise", all);
    let certain = certain(&body, stores, &each);
    let parts: Vec<Part> = each.iter().map(Each::part).collect();
    let stages = stages(&mut body, &certain, &parts, vars);
    let (stages, rest) = join_folds(body.program, body.sources, stages, each);
    let mut each: Vec<(Vec<Id>, Each)> = Vec::new();
    for whole in rest {
        let extents = whole.domain.extents.clone();
        let parts = body.divided(whole).into_iter();
        each.extend(parts.map(|part| (extents.clone(), part)));
    }
    let mut roots: Vec<Id> = stores.iter().flat_map(Store::roots).collect();
    roots.extend(each.iter().flat_map(|(_, part)| part.roots()));
    body.want(&roots);
    body.open(Kind::Root, Vec::new(), &certain);
    let extents = body.extents(extents);
    let var_values: Vec<Value> = vars.iter().map(|&var| body.bind(var)).collect();
    let mut phases = Vec::new();
    body.stages(stages, &mut phases);
    for store in stores {
        body.store(store);
    }
    for (whole, part) in &each {
        body.before(whole, &part.roots());
    }
    flush(&mut body, &mut phases);
    for (_, part) in &each {
        let extents = body.extents(&part.domain.extents);
        body.open(Kind::Domain, extents.clone(), &part.roots());
        let vars = part.domain.vars.iter().map(|&var| body.bind(var)).collect();
        for store in &part.stores {
            body.store(store);
        }
        let code = body.close();
        flush(&mut body, &mut phases);
        phases.push(Phase::Each {
            extents,
            vars,
            body: code,
        });
    }
    let tiles = tiles::find(&body, &extents, &var_values, &phases).map(Box::new);
    let products = products::find(&body, &extents, &var_values, &phases).map(Box::new);
    let skeleton = Skeleton::Rowwise {
        extents,
        vars: var_values,
        phases,
        tiles,
        products,
    };
    body.finish(name, summary, skeleton)
}

/// What is evaluated in any case. A row may have no elements: what only they need is not.
fn certain(body: &Body, stores: &[Store], each: &[Each]) -> Vec<Id> {
    let some = each
        .iter()
        .filter(|each| has_elements(body, &each.domain.extents));
    let each = some.flat_map(|each| &each.stores);
    stores.iter().chain(each).flat_map(Store::roots).collect()
}

/// Reductions of one domain, and what is stored at its points.
pub(in crate::fuse) struct FoldStage {
    reductions: Vec<Id>,
    each: Option<Each>,
}

/// The elements of a row are stored by the first reductions over their domain that come after all that they wait for. What is left
/// has phases of its own.
fn join_folds(
    program: &Program,
    sources: &Sources,
    mut stages: Vec<FoldStage>,
    each: Vec<Each>,
) -> (Vec<FoldStage>, Vec<Each>) {
    let mut rest = Vec::new();
    for part in each {
        let needed: SortedSet<Id> = walk::reachable(program, part.roots()).into_iter().collect();
        let waits = |stage: &FoldStage| stage.reductions.iter().any(|id| needed.contains(id));
        let from = stages.iter().rposition(waits).map_or(0, |at| at + 1);
        let goes_by = |stage: &&mut FoldStage| {
            let mut all = stage.reductions.iter().copied();
            stage.each.is_none()
                && all.all(|id| goes_through(program, sources, id, &part.domain.extents))
        };
        match stages[from..].iter_mut().find(goes_by) {
            Some(stage) => stage.each = Some(part),
            None => rest.push(part),
        }
    }
    (stages, rest)
}

impl Body<'_> {
    /// Extents of a part of a row: passed by the launch where the host knows them, else computed for the row.
    fn own_extents(&mut self, ids: &[Id]) -> Vec<Value> {
        let one = |&id: &Id| match ragged(self.program, self.sources, id) {
            true => self.value(id),
            false => self.extent(id),
        };
        ids.iter().map(one).collect()
    }

    /// The reductions of a row, stage by stage, each after the scalar code that it needs.
    pub(in crate::fuse) fn stages(&mut self, stages: Vec<FoldStage>, phases: &mut Vec<Phase>) {
        for FoldStage { reductions, each } in stages {
            let (extents, vars, code, folds) = self.folds(&reductions, each, 0, Body::own_extents);
            flush(self, phases);
            phases.push(Phase::Fold {
                extents,
                vars,
                body: code,
                folds,
            });
        }
    }
}

/// Whether a reduction goes through this domain with coalesced accesses.
fn goes_through(program: &Program, sources: &Sources, id: Id, domain: &[Id]) -> bool {
    let same = match program.node(id) {
        Node::Reduce { extents, .. } => sources.canonical(extents) == sources.canonical(domain),
        _ => false,
    };
    same && is_coalesced(program, id)
}

/// Whether neighbouring threads of a reduction take neighbouring points: its operators are known, and its operands in no order.
pub(in crate::fuse) fn is_coalesced(program: &Program, id: Id) -> bool {
    match program.node(id) {
        Node::Reduce {
            left,
            right,
            combined,
            ..
        } => known_operator(program, left, right, combined).is_some(),
        _ => false,
    }
}

/// The reductions of a row, in rounds: those of a round have one domain and wait only for earlier rounds.
pub(in crate::fuse) fn stages(
    body: &mut Body,
    certain: &[Id],
    parts: &[Part],
    vars: &[Var],
) -> Vec<FoldStage> {
    let mut index = std::mem::take(&mut body.sources.index);
    let program = &*body.program;
    let vars: SortedSet<Var> = vars.iter().copied().collect();
    let mut found: SortedSet<Id> = row_reductions(program, body.sources, &mut index, certain)
        .into_iter()
        .collect();
    for (own, roots) in parts {
        // One that can fail, or reads where nothing may be, must be empty where the row is.
        let empty_too = |id: Id| match program.node(id) {
            Node::Reduce { extents, .. } => own.iter().all(|own| extents.contains(own)),
            _ => false,
        };
        let more = row_reductions(program, body.sources, &mut index, roots);
        found.extend(more.into_iter().filter(|&id| {
            let harmless = !walk::fallible(program, id);
            empty_too(id) || (harmless && reads::is_speculatable(program, &mut index, id))
        }));
    }
    found.retain(|&id| {
        let free = program.free(id);
        free.iter()
            .all(|var| vars.contains(var) || body.sources.is_state(*var))
            && shared(program, body.sources, id, !parts.is_empty())
    });
    body.sources.index = index;
    // Ids grow from operands to users, so levels are final when they are demanded.
    let mut levels: SortedMap<Id, usize> = SortedMap::new();
    for &id in &found {
        let needs = levels
            .iter()
            .filter(|(other, _)| walk::reaches(program, id, **other))
            .map(|(_, level)| level + 1)
            .max();
        levels.insert(id, needs.unwrap_or(0));
    }
    let mut stages: SortedMap<(usize, Vec<Id>), Vec<Id>> = SortedMap::new();
    for (id, level) in levels {
        if let Node::Reduce { extents, .. } = program.node(id) {
            stages.entry((level, extents.clone())).or_default().push(id);
        }
    }
    let parts = (stages.into_values()).flat_map(|group| split(program, group));
    let stage = |reductions| FoldStage {
        reductions,
        each: None,
    };
    parts.map(stage).collect()
}

/// Reductions of one domain in as many phases as their states take.
fn split(program: &Program, group: Vec<Id>) -> Vec<Vec<Id>> {
    let mut parts: Vec<Vec<Id>> = Vec::new();
    let mut room = 0;
    for id in group {
        let leaves = match program.node(id) {
            Node::Reduce { elements, .. } => elements.len(),
            _ => 0,
        };
        match parts.last_mut() {
            Some(part) if leaves <= room => part.push(id),
            _ => {
                parts.push(vec![id]);
                room = MOST_LEAVES;
            }
        }
        room = room.saturating_sub(leaves);
    }
    parts
}

/// Whether an extent is found in memory by each row, or before all of them: a count.
fn ragged(program: &Program, sources: &Sources, extent: Id) -> bool {
    let found = |id| matches!(program.node(id), Node::Index { .. } | Node::Reduce { .. });
    !sources.passable(program, extent) && walk::inside(program, extent).any(found)
}

/// Whether a reduction is worth the work of several threads, and its length known before the launch or to each row. One of few
/// elements is so where others would repeat it: as those of its row.
pub(in crate::fuse) fn shared(
    program: &Program,
    sources: &Sources,
    id: Id,
    repeated: bool,
) -> bool {
    let Node::Reduce { extents, .. } = program.node(id) else {
        return false;
    };
    let constant = |id: &Id| matches!(program.node(*id), Node::Constant(_));
    extents.iter().all(|&extent| {
        sources.passable(program, extent) || constant(&extent) || ragged(program, sources, extent)
    }) && (!estimate::is_few(program, extents) || repeated && estimate::is_dear_fold(program, id))
}

/// What an element of an array is certain to compute and its row should compute once, if it is the row's.
pub(in crate::fuse) fn row_scalars(program: &Program, extents: &[Id], element: Id) -> Vec<Id> {
    let mut all: Vec<Id> = anticipated(program, [element]).into_iter().collect();
    all.retain(|&id| {
        let value = implied(program, extents, id).unwrap_or(id);
        estimate::is_of_rows(program, value)
    });
    all
}

/// Where a reduction stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// It is evaluated in any case.
    Certain,
    /// It is evaluated if this extent is not zero, and in no other branch.
    WithElements(Id),
    /// In a branch, a loop or another reduction.
    Inside,
}

/// Reductions that stand in the roots: not inside branches or loops if they can fail or read what only the branch's
/// condition keeps in bounds, nor inside others of which they need the variables. One that is in a branch because its row may have
/// no elements does nothing where it has none.
pub(in crate::fuse) fn row_reductions(
    program: &Program,
    sources: &Sources,
    index: &mut Index,
    roots: &[Id],
) -> Vec<Id> {
    let mut found = SortedSet::new();
    // What the launch passes, an extent for one, has not failed.
    let outside = |id| sources.is_outside(program, id);
    let mut anywhere = |id| {
        !walk::fallible_but(program, id, outside) && reads::is_speculatable(program, index, id)
    };
    let mut seen: SortedSet<(Id, Place)> = SortedSet::new();
    let mut open: Vec<(Id, Place)> = roots.iter().map(|&id| (id, Place::Certain)).collect();
    while let Some((id, place)) = open.pop() {
        if sources.is_outside(program, id) || !seen.insert((id, place)) {
            continue;
        }
        // What holds on a side of a branch.
        let side = |condition: Id, holds: bool| match (place, not_zero(program, condition, holds)) {
            (Place::Certain, Some(extent)) => Place::WithElements(extent),
            (Place::WithElements(known), Some(extent)) if known == extent => place,
            _ => Place::Inside,
        };
        match program.node(id) {
            Node::Index { indices, .. } => open.extend(indices.iter().map(|&id| (id, place))),
            Node::Guard {
                condition,
                values,
                value,
                ..
            } => {
                open.push((*condition, place));
                open.extend(values.iter().map(|&id| (id, place)));
                open.push((*value, side(*condition, true)));
            }
            Node::If {
                condition,
                then,
                otherwise,
            } => {
                open.push((*condition, place));
                for k in sources.wanted(id, then.len()) {
                    open.push((then[k as usize], side(*condition, true)));
                    open.push((otherwise[k as usize], side(*condition, false)));
                }
            }
            Node::Loop {
                initial,
                condition,
                next,
                ..
            } => {
                open.push((*condition, place));
                for k in sources.wanted(id, next.len()) {
                    open.push((initial[k as usize], place));
                    open.push((next[k as usize], Place::Inside));
                }
            }
            node => {
                let mut within = place;
                if let Node::Reduce {
                    extents, initial, ..
                } = node
                {
                    // What a row begins with is evaluated without elements, too.
                    let mut initial = initial.iter().flatten();
                    let evaluated = match place {
                        Place::Certain => true,
                        Place::WithElements(extent) => {
                            extents.contains(&extent)
                                && initial
                                    .all(|&id| !walk::fallible(program, id) && !program.reads(id))
                        }
                        Place::Inside => false,
                    };
                    if evaluated || anywhere(id) {
                        found.insert(id);
                    }
                    within = Place::Inside;
                }
                node.operands(|operand| open.push((operand, within)));
            }
        }
    }
    // What an effect needs, and nothing else here, is left out with it.
    let needed = needed(program, sources, roots);
    found
        .into_iter()
        .filter(|&id| needed.contains(id))
        .collect()
}

/// The extent that is not zero where a condition holds, or where it does not.
fn not_zero(program: &Program, condition: Id, holds: bool) -> Option<Id> {
    let is = |id: Id, bits: u64| matches!(program.node(id), Node::Constant(number) if number.bits == bits);
    match *program.node(condition) {
        Node::Unary(Unary::Not, condition) => not_zero(program, condition, !holds),
        Node::Binary(Binary::Lt, zero, extent) if holds && is(zero, 0) => Some(extent),
        Node::Binary(Binary::Le, one, extent) if holds && is(one, 1) => Some(extent),
        Node::Binary(Binary::Le, extent, zero) if !holds && is(zero, 0) => Some(extent),
        Node::Binary(Binary::Ne, a, b) if holds => match (is(a, 0), is(b, 0)) {
            (true, _) => Some(b),
            (_, true) => Some(a),
            _ => None,
        },
        Node::Binary(Binary::Eq, a, b) if !holds => match (is(a, 0), is(b, 0)) {
            (true, _) => Some(b),
            (_, true) => Some(a),
            _ => None,
        },
        _ => None,
    }
}

/// What is computed here for these roots, without what may be left out.
fn needed(program: &Program, sources: &Sources, roots: &[Id]) -> IdSet {
    let (mut needed, mut open) = (IdSet::default(), roots.to_vec());
    while let Some(id) = open.pop() {
        if sources.is_outside(program, id) || !needed.insert(id) {
            continue;
        }
        match program.node(id) {
            Node::Index { indices, .. } => open.extend(indices),
            node => walk::evaluated(node, |operand| open.push(operand)),
        }
    }
    needed
}
