//! Enums: their variants, and how these share the leaves of an element.

use super::infer::{POISON, leaf};
use super::{Checker, Context, expr};
use crate::diag::Diagnostic;
use crate::scalar::Leaf;
use crate::syntax::Declared;
use crate::typed::{Arm, Expr, ExprKind, Pattern, Type, Variant};
use proc_macro2::Span;

impl Context<'_> {
    /// The variants of an enum; slots come later, when the fields of every type are known.
    pub(super) fn variants(&self, item: &Declared<syn::ItemEnum>) -> Vec<Variant> {
        if item.variants.is_empty() {
            self.report(
                Diagnostic::new(item.ident.span(), "an enum needs a variant")
                    .help("write the cases in its braces"),
            );
        }
        // Their parameters have been reported.
        let mut refused = super::Generics::default();
        for parameter in item.generics.type_params() {
            refused.types.insert(parameter.ident.to_string(), POISON);
        }
        let mut next = 0;
        let mut variants: Vec<Variant> = Vec::new();
        for variant in &item.variants {
            let name = variant.ident.to_string();
            if variants.iter().any(|other| other.name == name) {
                let message = format!("the variant `{name}` is named twice");
                self.report(Diagnostic::new(variant.ident.span(), message));
            }
            if let Some((_, value)) = &variant.discriminant {
                let mut checker = Checker::new(self, super::Generics::default());
                checker.items = self.scope_of(&item.known);
                next = checker
                    .constant_isize(value, "a discriminant")
                    .unwrap_or(next);
            }
            variants.push(Variant {
                name,
                fields: self.written_fields(&variant.fields, false, &item.known, refused.clone()),
                slots: Vec::new(),
                discriminant: next,
            });
            next = next.wrapping_add(1);
        }
        variants
    }

    /// Gives the leaves of each variant their slots: one for each leaf of a type that some variant has.
    pub(super) fn share_slots(&mut self, id: usize) {
        if !self.structs[id].fields.is_empty() {
            return;
        }
        let tag = match self.structs[id].variants.len() {
            0..=0x100 => Leaf::U8,
            0x101..=0x1_0000 => Leaf::U16,
            _ => Leaf::U32,
        };
        let mut slots = vec![tag];
        for variant in 0..self.structs[id].variants.len() {
            let fields = self.structs[id].variants[variant].fields.clone();
            let mut leaves = Vec::new();
            for (_, ty) in &fields {
                self.leaves(ty, &mut leaves);
            }
            let mut taken = vec![false; slots.len()];
            taken[0] = true;
            let mut own = Vec::new();
            for leaf in leaves {
                let free = (0..slots.len()).find(|&k| slots[k] == leaf && !taken[k]);
                let slot = free.unwrap_or_else(|| {
                    slots.push(leaf);
                    taken.push(false);
                    slots.len() - 1
                });
                taken[slot] = true;
                own.push(slot);
            }
            self.structs[id].variants[variant].slots = own;
        }
        let named = slots.into_iter().enumerate().map(|(k, leaf)| {
            let name = match k {
                0 => "variant".to_string(),
                k => k.to_string(),
            };
            (name, Type::Leaf(leaf))
        });
        self.structs[id].fields = named.collect();
    }

    fn leaves(&mut self, ty: &Type, into: &mut Vec<Leaf>) {
        match ty {
            Type::Tuple(types) => types.iter().for_each(|ty| self.leaves(ty, into)),
            Type::Struct(id) => {
                if !self.variants_of(*id).is_empty() {
                    self.share_slots(*id);
                }
                let fields = self.fields(*id);
                fields.iter().for_each(|(_, ty)| self.leaves(ty, into));
            }
            Type::Fixed(element, n) => (0..*n).for_each(|_| self.leaves(element, into)),
            Type::Option(inner) => {
                into.push(Leaf::Bool);
                self.leaves(inner, into);
            }
            ty => match ty.halves() {
                Some(halves) => into.extend(halves.into_iter().filter_map(leaf)),
                None => into.extend(leaf(ty)),
            },
        }
    }
}

