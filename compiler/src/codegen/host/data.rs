//! The static data of a function: what the runtime loads, and what the function tells about itself.

use super::artifact::{Artifact, Built, refusal};
use super::steps::runtime_leaf;
use super::surface::host_type;
use crate::codegen::cuda;
use crate::codegen::names::rust::{beside, several};
use crate::ir::{Failure, Place};
use crate::spans::Spans;
use crate::typed::{Block, Function, PRIMITIVES};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};

/// Whether no struct may stand beside a function of this name: it would be another type's.
pub(crate) fn is_alone(block: &Block, function: &Ident) -> bool {
    let name = function.to_string();
    PRIMITIVES.contains(&&*name) || block.structs.iter().any(|strukt| strukt.name == name)
}

/// `struct f {}` with the associated constants of LANGUAGE.md section 10.
pub(super) fn companion(
    block: &Block,
    artifact: Artifact<'_>,
    source: &Function,
    visibility: &syn::Visibility,
    attributes: &[syn::Attribute],
) -> TokenStream {
    let (name, conditions) = (&source.name, conditions(attributes));
    if is_alone(block, name) {
        return TokenStream::new();
    }
    let plan = artifact.plan;
    let (text, cuda_c) = (plan.to_string(), &artifact.cuda.source);
    let kernels = plan.kernels.iter().map(|kernel| &kernel.name);
    let cost = &plan.cost;
    let (launches, read, written) = (
        cost.kernels,
        cost.read.to_string(),
        cost.written.to_string(),
    );
    let peak = cost.peak.to_string();
    let program = program(artifact, &quote!(#name::CUDA));
    let device = beside(name, "device");
    let mut arguments = super::parameters(source, plan);
    for argument in arguments.iter_mut().filter(|argument| *argument == name) {
        // The function is called by its name.
        *argument = quote::format_ident!("{argument}_");
    }
    let parameters = super::typed(block, source, &arguments);
    let stream = stream(block, source);
    quote! {
        #(#conditions)*
        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code, reason = "it stands beside the function of its name")]
        #visibility struct #name {}

        #(#conditions)*
        #[allow(missing_docs, dead_code, non_upper_case_globals, non_snake_case, unreachable_pub, clippy::all,
                reason = "generated code")]
        impl #name {
            /// The fused kernels.
            pub const PLAN: &'static str = #text;
            /// The CUDA C.
            pub const CUDA: &'static str = #cuda_c;
            /// The kernels' names.
            pub const KERNELS: &'static [&'static str] = &[#(#kernels),*];
            /// Launches and bytes moved.
            pub const COST: ::accelerate::Cost =
                ::accelerate::Cost { kernels: #launches, read: #read, written: #written };
            /// Bytes of device memory that a call has at one time besides its parameters, at most, in their shapes.
            pub const PEAK: &'static str = #peak;
            /// The portable PTX, if it was built.
            pub fn ptx() -> ::core::option::Option<&'static str> {
                Self::__PROGRAM.ptx()
            }
            /// Loads what calls launch on a device, so that none waits for the driver's compiler.
            pub fn warm(device: &::accelerate::Device) -> ::accelerate::Result<()> {
                ::accelerate::rt::warm(device, Self::__PROGRAM)
            }
            /// A call that tells which variants of the kernels it launches for these sizes, on how many threads.
            pub fn choice(#device: &::accelerate::Device, #(#parameters),*)
                -> ::accelerate::Result<::std::vec::Vec<::accelerate::Choice>>
            {
                ::accelerate::rt::choice(|| #name(#device, #(#arguments),*))
            }
            #stream
            #[doc(hidden)]
            pub const __PROGRAM: &'static ::accelerate::rt::Program = #program;
        }
    }
}

