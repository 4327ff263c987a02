//! What C sees of a function with `#[export(c)]`: its parameters, the wrapper with the symbol, and its lines in the header.
//!
//! In: a function whose types C has, as `check` has made sure. A device comes first, if the function takes one, then the
//! parameters, then a pointer for each part of the result.

mod header;
mod wrapper;

pub use header::header;
pub(super) use wrapper::wrapper;

use crate::typed::{Function, Type};

/// One parameter in C.
struct Parameter<'f> {
    /// As the user has it, or `result_0`: the path to it.
    name: String,
    ty: &'f Type,
    role: Role,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// A scalar, or an array that is lent.
    Argument,
    /// An array that is given away.
    Consumed,
    /// A part of the result.
    Result,
}

/// All but the device.
fn parameters(source: &Function) -> Vec<Parameter<'_>> {
    let arguments = source.parameters.iter().map(|parameter| Parameter {
        name: parameter.name.clone(),
        ty: &parameter.ty,
        role: match parameter.consumed {
            true => Role::Consumed,
            false => Role::Argument,
        },
    });
    let mut all: Vec<Parameter> = arguments.collect();
    results(&source.result, "result".to_owned(), &mut all);
    all
}

/// The parts of a result in order.
fn results<'f>(ty: &'f Type, name: String, all: &mut Vec<Parameter<'f>>) {
    match ty {
        Type::Tuple(parts) => {
            for (k, part) in parts.iter().enumerate() {
                results(part, format!("{name}_{k}"), all);
            }
        }
        ty => all.push(Parameter {
            name,
            ty,
            role: Role::Result,
        }),
    }
}
