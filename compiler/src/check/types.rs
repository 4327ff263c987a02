//! Types as written, made types of the checker.

use super::infer::POISON;
use super::literals::scalar_named;
use super::made::is_parameter;
use super::suggest::did_you_mean;
use super::{Checker, unit};
use crate::syntax::{Declared, function_type, span};
use crate::typed::Type;
use proc_macro2::Span;

impl Checker<'_> {
    /// The type that some syntax names. `_` is a fresh variable; an error is poison.
    pub(super) fn written_type(&mut self, ty: &syn::Type) -> Type {
        match ty {
            syn::Type::Reference(reference) => {
                if let Some(token) = &reference.mutability {
                    self.error(
                        token.span,
                        "`&mut` is not supported in `accelerate!`",
                        "take the value and return the new one",
                    );
                    return POISON;
                }
                match &*reference.elem {
                    syn::Type::Slice(slice) => self.slice_type(slice),
                    elem => self.written_type(elem),
                }
            }
            syn::Type::Paren(paren) => self.written_type(&paren.elem),
            syn::Type::Group(group) => self.written_type(&group.elem),
            syn::Type::Tuple(tuple) => {
                Type::Tuple(tuple.elems.iter().map(|t| self.written_type(t)).collect())
            }
            syn::Type::Infer(_) => self.vars.any(),
            syn::Type::Never(_) => self.type_error(
                span(ty),
                "`!` is the type of what gives no value: only a result can have it",
                "write the type of the value",
            ),
            syn::Type::Path(path) => self.path_type(&path.path),
            syn::Type::Slice(slice) => self.slice_type(slice),
            syn::Type::Array(array) => self.fixed_type(array),
            syn::Type::ImplTrait(_) | syn::Type::BareFn(_) => self.function_type_elsewhere(ty),
            syn::Type::TraitObject(it) if it.dyn_token.is_some() => {
                self.function_type_elsewhere(ty)
            }
            other => self.type_error(
                span(other),
                "this type is not supported in `accelerate!`",
                "the types are numbers, `bool`, tuples, structs of the block and arrays of these",
            ),
        }
    }

    /// The type of a parameter, which may be a function.
    pub(super) fn parameter_type(&mut self, written: &syn::Type) -> Type {
        let Some(function) = function_type(written) else {
            return self.item_type(written);
        };
        let arguments = function.inputs.iter();
        let arguments = arguments.map(|input| self.item_type(input)).collect();
        let result = match &function.output {
            syn::ReturnType::Default => unit(),
            syn::ReturnType::Type(_, ty) => self.item_type(ty),
        };
        Type::Function(arguments, Box::new(result))
    }

    /// A type that is meant for a function, where there is none, or not written so.
    fn function_type_elsewhere(&mut self, ty: &syn::Type) -> Type {
        let (message, help) = match ty {
            ty if function_type(ty).is_some() => (
                "a function cannot stand here",
                "only a parameter of a helper is one: `f: impl Fn(f32) -> f32`",
            ),
            syn::Type::ImplTrait(it) if mentions_function(it) => (
                "a function that is called changes nothing",
                "write `impl Fn(..) -> ..`",
            ),
            syn::Type::ImplTrait(_) => (
                "`impl` types are not supported in `accelerate!`",
                "write the type, or `impl Fn(..) -> ..` for a function",
            ),
            syn::Type::BareFn(_) => (
                "function pointers are not supported in `accelerate!`",
                "write `impl Fn(..) -> ..`",
            ),
            _ => (
                "`dyn` is not supported in `accelerate!`",
                "write `impl Fn(..) -> ..` for a function",
            ),
        };
        self.type_error(span(ty), message, help)
    }

    /// The type of a parameter, a result, a field or a constant: it says everything, as it does for rustc.
    pub(super) fn item_type(&mut self, written: &syn::Type) -> Type {
        let ty = self.written_type(written);
        match is_open(&ty) {
            true => self.type_error(
                span(written),
                "`_` cannot stand in the type of an item",
                "write the type",
            ),
            false => ty,
        }
    }

    fn type_error(&mut self, at: Span, message: &str, help: &str) -> Type {
        self.error(at, message, help);
        POISON
    }

    fn slice_type(&mut self, slice: &syn::TypeSlice) -> Type {
        let element = self.written_type(&slice.elem);
        let shown = self.vars.show(&element, &self.cx.struct_names);
        self.type_error(
            span(slice),
            "slices are not supported in `accelerate!`",
            &format!("write `&Vector<{shown}>`"),
        )
    }

    fn path_type(&mut self, path: &syn::Path) -> Type {
        let Some(last) = path.segments.last() else {
            return POISON;
        };
        let name = last.ident.to_string();
        let name = self.item(&name);
        let at = last.ident.span();
        let arguments: Vec<&syn::GenericArgument> = match &last.arguments {
            syn::PathArguments::AngleBracketed(list) => list.args.iter().collect(),
            _ => Vec::new(),
        };
        let rank = match &*name {
            "Scalar" => Some(0),
            "Vector" => Some(1),
            "Matrix" => Some(2),
            "Cube" => Some(3),
            _ => None,
        };
        if let Some(rank) = rank {
            let element = self.one_argument(&name, &arguments, at);
            return self.array_of(element, rank, at);
        }
        if name == "Array" {
            return self.array_type(&arguments, at);
        }
        if name == "Option" {
            let element = self.one_argument(&name, &arguments, at);
            let inside = self.vars.resolve(&element);
            if inside.has_array() {
                let shown = self.show(&inside);
                return self.type_error(
                    at,
                    &format!("{shown} cannot stand in an `Option`"),
                    "write the array, and a `bool` beside it",
                );
            }
            return Type::Option(Box::new(element));
        }
        if name == "Offsets" {
            let element = self.one_argument(&name, &arguments, at);
            return Type::Offsets(Box::new(element));
        }
        if name == "Segmented" {
            let element = self.one_argument(&name, &arguments, at);
            return match self.array_of(element, 1, at) {
                Type::Array(element, _) => Type::Segmented(element),
                other => other,
            };
        }
        if name == "char" && arguments.is_empty() {
            return Type::Char;
        }
        let known = self.generics.types.contains_key(&name)
            || scalar_named(&name).is_some()
            || self.cx.struct_names.contains(&name)
            || self.cx.aliases.contains_key(&name);
        let generic = self.cx.struct_names.iter().position(|s| *s == name);
        if let Some(id) = generic.filter(|&id| !self.cx.parameters(id).is_empty()) {
            return self.applied_struct(id, &arguments, at);
        }
        if let (Some(argument), true) = (arguments.first(), known) {
            self.error(
                span(argument),
                format!("the type `{name}` takes no arguments here"),
                "",
            );
            return POISON;
        } else if let Some(ty) = self.generics.types.get(&name) {
            return ty.clone();
        } else if let Some(ty) = scalar_named(&name) {
            return ty;
        } else if let Some(id) = self.cx.struct_names.iter().position(|s| *s == name) {
            return self.cx.own_type(id);
        } else if let Some(alias) = self.cx.aliases.get(&name).copied() {
            return self.alias_type(&name, alias);
        }
        if name == "Ordering" && arguments.is_empty() {
            return Type::Ordering;
        }
        let (message, help) = self.unknown_type(&name, &arguments);
        self.unknown(&name, at, message, help);
        POISON
    }

    fn alias_type(&mut self, name: &str, alias: &Declared<syn::ItemType>) -> Type {
        if self
            .cx
            .open_aliases
            .borrow()
            .iter()
            .any(|open| open == name)
        {
            return self.type_error(
                alias.ident.span(),
                "this type is defined by itself",
                "write what it stands for",
            );
        }
        self.cx.open_aliases.borrow_mut().push(name.to_string());
        let ty = self.in_scope(&self.cx.scope_of(name), |cx| cx.written_type(&alias.ty));
        self.cx.open_aliases.borrow_mut().pop();
        ty
    }

    /// The only type argument of `name`.
    fn one_argument(&mut self, name: &str, arguments: &[&syn::GenericArgument], at: Span) -> Type {
        match arguments {
            [syn::GenericArgument::Type(ty)] => self.written_type(ty),
            _ => {
                self.error(
                    at,
                    format!("`{name}` takes one type argument"),
                    format!("write `{name}<f32>`"),
                );
                POISON
            }
        }
    }

    fn array_type(&mut self, arguments: &[&syn::GenericArgument], at: Span) -> Type {
        let [syn::GenericArgument::Type(element), rank] = arguments else {
            return self.type_error(
                at,
                "`Array` takes an element type and a rank",
                "write `Array<f32, 4>`",
            );
        };
        let element = self.written_type(element);
        let rank_expr: Option<syn::Expr> = match rank {
            syn::GenericArgument::Const(expr) => Some(expr.clone()),
            // A name is a type to the parser.
            syn::GenericArgument::Type(syn::Type::Path(path)) => {
                Some(syn::Expr::Path(syn::ExprPath {
                    attrs: Vec::new(),
                    qself: None,
                    path: path.path.clone(),
                }))
            }
            _ => None,
        };
        let Some(rank_expr) = rank_expr else {
            return self.type_error(
                at,
                "the rank of an array is a number",
                "write `Array<f32, 4>`",
            );
        };
        match self.constant_usize(&rank_expr, "the rank of an array") {
            Some(rank) if rank <= 16 => self.array_of(element, rank as usize, at),
            Some(_) => self.type_error(
                span(&rank_expr),
                "ranks above 16 are not supported",
                "use fewer axes",
            ),
            None => POISON,
        }
    }

    fn array_of(&mut self, element: Type, rank: usize, at: Span) -> Type {
        let resolved = self.vars.resolve(&element);
        if let Some(wide) = self.cx.wide_in(&resolved) {
            let shown = self.show(&wide);
            return self.type_error(
                at,
                &format!("{shown} cannot be an element of an array"),
                "write two arrays of `u64`, or an array of pairs: the high halves and the low ones",
            );
        }
        if resolved.has_array() || is_no_element(&resolved) {
            let shown = self.show(&resolved);
            return self.type_error(
                at,
                &format!("{shown} cannot be an element of an array"),
                match resolved {
                    Type::Bundle(_) => "it holds arrays: give each of them one more rank",
                    _ => "elements are scalars, and tuples and structs of these; use one more rank",
                },
            );
        }
        Type::Array(Box::new(element), rank)
    }

    fn unknown_type(
        &mut self,
        name: &str,
        arguments: &[&syn::GenericArgument],
    ) -> (String, String) {
        // A map's values are its last argument; its keys are indices.
        let element = match arguments {
            [.., syn::GenericArgument::Type(ty)] => quote::quote!(#ty).to_string(),
            _ => "f32".to_string(),
        };
        if super::unsupported::is_heap_type(name) {
            let help = match name {
                "Box" | "Rc" | "Arc" => format!("write `{element}`: everything is a value here"),
                "String" => "texts stand in `assert!(condition, \"text\")` only".to_string(),
                "Vec" => format!("write `Vector<{element}>`"),
                _ => format!("write `Vector<{element}>` and indices into it"),
            };
            let message = format!("the heap type `{name}` is not supported in `accelerate!`");
            return (message, help);
        }
        let later =
            |name: &str, help: &str| (format!("`{name}` is not supported yet"), help.to_string());
        match name {
            "str" => {
                return (
                    "strings are not supported in `accelerate!`".to_string(),
                    "texts stand in `assert!(condition, \"text\")` only".to_string(),
                );
            }
            "Boundary" => {
                return later(name, "write the boundary where a stencil takes it");
            }
            // ndarray's names.
            "Array0" | "Array1" | "Array2" | "Array3" => {
                let rank =
                    ["Scalar", "Vector", "Matrix", "Cube"][usize::from(name.as_bytes()[5] - b'0')];
                let message = format!("unknown type `{name}`");
                return (message, format!("write `{rank}<{element}>`"));
            }
            _ => {}
        }
        let known = [
            "Vector",
            "Matrix",
            "Cube",
            "Scalar",
            "Array",
            "Segmented",
            "Option",
        ];
        let scalars = crate::scalar::Leaf::ALL.map(crate::scalar::Leaf::name);
        let names = known
            .into_iter()
            .chain(scalars)
            .chain(["usize", "isize", "i128", "u128"])
            .chain(self.cx.struct_names.iter().map(String::as_str))
            .chain(self.cx.aliases.keys().map(String::as_str))
            .chain(self.generics.types.keys().map(String::as_str));
        let mut help = did_you_mean(name, names);
        if help.is_empty() {
            help = "the types of a block are its own structs, numbers, `bool`, tuples and arrays"
                .into();
        }
        (format!("unknown type `{name}`"), help)
    }

    /// The result type of a signature.
    pub(super) fn written_output(&mut self, output: &syn::ReturnType) -> Type {
        match output {
            syn::ReturnType::Default => unit(),
            syn::ReturnType::Type(_, ty) => self.result_type(ty),
        }
    }

    /// The type of a result, which there need not be.
    pub(super) fn result_type(&mut self, ty: &syn::Type) -> Type {
        match ty {
            syn::Type::Never(_) => Type::Never,
            ty => self.written_type(ty),
        }
    }
}

