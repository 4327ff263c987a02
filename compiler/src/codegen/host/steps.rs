//! The steps of a plan as Rust that talks to the runtime's `Call`.

use crate::codegen::cpu;
use crate::codegen::names::rust::{self, local};
use crate::codegen::scalar::{Context, leaf};
use crate::ir::Site;
use crate::plan::body::Value;
use crate::plan::{BufferId, KernelId, Phase, Plan, Skeleton, Step};
use crate::scalar::Leaf;
use crate::typed::Block;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

/// What a failed check of the host does in a function that runs on a device: it fails the call.
pub(super) fn fail_call(
    condition: TokenStream,
    site: Site,
    [first, second]: [TokenStream; 2],
) -> TokenStream {
    let (call, site) = (local("call"), site.0);
    quote!(#call.check(#condition, #site, [#first, #second])?;)
}

/// Writes the steps of one plan.
pub(super) struct Steps<'a> {
    pub(super) block: &'a Block,
    pub(super) plan: &'a Plan,
    pub(super) scalars: Context<'a>,
    /// What the kernels' structs begin with.
    pub(super) structs: &'a str,
}

impl Steps<'_> {
    /// The variable of a buffer.
    pub(super) fn buffer(&self, buffer: BufferId) -> Ident {
        rust::several("buffer", buffer.0 as usize)
    }

    fn buffers(&self, buffers: impl IntoIterator<Item = BufferId>) -> Vec<Ident> {
        buffers.into_iter().map(|b| self.buffer(b)).collect()
    }

    fn values(&self, values: impl IntoIterator<Item = Value>) -> Vec<Ident> {
        values.into_iter().map(|v| self.scalars.name(v)).collect()
    }

    /// The type of a buffer's elements, and its extents.
    pub(super) fn size(&self, buffer: BufferId) -> (TokenStream, Vec<Ident>) {
        let buffer = &self.plan.buffers[buffer.0 as usize];
        let extents = self.values(buffer.extents.iter().copied());
        (runtime_leaf(buffer.leaf), extents)
    }

    /// Steps in order.
    pub(super) fn write(&self, steps: &[Step]) -> TokenStream {
        steps.iter().map(|step| self.step(step)).collect()
    }

    fn step(&self, step: &Step) -> TokenStream {
        let call = local("call");
        match step {
            Step::Compute(statement) => self.scalars.statement(statement),
            Step::Check {
                condition,
                site,
                values,
            } => self.scalars.check(*condition, *site, values),
            Step::Allocate(id) => {
                let (name, (leaf, extents)) = (self.buffer(*id), self.size(*id));
                quote!(let mut #name = #call.allocate(#leaf, &[#(#extents),*])?;)
            }
            Step::Fill { buffer, value } => {
                let (name, byte) = (self.buffer(*buffer), value.repeated_byte());
                let byte = Literal::u8_unsuffixed(byte.expect("a value of equal bytes"));
                let (leaf, extents) = self.size(*buffer);
                quote!(#call.fill(&#name, #byte, #leaf, &[#(#extents),*])?;)
            }
            Step::Copy { buffer, of, last } => {
                let (name, from) = (self.buffer(*buffer), self.buffer(*of));
                let (leaf, extents) = self.size(*buffer);
                let from = match last {
                    true => quote!(::core::mem::take(&mut #from)),
                    false => quote!(#from.clone()),
                };
                quote!(let mut #name = #call.own(#from, #leaf, &[#(#extents),*])?;)
            }
            Step::Launch {
                kernel,
                buffers,
                scalars,
            } => self.launch(*kernel, buffers, scalars),
            Step::Routine {
                routine,
                arguments,
                results,
            } => self.routine(routine, arguments, results),
            Step::Read { value, buffer } => {
                let (name, buffer) = (self.scalars.name(*value), self.buffer(*buffer));
                let ty = leaf(self.plan.types[value.0 as usize]);
                quote!(let #name = #call.read::<#ty>(&#buffer)?;)
            }
            Step::Release(id) => {
                let name = self.buffer(*id);
                quote!(#name.release();)
            }
            Step::Shrink { buffer, of } => {
                let (name, from) = (self.buffer(*buffer), self.buffer(*of));
                let (leaf, extents) = self.size(*buffer);
                let from = quote!(::core::mem::take(&mut #from));
                quote!(let mut #name = #call.shrink(#from, #leaf, &[#(#extents),*])?;)
            }
            Step::Share { buffer, of } => {
                let (name, of) = (self.buffer(*buffer), self.buffer(*of));
                quote!(let mut #name = #of.clone();)
            }
            Step::If {
                condition,
                then,
                otherwise,
                values,
                buffers,
            } => {
                let condition = self.scalars.name(*condition);
                let (then, otherwise) = (self.write(then), self.write(otherwise));
                let names = self.values(values.iter().map(|join| join.result));
                let taken = self.values(values.iter().map(|join| join.then));
                let other = self.values(values.iter().map(|join| join.otherwise));
                let buffer = self.buffers(buffers.iter().map(|join| join.result));
                let taken_buffer = self.buffers(buffers.iter().map(|join| join.then));
                let other_buffer = self.buffers(buffers.iter().map(|join| join.otherwise));
                quote! {
                    let (#(#names,)* #(mut #buffer,)*) = if #condition {
                        #then
                        (#(#taken,)* #(::core::mem::take(&mut #taken_buffer),)*)
                    } else {
                        #otherwise
                        (#(#other,)* #(::core::mem::take(&mut #other_buffer),)*)
                    };
                }
            }
            Step::Loop {
                values,
                buffers,
                test,
                condition,
                body,
            } => {
                let names = self.values(values.iter().map(|carry| carry.state));
                let initial = self.values(values.iter().map(|carry| carry.initial));
                let next = self.values(values.iter().map(|carry| carry.next));
                let types = values
                    .iter()
                    .map(|carry| leaf(self.plan.types[carry.state.0 as usize]));
                let buffer = self.buffers(buffers.iter().map(|carry| carry.state));
                let initial_buffer = self.buffers(buffers.iter().map(|carry| carry.initial));
                let next_buffer = self.buffers(buffers.iter().map(|carry| carry.next));
                let (test, body) = (self.write(test), self.write(body));
                let condition = self.scalars.name(*condition);
                let epoch = local("epoch");
                quote! {
                    let #epoch = #call.epoch();
                    #(let mut #names: #types = #initial;)*
                    #(let mut #buffer = ::core::mem::take(&mut #initial_buffer);)*
                    loop {
                        #call.begin_round();
                        #test
                        if !#condition { break; }
                        #body
                        (#(#names,)*) = (#(#next,)*);
                        (#(#buffer,)*) = (#(::core::mem::take(&mut #next_buffer),)*);
                    }
                    #call.set_epoch(#epoch);
                }
            }
        }
    }

    fn launch(&self, id: KernelId, buffers: &[BufferId], scalars: &[Value]) -> TokenStream {
        let kernel = &self.plan.kernels[id.0 as usize];
        let (call, index) = (local("call"), Literal::usize_unsuffixed(id.0 as usize));
        let buffers = self.buffers(buffers.iter().copied());
        let names = self.values(scalars.iter().copied());
        let pointers: Vec<TokenStream> = buffers
            .iter()
            .zip(&kernel.buffers)
            .map(|(buffer, access)| {
                let ty = leaf(access.leaf);
                quote!(#buffer.pointer::<#ty>())
            })
            .collect();
        let arguments: Vec<TokenStream> = names.iter().map(|name| quote!(#name)).collect();
        let on_cpu = cpu::launch(kernel, self.structs, &pointers, &arguments);
        // What the host knows of the shape of the work: extents that are scalars of the launch.
        let known = |extents: &[Value]| -> Option<Vec<&Ident>> {
            let find = |value| kernel.scalars.iter().position(|scalar| scalar == value);
            extents
                .iter()
                .map(|value| Some(&names[find(value)?]))
                .collect()
        };
        let product = |extents: Option<Vec<&Ident>>| {
            let extents = extents?;
            Some(quote!(::accelerate::rt::product(&[#(#extents),*])))
        };
        let option = |size: Option<TokenStream>| match size {
            Some(size) => quote!(::core::option::Option::Some(#size)),
            None => quote!(::core::option::Option::None),
        };
        let inner = match &kernel.skeleton {
            Skeleton::Elementwise(_) => option(Some(quote!(1))),
            Skeleton::Scatter { size, .. } => option(product(known(std::slice::from_ref(size)))),
            Skeleton::Sort { length, .. } => option(product(known(std::slice::from_ref(length)))),
            Skeleton::Staged { points, .. } => option(Some(quote!(#points))),
            Skeleton::Rowwise { phases, .. } => {
                let sizes = phases.iter().filter_map(|phase| match phase {
                    Phase::Uniform(_) => None,
                    Phase::Fold { extents, .. }
                    | Phase::Each { extents, .. }
                    | Phase::Scan { extents, .. } => Some(option(product(known(extents)))),
                });
                let sizes = quote!(&[#(#sizes),*]);
                quote!(::accelerate::rt::greatest(#sizes))
            }
        };
        let domains = kernel.skeleton.domains();
        let sizes = domains.iter().map(|extents| product(known(extents)));
        let sizes: Option<Vec<TokenStream>> = sizes.collect();
        let sizes = sizes.expect("the host knows a launch's domains");
        let rows = match &sizes[..] {
            [rows] => rows.clone(),
            _ => quote!(0u64 #(.saturating_add(#sizes))*),
        };
        quote! {
            if #call.on_cpu() {
                let failures = #call.failure();
                #on_cpu;
            } else {
                // SAFETY: the kernel was written together with this call.
                unsafe {
                    #call.launch(#index, #rows, #inner, &[#(&#buffers),*], &[#(::accelerate::rt::bits(#names)),*])?;
                }
            }
        }
    }
}

/// The runtime's name of a leaf type.
pub(super) fn runtime_leaf(leaf: Leaf) -> TokenStream {
    let variant = format_ident!("{leaf:?}");
    quote!(::accelerate::rt::Leaf::#variant)
}
