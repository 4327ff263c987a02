//! Which region each node belongs to: the innermost one that contains all its uses.

use super::{Check, Id, IdSet, Node, Output, Program, Type, Var};

/// A region of a program; 0 is the program itself.
pub(crate) type Scope = usize;

/// The result of [`Program::scopes`].
pub(crate) struct Scopes {
    /// Parent and depth of each region.
    tree: Vec<(Scope, usize)>,
    /// The nodes of each region, in order.
    pub(crate) nodes: Vec<Vec<Id>>,
    /// The first region of each node that has some; see [`regions`] for their number and order.
    pub(crate) first: Vec<Option<Scope>>,
    /// The region of each node that is needed.
    pub(crate) place: Vec<Option<Scope>>,
}

/// The operands outside regions, and those of each region. The regions are children of the one the node stands in,
/// but the second region of a loop is a child of its first.
pub(crate) fn regions(node: &Node) -> (Vec<Id>, Vec<Vec<Id>>) {
    let mut outside = Vec::new();
    let mut inside = vec![Vec::new(); count(node)];
    uses(node, |id, region| match region {
        None => outside.push(id),
        Some(region) => inside[region].push(id),
    });
    (outside, inside)
}

/// How many regions a node has.
fn count(node: &Node) -> usize {
    match node {
        Node::If { .. }
        | Node::Loop { .. }
        | Node::Reduce { .. }
        | Node::Scan { .. }
        | Node::Scatter { .. }
        | Node::Sort { .. } => 2,
        Node::Generate { .. } | Node::Compact { .. } | Node::Guard { .. } => 1,
        Node::Constant(_)
        | Node::Parameter(_)
        | Node::Input { .. }
        | Node::Extent { .. }
        | Node::Variable(_)
        | Node::Unary(..)
        | Node::Binary(..)
        | Node::Select(..)
        | Node::Cast(..)
        | Node::Bitcast(..)
        | Node::Math(..)
        | Node::Foreign(..)
        | Node::OnCuda
        | Node::Routine { .. }
        | Node::Index { .. }
        | Node::Demand { .. }
        | Node::Project(..)
        | Node::Materialize(_) => 0,
    }
}

/// Calls `each` on the operands of a node, with the number of the region in which they are used.
pub(crate) fn uses(node: &Node, mut each: impl FnMut(Id, Option<usize>)) {
    let mut all = |ids: &[Id], region| ids.iter().for_each(|&id| each(id, region));
    match node {
        Node::If {
            condition,
            then,
            otherwise,
        } => {
            all(&[*condition], None);
            all(then, Some(0));
            all(otherwise, Some(1));
        }
        Node::Loop {
            initial,
            condition,
            next,
            state: _,
        } => {
            all(initial, None);
            all(&[*condition], Some(0));
            all(next, Some(1));
        }
        Node::Generate {
            extents, element, ..
        } => {
            all(extents, None);
            all(&[*element], Some(0));
        }
        Node::Reduce {
            extents,
            elements,
            combined,
            initial,
            ..
        } => {
            all(extents, None);
            all(initial.as_deref().unwrap_or_default(), None);
            all(elements, Some(0));
            all(combined, Some(1));
        }
        Node::Scan {
            extents,
            elements,
            combined,
            ..
        } => {
            all(extents, None);
            all(elements, Some(0));
            all(combined, Some(1));
        }
        Node::Sort {
            extents,
            elements,
            less,
            ..
        } => {
            all(extents, None);
            all(elements, Some(0));
            all(less.as_slice(), Some(1));
        }
        Node::Scatter {
            defaults,
            extents,
            condition,
            at,
            elements,
            combined,
            ..
        } => {
            all(defaults, None);
            all(extents, None);
            all(&[*condition], Some(0));
            all(at, Some(0));
            all(elements, Some(0));
            all(combined, Some(1));
        }
        Node::Compact {
            count,
            extents,
            condition,
            elements,
            ..
        } => {
            all(&[*count], None);
            all(extents, None);
            all(&[*condition], Some(0));
            all(elements, Some(0));
        }
        Node::Guard {
            condition,
            values,
            value,
            site: _,
        } => {
            all(&[*condition], None);
            all(values, None);
            all(&[*value], Some(0));
        }
        _ => node.operands(|id| each(id, None)),
    }
}

/// What is evaluated with a node, whatever its regions do.
pub(crate) fn outside(node: &Node, mut each: impl FnMut(Id)) {
    uses(node, |id, region| {
        if region.is_none() {
            each(id);
        }
    });
}

impl Check {
    /// Its condition, and the values that it reports.
    pub(crate) fn roots(&self) -> impl Iterator<Item = Id> {
        std::iter::once(self.condition).chain(self.values.iter().copied())
    }

    /// Replaces them, the condition last.
    pub(crate) fn map_roots(&mut self, mut to: impl FnMut(Id) -> Id) {
        for id in self.values.iter_mut().chain([&mut self.condition]) {
            *id = to(*id);
        }
    }
}

impl Output {
    /// Its leaves, after the extents of an array.
    pub(crate) fn roots(&self) -> impl Iterator<Item = Id> {
        let (extents, leaves) = match self {
            Output::Scalar(leaves) => (&[][..], leaves),
            Output::Array { extents, leaves } => (&extents[..], leaves),
        };
        extents.iter().chain(leaves).copied()
    }

    /// Replaces them.
    pub(crate) fn map_roots(&mut self, mut to: impl FnMut(Id) -> Id) {
        let (extents, leaves) = match self {
            Output::Scalar(leaves) => (&mut Vec::new(), leaves),
            Output::Array { extents, leaves } => (extents, leaves),
        };
        for id in extents.iter_mut().chain(leaves) {
            *id = to(*id);
        }
    }
}

