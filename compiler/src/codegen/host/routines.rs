//! Calls of Rust functions of the user's: a view for each leaf of an array, a value for each scalar.

use super::steps::Steps;
use super::surface::{host_type, leaf_count, put_together};
use crate::codegen::names::rust::local;
use crate::ir::Routine;
use crate::plan::{Argument, BufferId};
use crate::typed::{Block, Foreign, Type};
use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
use std::collections::VecDeque;
use syn::spanned::Spanned;

/// The arguments of a call, as they come: their types, and what gives them.
#[derive(Default)]
struct Arguments {
    types: Vec<TokenStream>,
    values: Vec<TokenStream>,
}

impl Steps<'_> {
    /// A call of a routine. What rustc has to say of its type, it says under its path.
    pub(super) fn routine(
        &self,
        routine: &Routine,
        arguments: &[Argument],
        results: &[BufferId],
    ) -> TokenStream {
        let function = &self.block.functions[routine.function];
        let Some(Foreign::Rust(path)) = &function.attributes.foreign else {
            unreachable!("it is of a foreign function");
        };
        let mut given = arguments.iter().copied().collect();
        let mut all = Arguments::default();
        for parameter in &function.parameters {
            self.argument(&parameter.ty, &mut given, &mut all);
        }
        let mut leaves = Vec::new();
        leaf_types(self.block, &function.result, &mut leaves);
        for (ty, &buffer) in leaves.iter().zip(results) {
            self.view(buffer, ty, true, &mut all);
        }
        let Arguments { types, values } = all;
        let (call, stream, called) = (local("call"), local("stream"), local("routine"));
        let ty = quote_spanned! {path.span()=>
            fn(&::accelerate::foreign::Stream, #(#types),*) -> ::accelerate::Result<()>
        };
        quote! {{
            let #called: #ty = #path;
            // SAFETY: the buffers are of these types and extents.
            #call.routine(|#stream| unsafe { #called(#stream, #(#values),*) })?;
        }}
    }

    /// The arguments that a parameter comes apart into.
    fn argument(&self, ty: &Type, given: &mut VecDeque<Argument>, all: &mut Arguments) {
        match ty {
            Type::Tuple(types) if ty.has_array() => {
                for ty in types {
                    self.argument(ty, given, all);
                }
            }
            Type::Array(element, _) => {
                let mut leaves = Vec::new();
                leaf_types(self.block, element, &mut leaves);
                for ty in leaves {
                    if let Some(Argument::Array(buffer)) = given.pop_front() {
                        self.view(buffer, &ty, false, all);
                    }
                }
            }
            ty => {
                let count = leaf_count(self.block, ty);
                let leaves = given.drain(..count).filter_map(|argument| match argument {
                    Argument::Scalar(value) => {
                        let name = self.scalars.name(value);
                        Some(quote!(#name))
                    }
                    Argument::Array(_) => None,
                });
                let mut leaves = leaves.collect();
                all.types.push(host_type(self.block, ty));
                all.values.push(put_together(self.block, ty, &mut leaves));
            }
        }
    }

    fn view(&self, buffer: BufferId, ty: &TokenStream, writes: bool, all: &mut Arguments) {
        let (_, extents) = self.size(buffer);
        let name = self.buffer(buffer);
        let rank = Literal::usize_unsuffixed(extents.len());
        let (view, of) = match writes {
            true => (quote!(ViewMut), quote!(view_mut)),
            false => (quote!(View), quote!(view)),
        };
        all.types
            .push(quote!(::accelerate::foreign::#view<'_, #ty, #rank>));
        all.values
            .push(quote!(::accelerate::rt::#of::<#ty, #rank>(&#name, [#(#extents),*])));
    }
}

/// The types of the elements of views, one for each leaf: those of the language, but a `char` is the `u32` that it is in memory.
fn leaf_types(block: &Block, ty: &Type, into: &mut Vec<TokenStream>) {
    match ty {
        Type::Array(element, _) => leaf_types(block, element, into),
        Type::Tuple(types) => types.iter().for_each(|ty| leaf_types(block, ty, into)),
        Type::Fixed(element, n) => (0..*n).for_each(|_| leaf_types(block, element, into)),
        Type::Struct(k) => {
            (block.structs[*k].fields.iter()).for_each(|(_, ty)| leaf_types(block, ty, into));
        }
        Type::Option(inner) => {
            into.push(quote!(bool));
            leaf_types(block, inner, into);
        }
        Type::Char => into.push(quote!(u32)),
        ty => into.push(host_type(block, ty)),
    }
}
