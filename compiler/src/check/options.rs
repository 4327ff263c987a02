//! Methods of `Option` in scalar code.

use super::infer::Kind;
use super::{Checker, expr};
use crate::scalar::Leaf;
use crate::typed::{Arm, Expr, ExprKind, Pattern, Type};
use proc_macro2::Span;

/// What a method takes and gives. T is the type inside.
#[derive(Clone, Copy)]
enum Form {
    /// Nothing: `bool`.
    Asks,
    /// Nothing: T.
    Unwraps,
    /// A literal: T.
    Expects,
    /// T: T.
    Default,
    /// A closure of nothing that gives T: T.
    DefaultOf,
    /// A closure of T that gives U: an option of U.
    Map,
    /// A closure of T that gives an option: that option.
    Then,
    /// A closure of T that gives `bool`: an option of T.
    Filter,
    /// A closure of T that gives `bool`: `bool`.
    Holds,
    /// U and a closure of T that gives U: U.
    MapOr,
    /// The same with a closure of nothing that gives U.
    MapOrElse,
    /// An option of T: an option of T.
    Other,
    /// A closure of nothing that gives an option of T.
    OtherOf,
    /// An option of U: that.
    And,
    /// An option of U: an option of the pair.
    Zip,
    /// Nothing, where T is an option: T.
    Flatten,
}

const METHODS: &[(&str, Form)] = &[
    ("is_some", Form::Asks),
    ("is_none", Form::Asks),
    ("unwrap", Form::Unwraps),
    ("unwrap_or_default", Form::Unwraps),
    ("expect", Form::Expects),
    ("unwrap_or", Form::Default),
    ("unwrap_or_else", Form::DefaultOf),
    ("map", Form::Map),
    ("and_then", Form::Then),
    ("filter", Form::Filter),
    ("is_some_and", Form::Holds),
    ("is_none_or", Form::Holds),
    ("map_or", Form::MapOr),
    ("map_or_else", Form::MapOrElse),
    ("or", Form::Other),
    ("xor", Form::Other),
    ("or_else", Form::OtherOf),
    ("and", Form::And),
    ("zip", Form::Zip),
    ("flatten", Form::Flatten),
];

/// Whether options alone have a method of this name.
pub(super) fn is_method(name: &str) -> bool {
    METHODS.iter().any(|(known, _)| *known == name) && !super::operations_table::is_operation(name)
}

/// Whether `bool` has a method of this name that gives an option.
pub(super) fn is_of_bool(name: &str) -> bool {
    matches!(name, "then" | "then_some")
}

