//! Kernels of scans: the epilogues of scans of one shape become a row-wise kernel with a scan phase.
//!
//! In: arrays and scalars that are epilogues (see `scans::epilogue`). Out: their kernel. Reads of the scans have become variables,
//! bound per element, or for totals once per row.

use crate::fuse::analysis::domains::parts;
use crate::fuse::body::stores::Store;
use crate::fuse::body::{Body, Kind};
use crate::fuse::item::Item;
use crate::fuse::kernels::compactions::{self, Keep};
use crate::fuse::kernels::{self, Built, rowwise};
use crate::fuse::planner::Planner;
use crate::fuse::scans::epilogue::{self, Direction, Epilogue, ScanPoint};
use crate::ir::{Id, Node, Program, QuickMap, Type, Var};
use crate::plan::{Fold, Phase, Prefix, Skeleton, Statement, Value};
use crate::scalar::{Binary, Leaf};
use crate::sorted::Entry;
use crate::sorted::SortedMap;

/// A scan over the kernel's variables.
struct Running {
    elements: Vec<Id>,
    left: Vec<Var>,
    right: Vec<Var>,
    combined: Vec<Id>,
    /// What stands for its components, by moment; for those that anybody reads.
    read: SortedMap<(ScanPoint, u32), Var>,
}

/// Scans by their bundles; those of compactions by what they count.
type Scans = SortedMap<Id, Running>;

/// A reduction of what scans give at the points of their axis.
struct Gathered {
    elements: Vec<Id>,
    left: Vec<Var>,
    right: Vec<Var>,
    combined: Vec<Id>,
    initial: Option<Vec<Id>>,
    /// What stands for its components that anybody reads.
    read: SortedMap<u32, Var>,
}

/// What a kernel of scans stores.
#[derive(Default)]
struct Stores {
    /// At each point.
    each: Vec<Store>,
    /// At the points where a condition holds, or does not.
    kept: Vec<Kept>,
    /// Once per row.
    after: Vec<Store>,
    /// What is reduced for that, by its bundles.
    gathered: SortedMap<Id, Gathered>,
}

