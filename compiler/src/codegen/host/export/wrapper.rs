//! The function of Rust behind a symbol for C: it makes the arguments of handles, calls, and stores the results.

use super::{Parameter, Role, parameters};
use crate::codegen::host::data::conditions;
use crate::codegen::host::surface::host_type;
use crate::codegen::names::unraw;
use crate::typed::{Block, Function, Type};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

/// The item. It stands in a constant, where its name meets no other.
pub(in crate::codegen::host) fn wrapper(
    block: &Block,
    source: &Function,
    plain: bool,
    attributes: &[syn::Attribute],
) -> TokenStream {
    if source.attributes.export.is_none() {
        return TokenStream::new();
    }
    let name = &source.name;
    let text = name.to_string();
    let symbol = unraw(&text);
    // No item of the user's: that would be called in its place.
    let own = format_ident!("{symbol}_for_c", span = Span::mixed_site());
    let all = parameters(source);
    let named: Vec<(Ident, &Parameter)> = all
        .iter()
        .enumerate()
        .map(|(k, parameter)| (variable(&format!("argument_{k}")), parameter))
        .collect();
    let declared = named.iter().map(|(variable, parameter)| {
        let ty = passed(block, parameter);
        quote!(#variable: #ty)
    });
    let device = variable("device");
    let (opened, declared_device, given_device) = match plain {
        true => (None, None, None),
        false => (
            Some(quote!(let #device = unsafe { ::accelerate::rt::c::device(#device)? };)),
            Some(quote!(#device: *const ::accelerate::rt::c::Device,)),
            Some(quote!(#device,)),
        ),
    };
    // Pointers are looked at before anything is given away.
    let results = named.iter().filter(|(_, p)| p.role == Role::Result);
    let cleared = results.clone().map(|(variable, parameter)| {
        let name = &parameter.name;
        match parameter.ty.has_array() {
            true => quote!(unsafe { ::accelerate::rt::c::clear(#variable, #name)? };),
            false => quote!(::accelerate::rt::c::present(#variable, #name)?;),
        }
    });
    let arguments = named.iter().filter(|(_, p)| p.role != Role::Result);
    let made = arguments.clone().map(|(variable, parameter)| {
        let name = &parameter.name;
        let ty = host_type(block, parameter.ty);
        match (parameter.ty, parameter.role) {
            // Nothing is given away to a call that is not made.
            (Type::Array(..), Role::Consumed) => quote!({
                let looked_at: #ty = unsafe { ::accelerate::rt::c::borrow(#variable, #name)? };
            }),
            (Type::Array(..), _) => {
                quote!(let #variable: #ty = unsafe { ::accelerate::rt::c::borrow(#variable, #name)? };)
            }
            (Type::Char, _) => {
                quote!(let #variable = ::accelerate::rt::c::char(#variable, #name)?;)
            }
            _ => TokenStream::new(),
        }
    });
    let taken = arguments.clone().map(|(variable, parameter)| {
        let (name, ty) = (&parameter.name, host_type(block, parameter.ty));
        (parameter.role == Role::Consumed).then(|| {
            quote!(let #variable: #ty = unsafe { ::accelerate::rt::c::take(#variable, #name)? };)
        })
    });
    let given = arguments.map(
        |(variable, parameter)| match (parameter.ty, parameter.role) {
            (Type::Array(..), Role::Argument) => quote!(&#variable),
            _ => quote!(#variable),
        },
    );
    let failing = (!plain).then(|| quote!(?));
    let value = variable("value");
    let mut parts = Vec::new();
    taken_apart(&source.result, quote!(#value), &mut parts);
    let stored = results
        .zip(parts)
        .map(|((variable, parameter), part)| match parameter.ty {
            Type::Array(..) => quote!(unsafe { ::accelerate::rt::c::give(#variable, #part) };),
            Type::Char => quote!(unsafe { ::accelerate::rt::c::store(#variable, #part as u32) };),
            _ => quote!(unsafe { ::accelerate::rt::c::store(#variable, #part) };),
        });
    let conditions = conditions(attributes);
    quote! {
        #(#conditions)*
        #[allow(unused_variables, non_snake_case, unreachable_pub, clippy::all, clippy::undocumented_unsafe_blocks,
                reason = "generated code")]
        const _: () = {
            #[unsafe(export_name = #symbol)]
            pub unsafe extern "C" fn #own(#declared_device #(#declared),*) -> ::core::ffi::c_int {
                ::accelerate::rt::c::call(|| {
                    // SAFETY of all: a pointer is null, which is an error, or what the header says.
                    #opened
                    #(#cleared)*
                    #(#made)*
                    #(#taken)*
                    let #value = #name(#given_device #(#given),*)#failing;
                    #(#stored)*
                    ::core::result::Result::Ok(())
                })
            }
        };
    }
}

fn variable(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// The type of a parameter.
fn passed(block: &Block, parameter: &Parameter) -> TokenStream {
    let ty = match parameter.ty {
        Type::Array(..) => quote!(::accelerate::rt::c::Handle),
        Type::Char => quote!(u32),
        ty => host_type(block, ty),
    };
    match (parameter.ty, parameter.role) {
        (Type::Array(..), Role::Result) => quote!(*mut *mut #ty),
        (Type::Array(..), _) => quote!(*const #ty),
        (_, Role::Result) => quote!(*mut #ty),
        _ => ty,
    }
}

/// The parts of a result, as expressions.
fn taken_apart(ty: &Type, value: TokenStream, parts: &mut Vec<TokenStream>) {
    match ty {
        Type::Tuple(types) => {
            for (k, ty) in types.iter().enumerate() {
                let k = Literal::usize_unsuffixed(k);
                taken_apart(ty, quote!(#value.#k), parts);
            }
        }
        _ => parts.push(value),
    }
}
