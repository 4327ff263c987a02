//! Blocks, statements and macros.

use super::infer::POISON;
use super::paths::segments;
use super::spacing::tidy;
use super::{Checker, expr, unit};
use crate::diag::Diagnostic;
use crate::scalar::{Leaf, Scalar};
use crate::syntax::{self, span};
use crate::typed::{Arm, Expr, ExprKind, Pattern, Stmt, Type};
use proc_macro2::{Span, TokenStream};

impl Checker<'_> {
    /// A block; its tail must have the type `want`, if one is given.
    pub(super) fn block(&mut self, block: &syn::Block, want: Option<&Type>) -> Expr {
        let at = block.brace_token.span.close();
        let outer = self.scope.len();
        let outer_items = self.items.clone();
        self.items.extend(syntax::locals::names(block));
        let mut statements = Vec::new();
        let mut diverges = false;
        let mut tail = None;
        for (position, statement) in block.stmts.iter().enumerate() {
            let last = position + 1 == block.stmts.len();
            match statement {
                syn::Stmt::Local(local) => self.local(local, &mut statements),
                // Taken out by `syntax`.
                syn::Stmt::Item(syn::Item::Verbatim(_)) => {}
                syn::Stmt::Item(item) => self.error(
                    span(item),
                    "this item inside a function is not supported yet",
                    match item {
                        syn::Item::Static(_) => "write a `const`",
                        _ => {
                            "move it out of the function: constants, types and functions may stand there"
                        }
                    },
                ),
                syn::Stmt::Expr(node, None) if last => {
                    tail = Some(match want {
                        Some(want) => self.check(node, want),
                        None => self.infer(node),
                    });
                }
                syn::Stmt::Expr(node, semicolon) => {
                    let value = self.statement(node, semicolon.is_some());
                    statements.push(Stmt::Expr(value));
                }
                syn::Stmt::Macro(mac) => {
                    let value = self.macro_call(&mac.mac);
                    if last && mac.semi_token.is_none() {
                        let want = want.cloned();
                        tail = Some(match want {
                            Some(want) => self.coerce(value, &want),
                            None => value,
                        });
                    } else {
                        statements.push(Stmt::Expr(value));
                    }
                }
            }
            diverges |= match statements.last() {
                Some(Stmt::Expr(value)) => value.ty == Type::Never,
                Some(Stmt::Let {
                    value: Some(value), ..
                }) => value.ty == Type::Never,
                _ => false,
            };
        }
        self.scope.truncate(outer);
        self.items = outer_items;
        let ty = match (&tail, diverges) {
            (_, true) => Type::Never,
            (Some(tail), _) => tail.ty.clone(),
            (None, false) => {
                if let Some(want) = want
                    && !self.vars.unify(want, &unit())
                {
                    self.missing_tail(block, want, at);
                    return self.poison(at);
                }
                unit()
            }
        };
        expr(ExprKind::Block(statements, tail.map(Box::new)), ty, at)
    }

    fn missing_tail(&mut self, block: &syn::Block, want: &Type, at: Span) {
        let shown = self.show(want);
        match block.stmts.last() {
            Some(syn::Stmt::Expr(_, Some(semicolon))) => self.error(
                semicolon.span,
                format!("expected {shown}, found `()`"),
                "remove this semicolon to return the value",
            ),
            _ => self.error(
                at,
                format!("expected {shown}, but this block ends without a value"),
                "write the value as the last expression",
            ),
        }
    }

    /// An expression as a statement.
    fn statement(&mut self, node: &syn::Expr, semicolon: bool) -> Expr {
        let value = self.infer(node);
        let ty = self.vars.shallow(&value.ty);
        if !semicolon && ty != Type::Never && !self.vars.unify(&ty, &unit()) {
            let shown = self.show(&ty);
            self.error(
                span(node),
                format!("expected `()`, found {shown}"),
                "bind the value by `let`, or return it",
            );
        }
        if semicolon && is_pure(node) {
            let what = match node {
                syn::Expr::MethodCall(call) => format!("the result of `{}`", call.method),
                _ => "the result".to_string(),
            };
            let unused = match &ty {
                &POISON | Type::Never => false,
                Type::Tuple(types) => !types.is_empty(),
                _ => true,
            };
            if unused {
                self.cx.report(
                    Diagnostic::warning(value.span, format!("{what} is not used"))
                        .help("operations change nothing in place: bind it by `let`, or return it"),
                );
            }
        }
        value
    }

    fn local(&mut self, local: &syn::Local, statements: &mut Vec<Stmt>) {
        let (pattern, written) = match &local.pat {
            syn::Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pattern => (pattern, None),
        };
        let Some(init) = &local.init else {
            self.late_local(pattern, written, statements);
            return;
        };
        if let (syn::Expr::Closure(closure), syn::Pat::Ident(name)) = (&*init.expr, pattern) {
            statements.push(self.bind_closure(name, closure));
            return;
        }
        let value = match written {
            Some(ty) => {
                let ty = self.written_type(ty);
                self.check(&init.expr, &ty)
            }
            None => self.infer(&init.expr),
        };
        let ty = match written {
            Some(ty) => self.written_type(ty),
            None => value.ty.clone(),
        };
        if let Type::Closure | Type::Function(..) = value.ty {
            self.rename_closure(pattern, &value, statements);
            return;
        }
        if let Some((_, otherwise)) = &init.diverge {
            self.let_else(pattern, &ty, value, otherwise, statements);
            return;
        }
        // A value that never comes has any type.
        let ty = match ty {
            Type::Never => self.vars.never(),
            ty => ty,
        };
        let pattern_syntax = pattern;
        let pattern = self.pattern(pattern, &ty);
        if self.refutable(&pattern) {
            self.error(
                span(pattern_syntax),
                "this pattern does not fit every value",
                "write `let .. else { .. }`, `if let` or `match`",
            );
        }
        statements.push(Stmt::Let {
            pattern,
            value: Some(value),
        });
    }

    /// `let x;`
    fn late_local(
        &mut self,
        pattern: &syn::Pat,
        written: Option<&syn::Type>,
        statements: &mut Vec<Stmt>,
    ) {
        let ty = match written {
            Some(ty) => self.written_type(ty),
            None => self.vars.any(),
        };
        let syn::Pat::Ident(name) = pattern else {
            self.error(
                span(pattern),
                "a pattern needs a value",
                "write `let .. = value;`",
            );
            return;
        };
        let mutable = name.mutability.is_some();
        let local = self.bind(
            &name.ident.to_string(),
            ty.clone(),
            mutable,
            name.ident.span(),
        );
        if let Some(binding) = self.scope.last_mut() {
            binding.late = true;
        }
        statements.push(Stmt::Let {
            pattern: Pattern::Bind {
                local,
                name: name.ident.to_string(),
                ty,
                inner: None,
            },
            value: None,
        });
    }

    /// `let Some(x) = value else { return 0.0 };`: a match whose first arm hands out what it binds.
    fn let_else(
        &mut self,
        pattern: &syn::Pat,
        ty: &Type,
        value: Expr,
        otherwise: &syn::Expr,
        statements: &mut Vec<Stmt>,
    ) {
        let at = span(pattern);
        let before = self.scope.len();
        let inner = self.pattern(pattern, ty);
        let bound = self.scope.split_off(before);
        let otherwise = self.infer(otherwise);
        if otherwise.ty != Type::Never && !self.is_poison(&otherwise.ty) {
            self.error(
                otherwise.span,
                "the `else` of `let .. else` must leave",
                "end it with `return`, `break` or `continue`",
            );
        }
        let (mut handed, mut outer) = (Vec::new(), Vec::new());
        for binding in bound {
            handed.push(expr(ExprKind::Local(binding.local), binding.ty.clone(), at));
            let local = self.bind(&binding.name, binding.ty.clone(), binding.mutable, at);
            outer.push(Pattern::Bind {
                local,
                name: binding.name,
                ty: binding.ty,
                inner: None,
            });
        }
        let ty = Type::Tuple(handed.iter().map(|e| e.ty.clone()).collect());
        let fits = Arm {
            pattern: inner,
            guard: None,
            body: expr(ExprKind::Tuple(handed), ty.clone(), at),
        };
        let misses = Arm {
            pattern: Pattern::Wild,
            guard: None,
            body: otherwise,
        };
        let value = expr(ExprKind::Match(Box::new(value), vec![fits, misses]), ty, at);
        statements.push(Stmt::Let {
            pattern: Pattern::Tuple(outer),
            value: Some(value),
        });
    }

    pub(super) fn unsafe_block(&mut self, block: &syn::Block, want: Option<&Type>) -> Expr {
        let outer = std::mem::replace(&mut self.in_unsafe, true);
        let value = self.block(block, want);
        self.in_unsafe = outer;
        value
    }

    pub(super) fn macro_call(&mut self, mac: &syn::Macro) -> Expr {
        let at = span(&mac.path);
        let name = segments(&mac.path).pop().unwrap_or_default();
        let arguments = mac.parse_body_with(
            syn::punctuated::Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated,
        );
        match &*name {
            "assert" | "debug_assert" | "assert_eq" | "assert_ne" | "debug_assert_eq"
            | "debug_assert_ne" => match arguments {
                Ok(arguments) => self.assertion(&name, arguments.iter().collect(), mac, at),
                Err(error) => self.reject(error.span(), format!("in `{name}!`: {error}"), ""),
            },
            "matches" => match matching(mac) {
                Ok(choice) => self.infer(&choice),
                Err(error) => self.reject(error.span(), format!("in `matches!`: {error}"), ""),
            },
            "vec" => {
                let help = match &arguments {
                    Ok(list) if list.len() == 1 => "write `generate(n, |i| ..)`",
                    _ => "write `fill(n, value)`, or `generate(n, |i| ..)`",
                };
                self.reject(at, "`vec!` is not supported in `accelerate!`", help)
            }
            "s" => self.reject(
                at,
                "`s!` stands in `slice(..)` only",
                "write `xs.slice(s![..])`",
            ),
            "panic" | "unreachable" | "unimplemented" | "todo" => match arguments {
                Ok(arguments) => self.panics(&name, arguments.iter().collect(), at),
                Err(error) => self.reject(error.span(), format!("in `{name}!`: {error}"), ""),
            },
            "println" | "print" | "eprintln" | "dbg" | "format" => self.reject(
                at,
                format!("`{name}!` is not supported in `accelerate!`"),
                "return the value and print it in Rust",
            ),
            name => {
                let help = super::suggest::nearest(
                    name,
                    ["assert", "assert_eq", "assert_ne", "matches", "s"],
                )
                .map(|name| format!("did you mean `{name}!`?"))
                .unwrap_or_default();
                self.reject(at, format!("unknown macro `{name}!`"), help)
            }
        }
    }

    fn assertion(
        &mut self,
        name: &str,
        arguments: Vec<&syn::Expr>,
        mac: &syn::Macro,
        at: Span,
    ) -> Expr {
        let operands = if name.ends_with("assert") { 1 } else { 2 };
        if arguments.len() < operands {
            return self.reject(
                at,
                format!("`{name}!` needs a condition"),
                "write `assert!(condition, \"text\")`",
            );
        }
        let condition = if operands == 1 {
            self.check(arguments[0], &Type::Leaf(Leaf::Bool))
        } else {
            let left = self.infer(arguments[0]);
            let right = self.infer(arguments[1]);
            let op = if name.ends_with("eq") {
                syn::BinOp::Eq(syn::Token![==](at))
            } else {
                syn::BinOp::Ne(syn::Token![!=](at))
            };
            let value = self.operator(&op, left, right, arguments[0], arguments[1]);
            self.coerce(value, &Type::Leaf(Leaf::Bool))
        };
        let text = self.message(
            &arguments[operands..],
            "write `assert!(condition, \"text\")`",
        );
        let text = text.unwrap_or_else(|| {
            let tokens = &mac.tokens;
            format!("assertion failed: {}", tidy(&tokens.to_string()))
        });
        expr(ExprKind::Assert(Box::new(condition), text), unit(), at)
    }

    /// `panic!("text")` and its like: an assertion that does not hold, without a value.
    fn panics(&mut self, name: &str, arguments: Vec<&syn::Expr>, at: Span) -> Expr {
        let help = format!("write `{name}!(\"text\")`");
        let text = self.message(&arguments, &help).unwrap_or_else(|| {
            let text = match name {
                "unreachable" => "entered unreachable code",
                "panic" => "explicit panic",
                _ => "not implemented",
            };
            text.to_owned()
        });
        let never = Scalar::bool(false);
        let never = expr(ExprKind::Constant(never), Type::Leaf(Leaf::Bool), at);
        expr(ExprKind::Assert(Box::new(never), text), Type::Never, at)
    }

    /// The text of an assertion, if there is one.
    fn message(&mut self, arguments: &[&syn::Expr], help: &str) -> Option<String> {
        let (first, values) = arguments.split_first()?;
        let syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Str(text),
            ..
        }) = first
        else {
            let message = "the text of an assertion must be a literal";
            self.error(span(*first), message, help);
            return Some(String::new());
        };
        let value = text.value();
        if !values.is_empty() || value.contains(['{', '}']) {
            self.error(
                text.span(),
                "values in the text of an assertion are not supported yet",
                "write the text without `{}`",
            );
        }
        Some(value)
    }
}

