//! The files of foreign functions that a plan's kernels call, as they stand there, each in a namespace of its own.

use super::walk::{Definition, Facts};
use crate::plan::{Op, Plan};
use crate::sorted::SortedMap;
use std::fmt::Write as _;

/// Nothing if there are none, as the kernels' text shows.
pub(super) fn files(plan: &Plan, kernels: &str) -> String {
    let mut files = SortedMap::new();
    if !kernels.contains("foreign_") {
        return String::new();
    }
    for kernel in &plan.kernels {
        for definition in Facts::of(kernel).definitions {
            if let Some(Definition::Op(Op::Foreign(f, _))) = definition {
                files.insert(f.namespace(), f);
            }
        }
    }
    let mut text = String::new();
    for (namespace, f) in files {
        let _ = write!(
            text,
            "// {}\nnamespace {namespace} {{\n{}\n}}\n\n",
            f.file,
            f.text.trim_end()
        );
    }
    text
}
