//! Substitution: expressions in the place of variables, with regions' own variables renamed.

use super::{Id, Node, Program, Type, Var};
use std::collections::HashMap;

/// What is replaced inside one region.
struct Frame {
    map: HashMap<Var, Id>,
    /// The region's own variables, before renaming.
    bound: Vec<Var>,
    done: HashMap<Id, Id>,
}

impl Program {
    /// `id` with variables replaced, bound variables renamed wherever a region changes.
    pub fn substitute(&mut self, id: Id, map: &HashMap<Var, Id>) -> Id {
        self.substitute_all(&[id], map)[0]
    }

    /// Like [`Program::substitute`]; expressions shared between the roots stay shared.
    pub fn substitute_all(&mut self, ids: &[Id], map: &HashMap<Var, Id>) -> Vec<Id> {
        let mut frames = vec![Frame {
            map: map.clone(),
            bound: Vec::new(),
            done: HashMap::new(),
        }];
        ids.iter()
            .map(|&id| self.replace(id, &mut frames, 0))
            .collect()
    }

    /// Operands first: recursion is as deep as regions are nested, not as long as an expression is.
    fn replace(&mut self, id: Id, frames: &mut Vec<Frame>, level: usize) -> Id {
        let mut open = vec![(id, level)];
        while let Some(&(next, level)) = open.last() {
            match self.operand_to_replace(next, frames, level) {
                Some(operand) => open.push(operand),
                None => {
                    open.pop();
                    self.replace_one(next, frames, level);
                }
            }
        }
        self.replace_one(id, frames, level)
    }

    /// An operand of a node that binds nothing whose turn comes before that of the node, and the frame that it is in.
    fn operand_to_replace(&self, id: Id, frames: &[Frame], level: usize) -> Option<(Id, usize)> {
        let level = self.level_to_replace(id, frames, level)?;
        let node = self.node(id);
        if !node.bound().is_empty() {
            return None;
        }
        let mut found = None;
        node.operands(|operand| {
            if found.is_none() && self.level_to_replace(operand, frames, level).is_some() {
                found = Some((operand, level));
            }
        });
        found
    }

    /// The frame of a node that has to be replaced and has not been: what depends on no variable of the innermost regions is
    /// replaced once for all of them.
    fn level_to_replace(&self, id: Id, frames: &[Frame], level: usize) -> Option<usize> {
        let level = self.level(id, frames, level);
        let free = self.free(id);
        let changes = free.iter().any(|var| frames[level].map.contains_key(var));
        (changes && !frames[level].done.contains_key(&id)).then_some(level)
    }

    fn level(&self, id: Id, frames: &[Frame], mut level: usize) -> usize {
        let free = self.free(id);
        while level > 0 && !frames[level].bound.iter().any(|var| free.contains(var)) {
            level -= 1;
        }
        level
    }

    fn replace_one(&mut self, id: Id, frames: &mut Vec<Frame>, level: usize) -> Id {
        let level = match self.level_to_replace(id, frames, level) {
            Some(level) => level,
            None => {
                let level = self.level(id, frames, level);
                return *frames[level].done.get(&id).unwrap_or(&id);
            }
        };
        let mut node = self.node(id).clone();
        let bound = node.bound();
        let to = if let Node::Variable(var) = node {
            frames[level].map[&var]
        } else if bound.is_empty() {
            node.map_operands(|operand| self.replace(operand, frames, level));
            self.add(node)
        } else {
            // Fresh variables: the substituted expressions may mention the ones of this region.
            let above = frames.split_off(level + 1);
            frames.push(Frame {
                map: frames[level].map.clone(),
                bound: bound.clone(),
                done: HashMap::new(),
            });
            let mut fresh: HashMap<Var, Var> = HashMap::new();
            for &var in &bound {
                let mut ty = self.var_type(var).clone();
                if let Type::Array(_, extents) = &mut ty {
                    for extent in extents {
                        *extent = self.replace(*extent, frames, level + 1);
                    }
                }
                let new = match self.states.contains(&var) {
                    true => self.state_var(ty),
                    false => self.var(ty),
                };
                if let Some(name) = self.var_names.get(&var).cloned() {
                    self.var_names.insert(new, name);
                }
                let read = self.add(Node::Variable(new));
                frames[level + 1].map.insert(var, read);
                fresh.insert(var, new);
            }
            node.map_operands(|operand| self.replace(operand, frames, level + 1));
            node.map_bound(|var| fresh[&var]);
            frames.truncate(level + 1);
            frames.extend(above);
            self.add(node)
        };
        self.keep_labels(id, to);
        frames[level].done.insert(id, to);
        to
    }
}
