//! Contracts: what `#[fused(..)]` promises, against what the plan costs.
//!
//! In: a function's attributes and its plan. Out: nothing, or the error, at the edge that could not be fused.

use crate::diag::Diagnostic;
use crate::ir::Parameter;
use crate::plan::{Op, Plan, Polynomial, Statement, Step, Value};
use crate::scalar::Binary;
use crate::sorted::SortedMap;
use crate::spans::Spans;
use crate::syntax::span;
use crate::typed::{Attributes, Limited};
use proc_macro2::Span;

/// Whether the plan keeps the promises.
///
/// # Errors
/// The ones it does not keep.
pub(crate) fn hold(
    attributes: &Attributes,
    plan: &Plan,
    spans: &Spans,
) -> Result<(), Vec<Diagnostic>> {
    let mut errors = Vec::new();
    for &(limited, allowed, at) in &attributes.limits {
        let (found, what, name) = match limited {
            Limited::Launches if plan.cost.kernels > allowed => {
                errors.push(too_many_kernels(plan, spans, allowed, at));
                continue;
            }
            Limited::Launches => continue,
            Limited::Checks => (
                plan.checks_in_kernels(),
                "makes {} checks in kernels",
                "checks",
            ),
            Limited::Atomics => (
                plan.atomics(),
                "combines into {} arrays atomically",
                "atomics",
            ),
        };
        if found > allowed {
            let does = what.replace("{}", &found.to_string());
            let message = format!("`{}` {does}, its contract allows {allowed}", plan.name);
            let help = format!("write `#[fused({name} = {found})]`");
            errors.push(Diagnostic::new(at, message).help(help));
        }
    }
    if let Some(expression) = &attributes.bytes {
        match bound(plan, expression) {
            Ok(allowed) => errors.extend(too_many_bytes(plan, &allowed, span(expression))),
            Err(error) => errors.push(*error),
        }
    }
    match errors.is_empty() {
        true => Ok(()),
        false => Err(errors),
    }
}

/// The edge that keeps kernels apart, with the reason.
fn too_many_kernels(plan: &Plan, spans: &Spans, allowed: u32, at: Span) -> Diagnostic {
    let needed = plan.cost.kernels;
    let kernels: Vec<String> = (plan.kernels.iter())
        .map(|kernel| format!("`{}`", kernel.name))
        .collect();
    let message = format!(
        "`{}` takes {needed} kernels ({}), its contract allows {allowed}",
        plan.name,
        kernels.join(", ")
    );
    let help =
        format!("write `#[fused(kernels = {needed})]`, or remove what keeps the kernels apart");
    match plan.notes.iter().find(|note| note.barrier) {
        Some(note) => {
            let at = note.span.map_or(at, |span| spans.get(span));
            Diagnostic::new(at, format!("{message}: {}", note.text))
        }
        None => Diagnostic::new(at, message),
    }
    .help(help)
}

fn too_many_bytes(plan: &Plan, allowed: &Polynomial, at: Span) -> Option<Diagnostic> {
    let moved = plan.cost.read.plus(&plan.cost.written);
    let same = equalities(plan);
    let one = |p: &Polynomial| p.rename(|symbol| same.get(symbol).cloned());
    let minus = Polynomial::constant(-1).times(&one(&moved));
    let spare = one(allowed).plus(&minus);
    if spare.terms.iter().all(|(coefficient, _)| *coefficient >= 0) {
        return None;
    }
    let message = format!(
        "`{}` moves {moved} bytes (reads {}, writes {}), its contract allows {allowed}",
        plan.name, plan.cost.read, plan.cost.written
    );
    let help = match plan.notes.iter().find(|note| note.barrier) {
        Some(note) => format!("write `#[fused(bytes = {moved})]`; {}", note.text),
        None => format!("write `#[fused(bytes = {moved})]`"),
    };
    Some(Diagnostic::new(at, message).help(help))
}