/// `impl FnMut(..)`, `impl FnOnce(..)`.
fn mentions_function(it: &syn::TypeImplTrait) -> bool {
    it.bounds.iter().any(|bound| match bound {
        syn::TypeParamBound::Trait(bound) => {
            let last = bound.path.segments.last();
            last.is_some_and(|last| last.ident == "FnMut" || last.ident == "FnOnce")
        }
        _ => false,
    })
}

/// Whether some of a type is left to be inferred.
fn is_open(ty: &Type) -> bool {
    match ty {
        Type::Unknown(_) => *ty != POISON && !is_parameter(ty),
        Type::Tuple(types) => types.iter().any(is_open),
        Type::Option(inner)
        | Type::Array(inner, _)
        | Type::Fixed(inner, _)
        | Type::Segmented(inner)
        | Type::Offsets(inner) => is_open(inner),
        Type::Function(arguments, result) => arguments.iter().any(is_open) || is_open(result),
        _ => false,
    }
}

/// Whether there is something in a type that no array can hold, arrays apart.
fn is_no_element(ty: &Type) -> bool {
    match ty {
        Type::Closure | Type::Function(..) | Type::Range(_) => true,
        Type::Tuple(types) => types.iter().any(is_no_element),
        Type::Fixed(element, _) | Type::Option(element) => is_no_element(element),
        _ => false,
    }
}
