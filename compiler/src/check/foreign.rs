//! `#[foreign(cuda = "src/fast.cuh")]`: a scalar function that has another text on CUDA devices.
//! `#[foreign(rust = crate::fast::gemm)]`: a function of arrays that a Rust function computes there.

use super::Checker;
use super::functions::is_host_type;
use crate::codegen::names::c;
use crate::syntax::{self, span};
use crate::typed::{Attributes, File, Foreign, Parameter, Type};
use proc_macro2::Span;

const HELP: &str =
    "write `#[foreign(cuda = \"src/fast.cuh\")]`, a path from the root of the package";
const HELP_RUST: &str =
    "write `#[foreign(rust = crate::fast::gemm)]`, the path of a function of the package";

impl Checker<'_> {
    /// The attribute itself.
    pub(super) fn foreign(&mut self, attribute: &syn::Attribute, result: &mut Attributes) {
        let at = span(attribute.path());
        let syn::Meta::List(list) = &attribute.meta else {
            return self.error(at, "`#[foreign]` needs a file", HELP);
        };
        let pair = match list.parse_args::<syn::MetaNameValue>() {
            Ok(pair) => pair,
            Err(error) => {
                return self.error(error.span(), format!("in `#[foreign]`: {error}"), HELP);
            }
        };
        let foreign = if pair.path.is_ident("rust") {
            self.foreign_path(&pair.value).map(Foreign::Rust)
        } else if pair.path.is_ident("cuda") {
            self.foreign_file(&pair.value).map(Foreign::Cuda)
        } else {
            let name = pair.path.segments.last().map(|last| last.ident.to_string());
            let name = name.unwrap_or_default();
            let message = format!("no foreign language `{name}`: expected `cuda` or `rust`");
            return self.error(span(&pair.path), message, HELP);
        };
        if foreign.is_some() && result.foreign.is_some() {
            self.error(at, "`#[foreign]` stands here twice", "leave one out");
        }
        result.foreign = foreign.or(result.foreign.take());
    }

    /// What `rust = ..` names.
    fn foreign_path(&mut self, value: &syn::Expr) -> Option<syn::Path> {
        match value {
            syn::Expr::Path(syn::ExprPath {
                path, qself: None, ..
            }) => Some(path.clone()),
            _ => {
                let message = "a Rust function is named by its path";
                self.error(span(value), message, HELP_RUST);
                None
            }
        }
    }

    /// What `cuda = ..` names.
    fn foreign_file(&mut self, value: &syn::Expr) -> Option<File> {
        let syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Str(file),
            ..
        }) = value
        else {
            self.error(span(value), "the path of a file is a text", HELP);
            return None;
        };
        let path = file.value();
        if path.is_empty() || path.starts_with('/') || path.contains('\\') {
            let message = format!("`{path}` is no path from the root of the package");
            self.error(file.span(), message, HELP);
            return None;
        }
        Some(File {
            file: path,
            span: file.span(),
            text: String::new(),
        })
    }

    /// A function that has the attribute. Its own errors have been reported.
    pub(super) fn foreign_function(
        &mut self,
        function: &syntax::Function,
        foreign: &Foreign,
        parameters: &[Parameter],
        result: &Type,
    ) {
        if !function.generics.params.is_empty() {
            self.error(
                span(&function.generics),
                "a generic foreign function is not supported yet",
                "write a function for each type",
            );
        }
        match foreign {
            Foreign::Cuda(_) => self.foreign_of_scalars(function, parameters, result),
            Foreign::Rust(_) => self.foreign_of_arrays(function, parameters, result),
        }
    }

    fn foreign_of_scalars(
        &mut self,
        function: &syntax::Function,
        parameters: &[Parameter],
        result: &Type,
    ) {
        let name = function.name.to_string();
        if !c::is_name(&name) {
            self.error(
                function.name.span(),
                format!("the name `{name}` is none of CUDA C"),
                "give the function another name, here and in the file",
            );
        }
        for (parameter, written) in parameters.iter().zip(&function.parameters) {
            if !self.is_foreign_scalar(&parameter.ty) {
                let at = written.ty.as_ref().map_or(parameter.span, span);
                let ty = self.show(&parameter.ty);
                let message =
                    format!("a foreign function cannot take {ty} yet: expected numbers and `bool`");
                let help = match self.is_half(&parameter.ty) {
                    true => "take an `f32`, and convert it where the function is called",
                    false if parameter.ty.has_array() => {
                        "write `rust = ..` for a function of arrays"
                    }
                    false => "take each number as a parameter of its own",
                };
                self.error(at, message, help);
            }
        }
        if !self.is_foreign_scalar(result) {
            let ty = self.show(result);
            let message =
                format!("a foreign function cannot give {ty} yet: expected one number or `bool`");
            let help = match self.is_half(result) {
                true => "give an `f32`, and convert it where the function is called",
                false => "write a function for each number",
            };
            self.error(result_of(function), message, help);
        }
    }

    fn foreign_of_arrays(
        &mut self,
        function: &syntax::Function,
        parameters: &[Parameter],
        result: &Type,
    ) {
        for (parameter, written) in parameters.iter().zip(&function.parameters) {
            if !self.is_foreign_parameter(&parameter.ty) {
                let at = written.ty.as_ref().map_or(parameter.span, span);
                let ty = self.show(&parameter.ty);
                let message = format!(
                    "a foreign function of arrays cannot take {ty} yet: expected arrays and elements"
                );
                let help = match parameter.ty {
                    Type::Function(..) => "apply it where the function is called",
                    _ => "take each of its arrays by itself",
                };
                self.error(at, message, help);
            }
        }
        if !self.is_foreign_result(result) {
            let ty = self.show(result);
            let message = format!(
                "a foreign function of arrays cannot give {ty} yet: expected an array, or a tuple of arrays"
            );
            let help = match is_element(&self.vars.resolve(result)) {
                true => {
                    "give an array of rank 0, as in `Scalar<f32>`; a function of scalars has `cuda = ..`"
                }
                false => "give each of its arrays by itself",
            };
            self.error(result_of(function), message, help);
        }
    }

    /// An array, an element, or a tuple of these.
    fn is_foreign_parameter(&self, ty: &Type) -> bool {
        match self.vars.resolve(ty) {
            Type::Tuple(types) => types.iter().all(|ty| self.is_foreign_parameter(ty)),
            ty => is_array(&ty) || is_element(&ty),
        }
    }

    /// An array, or a tuple of arrays.
    fn is_foreign_result(&self, ty: &Type) -> bool {
        match self.vars.resolve(ty) {
            Type::Tuple(types) => {
                !types.is_empty() && types.iter().all(|ty| self.is_foreign_result(ty))
            }
            ty => is_array(&ty),
        }
    }

    fn is_foreign_scalar(&self, ty: &Type) -> bool {
        let number = matches!(
            self.vars.shallow(ty),
            Type::Leaf(_) | Type::Usize | Type::Isize
        );
        // Kernels hold those as their bits, which CUDA C would convert as integers.
        number && !self.is_half(ty)
    }

    fn is_half(&self, ty: &Type) -> bool {
        matches!(self.vars.shallow(ty), Type::Leaf(leaf) if leaf.is_half())
    }
}

/// Where the type of the result is written.
fn result_of(function: &syntax::Function) -> Span {
    match &function.output {
        syn::ReturnType::Type(_, written) => span(written),
        syn::ReturnType::Default => function.name.span(),
    }
}

fn is_array(ty: &Type) -> bool {
    matches!(ty, Type::Array(..)) && is_host_type(ty)
}

fn is_element(ty: &Type) -> bool {
    !ty.has_array() && is_host_type(ty)
}
