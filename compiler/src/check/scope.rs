//! Names of locals: innermost last, shadowing by position.

use super::{Checker, suggest};
use crate::syntax;
use crate::typed::{Expr, Local, Type};
use proc_macro2::Span;

/// A name in scope.
#[derive(Clone)]
pub(super) struct Binding {
    pub(super) name: String,
    pub(super) local: Local,
    pub(super) ty: Type,
    pub(super) mutable: bool,
    /// Declared without a value: the first assignment gives it one.
    pub(super) late: bool,
    /// A closure bound by `let`.
    pub(super) closure: Option<usize>,
    /// How many closures surround the declaration.
    pub(super) depth: usize,
}

impl Checker<'_> {
    /// A new local that has a name for messages only.
    pub(super) fn fresh_local(&mut self, name: &str, span: Span) -> Local {
        self.locals.push((name.to_string(), span));
        Local(self.locals.len() as u32 - 1)
    }

    /// Brings a name into scope.
    pub(super) fn bind(&mut self, name: &str, ty: Type, mutable: bool, span: Span) -> Local {
        let local = self.fresh_local(name, span);
        self.scope.push(Binding {
            name: name.to_string(),
            local,
            ty,
            mutable,
            late: false,
            closure: None,
            depth: self.depth,
        });
        local
    }

    pub(super) fn lookup(&self, name: &str) -> Option<&Binding> {
        self.scope.iter().rev().find(|b| b.name == name)
    }

    /// The name that the block knows an item by: of items in functions another one than the written.
    pub(super) fn item(&self, name: &str) -> String {
        self.items
            .get(name)
            .cloned()
            .unwrap_or_else(|| name.to_owned())
    }

    /// Reads what stands where other items of functions are in scope.
    pub(super) fn in_scope<R>(
        &mut self,
        items: &syntax::Scope,
        read: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let outside = std::mem::replace(&mut self.items, items.clone());
        let value = read(self);
        self.items = outside;
        value
    }

    /// An unknown name is an error, unless it is that of an item which has been refused.
    pub(super) fn unknown(
        &mut self,
        name: &str,
        at: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Expr {
        match self.cx.syntax.refused.contains(name) {
            true => self.poison(at),
            false => self.reject(at, message, help),
        }
    }

    /// Help for an unknown name of a value.
    pub(super) fn suggest_value(&self, name: &str) -> String {
        let constants = self
            .cx
            .syntax
            .constants
            .iter()
            .map(|item| item.known.clone());
        let names: Vec<String> = self
            .scope
            .iter()
            .rev()
            .map(|b| b.name.clone())
            .chain(self.items.keys().cloned())
            .chain(self.cx.functions.keys().cloned())
            .chain(constants)
            .collect();
        suggest::did_you_mean(name, names.iter().map(String::as_str))
    }
}
