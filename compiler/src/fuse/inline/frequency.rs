//! How often reads are executed, and what an element costs that is computed for each of them.
//!
//! In: reads of an array. Out: numbers, from the domains and loops around the reads. What depends on an inner axis of a domain
//! alone runs for each index of the outer ones, too; what depends on leading axes is shared by the elements of a row.

use crate::fuse::Tiling;
use crate::fuse::analysis::control;
use crate::fuse::analysis::estimate::{self, Binder, LOAD, OPS_PER_BYTE};
use crate::ir::walk;
use crate::ir::{Id, IdSet, Node, Program, QuickMap, Var};
use crate::sorted::{SortedMap, SortedSet};

/// Executed reads per kernel; a kernel is named by its outermost region.
pub(in crate::fuse) type Demand = SortedMap<Id, f64>;

/// How often these reads are executed.
pub(in crate::fuse) fn demand(
    program: &Program,
    binders: &QuickMap<Var, Binder>,
    reads: &[Id],
    tiling: Tiling,
) -> Demand {
    let mut demand = Demand::new();
    for &read in reads {
        let free = program.free(read);
        let regions = || {
            let nodes = free.iter().filter_map(|var| binders.get(var));
            nodes.map(|binder| binder.node)
        };
        let owner = regions().filter(|&node| !matches!(program.node(node), Node::Loop { .. }));
        let owner = owner.max();
        let inner = regions().filter(|&node| matches!(program.node(node), Node::Reduce { .. }));
        let around = around(program, binders, free);
        let shared = match inner.min() {
            Some(inner) if tiling != Tiling::Off => shared(program, binders, inner, free),
            _ => 1.0,
        };
        *demand.entry(owner.unwrap_or(read)).or_default() +=
            estimate::runs(&around, binders) / shared;
    }
    demand
}

/// Elements of a tile, along one axis, that share what depends on the other.
const SHARED: f64 = 64.0;

/// How many runs of a read in a contraction have its element from one: those along the axes that it does not depend on.
fn shared(
    program: &Program,
    binders: &QuickMap<Var, Binder>,
    contraction: Id,
    free: &SortedSet<Var>,
) -> f64 {
    let Node::Reduce { vars, .. } = program.node(contraction) else {
        return 1.0;
    };
    let axes: Vec<Var> = (program.free(contraction).iter().copied())
        .filter(|var| {
            binders
                .get(var)
                .is_some_and(|binder| binder.extent.is_some())
        })
        .collect();
    if axes.len() < 2 {
        return 1.0;
    }
    let (mut seen, mut open) = (IdSet::default(), Vec::new());
    program.node(contraction).operands(|part| open.push(part));
    while let Some(id) = open.pop() {
        let free = program.free(id);
        if !vars.iter().any(|var| free.contains(var)) || !seen.insert(id) {
            continue;
        }
        let node = program.node(id);
        if matches!(node, Node::Index { .. }) && axes.iter().all(|axis| free.contains(axis)) {
            return 1.0;
        }
        node.operands(|part| open.push(part));
    }
    let others = axes.iter().filter(|axis| !free.contains(axis));
    let along: f64 = others.map(|axis| binders[axis].count).product();
    along.clamp(1.0, SHARED)
}

/// The variables of an expression and those of all regions around it: a reduction that depends on its row runs for each
/// row, with all that is in it. What depends on an inner axis of a domain alone runs for each index of the outer ones.
fn around(
    program: &Program,
    binders: &QuickMap<Var, Binder>,
    free: &SortedSet<Var>,
) -> SortedSet<Var> {
    let (mut all, mut open) = (SortedSet::new(), Vec::from_iter(free.iter().copied()));
    while let Some(var) = open.pop() {
        if all.insert(var)
            && let Some(binder) = binders.get(&var)
        {
            open.extend(program.free(binder.node));
            open.extend(outer(program, binder.node, var));
        }
    }
    all
}

/// The variables of a domain before this one.
fn outer(program: &Program, node: Id, var: Var) -> &[Var] {
    match program.node(node) {
        Node::Generate { vars, .. }
        | Node::Reduce { vars, .. }
        | Node::Scan { vars, .. }
        | Node::Scatter { vars, .. }
        | Node::Compact { vars, .. }
        | Node::Sort { vars, .. } => {
            let at = vars.iter().position(|&other| other == var);
            &vars[..at.unwrap_or(0)]
        }
        _ => &[],
    }
}

/// The same, of reads that nothing takes out of the branches where they stand: no elements of a row share one.
pub(in crate::fuse) fn in_branches(
    program: &Program,
    binders: &QuickMap<Var, Binder>,
    demand: &mut Demand,
) {
    for (&owner, runs) in demand {
        let bound = program.node(owner).bound();
        *runs = runs.max(estimate::runs(
            program.free(owner).iter().chain(&bound),
            binders,
        ));
    }
}

