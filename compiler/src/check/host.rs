//! What the host may name and read: fields of types that stand in other blocks, functions of `impl`s of public types.

use super::functions::is_host_type;
use super::{Checker, Context, Generics};
use crate::syntax;
use crate::typed::{Home, Method, Parameter, Type, TypeItem};
use proc_macro2::Span;

impl Context<'_> {
    /// A struct of another block and a field of it that the host cannot read, among what a value of this type is made of.
    /// The elements of arrays are read by their own blocks.
    pub(super) fn private_field(&self, ty: &Type) -> Option<(String, String)> {
        match ty {
            Type::Tuple(types) => types.iter().find_map(|ty| self.private_field(ty)),
            Type::Fixed(inner, _) | Type::Option(inner) => self.private_field(inner),
            Type::Struct(id) | Type::Bundle(id) => {
                let strukt = self.structs.get(self.template(*id))?;
                if let (Home::Other(_), TypeItem::Struct(item)) = (&strukt.home, &strukt.item) {
                    let private =
                        |field: &syn::Field| matches!(field.vis, syn::Visibility::Inherited);
                    if let Some(position) = item.fields.iter().position(private) {
                        return Some((strukt.name.clone(), strukt.fields[position].0.clone()));
                    }
                }
                let fields = match strukt.variants.is_empty() {
                    true => self.fields(*id),
                    false => Vec::new(),
                };
                fields.iter().find_map(|(_, ty)| self.private_field(ty))
            }
            _ => None,
        }
    }

    /// Whether all types of the block in a type are `pub`.
    fn is_public(&self, ty: &Type) -> bool {
        !self.any_part(ty, &|ty| match ty {
            Type::Struct(id) | Type::Bundle(id) => {
                let strukt = self.structs.get(self.template(*id));
                let public = strukt.is_some_and(|strukt| {
                    strukt.home != Home::Function
                        && !matches!(strukt.item.visibility(), syn::Visibility::Inherited)
                });
                !public
            }
            _ => false,
        })
    }

    /// The functions of `impl`s of generic types, with what their parameters stand for, of the types that occur in these.
    pub(super) fn methods_of(&self, types: &[Type]) -> Vec<(usize, Generics)> {
        let mut made: Vec<usize> = Vec::new();
        for ty in types {
            self.made_in(ty, &mut made);
        }
        made.sort_unstable();
        made.dedup();
        let mut found = Vec::new();
        for (position, function) in self.syntax.functions.iter().enumerate() {
            let names = function.generics.type_params();
            let names: Vec<String> = names.map(|name| name.ident.to_string()).collect();
            let Some(method) = function.method.as_ref().filter(|_| !names.is_empty()) else {
                continue;
            };
            let mut checker = Checker::new(self, Context::placeholders(&names));
            checker.items.clone_from(&function.scope);
            let owner = checker.written_type(&method.owner);
            for &id in &made {
                let (types, mut generics) = checker.opened(std::slice::from_ref(&owner), position);
                if !checker.vars.unify(&types[0], &Type::Struct(id)) {
                    continue;
                }
                for ty in generics.types.values_mut() {
                    *ty = checker.vars.resolve(ty);
                }
                if super::bounds::broken_bound(function, &generics).is_none() {
                    found.push((position, generics));
                }
            }
        }
        found
    }

    /// The generic types with arguments in a type.
    fn made_in(&self, ty: &Type, found: &mut Vec<usize>) {
        match ty {
            Type::Struct(id) => {
                found.extend(self.made.of(*id).map(|_| *id));
                let fields = self.fields(*id);
                fields.iter().for_each(|(_, ty)| self.made_in(ty, found));
            }
            Type::Bundle(id) => {
                let fields = self.fields(*id);
                fields.iter().for_each(|(_, ty)| self.made_in(ty, found));
            }
            Type::Tuple(types) => types.iter().for_each(|ty| self.made_in(ty, found)),
            Type::Fixed(inner, _)
            | Type::Option(inner)
            | Type::Array(inner, _)
            | Type::Segmented(inner) => self.made_in(inner, found),
            _ => {}
        }
    }

    /// Whether a type is one of the block's own.
    fn is_own(&self, ty: &Type) -> bool {
        let Type::Struct(id) = ty else { return false };
        let strukt = self.structs.get(self.template(*id));
        strukt.is_some_and(|strukt| strukt.home == Home::Block)
    }
}

impl Checker<'_> {
    /// Reports what the host would have to read of a parameter, a result or a constant, and cannot.
    pub(super) fn readable_by_host(&mut self, ty: &Type, at: Span) {
        if let Some((owner, field)) = self.cx.private_field(ty) {
            self.error(
                at,
                format!("the field `{field}` of `{owner}` is private"),
                "write `pub` before the field, where its block stands",
            );
        }
    }

    /// What the host sees of a function of an `impl`: of a public type of the block, without arrays, with types that the
    /// host can name.
    pub(super) fn method_of_host(
        &mut self,
        function: &syntax::Function,
        parameters: &[Parameter],
        result: &Type,
    ) -> Option<Method> {
        let method = function.method.as_ref().filter(|_| !self.failed)?;
        let owner = self.written_type(&method.owner);
        let mut types = parameters.iter().map(|parameter| &parameter.ty);
        let own = match method.operator {
            // Rust wants one of the types of an operator to be of the crate.
            Some(_) => types.clone().any(|ty| self.cx.is_own(ty)),
            None => self.cx.is_own(&owner),
        };
        let named = |ty: &Type| {
            is_host_type(ty)
                && !ty.has_array()
                && self.cx.wide_in(ty).is_none()
                && self.cx.is_public(ty)
                && self.cx.private_field(ty).is_none()
        };
        let seen = own && named(&owner) && types.all(named) && named(result);
        seen.then(|| Method {
            owner,
            operator: method.operator,
            visibility: method.visibility.clone(),
            attributes: method.attributes.clone(),
        })
    }
}
