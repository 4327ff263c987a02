//! Names of values, calls, struct literals.

use super::expressions::kept;
use super::infer::POISON;
use super::literals::scalar_named;
use super::{Checker, Generics, expr, functions, numbers};
use crate::scalar::{Leaf, Scalar};
use crate::syntax::{self, span};
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
                    // `f32::consts::PI`, `std::f32::consts::PI`
                    "consts" => names.len().checked_sub(3).map(|i| names[i].as_str()),
                    ty => Some(ty),
                };
                let consts = ty == "consts";
                let owner_type = owner.and_then(|owner| self.number_type(owner));
                match owner_type {
                    Some(ty) => self.number_constant(&ty, name, consts, at),
                    None => self.reject(
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
        scalar_named(name).or_else(|| self.generics.types.get(name).cloned())
    }

    fn number_constant(&mut self, ty: &Type, name: &str, consts: bool, at: Span) -> Expr {
        match super::infer::leaf(ty).and_then(|leaf| numbers::constant(leaf, name, consts)) {
            Some(scalar) => {
                let ty = if name == "BITS" || name == "DIGITS" || name == "MANTISSA_DIGITS" {
                    Type::Leaf(Leaf::U32)
                } else {
                    ty.clone()
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
            if self.cx.structs[id].fields.is_empty() {
                return expr(ExprKind::Tuple(Vec::new()), Type::Struct(id), at);
            }
            return self.reject(
                at,
                format!("`{name}` is a struct, not a value"),
                format!("write its fields: `{name} {{ .. }}`"),
            );
        }
        if self.cx.functions.contains_key(name) {
            return self.reject(
                at,
                format!("the function `{name}` is not a value here"),
                format!("call it: `{name}(..)`"),
            );
        }
        let mut help = self.suggest_value(name);
        if help.is_empty() {
            help = "a block sees its own items, parameters and variables only".to_string();
        }
        self.reject(at, format!("unknown name `{name}`"), help)
    }

    pub(super) fn call(&mut self, node: &syn::ExprCall) -> Expr {
        let args: Vec<&syn::Expr> = node.args.iter().collect();
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
            [name] => self.call_name(name, &args, path, at),
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
        self.reject(
            at,
            format!("unknown function `{name}`"),
            "a block sees its own functions, and methods of numbers, as `f32::max`",
        )
    }

    /// Checks an argument of something unknown for its own errors.
    pub(super) fn argument_for_errors(&mut self, arg: &syn::Expr) {
        if !matches!(arg, syn::Expr::Closure(_)) {
            self.infer(arg);
        }
    }

    fn call_name(
        &mut self,
        name: &str,
        args: &[&syn::Expr],
        path: &syn::ExprPath,
        at: Span,
    ) -> Expr {
        if let Some(binding) = self.lookup(name).cloned() {
            return match binding.closure {
                Some(closure) => self.call_closure(closure, binding.local, args, at),
                None if binding.ty == POISON => self.poison(at),
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
        if let Some(template) = self.cx.functions.get(name).copied() {
            return self.call_function(template, None, args, Some(path), at);
        }
        if let Some(id) = self.cx.struct_names.iter().position(|s| s == name) {
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
        let fields: Vec<(String, Type)> = self.cx.structs[id].fields.clone();
        let name = self.cx.struct_names[id].clone();
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
        expr(ExprKind::Tuple(values), Type::Struct(id), at)
    }

    /// A call of a function, with the receiver if it is written as a method.
    pub(super) fn call_function(
        &mut self,
        template: usize,
        receiver: Option<Expr>,
        args: &[&syn::Expr],
        path: Option<&syn::ExprPath>,
        at: Span,
    ) -> Expr {
        let function = &self.cx.syntax.functions[template];
        let received = usize::from(receiver.is_some());
        if function.parameters.len() != args.len() + received {
            for arg in args {
                self.argument_for_errors(arg);
            }
            return self.wrong_count_of_function(function, received, args.len(), at);
        }
        let mut generics = Generics::default();
        for parameter in &function.generics.params {
            if let syn::GenericParam::Type(parameter) = parameter {
                let fresh = self.vars.any();
                generics.types.insert(parameter.ident.to_string(), fresh);
            }
        }
        if let Some(path) = path {
            self.turbofish(function, path, &mut generics);
        }
        let ranks = function.generics.const_params().count();
        let mut values: Vec<Option<Expr>> = Vec::new();
        values.extend(receiver.map(Some));
        values.extend(args.iter().map(|_| None));
        let args: Vec<Option<&syn::Expr>> = (0..received)
            .map(|_| None)
            .chain(args.iter().map(|arg| Some(*arg)))
            .collect();
        if ranks > 0 {
            for (position, arg) in args.iter().enumerate() {
                let Some(arg) = arg else {
                    continue;
                };
                let value = self.infer(arg);
                let ty = self.vars.resolve(&value.ty);
                if let Some(written) = &function.parameters[position].ty {
                    match_ranks(written, &ty, function, &mut generics);
                }
                values[position] = Some(value);
            }
            for parameter in function.generics.const_params() {
                let name = parameter.ident.to_string();
                if !generics.ranks.contains_key(&name) {
                    if values.iter().flatten().any(|v| self.is_poison(&v.ty)) {
                        return self.poison(at);
                    }
                    return self.reject(
                        at,
                        format!("the rank `{name}` of `{}` is not known here", function.name),
                        "pass an array of that rank",
                    );
                }
            }
        }
        // The callee's types are read in the callee's generics.
        let own = std::mem::replace(&mut self.generics, generics.clone());
        let types: Vec<Type> = function
            .parameters
            .iter()
            .map(|p| match &p.ty {
                Some(ty) => self.written_type(ty),
                None => POISON,
            })
            .collect();
        let result = self.written_output(&function.output);
        self.generics = own;
        let mut arguments = Vec::new();
        for ((arg, value), ty) in args.iter().zip(values).zip(&types) {
            let value = match (value, arg) {
                (Some(value), Some(arg)) => self.coerce_at(value, ty, span(*arg)),
                (Some(value), None) => self.coerce(value, ty),
                (None, Some(arg)) => self.check(arg, ty),
                (None, None) => self.poison(at),
            };
            arguments.push(match arg.map(strip) {
                Some(syn::Expr::Path(_)) => value,
                _ => kept(value),
            });
        }
        self.calls.push(functions::CallSite {
            template,
            generics,
            span: at,
        });
        expr(ExprKind::Call(self.calls.len() - 1, arguments), result, at)
    }

    /// `f::<f32, 2>(..)`
    fn turbofish(
        &mut self,
        function: &syntax::Function,
        path: &syn::ExprPath,
        generics: &mut Generics,
    ) {
        let Some(last) = path.path.segments.last() else {
            return;
        };
        let syn::PathArguments::AngleBracketed(list) = &last.arguments else {
            return;
        };
        let parameters = function.generics.params.iter();
        for (parameter, argument) in parameters.zip(&list.args) {
            match (parameter, argument) {
                (syn::GenericParam::Type(parameter), syn::GenericArgument::Type(ty)) => {
                    let ty = self.written_type(ty);
                    if let Some(variable) = generics.types.get(&parameter.ident.to_string()) {
                        self.vars.unify(variable, &ty);
                    }
                }
                (syn::GenericParam::Const(parameter), syn::GenericArgument::Const(rank)) => {
                    if let Some(rank) = self.constant_usize(rank, "a rank") {
                        generics
                            .ranks
                            .insert(parameter.ident.to_string(), rank as usize);
                    }
                }
                _ => self.error(span(argument), "this argument has the wrong kind", ""),
            }
        }
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
            return self.reject(at, format!("unknown struct `{name}`"), help);
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
            let rest = self.check(rest, &Type::Struct(id));
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
        let tuple = target.value(values.into_iter().flatten().collect(), at);
        if statements.is_empty() {
            return tuple;
        }
        expr(
            ExprKind::Block(statements, Some(Box::new(tuple))),
            Type::Struct(id),
            at,
        )
    }

    /// The struct that a name means, through aliases.
    pub(super) fn struct_of(&mut self, name: &str) -> Option<usize> {
        if let Some(id) = self.cx.struct_names.iter().position(|s| s == name) {
            return Some(id);
        }
        let alias = self.cx.aliases.get(name).copied()?;
        match self.written_type(&alias.ty) {
            Type::Struct(id) => Some(id),
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

/// Finds the ranks of a signature from the type of an argument.
fn match_ranks(
    written: &syn::Type,
    ty: &Type,
    function: &syntax::Function,
    generics: &mut Generics,
) {
    match (written, ty) {
        (syn::Type::Reference(written), ty) => match_ranks(&written.elem, ty, function, generics),
        (syn::Type::Paren(written), ty) => match_ranks(&written.elem, ty, function, generics),
        (syn::Type::Group(written), ty) => match_ranks(&written.elem, ty, function, generics),
        (syn::Type::Tuple(written), Type::Tuple(types)) => {
            for (written, ty) in written.elems.iter().zip(types) {
                match_ranks(written, ty, function, generics);
            }
        }
        (syn::Type::Path(path), Type::Array(_, rank)) => {
            let Some(last) = path.path.segments.last() else {
                return;
            };
            let syn::PathArguments::AngleBracketed(list) = &last.arguments else {
                return;
            };
            if let (true, Some(syn::GenericArgument::Type(syn::Type::Path(name)))) =
                (last.ident == "Array", list.args.get(1))
            {
                let name = segments(&name.path).pop().unwrap_or_default();
                if function.generics.const_params().any(|p| p.ident == name) {
                    generics.ranks.entry(name).or_insert(*rank);
                }
            }
        }
        _ => {}
    }
}