impl Planner<'_> {
    /// The kernel of the epilogues of scans over `extents`.
    pub(in crate::fuse) fn scans(
        &mut self,
        items: &[Item],
        extents: &[Id],
        steps: &mut Vec<crate::plan::Step>,
    ) -> Built {
        let rank = extents.len() - 1;
        let like = items.iter().find_map(|item| match item {
            Item::Array(id) => Some(parts(&self.program, *id).0),
            _ => None,
        });
        let (vars, reads) = self.domain(extents, &like.unwrap_or_default());
        let mut scans = Scans::new();
        let mut stores = Stores::default();
        let mut slots = Vec::new();
        for &item in items {
            let (id, epilogue) = match item {
                Item::Compact(id) => {
                    let keep = self.keep(id, &reads, steps);
                    let point = [reads[rank], extents[rank]];
                    self.keeps(&keep, point, &mut scans, &mut stores);
                    continue;
                }
                Item::Array(id) => {
                    let (own, element) = parts(&self.program, id);
                    let here = self.program.extents(id).to_vec();
                    (
                        id,
                        epilogue::epilogue_of(&self.program, &own, &here, element),
                    )
                }
                Item::Scalar(id) => (id, epilogue::epilogue_of(&self.program, &[], &[], id)),
                other => unreachable!("no rider: {other:?}"),
            };
            let Some(Epilogue { along, .. }) = epilogue else {
                unreachable!("no rider: {item:?}");
            };
            let mut at = reads.clone();
            match along {
                Direction::Forwards => {}
                Direction::Backwards => {
                    at[rank] = mirrored(&mut self.program, extents[rank], reads[rank]);
                }
                Direction::Totals => at.truncate(rank),
            }
            let (element, index) = match item {
                Item::Array(_) => self.element(id, &at),
                _ => (id, self.program.usize(0)),
            };
            let mut rider = Rider {
                program: &mut self.program,
                at: reads[rank],
                extent: extents[rank],
                along,
                scans: &mut scans,
                gathered: &mut stores.gathered,
                done: QuickMap::default(),
            };
            let element = rider.rewrite(element);
            let buffer = self.allocate(id, steps);
            slots.push((id, buffer));
            let store = Store {
                buffer,
                index,
                element,
            };
            match along {
                Direction::Totals => stores.after.push(store),
                _ => stores.each.push(store),
            }
        }
        for (&bundle, running) in &mut scans {
            running.fill(&mut self.program, bundle, &reads);
        }
        let name = self.unique_kernel("scan");
        let body = Body::new(&mut self.program, &mut self.sources, self.options);
        let built = build(body, name, extents, &vars, scans, &stores);
        self.sources.slots.extend(slots);
        built
    }

    /// The scan of a compaction's condition, and what is stored because of it; `at` is the point, of `extent`.
    fn keeps(
        &mut self,
        keep: &Keep,
        [at, extent]: [Id; 2],
        scans: &mut Scans,
        stores: &mut Stores,
    ) {
        let there = stores.kept.iter().position(|kept| {
            kept.condition == keep.condition
                || compactions::opposite(&self.program, kept.condition, keep.condition)
        });
        let there = there.unwrap_or_else(|| {
            stores.kept.push(Kept {
                condition: keep.condition,
                counted: keep.one,
                then: Vec::new(),
                otherwise: Vec::new(),
            });
            stores.kept.len() - 1
        });
        let kept = &mut stores.kept[there];
        let running = match scans.entry(kept.counted) {
            Entry::Occupied(running) => running,
            Entry::Vacant(none) => {
                let ([left, right], combined) = self.counting();
                none.insert(Running {
                    elements: vec![kept.counted],
                    left: vec![left],
                    right: vec![right],
                    combined: vec![combined],
                    read: SortedMap::new(),
                })
            }
        };
        let mut variable = |program: &mut Program, moment: ScanPoint| {
            let fresh = || program.var(Type::Scalar(Leaf::U64));
            let var = *running.read.entry((moment, 0)).or_insert_with(fresh);
            program.add(Node::Variable(var))
        };
        let through = variable(&mut self.program, ScanPoint::Through);
        let total = keep
            .count
            .map(|_| variable(&mut self.program, ScanPoint::Total));
        let first = kept.condition == keep.condition;
        // As many as were kept, without this one; or the others.
        let (index, total) = match first {
            true => {
                let one = self.program.usize(1);
                (self.program.binary(Binary::Sub, through, one), total)
            }
            false => {
                let rest = |total| self.program.binary(Binary::Sub, extent, total);
                let total = total.map(rest);
                (self.program.binary(Binary::Sub, at, through), total)
            }
        };
        let elements = keep.elements.iter().map(|&(element, buffer)| Store {
            buffer,
            index,
            element,
        });
        match first {
            true => kept.then.extend(elements),
            false => kept.otherwise.extend(elements),
        }
        if let (Some(buffer), Some(element)) = (keep.count, total) {
            let index = self.program.usize(0);
            stores.after.push(Store {
                buffer,
                index,
                element,
            });
        }
    }
}

/// An index counted from the end of an axis.
fn mirrored(program: &mut Program, extent: Id, index: Id) -> Id {
    let one = program.usize(1);
    let last = program.binary(Binary::Sub, extent, one);
    program.binary(Binary::Sub, last, index)
}

impl Running {
    fn fill(&mut self, program: &mut Program, bundle: Id, reads: &[Id]) {
        if let Node::Scan {
            vars,
            elements,
            left,
            right,
            combined,
            ..
        } = program.node(bundle).clone()
        {
            let map = vars.into_iter().zip(reads.iter().copied()).collect();
            self.elements = program.substitute_all(&elements, &map);
            (self.left, self.right, self.combined) = (left, right, combined);
        }
    }
}

/// What is stored because of a condition, which is scanned as a number.
struct Kept {
    condition: Id,
    counted: Id,
    then: Vec<Store>,
    otherwise: Vec<Store>,
}

/// Replaces reads of scans by variables.
struct Rider<'a> {
    program: &'a mut Program,
    /// Where the scan is along the axis ...
    at: Id,
    /// ... of this extent.
    extent: Id,
    along: Direction,
    scans: &'a mut Scans,
    gathered: &'a mut SortedMap<Id, Gathered>,
    done: QuickMap<Id, Id>,
}

