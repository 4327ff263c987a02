//! Recomputation of common subexpressions of arrays over one domain, as the components of an array of elements have them.
//!
//! In: an array, the others over its domain, and the reads of all. Out: whether inlining them would recompute what they have in
//! common, since they are read at different indices. Reads at one index share it.

use crate::fuse::Tiling;
use crate::fuse::analysis::estimate::{self, Binder, LOAD, OPS_PER_BYTE};
use crate::fuse::inline::frequency::demand;
use crate::ir::{Id, IdSet, Node, Program, QuickMap, Type, Var, walk};
use crate::sorted::{SortedMap, SortedSet};

/// Weight of an element that is loaded or stored, in operations, where work is bounded and time is not.
const ELEMENT: f64 = 8.0;
/// How many times the work of storing arrays that of inlining them may be.
const MOST_WORK: f64 = 3.0;

/// The reads of all arrays.
type Readers = SortedMap<Id, SortedSet<Id>>;
/// Where an array is read, and how often for each of its elements.
type Places = SortedMap<Vec<Id>, f64>;

/// Arrays that are read, by their domains and the variables around them.
pub(super) struct Recomputation {
    by_domain: SortedMap<(Vec<Id>, SortedSet<Var>), Vec<Id>>,
    /// The arrays to store, memoised by domain.
    stored: SortedSet<Id>,
    canonical: Option<Canonical>,
}

impl Recomputation {
    pub(super) fn new(program: &Program, readers: &Readers) -> Self {
        let mut by_domain: SortedMap<_, Vec<Id>> = SortedMap::new();
        for &id in readers.keys() {
            if let Node::Generate { extents, .. } = program.node(id) {
                let domain = (extents.clone(), program.free(id).clone());
                by_domain.entry(domain).or_default().push(id);
            }
        }
        Self {
            by_domain,
            stored: SortedSet::new(),
            canonical: None,
        }
    }

    /// Whether recomputing what an array has in common with others costs more than storing them.
    pub(super) fn costs_more(
        &mut self,
        program: &Program,
        binders: &QuickMap<Var, Binder>,
        (readers, tiling): (&Readers, Tiling),
        id: Id,
    ) -> bool {
        let domain = (program.extents(id).to_vec(), program.free(id).clone());
        let Some(mut arrays) = self.by_domain.remove(&domain) else {
            return self.stored.contains(&id);
        };
        // Cheap elements need no copy of the program.
        arrays.retain(|&array| match program.node(array) {
            Node::Generate { vars, element, .. } => {
                let around = program.free(array).iter().chain(vars).copied().collect();
                let around = (program.free(array), &around);
                work_of(program, binders, around, [*element]) > MOST_WORK * ELEMENT
            }
            _ => false,
        });
        let arrays = independent(program, &arrays);
        let Some(&first) = arrays.first().filter(|_| arrays.len() > 1) else {
            return false;
        };
        let size = program.ids().len();
        let canonical = match &mut self.canonical {
            Some(canonical) if canonical.size == size => canonical,
            stale => stale.insert(Canonical::new(program)),
        };
        let vars = program.node(first).bound();
        let runs = program.free(first).iter().chain(&vars);
        let size = estimate::runs(runs, binders);
        let places = arrays.iter().map(|&array| {
            let mut places = Places::new();
            for &read in readers.get(&array).into_iter().flatten() {
                let runs: f64 = demand(program, binders, &[read], tiling).values().sum();
                let times = places.entry(canonical.place(binders, read)).or_default();
                *times = times.max((runs / size).min(1.0));
            }
            (array, places)
        });
        let places: SortedMap<Id, Places> = places.collect();
        let mut all = places.values().flat_map(Places::keys);
        let one = all.next();
        if all.all(|place| Some(place) == one) {
            return false;
        }
        for (common, sharing) in canonical.common(binders, first, &arrays) {
            let of_all = || sharing.iter().map(|array| &places[array]);
            let times: SortedMap<_, &f64> = of_all().flatten().collect();
            let times: f64 = times.into_values().sum();
            let reads: f64 = of_all().flat_map(Places::values).sum();
            let bytes = |&array: &Id| match program.ty(array) {
                Type::Array(leaf, _) => leaf.bytes() as f64,
                Type::Scalar(_) | Type::Bundle(_) => 0.0,
            };
            let bytes: f64 = sharing.iter().map(bytes).sum();
            let moved = sharing.len() as f64 + reads;
            let inline = times * common;
            if inline > common + reads * LOAD + 2.0 * bytes * OPS_PER_BYTE
                || inline > MOST_WORK * (common + moved * ELEMENT)
            {
                self.stored.extend(sharing);
            }
        }
        self.stored.contains(&id)
    }
}

/// Those that depend on none of the others: what one kernel computes shares its common subexpressions.
fn independent(program: &Program, arrays: &[Id]) -> Vec<Id> {
    let Some(&first) = arrays.first() else {
        return Vec::new();
    };
    let (own, mut above): (IdSet, IdSet) = (arrays.iter().copied().collect(), IdSet::default());
    for id in walk::reachable_after(program, arrays.iter().copied(), first) {
        program.node(id).operands(|operand| {
            if own.contains(operand) || above.contains(operand) {
                above.insert(id);
            }
        });
    }
    let independent = arrays.iter().filter(|&&array| !above.contains(array));
    independent.copied().collect()
}

