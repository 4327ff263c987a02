//! Multi-output fusion: arrays that are stored by the kernel of reductions that go through their domain.
//!
//! In: groups of items in the order of their launches. Out: the same, but that elementwise kernels whose arrays reductions read,
//! or compute in any case, or whose operands they read as well, have become outputs of the reductions' kernels, and those that
//! elementwise kernels read, of these. An array is read where it is stored: its reads are its elements there, so it is written
//! once and read never.

use crate::fuse::analysis::domains::parts;
use crate::fuse::analysis::estimate;
use crate::fuse::body::control::known_operator;
use crate::fuse::body::sources::Sources;
use crate::fuse::inline::BARRIER;
use crate::fuse::item::Item;
use crate::fuse::kernels::rowwise;
use crate::fuse::planner::{Group, Output, Planner, Shape};
use crate::fuse::rewrite::Replacing;
use crate::fuse::steps::group::root;
use crate::fuse::steps::needs::{Demand, Needs};
use crate::ir::walk::{self, inside};
use crate::ir::{Id, IdSet, Node, Program, Var, trips};
use crate::scalar::Binary;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Reads of an array for one element that come out of a cache as well as out of a tile: 3 by 3 neighbours, and the one in the middle.
const FEW: u64 = 10;

/// Operations that may be computed again for an array that leaves a kernel.
const LITTLE: f64 = 4.0;

/// The points that a reduction goes through, or an array has.
struct Points {
    /// A reduction, or an array.
    of: Id,
    /// Rows first.
    extents: Vec<Id>,
    vars: Vec<Var>,
    /// What it reduces or stores.
    elements: Vec<Id>,
    /// Whether its threads take neighbouring points: its operators are known.
    unordered: bool,
}

/// Where an array may be stored by a kernel of reductions.
enum Goes {
    /// Where they read it.
    Read,
    /// Where they compute it, or read what it is computed from.
    Beside,
    /// It has nothing to do with them.
    Anywhere,
}

