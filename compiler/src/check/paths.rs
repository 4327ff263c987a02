//! Names of values, calls, struct literals.

use super::infer::POISON;
use super::literals::scalar_named;
use super::operations_table::{is_boundary, is_operation};
use super::{Checker, expr, numbers};
use crate::scalar::{Leaf, Scalar};
use crate::syntax::span;
use crate::typed::{Expr, ExprKind, Type};
use proc_macro2::Span;

impl Checker<'_> {
    /// A path as a value: a local, a constant, a rank, `None`, `f32::MAX`.
    pub(super) fn path(&mut self, node: &syn::ExprPath) -> Expr {
        let at = span(&node.path);
        let names: Vec<String> = segments(&node.path);
        match &names[..] {
            [] => self.reject(at, "an expression is missing here", ""),
            [name] => self.name(name, at),
            [.., ty, name] => {
                if let Some(value) = self.path_value(&names, at) {
                    return value;
                }
                let owner = match &**ty {
                    // `use std::f32::consts;`
                    "consts" if names.len() == 2 => {
                        let known = self.items.get("consts");
                        known.and_then(|path| path.split("::").next())
                    }
                    // `f32::consts::PI`, `std::f32::consts::PI`
                    "consts" => names.len().checked_sub(3).map(|i| names[i].as_str()),
                    ty => Some(ty),
                };
                let consts = ty == "consts";
                let owner_type = owner.and_then(|owner| self.number_type(owner));
                match owner_type {
                    Some(ty) => self.number_constant(&ty, name, consts, at),
                    None => self.unknown(
                        &names[0],
                        at,
                        format!("unknown name `{}`", names.join("::")),
                        "a block sees its own items and the constants of numbers, as `f32::MAX`",
                    ),
                }
            }
        }
    }

    /// The type of numbers that a name in a path means; generic parameters too.
    pub(super) fn number_type(&self, name: &str) -> Option<Type> {
        match name {
            "char" => Some(Type::Char),
            name => scalar_named(name).or_else(|| self.generics.types.get(name).cloned()),
        }
    }

    fn number_constant(&mut self, ty: &Type, name: &str, consts: bool, at: Span) -> Expr {
        let own = super::infer::leaf(ty);
        if let (Some(value), true) = (super::wide::named(ty, name, at), ty.is_wide() && !consts) {
            return value;
        }
        let value = match (ty, own) {
            (ty, _) if ty.is_wide() => None,
            (Type::Char, _) => numbers::constant_of_char(name),
            (_, Some(own)) => numbers::constant(own, name, consts),
            _ => None,
        };
        match value {
            Some(scalar) => {
                let ty = match own == Some(scalar.leaf) {
                    true => ty.clone(),
                    false => Type::Leaf(scalar.leaf),
                };
                expr(ExprKind::Constant(scalar), ty, at)
            }
            None => {
                let shown = self.show(ty);
                let help = super::suggest::did_you_mean(name, numbers::CONSTANTS.iter().copied());
                self.reject(at, format!("no constant `{name}` of {shown}"), help)
            }
        }
    }

    fn name(&mut self, name: &str, at: Span) -> Expr {
        if let Some(binding) = self.lookup(name).cloned() {
            if binding.closure.is_some() {
                return expr(ExprKind::Local(binding.local), Type::Closure, at);
            }
            return expr(ExprKind::Local(binding.local), binding.ty, at);
        }
        let written = name;
        let name = &*self.item(name);
        if let Some(value) = self.constant(name, at) {
            return value;
        }
        if let Some(rank) = self.generics.ranks.get(name) {
            let scalar = Scalar {
                leaf: Leaf::U64,
                bits: *rank as u64,
            };
            return expr(ExprKind::Constant(scalar), Type::Usize, at);
        }
        if name == "None" {
            let inner = self.vars.any();
            return expr(ExprKind::Option(None), Type::Option(Box::new(inner)), at);
        }
        if let Some(id) = self.cx.struct_names.iter().position(|s| s == name) {
            let id = self.open_struct(id);
            if self.cx.fields(id).is_empty() {
                return expr(ExprKind::Tuple(Vec::new()), self.cx.own_type(id), at);
            }
            return self.reject(
                at,
                format!("`{name}` is a struct, not a value"),
                format!("write its fields: `{written} {{ .. }}`"),
            );
        }
        if self.cx.functions.contains_key(name) {
            return self.reject(
                at,
                format!("the function `{name}` is not a value here"),
                format!("call it: `{written}(..)`"),
            );
        }
        if let Some(value) = self.imported(written, at) {
            return value;
        }
        let mut help = self.suggest_value(name);
        if numbers::constant(Leaf::F64, name, true).is_some() {
            help = format!(
                "write `f64::consts::{name}` or `f32::consts::{name}`, or `use std::f64::consts::{name};` in the block"
            );
        } else if help.is_empty() {
            help = "a block sees its own items, parameters and variables only".to_string();
        }
        self.unknown(name, at, format!("unknown name `{name}`"), help)
    }

    /// A constant of floats that `use` has named.
    fn imported(&mut self, written: &str, at: Span) -> Option<Expr> {
        let (module, name) = match self.items.get(written) {
            Some(path) => path.rsplit_once("::")?,
            None => (self.items.get("*").map(String::as_str)?, written),
        };
        let ty = scalar_named(module.strip_suffix("::consts")?)?;
        let value = numbers::constant(super::infer::leaf(&ty)?, name, true)?;
        Some(expr(ExprKind::Constant(value), ty, at))
    }

    pub(super) fn call(&mut self, node: &syn::ExprCall) -> Expr {
        let args: Vec<&syn::Expr> = node.args.iter().collect();
        let wanted = self.wanted.take();
        let syn::Expr::Path(path) = strip(&node.func) else {
            return self.reject(
                span(&node.func),
                "this cannot be called",
                "name the closure by `let` and call it by its name",
            );
        };
        let at = span(&path.path);
        let names = segments(&path.path);
        match &names[..] {
            [name] => self.call_name(name, &args, path, wanted, at),
            [.., ty, name] => self.call_path(ty, name, &names, &args, path, at),
            [] => self.poison(at),
        }
    }

    pub(super) fn unknown_path_call(
        &mut self,
        names: &[String],
        args: &[&syn::Expr],
        at: Span,
    ) -> Expr {
        for arg in args {
            self.argument_for_errors(arg);
        }
        let owner = &names[names.len() - 2];
        let name = names.join("::");
        if super::unsupported::is_heap_type(owner) {
            return self.reject(
                at,
                format!("the heap type `{owner}` is not supported in `accelerate!`"),
                "arrays come from operations: `generate(n, |i| ..)`, `fill(n, 0.0)`, `xs.map(..)`",
            );
        }
        let last = names.last().map_or("", String::as_str);
        let help = super::habits::constructor(Some(owner), last, args);
        self.unknown(
            &names[0],
            at,
            format!("unknown function `{name}`"),
            help.unwrap_or_else(|| {
                "a block sees its own functions, and methods of numbers, as `f32::max`".to_string()
            }),
        )
    }

    /// Checks an argument of something unknown for its own errors.
    pub(super) fn argument_for_errors(&mut self, arg: &syn::Expr) {
        // What may be a function or a boundary is no value, and no error.
        let is_boundary = |checker: &Self, path: &syn::Path| matches!(&segments(path)[..], [name] if checker.lookup(name).is_none() && is_boundary(name));
        let is_other = match strip(arg) {
            syn::Expr::Closure(_) => true,
            syn::Expr::Call(call) => match strip(&call.func) {
                syn::Expr::Path(path) => is_boundary(self, &path.path),
                _ => false,
            },
            syn::Expr::Path(path) => match &segments(&path.path)[..] {
                [name] => {
                    self.lookup(name).is_none()
                        && (self.cx.functions.contains_key(&self.item(name)) || is_operation(name))
                        || is_boundary(self, &path.path)
                }
                _ => true,
            },
            _ => false,
        };
        if !is_other {
            self.infer(arg);
        }
    }

    fn call_name(
        &mut self,
        name: &str,
        args: &[&syn::Expr],
        path: &syn::ExprPath,
        wanted: Option<Type>,
        at: Span,
    ) -> Expr {
        if let Some(binding) = self.lookup(name).cloned() {
            return match binding.closure {
                Some(closure) => self.call_closure(closure, binding.local, args, at),
                None if binding.ty == POISON => self.poison(at),
                None if let Type::Function(types, result) = &binding.ty => {
                    self.call_parameter(&binding, types, result, args, at)
                }
                None => {
                    let shown = self.show(&binding.ty);
                    let help = match self.vars.shallow(&binding.ty) {
                        Type::Array(..) => format!("read an element with `{name}[i]`"),
                        _ => String::new(),
                    };
                    self.reject(at, format!("`{name}` is {shown}, not a function"), help)
                }
            };
        }
        let name = &*self.item(name);
        let own = match self.of_rust {
            true => self.cx.syntax.methods.get(name),
            false => self.cx.functions.get(name),
        };
        if let Some(template) = own.copied() {
            return self.call_function(template, None, args, Some(path), wanted, at);
        }
        if let Some(id) = self.cx.struct_names.iter().position(|s| s == name) {
            let id = self.open_struct(id);
            return self.tuple_struct(id, args, at);
        }
        if name == "Some" {
            return match args {
                [arg] => {
                    let value = self.infer(arg);
                    let ty = Type::Option(Box::new(value.ty.clone()));
                    expr(ExprKind::Option(Some(Box::new(value))), ty, at)
                }
                _ => self.reject(at, "`Some` takes one value", "write a tuple for several"),
            };
        }
        self.operation_function(name, args, at)
    }

    fn tuple_struct(&mut self, id: usize, args: &[&syn::Expr], at: Span) -> Expr {
        let fields = self.cx.fields(id);
        let name = self.cx.name(id).to_owned();
        if fields.first().is_some_and(|(field, _)| field != "0") {
            return self.reject(
                at,
                format!("the fields of `{name}` have names"),
                format!("write `{name} {{ {}: .. }}`", fields[0].0),
            );
        }
        if fields.len() != args.len() {
            return self.wrong_count(&name, fields.len(), args.len(), at);
        }
        let values = args
            .iter()
            .zip(&fields)
            .map(|(arg, (_, ty))| self.check(arg, ty));
        let values: Vec<Expr> = values.collect();
        expr(ExprKind::Tuple(values), self.cx.own_type(id), at)
    }

    pub(super) fn struct_literal(&mut self, node: &syn::ExprStruct) -> Expr {
        let at = span(&node.path);
        let Some(target) = self.literal_target(node) else {
            let names = segments(&node.path);
            let name = names.last().cloned().unwrap_or_default();
            if let Some(id) = self.enum_of(&names) {
                let help = self.variant_help(id);
                return self.reject(at, format!("unknown variant `{name}`"), help);
            }
            let mut help = super::suggest::did_you_mean(
                &name,
                self.cx.struct_names.iter().map(String::as_str),
            );
            if help.is_empty() {
                help = "a block sees its own structs only".to_string();
            }
            return self.unknown(&name, at, format!("unknown struct `{name}`"), help);
        };
        let (id, name, fields) = (target.id, target.name.clone(), target.fields.clone());
        let mut values: Vec<Option<Expr>> = fields.iter().map(|_| None).collect();
        let mut statements = Vec::new();
        for field in &node.fields {
            let (field_name, at) = match &field.member {
                syn::Member::Named(name) => (name.to_string(), name.span()),
                syn::Member::Unnamed(index) => (index.index.to_string(), index.span),
            };
            let Some((position, ty)) = target.field(&field_name) else {
                let help = super::items::suggest_field(&fields, &field_name);
                self.error(at, format!("no field `{field_name}` in `{name}`"), help);
                self.argument_for_errors(&field.expr);
                continue;
            };
            let value = self.check(&field.expr, &ty);
            if values[position].is_some() {
                self.error(at, format!("the field `{field_name}` is given twice"), "");
            }
            // Evaluation order is that of the text; the tuple's is that of the struct.
            let in_order = values[position + 1..].iter().all(Option::is_none);
            values[position] = Some(if in_order && statements.is_empty() {
                value
            } else {
                let (statement, local) = self.saved(value);
                statements.push(statement);
                local
            });
        }
        if let (Some(rest), Some(_)) = (&node.rest, target.variant) {
            return self.reject(span(&**rest), "`..` cannot stand in a variant", "");
        }
        if let Some(rest) = &node.rest {
            let rest = self.check(rest, &self.cx.own_type(id));
            let (statement, local) = self.saved(rest);
            statements.push(statement);
            for (position, value) in values.iter_mut().enumerate() {
                let ty = fields[position].1.clone();
                value.get_or_insert_with(|| {
                    expr(ExprKind::Field(Box::new(local.clone()), position), ty, at)
                });
            }
        }
        let missing: Vec<String> = fields
            .iter()
            .zip(&values)
            .filter(|(_, value)| value.is_none())
            .map(|((name, _), _)| format!("`{name}`"))
            .collect();
        if !missing.is_empty() {
            let noun = if missing.len() == 1 {
                "field"
            } else {
                "fields"
            };
            return self.reject(
                at,
                format!("missing {noun} {} of `{name}`", missing.join(", ")),
                "give every field a value",
            );
        }
        let ty = self.cx.own_type(id);
        let tuple = target.value(values.into_iter().flatten().collect(), ty.clone(), at);
        if statements.is_empty() {
            return tuple;
        }
        expr(ExprKind::Block(statements, Some(Box::new(tuple))), ty, at)
    }

    /// The struct that a name means, through aliases.
    pub(super) fn struct_of(&mut self, name: &str) -> Option<usize> {
        let name = &*self.item(name);
        if let Some(id) = self.cx.struct_names.iter().position(|s| s == name) {
            return Some(self.open_struct(id));
        }
        let alias = self.cx.aliases.get(name).copied()?;
        match self.in_scope(&self.cx.scope_of(name), |cx| cx.written_type(&alias.ty)) {
            Type::Struct(id) | Type::Bundle(id) => Some(id),
            _ => None,
        }
    }
}

pub(super) fn segments(path: &syn::Path) -> Vec<String> {
    path.segments.iter().map(|s| s.ident.to_string()).collect()
}

/// Without parentheses.
pub(super) fn strip(node: &syn::Expr) -> &syn::Expr {
    match node {
        syn::Expr::Paren(node) => strip(&node.expr),
        syn::Expr::Group(node) => strip(&node.expr),
        node => node,
    }
}