impl Rider<'_> {
    fn rewrite(&mut self, id: Id) -> Id {
        if let Some(&to) = self.done.get(&id) {
            return to;
        }
        let to = match self.variable(id).or_else(|| self.reduced(id)) {
            Some(var) => self.program.add(Node::Variable(var)),
            None => {
                let mut node = self.program.node(id).clone();
                match &mut node {
                    Node::Materialize(_) | Node::Generate { .. } | Node::Scan { .. } => {}
                    Node::Index { indices, .. } => {
                        for index in indices {
                            *index = self.rewrite(*index);
                        }
                    }
                    _ => node.map_operands(|operand| self.rewrite(operand)),
                }
                self.program.add(node)
            }
        };
        self.program.keep_labels(id, to);
        self.done.insert(id, to);
        to
    }

    /// What stands for a reduction of what the scan gives.
    fn reduced(&mut self, id: Id) -> Option<Var> {
        let Node::Project(bundle, k) = *self.program.node(id) else {
            return None;
        };
        let along = epilogue::gathers(self.program, bundle, self.extent)?;
        let leaf = self.program.leaf(id);
        if !self.gathered.contains_key(&bundle) {
            let gathered = self.gather(bundle, along);
            self.gathered.insert(bundle, gathered);
        }
        let fresh = || self.program.var(Type::Scalar(leaf));
        let read = &mut self.gathered.get_mut(&bundle)?.read;
        Some(*read.entry(k).or_insert_with(fresh))
    }

    /// A reduction whose elements are made where the scan is.
    fn gather(&mut self, bundle: Id, along: Direction) -> Gathered {
        let Node::Reduce {
            vars,
            elements,
            left,
            right,
            combined,
            initial,
            ..
        } = self.program.node(bundle).clone()
        else {
            unreachable!("no reduction: {:?}", self.program.node(bundle));
        };
        let at = match along {
            Direction::Backwards => mirrored(self.program, self.extent, self.at),
            _ => self.at,
        };
        let map = QuickMap::from_iter([(vars[0], at)]);
        let elements = self.program.substitute_all(&elements, &map);
        let mut rider = Rider {
            program: &mut *self.program,
            at: self.at,
            extent: self.extent,
            along,
            scans: &mut *self.scans,
            gathered: &mut *self.gathered,
            done: QuickMap::default(),
        };
        Gathered {
            elements: elements.into_iter().map(|id| rider.rewrite(id)).collect(),
            left,
            right,
            combined,
            initial,
            read: SortedMap::new(),
        }
    }

    /// What stands for a read of a scan.
    fn variable(&mut self, id: Id) -> Option<Var> {
        let (bundle, k, indices) = epilogue::read(self.program, id)?;
        let index = *indices.last()?;
        let at = (self.along != Direction::Totals).then_some(self.at);
        let Some(moment) = epilogue::moment(self.program, index, at, self.extent) else {
            unreachable!("a read elsewhere: {:?}", self.program.node(id));
        };
        let running = self.scans.entry(bundle).or_insert_with(|| Running {
            elements: Vec::new(),
            left: Vec::new(),
            right: Vec::new(),
            combined: Vec::new(),
            read: SortedMap::new(),
        });
        let leaf = self.program.leaf(id);
        let fresh = || self.program.var(Type::Scalar(leaf));
        Some(*running.read.entry((moment, k)).or_insert_with(fresh))
    }
}

