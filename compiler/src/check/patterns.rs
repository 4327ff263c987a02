//! Patterns.

use super::infer::POISON;
use super::literals::placeholder;
use super::paths::segments;
use super::{Checker, wide};
use crate::scalar::Scalar;
use crate::syntax::span;
use crate::typed::{Expr, ExprKind, Pattern, Type};
use proc_macro2::Span;

impl Checker<'_> {
    /// A pattern for values of a type; its names come into scope.
    pub(super) fn pattern(&mut self, pattern: &syn::Pat, ty: &Type) -> Pattern {
        let ty = self.vars.shallow(ty);
        match pattern {
            syn::Pat::Wild(_) => Pattern::Wild,
            syn::Pat::Paren(node) => self.pattern(&node.pat, &ty),
            syn::Pat::Reference(node) => self.pattern(&node.pat, &ty),
            syn::Pat::Type(node) => {
                let written = self.written_type(&node.ty);
                if !self.vars.unify(&written, &ty) {
                    self.mismatch(&ty, &written, span(&*node.ty));
                }
                self.pattern(&node.pat, &written)
            }
            syn::Pat::Ident(node) => self.name_pattern(node, &ty),
            syn::Pat::Tuple(node) => {
                self.tuple_pattern(node.elems.iter().collect(), &ty, span(node))
            }
            syn::Pat::TupleStruct(node) => {
                let names = segments(&node.path);
                if let Some((id, variant)) = self.variant_of(&names) {
                    return self.variant_pattern(
                        id,
                        variant,
                        span(&node.path),
                        &ty,
                        |cx, types| {
                            let types: Vec<Type> = types.iter().map(|f| f.1.clone()).collect();
                            let fields: Vec<&syn::Pat> = node.elems.iter().collect();
                            cx.fields_pattern(&fields, &types, span(node))
                        },
                    );
                }
                let name = names.last().cloned().unwrap_or_default();
                let fields: Vec<&syn::Pat> = node.elems.iter().collect();
                if name == "Some" && fields.len() == 1 {
                    let inner = self.vars.any();
                    let option = Type::Option(Box::new(inner.clone()));
                    if !self.vars.unify(&ty, &option) {
                        self.wrong_pattern("Some(..)", &ty, span(&node.path));
                        self.poison_names(fields[0]);
                        return Pattern::Wild;
                    }
                    let inner = self.pattern(fields[0], &inner);
                    return Pattern::Option(Some(Box::new(inner)));
                }
                if self.struct_of(&name).is_none() {
                    let named = fields.iter().filter(|p| !matches!(p, syn::Pat::Rest(_)));
                    named.for_each(|p| self.poison_names(p));
                }
                self.struct_pattern(&name, span(&node.path), &ty, |cx, id| {
                    let fields_of = cx.cx.fields(id).into_iter();
                    let types: Vec<Type> = fields_of.map(|(_, ty)| ty).collect();
                    cx.fields_pattern(&fields, &types, span(node))
                })
            }
            syn::Pat::Slice(node) => self.slice_pattern(node, &ty),
            syn::Pat::Struct(node) => {
                let names = segments(&node.path);
                if let Some((id, variant)) = self.variant_of(&names) {
                    return self.variant_pattern(
                        id,
                        variant,
                        span(&node.path),
                        &ty,
                        |cx, types| cx.named_fields(node, types, ""),
                    );
                }
                let name = names.last().cloned().unwrap_or_default();
                self.struct_pattern(&name, span(&node.path), &ty, |cx, id| {
                    let fields = cx.cx.fields(id);
                    let help = cx.cx.name(id).to_owned();
                    cx.named_fields(node, &fields, &help)
                })
            }
            syn::Pat::Path(node) => {
                let name = segments(&node.path);
                match &name[..] {
                    [one] if one == "None" => self.none_pattern(&ty, span(&node.path)),
                    names if let Some((id, variant)) = self.variant_of(names) => self
                        .variant_pattern(id, variant, span(&node.path), &ty, |cx, types| {
                            cx.fields_pattern(&[], &[], span(node));
                            if !types.is_empty() {
                                cx.error(
                                    span(node),
                                    "this variant has fields",
                                    "write `(..)` or `{ .. }` after it",
                                );
                            }
                            Pattern::Tuple(types.iter().map(|_| Pattern::Wild).collect())
                        }),
                    _ => {
                        let value = self.path(node);
                        self.constant_pattern(value, &ty)
                    }
                }
            }
            syn::Pat::Lit(node) => match self.pattern_literal(&node.lit, false, &ty) {
                Some(id) => Pattern::Literal(placeholder(id)),
                None => Pattern::Wild,
            },
            syn::Pat::Range(node) => {
                let mut bound = |bound: &Option<Box<syn::Expr>>| {
                    bound.as_ref().and_then(|b| self.pattern_bound(b, &ty))
                };
                let low = bound(&node.start);
                let high = bound(&node.end);
                if let (Some(high), syn::RangeLimits::HalfOpen(_)) = (high, &node.limits) {
                    // The end is made inclusive when the literals have their values.
                    self.open_ends.push(high.bits as usize);
                }
                Pattern::Range(low, high)
            }
            syn::Pat::Or(node) => self.or_pattern(node, &ty),
            other => {
                let (message, help) = match other {
                    syn::Pat::Rest(_) => ("`..` cannot stand here", "write `_`"),
                    _ => (
                        "this pattern is not supported",
                        "write a name, a literal or a tuple",
                    ),
                };
                self.error(span(other), message, help);
                Pattern::Wild
            }
        }
    }

    fn name_pattern(&mut self, node: &syn::PatIdent, ty: &Type) -> Pattern {
        let name = node.ident.to_string();
        let at = node.ident.span();
        let plain = node.subpat.is_none() && node.mutability.is_none() && node.by_ref.is_none();
        if plain && name == "None" {
            return self.none_pattern(ty, at);
        }
        let known = self.item(&name);
        if plain
            && self.cx.constants.borrow().contains_key(&known)
            && let Some(value) = self.constant(&known, at)
        {
            return self.constant_pattern(value, ty);
        }
        if let Some(id) = self.cx.struct_names.iter().position(|s| *s == known)
            && plain
            && self.cx.structs[id].fields.is_empty()
        {
            return self.struct_pattern(&name, at, ty, |_, _| Pattern::Tuple(Vec::new()));
        }
        let inner = node
            .subpat
            .as_ref()
            .map(|(_, pattern)| Box::new(self.pattern(pattern, ty)));
        let local = self.bind(&name, ty.clone(), node.mutability.is_some(), at);
        Pattern::Bind {
            local,
            name,
            ty: ty.clone(),
            inner,
        }
    }

    fn none_pattern(&mut self, ty: &Type, at: Span) -> Pattern {
        let option = Type::Option(Box::new(self.vars.any()));
        if !self.vars.unify(ty, &option) {
            self.wrong_pattern("None", ty, at);
            return Pattern::Wild;
        }
        Pattern::Option(None)
    }

    fn wrong_pattern(&mut self, pattern: &str, ty: &Type, at: Span) {
        let shown = self.show(ty);
        self.error(
            at,
            format!("the pattern `{pattern}` does not fit {shown}"),
            "",
        );
    }

    /// The names of a pattern that cannot be typed: known, so that their uses are no errors.
    fn poison_names(&mut self, pattern: &syn::Pat) {
        self.pattern(pattern, &POISON);
    }

    fn tuple_pattern(&mut self, fields: Vec<&syn::Pat>, ty: &Type, at: Span) -> Pattern {
        let rest = fields.iter().any(|p| matches!(p, syn::Pat::Rest(_)));
        let types = match ty {
            Type::Tuple(types) => types.clone(),
            Type::Unknown(_) if !rest && self.vars.kind(ty).is_some() => {
                let types: Vec<Type> = fields.iter().map(|_| self.vars.any()).collect();
                if !self.vars.unify(ty, &Type::Tuple(types.clone())) {
                    self.wrong_tuple(fields.len(), ty, at);
                }
                types
            }
            _ => {
                if *ty != POISON {
                    self.wrong_tuple(fields.len(), ty, at);
                }
                fields.iter().for_each(|p| self.poison_names(p));
                return Pattern::Wild;
            }
        };
        self.fields_pattern(&fields, &types, at)
    }

    fn wrong_tuple(&mut self, count: usize, ty: &Type, at: Span) {
        let shown = self.show(ty);
        let help = match ty {
            Type::Array(element, _) if matches!(self.vars.shallow(element), Type::Tuple(_)) => {
                "use `unzip()` to take the array of tuples apart"
            }
            _ => "",
        };
        self.error(
            at,
            format!("expected {shown}, found a tuple of {count}"),
            help,
        );
    }

    /// Patterns for the fields in order; `..` stands for those not named.
    pub(super) fn fields_pattern(
        &mut self,
        fields: &[&syn::Pat],
        types: &[Type],
        at: Span,
    ) -> Pattern {
        self.parts_pattern(fields, types, &Type::Tuple(types.to_vec()), at)
    }

    /// The same for parts of a value of this type.
    pub(super) fn parts_pattern(
        &mut self,
        fields: &[&syn::Pat],
        types: &[Type],
        whole: &Type,
        at: Span,
    ) -> Pattern {
        let rest = fields.iter().position(|p| matches!(p, syn::Pat::Rest(_)));
        let named = fields.len() - usize::from(rest.is_some());
        if named > types.len() || (rest.is_none() && named != types.len()) {
            let shown = self.show(whole);
            self.error(
                at,
                format!(
                    "this pattern has {named} fields, the value has {}",
                    types.len()
                ),
                format!("it is {shown}; `..` leaves out the others"),
            );
            fields
                .iter()
                .filter(|p| !matches!(p, syn::Pat::Rest(_)))
                .for_each(|p| self.poison_names(p));
            return Pattern::Wild;
        }
        let mut result = Vec::new();
        for (position, field) in fields.iter().enumerate() {
            if rest == Some(position) {
                result.extend((0..types.len() - named).map(|_| Pattern::Wild));
            } else {
                let ty = types[result.len()].clone();
                result.push(self.pattern(field, &ty));
            }
        }
        Pattern::Tuple(result)
    }

    fn struct_pattern(
        &mut self,
        name: &str,
        at: Span,
        ty: &Type,
        fields: impl FnOnce(&mut Self, usize) -> Pattern,
    ) -> Pattern {
        let Some(id) = self.struct_of(name) else {
            let names = self.cx.struct_names.iter().map(String::as_str);
            let help = match name {
                "Ok" | "Err" => super::unsupported::NO_RESULT.to_string(),
                name => super::suggest::did_you_mean(name, names),
            };
            self.unknown(name, at, format!("unknown struct `{name}`"), help);
            return Pattern::Wild;
        };
        if !self.vars.unify(ty, &self.cx.own_type(id)) {
            self.wrong_pattern(&format!("{name} {{ .. }}"), ty, at);
        }
        fields(self, id)
    }

    fn named_fields(
        &mut self,
        node: &syn::PatStruct,
        fields: &[(String, Type)],
        owner: &str,
    ) -> Pattern {
        let mut result: Vec<Option<Pattern>> = fields.iter().map(|_| None).collect();
        for field in &node.fields {
            let (name, at) = match &field.member {
                syn::Member::Named(name) => (name.to_string(), name.span()),
                syn::Member::Unnamed(index) => (index.index.to_string(), index.span),
            };
            let known = fields.iter().position(|(field, _)| *field == name);
            match known {
                Some(position) => {
                    let ty = fields[position].1.clone();
                    result[position] = Some(self.pattern(&field.pat, &ty));
                }
                None => {
                    let help = super::items::suggest_field(fields, &name);
                    let owner = match owner {
                        "" => "this variant".to_string(),
                        owner => format!("`{owner}`"),
                    };
                    self.error(at, format!("no field `{name}` in {owner}"), help);
                    self.poison_names(&field.pat);
                }
            }
        }
        let missing: Vec<String> = fields
            .iter()
            .zip(&result)
            .filter(|(_, pattern)| pattern.is_none())
            .map(|((name, _), _)| format!("`{name}`"))
            .collect();
        if !missing.is_empty() && node.rest.is_none() {
            self.error(
                span(&node.path),
                format!("the pattern leaves out {}", missing.join(", ")),
                "write `..` to ignore the other fields",
            );
        }
        let filled = result.into_iter().map(|p| p.unwrap_or(Pattern::Wild));
        Pattern::Tuple(filled.collect())
    }

    /// A variant of an enum with a pattern for its fields.
    fn variant_pattern(
        &mut self,
        id: usize,
        variant: usize,
        at: Span,
        ty: &Type,
        fields: impl FnOnce(&mut Self, &[(String, Type)]) -> Pattern,
    ) -> Pattern {
        if !self.vars.unify(ty, &Type::Struct(id)) {
            let name = format!(
                "{}::{}",
                self.cx.name(id),
                self.cx.variants_of(id)[variant].name
            );
            self.wrong_pattern(&name, ty, at);
        }
        let types = self.cx.variants_of(id)[variant].fields.clone();
        match fields(self, &types) {
            Pattern::Tuple(fields) => Pattern::Variant(id, variant, fields),
            _ => Pattern::Wild,
        }
    }

    /// A constant as a pattern.
    fn constant_pattern(&mut self, value: Expr, ty: &Type) -> Pattern {
        if !self.vars.unify(&value.ty, ty) {
            self.mismatch(&value.ty, ty, value.span);
            return Pattern::Wild;
        }
        match value.kind {
            ExprKind::Constant(scalar) => {
                Pattern::Literal(self.known_pattern(scalar, value.ty, value.span))
            }
            ExprKind::Variant(variant, fields) => {
                let Type::Struct(id) = value.ty else {
                    return Pattern::Wild;
                };
                let fields = fields.into_iter().map(|field| {
                    let ty = field.ty.clone();
                    self.constant_pattern(field, &ty)
                });
                Pattern::Variant(id, variant, fields.collect())
            }
            ExprKind::Tuple(fields) => Pattern::Tuple(
                fields
                    .into_iter()
                    .map(|field| {
                        let ty = field.ty.clone();
                        self.constant_pattern(field, &ty)
                    })
                    .collect(),
            ),
            _ => {
                if value.ty != POISON {
                    self.error(
                        value.span,
                        "a pattern must be a constant",
                        "use a guard: `x if x == y`",
                    );
                }
                Pattern::Wild
            }
        }
    }

    fn known_pattern(&mut self, scalar: Scalar, ty: Type, at: Span) -> Scalar {
        placeholder(self.known_literal(scalar, ty, at))
    }

    /// A literal in a pattern, in the table.
    fn pattern_literal(&mut self, lit: &syn::Lit, negative: bool, ty: &Type) -> Option<usize> {
        let id = self.literal(lit, negative)?;
        let have = self.literals[id].ty.clone();
        if !self.vars.unify(&have, ty) {
            self.mismatch(&have, ty, lit.span());
            return None;
        }
        Some(id)
    }

    /// An end of a range pattern.
    fn pattern_bound(&mut self, node: &syn::Expr, ty: &Type) -> Option<Scalar> {
        match node {
            syn::Expr::Lit(node) => self.pattern_literal(&node.lit, false, ty).map(placeholder),
            syn::Expr::Unary(syn::ExprUnary {
                op: syn::UnOp::Neg(_),
                expr,
                ..
            }) => match &**expr {
                syn::Expr::Lit(node) => self.pattern_literal(&node.lit, true, ty).map(placeholder),
                _ => None,
            },
            syn::Expr::Path(path) => {
                let value = self.path(path);
                if let Some(bits) = wide::value(&value)
                    && self.vars.unify(&value.ty, ty)
                {
                    return Some(placeholder(self.known_wide(bits, value.ty, value.span)));
                }
                match self.constant_pattern(value, ty) {
                    Pattern::Literal(scalar) => Some(scalar),
                    _ => None,
                }
            }
            other => {
                self.error(
                    span(other),
                    "the ends of a range pattern must be constants",
                    "use a guard: `x if x < n`",
                );
                None
            }
        }
    }

    /// The ends of a range pattern, now that literals have their values.
    pub(super) fn finish_range(&mut self, low: &mut Option<Scalar>, high: &mut Option<Scalar>) {
        if let Some(low) = low {
            *low = self.literal_value(low.bits as usize, false);
        }
        let Some(high) = high else {
            return;
        };
        let id = high.bits as usize;
        let open = self.open_ends.contains(&id);
        let at = self.literals.get(id).map(|l| l.span);
        *high = self.literal_value(id, false);
        let at = at.unwrap_or_else(Span::call_site);
        if high.leaf.is_float() {
            if open {
                *high = below(*high);
            }
            let end = high.as_f64();
            let is_empty = low.is_some_and(|low| low.as_f64() > end) || end.is_nan();
            return self.refuse_empty(is_empty, at);
        }
        let value = super::consts::integer(*high) - i128::from(open);
        let least = super::consts::limits(high.leaf).0;
        let is_empty = low.is_some_and(|low| super::consts::integer(low) > value) || value < least;
        self.refuse_empty(is_empty, at);
        if value >= least {
            *high = super::consts::from_integer(high.leaf, value);
        }
    }

    fn refuse_empty(&mut self, is_empty: bool, at: Span) {
        if is_empty && !self.failed {
            self.error(
                at,
                "this range pattern is empty",
                "write the lesser end first",
            );
        }
    }
}

/// The greatest float less than another one.
fn below(float: Scalar) -> Scalar {
    let sign = 1 << (float.leaf.bits() - 1);
    let bits = match float.as_f64() {
        0.0 => sign | 1,
        value if value > 0.0 => float.bits - 1,
        _ => float.bits + 1,
    };
    Scalar { bits, ..float }
}
