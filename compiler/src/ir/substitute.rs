//! Substitution: expressions in the place of variables, with regions' own variables renamed.

use super::{Id, Node, Program, QuickMap, Type, Var};

/// What is replaced inside one region.
struct Frame {
    map: QuickMap<Var, Id>,
    /// The region's own variables, before renaming.
    bound: Vec<Var>,
    done: QuickMap<Id, Id>,
}

impl Program {
    /// `id` with variables replaced, bound variables renamed wherever a region changes.
    pub(crate) fn substitute(&mut self, id: Id, map: &QuickMap<Var, Id>) -> Id {
        self.substitute_all(&[id], map)[0]
    }

    /// Like [`Program::substitute`]; expressions shared between the roots stay shared.
    pub(crate) fn substitute_all(&mut self, ids: &[Id], map: &QuickMap<Var, Id>) -> Vec<Id> {
        let mut map = map.clone();
        map.retain(|&var, &mut to| *self.node(to) != Node::Variable(var));
        let mut frames = vec![Frame {
            map,
            bound: Vec::new(),
            done: QuickMap::default(),
        }];
        ids.iter()
            .map(|&id| self.replace(id, &mut frames, 0))
            .collect()
    }

    /// Operands first: recursion is as deep as regions are nested, not as long as an expression is.
    fn replace(&mut self, id: Id, frames: &mut Vec<Frame>, level: usize) -> Id {
        // Nodes that bind nothing come twice: before their operands and after them.
        let mut open = vec![(id, level, false)];
        while let Some((next, at, after)) = open.pop() {
            let Some(level) = self.level_to_replace(next, frames, at) else {
                continue;
            };
            let node = self.node(next);
            if after || node.binds() {
                self.replace_one(next, frames, level);
            } else {
                open.push((next, level, true));
                let first = open.len();
                node.operands(|operand| open.push((operand, level, false)));
                open[first..].reverse();
            }
        }
        self.replaced(id, frames, level)
    }

    /// The frame of a node that has to be replaced and has not been: what depends on no variable of the innermost regions is
    /// replaced once for all of them.
    fn level_to_replace(&self, id: Id, frames: &[Frame], level: usize) -> Option<usize> {
        let free = self.free(id);
        if free.is_empty() {
            return None;
        }
        let level = self.level(id, frames, level);
        let map = &frames[level].map;
        let changes = match map.len() < free.len() {
            true => map.keys().any(|var| free.contains(var)),
            false => free.iter().any(|var| map.contains_key(var)),
        };
        (changes && !frames[level].done.contains_key(&id)).then_some(level)
    }

    fn level(&self, id: Id, frames: &[Frame], mut level: usize) -> usize {
        let free = self.free(id);
        while level > 0 && !frames[level].bound.iter().any(|var| free.contains(var)) {
            level -= 1;
        }
        level
    }

    /// What a node is now, after its turn.
    fn replaced(&self, id: Id, frames: &[Frame], level: usize) -> Id {
        let level = self.level(id, frames, level);
        *frames[level].done.get(&id).unwrap_or(&id)
    }

    /// Replaces a node in the frame that it is in; the operands of one that binds nothing have had their turns.
    fn replace_one(&mut self, id: Id, frames: &mut Vec<Frame>, level: usize) {
        let mut node = self.node(id).clone();
        let to = if let Node::Variable(var) = node {
            frames[level].map[&var]
        } else if !node.binds() {
            node.map_operands(|operand| self.replaced(operand, frames, level));
            self.add(node)
        } else {
            let bound = node.bound();
            // Fresh variables: the substituted expressions may mention the ones of this region.
            let above = frames.split_off(level + 1);
            frames.push(Frame {
                map: frames[level].map.clone(),
                bound: bound.clone(),
                done: QuickMap::default(),
            });
            let mut fresh: QuickMap<Var, Var> = QuickMap::default();
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
    }
}
