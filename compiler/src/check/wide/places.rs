//! Where integers of 128 bits may not stand: in arrays, in what the host sees, and in what changes beside arrays.

use crate::check::infer::POISON;
use crate::check::{Checker, Context, HALVES};
use crate::diag::Diagnostic;
use crate::sorted::SortedSet;
use crate::syntax::span;
use crate::typed::{Expr, ExprKind, Home, Pattern, Place, Stmt, Type, TypeItem};

impl Context<'_> {
    /// Whether an integer of 128 bits stands in a type.
    pub(in crate::check) fn has_wide(&self, ty: &Type) -> bool {
        self.wide_in(ty).is_some()
    }

    /// The first integer of 128 bits in a type.
    pub(in crate::check) fn wide_in(&self, ty: &Type) -> Option<Type> {
        match ty {
            ty if ty.is_wide() => Some(ty.clone()),
            Type::Tuple(types) => types.iter().find_map(|ty| self.wide_in(ty)),
            Type::Fixed(inner, _)
            | Type::Option(inner)
            | Type::Range(inner)
            | Type::Array(inner, _)
            | Type::Segmented(inner)
            | Type::Window(inner, _)
            | Type::Offsets(inner) => self.wide_in(inner),
            Type::Nested { inner, .. } => self.wide_in(inner),
            Type::Struct(id) | Type::Bundle(id) => {
                let variants = self.variants_of(*id).iter();
                let variants = variants.flat_map(|variant| &variant.fields);
                let own = self.fields(*id);
                let mut fields = own.iter().chain(variants);
                fields.find_map(|(_, ty)| self.wide_in(ty))
            }
            _ => None,
        }
    }

    /// Types with such fields are the block's alone.
    pub(in crate::check) fn hide_wide_types(&mut self) {
        if !self.syntax.wide {
            return;
        }
        for id in 0..self.structs.len() {
            let Some(wide) = self.wide_in(&Type::Struct(id)) else {
                continue;
            };
            let item = &self.structs[id].item;
            if !matches!(item.visibility(), syn::Visibility::Inherited) {
                let wide = if wide == Type::I128 { "i128" } else { "u128" };
                let name = item.ident();
                let at = match item {
                    TypeItem::Struct(item) => {
                        let own = self.structs[id].fields.iter();
                        let mut fields = item.fields.iter().zip(own);
                        let found = fields.find(|(_, (_, ty))| self.has_wide(ty));
                        found.map_or(name.span(), |(field, _)| span(&field.ty))
                    }
                    TypeItem::Enum(_) => name.span(),
                };
                let message = format!("`{wide}` cannot stand in `{name}`, which the host sees");
                let help = "leave out `pub`, or write two fields of type `u64`, its halves";
                self.report(Diagnostic::new(at, message).help(help));
            }
            if self.structs[id].home == Home::Block {
                self.structs[id].home = Home::Function;
            }
        }
    }
}

impl Checker<'_> {
    /// Reports an expression that has such integers where they cannot be.
    pub(in crate::check) fn refuse_wide(&mut self, at: &mut Expr) {
        if !self.cx.syntax.wide || at.ty == POISON {
            return;
        }
        let elementwise = matches!(at.kind, ExprKind::Elementwise(..));
        match &mut at.kind {
            ExprKind::Array(_, args) | ExprKind::Elementwise(_, args) => {
                // The array that has one has been reported.
                if args
                    .iter()
                    .any(|arg| arg.ty.has_array() && self.cx.has_wide(&arg.ty))
                {
                    self.failed = true;
                    return;
                }
                let own = self.cx.wide_in(&at.ty).map(|wide| (wide, at.span));
                let of_args = args.iter().find_map(|arg| {
                    let (ty, span) = match &arg.kind {
                        ExprKind::Closure(closure) => (&closure.body.ty, closure.body.span),
                        _ => (&arg.ty, arg.span),
                    };
                    self.cx.wide_in(ty).map(|wide| (wide, span))
                });
                if let Some((wide, span)) = of_args.or(own) {
                    let shown = self.show(&wide);
                    let help = if elementwise {
                        "convert with `as`"
                    } else {
                        HALVES
                    };
                    self.error(
                        span,
                        format!("{shown} cannot stand in an array, nor be folded or scanned"),
                        help,
                    );
                }
            }
            ExprKind::Range(start, _) if self.cx.has_wide(&start.ty) => {
                let shown = self.show(&start.ty);
                self.error(
                    at.span,
                    format!("a range of {shown} is not supported yet"),
                    "write a `while` loop, or compare: `a <= x && x < b`",
                );
            }
            ExprKind::While { .. } => self.refuse_wide_state(at),
            ExprKind::For(_) => {
                self.refuse_wide_state(at);
                match std::mem::replace(&mut at.kind, ExprKind::Tuple(Vec::new())) {
                    ExprKind::For(it) if it.range.start.ty.is_wide() => {
                        at.kind = self.wide_for(*it, at.span);
                    }
                    kind => at.kind = kind,
                }
            }
            _ => {}
        }
    }

    /// Of a loop that changes arrays.
    fn refuse_wide_state(&mut self, of: &mut Expr) {
        let mut state = State::default();
        state.read(of);
        let State { own, changed } = state;
        let outer = || {
            changed
                .iter()
                .filter(|(place, ..)| !own.contains(&place.local.0))
        };
        if !outer().any(|(_, ty, _)| ty.has_array()) {
            return;
        }
        let wide = outer().find_map(|(_, ty, span)| Some((self.cx.wide_in(ty)?, *span)));
        if let Some((wide, span)) = wide {
            let shown = self.show(&wide);
            self.error(
                span,
                format!("{shown} cannot change in a loop that changes arrays"),
                HALVES,
            );
        }
    }
}

/// What a loop assigns.
#[derive(Default)]
struct State {
    /// Locals that are bound in it.
    own: SortedSet<u32>,
    changed: Vec<(Place, Type, proc_macro2::Span)>,
}

impl State {
    fn read(&mut self, at: &mut Expr) {
        match &at.kind {
            ExprKind::Assign(place, value) => {
                self.changed
                    .push((place.clone(), value.ty.clone(), value.span));
            }
            ExprKind::Block(statements, _) => {
                for statement in statements {
                    if let Stmt::Let { pattern, .. } = statement {
                        self.bind(pattern);
                    }
                }
            }
            ExprKind::Match(_, arms) => arms.iter().for_each(|arm| self.bind(&arm.pattern)),
            ExprKind::For(it) => self.bind(&it.pattern),
            ExprKind::Closure(closure) => {
                (closure.parameters.iter()).for_each(|(pattern, _)| self.bind(pattern));
            }
            _ => {}
        }
        at.for_each_child(&mut |child| self.read(child));
    }

    fn bind(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Bind { local, inner, .. } => {
                self.own.insert(local.0);
                inner.iter().for_each(|inner| self.bind(inner));
            }
            Pattern::Tuple(fields) | Pattern::Or(fields) | Pattern::Variant(_, _, fields) => {
                fields.iter().for_each(|field| self.bind(field));
            }
            Pattern::Option(Some(inner)) => self.bind(inner),
            Pattern::Wild | Pattern::Option(None) | Pattern::Literal(_) | Pattern::Range(..) => {}
        }
    }
}
