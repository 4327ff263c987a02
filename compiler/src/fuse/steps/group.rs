//! Shapes of kernels: what may be computed by one launch.
//!
//! In: items of one shape. Out: their kernel, with common variables, so that equal work in them is one node.

use crate::fuse::analysis::domains::parts;
use crate::fuse::analysis::indices;
use crate::fuse::body::Body;
use crate::fuse::body::collapse::Domain;
use crate::fuse::body::sources::Sources;
use crate::fuse::body::stores::{Each, Store};
use crate::fuse::distribute::products;
use crate::fuse::item::Item;
use crate::fuse::kernels::{self, Built, rowwise};
use crate::fuse::planner::{Group, Planner, Shape};
use crate::fuse::scans::epilogue;
use crate::fuse::steps::needs::effect_parts;
use crate::ir::{Id, Node, Program, Var};
use crate::pass::index::Index;
use crate::plan::{BufferId, Step};
use crate::sorted::SortedSet;

/// The shape of an item's kernel.
fn shape(program: &Program, sources: &Sources, index: &mut Index, item: Item) -> Shape {
    match item {
        Item::Array(id) => {
            let extents = program.extents(id).to_vec();
            let (vars, element) = parts(program, id);
            if let Some(epilogue) = epilogue::epilogue_of(program, &vars, &extents, element) {
                return Shape::Scans(epilogue.extents);
            }
            match rows(program, sources, index, id) {
                Some(rank) if rank < vars.len() => Shape::Rows(extents[..rank].to_vec()),
                Some(_) => match products(program, &vars, element).last() {
                    Some(&(_, extent)) => Shape::Products(extents, extent),
                    None => Shape::Rows(extents),
                },
                None => Shape::Points(extents),
            }
        }
        Item::Fold(id) => match program.node(id) {
            Node::Reduce { extents, .. } => Shape::Whole(extents.clone()),
            other => unreachable!("no reduction: {other:?}"),
        },
        Item::Scalar(id) => match epilogue::epilogue_of(program, &[], &[], id) {
            Some(epilogue) => Shape::Scans(epilogue.extents),
            None => Shape::Points(Vec::new()),
        },
        Item::Effect(_) => Shape::Points(Vec::new()),
        Item::Scatter(id) => match program.node(id) {
            Node::Scatter { extents, .. } => Shape::Scatter(extents.clone()),
            other => unreachable!("no scatter: {other:?}"),
        },
        Item::Compact(id) => match program.node(id) {
            Node::Compact { extents, .. } => Shape::Scans(extents.clone()),
            other => unreachable!("no compaction: {other:?}"),
        },
        Item::Sort(id) => match program.node(id) {
            Node::Sort { extents, .. } => Shape::Sort(extents.clone()),
            other => unreachable!("no sort: {other:?}"),
        },
        Item::Read(_) | Item::Routine(_) | Item::Control(_) => Shape::Alone,
    }
}

/// How many leading axes of a stored array are the rows of a row-wise kernel, if that is what computes it.
fn rows(program: &Program, sources: &Sources, index: &mut Index, array: Id) -> Option<usize> {
    let (vars, element) = parts(program, array);
    let of_row = |depth| (1..vars.len()).contains(&depth);
    let found = rowwise::row_reductions(program, sources, index, &[element]);
    let depths = found
        .into_iter()
        .filter_map(|id| Some((id, prefix(program, sources, id, &vars)?)))
        .filter(|&(id, depth)| rowwise::shared(program, sources, id, of_row(depth)))
        .map(|(_, depth)| depth);
    let scalars = rowwise::row_scalars(program, program.extents(array), element).into_iter();
    let scalars = scalars.filter_map(|id| prefix(program, sources, id, &vars));
    // What is of a proper prefix is shared by the elements of a row; reductions of every index are rows themselves.
    let depths: SortedSet<usize> = (depths.chain(scalars.filter(|&depth| of_row(depth)))).collect();
    let proper = depths.range(1..vars.len().max(1)).next_back().copied();
    proper.or_else(|| depths.contains(&vars.len()).then_some(vars.len()))
}

