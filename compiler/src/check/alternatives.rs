//! Alternatives in patterns.

use super::Checker;
use super::scope::Binding;
use crate::sorted::SortedSet;
use crate::syntax::span;
use crate::typed::{Local, Pattern, Type};
use syn::visit_mut::{self, VisitMut};

impl Checker<'_> {
    /// `a | b`: each binds the same names, which have one variable each.
    pub(super) fn or_pattern(&mut self, node: &syn::PatOr, ty: &Type) -> Pattern {
        let before = self.scope.len();
        let mut cases = Vec::new();
        let mut names: Vec<Binding> = Vec::new();
        for (position, case) in node.cases.iter().enumerate() {
            let mut pattern = self.pattern(case, ty);
            if position == 0 {
                names = self.scope[before..].to_vec();
                cases.push(pattern);
                continue;
            }
            let own = self.scope.split_off(before + names.len());
            for name in &names {
                match own.iter().find(|binding| binding.name == name.name) {
                    Some(binding) => {
                        rename(&mut pattern, binding.local, name.local);
                        if !self.vars.unify(&binding.ty, &name.ty) {
                            let at = self.locals[binding.local.0 as usize].1;
                            self.mismatch(&binding.ty, &name.ty, at);
                        }
                    }
                    None => self.error(
                        span(case),
                        format!("this alternative does not bind `{}`", name.name),
                        "bind the same names in each, or write one arm for each",
                    ),
                }
            }
            for binding in &own {
                if !names.iter().any(|name| name.name == binding.name) {
                    let at = self.locals[binding.local.0 as usize].1;
                    self.error(
                        at,
                        format!("the other alternatives do not bind `{}`", binding.name),
                        "bind the same names in each, or write one arm for each",
                    );
                }
            }
            cases.push(pattern);
        }
        if !names.is_empty() && self.vars.resolve(ty).has_array() {
            self.error(
                span(node),
                "alternatives cannot bind arrays",
                "bind the whole value, and choose with `if`",
            );
        }
        Pattern::Or(cases)
    }

    pub(super) fn binds(&self, pattern: &syn::Pat) -> bool {
        match pattern {
            syn::Pat::Ident(node) => {
                let name = node.ident.to_string();
                name != "None" && !self.cx.constants.borrow().contains_key(&name)
            }
            syn::Pat::Or(node) => node.cases.iter().any(|p| self.binds(p)),
            syn::Pat::Paren(node) => self.binds(&node.pat),
            syn::Pat::Reference(node) => self.binds(&node.pat),
            syn::Pat::Tuple(node) => node.elems.iter().any(|p| self.binds(p)),
            syn::Pat::Slice(node) => node.elems.iter().any(|p| self.binds(p)),
            syn::Pat::TupleStruct(node) => node.elems.iter().any(|p| self.binds(p)),
            syn::Pat::Struct(node) => node.fields.iter().any(|f| self.binds(&f.pat)),
            _ => false,
        }
    }

    /// Whether some value of the type does not fit the pattern.
    pub(super) fn refutable(&self, pattern: &Pattern) -> bool {
        match pattern {
            Pattern::Wild => false,
            Pattern::Bind { inner, .. } => inner.as_ref().is_some_and(|p| self.refutable(p)),
            Pattern::Tuple(fields) => fields.iter().any(|p| self.refutable(p)),
            Pattern::Literal(_) | Pattern::Option(_) => true,
            Pattern::Variant(id, _, fields) => {
                self.cx.variants_of(*id).len() > 1 || fields.iter().any(|p| self.refutable(p))
            }
            Pattern::Range(low, high) => low.is_some() || high.is_some(),
            Pattern::Or(cases) => {
                cases.iter().all(|p| self.refutable(p)) && !self.are_all_variants(cases)
            }
        }
    }

    /// Whether patterns are all variants of their enum, or `None` and `Some` of everything.
    fn are_all_variants(&self, patterns: &[Pattern]) -> bool {
        let mut variants = SortedSet::new();
        let mut count = None;
        for pattern in patterns {
            match pattern {
                Pattern::Variant(id, variant, fields) => {
                    count = Some(self.cx.variants_of(*id).len());
                    if !fields.iter().any(|field| self.refutable(field)) {
                        variants.insert(*variant);
                    }
                }
                Pattern::Option(inner) => {
                    count = Some(2);
                    if !inner.iter().any(|inner| self.refutable(inner)) {
                        variants.insert(usize::from(inner.is_some()));
                    }
                }
                _ => return false,
            }
        }
        count == Some(variants.len())
    }
}

/// The patterns without alternatives that together are one with them, in order.
pub(super) fn alternatives(pattern: &syn::Pat) -> Vec<syn::Pat> {
    let mut first = First::default();
    first.visit_pat_mut(&mut pattern.clone());
    if first.cases == 0 {
        return vec![pattern.clone()];
    }
    let one = |case| {
        let mut pattern = pattern.clone();
        let mut first = First {
            choice: Some(case),
            ..First::default()
        };
        first.visit_pat_mut(&mut pattern);
        alternatives(&pattern)
    };
    (0..first.cases).flat_map(one).collect()
}

/// The first `|` of a pattern: how many cases it has; with a choice, that case is put in its place.
#[derive(Default)]
struct First {
    cases: usize,
    choice: Option<usize>,
}

impl VisitMut for First {
    fn visit_pat_mut(&mut self, pattern: &mut syn::Pat) {
        match pattern {
            _ if self.cases > 0 => {}
            syn::Pat::Or(node) => {
                self.cases = node.cases.len();
                if let Some(case) = self.choice {
                    *pattern = node.cases[case].clone();
                }
            }
            pattern => visit_mut::visit_pat_mut(self, pattern),
        }
    }

    fn visit_expr_mut(&mut self, _: &mut syn::Expr) {}
}

/// Gives a variable of a pattern another number.
fn rename(pattern: &mut Pattern, from: Local, to: Local) {
    match pattern {
        Pattern::Bind { local, inner, .. } => {
            if *local == from {
                *local = to;
            }
            inner.iter_mut().for_each(|inner| rename(inner, from, to));
        }
        Pattern::Tuple(fields) | Pattern::Or(fields) | Pattern::Variant(_, _, fields) => {
            fields.iter_mut().for_each(|field| rename(field, from, to));
        }
        Pattern::Option(Some(inner)) => rename(inner, from, to),
        Pattern::Wild | Pattern::Option(None) | Pattern::Literal(_) | Pattern::Range(..) => {}
    }
}
