//! Calls of the block's functions: ranks and types of generic ones, and functions among their arguments.

use super::expressions::kept;
use super::infer::POISON;
use super::paths::{segments, strip};
use super::scope::Binding;
use super::{CallSite, Checker, Generics, expr};
use crate::syntax::{self, function_type, span, words};
use crate::typed::{Expr, ExprKind, Type};
use proc_macro2::Span;
use quote::ToTokens;

impl Checker<'_> {
    /// A call of a function, with the receiver if it is written as a method. `wanted`: the type that its result shall have,
    /// where that is known.
    pub(super) fn call_function(
        &mut self,
        template: usize,
        receiver: Option<Expr>,
        args: &[&syn::Expr],
        path: Option<&syn::ExprPath>,
        wanted: Option<Type>,
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
        let mut generics = self.instance(function);
        for parameter in function.generics.type_params() {
            let fresh = self.vars.any();
            let name = parameter.ident.to_string();
            generics.types.entry(name).or_insert(fresh);
        }
        if let Some(path) = path {
            self.turbofish(function, path, &mut generics);
        }
        let args: Vec<Option<&syn::Expr>> = (0..received)
            .map(|_| None)
            .chain(args.iter().map(|arg| Some(*arg)))
            .collect();
        let mut values: Vec<Option<Expr>> = args.iter().map(|_| None).collect();
        if let Some(receiver) = receiver {
            values[0] = Some(receiver);
        }
        // Values first: what functions are handed is often known by them only.
        let written: Vec<Option<&syn::Type>> =
            function.parameters.iter().map(|p| p.ty.as_ref()).collect();
        let is_function = |written: Option<&syn::Type>| written.and_then(function_type).is_some();
        let ranks = function.generics.const_params().count();
        if ranks > 0 {
            for (position, arg) in args.iter().enumerate() {
                let (Some(arg), Some(written)) = (arg, written[position]) else {
                    continue;
                };
                if function_type(written).is_none() {
                    let value = self.infer(arg);
                    let ty = self.vars.resolve(&value.ty);
                    match_ranks(written, &ty, function, &mut generics);
                    values[position] = Some(value);
                }
            }
        }
        for (position, arg) in args.iter().enumerate() {
            if is_function(written[position]) {
                continue;
            }
            if let Some(written) = written[position]
                && let Some(unknown) = open_rank(written, function, &generics)
            {
                return self.unknown_rank(&unknown, function, &values, at);
            }
            let ty = match written[position] {
                Some(written) => {
                    self.callees_type(function, &generics, |cx| cx.written_type(written))
                }
                None => POISON,
            };
            values[position] = Some(match (values[position].take(), arg) {
                (Some(value), Some(arg)) => self.coerce_at(value, &ty, span(*arg)),
                (Some(value), None) => self.coerce(value, &ty),
                (None, Some(arg)) => self.check(arg, &ty),
                (None, None) => self.poison(at),
            });
        }
        for (position, arg) in args.iter().enumerate() {
            if let (Some(arg), Some(written)) = (arg, written[position])
                && is_function(Some(written))
            {
                match self.function_argument(function, written, arg, &mut generics) {
                    Ok(value) => values[position] = Some(value),
                    Err(unknown) => return self.unknown_rank(&unknown, function, &values, at),
                }
            }
        }
        if let (Some(wanted), syn::ReturnType::Type(_, written)) = (wanted, &function.output) {
            let wanted = self.vars.resolve(&wanted);
            match_ranks(written, &wanted, function, &mut generics);
        }
        for parameter in function.generics.const_params() {
            let name = parameter.ident.to_string();
            if !generics.ranks.contains_key(&name) {
                return self.unknown_rank(&name, function, &values, at);
            }
        }
        let result = self.callees_type(function, &generics, |cx| {
            cx.written_output(&function.output)
        });
        let values = values.into_iter().zip(&args).map(|(value, arg)| {
            let value = value.unwrap_or_else(|| expr(ExprKind::Tuple(Vec::new()), POISON, at));
            match arg.map(strip) {
                Some(syn::Expr::Path(_)) => value,
                _ => kept(value),
            }
        });
        let arguments = values.collect();
        self.calls.push(CallSite {
            template,
            generics,
            span: at,
        });
        expr(ExprKind::Call(self.calls.len() - 1, arguments), result, at)
    }

    /// The callee's types are read in the callee's generics.
    pub(super) fn callees_type(
        &mut self,
        function: &syntax::Function,
        generics: &Generics,
        read: impl FnOnce(&mut Self) -> Type,
    ) -> Type {
        let own = std::mem::replace(&mut self.generics, generics.clone());
        let ty = self.in_scope(&function.scope, read);
        self.generics = own;
        ty
    }

    /// An argument that is a function. Ranks of its result may be found in what it gives; a rank that is not known in what it
    /// takes comes back.
    fn function_argument(
        &mut self,
        function: &syntax::Function,
        written: &syn::Type,
        arg: &syn::Expr,
        generics: &mut Generics,
    ) -> Result<Expr, String> {
        let Some(signature) = function_type(written) else {
            return Ok(self.poison(span(arg)));
        };
        if let Some(unknown) =
            (signature.inputs.iter()).find_map(|input| open_rank(input, function, generics))
        {
            return Err(unknown);
        }
        let mut types = Vec::new();
        for input in &signature.inputs {
            types.push(self.callees_type(function, generics, |cx| cx.written_type(input)));
        }
        let name = function.name.to_string();
        let open = match &signature.output {
            syn::ReturnType::Type(_, output) => {
                open_rank(output, function, generics).map(|_| &**output)
            }
            syn::ReturnType::Default => None,
        };
        let (value, result) = match open {
            Some(_) => self.closure_argument(arg, &types, None, &name),
            None => {
                let want = self.callees_type(function, generics, |cx| {
                    cx.written_output(&signature.output)
                });
                self.closure_argument(arg, &types, Some(&want), &name)
            }
        };
        if let Some(output) = open {
            let found = self.vars.resolve(&result);
            match_ranks(output, &found, function, generics);
            if let Some(unknown) = open_rank(output, function, generics) {
                return Err(unknown);
            }
            let want = self.callees_type(function, generics, |cx| cx.written_type(output));
            if !self.vars.unify(&result, &want) {
                self.mismatch(&result, &want, span(arg));
            }
        }
        Ok(value)
    }

    fn unknown_rank(
        &mut self,
        rank: &str,
        function: &syntax::Function,
        values: &[Option<Expr>],
        at: Span,
    ) -> Expr {
        if values.iter().flatten().any(|v| self.is_poison(&v.ty)) {
            return self.poison(at);
        }
        let name = &function.name;
        let help = match &function.output {
            syn::ReturnType::Type(_, ty) if mentions(ty, rank) => {
                format!("write the type of the result: `let ys: Vector<f32> = {name}(..);`")
            }
            _ => "pass an array of that rank".to_string(),
        };
        self.reject(
            at,
            format!("the rank `{rank}` of `{name}` is not known here"),
            help,
        )
    }

    /// A call of a parameter that is a function.
    pub(super) fn call_parameter(
        &mut self,
        binding: &Binding,
        types: &[Type],
        result: &Type,
        args: &[&syn::Expr],
        at: Span,
    ) -> Expr {
        if types.len() != args.len() {
            for arg in args {
                self.argument_for_errors(arg);
            }
            return self.wrong_count(&binding.name, types.len(), args.len(), at);
        }
        let values = args.iter().zip(types);
        let values = values.map(|(arg, ty)| self.check(arg, ty)).collect();
        expr(
            ExprKind::CallClosure(binding.local, values),
            result.clone(),
            at,
        )
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
        if parameters.len() != list.args.len() {
            let open = vec!["_"; parameters.len()].join(", ");
            let help = match parameters.len() {
                0 => "leave them out".to_owned(),
                _ => format!("write `{}::<{open}>`, or leave them out", function.name),
            };
            let (known, found) = (parameters.len(), list.args.len());
            let message = format!(
                "`{}` has {known} generic parameters, found {found} arguments",
                function.name
            );
            self.error(span(list), message, help);
        }
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
                (syn::GenericParam::Const(_), syn::GenericArgument::Type(syn::Type::Infer(_))) => {}
                _ => self.error(span(argument), "this argument has the wrong kind", ""),
            }
        }
    }
}

/// A rank of the function's, in a type of its signature, that is not known.
fn open_rank(
    written: &syn::Type,
    function: &syntax::Function,
    generics: &Generics,
) -> Option<String> {
    let words = words(written.to_token_stream());
    let mut names = (function.generics.const_params()).map(|parameter| parameter.ident.to_string());
    names.find(|name| words.contains(name) && !generics.ranks.contains_key(name))
}

fn mentions(written: &syn::Type, name: &str) -> bool {
    words(written.to_token_stream())
        .iter()
        .any(|word| word == name)
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