impl Checker<'_> {
    /// `condition.then(|| x)`, `condition.then_some(x)`.
    pub(super) fn option_of_bool(
        &mut self,
        receiver: Expr,
        name: &str,
        args: &[&syn::Expr],
        at: Span,
    ) -> Expr {
        let [arg] = args else {
            return self.wrong_count(name, 1, args.len(), at);
        };
        let (name, operand, inner) = match name {
            "then" => {
                let (closure, inner) = self.closure_argument(arg, &[], None, name);
                ("then", closure, inner)
            }
            _ => {
                let value = self.infer(arg);
                let inner = value.ty.clone();
                ("then_some", value, inner)
            }
        };
        let ty = Type::Option(Box::new(inner));
        if let Some(refused) = self.option_of_arrays(&ty, at) {
            return refused;
        }
        expr(ExprKind::Number(name, vec![receiver, operand]), ty, at)
    }

    /// `option?`: what it holds, or `None` is what the function gives.
    pub(super) fn try_expr(&mut self, node: &syn::ExprTry) -> Expr {
        let at = node.question_token.span;
        let value = self.infer(&node.expr);
        let value = self.operand(value);
        let inner = match self.vars.shallow(&value.ty) {
            Type::Option(inner) => *inner,
            ty if self.is_poison(&ty) => return self.poison(at),
            ty => {
                let shown = self.show(&ty);
                return self.reject(at, format!("`?` takes an `Option`, found {shown}"), "");
            }
        };
        let (result, option) = (self.result.clone(), Type::Option(Box::new(self.vars.any())));
        if !self.vars.unify(&result, &option) {
            let shown = self.show(&result);
            return self.reject(
                at,
                format!("`?` leaves a function that gives {shown}, not an `Option`"),
                "write `let Some(x) = .. else { .. }`",
            );
        }
        let local = self.fresh_local("value", at);
        let held = Pattern::Bind {
            local,
            name: "value".to_string(),
            ty: inner.clone(),
            inner: None,
        };
        let none = expr(ExprKind::Option(None), result, at);
        let arm = |pattern, body| Arm {
            pattern,
            guard: None,
            body,
        };
        let arms = vec![
            arm(
                Pattern::Option(Some(Box::new(held))),
                expr(ExprKind::Local(local), inner.clone(), at),
            ),
            arm(
                Pattern::Option(None),
                expr(ExprKind::Return(Some(Box::new(none))), Type::Never, at),
            ),
        ];
        expr(ExprKind::Match(Box::new(value), arms), inner, at)
    }

    /// A `None` that a fold of options begins with is one of these.
    pub(super) fn settle_none(&mut self, initial: &Type, element: &Type) {
        let both = [initial, element].map(|ty| self.vars.shallow(ty));
        if let [Type::Option(inner), element @ Type::Option(_)] = &both
            && self.vars.kind(inner) == Some(Kind::Any)
        {
            self.vars.unify(initial, element);
        }
    }

    /// Refuses an option of arrays.
    fn option_of_arrays(&mut self, ty: &Type, at: Span) -> Option<Expr> {
        let Type::Option(inside) = self.vars.resolve(ty) else {
            return None;
        };
        if !inside.has_array() {
            return None;
        }
        let shown = self.show(&inside);
        Some(self.reject(
            at,
            format!("{shown} cannot stand in an `Option`"),
            "write a `match` that gives arrays",
        ))
    }

    pub(super) fn option_method(
        &mut self,
        receiver: Expr,
        inner: &Type,
        name: &str,
        args: &[&syn::Expr],
        at: Span,
    ) -> Expr {
        let Some((name, form)) = METHODS.iter().find(|(known, _)| *known == name) else {
            for arg in args {
                self.argument_for_errors(arg);
            }
            let help = match name {
                "ok_or" | "ok_or_else" => {
                    "there is no `Result`: write `assert!`, or keep the `Option`".into()
                }
                "take" | "replace" | "insert" | "get_or_insert" => {
                    "assign the new value".to_string()
                }
                name => super::suggest::did_you_mean(name, METHODS.iter().map(|(known, _)| *known)),
            };
            return self.reject(at, format!("no method `{name}` on `Option`"), help);
        };
        let count = match form {
            Form::Asks | Form::Unwraps | Form::Flatten => 0,
            Form::MapOr | Form::MapOrElse => 2,
            _ => 1,
        };
        if args.len() != count {
            return self.wrong_count(name, count, args.len(), at);
        }
        let boolean = Type::Leaf(Leaf::Bool);
        let option = |ty: Type| Type::Option(Box::new(ty));
        let own = receiver.ty.clone();
        let mut operands = vec![receiver];
        let mut closure = |cx: &mut Self, arg, types: &[Type], want: Option<&Type>| {
            let (closure, result) = cx.closure_argument(arg, types, want, name);
            operands.push(closure);
            result
        };
        let value = std::slice::from_ref(inner);
        let ty = match form {
            Form::Asks => boolean,
            Form::Unwraps => inner.clone(),
            Form::Expects => {
                let syn::Expr::Lit(syn::ExprLit {
                    lit: syn::Lit::Str(_),
                    ..
                }) = args[0]
                else {
                    return self.reject(
                        crate::syntax::span(args[0]),
                        "the text of `expect` must be a literal",
                        "write `expect(\"text\")`",
                    );
                };
                inner.clone()
            }
            Form::Default => {
                operands.push(self.check(args[0], inner));
                inner.clone()
            }
            Form::DefaultOf => {
                closure(self, args[0], &[], Some(inner));
                inner.clone()
            }
            Form::Map => option(closure(self, args[0], value, None)),
            Form::Then => {
                let want = option(self.vars.any());
                closure(self, args[0], value, Some(&want));
                want
            }
            Form::Filter => {
                closure(self, args[0], value, Some(&boolean));
                own
            }
            Form::Holds => {
                closure(self, args[0], value, Some(&boolean));
                boolean
            }
            Form::MapOr => {
                let default = self.infer(args[0]);
                let ty = default.ty.clone();
                operands.push(default);
                let (closure, _) = self.closure_argument(args[1], value, Some(&ty), name);
                operands.push(closure);
                ty
            }
            Form::MapOrElse => {
                let ty = closure(self, args[0], &[], None);
                closure(self, args[1], value, Some(&ty));
                ty
            }
            Form::Other => {
                operands.push(self.check(args[0], &own));
                own
            }
            Form::OtherOf => {
                closure(self, args[0], &[], Some(&own));
                own
            }
            Form::And | Form::Zip => {
                let other = option(self.vars.any());
                operands.push(self.check(args[0], &other));
                match (form, self.vars.shallow(&other)) {
                    (Form::Zip, Type::Option(second)) => {
                        option(Type::Tuple(vec![inner.clone(), *second]))
                    }
                    _ => other,
                }
            }
            Form::Flatten => {
                let inside = option(self.vars.any());
                if !self.vars.unify(inner, &inside) {
                    let shown = self.show(&own);
                    return self.reject(
                        at,
                        format!("`flatten` takes an option of an option, found {shown}"),
                        "",
                    );
                }
                inside
            }
        };
        if let Some(refused) = self.option_of_arrays(&ty, at) {
            return refused;
        }
        expr(ExprKind::Number(name, operands), ty, at)
    }
}