/// `matches!(value, pattern if condition)` as the `match` that it is.
fn matching(mac: &syn::Macro) -> syn::Result<syn::Expr> {
    mac.parse_body_with(|input: syn::parse::ParseStream| {
        let value: syn::Expr = input.parse()?;
        input.parse::<syn::Token![,]>()?;
        let pattern = syn::Pat::parse_multi_with_leading_vert(input)?;
        let guard = match input.parse::<Option<syn::Token![if]>>()? {
            Some(token) => {
                let condition: syn::Expr = input.parse()?;
                quote::quote!(#token #condition)
            }
            None => TokenStream::new(),
        };
        input.parse::<Option<syn::Token![,]>>()?;
        Ok(syn::parse_quote!(match (#value) { #pattern #guard => true, _ => false }))
    })
}

/// Whether dropping the value of a statement drops all that it does.
fn is_pure(node: &syn::Expr) -> bool {
    matches!(
        super::paths::strip(node),
        syn::Expr::MethodCall(_)
            | syn::Expr::Binary(_)
            | syn::Expr::Path(_)
            | syn::Expr::Lit(_)
            | syn::Expr::Index(_)
            | syn::Expr::Field(_)
            | syn::Expr::Cast(_)
            | syn::Expr::Unary(_)
            | syn::Expr::Tuple(_)
    )
}