impl Planner<'_> {
    /// Moves arrays to kernels of reductions; gives the groups that are left.
    pub(in crate::fuse) fn join_reductions(
        &mut self,
        needs: &Needs,
        demands: &[Demand],
        mut groups: Vec<Group>,
        mut position: Vec<usize>,
    ) -> Vec<Group> {
        let points: Vec<Vec<Points>> = groups.iter().map(|group| self.points_of(group)).collect();
        // Each to those that read it, before others go with them.
        for reads in [true, false] {
            for from in 0..groups.len() {
                for to in 0..groups.len() {
                    // What is read where it is computed is computed from nothing of that kind.
                    let elementwise = matches!(groups[to].shape, Shape::Points(_));
                    if to == from || elementwise && !reads || !groups[from].outputs.is_empty() {
                        continue;
                    }
                    let points = &points[to];
                    let mut outputs =
                        self.outputs_of(needs, &groups, &position, points, [from, to], reads);
                    for output in &mut outputs {
                        output.stored = is_needed(needs, demands, &position, output.array, to);
                    }
                    let moves = |item: Item| outputs.iter().any(|output| output.array == item.id());
                    for (at, (item, _)) in needs.items.iter().enumerate() {
                        if position[at] == from && moves(*item) {
                            position[at] = to;
                        }
                    }
                    groups[from].items.retain(|&item| !moves(item));
                    groups[to].after.retain(|&(producer, _)| !moves(producer));
                    let edges = std::mem::take(&mut groups[from].after);
                    let moved = |edge: &(Item, Item)| moves(edge.1);
                    let (moved, stays): (Vec<_>, Vec<_>) = edges.into_iter().partition(moved);
                    groups[from].after = stays;
                    groups[to].after.extend(moved);
                    groups[to].outputs.extend(outputs);
                }
            }
        }
        groups.retain(|group| !group.items.is_empty());
        groups
    }

    /// The arrays of one group that another one stores: those that its reductions read, or all of the others.
    fn outputs_of(
        &mut self,
        needs: &Needs,
        groups: &[Group],
        position: &[usize],
        points: &[Points],
        [from, to]: [usize; 2],
        reads: bool,
    ) -> Vec<Output> {
        let Shape::Points(extents) = &groups[from].shape else {
            return Vec::new();
        };
        let mut alike = points.iter().filter(|points| points.extents == *extents);
        if extents.is_empty() || points.is_empty() || !alike.all(|points| points.unordered) {
            return Vec::new();
        }
        let in_order = |at: usize, item: Item| {
            let users = (needs.items.iter().enumerate())
                .filter(|(_, (_, needed))| needed.contains(&at))
                .all(|(user, _)| position[user] >= to);
            let mut needed = needs.items[at].1.iter();
            matches!(item, Item::Array(_)) && users && needed.all(|&at| position[at] < to)
        };
        let items = needs.items.iter().enumerate();
        let own = items.filter(|(at, _)| position[*at] == from);
        let own: Vec<(usize, Item)> = own.map(|(at, (item, _))| (at, *item)).collect();
        let found: Vec<(Id, Goes)> = (own.iter())
            .filter(|&&(at, item)| in_order(at, item))
            .filter_map(|&(_, item)| {
                Some((item.id(), self.goes(needs, &groups[to], points, item.id())?))
            })
            .collect();
        let mut joined = groups[to].outputs.iter().map(|output| output.array);
        let beside = found.iter().any(|(_, goes)| matches!(goes, Goes::Beside))
            || joined.any(|array| self.sources.canonical(self.program.extents(array)) == *extents);
        let all = beside && found.len() == own.len();
        let moves = |goes: &Goes| match goes {
            Goes::Read => reads,
            Goes::Beside => !reads,
            Goes::Anywhere => !reads && all,
        };
        let output = |(array, _)| Output {
            array,
            stored: true,
        };
        let mut moved: Vec<Output> = (found.into_iter())
            .filter(|(_, goes)| moves(goes))
            .map(output)
            .collect();
        // What stays would compute again what it has in common with what goes.
        let goes = |array: Id| moved.iter().any(|output| output.array == array);
        let stay: Vec<Id> = (own.iter().map(|(_, item)| item.id()))
            .filter(|&id| !goes(id) && matches!(self.program.node(id), Node::Materialize(_)))
            .collect();
        moved.retain(|output| {
            let mut stay = stay.iter();
            stay.all(|&other| self.common_work(output.array, other) <= LITTLE)
        });
        moved
    }

    /// The points of a group's reductions, if it is a kernel of such.
    fn points_of(&mut self, group: &Group) -> Vec<Points> {
        let program = &self.program;
        let rows: &[Id] = match &group.shape {
            Shape::Whole(_) => &[],
            Shape::Rows(rows) => rows,
            Shape::Points(extents) => return self.points_of_arrays(group, extents),
            _ => return Vec::new(),
        };
        let mut index = std::mem::take(&mut self.sources.index);
        let sources = &self.sources;
        let mut all = Vec::new();
        for &item in &group.items {
            let (mut vars, root) = match item {
                Item::Array(id) => parts(program, id),
                Item::Scalar(id) => (Vec::new(), id),
                _ => continue,
            };
            vars.truncate(rows.len());
            let outside = |id| sources.is_outside(program, id);
            for id in rowwise::row_reductions(program, &mut index, &[root], outside) {
                if let Some(points) = points(program, sources, id, rows, &vars) {
                    all.push(points);
                }
            }
        }
        self.sources.index = index;
        all
    }

    /// Those of an elementwise kernel that gains nothing by tiles.
    fn points_of_arrays(&self, group: &Group, extents: &[Id]) -> Vec<Points> {
        let program = &self.program;
        let arrays = group.items.iter().filter_map(|item| match item {
            Item::Array(id) => Some((*id, parts(program, *id))),
            _ => None,
        });
        let points = arrays.map(|(of, (vars, element))| Points {
            of,
            extents: extents.to_vec(),
            vars,
            elements: vec![element],
            unordered: is_plain(program, element, |_| false),
        });
        points.collect()
    }

    /// Where an array may be stored by a group; nowhere if its kernel had better be one of its own.
    fn goes(&mut self, needs: &Needs, group: &Group, points: &[Points], array: Id) -> Option<Goes> {
        let extents = self.sources.canonical(self.program.extents(array));
        let (vars, element) = parts(&self.program, array);
        let reason = self.program.reasons.get(&array);
        let barrier = reason.is_some_and(|reason| reason == BARRIER);
        let node = self.program.node(element);
        if barrier || matches!(node, Node::Index { .. } | Node::Constant(_)) {
            return None;
        }
        let there = |id: Id| needs.has(Item::Scalar(id)) || self.sources.host.contains_key(&id);
        let plain = is_plain(&self.program, element, there);
        let reads = self.reads_of(group, array);
        // A copy takes its memory.
        let is_copy = |&item: &Item| match self.program.node(root(&self.program, item)) {
            Node::Index { array: of, .. } => *of == array,
            _ => false,
        };
        if group.items.iter().any(is_copy) {
            return None;
        }
        if !reads.is_empty() {
            let readers = |read: &Vec<Id>| -> Vec<Id> {
                let own = (points.iter()).filter(|points| {
                    points.extents == extents && points.are_read_at(&self.program, read)
                });
                own.map(|points| points.of).collect()
            };
            let all: Vec<Vec<Id>> = reads.iter().map(readers).collect();
            let apart = all.iter().flatten().any(|&one| {
                let mut others = all.iter().flatten();
                others.any(|&other| one != other && walk::reaches(&self.program, one, other))
            });
            let own = all.iter().all(|readers| !readers.is_empty());
            return (plain && own && !apart).then_some(Goes::Read);
        }
        let beside = (points.iter().filter(|points| points.extents == extents)).any(|points| {
            let reads = (points.vars.iter()).map(|&var| self.program.add(Node::Variable(var)));
            let map = vars.iter().copied().zip(reads).collect();
            let element = self.program.substitute(element, &map);
            let program = &self.program;
            let elements = points.elements.iter().flat_map(|&id| inside(program, id));
            let computed: BTreeSet<Id> = elements.collect();
            let mut own = inside(program, element);
            let read = |id: Id| matches!(program.node(id), Node::Index { .. });
            computed.contains(&element) || plain && own.any(|id| read(id) && computed.contains(&id))
        });
        match beside {
            true => Some(Goes::Beside),
            false => plain.then_some(Goes::Anywhere),
        }
    }

    /// Operations that the elements of two arrays of one domain have in common.
    fn common_work(&mut self, array: Id, other: Id) -> f64 {
        let (vars, element) = parts(&self.program, array);
        let (other_vars, other) = parts(&self.program, other);
        let reads = vars
            .iter()
            .map(|&var| self.program.add(Node::Variable(var)));
        let map = other_vars
            .into_iter()
            .zip(reads.collect::<Vec<Id>>())
            .collect();
        let other = self.program.substitute(other, &map);
        let own: IdSet = inside(&self.program, element).collect();
        let common = inside(&self.program, other).filter(|&id| own.contains(id));
        let own = |id: Id| vars.iter().any(|var| self.program.free(id).contains(var));
        let work = |id: Id| match self.program.node(id) {
            Node::Index { .. } => 0.0,
            _ if !own(id) => 0.0,
            Node::Loop { .. } | Node::Reduce { .. } => f64::INFINITY,
            _ => estimate::own(&self.program, id),
        };
        common.map(work).sum()
    }

    /// The indices of all reads of an array by a group.
    fn reads_of(&self, group: &Group, array: Id) -> Vec<Vec<Id>> {
        let program = &self.program;
        let outputs = group.outputs.iter().map(|output| Item::Array(output.array));
        let items = group.items.iter().copied().chain(outputs);
        let roots = items.map(|item| root(program, item));
        let mut reads = BTreeSet::new();
        for id in roots.flat_map(|root| inside(program, root)) {
            if let Node::Index { array: of, indices } = program.node(id)
                && *of == array
            {
                reads.insert(indices.clone());
            }
        }
        reads.into_iter().collect()
    }

    /// Expressions in which the arrays that their kernel stores are read where they are computed.
    pub(in crate::fuse) fn see_through(&mut self, outputs: &[Output], roots: &mut [&mut Id]) {
        if outputs.is_empty() {
            return;
        }
        let arrays: BTreeMap<Id, (Vec<Var>, Id)> = (outputs.iter())
            .map(|output| (output.array, parts(&self.program, output.array)))
            .collect();
        let all: BTreeSet<Id> = (roots.iter())
            .flat_map(|root| inside(&self.program, **root).collect::<Vec<Id>>())
            .collect();
        let mut elements = HashMap::new();
        for id in all {
            if let Node::Index { array, indices } = self.program.node(id).clone()
                && let Some((vars, element)) = arrays.get(&array)
            {
                let map = vars.iter().copied().zip(indices).collect();
                elements.insert(id, self.program.substitute(*element, &map));
            }
        }
        let mut replacing = Replacing::new(&mut self.program, elements);
        for root in roots {
            **root = replacing.rewrite(**root);
        }
    }
}