/// Joins kernels that will be one: equal regions over equal extents, neither needing the other. What they have in
/// common is computed once.
pub(in crate::fuse) fn together(program: &Program, demand: &Demand) -> Demand {
    let mut joined: Demand = Demand::new();
    // A count comes with its compaction.
    let given = |owner: Id| {
        let mut owners = demand.keys();
        owners.any(|&other| control::counts(program, other, owner))
    };
    for (&owner, &runs) in demand.iter().filter(|&(&owner, _)| !given(owner)) {
        let with = joined.keys().copied().find(|&other| {
            same_domain(program, owner, other) && !walk::reaches(program, owner, other)
        });
        let total = joined.entry(with.unwrap_or(owner)).or_default();
        *total = total.max(runs);
    }
    joined
}

fn same_domain(program: &Program, a: Id, b: Id) -> bool {
    match (program.node(a), program.node(b)) {
        (Node::Generate { extents: x, .. }, Node::Generate { extents: y, .. })
        | (Node::Reduce { extents: x, .. }, Node::Reduce { extents: y, .. })
        | (Node::Scan { extents: x, .. }, Node::Scan { extents: y, .. })
        | (Node::Compact { extents: x, .. }, Node::Compact { extents: y, .. }) => x == y,
        _ => false,
    }
}

/// Where elements are computed, of which parts may depend on some of the indices only.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::fuse) enum Where {
    /// In a kernel of their own: a part is shared by all elements that have its indices.
    Stored,
    /// Where they are read: what depends on an inner index runs for each of the outer ones.
    Inlined,
    /// The same, of elements that share folds of their rows: also for each index of a domain around a reduction over rows.
    ByRows,
    /// Where they are read, in a branch: no part is shared.
    Branched,
}

/// The arrays that an element reads and that all of the kernels that it would be inlined into read besides.
pub(in crate::fuse) fn read_besides(
    program: &Program,
    binders: &QuickMap<Var, Binder>,
    readers: &SortedMap<Id, SortedSet<Id>>,
    (owners, element): (&Demand, Id),
    tiling: Tiling,
) -> SortedSet<Id> {
    let mut own: SortedMap<Id, SortedSet<Id>> = SortedMap::new();
    for id in walk::inside(program, element) {
        if let Node::Index { array, .. } = program.node(id) {
            own.entry(*array).or_default().insert(id);
        }
    }
    let besides = |(array, own): &(Id, SortedSet<Id>)| {
        let all = readers.get(array).filter(|all| all.len() <= MOST_READERS);
        let others: Vec<Id> = all.into_iter().flatten().copied().collect();
        let others: Vec<Id> = others.into_iter().filter(|id| !own.contains(id)).collect();
        let by = demand(program, binders, &others, tiling);
        // Kernels over one domain will be one.
        let reads = |&owner: &Id| {
            let mut by = by.keys();
            by.any(|&other| other == owner || same_domain(program, other, owner))
        };
        !owners.is_empty() && owners.keys().all(reads)
    };
    let found = own.into_iter().filter(besides);
    found.map(|(array, _)| array).collect()
}

/// Of arrays with more reads it is not asked who reads them besides.
const MOST_READERS: usize = 16;

/// Operations and input bytes per element, what is invariant counted by how often it runs. What a kernel reads `besides` costs a
/// load.
pub(in crate::fuse) fn element_cost(
    program: &Program,
    binders: &QuickMap<Var, Binder>,
    (vars, element): (&[Var], Id),
    size: f64,
    (place, besides): (Where, &SortedSet<Id>),
    readers: &SortedMap<Id, SortedSet<Id>>,
) -> (f64, f64) {
    let (mut work, mut bytes) = (0.0, 0.0);
    let mut arrays = SortedSet::new();
    // From the last to the first: whoever reads an array comes before the array.
    let mut open = SortedSet::from([element]);
    // Where some array on the way is read several times.
    let mut repeated = IdSet::default();
    let mut inlined = Inlined::default();
    let mut counted = 0;
    while let Some(id) = open.pop_last() {
        counted += 1;
        if counted > MOST_COUNTED {
            break;
        }
        if let Some((element, reads)) = inlined.element_of(program, id) {
            if reads.all > 1.0 && is_stored_rather(program, element, reads.all) {
                work += reads.all * LOAD;
                bytes += reads.most.min(UNSHARED) * program.leaf(element).bytes() as f64;
                continue;
            }
            open.insert(element);
            if repeated.contains(id) {
                repeated.insert(element);
            }
            continue;
        }
        let free = program.free(id);
        if free.is_empty() {
            continue;
        }
        let all = match place {
            Where::Stored => free.clone(),
            Where::Inlined | Where::ByRows => {
                let mut all = free.clone();
                for var in free {
                    let Some(binder) = binders.get(var) else {
                        continue;
                    };
                    all.extend(outer(program, binder.node, *var));
                    // The domain around a reduction, if the array has no row of its own there.
                    if place == Where::ByRows
                        && let Node::Reduce { .. } = program.node(binder.node)
                    {
                        let around = program.free(binder.node).iter();
                        let index =
                            |var: &&Var| binders.get(var).is_some_and(|by| by.extent.is_some());
                        all.extend(around.filter(index));
                    }
                }
                all
            }
            Where::Branched => free.iter().chain(vars).copied().collect(),
        };
        let places = inlined.places(free);
        let share = places * estimate::runs(&inlined.at_reads(&all), binders) / size;
        let mut operands = Vec::new();
        match program.node(id) {
            Node::Index { array, indices } => {
                operands.extend(indices);
                let reads = readers.get(array).map_or(0, SortedSet::len);
                let again = repeated.contains(id) || reads > 1;
                if besides.contains(array) {
                    work += share * LOAD;
                } else if let Node::Generate { vars, element, .. } = program.node(*array)
                    && !(again && is_fold(program, vars, *element))
                {
                    // Not decided yet: taken as inlined, but for folds that are read twice.
                    inlined.read(program, (*array, vars), indices, (places, share));
                    open.insert(*array);
                    if again {
                        repeated.insert(*array);
                    }
                } else {
                    work += share * LOAD;
                    if arrays.insert(*array) {
                        bytes += share.min(UNSHARED) * program.leaf(id).bytes() as f64;
                    }
                }
            }
            node => {
                work += share * estimate::own(program, id);
                node.operands(|operand| operands.push(operand));
            }
        }
        for operand in operands {
            open.insert(operand);
            if repeated.contains(id) {
                repeated.insert(operand);
            }
        }
    }
    (work, bytes)
}