/// `f::stream`.
fn stream(block: &Block, source: &Function) -> TokenStream {
    let (name, result) = (&source.name, host_type(block, &source.result));
    let parameters = &source.parameters;
    let types = (parameters.iter()).map(|parameter| host_type(block, &parameter.ty));
    let given: Vec<_> = (0..parameters.len()).map(|k| several("field", k)).collect();
    let arguments =
        (parameters.iter().zip(&given)).map(|(parameter, input)| match parameter.is_borrowed() {
            true => quote!(&#input),
            false => quote!(#input),
        });
    let input = one_or_tuple(types);
    let given = one_or_tuple(given.iter().map(ToTokens::to_token_stream));
    let (device, inputs) = (beside(name, "device"), beside(name, "inputs"));
    quote! {
        /// The results for many inputs, in order: while one is computed, others are copied to the device and from it.
        pub fn stream<__Inputs>(#device: &::accelerate::Device, #inputs: __Inputs)
            -> ::accelerate::Stream<__Inputs::IntoIter, #input, #result>
        where
            __Inputs: ::core::iter::IntoIterator<Item: ::accelerate::Input<#input>>,
        {
            ::accelerate::rt::stream(#device, #inputs, |#device, #given| #name(#device, #(#arguments),*))
        }
    }
}

/// What stands for the parameters of a function where there is place for one thing.
fn one_or_tuple(parts: impl Iterator<Item = TokenStream>) -> TokenStream {
    match &parts.collect::<Vec<_>>()[..] {
        [one] => one.clone(),
        parts => quote!((#(#parts),*)),
    }
}

/// The program, as its function names it.
pub(super) fn reference(block: &Block, artifact: Artifact<'_>, function: &Ident) -> TokenStream {
    match is_alone(block, function) {
        false => quote!(#function::__PROGRAM),
        true => {
            let cuda = &artifact.cuda.source;
            program(artifact, &quote!(#cuda))
        }
    }
}

/// The `#[cfg]`s among the attributes of a function, for the items that stand beside it.
pub(super) fn conditions(attributes: &[syn::Attribute]) -> Vec<&syn::Attribute> {
    let condition = |attribute: &&syn::Attribute| attribute.path().is_ident("cfg");
    attributes.iter().filter(condition).collect()
}

/// An expression of a static of the runtime's; `cuda` is the CUDA C.
fn program(artifact: Artifact<'_>, cuda: &TokenStream) -> TokenStream {
    let (name, hash) = (&artifact.plan.name, artifact.hash);
    let images = artifact.file.unwrap_or_default();
    let file = |name: &str| {
        let file = format!("/accelerate/{name}");
        quote!(::core::concat!(::core::env!("OUT_DIR"), #file))
    };
    let none = || quote!(::core::option::Option::None);
    let (images, refused) = match artifact.built {
        Built::Nothing => (none(), none()),
        Built::Images => {
            let file = file(images);
            (
                quote!(::core::option::Option::Some(::core::include_bytes!(#file))),
                none(),
            )
        }
        Built::Refused => {
            let file = file(&refusal(images));
            (
                none(),
                quote!(::core::option::Option::Some(::core::include_str!(#file))),
            )
        }
    };
    let kernels = artifact
        .plan
        .kernels
        .iter()
        .zip(&artifact.cuda.kernels)
        .map(|(kernel, entries)| {
            let name = &kernel.name;
            let buffers = kernel.buffers.iter().map(|access| runtime_leaf(access.leaf));
            let entries = entries.iter().map(entry);
            quote! {
                ::accelerate::rt::Kernel { name: #name, buffers: &[#(#buffers),*], entries: &[#(#entries),*] }
            }
        });
    let sites = sites(&artifact.plan.sites, artifact.spans);
    quote!({
        static PROGRAM: ::accelerate::rt::Program = ::accelerate::rt::Program {
            name: #name,
            hash: #hash,
            images: #images,
            refused: #refused,
            cuda: #cuda,
            kernels: &[#(#kernels),*],
            sites: #sites,
        };
        &PROGRAM
    })
}

fn entry(entry: &cuda::Entry) -> TokenStream {
    let cuda::Entry {
        name,
        regime,
        threads,
        items_per_thread,
        kept,
        shared_bytes,
        partial_bytes,
        index_bits,
        small,
        failure,
        leaves,
    } = entry;
    let regime = match regime {
        cuda::Regime::Elementwise => quote!(Elementwise),
        cuda::Regime::Tables => quote!(Tables),
        cuda::Regime::Thread => quote!(Thread),
        cuda::Regime::Warp { lanes } => quote!(Warp { lanes: #lanes }),
        cuda::Regime::Block => quote!(Block),
        cuda::Regime::Grid => quote!(Grid),
        cuda::Regime::Chained => quote!(Chained),
        cuda::Regime::Balanced { axis, segments } => {
            let segments = match segments {
                Some(segments) => quote!(::core::option::Option::Some(#segments)),
                None => quote!(::core::option::Option::None),
            };
            quote!(Balanced { axis: #axis, segments: #segments })
        }
        cuda::Regime::Columns => quote!(Columns),
        cuda::Regime::ColumnsGrid => quote!(ColumnsGrid),
        cuda::Regime::SortRows => quote!(SortRows),
        cuda::Regime::Sort { passes } => quote!(Sort { passes: #passes }),
        cuda::Regime::Merge => quote!(Merge),
        cuda::Regime::Tiled {
            tile: [rows, columns],
            extents: (row, column),
        } => {
            let row = match row {
                Some(row) => quote!(::core::option::Option::Some(#row)),
                None => quote!(::core::option::Option::None),
            };
            quote!(Tiled { tile: [#rows, #columns], extents: (#row, #column) })
        }
        cuda::Regime::Windows { tile, extents } => {
            let extents = extents.iter().map(|extent| match extent {
                Some(extent) => quote!(::core::option::Option::Some(#extent)),
                None => quote!(::core::option::Option::None),
            });
            quote!(Windows { tile: [#(#tile),*], extents: [#(#extents),*] })
        }
    };
    let narrow = *index_bits == 32;
    quote! {
        ::accelerate::rt::Entry {
            name: #name,
            regime: ::accelerate::rt::Regime::#regime,
            threads: #threads,
            items: #items_per_thread,
            kept: #kept,
            shared: #shared_bytes,
            partial: #partial_bytes,
            narrow: #narrow,
            small: &[#(#small),*],
            failure: #failure,
            leaves: #leaves,
        }
    }
}

/// The table of places that can fail.
pub(super) fn sites(places: &[Place], spans: &Spans) -> TokenStream {
    let sites = places.iter().map(|place| {
        let kind = match place.kind {
            Failure::ShapeMismatch => "ShapeMismatch",
            Failure::OutOfBounds => "OutOfBounds",
            Failure::DivisionByZero => "DivisionByZero",
            Failure::EmptyReduction => "EmptyReduction",
            Failure::SegmentMismatch => "SegmentMismatch",
            Failure::Indivisible => "Indivisible",
            Failure::AssertionFailed => "AssertionFailed",
        };
        let kind = Ident::new(kind, Span::call_site());
        let message = &place.message;
        let span = spans.get(place.span);
        let start = span.start();
        let (file, line, column) = (span.file(), start.line as u32, start.column as u32 + 1);
        quote! {
            ::accelerate::rt::Site {
                kind: ::accelerate::rt::Kind::#kind,
                message: #message,
                place: ::accelerate::Place { file: #file, line: #line, column: #column },
            }
        }
    });
    quote!(&[#(#sites),*])
}
