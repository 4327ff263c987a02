//! Closures: those bound by `let` have one type each, found where they are first used; those passed to an operation
//! are checked with the types that the operation hands them.

use super::infer::POISON;
use super::paths::{segments, strip};
use super::scope::Binding;
use super::{Checker, expr};
use crate::syntax::{self, span};
use crate::typed::{Closure, Expr, ExprKind, Local, Pattern, Stmt, Type};
use proc_macro2::Span;

/// A closure bound by `let`.
pub(super) struct Definition {
    pub(super) local: Local,
    name: String,
    syntax: syn::ExprClosure,
    /// What was in scope.
    scope: Vec<Binding>,
    items: syntax::Scope,
    depth: usize,
    /// Parameters and result, after the first use.
    signature: Option<(Vec<Type>, Type)>,
    /// The checked closure, until it is put where it was bound.
    pub(super) typed: Option<Closure>,
}

impl Checker<'_> {
    /// `let f = |x| ..;`
    pub(super) fn bind_closure(
        &mut self,
        name: &syn::PatIdent,
        closure: &syn::ExprClosure,
    ) -> Stmt {
        let at = name.ident.span();
        let text = name.ident.to_string();
        let scope = self.scope.clone();
        let local = self.bind(&text, Type::Closure, false, at);
        if let Some(binding) = self.scope.last_mut() {
            binding.closure = Some(self.closures.len());
        }
        self.closures.push(Definition {
            local,
            name: text.clone(),
            syntax: closure.clone(),
            scope,
            items: self.items.clone(),
            depth: self.depth,
            signature: None,
            typed: None,
        });
        let pattern = Pattern::Bind {
            local,
            name: text,
            ty: Type::Closure,
            inner: None,
        };
        let nothing = expr(ExprKind::Tuple(Vec::new()), Type::Closure, span(closure));
        Stmt::Let {
            pattern,
            value: Some(nothing),
        }
    }

    /// `let g = f;`: another name of the same closure.
    pub(super) fn rename_closure(&mut self, pattern: &syn::Pat, value: &Expr, _: &mut Vec<Stmt>) {
        let (syn::Pat::Ident(name), ExprKind::Local(local)) = (pattern, &value.kind) else {
            self.error(
                span(pattern),
                "a closure is bound to a name",
                "write `let f = |x| ..;`",
            );
            return;
        };
        self.scope.push(Binding {
            name: name.ident.to_string(),
            local: *local,
            ty: value.ty.clone(),
            mutable: false,
            late: false,
            closure: self.closures.iter().position(|d| d.local == *local),
            depth: self.depth,
        });
    }

    /// `f(x, y)`
    pub(super) fn call_closure(
        &mut self,
        id: usize,
        local: Local,
        args: &[&syn::Expr],
        at: Span,
    ) -> Expr {
        let values: Vec<Expr> = args.iter().map(|arg| self.infer(arg)).collect();
        let count = self.closures[id].syntax.inputs.len();
        if count != values.len() {
            let name = self.closures[id].name.clone();
            let inputs = self.closures[id].syntax.inputs.clone();
            return self.wrong_count_of_closure(&name, inputs.iter(), values.len(), at);
        }
        let types: Vec<Type> = values.iter().map(|v| v.ty.clone()).collect();
        let Some((parameters, result)) = self.use_closure(id, &types) else {
            return self.poison(at);
        };
        let values = values
            .into_iter()
            .zip(&parameters)
            .zip(args)
            .map(|((value, ty), arg)| self.coerce_at(value, ty, span(*arg)));
        let values: Vec<Expr> = values.collect();
        expr(ExprKind::CallClosure(local, values), result, at)
    }

    /// The parameters and the result of a closure bound by `let`; its first use decides its types.
    fn use_closure(&mut self, id: usize, args: &[Type]) -> Option<(Vec<Type>, Type)> {
        let definition = self.closures.get(id)?;
        if let Some(signature) = &definition.signature {
            return Some(signature.clone());
        }
        let syntax = definition.syntax.clone();
        let scope = std::mem::replace(&mut self.scope, definition.scope.clone());
        let depth = std::mem::replace(&mut self.depth, self.closures[id].depth);
        // Its own name is not in scope, so its body cannot come back here.
        let items = definition.items.clone();
        let (closure, parameters, result) =
            self.in_scope(&items, |cx| cx.closure_body(&syntax, args, None));
        self.scope = scope;
        self.depth = depth;
        let definition = &mut self.closures[id];
        definition.signature = Some((parameters.clone(), result.clone()));
        definition.typed = Some(closure);
        Some((parameters, result))
    }

    /// Closures that nothing uses are checked for their own sake.
    pub(super) fn check_unused_closures(&mut self) {
        let mut id = 0;
        while id < self.closures.len() {
            if self.closures[id].signature.is_none() {
                let count = self.closures[id].syntax.inputs.len();
                let types: Vec<Type> = (0..count).map(|_| self.vars.any()).collect();
                self.use_closure(id, &types);
            }
            id += 1;
        }
    }

    /// The body of a closure whose arguments have the given types: the closure, its parameters and its result.
    fn closure_body(
        &mut self,
        closure: &syn::ExprClosure,
        args: &[Type],
        want: Option<&Type>,
    ) -> (Closure, Vec<Type>, Type) {
        let at = closure.or1_token.span;
        let before = self.scope.len();
        let loops = std::mem::take(&mut self.loops);
        self.depth += 1;
        let mut parameters = Vec::new();
        for (pattern, ty) in closure.inputs.iter().zip(args) {
            let ty = match pattern {
                // The written type decides, and the operation's is compared with it.
                syn::Pat::Type(typed) => {
                    let written = self.written_type(&typed.ty);
                    if !self.vars.unify(ty, &written) && !self.converts(ty, &written) {
                        self.mismatch(ty, &written, span(&*typed.ty));
                    }
                    written
                }
                _ => ty.clone(),
            };
            let syntax = pattern;
            let pattern = self.pattern(pattern, &ty);
            if self.refutable(&pattern) {
                self.error(
                    span(syntax),
                    "this pattern does not fit every value",
                    "name the parameter and write a `match` in the body",
                );
            }
            parameters.push((pattern, ty));
        }
        let result = match (&closure.output, want) {
            (syn::ReturnType::Type(_, ty), _) => self.result_type(ty),
            (syn::ReturnType::Default, Some(want)) => want.clone(),
            (syn::ReturnType::Default, None) => self.vars.any(),
        };
        let outer = std::mem::replace(&mut self.result, result.clone());
        let has_return = contains_return(&closure.body);
        let body = match (&closure.output, want) {
            (syn::ReturnType::Default, None) if !has_return => {
                let body = self.infer(&closure.body);
                if body.ty != Type::Never {
                    self.vars.unify(&result, &body.ty);
                }
                body
            }
            _ => self.check(&closure.body, &result),
        };
        self.result = outer;
        self.depth -= 1;
        self.loops = loops;
        self.scope.truncate(before);
        let types = parameters.iter().map(|(_, ty)| ty.clone()).collect();
        let closure = Closure {
            parameters,
            body,
            span: at,
        };
        (closure, types, result)
    }

    /// A scalar array where its value is meant.
    fn converts(&mut self, have: &Type, want: &Type) -> bool {
        match self.vars.shallow(have) {
            Type::Array(element, 0) => self.vars.unify(&element, want),
            _ => false,
        }
    }

    /// A closure as the argument of an operation that hands it values of the given types. `want`: its result, where
    /// the operation fixes it. Gives the argument and the result type.
    pub(super) fn closure_argument(
        &mut self,
        node: &syn::Expr,
        args: &[Type],
        want: Option<&Type>,
        what: &str,
    ) -> (Expr, Type) {
        self.solve_pending(false);
        match strip(node) {
            syn::Expr::Closure(closure) => {
                let count = closure.inputs.len();
                if count != args.len() {
                    let values = self.list(args);
                    let poison = self.reject(
                        closure.or1_token.span,
                        format!(
                            "the closure of `{what}` gets {}, but takes {count}",
                            number_of(args.len(), "argument")
                        ),
                        match args {
                            [] if what == "unwrap_or_else" => {
                                "write `|| ..`; where an element would stand is `xs.partition_point(|x| x < y)`".to_string()
                            }
                            [] => "write `|| ..`".to_string(),
                            [Type::Tuple(parts)] => {
                                let names = ('a'..='z').cycle().take(parts.len());
                                let names: Vec<String> = names.map(String::from).collect();
                                let names = names.join(", ");
                                format!("it is a tuple, {values}: write `|({names})| ..`")
                            }
                            _ => format!("the arguments are {values}"),
                        },
                    );
                    return (poison, POISON);
                }
                let (closure, _, result) = self.closure_body(closure, args, want);
                let at = closure.span;
                (
                    expr(ExprKind::Closure(Box::new(closure)), Type::Closure, at),
                    result,
                )
            }
            syn::Expr::Path(path) => self.closure_by_name(path, node, args, want, what),
            syn::Expr::Reference(node) => self.closure_argument(&node.expr, args, want, what),
            other => {
                let poison = self.reject(
                    span(other),
                    format!("`{what}` takes a closure here"),
                    format!("write `{}`", closure_text(args.len())),
                );
                (poison, POISON)
            }
        }
    }

    fn list(&self, types: &[Type]) -> String {
        let shown: Vec<String> = types.iter().map(|ty| self.show(ty)).collect();
        shown.join(", ")
    }

    /// A closure's local, a function of the block or a method of numbers, by its name.
    fn closure_by_name(
        &mut self,
        path: &syn::ExprPath,
        node: &syn::Expr,
        args: &[Type],
        want: Option<&Type>,
        what: &str,
    ) -> (Expr, Type) {
        let at = span(&path.path);
        let names = segments(&path.path);
        if let [name] = &names[..] {
            if let Some(binding) = self.lookup(name).cloned() {
                return match binding.closure {
                    Some(id) => self.pass_closure(id, binding.local, args, want, what, at),
                    None if self.is_poison(&binding.ty) => (self.poison(at), POISON),
                    None if let Type::Function(types, result) = &binding.ty => {
                        self.pass_function(&binding, types, result, args, want, what, at)
                    }
                    None => {
                        let shown = self.show(&binding.ty);
                        let poison = self.reject(
                            at,
                            format!("`{what}` takes a closure here, found {shown}"),
                            format!("write `{}`", closure_text(args.len())),
                        );
                        (poison, POISON)
                    }
                };
            }
            let operation = super::operations_table::is_operation(name);
            let name = &self.item(name);
            let known = self.cx.functions.contains_key(name) || name == "Some";
            let strukt = self.cx.struct_names.iter().any(|s| s == name);
            if !known && !strukt && !operation {
                let mut help = self.suggest_value(name);
                if help.is_empty() {
                    help = format!("write `{}`", closure_text(args.len()));
                }
                let poison = self.unknown(name, at, format!("unknown name `{name}`"), help);
                return (poison, POISON);
            }
        }
        // A function stands for the closure that calls it.
        let parameters: Vec<syn::Ident> = (0..args.len())
            .map(|i| syn::Ident::new(&format!("argument_{i}"), at))
            .collect();
        let tokens = quote::quote_spanned!(at=> |#(#parameters),*| #node(#(#parameters),*));
        match syn::parse2::<syn::ExprClosure>(tokens) {
            Ok(closure) => self.closure_argument(&syn::Expr::Closure(closure), args, want, what),
            Err(_) => (self.poison(at), POISON),
        }
    }

    /// A parameter that is a function.
    #[expect(clippy::too_many_arguments, reason = "the parts of one call")]
    fn pass_function(
        &mut self,
        binding: &Binding,
        parameters: &[Type],
        result: &Type,
        args: &[Type],
        want: Option<&Type>,
        what: &str,
        at: Span,
    ) -> (Expr, Type) {
        if parameters.len() != args.len() {
            return self.wrong_arity(&binding.name, parameters.len(), args, what, at);
        }
        self.passed(binding.local, parameters, result, args, want, at)
    }

    /// Rejects a function or closure by name that does not take so many arguments.
    fn wrong_arity(
        &mut self,
        name: &str,
        count: usize,
        args: &[Type],
        what: &str,
        at: Span,
    ) -> (Expr, Type) {
        let gets = number_of(args.len(), "argument");
        let message = format!("the closure of `{what}` gets {gets}, but `{name}` takes {count}");
        let help = format!("write `{}`", closure_text(args.len()));
        (self.reject(at, message, help), POISON)
    }

    fn pass_closure(
        &mut self,
        id: usize,
        local: Local,
        args: &[Type],
        want: Option<&Type>,
        what: &str,
        at: Span,
    ) -> (Expr, Type) {
        let count = self.closures[id].syntax.inputs.len();
        if count != args.len() {
            let name = self.closures[id].name.clone();
            return self.wrong_arity(&name, count, args, what, at);
        }
        let Some((parameters, result)) = self.use_closure(id, args) else {
            return (self.poison(at), POISON);
        };
        self.passed(local, &parameters, &result, args, want, at)
    }

    /// A closure under its name, whose types must be those of the operation.
    fn passed(
        &mut self,
        local: Local,
        parameters: &[Type],
        result: &Type,
        args: &[Type],
        want: Option<&Type>,
        at: Span,
    ) -> (Expr, Type) {
        for (have, parameter) in args.iter().zip(parameters) {
            if !self.vars.unify(have, parameter) && !self.converts(have, parameter) {
                self.mismatch(have, parameter, at);
                return (self.poison(at), POISON);
            }
        }
        if let Some(want) = want
            && !self.vars.unify(result, want)
        {
            self.mismatch(result, want, at);
            return (self.poison(at), POISON);
        }
        (
            expr(ExprKind::Local(local), Type::Closure, at),
            result.clone(),
        )
    }
}

fn number_of(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        count => format!("{count} {noun}s"),
    }
}

fn closure_text(count: usize) -> &'static str {
    match count {
        0 => "|| ..",
        1 => "|x| ..",
        2 => "|x, y| ..",
        _ => "|x, y, z| ..",
    }
}

/// Whether a `return` or a `?` belongs to this body: its type then is not that of the tail alone.
fn contains_return(body: &syn::Expr) -> bool {
    struct Search(bool);
    impl<'ast> syn::visit::Visit<'ast> for Search {
        fn visit_expr_return(&mut self, _: &'ast syn::ExprReturn) {
            self.0 = true;
        }
        fn visit_expr_try(&mut self, _: &'ast syn::ExprTry) {
            self.0 = true;
        }
        fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
    }
    let mut search = Search(false);
    syn::visit::Visit::visit_expr(&mut search, body);
    search.0
}
