//! Names and types of a kernel's values in the emitted code.

use crate::codegen::names::rust;
use crate::plan::Kernel;
use crate::plan::body::Value;
use crate::scalar::{Leaf, Scalar};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

/// A kernel and what its things are called.
#[derive(Clone, Copy)]
pub(super) struct Names<'k> {
    pub(super) kernel: &'k Kernel,
    /// What its structs begin with.
    pub(super) structs: &'k str,
}

impl Names<'_> {
    pub(super) fn leaf(self, value: Value) -> Leaf {
        self.kernel.types[value.0 as usize]
    }

    /// The variable of a value.
    pub(super) fn value(self, value: Value) -> Ident {
        let name = self.kernel.names.get(value.0 as usize);
        rust::value(name.and_then(Option::as_deref), value.0)
    }

    /// The pointers to the arrays of a row.
    pub(super) fn rooms(self) -> impl Iterator<Item = Ident> {
        let first = self.kernel.buffers.len();
        (first..first + self.kernel.rooms().len()).map(move |room| self.buffer(room))
    }

    /// The pointer to a buffer, or to an array of a row.
    pub(super) fn buffer(self, buffer: usize) -> Ident {
        rust::pointer(self.kernel.memory_name(buffer), buffer)
    }

    /// The kernel's struct.
    pub(super) fn kernel(self) -> Ident {
        rust::strukt(self.structs, &self.kernel.name)
    }

    /// The struct of a phase.
    pub(super) fn phase(self, phase: usize) -> Ident {
        format_ident!("{}_phase_{phase}", self.kernel(), span = Span::mixed_site())
    }
}

/// Rust's type of a leaf.
pub(super) fn scalar(leaf: Leaf) -> Ident {
    Ident::new(leaf.register().name(), Span::mixed_site())
}

/// The vector of a leaf: an associated type of `Lanes`.
pub(super) fn vector(leaf: Leaf) -> Ident {
    match leaf.register() {
        Leaf::Bool => format_ident!("Mask", span = Span::mixed_site()),
        leaf => format_ident!("{leaf:?}", span = Span::mixed_site()),
    }
}

/// A constant.
pub(super) fn constant(value: Scalar) -> TokenStream {
    let bits = value.bits;
    match value.leaf {
        Leaf::Bool => {
            let truth = bits != 0;
            quote!(#truth)
        }
        Leaf::F32 => {
            let x = f32::from_bits(bits as u32);
            if x.is_finite() && !x.is_sign_negative() {
                let literal = Literal::f32_suffixed(x);
                quote!(#literal)
            } else {
                let bits = Literal::u32_unsuffixed(bits as u32);
                quote!(f32::from_bits(#bits))
            }
        }
        Leaf::F64 => {
            let x = f64::from_bits(bits);
            if x.is_finite() && !x.is_sign_negative() {
                let literal = Literal::f64_suffixed(x);
                quote!(#literal)
            } else {
                let bits = Literal::u64_unsuffixed(bits);
                quote!(f64::from_bits(#bits))
            }
        }
        leaf => {
            let ty = scalar(leaf);
            if leaf.is_signed() {
                let shift = 64 - leaf.bits();
                let x = ((bits << shift) as i64) >> shift;
                let literal = Literal::i64_unsuffixed(x);
                quote!((#literal as #ty))
            } else {
                let literal = Literal::u64_unsuffixed(bits);
                quote!((#literal as #ty))
            }
        }
    }
}

/// Zero of a type.
pub(super) fn zero(leaf: Leaf) -> TokenStream {
    constant(Scalar { leaf, bits: 0 })
}
