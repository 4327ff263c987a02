//! The expansion of a block: what the macro gives back to rustc.
//!
//! In: functions with their plans. Out: for each public function an item of the same name with a `&Device` in front
//! and its result in `Result`, whose body runs the plan's steps through the runtime; beside it the empty struct of the
//! same name that tells what the compiler knows; structs of the block with their `Element`; and for a function with
//! errors its signature, so that the rest of the file still type-checks. Variables of ours have the hygiene of
//! `mixed_site`: they meet no name of the user's.

mod artifact;
mod constants;
mod data;
mod derives;
mod enums;
mod export;
mod names;
mod plain;
mod routines;
mod steps;
mod structs;
mod surface;

pub(crate) use artifact::Artifact;
pub use artifact::{Built, refusal};
pub(crate) use constants::{constants, foreign_files};
pub(crate) use data::is_alone;
pub use export::header;
pub(crate) use names::Names;
pub(crate) use plain::{is_plain, method};
pub(crate) use structs::structs;

use crate::codegen::cpu;
use crate::codegen::names::rust::{self, identifier, local};
use crate::codegen::scalar::{Context, leaf};
use crate::ir::Parameter;
use crate::plan::{Output, Plan};
use crate::typed::{Block, Function, Host, Type};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use std::collections::VecDeque;
use steps::{Steps, fail_call};
use surface::{fields, host_type, leaf_count, leaf_types, put_together, take_apart};