/// Symbols that the checks before the first launch have found equal, by the one that stands for them.
fn equalities(plan: &Plan) -> SortedMap<String, String> {
    let mut symbols: SortedMap<Value, String> = SortedMap::new();
    for ((name, rank), values) in arrays(plan).into_iter().zip(&plan.extents) {
        for (axis, &value) in values.iter().enumerate() {
            symbols.insert(value, symbol(name, rank, axis));
        }
    }
    let mut definitions: SortedMap<Value, &Op> = SortedMap::new();
    let mut same: SortedMap<String, String> = SortedMap::new();
    for step in &plan.steps {
        match step {
            Step::Compute(Statement::Let { value, op }) => {
                definitions.insert(*value, op);
            }
            Step::Check { condition, .. } => {
                let mut open = vec![*condition];
                while let Some(value) = open.pop() {
                    match definitions.get(&value) {
                        Some(Op::Binary(Binary::And, a, b)) => open.extend([*a, *b]),
                        Some(Op::Binary(Binary::Eq, a, b)) => {
                            if let (Some(a), Some(b)) = (symbols.get(a), symbols.get(b)) {
                                join(&mut same, a, b);
                            }
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    same
}

fn join(same: &mut SortedMap<String, String>, a: &str, b: &str) {
    let find = |name: &str| same.get(name).cloned().unwrap_or_else(|| name.to_owned());
    let (a, b) = (find(a), find(b));
    let (first, second) = if a < b { (a, b) } else { (b, a) };
    if first == second {
        return;
    }
    for stands in same.values_mut().filter(|stands| **stands == second) {
        stands.clone_from(&first);
    }
    same.insert(second, first);
}

/// Array parameters and their ranks.
fn arrays(plan: &Plan) -> Vec<(&str, usize)> {
    let array = |parameter: &'_ Parameter| matches!(parameter, Parameter::Array { .. });
    let arrays = plan.parameters.iter().filter(|&parameter| array(parameter));
    arrays
        .map(|parameter| match parameter {
            Parameter::Array { name, rank, .. } => (name.as_str(), *rank as usize),
            Parameter::Scalars { name, .. } => (name.as_str(), 0),
        })
        .collect()
}

/// The name of an extent in costs.
fn symbol(array: &str, rank: usize, axis: usize) -> String {
    match rank {
        1 => format!("{array}.len()"),
        _ => format!("{array}.shape().{axis}"),
    }
}

/// The contract's expression: sums and products of numbers, extents of parameters, and scalar parameters.
fn bound(plan: &Plan, expression: &syn::Expr) -> Result<Polynomial, Box<Diagnostic>> {
    let wrong = |at: Span, what: String| {
        let help =
            "write sums and products of numbers, `xs.len()`, `m.shape().0` and scalar parameters";
        Err(Box::new(Diagnostic::new(at, what).help(help)))
    };
    // As costs are written: also what is no parameter.
    let spaceless = |text: String| text.replace(' ', "");
    let written = spaceless(quote::quote!(#expression).to_string());
    let costs = [&plan.cost.read, &plan.cost.written];
    let mut symbols = costs.into_iter().flat_map(|cost| cost.symbols());
    if let Some(symbol) = symbols.find(|symbol| spaceless((*symbol).to_owned()) == written) {
        return Ok(Polynomial::symbol(symbol));
    }
    match expression {
        syn::Expr::Paren(inner) => bound(plan, &inner.expr),
        syn::Expr::Group(inner) => bound(plan, &inner.expr),
        syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Int(number),
            ..
        }) => match number.base10_parse() {
            Ok(number) => Ok(Polynomial::constant(number)),
            Err(error) => wrong(number.span(), error.to_string()),
        },
        syn::Expr::Binary(binary) => {
            let (a, b) = (bound(plan, &binary.left)?, bound(plan, &binary.right)?);
            match binary.op {
                syn::BinOp::Add(_) => Ok(a.plus(&b)),
                syn::BinOp::Sub(_) => Ok(a.plus(&Polynomial::constant(-1).times(&b))),
                syn::BinOp::Mul(_) => Ok(a.times(&b)),
                _ => wrong(span(&binary.op), "no polynomial".to_owned()),
            }
        }
        syn::Expr::Path(path) => {
            let name = path.path.get_ident().map(ToString::to_string);
            let scalar = |parameter: &Parameter| match parameter {
                Parameter::Scalars { name: own, leaves } => {
                    Some(own) == name.as_ref() && leaves.len() == 1
                }
                Parameter::Array { .. } => false,
            };
            match name.clone() {
                Some(name) if plan.parameters.iter().any(scalar) => Ok(Polynomial::symbol(name)),
                _ => wrong(
                    span(path),
                    "no scalar parameter of this function".to_owned(),
                ),
            }
        }
        syn::Expr::MethodCall(call) if call.method == "len" && call.args.is_empty() => {
            let (name, rank) = array(plan, &call.receiver)?;
            match rank {
                1 => Ok(Polynomial::symbol(symbol(&name, 1, 0))),
                _ => {
                    let axes = (0..rank).map(|axis| Polynomial::symbol(symbol(&name, rank, axis)));
                    Ok(axes.fold(Polynomial::constant(1), |size, axis| size.times(&axis)))
                }
            }
        }
        syn::Expr::MethodCall(call) if call.method == "shape" && call.args.is_empty() => {
            match array(plan, &call.receiver)? {
                (name, 1) => Ok(Polynomial::symbol(symbol(&name, 1, 0))),
                (name, rank) => wrong(
                    span(call),
                    format!("`{name}` has {rank} extents: `{name}.shape().0` is the first"),
                ),
            }
        }
        syn::Expr::Field(field) => {
            let (syn::Expr::MethodCall(call), syn::Member::Unnamed(axis)) =
                (&*field.base, &field.member)
            else {
                return wrong(span(field), "no extent of a parameter".to_owned());
            };
            let (name, rank) = array(plan, &call.receiver)?;
            let axis = axis.index as usize;
            if call.method != "shape" || rank < 2 || axis >= rank {
                return wrong(span(field), format!("`{name}` has no such extent"));
            }
            Ok(Polynomial::symbol(symbol(&name, rank, axis)))
        }
        other => wrong(span(other), "no polynomial".to_owned()),
    }
}

/// `xs`, or `p.w` of a parameter with fields.
fn name(expression: &syn::Expr) -> Option<String> {
    match expression {
        syn::Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
        syn::Expr::Field(field) => {
            let member = &field.member;
            let member = quote::quote!(#member);
            Some(format!("{}.{member}", name(&field.base)?))
        }
        _ => None,
    }
}

/// The array parameter that an expression names.
fn array(plan: &Plan, expression: &syn::Expr) -> Result<(String, usize), Box<Diagnostic>> {
    let name = name(expression);
    let found = arrays(plan)
        .into_iter()
        .find(|(own, _)| Some(*own) == name.as_deref());
    found
        .map(|(name, rank)| (name.to_owned(), rank))
        .ok_or_else(|| {
            Box::new(
                Diagnostic::new(span(expression), "no array parameter of this function")
                    .help("a contract is in the shapes of the parameters"),
            )
        })
}
