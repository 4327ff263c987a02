//! Structs, aliases and names of a block.

use super::infer::POISON;
use super::made::Made;
use super::suggest::did_you_mean;
use super::{Checker, Context, Generics, consts, functions};
use crate::diag::Diagnostic;
use crate::sorted::SortedMap;
use crate::syntax;
use crate::typed::{self, Home, PRIMITIVES, Type};
use proc_macro2::Span;
use std::cell::RefCell;
use std::rc::Rc;

impl<'a> Context<'a> {
    pub(super) fn new(block: &'a syntax::Block) -> Self {
        let mut cx = Context {
            syntax: block,
            structs: Vec::new(),
            made: Rc::new(Made::new(block.structs.len() + block.enums.len())),
            struct_names: Vec::new(),
            bundles: syntax::bundles(block),
            broken: Vec::new(),
            aliases: SortedMap::new(),
            open_aliases: RefCell::default(),
            constants: RefCell::default(),
            operators: Vec::new(),
            functions: SortedMap::new(),
            instances: RefCell::new(functions::Instances::default()),
            diagnostics: RefCell::default(),
        };
        let mut types = SortedMap::new();
        for item in &block.structs {
            if item.home == Home::Block {
                cx.unique_type(&mut types, &item.ident);
            }
            cx.struct_names.push(item.known.clone());
        }
        for item in &block.enums {
            if item.home == Home::Block {
                cx.unique_type(&mut types, &item.ident);
            }
            cx.struct_names.push(item.known.clone());
        }
        for alias in &block.aliases {
            if alias.home == Home::Block {
                cx.unique_type(&mut types, &alias.ident);
            }
            cx.aliases.insert(alias.known.clone(), alias);
        }
        let mut values = SortedMap::new();
        for (position, constant) in block.constants.iter().enumerate() {
            let name = &constant.known;
            cx.unique_as(&mut values, name, constant.ident.span(), "value");
            let state = consts::State::Written(position);
            cx.constants.borrow_mut().insert(name.clone(), state);
        }
        for (position, function) in block.functions.iter().enumerate() {
            if !function.named {
                continue;
            }
            let name = &function.known;
            cx.unique_as(&mut values, name, function.name.span(), "value");
            cx.functions.entry(name.clone()).or_insert(position);
        }
        let structs = block.structs.iter().enumerate().map(|(position, item)| {
            let name = cx.struct_names[position].clone();
            cx.check_parameters(item);
            let generics = Context::placeholders(&cx.parameters(position));
            typed::Struct {
                fields: cx.written_fields(&item.fields, true, &name, generics),
                arguments: Vec::new(),
                home: item.home.clone(),
                name,
                variants: Vec::new(),
                item: typed::TypeItem::Struct(item.item.clone()),
            }
        });
        let mut types: Vec<typed::Struct> = structs.collect();
        for item in &block.enums {
            cx.refuse_generics(&item.generics);
            types.push(typed::Struct {
                name: item.known.clone(),
                home: item.home.clone(),
                arguments: Vec::new(),
                fields: Vec::new(),
                variants: cx.variants(item),
                item: typed::TypeItem::Enum(item.item.clone()),
            });
        }
        cx.structs = types;
        cx.refuse_endless_structs();
        for id in block.structs.len()..cx.structs.len() {
            cx.share_slots(id);
        }
        cx.hide_wide_types();
        cx.broken = cx.broken_types();
        cx.operators = cx.operator_types();
        cx
    }

    /// Whether a type has a name of its own, which is no primitive type's.
    fn unique_type(&self, names: &mut SortedMap<String, Span>, name: &syn::Ident) {
        self.unique_as(names, &name.to_string(), name.span(), "type");
        if PRIMITIVES.iter().any(|primitive| name == primitive) {
            let message = format!("`{name}` is a primitive type");
            self.report(Diagnostic::new(name.span(), message).help("give this type another name"));
        }
    }

    fn unique_as(&self, names: &mut SortedMap<String, Span>, name: &str, at: Span, kind: &str) {
        if names.insert(name.to_owned(), at).is_some() {
            self.report(
                Diagnostic::new(
                    at,
                    format!("the {kind} `{name}` is defined more than once in this block"),
                )
                .help("give it another name"),
            );
        }
    }

    fn refuse_generics(&self, generics: &syn::Generics) {
        if let Some(parameter) = generics.params.first() {
            self.report(
                Diagnostic::new(
                    syntax::span(parameter),
                    "generic enums are not supported yet",
                )
                .help("write one for each type"),
            );
        }
    }

    /// The items of functions, and imports, that an item sees.
    pub(super) fn scope_of(&self, name: &str) -> syntax::Scope {
        let known = self.syntax.scopes.get(name);
        known.unwrap_or(&self.syntax.imports).clone()
    }

    /// The type of a struct or an enum of the block.
    pub(super) fn own_type(&self, id: usize) -> Type {
        match self.bundles.get(self.template(id)) {
            Some(true) => Type::Bundle(id),
            _ => Type::Struct(id),
        }
    }

