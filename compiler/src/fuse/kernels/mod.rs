//! Kernels: a group of results becomes a skeleton with a body.
//!
//! In: arrays or scalars that were chosen to be computed together. Out: a `Kernel`, and the buffers and host values
//! that its launch passes.

pub(in crate::fuse) mod compactions;
pub(in crate::fuse) mod scans;
pub(in crate::fuse) mod scatters;
pub(in crate::fuse) mod short_rows;
pub(in crate::fuse) mod sorts;
pub(in crate::fuse) mod split_arrays;
pub(in crate::fuse) mod split_domain;
pub(in crate::fuse) mod staged;
pub(in crate::fuse) mod tiles;
pub(in crate::fuse) mod windows;

use crate::fuse::Options;
use crate::fuse::analysis::estimate;
use crate::fuse::analysis::reads;
use crate::fuse::body::collapse::{self, Domain};
use crate::fuse::body::sources::Sources;
use crate::fuse::body::{Body, Kind};
use crate::ir::walk;
use crate::ir::{Id, Node, Program, Var};
use crate::pass::index::Index;
use crate::plan::{BufferId, Kernel, MOST_LEAVES, Phase, Points, Skeleton, Statement, Value};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A kernel and what its launch passes: buffers, and scalars as expressions for the host.
pub(in crate::fuse) struct Built {
    pub(in crate::fuse) kernel: Kernel,
    pub(in crate::fuse) buffers: Vec<BufferId>,
    pub(in crate::fuse) scalars: Vec<Id>,
    /// What was decided about it, where that is worth telling.
    pub(in crate::fuse) note: Option<String>,
}

/// An array to store: its elements over `vars`.
#[derive(Clone)]
pub(in crate::fuse) struct Store {
    pub(in crate::fuse) buffer: BufferId,
    /// Indices, flat.
    pub(in crate::fuse) index: Id,
    pub(in crate::fuse) element: Id,
}

impl<'a> Body<'a> {
    pub(in crate::fuse) fn new(
        program: &'a mut Program,
        sources: &'a mut Sources,
        options: &Options,
    ) -> Body<'a> {
        Body {
            program,
            sources,
            types: Vec::new(),
            names: Vec::new(),
            buffers: Vec::new(),
            buffer_ids: Vec::new(),
            scalars: Vec::new(),
            rooms: None,
            on_host: false,
            wanted: HashMap::new(),
            hoist: options.hoist,
            collapse: options.collapse,
            split: options.split,
            tiling: options.tiles,
            branches: RefCell::default(),
            folding: Vec::new(),
            scopes: Vec::new(),
        }
    }

    /// An extent of the kernel's domain: always passed by the launch.
    pub(in crate::fuse) fn extent(&mut self, id: Id) -> Value {
        if let Some((value, _)) = self.scalars.iter().find(|(_, other)| *other == id) {
            return *value;
        }
        let value = self.fresh(self.program.leaf(id));
        self.scalars.push((value, id));
        self.define(0, id, value);
        value
    }

    /// Joins axes of a domain whose stores allow it.
    fn collapse(&mut self, domain: &mut Domain, stores: &mut [Store]) {
        if !self.collapse {
            return;
        }
        let (mut values, mut places): (Vec<Id>, Vec<Id>) = stores
            .iter()
            .map(|store| (store.element, store.index))
            .unzip();
        collapse::collapse(self.program, self.sources, domain, &mut values, &mut places);
        for ((store, value), place) in stores.iter_mut().zip(values).zip(places) {
            (store.element, store.index) = (value, place);
        }
    }

    pub(in crate::fuse) fn extents(&mut self, ids: &[Id]) -> Vec<Value> {
        ids.iter().map(|&id| self.extent(id)).collect()
    }

    /// Extents of a part of a row: passed by the launch where the host knows them, else computed for the row.
    fn own_extents(&mut self, ids: &[Id]) -> Vec<Value> {
        let one = |&id: &Id| match ragged(self.program, self.sources, id) {
            true => self.value(id),
            false => self.extent(id),
        };
        ids.iter().map(one).collect()
    }

    /// Opens the scope of a whole domain; what the kernel is passed already is known there.
    fn open_root(&mut self, roots: &[Id]) {
        self.open(Kind::Root, Vec::new(), roots);
        for (value, id) in self.scalars.clone() {
            self.define(0, id, value);
        }
    }

    /// In parts, where parts of what it stores come from one producer each.
    fn divided(&mut self, whole: Each) -> Vec<Each> {
        let mut parts = match self.split {
            true => split_domain::divide(self.program, self.sources, whole),
            false => vec![whole],
        };
        for part in &mut parts {
            self.collapse(&mut part.domain, &mut part.stores);
        }
        parts
    }

    pub(in crate::fuse) fn store(&mut self, store: &Store) {
        let value = self.value(store.element);
        let index = self.value(store.index);
        let buffer = self.access(store.buffer, true);
        let at = self.scopes.len() - 1;
        self.push(
            at,
            Statement::Store {
                buffer,
                index,
                value,
            },
        );
    }

    /// The reductions of a row, stage by stage, each after the scalar code that it needs.
    pub(in crate::fuse) fn stages(&mut self, stages: Vec<Vec<Id>>, phases: &mut Vec<Phase>) {
        for group in stages {
            let (extents, vars, code, folds) = self.folds(&group, 0, Body::own_extents);
            flush(self, phases);
            phases.push(Phase::Fold {
                extents,
                vars,
                body: code,
                folds,
            });
        }
    }

    pub(in crate::fuse) fn finish(
        self,
        name: String,
        summary: String,
        skeleton: Skeleton,
    ) -> Built {
        let (values, scalars) = self.scalars.into_iter().unzip();
        Built {
            kernel: Kernel {
                name,
                summary,
                types: self.types,
                names: self.names,
                buffers: self.buffers,
                scalars: values,
                skeleton,
            },
            buffers: self.buffer_ids,
            scalars,
            note: None,
        }
    }
}