/// The number of leading indices that a row has if a node is the row's: it depends on the last of them, and on nothing else
/// but those before it. On all of them, if they are all there are.
fn prefix(program: &Program, sources: &Sources, id: Id, vars: &[Var]) -> Option<usize> {
    let free: SortedSet<Var> = program
        .free(id)
        .iter()
        .copied()
        .filter(|&var| !sources.is_state(var))
        .collect();
    let depth = vars.iter().rposition(|var| free.contains(var));
    let depth = depth.map_or(0, |last| last + 1);
    let leading: SortedSet<Var> = vars.iter().take(depth).copied().collect();
    let found = leading == free || (depth < vars.len() && free.is_subset(&leading));
    found.then_some(depth)
}

/// What an item is computed from at each point.
pub(in crate::fuse) fn root(program: &Program, item: Item) -> Id {
    match item {
        Item::Array(id) => parts(program, id).1,
        other => other.id(),
    }
}

impl Planner<'_> {
    /// See [`shape`].
    pub(in crate::fuse) fn shape(&mut self, item: Item) -> Shape {
        let mut index = std::mem::take(&mut self.sources.index);
        let shape = shape(&self.program, &self.sources, &mut index, item);
        self.sources.index = index;
        shape.map(|extents| self.sources.canonical(&extents))
    }

    /// Builds the kernel of a group; its results have slots afterwards. Nothing is built for what is there already.
    pub(in crate::fuse) fn kernel(
        &mut self,
        group: &Group,
        steps: &mut Vec<Step>,
    ) -> Option<Built> {
        let mut group = Group {
            shape: group.shape.clone(),
            items: group.items.clone(),
            after: Vec::new(),
            outputs: group.outputs.clone(),
        };
        group.items.retain(|&item| !self.is_view(item, steps));
        if let [Item::Array(id)] = group.items[..]
            && self.is_filled(id, parts(&self.program, id).1, steps)
        {
            return None;
        }
        if group.items.is_empty() {
            return None;
        }
        match group.shape.clone() {
            Shape::Points(extents) => self.points(&group, extents, steps),
            Shape::Rows(extents) | Shape::Products(extents, _) => {
                Some(self.rows(&group, extents, steps))
            }
            Shape::Whole(_) => self.whole(&group, steps),
            Shape::Scans(extents) => Some(self.scans(&group.items, &extents, steps)),
            Shape::Scatter(_) => match group.items[..] {
                [Item::Scatter(id)] => Some(self.scatter(id, steps)),
                _ => unreachable!("nothing joins a scatter"),
            },
            Shape::Sort(_) => match group.items[..] {
                [Item::Sort(id)] => Some(self.sort(id, steps)),
                _ => unreachable!("nothing joins a sort"),
            },
            Shape::Alone => unreachable!("no kernel"),
        }
    }

    /// A stored array that has the elements of another one in the same order shares its buffer, as one of rank 0 does that of
    /// a scalar. A constant is filled in.
    fn is_view(&mut self, item: Item, steps: &mut Vec<Step>) -> bool {
        let id = match item {
            Item::Array(id) => id,
            Item::Scalar(id) => {
                let there = self.sources.scalar_slot(&self.program, id).is_some();
                return there || self.is_filled(id, id, steps);
            }
            _ => return false,
        };
        let (vars, element) = parts(&self.program, id);
        let scalar = self.sources.scalar_slot(&self.program, element);
        if let (Some(of), true) = (scalar, vars.is_empty()) {
            self.share_as(id, of, steps);
            return true;
        }
        let Node::Index { array, indices } = self.program.node(element).clone() else {
            return false;
        };
        if epilogue::read(&self.program, element).is_some() {
            return false;
        }
        let here = self.program.extents(id).to_vec();
        let there = self.program.extents(array).to_vec();
        let vars: Vec<Id> = vars
            .into_iter()
            .map(|var| self.program.add(Node::Variable(var)))
            .collect();
        let to = indices::flat(&mut self.program, &mut self.sources.index, &here, &vars);
        let from = indices::flat(&mut self.program, &mut self.sources.index, &there, &indices);
        let size = |planner: &mut Self, extents: &[Id]| {
            indices::size(&mut planner.program, &mut planner.sources.index, extents)
        };
        if to != from || size(self, &here) != size(self, &there) || !self.options.collapse {
            return false;
        }
        let of = self.sources.slot(&self.program, array);
        self.share_as(id, of, steps);
        true
    }

    /// Fills in an array or a scalar that no kernel need compute: one constant everywhere, all of whose bytes are equal.
    fn is_filled(&mut self, id: Id, element: Id, steps: &mut Vec<Step>) -> bool {
        let Node::Constant(value) = *self.program.node(element) else {
            return false;
        };
        if value.repeated_byte().is_none() {
            return false;
        }
        let buffer = self.allocate(id, steps);
        steps.push(Step::Fill { buffer, value });
        self.sources.slots.insert(id, buffer);
        true
    }

    fn share_as(&mut self, id: Id, of: BufferId, steps: &mut Vec<Step>) {
        let buffer = self.buffer_like(id, steps);
        steps.push(Step::Share { buffer, of });
        self.sources.slots.insert(id, buffer);
    }

    /// Fresh variables over these extents.
    pub(in crate::fuse) fn domain(&mut self, extents: &[Id], like: &[Var]) -> (Vec<Var>, Vec<Id>) {
        (0..extents.len())
            .map(|k| {
                let (var, read) = self.program.index_var();
                let name = like.get(k).and_then(|var| self.program.var_names.get(var));
                let name = name.cloned().unwrap_or_else(|| axis_name(k, extents.len()));
                self.program.name_var(var, &name);
                self.sources.index.domain(var, extents[k]);
                (var, read)
            })
            .unzip()
    }

    /// The element of a stored array over common variables, and its flat index.
    pub(in crate::fuse) fn element(&mut self, array: Id, reads: &[Id]) -> (Id, Id) {
        let (vars, element) = parts(&self.program, array);
        let map = vars.into_iter().zip(reads.iter().copied()).collect();
        let element = self.program.substitute(element, &map);
        let extents = self.program.extents(array).to_vec();
        let index = indices::flat(&mut self.program, &mut self.sources.index, &extents, reads);
        (element, index)
    }

    pub(in crate::fuse) fn scalar_store(&mut self, id: Id, steps: &mut Vec<Step>) -> Store {
        let buffer = self.allocate(id, steps);
        let index = self.program.usize(0);
        Store {
            buffer,
            index,
            element: id,
        }
    }

    fn points(&mut self, group: &Group, extents: Vec<Id>, steps: &mut Vec<Step>) -> Option<Built> {
        let like = group.items.iter().find_map(|item| match item {
            Item::Array(id) => Some(parts(&self.program, *id).0),
            _ => None,
        });
        let (vars, reads) = self.domain(&extents, &like.unwrap_or_default());
        let (mut stores, mut effects, mut slots) = (Vec::new(), Vec::new(), Vec::new());
        for &item in &group.items {
            match item {
                Item::Array(id) => {
                    let (element, index) = self.element(id, &reads);
                    let buffer = self.allocate(id, steps);
                    slots.push((id, buffer));
                    stores.push(Store {
                        buffer,
                        index,
                        element,
                    });
                }
                Item::Scalar(id) => {
                    let store = self.scalar_store(id, steps);
                    slots.push((id, store.buffer));
                    stores.push(store);
                }
                Item::Effect(id) => {
                    effects.extend(self.effect(id));
                    if let Node::Guard { value, .. } | Node::Demand { value, .. } =
                        *self.program.node(id)
                    {
                        let of = self.sources.slot(&self.program, value);
                        slots.push((id, of));
                    }
                }
                other => unreachable!("no point: {other:?}"),
            }
        }
        for output in group.outputs.iter().filter(|output| output.stored) {
            let (element, index) = self.element(output.array, &reads);
            let buffer = self.allocate(output.array, steps);
            slots.push((output.array, buffer));
            stores.push(Store {
                buffer,
                index,
                element,
            });
        }
        let mut roots: Vec<&mut Id> = stores.iter_mut().map(|store| &mut store.element).collect();
        self.see_through(&group.outputs, &mut roots);
        let name = self.unique_kernel(if stores.is_empty() { "check" } else { "map" });
        let some = !stores.is_empty() || !effects.is_empty();
        let built = some.then(|| {
            let body = Body::new(&mut self.program, &mut self.sources, self.options);
            let domain = Domain { extents, vars };
            kernels::elementwise(body, name, domain, stores, &effects)
        });
        self.sources.slots.extend(slots);
        built
    }

    /// A guard around an array as a scalar that is evaluated for its failures.
    fn effect(&mut self, id: Id) -> Option<Id> {
        match self.program.node(id).clone() {
            Node::Guard {
                condition,
                site,
                values,
                ..
            } => {
                let value = self.program.bool(true);
                Some(self.program.add(Node::Guard {
                    condition,
                    site,
                    values,
                    value,
                }))
            }
            _ => effect_parts(&self.program, id).first().copied(),
        }
    }

    fn rows(&mut self, group: &Group, extents: Vec<Id>, steps: &mut Vec<Step>) -> Built {
        let (vars, reads) = self.domain(&extents, &[]);
        let (mut stores, mut each, mut slots) = (Vec::new(), Vec::<Each>::new(), Vec::new());
        for &item in &group.items {
            let Item::Array(id) = item else {
                unreachable!("no rows: {item:?}");
            };
            let (inner, store) = self.row_store(id, &reads, &mut each, steps);
            slots.push((id, store.buffer));
            match inner {
                None => stores.push(store),
                Some(at) => each[at].stores.push(store),
            }
        }
        slots.extend(self.output_stores(group, &reads, &mut stores, &mut each, steps));
        let name = self.unique_kernel("rows");
        let body = Body::new(&mut self.program, &mut self.sources, self.options);
        let built = rowwise::rowwise(body, name, &extents, &vars, &stores, each);
        self.sources.slots.extend(slots);
        built
    }

    /// What is stored of an array for each row, or for each point of a domain in it.
    fn row_store(
        &mut self,
        array: Id,
        rows: &[Id],
        each: &mut Vec<Each>,
        steps: &mut Vec<Step>,
    ) -> (Option<usize>, Store) {
        let rank = rows.len();
        let extents = (self.sources).canonical(&self.program.extents(array)[rank..]);
        let known = each.iter().position(|part| part.domain.extents == extents);
        let at = (!extents.is_empty()).then(|| known.unwrap_or(each.len()));
        if at == Some(each.len()) {
            let like = parts(&self.program, array).0[rank..].to_vec();
            let (vars, _) = self.domain(&extents, &like);
            each.push(Each {
                domain: Domain { extents, vars },
                stores: Vec::new(),
            });
        }
        let mut reads = rows.to_vec();
        if let Some(at) = at {
            let vars = each[at].domain.vars.iter();
            reads.extend(vars.map(|&var| self.program.add(Node::Variable(var))));
        }
        let (element, index) = self.element(array, &reads);
        let buffer = self.allocate(array, steps);
        let store = Store {
            buffer,
            index,
            element,
        };
        (at, store)
    }

    /// The arrays that are stored where reductions go by; in what else is stored they are read there.
    fn output_stores(
        &mut self,
        group: &Group,
        rows: &[Id],
        stores: &mut [Store],
        each: &mut Vec<Each>,
        steps: &mut Vec<Step>,
    ) -> Vec<(Id, BufferId)> {
        let mut slots = Vec::new();
        for output in group.outputs.iter().filter(|output| output.stored) {
            let (at, store) = self.row_store(output.array, rows, each, steps);
            slots.push((output.array, store.buffer));
            each[at.expect("more axes than rows")].stores.push(store);
        }
        let of_each = each.iter_mut().flat_map(|each| &mut each.stores);
        let stores = stores.iter_mut().chain(of_each);
        let mut roots: Vec<&mut Id> = stores.map(|store| &mut store.element).collect();
        self.see_through(&group.outputs, &mut roots);
        slots
    }

    fn whole(&mut self, group: &Group, steps: &mut Vec<Step>) -> Option<Built> {
        let (mut stores, mut each, mut slots) = (Vec::new(), Vec::new(), Vec::new());
        for &item in &group.items {
            if let Item::Scalar(id) = item {
                let store = self.scalar_store(id, steps);
                slots.push((id, store.buffer));
                stores.push(store);
            }
        }
        if stores.is_empty() {
            return None;
        }
        slots.extend(self.output_stores(group, &[], &mut stores, &mut each, steps));
        let name = self.unique_kernel("reduce");
        let body = Body::new(&mut self.program, &mut self.sources, self.options);
        let built = rowwise::rowwise(body, name, &[], &[], &stores, each);
        self.sources.slots.extend(slots);
        Some(built)
    }
}

fn axis_name(k: usize, rank: usize) -> String {
    match ["i", "j", "k", "l"].get(k) {
        Some(name) if rank <= 4 => (*name).to_owned(),
        _ => format!("i{k}"),
    }
}
