//! `#[foreign(cuda = "src/fast.cuh")]`: a scalar function that has another text on CUDA devices.

use super::Checker;
use crate::codegen::names::c;
use crate::syntax::{self, span};
use crate::typed::{Attributes, Foreign, Parameter, Type};

const HELP: &str =
    "write `#[foreign(cuda = \"src/fast.cuh\")]`, a path from the root of the package";

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
        if pair.path.is_ident("rust") {
            return self.error(
                span(&pair.path),
                "`#[foreign(rust = ..)]` is not supported yet",
                "leave it out: the body is the meaning of the function",
            );
        }
        if !pair.path.is_ident("cuda") {
            let name = pair.path.segments.last().map(|last| last.ident.to_string());
            let name = name.unwrap_or_default();
            let message = format!("no foreign language `{name}`: expected `cuda`");
            return self.error(span(&pair.path), message, HELP);
        }
        let syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Str(file),
            ..
        }) = &pair.value
        else {
            return self.error(span(&pair.value), "the path of a file is a text", HELP);
        };
        let path = file.value();
        if path.is_empty() || path.starts_with('/') || path.contains('\\') {
            let message = format!("`{path}` is no path from the root of the package");
            return self.error(file.span(), message, HELP);
        }
        if result.foreign.is_some() {
            self.error(at, "`#[foreign]` stands here twice", "leave one out");
        }
        result.foreign = Some(Foreign {
            file: path,
            span: file.span(),
            text: String::new(),
        });
    }

    /// A function that has the attribute. Its own errors have been reported.
    pub(super) fn foreign_function(
        &mut self,
        function: &syntax::Function,
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
                    false => "take each number as a parameter of its own",
                };
                self.error(at, message, help);
            }
        }
        if !self.is_foreign_scalar(result) {
            let at = match &function.output {
                syn::ReturnType::Type(_, written) => span(written),
                syn::ReturnType::Default => function.name.span(),
            };
            let ty = self.show(result);
            let message =
                format!("a foreign function cannot give {ty} yet: expected one number or `bool`");
            let help = match self.is_half(result) {
                true => "give an `f32`, and convert it where the function is called",
                false => "write a function for each number",
            };
            self.error(at, message, help);
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