/// Rows, each with reductions that its elements share, the scans with what is stored at each point, and what is stored
/// once per row.
fn build(
    mut body: Body,
    name: String,
    extents: &[Id],
    vars: &[Var],
    scans: Scans,
    stores: &Stores,
) -> Built {
    let Stores {
        each,
        kept,
        after,
        gathered,
    } = stores;
    let rank = extents.len() - 1;
    let roots = |stores: &[Store]| -> Vec<Id> {
        let stores = stores.iter();
        stores
            .flat_map(|store| [store.element, store.index])
            .collect()
    };
    let operands: Vec<Id> = scans
        .values()
        .flat_map(|scan| scan.elements.clone())
        .collect();
    let mut points = [&operands[..], &roots(each)].concat();
    points.extend(kept.iter().map(|kept| kept.condition));
    let reduced: Vec<Id> = (gathered.values())
        .flat_map(|gathered| gathered.elements.clone())
        .collect();
    points.extend(&reduced);
    let initial: Vec<Id> = (gathered.values())
        .filter_map(|gathered| gathered.initial.clone())
        .flatten()
        .collect();
    let sides = || {
        kept.iter()
            .flat_map(|kept| kept.then.iter().chain(&kept.otherwise))
    };
    let inside: Vec<Id> = sides()
        .flat_map(|store| [store.element, store.index])
        .collect();
    let axis = vec![extents[rank]];
    body.want(&points);
    body.want(&inside);
    body.want(&roots(after));
    body.want(&initial);
    for scan in scans.values() {
        body.want(&scan.combined);
    }
    for gathered in gathered.values() {
        body.want(&gathered.combined);
    }
    let mut certain = [roots(after), initial].concat();
    if kernels::has_elements(&body, &axis) {
        certain.extend(&points);
    }
    let stages = rowwise::stages(
        &mut body,
        &certain,
        &[(axis, points.clone())],
        &vars[..rank],
    );
    body.open(Kind::Root, Vec::new(), &certain);
    let summary = kernels::summary(&body, "scan", each.iter().chain(sides()).chain(after));
    let rows = body.extents(&extents[..rank]);
    let row_vars = vars[..rank].iter().map(|&var| body.bind(var)).collect();
    let mut phases = Vec::new();
    body.stages(stages, &mut phases);
    let extent = body.extent(extents[rank]);
    let mut reductions: Vec<Fold> = (gathered.values())
        .map(|gathered| body.gathered(gathered))
        .collect();
    body.open(Kind::Domain, vec![extent], &operands);
    let var = body.bind(vars[rank]);
    let operands: Vec<Vec<Value>> = scans
        .values()
        .map(|scan| body.values(&scan.elements))
        .collect();
    let code = body.close();
    let mut folds: Vec<Fold> = Vec::new();
    for (scan, elements) in scans.values().zip(operands) {
        folds.push(Fold {
            elements,
            ..body.operator(&scan.left, &scan.right, &scan.combined)
        });
    }
    let conditions: Vec<Id> = kept.iter().map(|kept| kept.condition).collect();
    body.open(
        Kind::Domain,
        vec![extent],
        &[&roots(each)[..], &conditions, &reduced].concat(),
    );
    body.bind_to(vars[rank], var);
    let prefixes = scans
        .values()
        .map(|scan| Prefix {
            through: body.moment(scan, ScanPoint::Through),
            before: match scan
                .read
                .keys()
                .any(|(moment, _)| *moment == ScanPoint::Before)
            {
                true => body.moment(scan, ScanPoint::Before),
                false => Vec::new(),
            },
        })
        .collect();
    for store in each {
        body.store(store);
    }
    for kept in kept {
        body.stores_of(kept);
    }
    for (gathered, fold) in gathered.values().zip(&mut reductions) {
        fold.elements = body.values(&gathered.elements);
    }
    let code = (code, body.close());
    kernels::flush(&mut body, &mut phases);
    for (scan, fold) in scans.values().zip(&mut folds) {
        fold.results = body.moment(scan, ScanPoint::Total);
    }
    for (gathered, fold) in gathered.values().zip(&mut reductions) {
        fold.results = body.components(&gathered.elements, |k| gathered.read.get(&k));
    }
    phases.push(Phase::Scan {
        extents: vec![extent],
        vars: vec![var],
        body: code.0,
        folds,
        prefixes,
        each: code.1,
        after: reductions,
    });
    for store in after {
        body.store(store);
    }
    kernels::flush(&mut body, &mut phases);
    let skeleton = Skeleton::Rowwise {
        extents: rows,
        vars: row_vars,
        phases,
        tiles: None,
        products: None,
    };
    body.finish(name, summary, skeleton)
}

impl Body<'_> {
    /// Stores where a condition holds, or does not; only there their elements are evaluated.
    fn stores_of(&mut self, kept: &Kept) {
        let condition = self.value(kept.condition);
        let [then, otherwise] = [&kept.then, &kept.otherwise].map(|stores| {
            let roots = stores.iter().flat_map(|store| [store.element, store.index]);
            self.open(Kind::Branch, Vec::new(), &roots.collect::<Vec<_>>());
            stores.iter().for_each(|store| self.store(store));
            self.close()
        });
        let at = self.scopes.len() - 1;
        self.push(
            at,
            Statement::If {
                condition,
                then,
                otherwise,
                results: Vec::new(),
            },
        );
    }

    /// A reduction's operator and initial value.
    fn gathered(&mut self, gathered: &Gathered) -> Fold {
        let initial = gathered.initial.as_ref();
        Fold {
            initial: initial.map(|initial| self.values(initial)),
            ..self.operator(&gathered.left, &gathered.right, &gathered.combined)
        }
    }

    /// Values for all components of a scan at a moment, bound in the innermost scope.
    fn moment(&mut self, scan: &Running, moment: ScanPoint) -> Vec<Value> {
        self.components(&scan.elements, |k| scan.read.get(&(moment, k)))
    }

    /// The same for those of anything, by what stands for them.
    fn components<'v>(
        &mut self,
        elements: &[Id],
        read: impl Fn(u32) -> Option<&'v Var>,
    ) -> Vec<Value> {
        let component = |(k, &element): (usize, &Id)| match read(k as u32) {
            Some(&var) => self.bind(var),
            None => {
                let leaf = self.program.leaf(element);
                self.fresh(leaf)
            }
        };
        elements.iter().enumerate().map(component).collect()
    }
}
