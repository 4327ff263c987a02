//! The points of a kernel, and how it may store another array over the same domain.

use crate::fuse::analysis::domains::parts;
use crate::fuse::analysis::estimate;
use crate::fuse::body::sources::Sources;
use crate::fuse::inline::BARRIER;
use crate::fuse::item::Item;
use crate::fuse::kernels::rowwise;
use crate::fuse::planner::{Group, Planner, Shape};
use crate::fuse::steps::group::root;
use crate::fuse::steps::needs::Needs;
use crate::ir::walk::{self, inside};
use crate::ir::{Id, IdSet, Node, Program, QuickMap, Var, trips};
use crate::scalar::Binary;
use crate::sorted::SortedSet;

/// Reads of an array for one element that come out of a cache as well as out of a tile: 3 by 3 neighbours, and the one in the middle.
const FEW: u64 = 10;

/// The points that a reduction goes through, or an array has.
pub(super) struct Points {
    /// A reduction, or an array.
    of: Id,
    /// Rows first.
    pub(super) extents: Vec<Id>,
    vars: Vec<Var>,
    /// What it reduces or stores.
    elements: Vec<Id>,
    /// Whether its kernel may store more: its accesses are coalesced, and it has no tiles to lose.
    pub(super) is_fusible: bool,
}

/// How an array may be stored by the kernel of some points.
pub(super) enum Joins {
    /// Where they read it.
    Read,
    /// Where they compute it, or read what it is computed from.
    Beside,
    /// It has nothing to do with them.
    Anywhere,
}

impl Planner<'_> {
    /// The points of a group's reductions, if it is a kernel of such.
    pub(super) fn points_of(&mut self, group: &Group) -> Vec<Points> {
        let program = &self.program;
        let rows: &[Id] = match &group.shape {
            Shape::Whole(_) => &[],
            Shape::Rows(rows) | Shape::Products(rows, _) => rows,
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
            for id in rowwise::row_reductions(program, sources, &mut index, &[root]) {
                if let Some(points) = points(program, sources, id, rows, &vars) {
                    all.push(points);
                }
            }
        }
        self.sources.index = index;
        all
    }

    /// The points of an elementwise kernel.
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
            is_fusible: is_plain(program, element, |_| false),
        });
        points.collect()
    }

    /// How an array may be stored by a group; not at all if its kernel had better be one of its own.
    pub(super) fn joins(
        &mut self,
        needs: &Needs,
        group: &Group,
        points: &[Points],
        array: Id,
    ) -> Option<Joins> {
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
        // A copy, or the same array under other checks, shares its buffer.
        let shares = |&item: &Item| match *self.program.node(root(&self.program, item)) {
            Node::Index { array: of, .. } => of == array,
            Node::Guard { value, .. } | Node::Demand { value, .. } => value == array,
            _ => false,
        };
        if group.items.iter().any(shares) {
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
            return (plain && own && !apart).then_some(Joins::Read);
        }
        let beside = (points.iter().filter(|points| points.extents == extents)).any(|points| {
            let reads = (points.vars.iter()).map(|&var| self.program.add(Node::Variable(var)));
            let map = vars.iter().copied().zip(reads).collect();
            let element = self.program.substitute(element, &map);
            let program = &self.program;
            let elements = points.elements.iter().flat_map(|&id| inside(program, id));
            let computed: SortedSet<Id> = elements.collect();
            let mut own = inside(program, element);
            let read = |id: Id| matches!(program.node(id), Node::Index { .. });
            computed.contains(&element) || plain && own.any(|id| read(id) && computed.contains(&id))
        });
        match beside {
            true => Some(Joins::Beside),
            false => plain.then_some(Joins::Anywhere),
        }
    }

    /// Operations that the elements of two arrays of one domain have in common.
    pub(super) fn common_work(&mut self, array: Id, other: Id) -> f64 {
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
        let mut reads = SortedSet::new();
        for id in roots.flat_map(|root| inside(program, root)) {
            if let Node::Index { array: of, indices } = program.node(id)
                && *of == array
            {
                reads.insert(indices.clone());
            }
        }
        reads.into_iter().collect()
    }
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
        is_fusible: rowwise::is_coalesced(program, id),
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
    let mut reads: QuickMap<Id, u64> = QuickMap::default();
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