/// Whether an array is a result, or anything outside of a group needs it.
fn is_needed(
    needs: &Needs,
    demands: &[Demand],
    position: &[usize],
    array: Id,
    group: usize,
) -> bool {
    let at = needs
        .items
        .iter()
        .position(|(item, _)| *item == Item::Array(array));
    let uses = |needed: &BTreeSet<usize>| at.is_some_and(|at| needed.contains(&at));
    let mut users = needs.items.iter().zip(position);
    demands.contains(&Demand::Device(array))
        || users.any(|((_, needed), &user)| user != group && uses(needed))
}

/// The points of a reduction of rows.
fn points(
    program: &Program,
    sources: &Sources,
    id: Id,
    rows: &[Id],
    row_vars: &[Var],
) -> Option<Points> {
    let Node::Reduce {
        extents,
        vars,
        elements,
        left,
        right,
        combined,
        ..
    } = program.node(id)
    else {
        return None;
    };
    let free = program.free(id).iter();
    let of_row = free
        .copied()
        .all(|var| row_vars.contains(&var) || sources.is_state(var));
    (of_row && rowwise::shared(program, sources, id, false)).then(|| Points {
        of: id,
        extents: sources.canonical(&[rows, extents].concat()),
        vars: [row_vars, vars].concat(),
        elements: elements.clone(),
        unordered: known_operator(program, left, right, combined).is_some(),
    })
}

