//! `#[export(c)]`: which functions may have it, and which types C can have.

use super::Checker;
use crate::codegen::names::c;
use crate::syntax::{self, span};
use crate::typed::{Attributes, Host, Parameter, Type};
use proc_macro2::Span;

impl Checker<'_> {
    /// The attribute itself.
    pub(super) fn export(
        &mut self,
        attribute: &syn::Attribute,
        helper: bool,
        result: &mut Attributes,
    ) {
        const HELP: &str = "write `#[export(c)]`";
        let at = span(attribute.path());
        let syn::Meta::List(list) = &attribute.meta else {
            self.error(at, "`#[export]` needs the language to export to", HELP);
            return;
        };
        match list.parse_args::<syn::Ident>() {
            Ok(language) if language == "c" => {}
            Ok(language) => {
                let message = format!("cannot export to `{language}`: expected `c`");
                return self.error(language.span(), message, HELP);
            }
            Err(error) => {
                return self.error(error.span(), format!("in `#[export]`: {error}"), HELP);
            }
        }
        if helper {
            self.error(
                at,
                "`#[export(c)]` on a helper, which the host does not have",
                "write it on a `pub fn` of the block that calls the helper",
            );
        } else if result.export.is_some() {
            self.error(at, "`#[export(c)]` stands here twice", "leave one out");
        }
        result.export = Some(at);
    }

    /// A function that has the attribute. Its own errors have been reported.
    pub(super) fn exported(
        &mut self,
        at: Span,
        function: &syntax::Function,
        parameters: &[Parameter],
        result: &Type,
    ) {
        let Host::Item { visibility, .. } = &function.host else {
            return;
        };
        if !matches!(visibility, syn::Visibility::Public(_)) {
            self.error(
                at,
                "`#[export(c)]` on a function that is not `pub`",
                "write `pub fn`: every program in C sees it",
            );
        }
        let name = function.name.to_string();
        if let Some(what) = c::taken(&name) {
            self.error(
                function.name.span(),
                format!("the name `{name}` is no symbol for C: it is {what}"),
                "give the function another name, or leave out `#[export(c)]`",
            );
        }
        for (parameter, written) in parameters.iter().zip(&function.parameters) {
            let at = written.ty.as_ref().map_or(parameter.span, span);
            let alone = matches!(parameter.ty, Type::Tuple(_));
            if let Some(help) = self.not_of_c(&parameter.ty) {
                let (name, ty) = (&parameter.name, self.show(&parameter.ty));
                let help = match alone {
                    true => "write a parameter for each of its parts",
                    false => help,
                };
                self.refuse_for_c(at, &format!("the parameter `{name}` is {ty}"), help);
            }
        }
        if let syn::ReturnType::Type(_, written) = &function.output
            && let Some(help) = self.result_not_of_c(result)
        {
            let ty = self.show(result);
            self.refuse_for_c(span(written), &format!("the result is {ty}"), help);
        }
    }

    fn refuse_for_c(&mut self, at: Span, what: &str, help: &str) {
        let message =
            format!("{what}, which C does not have: expected a scalar or an array of scalars");
        self.error(at, message, help);
    }

    /// What to write instead of a type that C does not have.
    fn not_of_c(&self, ty: &Type) -> Option<&'static str> {
        match self.vars.shallow(ty) {
            Type::Leaf(_) | Type::Usize | Type::Isize | Type::Char => None,
            Type::Array(element, _) => match self.vars.shallow(&element) {
                Type::Leaf(_) | Type::Usize | Type::Isize | Type::Char => None,
                Type::Option(_) => Some("use an array of values and one of `bool`"),
                _ => Some("use an array for each field, and `zip` and `unzip` them"),
            },
            Type::Segmented(_) => Some("use its `values()` and `offsets()`, which are vectors"),
            Type::Option(_) => Some("use a `bool` and the value"),
            Type::Bundle(_) => Some("use each of its arrays by itself"),
            _ => Some("use each of its scalars by itself"),
        }
    }

    /// As [`Self::not_of_c`]: the parts of a tuple are results by themselves.
    fn result_not_of_c(&self, ty: &Type) -> Option<&'static str> {
        match self.vars.shallow(ty) {
            Type::Tuple(parts) => parts.iter().find_map(|part| self.result_not_of_c(part)),
            ty => self.not_of_c(&ty),
        }
    }
}
