//! Generic structs in the checker: what they are made of, and where their arguments come from.

use super::infer::POISON;
use super::made::parameter;
use super::{Checker, Context, Generics};
use crate::syntax::{self, span};
use crate::typed::{self, Type, Variant};
use proc_macro2::Span;

impl Context<'_> {
    /// The struct of the block that a type is, or is made of.
    pub(super) fn template(&self, id: usize) -> usize {
        self.made.of(id).map_or(id, |(template, _)| template)
    }

    /// The name of a struct or an enum.
    pub(super) fn name(&self, id: usize) -> &str {
        self.struct_names
            .get(self.template(id))
            .map_or("", String::as_str)
    }

    /// The fields of a struct.
    pub(super) fn fields(&self, id: usize) -> Vec<(String, Type)> {
        let (template, arguments) = self.made.of(id).unwrap_or((id, Vec::new()));
        let Some(strukt) = self.structs.get(template) else {
            return Vec::new();
        };
        let fields = strukt.fields.iter();
        let fields = fields.map(|(name, ty)| (name.clone(), self.made.substituted(ty, &arguments)));
        fields.collect()
    }

    /// The variants of an enum; none of a struct.
    pub(super) fn variants_of(&self, id: usize) -> &[Variant] {
        self.structs.get(id).map_or(&[], |strukt| &strukt.variants)
    }

    /// The parameters of a struct of the block.
    pub(super) fn parameters(&self, id: usize) -> Vec<String> {
        let item = self.syntax.structs.get(id);
        let parameters = item
            .into_iter()
            .flat_map(|item| item.generics.type_params());
        parameters
            .map(|parameter| parameter.ident.to_string())
            .collect()
    }

    /// In what stands inside a generic item: its parameters.
    pub(super) fn placeholders(names: &[String]) -> Generics {
        let types = names.iter().enumerate();
        Generics {
            types: types
                .map(|(k, name)| (name.clone(), parameter(k)))
                .collect(),
            ..Generics::default()
        }
    }

    /// The types that are made of generic ones, in the order of their numbers.
    pub(super) fn made_structs(&self) -> Vec<typed::Struct> {
        let made = (self.structs.len()..self.made.count()).map(|id| {
            let (template, arguments) = self.made.of(id).unwrap_or_default();
            let strukt = &self.structs[template];
            typed::Struct {
                name: strukt.name.clone(),
                home: strukt.home.clone(),
                arguments,
                item: strukt.item.clone(),
                fields: self.fields(id),
                variants: Vec::new(),
            }
        });
        made.collect()
    }

    /// What a generic struct cannot have.
    pub(super) fn check_parameters(&self, item: &syn::ItemStruct) {
        let mut checker = Checker::new(self, Generics::default());
        let generics = &item.generics;
        if let Some(parameter) = generics.const_params().next() {
            checker.error(
                span(parameter),
                "a number cannot be a parameter of a struct",
                "write a struct for each",
            );
        }
        let bounded = |parameter: &&syn::TypeParam| {
            !parameter.bounds.is_empty() || parameter.default.is_some()
        };
        let bounded = generics.type_params().find(bounded).map(span);
        let bounded = bounded.or(generics.lifetimes().next().map(span));
        let clause = generics.where_clause.as_ref();
        if let Some(at) = bounded.or(clause.map(|clause| clause.where_token.span)) {
            checker.error(
                at,
                "a struct has plain parameters, which are element types",
                "write the bounds where they are needed: `impl<T: Float> ..`",
            );
        }
    }
}

impl Checker<'_> {
    /// A struct of the block as an expression names it: with arguments that are not known yet.
    pub(super) fn open_struct(&mut self, id: usize) -> usize {
        let count = self.cx.parameters(id).len();
        if count == 0 {
            return id;
        }
        let arguments = (0..count).map(|_| self.vars.any()).collect();
        self.cx.made.make(id, arguments)
    }

    /// A generic struct with the arguments as written.
    pub(super) fn applied_struct(
        &mut self,
        id: usize,
        written: &[&syn::GenericArgument],
        at: Span,
    ) -> Type {
        let names = self.cx.parameters(id);
        let name = self.cx.name(id).to_owned();
        let list = vec!["f32"; names.len()].join(", ");
        let help = format!("write `{name}<{list}>`");
        if names.len() != written.len() {
            self.error(
                at,
                format!(
                    "`{name}` has {} type arguments, found {}",
                    names.len(),
                    written.len()
                ),
                help,
            );
            return POISON;
        }
        let mut arguments = Vec::new();
        for argument in written {
            let ty = match argument {
                syn::GenericArgument::Type(ty) => self.written_type(ty),
                other => {
                    self.error(
                        syntax::span(other),
                        format!("`{}` is no type", quote::quote!(#other)),
                        help,
                    );
                    return POISON;
                }
            };
            let element = !ty.has_array() && !Self::has_ordering(&ty);
            if !element || ty == Type::Never {
                let shown = self.show(&ty);
                self.error(
                    syntax::span(argument),
                    format!("{shown} cannot be an argument of `{name}`"),
                    "arguments are element types: scalars, tuples and structs of these",
                );
                return POISON;
            }
            arguments.push(ty);
        }
        self.cx.own_type(self.cx.made.make(id, arguments))
    }

    /// An operator's types of operands, and the types that the parameters of its function stand for: fresh ones.
    pub(super) fn opened(&mut self, types: &[Type], function: usize) -> (Vec<Type>, Generics) {
        let mut generics = Generics::default();
        let mut arguments = Vec::new();
        for parameter in self.cx.syntax.functions[function].generics.type_params() {
            let fresh = self.vars.any();
            generics
                .types
                .insert(parameter.ident.to_string(), fresh.clone());
            arguments.push(fresh);
        }
        let types = types
            .iter()
            .map(|ty| self.cx.made.substituted(ty, &arguments));
        (types.collect(), generics)
    }
}
