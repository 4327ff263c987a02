//! Public functions without arrays: plain Rust, with no device and no `Result`.

use super::artifact::Artifact;
use super::data;
use super::parameters;
use super::surface::{host_type, put_together, take_apart};
use crate::codegen::names::rust::identifier;
use crate::codegen::scalar::{Context, leaf};
use crate::ir::{Node, Program, Site};
use crate::plan::{Output, Step};
use crate::typed::{Block, Function, Host, Type};
use proc_macro2::TokenStream;
use quote::quote;
use std::collections::VecDeque;

/// Whether a function is emitted as plain Rust: no array in its signature, no array operation in its body. `program`
/// is as lowered, before any pass: what a pass can do must not change a signature.
pub(crate) fn is_plain(source: &Function, program: &Program) -> bool {
    let array_operation = |node: &Node| match node {
        Node::Input { .. }
        | Node::Extent { .. }
        | Node::OnCuda
        | Node::Routine { .. }
        | Node::Index { .. }
        | Node::Generate { .. }
        | Node::Reduce { .. }
        | Node::Scan { .. }
        | Node::Scatter { .. }
        | Node::Compact { .. }
        | Node::Sort { .. }
        | Node::Materialize(_) => true,
        Node::Constant(_)
        | Node::Parameter(_)
        | Node::Variable(_)
        | Node::Unary(..)
        | Node::Binary(..)
        | Node::Select(..)
        | Node::Cast(..)
        | Node::Bitcast(..)
        | Node::Math(..)
        | Node::Foreign(..)
        | Node::Guard { .. }
        | Node::Demand { .. }
        | Node::If { .. }
        | Node::Loop { .. }
        | Node::Project(..) => false,
    };
    (matches!(source.host, Host::Item { .. }) || source.method.is_some())
        && !source.result.has_array()
        && !program.ids().any(|id| array_operation(program.node(id)))
        && (source.parameters.iter()).all(|parameter| !parameter.ty.has_array())
}

/// The function.
pub(super) fn function(block: &Block, source: &Function, artifact: Artifact<'_>) -> TokenStream {
    match &source.host {
        Host::Item {
            visibility,
            attributes,
            ..
        } => item(block, source, artifact, visibility, attributes),
        Host::Helper | Host::Expression { .. } => unreachable!("an expression has a device"),
    }
}

/// A function of an `impl`, in an `impl` of its own.
pub(crate) fn method(block: &Block, source: &Function, artifact: Artifact<'_>) -> TokenStream {
    let Some(method) = &source.method else {
        return TokenStream::new();
    };
    let (visibility, attributes) = (&method.visibility, &method.attributes);
    let item = item(block, source, artifact, visibility, attributes);
    let owner = host_type(block, &method.owner);
    let conditions = data::conditions(match &method.owner {
        Type::Struct(id) => block.structs[*id].item.attributes(),
        _ => &[],
    });
    let Some(operator) = method.operator else {
        return quote!(#(#conditions)* impl #owner { #item });
    };
    let operator = identifier(operator);
    let right = source.parameters.get(1);
    let right = right.map(|right| host_type(block, &right.ty));
    let right = right.map(|right| quote!(<#right>));
    let output = host_type(block, &source.result);
    quote! {
        #(#conditions)*
        impl ::core::ops::#operator #right for #owner {
            type Output = #output;
            #item
        }
    }
}

fn item(
    block: &Block,
    source: &Function,
    artifact: Artifact<'_>,
    visibility: &syn::Visibility,
    attributes: &[syn::Attribute],
) -> TokenStream {
    let plan = artifact.plan;
    let (name, result) = (&source.name, host_type(block, &source.result));
    let check = |condition: TokenStream, Site(site): Site, [first, second]: [TokenStream; 2]| {
        quote! {
            if !#condition {
                ::accelerate::rt::panic(SITES, #site, [#first, #second]);
            }
        }
    };
    let scalars = Context {
        types: &plan.types,
        names: &plan.names,
        check: &check,
    };
    let names = parameters(source, plan);
    let parameters = source
        .parameters
        .iter()
        .zip(&names)
        .map(|(parameter, name)| {
            let ty = host_type(block, &parameter.ty);
            match parameter.name == "self" {
                true => quote!(self),
                false => quote!(#name: #ty),
            }
        });
    let mut leaves = Vec::new();
    for (parameter, name) in source.parameters.iter().zip(&names) {
        let value = match parameter.name == "self" {
            true => quote!(self),
            false => quote!(#name),
        };
        take_apart(block, &parameter.ty, value, &mut leaves);
    }
    let inputs = plan.scalars.iter().zip(leaves).map(|(&value, expression)| {
        let (variable, ty) = (scalars.name(value), leaf(plan.types[value.0 as usize]));
        quote!(let #variable: #ty = #expression;)
    });
    let body = plan.steps.iter().map(|step| match step {
        Step::Compute(statement) => scalars.statement(statement),
        Step::Check {
            condition,
            site,
            values,
        } => scalars.check(*condition, *site, values),
        other => unreachable!("no arrays, yet {other:?}"),
    });
    let mut results: VecDeque<TokenStream> = plan
        .outputs
        .iter()
        .flat_map(|output| match output {
            Output::Host(values) => values.iter().map(|&value| {
                let name = scalars.name(value);
                quote!(#name)
            }),
            other => unreachable!("no arrays, yet {other:?}"),
        })
        .collect();
    let value = put_together(block, &source.result, &mut results);
    let sites = (!plan.sites.is_empty()).then(|| {
        let sites = data::sites(&plan.sites, artifact.spans);
        quote!(static SITES: &[::accelerate::rt::Site] = #sites;)
    });
    quote! {
        #(#attributes)*
        #[allow(unused_variables, unused_mut, unused_assignments, unused_parens, non_snake_case, clippy::all,
                reason = "generated code")]
        #visibility fn #name(#(#parameters),*) -> #result {
            #sites
            #(#inputs)*
            #(#body)*
            #value
        }
    }
}