/// The item, or the expression, of a compiled function. One that is `plain` becomes plain Rust.
pub(crate) fn function(
    block: &Block,
    source: &Function,
    plain: bool,
    artifact: Artifact<'_>,
) -> TokenStream {
    match &source.host {
        Host::Helper => TokenStream::new(),
        Host::Item { attributes, .. } if plain => {
            let item = plain::function(block, source, artifact);
            let exported = export::wrapper(block, source, plain, attributes);
            quote!(#item #exported)
        }
        Host::Item {
            visibility,
            attributes,
            ..
        } => {
            let item = device_function(block, source, artifact, visibility);
            let companion = data::companion(block, artifact, source, visibility, attributes);
            let exported = export::wrapper(block, source, plain, attributes);
            quote! {
                #(#attributes)*
                #item
                #companion
                #exported
            }
        }
        Host::Expression { device } => {
            let private = syn::Visibility::Inherited;
            let item = device_function(block, source, artifact, &private);
            let companion = data::companion(block, artifact, source, &private, &[]);
            let name = &source.name;
            let arguments = source.parameters.iter().map(|parameter| {
                let mut variable = identifier(&parameter.name);
                variable.set_span(parameter.span);
                match parameter.is_borrowed() {
                    true => quote!(&#variable),
                    false => quote!(#variable),
                }
            });
            let on = local("device");
            quote!({
                #item
                #companion
                let #on: &::accelerate::Device = &#device;
                #name(#on, #(#arguments),*)
            })
        }
    }
}

/// The signature of a function that has errors, as written, with a body that says so.
pub(crate) fn stub(block: &Block, host: &Host, names: &Names) -> TokenStream {
    match host {
        Host::Helper => TokenStream::new(),
        // Not even rustc's parser would take it.
        Host::Item { signature, .. } if signature.receiver().is_some() => TokenStream::new(),
        Host::Expression { .. } => quote!(::core::unimplemented!("this program has errors")),
        Host::Item {
            visibility,
            attributes,
            signature,
        } => {
            let (mut signature, array) = names.signature(signature);
            let mut result: TokenStream = match &signature.output {
                syn::ReturnType::Default => quote!(()),
                syn::ReturnType::Type(_, ty) => quote!(#ty),
            };
            if array {
                let name = local("device");
                let device: syn::FnArg = syn::parse_quote!(#name: &::accelerate::Device);
                signature.inputs.insert(0, device);
                result = quote!(::accelerate::Result<#result>);
                signature.output = syn::parse_quote!(-> #result);
            }
            let conditions: Vec<_> = data::conditions(attributes);
            let (name, generics, inputs) =
                (&signature.ident, &signature.generics, &signature.inputs);
            let item = quote! {
                #(#attributes)*
                #[allow(unused_variables, unused_mut, clippy::all, reason = "it has errors")]
                #visibility #signature {
                    ::core::unimplemented!("this program has errors")
                }
            };
            if is_alone(block, name) {
                return item;
            }
            quote! {
                #item
                #(#conditions)*
                #[doc(hidden)]
                #[allow(non_camel_case_types, dead_code, reason = "it stands beside the function of its name")]
                #visibility struct #name {}
                #(#conditions)*
                #[allow(missing_docs, dead_code, unused_variables, unused_mut, reason = "it has errors")]
                impl #name {
                    pub const PLAN: &'static str = "";
                    pub const CUDA: &'static str = "";
                    pub const KERNELS: &'static [&'static str] = &[];
                    pub const COST: ::accelerate::Cost =
                        ::accelerate::Cost { kernels: 0, read: "", written: "" };
                    pub const PEAK: &'static str = "";
                    pub fn ptx() -> ::core::option::Option<&'static str> { ::core::option::Option::None }
                    pub fn warm(_: &::accelerate::Device) -> ::accelerate::Result<()> { ::core::result::Result::Ok(()) }
                    pub fn choice #generics (#inputs) -> ::accelerate::Result<::std::vec::Vec<::accelerate::Choice>> {
                        ::core::unimplemented!("this program has errors")
                    }
                    pub fn stream #generics (_: &::accelerate::Device, _: impl ::core::iter::IntoIterator)
                        -> impl ::core::iter::Iterator<Item = #result>
                    {
                        ::core::iter::from_fn(|| ::core::unimplemented!("this program has errors"))
                    }
                }
            }
        }
    }
}

/// The parameters, in the function of a plan.
fn parameters(source: &Function, plan: &Plan) -> Vec<Ident> {
    let written = source.parameters.iter();
    rust::parameters(written.map(|one| (one.name.as_str(), one.span)), plan)
}

/// The parameters with their types.
fn typed(block: &Block, source: &Function, names: &[Ident]) -> Vec<TokenStream> {
    let typed = source.parameters.iter().zip(names);
    let typed = typed.map(|(parameter, name)| {
        let ty = host_type(block, &parameter.ty);
        match parameter.is_borrowed() {
            true => quote!(#name: &#ty),
            false => quote!(#name: #ty),
        }
    });
    typed.collect()
}

/// `fn f(device: &Device, ..) -> Result<..> { .. }`
fn device_function(
    block: &Block,
    source: &Function,
    artifact: Artifact<'_>,
    visibility: &syn::Visibility,
) -> TokenStream {
    let plan = artifact.plan;
    let (name, result) = (&source.name, host_type(block, &source.result));
    let names = parameters(source, plan);
    let parameters = typed(block, source, &names);
    let types = block.structs.iter().map(|strukt| strukt.name.as_str());
    let structs = rust::structs(types);
    let steps = Steps {
        block,
        plan,
        structs: &structs,
        scalars: Context {
            types: &plan.types,
            names: &plan.names,
            check: &fail_call,
        },
    };
    let kernels = (plan.kernels.iter()).map(|kernel| cpu::kernel(kernel, &structs));
    let inputs = inputs(block, source, &names, &steps);
    let begin = match plan.on_cuda {
        Some(_) => quote!(begin_with_routines),
        None => quote!(begin),
    };
    let on_cuda = plan.on_cuda.map(|value| {
        let (name, call) = (steps.scalars.name(value), local("call"));
        quote!(let #name: bool = !#call.on_cpu();)
    });
    let body = steps.write(&plan.steps);
    let results = results(block, source, &steps);
    let (device, call) = (local("device"), local("call"));
    let program = data::reference(block, artifact, name);
    quote! {
        #[allow(unused_variables, unused_mut, unused_assignments, unused_parens, unused_unsafe, dead_code,
                non_snake_case, clippy::all, reason = "generated code")]
        #visibility fn #name(#device: &::accelerate::Device, #(#parameters),*) -> ::accelerate::Result<#result> {
            #(#kernels)*
            let mut #call = ::accelerate::rt::Call::#begin(#device, #program)?;
            #inputs
            #on_cuda
            #body
            #results
        }
    }
}

/// Takes the arguments apart into host values and buffers.
fn inputs(block: &Block, source: &Function, names: &[Ident], steps: &Steps) -> TokenStream {
    let plan = steps.plan;
    let call = local("call");
    let mut tokens = TokenStream::new();
    let mut scalars = plan.scalars.iter();
    let mut extents = plan.extents.iter();
    let mut buffer = 0;
    let mut described = plan.parameters.iter();
    for (parameter, name) in source.parameters.iter().zip(names) {
        let mut parts = Vec::new();
        match (&parameter.ty, parameter.consumed) {
            (Type::Array(..), false) => parts.push((quote!(#name), &parameter.ty)),
            (ty, _) => surface::parts(block, ty, quote!(#name), &mut parts),
        }
        for (part, ty) in parts {
            match described.next().expect("a parameter of the program") {
                Parameter::Scalars { .. } => {
                    let mut leaves = Vec::new();
                    take_apart(block, ty, part, &mut leaves);
                    for leaf_value in leaves {
                        let value = *scalars.next().expect("one host value per leaf");
                        let (variable, ty) = (
                            steps.scalars.name(value),
                            leaf(plan.types[value.0 as usize]),
                        );
                        tokens.extend(quote!(let #variable: #ty = #leaf_value;));
                    }
                }
                Parameter::Array { name, leaves, .. } => {
                    let extents = extents.next().expect("extents for each array");
                    let extents = extents.iter().map(|&extent| steps.scalars.name(extent));
                    let buffers = (buffer..buffer + leaves.len())
                        .map(|k| steps.buffer(crate::plan::BufferId(k as u32)));
                    let buffers: Vec<Ident> = buffers.collect();
                    buffer += leaves.len();
                    tokens.extend(quote! {
                        let ([#(#extents),*], [#(mut #buffers),*]) = #call.input(#name, #part)?;
                    });
                }
            }
        }
        if parameter.consumed {
            tokens.extend(quote!(::core::mem::drop(#name);));
        }
    }
    tokens
}

/// Ends the call and makes the result.
fn results(block: &Block, source: &Function, steps: &Steps) -> TokenStream {
    let plan = steps.plan;
    let (call, done) = (local("call"), local("done"));
    let mut outputs: VecDeque<&Output> = plan.outputs.iter().collect();
    let waits = needs_scalar(block, &source.result).then(|| quote!(#done.wait()?;));
    let value = result(block, &source.result, &mut outputs, steps);
    quote! {
        let #done = #call.end()?;
        #waits
        ::core::result::Result::Ok(#value)
    }
}

/// Whether a result is, in part, a scalar of the host.
fn needs_scalar(block: &Block, ty: &Type) -> bool {
    match ty {
        Type::Array(..) | Type::Segmented(_) => false,
        ty if ty.has_array() => fields(block, ty).any(|(_, ty)| needs_scalar(block, ty)),
        _ => true,
    }
}

fn result(block: &Block, ty: &Type, outputs: &mut VecDeque<&Output>, steps: &Steps) -> TokenStream {
    let done = local("done");
    match ty {
        Type::Tuple(types) if ty.has_array() => {
            let fields = types.iter().map(|ty| result(block, ty, outputs, steps));
            quote!((#(#fields,)*))
        }
        Type::Bundle(k) => {
            let name = block.structs[*k].path();
            let fields = fields(block, ty).map(|(field, ty)| {
                let value = result(block, ty, outputs, steps);
                quote!(#field: #value)
            });
            quote!(#name { #(#fields),* })
        }
        Type::Segmented(element) => {
            let parts = [(**element).clone(), Type::Usize].map(|element| {
                let vector = Type::Array(Box::new(element), 1);
                result(block, &vector, outputs, steps)
            });
            quote!(::accelerate::rt::segmented(#(#parts),*))
        }
        Type::Array(element, _) => {
            let output = outputs.pop_front().expect("one output per array");
            match output {
                Output::Array { extents, leaves } => {
                    let extents = extents.iter().map(|&extent| steps.scalars.name(extent));
                    let leaves = leaves.iter().map(|&leaf| steps.buffer(leaf));
                    quote!(#done.array([#(#extents),*], &[#(&#leaves),*])?)
                }
                Output::Device(leaves) => {
                    let leaves = leaves.iter().map(|&leaf| steps.buffer(leaf));
                    quote!(#done.array([], &[#(&#leaves),*])?)
                }
                Output::Host(values) => {
                    let mut leaves = values
                        .iter()
                        .map(|&value| {
                            let name = steps.scalars.name(value);
                            quote!(#name)
                        })
                        .collect();
                    let value = put_together(block, element, &mut leaves);
                    quote!(#done.scalar(#value)?)
                }
            }
        }
        ty => {
            let mut types = Vec::new();
            leaf_types(block, ty, &mut types);
            let mut leaves = VecDeque::new();
            while leaves.len() < leaf_count(block, ty) {
                match outputs.pop_front().expect("an output per scalar") {
                    Output::Host(values) => leaves.extend(values.iter().map(|&value| {
                        let name = steps.scalars.name(value);
                        quote!(#name)
                    })),
                    Output::Device(buffers)
                    | Output::Array {
                        leaves: buffers, ..
                    } => {
                        for &buffer in buffers {
                            let ty = leaf(types[leaves.len()]);
                            let buffer = steps.buffer(buffer);
                            leaves.push_back(quote!(#done.read::<#ty>(&#buffer)?));
                        }
                    }
                }
            }
            put_together(block, ty, &mut leaves)
        }
    }
}