/// What these and what they are made of cost, each once, where they depend on these variables.
fn work_of(
    program: &Program,
    binders: &QuickMap<Var, Binder>,
    (outer, around): (&SortedSet<Var>, &SortedSet<Var>),
    nodes: impl IntoIterator<Item = Id>,
) -> f64 {
    let inside = nodes
        .into_iter()
        .flat_map(|node| walk::inside(program, node));
    let inside: SortedSet<Id> = inside.collect();
    let own = |id: Id| {
        let inner = program.free(id).difference(around);
        estimate::own(program, id) * estimate::runs(inner, binders)
    };
    let depends = |id: &Id| !program.free(*id).is_subset(outer);
    inside.into_iter().filter(depends).map(own).sum()
}

/// A copy of a program, for expressions in canonical variables: equal ones are one node.
struct Canonical {
    program: Program,
    /// Of so many nodes.
    size: usize,
    /// The canonical indices of each domain.
    axes: QuickMap<Vec<Id>, Vec<Id>>,
}

impl Canonical {
    fn new(program: &Program) -> Self {
        Self {
            program: program.clone(),
            size: program.ids().len(),
            axes: QuickMap::default(),
        }
    }

    /// The indices of a read, equal for those that one kernel executes at the same element.
    fn place(&mut self, binders: &QuickMap<Var, Binder>, read: Id) -> Vec<Id> {
        let Node::Index { indices, .. } = self.program.node(read).clone() else {
            return Vec::new();
        };
        let mut map = QuickMap::default();
        let free = |&index: &Id| self.program.free(index).clone();
        let free: SortedSet<Var> = indices.iter().flat_map(free).collect();
        for var in free {
            let Some(binder) = binders.get(&var) else {
                continue;
            };
            let Node::Generate { extents, vars, .. } = self.program.node(binder.node).clone()
            else {
                continue;
            };
            let own = vars
                .iter()
                .map(|&var| self.program.add(Node::Variable(var)));
            let own: Vec<Id> = own.collect();
            let axes = self.axes.entry(extents).or_insert(own);
            if let Some(at) = vars.iter().position(|&other| other == var) {
                map.insert(var, axes[at]);
            }
        }
        self.program.substitute_all(&indices, &map)
    }

    /// The element of an array at these indices.
    fn element(&mut self, array: Id, own: &[Id]) -> Id {
        let Node::Generate { vars, element, .. } = self.program.node(array).clone() else {
            unreachable!("a generate");
        };
        let map = vars.into_iter().zip(own.iter().copied()).collect();
        self.program.substitute(element, &map)
    }

    /// The work that arrays have in common, with all that have part of it.
    fn common(
        &mut self,
        binders: &QuickMap<Var, Binder>,
        first: Id,
        arrays: &[Id],
    ) -> Vec<(f64, SortedSet<Id>)> {
        let vars = self.program.node(first).bound();
        let own: Vec<Id> = (vars.iter())
            .map(|&var| self.program.add(Node::Variable(var)))
            .collect();
        let elements = arrays
            .iter()
            .map(|&array| (array, self.element(array, &own)));
        let elements: Vec<(Id, Id)> = elements.collect();
        let program = &self.program;
        let outer = program.free(first);
        let around = outer.iter().chain(&vars).copied().collect();
        // By whom a node is computed, if by several.
        let mut computed: QuickMap<Id, Vec<Id>> = QuickMap::default();
        for &(array, element) in &elements {
            for node in walk::inside(program, element) {
                computed.entry(node).or_default().push(array);
            }
        }
        let mut found: Vec<(Vec<Id>, SortedSet<Id>)> = Vec::new();
        let mut seen = IdSet::default();
        let mut open: Vec<Id> = elements.iter().map(|&(_, element)| element).collect();
        while let Some(node) = open.pop() {
            if program.free(node).is_subset(outer) || !seen.insert(node) {
                continue;
            }
            let with = &computed[&node];
            if with.len() < 2 {
                walk::evaluated(program.node(node), |operand| {
                    if computed.contains_key(&operand) {
                        open.push(operand);
                    }
                });
            } else if work_of(program, binders, (outer, &around), [node]) > LOAD {
                // All that share some of it are judged together.
                let (mut nodes, mut sharing) = (vec![node], with.iter().copied().collect());
                found.retain_mut(|(others, with)| {
                    let apart = with.is_disjoint(&sharing);
                    if !apart {
                        nodes.append(others);
                        sharing.append(with);
                    }
                    apart
                });
                found.push((nodes, sharing));
            }
        }
        let work = |nodes| work_of(program, binders, (outer, &around), nodes);
        let found = found.into_iter();
        found
            .map(|(nodes, sharing)| (work(nodes), sharing))
            .collect()
    }
}
