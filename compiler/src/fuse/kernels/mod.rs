//! Kernels: a group of results becomes a skeleton with a body.
//!
//! In: arrays or scalars that were chosen to be computed together. Out: a `Kernel`, and the buffers and host values
//! that its launch passes.

pub(in crate::fuse) mod compactions;
mod predicate;
mod products;
pub(in crate::fuse) mod rowwise;
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
use crate::fuse::body::collapse::Domain;
use crate::fuse::body::sources::Sources;
use crate::fuse::body::stores::{Each, Store};
use crate::fuse::body::values::Values;
use crate::fuse::body::{Body, Kind};
use crate::ir::{Id, Node, Program, QuickMap};
use crate::plan::{BufferId, Kernel, Phase, Points, Skeleton, Value};
use std::cell::RefCell;

/// A kernel and what its launch passes: buffers, and scalars as expressions for the host.
pub(in crate::fuse) struct Built {
    pub(in crate::fuse) kernel: Kernel,
    pub(in crate::fuse) buffers: Vec<BufferId>,
    pub(in crate::fuse) scalars: Vec<Id>,
    /// What was decided about it, where that is worth telling.
    pub(in crate::fuse) note: Option<String>,
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
            values: Values::default(),
            buffers: Vec::new(),
            buffer_ids: Vec::new(),
            scalars: Vec::new(),
            rooms: None,
            on_host: false,
            wanted: QuickMap::default(),
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

    pub(in crate::fuse) fn extents(&mut self, ids: &[Id]) -> Vec<Value> {
        ids.iter().map(|&id| self.extent(id)).collect()
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
            self.collapse(part);
        }
        parts
    }

    pub(in crate::fuse) fn finish(
        self,
        name: String,
        summary: String,
        skeleton: Skeleton,
    ) -> Built {
        let (passed, scalars) = self.scalars.into_iter().unzip();
        Built {
            kernel: Kernel {
                name,
                summary,
                types: self.values.types,
                names: self.values.names,
                places: self.values.places,
                buffers: self.buffers,
                scalars: passed,
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
            body.collapse(&mut whole);
            vec![whole]
        }
    };
    let roots = |part: &Each| -> Vec<Id> {
        let effects = effects.iter().copied();
        part.roots().into_iter().chain(effects).collect()
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
        let statements = body.close();
        Points {
            extents,
            vars,
            body: statements,
            windows: None,
        }
    };
    let mut points: Vec<Points> = parts.iter().map(point).collect();
    for points in &mut points {
        let scalars = body.scalars.iter().map(|(value, _)| *value);
        predicate::run(&mut body.values, scalars, &mut points.body);
    }
    let note = match &mut points[..] {
        [whole] if effects.is_empty() => windows::find(&mut body, whole),
        _ => None,
    };
    let note = note.map(|note| format!("no tiles for `{name}`: {note}"));
    let skeleton = Skeleton::Elementwise(points);
    let built = body.finish(name, summary, skeleton);
    Built { note, ..built }
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
