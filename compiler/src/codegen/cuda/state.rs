//! The states of folds in C: a leaf, or a struct of leaves.

use super::body::Code;
use crate::codegen::names::Names;
use crate::plan::{Phase, Value};
use crate::scalar::Leaf;

/// The state of a phase's folds together.
pub(super) struct State {
    /// The type in C.
    pub(super) name: String,
    /// The fields, by fold and leaf; nothing if the state is one leaf and no struct.
    pub(super) fields: Option<Vec<Vec<String>>>,
    /// Their types.
    leaves: Vec<Leaf>,
}

impl State {
    /// Of no values: there is no such variable.
    pub(super) fn none() -> State {
        State {
            name: String::new(),
            fields: None,
            leaves: Vec::new(),
        }
    }

    /// Of all fields.
    pub(super) fn bytes(&self) -> usize {
        self.leaves.iter().map(|leaf| leaf.bytes()).sum()
    }

    /// Of these values: defines the struct of this name, unless there is one value only.
    pub(super) fn define(code: &mut Code<'_>, name: String, groups: &[&[Value]]) -> State {
        let leaves: Vec<Leaf> = groups
            .iter()
            .copied()
            .flatten()
            .map(|value| code.leaf(*value))
            .collect();
        if let [leaf] = leaves.as_slice() {
            return State {
                name: leaf.name().to_owned(),
                fields: None,
                leaves,
            };
        }
        code.open(format!("struct {name} {{"));
        let mut names = Names::default();
        let mut fields = Vec::new();
        for group in groups {
            let mut of_group = Vec::new();
            for value in *group {
                let field = names.fresh(&code.wanted(*value));
                code.line(format!("{} {field};", code.leaf(*value).name()));
                of_group.push(field);
            }
            fields.push(of_group);
        }
        code.close("};");
        code.line("");
        State {
            name,
            fields: Some(fields),
            leaves,
        }
    }

    /// Field `leaf` of fold `fold` of the state in `variable`.
    pub(super) fn field(&self, variable: &str, fold: usize, leaf: usize) -> String {
        match &self.fields {
            None => variable.to_owned(),
            Some(fields) => format!("{variable}.{}", fields[fold][leaf]),
        }
    }

    /// A state made of its fields.
    pub(super) fn made(&self, fields: &[String]) -> String {
        match self.fields {
            None => fields[0].clone(),
            // C refuses to narrow within braces, and literals are `int`.
            Some(_) => {
                let exact = |(field, leaf): (&String, &Leaf)| {
                    if field.contains(" ? ") {
                        format!("{}({field})", leaf.name())
                    } else {
                        field.clone()
                    }
                };
                format!(
                    "{{{}}}",
                    fields
                        .iter()
                        .zip(&self.leaves)
                        .map(exact)
                        .collect::<Vec<_>>()
                        .join(", ")
                )
            }
        }
    }
}

/// Defines the structs of the states; gives one per phase.
pub(super) fn write_states(code: &mut Code<'_>, phases: &[Phase]) -> Vec<Option<State>> {
    let mut number = 0;
    let mut states = Vec::new();
    for phase in phases {
        let (Phase::Fold { folds, .. } | Phase::Scan { folds, .. }) = phase else {
            states.push(None);
            continue;
        };
        number += u32::from(folds.iter().map(|fold| fold.results.len()).sum::<usize>() != 1);
        let suffix = if number == 1 {
            String::new()
        } else {
            format!("_{number}")
        };
        let name = format!("{}_state{suffix}", code.symbol);
        let groups: Vec<&[Value]> = folds.iter().map(|fold| fold.results.as_slice()).collect();
        states.push(Some(State::define(code, name, &groups)));
    }
    states
}