impl Program {
    /// What the program is made for: the conditions and values of checks, and the results.
    pub(crate) fn roots(&self) -> Vec<Id> {
        let checks = self.checks.iter().flat_map(Check::roots);
        checks
            .chain(self.outputs.iter().flat_map(Output::roots))
            .collect()
    }

    /// Whether reads of a generated array at indices that vary need whole arrays made for each: by a scatter, a sort, a
    /// compaction or a loop over arrays; or by anything that is computed, where data say which are read, or where it is that of
    /// another row than the reader's own. Where they stand all of them can be made at once.
    pub(crate) fn makes_arrays(&self, element: Id, vars: &[Var], indices: &[Id]) -> bool {
        let elsewhere = |index: Id| {
            let own = matches!(self.node(index), Node::Variable(_));
            !self.free(index).is_empty() && (!own || self.is_data(index))
        };
        self.makes(element, vars, indices, &elsewhere)
    }

    /// The same where a row of the reader's own counts, too: other reads may be of other rows.
    pub(crate) fn makes_rows(&self, element: Id, vars: &[Var], indices: &[Id]) -> bool {
        self.makes(element, vars, indices, &|index| {
            !self.free(index).is_empty()
        })
    }

    /// Whether whole arrays are made for each read: computed ones where an index is `far`.
    fn makes(&self, element: Id, vars: &[Var], indices: &[Id], far: &dyn Fn(Id) -> bool) -> bool {
        let read = |var: &Var, is: &dyn Fn(Id) -> bool| {
            let mut read = vars.iter().zip(indices);
            read.any(|(own, &index)| own == var && is(index))
        };
        let varies = |var: &Var| read(var, &|index| !self.free(index).is_empty());
        let is_far = |id: Id| self.free(id).iter().any(|var| read(var, far));
        let (mut seen, mut open) = (IdSet::default(), vec![element]);
        while let Some(id) = open.pop() {
            if !self.free(id).iter().any(varies) || !seen.insert(id) {
                continue;
            }
            let makes = match self.node(id) {
                Node::Scatter { .. } | Node::Sort { .. } | Node::Compact { .. } => true,
                Node::Loop { state, .. } => {
                    let is_array = |var: &Var| matches!(self.var_type(*var), Type::Array(..));
                    state.iter().any(is_array) || is_far(id)
                }
                Node::Generate { .. } | Node::Reduce { .. } => is_far(id),
                // One element of a scan is a fold.
                Node::Index { array, indices } if self.is_scan(*array) => {
                    let varies = |&index: &Id| !self.free(index).is_empty();
                    indices.iter().any(varies) && is_far(*array)
                }
                _ => false,
            };
            if makes {
                return true;
            }
            self.node(id).operands(|operand| open.push(operand));
        }
        false
    }

    fn is_scan(&self, array: Id) -> bool {
        match self.node(array) {
            Node::Scan { .. } => true,
            Node::Project(bundle, _) => matches!(self.node(*bundle), Node::Scan { .. }),
            _ => false,
        }
    }

    /// Whether an index depends on data, or on the state of a loop.
    fn is_data(&self, index: Id) -> bool {
        let (mut seen, mut open) = (IdSet::default(), vec![index]);
        while let Some(id) = open.pop() {
            if self.free(id).is_empty() || !seen.insert(id) {
                continue;
            }
            match self.node(id) {
                Node::Variable(var) if self.states.contains(var) => return true,
                Node::Index { .. } | Node::Reduce { .. } | Node::Loop { .. } => return true,
                node => node.operands(|operand| open.push(operand)),
            }
        }
        false
    }

    /// Places every reachable node.
    pub(crate) fn scopes(&self) -> Scopes {
        let nodes = self.nodes.len();
        let mut scopes = Scopes {
            tree: vec![(0, 0)],
            nodes: vec![Vec::new()],
            first: vec![None; nodes],
            place: Vec::new(),
        };
        let mut place: Vec<Option<Scope>> = vec![None; nodes];
        for root in self.roots() {
            place[root.0 as usize] = Some(0);
        }
        for k in (0..nodes).rev() {
            let Some(scope) = place[k] else { continue };
            scopes.nodes[scope].push(Id(k as u32));
            let node = &self.nodes[k];
            let first = scopes.tree.len();
            let regions = count(node);
            if regions > 0 {
                scopes.first[k] = Some(first);
            }
            for number in 0..regions {
                let nested = number == 1 && matches!(node, Node::Loop { .. });
                let parent = if nested { first } else { scope };
                scopes.tree.push((parent, scopes.tree[parent].1 + 1));
                scopes.nodes.push(Vec::new());
            }
            uses(node, |id, region| {
                let scope = region.map_or(scope, |region| first + region);
                let at = &mut place[id.0 as usize];
                *at = Some(match *at {
                    None => scope,
                    Some(other) if other == scope => scope,
                    Some(other) => scopes.common(scope, other),
                });
            });
        }
        for nodes in &mut scopes.nodes {
            nodes.reverse();
        }
        scopes.place = place;
        scopes
    }
}

impl Scopes {
    fn common(&self, mut a: Scope, mut b: Scope) -> Scope {
        while a != b {
            let (deep_a, deep_b) = (self.tree[a].1, self.tree[b].1);
            if deep_a >= deep_b {
                a = self.tree[a].0;
            }
            if deep_b >= deep_a {
                b = self.tree[b].0;
            }
        }
        a
    }
}