impl Checker<'_> {
    /// The variant that a path names: `Shape::Circle`.
    pub(super) fn variant_of(&mut self, names: &[String]) -> Option<(usize, usize)> {
        let [.., owner, name] = names else {
            return None;
        };
        let id = self.struct_of(owner)?;
        let variants = self.cx.variants_of(id);
        let variant = variants.iter().position(|variant| variant.name == *name)?;
        Some((id, variant))
    }

    /// `Shape::Circle(r)`, `Shape::Empty`.
    pub(super) fn variant_call(
        &mut self,
        (id, variant): (usize, usize),
        args: &[&syn::Expr],
        at: Span,
    ) -> Expr {
        let fields = self.cx.variants_of(id)[variant].fields.clone();
        let name = self.cx.variants_of(id)[variant].name.clone();
        if fields.first().is_some_and(|(field, _)| field != "0") {
            return self.reject(
                at,
                format!("the fields of `{name}` have names"),
                format!(
                    "write `{}::{name} {{ {}: .. }}`",
                    self.cx.name(id),
                    fields[0].0
                ),
            );
        }
        if fields.len() != args.len() {
            return self.wrong_count(&name, fields.len(), args.len(), at);
        }
        let values = args.iter().zip(&fields);
        let values = values.map(|(arg, (_, ty))| self.check(arg, ty)).collect();
        expr(ExprKind::Variant(variant, values), Type::Struct(id), at)
    }

    /// `shape as i32`: of an enum without fields.
    pub(super) fn cast_of_enum(&mut self, operand: &Expr, ty: &Type, at: Span) -> Option<ExprKind> {
        let (Type::Struct(id), Some(to)) = (&operand.ty, leaf(ty)) else {
            return None;
        };
        let variants = self.cx.variants_of(*id);
        let plain = variants.iter().all(|variant| variant.fields.is_empty());
        if variants.is_empty() || !plain || !to.is_integer() {
            return None;
        }
        let arms = variants.iter().enumerate().map(|(k, variant)| {
            let value = i128::from(variant.discriminant);
            let body = match ty.is_wide() {
                true => super::wide::constant(value as u128, ty, at),
                false => {
                    let value = super::consts::from_integer(to, value);
                    expr(ExprKind::Constant(value), ty.clone(), at)
                }
            };
            Arm {
                pattern: Pattern::Variant(*id, k, Vec::new()),
                guard: None,
                body,
            }
        });
        Some(ExprKind::Match(Box::new(operand.clone()), arms.collect()))
    }

    /// The fields that a struct literal gives: of a struct, or of a variant.
    pub(super) fn literal_target(&mut self, node: &syn::ExprStruct) -> Option<Target> {
        let names = super::paths::segments(&node.path);
        if let Some((id, variant)) = self.variant_of(&names) {
            return Some(Target {
                id,
                variant: Some(variant),
                name: names.join("::"),
                fields: self.cx.variants_of(id)[variant].fields.clone(),
            });
        }
        let name = names.last().cloned().unwrap_or_default();
        let id = self.struct_of(&name)?;
        if !self.cx.variants_of(id).is_empty() {
            return None;
        }
        Some(Target {
            id,
            variant: None,
            name,
            fields: self.cx.fields(id),
        })
    }

    /// The variants of an enum, for help.
    pub(super) fn variant_help(&self, id: usize) -> String {
        let name = self.cx.name(id);
        let list = self.cx.variants_of(id).iter();
        let list: Vec<String> = list.map(|v| format!("`{name}::{}`", v.name)).collect();
        format!("its variants are {}", list.join(", "))
    }

    /// Whether a path may be that of an enum, for messages.
    pub(super) fn enum_of(&mut self, names: &[String]) -> Option<usize> {
        let [.., owner, _] = names else {
            return None;
        };
        let id = self.struct_of(owner)?;
        (!self.cx.variants_of(id).is_empty()).then_some(id)
    }
}

/// What a struct literal makes.
pub(super) struct Target {
    pub(super) id: usize,
    pub(super) variant: Option<usize>,
    pub(super) name: String,
    pub(super) fields: Vec<(String, Type)>,
}

impl Target {
    pub(super) fn field(&self, name: &str) -> Option<(usize, Type)> {
        let position = self.fields.iter().position(|(field, _)| field == name)?;
        Some((position, self.fields[position].1.clone()))
    }

    /// The literal, of the type `ty`.
    pub(super) fn value(&self, fields: Vec<Expr>, ty: Type, at: Span) -> Expr {
        let kind = match self.variant {
            Some(variant) => ExprKind::Variant(variant, fields),
            None => ExprKind::Tuple(fields),
        };
        expr(kind, ty, at)
    }
}
