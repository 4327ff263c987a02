//! What the host may name and read of types that stand in other blocks.

use super::{Checker, Context};
use crate::typed::{Home, Type, TypeItem};
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
}