impl Points {
    /// Whether a read is of the element at the point itself.
    fn are_read_at(&self, program: &Program, read: &[Id]) -> bool {
        let mut own = read.iter().zip(&self.vars);
        read.len() == self.vars.len()
            && own.all(|(&index, &var)| *program.node(index) == Node::Variable(var))
    }
}

/// Whether an element is computed from few elements of arrays around its own point, and from scalars that are `there`: its kernel
/// would gain less by tiles than by not being one of its own.
fn is_plain(program: &Program, element: Id, there: impl Fn(Id) -> bool) -> bool {
    let (mut seen, mut open) = (IdSet::default(), vec![(element, 1)]);
    let mut reads: HashMap<Id, u64> = HashMap::new();
    while let Some((id, times)) = open.pop() {
        if there(id) || !seen.insert(id) {
            continue;
        }
        let mut inner = times;
        match program.node(id) {
            Node::Reduce { .. } => return false,
            node @ Node::Loop { .. } => match trips::most(program, node) {
                Some(trips) => inner *= trips,
                None => return false,
            },
            Node::Index { array, indices } => {
                let reads = reads.entry(*array).or_default();
                *reads += times;
                if *reads > FEW || !indices.iter().all(|&index| is_around(program, index)) {
                    return false;
                }
            }
            _ => {}
        }
        match program.node(id) {
            Node::Index { indices, .. } => open.extend(indices.iter().map(|&index| (index, times))),
            node => walk::evaluated(node, |operand| open.push((operand, inner))),
        }
    }
    true
}

/// Whether an index goes along with the point but for borders: by arithmetic and bounds, not by data.
fn is_around(program: &Program, index: Id) -> bool {
    inside(program, index).all(|id| match program.node(id) {
        Node::Binary(op, ..) => matches!(
            op,
            Binary::Add
                | Binary::Sub
                | Binary::Mul
                | Binary::Min
                | Binary::Max
                | Binary::Lt
                | Binary::Le
        ),
        Node::Variable(_)
        | Node::Constant(_)
        | Node::Extent { .. }
        | Node::Parameter(_)
        | Node::Select(..) => true,
        _ => program.free(id).is_empty(),
    })
}