/// One point after another: `effects` are evaluated for their failures.
pub(in crate::fuse) fn elementwise(
    mut body: Body,
    name: String,
    domain: Domain,
    stores: Vec<Store>,
    effects: &[Id],
) -> Built {
    let summary = summary(&body, "elementwise", &stores);
    let mut whole = Each { domain, stores };
    let parts = match effects {
        [] => body.divided(whole),
        _ => {
            body.collapse(&mut whole.domain, &mut whole.stores);
            vec![whole]
        }
    };
    let roots = |part: &Each| -> Vec<Id> {
        part.part()
            .1
            .into_iter()
            .chain(effects.iter().copied())
            .collect()
    };
    body.want(&parts.iter().flat_map(roots).collect::<Vec<Id>>());
    let point = |part: &Each| {
        body.open_root(&roots(part));
        let extents = body.extents(&part.domain.extents);
        let vars = part.domain.vars.iter().map(|&var| body.bind(var)).collect();
        for &effect in effects {
            body.value(effect);
        }
        for store in &part.stores {
            body.store(store);
        }
        let body = body.close();
        Points {
            extents,
            vars,
            body,
            windows: None,
        }
    };
    let mut points: Vec<Points> = parts.iter().map(point).collect();
    let note = match &mut points[..] {
        [whole] if effects.is_empty() => windows::find(&mut body, whole),
        _ => None,
    };
    let note = note.map(|note| format!("no tiles for `{name}`: {note}"));
    let skeleton = Skeleton::Elementwise(points);
    let built = body.finish(name, summary, skeleton);
    Built { note, ..built }
}

/// A domain, and what is stored at its points: all of a kernel, or once per element of a row.
#[derive(Clone)]
pub(in crate::fuse) struct Each {
    pub(in crate::fuse) domain: Domain,
    pub(in crate::fuse) stores: Vec<Store>,
}

/// The extents of a part of a row, and what is computed at its points.
pub(in crate::fuse) type Part = (Vec<Id>, Vec<Id>);

impl Each {
    fn part(&self) -> Part {
        let stores = self.stores.iter();
        let roots = stores.flat_map(|store| [store.element, store.index]);
        (self.domain.extents.clone(), roots.collect())
    }
}

