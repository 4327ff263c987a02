//! The names of what is printed.

use super::Printer;
use crate::ir::{Id, Node, Parameter, Type};
use crate::scalar::Leaf;

impl Printer<'_> {
    pub(super) fn fresh(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut k = 1;
        while !self.taken.insert(name.clone()) {
            k += 1;
            name = format!("{wanted}_{k}");
        }
        name
    }

    /// The node's name in the source; a bundle of one has that of its only component.
    pub(super) fn source_name(&self, id: Id) -> Option<String> {
        if !self.names {
            return None;
        }
        let names = &self.program.names;
        let single = || match self.program.ty(id) {
            Type::Bundle(parts) if parts.len() == 1 => {
                names.get(&self.program.find(&Node::Project(id, 0))?)
            }
            Type::Bundle(_) | Type::Scalar(_) | Type::Array(..) => None,
        };
        names.get(&id).or_else(single).cloned()
    }

    pub(super) fn numbered(&mut self) -> String {
        let name = format!("x{}", self.next);
        self.next += 1;
        self.fresh(&name)
    }

    pub(super) fn name_parameters(&mut self) {
        let program = self.program;
        let (mut scalars, mut arrays, mut letters) = (0, 0, 0);
        // Before the letters for extents, which give way.
        for (k, parameter) in program.parameters.iter().enumerate() {
            let (Parameter::Scalars { name, .. } | Parameter::Array { name, .. }) = parameter;
            let name = if self.names {
                self.fresh(name)
            } else {
                self.fresh(&format!("p{k}"))
            };
            self.parameters.push(name);
        }
        for (k, parameter) in program.parameters.iter().enumerate() {
            let name = self.parameters[k].clone();
            let leaf_name = |leaves: &[(String, Leaf)], leaf: usize| match leaves {
                [_] => name.clone(),
                _ if self.names && !leaves[leaf].0.is_empty() => {
                    format!("{name}.{}", leaves[leaf].0)
                }
                _ => format!("{name}.{leaf}"),
            };
            match parameter {
                Parameter::Scalars { leaves, .. } => {
                    for leaf in 0..leaves.len() {
                        let text = leaf_name(leaves, leaf);
                        if let Some(id) = program.find(&Node::Parameter(scalars)) {
                            self.ids.insert(id, text);
                        }
                        scalars += 1;
                    }
                }
                Parameter::Array { leaves, rank, .. } => {
                    for leaf in 0..leaves.len() {
                        let text = leaf_name(leaves, leaf);
                        let leaf = leaf as u32;
                        let node = Node::Input {
                            array: arrays,
                            leaf,
                        };
                        if let Some(id) = program.find(&node) {
                            self.ids.insert(id, text);
                        }
                    }
                    for axis in 0..*rank {
                        const LETTERS: [&str; 8] = ["n", "m", "k", "l", "p", "q", "r", "s"];
                        let letter = LETTERS
                            .get(letters)
                            .map_or_else(|| format!("n{letters}"), |&letter| letter.to_owned());
                        letters += 1;
                        let text = self.fresh(&letter);
                        let node = Node::Extent {
                            array: arrays,
                            axis,
                        };
                        if let Some(id) = program.find(&node) {
                            self.ids.insert(id, text);
                        }
                    }
                    arrays += 1;
                }
            }
        }
    }
}