    /// The fields of a variant, or of a struct, which may be a bundle.
    pub(super) fn written_fields(
        &self,
        written: &syn::Fields,
        bundle: bool,
        owner: &str,
        generics: Generics,
    ) -> Vec<(String, Type)> {
        let mut checker = Checker::new(self, generics);
        checker.items = self.scope_of(owner);
        let mut fields = Vec::new();
        for (position, field) in written.iter().enumerate() {
            let mut ty = checker.item_type(&field.ty);
            if let syn::Type::Reference(reference) = &field.ty {
                checker.error(
                    reference.and_token.span,
                    "a field cannot be a reference",
                    "write the type without `&`",
                );
                ty = POISON;
            }
            if (ty.has_array() && !(bundle && is_of_bundle(&ty)))
                || Checker::has_ordering(&ty)
                || ty == Type::Never
            {
                let shown = checker.show(&ty);
                checker.error(
                    syntax::span(&field.ty),
                    format!("a field cannot have the type {shown}"),
                    match bundle || !ty.has_array() {
                        true => "fields are scalars, tuples, structs and arrays",
                        false => "the fields of a variant are scalars, tuples and structs",
                    },
                );
                // It has no leaves.
                ty = POISON;
            }
            let name = match &field.ident {
                Some(ident) => ident.to_string(),
                None => position.to_string(),
            };
            fields.push((name, ty));
        }
        fields
    }

    fn refuse_endless_structs(&mut self) {
        for id in 0..self.structs.len() {
            let mut seen = vec![false; self.structs.len()];
            let reaches = parts(&self.structs[id]).any(|ty| self.reaches(ty, id, &mut seen));
            if reaches {
                self.report(
                    Diagnostic::new(
                        self.structs[id].item.ident().span(),
                        format!("the type `{}` contains itself", self.structs[id].name),
                    )
                    .help("store an index into a `Vector` instead"),
                );
                // Nothing after this may follow the circle.
                self.structs[id].fields.clear();
                for variant in &mut self.structs[id].variants {
                    variant.fields.clear();
                }
            }
        }
    }

    /// For each type whether it holds one that has been reported.
    fn broken_types(&self) -> Vec<bool> {
        let holds = |ty: &Type, broken: &[bool]| {
            self.any_part(ty, &|ty| match ty {
                &POISON => true,
                Type::Struct(id) | Type::Bundle(id) => broken.get(*id) == Some(&true),
                _ => false,
            })
        };
        let mut broken = vec![false; self.structs.len()];
        loop {
            let next: Vec<bool> = (self.structs.iter())
                .map(|strukt| parts(strukt).any(|ty| holds(ty, &broken)))
                .collect();
            if next == broken {
                return broken;
            }
            broken = next;
        }
    }

    fn reaches(&self, ty: &Type, target: usize, seen: &mut [bool]) -> bool {
        match ty {
            Type::Struct(id) | Type::Bundle(id) => {
                let (template, arguments) = self.made.of(*id).unwrap_or((*id, Vec::new()));
                if template == target || arguments.iter().any(|ty| self.reaches(ty, target, seen)) {
                    return true;
                }
                !std::mem::replace(&mut seen[template], true)
                    && parts(&self.structs[template]).any(|ty| self.reaches(ty, target, seen))
            }
            Type::Tuple(types) => types.iter().any(|ty| self.reaches(ty, target, seen)),
            Type::Fixed(inner, _) | Type::Option(inner) => self.reaches(inner, target, seen),
            _ => false,
        }
    }

    /// Whether something holds of a type, or of what it is made of: of a generic struct the arguments, and it itself by the
    /// number that the block knows it by.
    pub(super) fn any_part(&self, ty: &Type, holds: &dyn Fn(&Type) -> bool) -> bool {
        match ty {
            Type::Struct(id) | Type::Bundle(id) => {
                let (template, arguments) = self.made.of(*id).unwrap_or((*id, Vec::new()));
                holds(&Type::Struct(template))
                    || arguments.iter().any(|ty| self.any_part(ty, holds))
            }
            Type::Tuple(types) => types.iter().any(|ty| self.any_part(ty, holds)),
            Type::Fixed(inner, _)
            | Type::Option(inner)
            | Type::Array(inner, _)
            | Type::Segmented(inner) => self.any_part(inner, holds),
            ty => holds(ty),
        }
    }

    /// The position of a field.
    pub(super) fn field(&self, id: usize, name: &str) -> Option<(usize, Type)> {
        if !self.variants_of(id).is_empty() {
            return None;
        }
        let fields = self.fields(id);
        let position = fields.iter().position(|(field, _)| field == name)?;
        Some((position, fields[position].1.clone()))
    }

    /// Help for an unknown field.
    pub(super) fn suggest_field(&self, id: usize, name: &str) -> String {
        if !self.variants_of(id).is_empty() {
            return "it is an enum: write a `match`".to_string();
        }
        suggest_field(&self.fields(id), name)
    }
}

/// Help for an unknown field among some.
pub(super) fn suggest_field(fields: &[(String, Type)], name: &str) -> String {
    let names = || fields.iter().map(|(name, _)| name.as_str());
    let help = did_you_mean(name, names());
    if help.is_empty() && !fields.is_empty() {
        let list: Vec<_> = names().map(|name| format!("`{name}`")).collect();
        return format!("the fields are {}", list.join(", "));
    }
    help
}

/// Whether a type with arrays can be a field of a bundle.
fn is_of_bundle(ty: &Type) -> bool {
    match ty {
        Type::Array(..) | Type::Segmented(_) | Type::Bundle(_) => true,
        Type::Tuple(types) => types.iter().all(|ty| !ty.has_array() || is_of_bundle(ty)),
        _ => false,
    }
}

/// The types of everything in a struct or an enum.
fn parts(strukt: &typed::Struct) -> impl Iterator<Item = &Type> {
    let variants = strukt.variants.iter().flat_map(|variant| &variant.fields);
    strukt.fields.iter().chain(variants).map(|(_, ty)| ty)
}
