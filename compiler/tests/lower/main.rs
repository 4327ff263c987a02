//! From source text to programs: printed, evaluated, or refused.

mod as_rust;
mod bundles;
mod compactions;
mod comparisons;
mod control;
mod evaluation;
mod fixed_arrays;
mod functions;
mod generics;
mod greatest;
mod halves;
#[path = "../../../tests/listing.rs"]
mod listing;
mod numbers;
mod operators;
mod options;
mod orderings;
mod scans;
mod scatters;
mod segmented;
mod shapes;
#[path = "../source/mod.rs"]
mod source;
mod split_and_join;
mod stencils;
mod types;
mod wide;

use accelerate_compiler::ir::eval::{Array, Output, eval};
use accelerate_compiler::scalar::{Leaf, Scalar};
use source::{program, try_lower};

/// The message of the error that a program is refused with.
fn refused(source: &str) -> String {
    match try_lower(source) {
        Ok(program) => panic!("lowered:\n{program}"),
        Err(errors) => errors[0].message.clone(),
    }
}

fn vector(values: &[f64]) -> Array {
    Array {
        extents: vec![values.len() as u64],
        leaves: vec![values.iter().map(|&value| Scalar::f64(value)).collect()],
    }
}

fn matrix(rows: u64, columns: u64, values: &[f64]) -> Array {
    Array {
        extents: vec![rows, columns],
        ..vector(values)
    }
}

fn integers(values: &[i32]) -> Array {
    Array {
        extents: vec![values.len() as u64],
        leaves: vec![
            values
                .iter()
                .map(|&value| Scalar::number(Leaf::I32, value.into()))
                .collect(),
        ],
    }
}

/// All numbers of all outputs in order, or the message of the failure with its values.
fn run(source: &str, scalars: &[Scalar], arrays: &[Array]) -> Result<Vec<f64>, String> {
    let program = program(source);
    let outputs = eval(&program, scalars, arrays).map_err(|failed| {
        let mut message = program.sites[failed.site.0 as usize].message.clone();
        for (k, value) in failed.values.iter().enumerate() {
            message = message.replace(&format!("{{{k}}}"), &value.to_string());
        }
        message
    })?;
    let leaves = outputs.into_iter().flat_map(|output| match output {
        Output::Scalar(leaves) => vec![leaves],
        Output::Array { leaves, .. } => leaves,
    });
    Ok(leaves
        .flatten()
        .map(|scalar| match scalar.leaf {
            Leaf::Bool => f64::from(u8::from(scalar.is_true())),
            Leaf::F32 | Leaf::F64 => scalar.as_f64(),
            _ => scalar.as_i64() as f64,
        })
        .collect())
}