/// Reads of an array.
#[derive(Clone, Copy, Default)]
struct Reads {
    /// In how many places, each counted as often as what it stands in.
    places: f64,
    /// How often they run for one of the elements.
    all: f64,
    /// How often one of them does.
    most: f64,
}

/// Arrays that are taken as inlined where an element reads them.
#[derive(Default)]
struct Inlined {
    reads: QuickMap<Id, Reads>,
    /// The array of each variable, and what the variable depends on there.
    given: QuickMap<Var, (Id, SortedSet<Var>)>,
}

impl Inlined {
    /// Adds a read, with in how many places it stands and how often it runs.
    fn read(
        &mut self,
        program: &Program,
        (array, vars): (Id, &[Var]),
        indices: &[Id],
        (places, share): (f64, f64),
    ) {
        let reads = self.reads.entry(array).or_default();
        reads.places += places;
        reads.all += share;
        reads.most = reads.most.max(share);
        for (&var, &index) in vars.iter().zip(indices) {
            if !self.given.contains_key(&var) {
                let of_index = self.at_reads(program.free(index));
                self.given.insert(var, (array, of_index));
            }
        }
    }

    /// The element of an array, if it is one of these, and its reads.
    fn element_of(&self, program: &Program, id: Id) -> Option<(Id, Reads)> {
        match program.node(id) {
            Node::Generate { element, .. } => Some((*element, *self.reads.get(&id)?)),
            _ => None,
        }
    }

    /// In how many places something stands that depends on these variables.
    fn places(&self, free: &SortedSet<Var>) -> f64 {
        let of = free.iter().filter_map(|var| self.given.get(var));
        let places = of.map(|(array, _)| self.reads[array].places);
        places.fold(1.0, f64::max)
    }

    /// The variables that something depends on, where the arrays are inlined.
    fn at_reads(&self, free: &SortedSet<Var>) -> SortedSet<Var> {
        let own = |var: &Var| match self.given.get(var) {
            Some((_, of_index)) => of_index.clone(),
            None => SortedSet::from([*var]),
        };
        free.iter().flat_map(own).collect()
    }
}

/// Whether each element is a fold of its own: more work than storing it.
fn is_fold(program: &Program, vars: &[Var], element: Id) -> bool {
    walk::inside(program, element).any(|id| match program.node(id) {
        Node::Reduce { extents, .. } => {
            let free = program.free(id);
            !vars.is_empty()
                && vars.iter().all(|var| free.contains(var))
                && !estimate::is_few(program, extents)
        }
        _ => false,
    })
}

/// Whether so many elements of an array that is not decided yet are more work than to store it and load them. The arrays that it reads
/// itself are taken as loaded.
fn is_stored_rather(program: &Program, element: Id, loads: f64) -> bool {
    let inside = walk::inside(program, element).take(MOST_COUNTED);
    let work: f64 = inside.map(|id| estimate::own(program, id)).sum();
    let bytes = 2.0 * program.leaf(element).bytes() as f64;
    loads * work > work + loads * LOAD + bytes * OPS_PER_BYTE
}

/// Of longer chains of arrays the first so many nodes are counted, which are enough to tell that it is much.
const MOST_COUNTED: usize = 384;

/// Reads of one array beyond this many per element are taken to hit a cache.
const UNSHARED: f64 = 1024.0;

/// Whether a mathematical function is called for an element.
pub(in crate::fuse) fn calls_functions(program: &Program, element: Id) -> bool {
    walk::inside(program, element).any(|id| estimate::is_function(program, id))
}
