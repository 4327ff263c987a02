//! Which region each node belongs to: the innermost one that contains all its uses.

use super::{Id, Node, Output, Program, Type, Var};
use std::collections::BTreeSet;

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
}

/// The operands outside regions, and those of each region. The regions are children of the one the node stands in,
/// but the second region of a loop is a child of its first.
pub(crate) fn regions(node: &Node) -> (Vec<Id>, Vec<Vec<Id>>) {
    let mut outside = Vec::new();
    match node {
        Node::If {
            condition,
            then,
            otherwise,
        } => (vec![*condition], vec![then.clone(), otherwise.clone()]),
        Node::Loop {
            initial,
            condition,
            next,
            state: _,
        } => (initial.clone(), vec![vec![*condition], next.clone()]),
        Node::Generate {
            extents, element, ..
        } => (extents.clone(), vec![vec![*element]]),
        Node::Reduce {
            extents,
            elements,
            combined,
            initial,
            ..
        } => {
            outside.extend(extents);
            outside.extend(initial.iter().flatten());
            (outside, vec![elements.clone(), combined.clone()])
        }
        Node::Scan {
            extents,
            elements,
            combined,
            ..
        } => (extents.clone(), vec![elements.clone(), combined.clone()]),
        Node::Sort {
            extents,
            elements,
            less,
            ..
        } => {
            let less: Vec<Id> = less.iter().copied().collect();
            (extents.clone(), vec![elements.clone(), less])
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
            outside.extend(defaults.iter().chain(extents));
            let points = [&[*condition][..], at, elements].concat();
            (outside, vec![points, combined.clone()])
        }
        Node::Compact {
            count,
            extents,
            condition,
            elements,
            ..
        } => {
            outside.push(*count);
            outside.extend(extents);
            (outside, vec![[&[*condition][..], elements].concat()])
        }
        Node::Guard {
            condition,
            values,
            value,
            site: _,
        } => {
            outside.push(*condition);
            outside.extend(values);
            (outside, vec![vec![*value]])
        }
        _ => {
            node.operands(|id| outside.push(id));
            (outside, Vec::new())
        }
    }
}

impl Program {
    /// What the program is made for: the conditions and values of checks, and the results.
    pub(crate) fn roots(&self) -> Vec<Id> {
        let mut roots = Vec::new();
        for check in &self.checks {
            roots.push(check.condition);
            roots.extend(&check.values);
        }
        for output in &self.outputs {
            match output {
                Output::Scalar(leaves) => roots.extend(leaves),
                Output::Array { extents, leaves } => roots.extend(extents.iter().chain(leaves)),
            }
        }
        roots
    }

    /// Whether reads of a generated array at indices that vary need whole arrays made for each: by a scatter, a sort, a
    /// compaction or a loop over arrays. Where they stand all of them can be made at once.
    pub(crate) fn makes_arrays(&self, element: Id, vars: &[Var], indices: &[Id]) -> bool {
        let varies = |var: &Var| {
            let mut read = vars.iter().zip(indices);
            read.any(|(own, &index)| own == var && !self.free(index).is_empty())
        };
        let (mut seen, mut open) = (BTreeSet::new(), vec![element]);
        while let Some(id) = open.pop() {
            if !self.free(id).iter().any(varies) || !seen.insert(id) {
                continue;
            }
            let makes = match self.node(id) {
                Node::Scatter { .. } | Node::Sort { .. } | Node::Compact { .. } => true,
                Node::Loop { state, .. } => {
                    let is_array = |var: &Var| matches!(self.var_type(*var), Type::Array(..));
                    state.iter().any(is_array)
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

    /// Places every reachable node.
    pub(crate) fn scopes(&self) -> Scopes {
        let count = self.nodes.len();
        let mut scopes = Scopes {
            tree: vec![(0, 0)],
            nodes: vec![Vec::new()],
            first: vec![None; count],
        };
        let mut place: Vec<Option<Scope>> = vec![None; count];
        for root in self.roots() {
            place[root.0 as usize] = Some(0);
        }
        for k in (0..count).rev() {
            let Some(scope) = place[k] else { continue };
            scopes.nodes[scope].push(Id(k as u32));
            let node = &self.nodes[k];
            let (outside, inside) = regions(node);
            let first = scopes.tree.len();
            if !inside.is_empty() {
                scopes.first[k] = Some(first);
            }
            let mut uses: Vec<(Id, Scope)> = outside.into_iter().map(|id| (id, scope)).collect();
            for (number, region) in inside.into_iter().enumerate() {
                let inner = first + number;
                let nested = number == 1 && matches!(node, Node::Loop { .. });
                let parent = if nested { inner - 1 } else { scope };
                scopes.tree.push((parent, scopes.tree[parent].1 + 1));
                scopes.nodes.push(Vec::new());
                uses.extend(region.into_iter().map(|id| (id, inner)));
            }
            for (id, scope) in uses {
                let at = &mut place[id.0 as usize];
                *at = Some(match *at {
                    None => scope,
                    Some(other) => scopes.common(scope, other),
                });
            }
        }
        for nodes in &mut scopes.nodes {
            nodes.reverse();
        }
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