/// Rows worked on together: reductions of a whole row first, in as few rounds as their needs allow, then what is
/// stored once per row, then the elements of the row.
pub(in crate::fuse) fn rowwise(
    mut body: Body,
    name: String,
    extents: &[Id],
    vars: &[Var],
    stores: &[Store],
    each: Vec<Each>,
) -> Built {
    let each: Vec<Each> = (each.into_iter())
        .flat_map(|whole| body.divided(whole))
        .collect();
    let mut roots: Vec<Id> = stores
        .iter()
        .flat_map(|store| [store.element, store.index])
        .collect();
    let each_stores = || each.iter().flat_map(|each| &each.stores);
    roots.extend(each_stores().flat_map(|store| [store.element, store.index]));
    body.want(&roots);
    // A row may have no elements: what only they need is not certain to run.
    let certain: Vec<Id> = stores
        .iter()
        .chain(
            each.iter()
                .filter(|each| has_elements(&body, &each.domain.extents))
                .flat_map(|each| &each.stores),
        )
        .flat_map(|store| [store.element, store.index])
        .collect();
    let parts: Vec<Part> = each.iter().map(Each::part).collect();
    let stages = stages(&mut body, &certain, &parts, vars);
    body.open(Kind::Root, Vec::new(), &certain);
    let all: Vec<&Store> = stores.iter().chain(each_stores()).collect();
    let summary = summary(&body, "row-wise", all);
    let extents = body.extents(extents);
    let var_values: Vec<Value> = vars.iter().map(|&var| body.bind(var)).collect();
    let mut phases = Vec::new();
    body.stages(stages, &mut phases);
    for store in stores {
        body.store(store);
    }
    flush(&mut body, &mut phases);
    for part in &each {
        let extents = body.extents(&part.domain.extents);
        let roots: Vec<Id> = part
            .stores
            .iter()
            .flat_map(|store| [store.element, store.index])
            .collect();
        body.open(Kind::Domain, extents.clone(), &roots);
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
    let skeleton = Skeleton::Rowwise {
        extents,
        vars: var_values,
        phases,
        tiles,
    };
    body.finish(name, summary, skeleton)
}

/// Whether the elements of a row are sure to exist.
pub(in crate::fuse) fn has_elements(body: &Body, extents: &[Id]) -> bool {
    let some = |id: &Id| match body.program.node(*id) {
        Node::Constant(scalar) => scalar.bits != 0,
        _ => false,
    };
    extents.iter().all(some)
}

pub(in crate::fuse) fn flush(body: &mut Body, phases: &mut Vec<Phase>) {
    let statements = body.take(0);
    if !statements.is_empty() {
        phases.push(Phase::Uniform(statements));
    }
}

/// The reductions of a row, in rounds: those of a round have one domain and wait only for earlier rounds.
pub(in crate::fuse) fn stages(
    body: &mut Body,
    certain: &[Id],
    parts: &[Part],
    vars: &[Var],
) -> Vec<Vec<Id>> {
    let mut index = std::mem::take(&mut body.sources.index);
    let program = &*body.program;
    let vars: BTreeSet<Var> = vars.iter().copied().collect();
    let outside = |id| body.sources.is_outside(program, id);
    let mut found: BTreeSet<Id> = row_reductions(program, &mut index, certain, outside)
        .into_iter()
        .collect();
    for (own, roots) in parts {
        // One that can fail, or reads where nothing may be, must be empty where the row is.
        let empty_too = |id: Id| match program.node(id) {
            Node::Reduce { extents, .. } => own.iter().all(|own| extents.contains(own)),
            _ => false,
        };
        let more = row_reductions(program, &mut index, roots, outside);
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
    let mut levels: BTreeMap<Id, usize> = BTreeMap::new();
    for &id in &found {
        let needs = levels
            .iter()
            .filter(|(other, _)| walk::reaches(program, id, **other))
            .map(|(_, level)| level + 1)
            .max();
        levels.insert(id, needs.unwrap_or(0));
    }
    let mut stages: BTreeMap<(usize, Vec<Id>), Vec<Id>> = BTreeMap::new();
    for (id, level) in levels {
        if let Node::Reduce { extents, .. } = program.node(id) {
            stages.entry((level, extents.clone())).or_default().push(id);
        }
    }
    let split = |group: Vec<Id>| split(program, group);
    stages.into_values().flat_map(split).collect()
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

/// Reductions that stand in the roots: not inside branches or loops if they can fail or read what only the branch's
/// condition keeps in bounds, nor inside others of which they need the variables.
pub(in crate::fuse) fn row_reductions(
    program: &Program,
    index: &mut Index,
    roots: &[Id],
    outside: impl Fn(Id) -> bool,
) -> Vec<Id> {
    let mut found = BTreeSet::new();
    let mut anywhere =
        |id| !walk::fallible(program, id) && reads::is_speculatable(program, index, id);
    let mut seen: BTreeSet<(Id, bool)> = BTreeSet::new();
    let mut open: Vec<(Id, bool)> = roots.iter().map(|&id| (id, true)).collect();
    while let Some((id, certain)) = open.pop() {
        if outside(id) || !seen.insert((id, certain)) {
            continue;
        }
        match program.node(id) {
            Node::Index { indices, .. } => open.extend(indices.iter().map(|&id| (id, certain))),
            Node::Guard {
                condition,
                values,
                value,
                ..
            } => {
                open.push((*condition, certain));
                open.extend(values.iter().map(|&id| (id, certain)));
                open.push((*value, false));
            }
            Node::If {
                condition,
                then,
                otherwise,
            } => {
                open.push((*condition, certain));
                open.extend(then.iter().chain(otherwise).map(|&id| (id, false)));
            }
            Node::Loop {
                initial,
                condition,
                next,
                ..
            } => {
                open.extend(initial.iter().map(|&id| (id, certain)));
                open.extend([*condition].iter().chain(next).map(|&id| (id, false)));
            }
            node => {
                if matches!(node, Node::Reduce { .. }) && (certain || anywhere(id)) {
                    found.insert(id);
                }
                let within = certain && !matches!(node, Node::Reduce { .. });
                node.operands(|operand| open.push((operand, within)));
            }
        }
    }
    found.into_iter().collect()
}

pub(in crate::fuse) fn summary<'s>(
    body: &Body,
    kind: &str,
    stores: impl IntoIterator<Item = &'s Store>,
) -> String {
    let names: Vec<String> = stores
        .into_iter()
        .map(|store| body.sources.buffer(store.buffer).0)
        .collect();
    match names.is_empty() {
        true => format!("{kind}: checks only"),
        false => format!("{kind}: {}", names.join(", ")),
    }
}
