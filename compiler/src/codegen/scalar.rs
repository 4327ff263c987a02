//! Structured SSA to plain scalar Rust.
//!
//! In: statements of the host (`Step::Compute`, or the whole of an array-free function). Out: the same as `let`s,
//! `if`s and `loop`s, total as the IR is: nothing here divides by zero or overflows with a panic.

use super::names::rust;
use crate::ir::Site;
use crate::plan::body::{Fold, Op, Statement, Value};
use crate::scalar::{Binary, Leaf, Math, Scalar, Unary};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};

/// What surrounds the statements.
pub(crate) struct Context<'a> {
    /// Types of the values.
    pub(crate) types: &'a [Leaf],
    /// Names of the values, for readable code.
    pub(crate) names: &'a [Option<String>],
    /// What to do where a condition (an expression) does not hold; the values are expressions of type `i64`.
    pub(crate) check: &'a dyn Fn(TokenStream, Site, [TokenStream; 2]) -> TokenStream,
}

impl Context<'_> {
    /// The variable of a value.
    pub(crate) fn name(&self, value: Value) -> Ident {
        let name = self.names.get(value.0 as usize).and_then(Option::as_deref);
        rust::value(name, value.0)
    }

    fn names_of(&self, values: impl IntoIterator<Item = Value>) -> Vec<Ident> {
        values.into_iter().map(|value| self.name(value)).collect()
    }

    fn ty(&self, value: Value) -> Ident {
        leaf(self.leaf(value))
    }

    fn leaf(&self, value: Value) -> Leaf {
        self.types[value.0 as usize]
    }

    /// A check of a value, as `Context::check` words it.
    pub(crate) fn check(&self, condition: Value, site: Site, values: &[Value]) -> TokenStream {
        let condition = self.name(condition);
        let shown = |k: usize| match values.get(k) {
            Some(&value) => {
                let name = self.name(value);
                match self.leaf(value) {
                    Leaf::I64 => quote!(#name),
                    _ => quote!(#name as i64),
                }
            }
            None => quote!(0),
        };
        (self.check)(quote!(#condition), site, [shown(0), shown(1)])
    }

    /// Statements in order.
    pub(crate) fn statements(&self, statements: &[Statement]) -> TokenStream {
        statements.iter().map(|s| self.statement(s)).collect()
    }

    /// One statement.
    pub(crate) fn statement(&self, statement: &Statement) -> TokenStream {
        match statement {
            Statement::Let { value, op } => {
                let (name, ty, op) = (self.name(*value), self.ty(*value), self.op(op));
                quote!(let #name: #ty = #op;)
            }
            Statement::Check {
                condition,
                site,
                values,
            } => self.check(*condition, *site, values),
            Statement::If {
                condition,
                then,
                otherwise,
                results,
            } => {
                let condition = self.name(*condition);
                let (then, otherwise) = (self.statements(then), self.statements(otherwise));
                let names = self.names_of(results.iter().map(|join| join.result));
                let taken = self.names_of(results.iter().map(|join| join.then));
                let other = self.names_of(results.iter().map(|join| join.otherwise));
                quote! {
                    let (#(#names,)*) = if #condition { #then (#(#taken,)*) } else { #otherwise (#(#other,)*) };
                }
            }
            Statement::Loop {
                state,
                test,
                condition,
                body,
            } => {
                let names = self.names_of(state.iter().map(|carry| carry.state));
                let types = state.iter().map(|carry| self.ty(carry.state));
                let initial = self.names_of(state.iter().map(|carry| carry.initial));
                let next = self.names_of(state.iter().map(|carry| carry.next));
                let (test, body) = (self.statements(test), self.statements(body));
                let condition = self.name(*condition);
                quote! {
                    #(let mut #names: #types = #initial;)*
                    loop {
                        #test
                        if !#condition { break; }
                        #body
                        (#(#names,)*) = (#(#next,)*);
                    }
                }
            }
            Statement::Fold {
                extents,
                vars,
                body,
                folds,
            } => self.folds(extents, vars, body, folds),
            Statement::Load { .. } | Statement::Store { .. } => {
                unreachable!("the host neither loads nor stores elements")
            }
        }
    }

    fn folds(
        &self,
        extents: &[Value],
        vars: &[Value],
        body: &[Statement],
        folds: &[Fold],
    ) -> TokenStream {
        let mut begin = TokenStream::new();
        let mut round = self.statements(body);
        for (k, fold) in folds.iter().enumerate() {
            let results = self.names_of(fold.results.iter().copied());
            let types: Vec<Ident> = fold.results.iter().map(|&v| self.ty(v)).collect();
            let elements = self.names_of(fold.elements.iter().copied());
            let left = self.names_of(fold.left.iter().copied());
            let right = self.names_of(fold.right.iter().copied());
            let combined = self.names_of(fold.combined.iter().copied());
            let combine = self.statements(&fold.combine);
            let combine = quote! {
                let (#(#left,)*) = (#(#results,)*);
                let (#(#right,)*) = (#(#elements,)*);
                #combine
                (#(#results,)*) = (#(#combined,)*);
            };
            match &fold.initial {
                Some(initial) => {
                    let initial = self.names_of(initial.iter().copied());
                    begin.extend(quote!(#(let mut #results: #types = #initial;)*));
                    round.extend(quote!({ #combine }));
                }
                None => {
                    let first = rust::several("first", k);
                    begin.extend(quote! {
                        #(let mut #results: #types = ::core::default::Default::default();)*
                        let mut #first = true;
                    });
                    round.extend(quote! {
                        if #first { #first = false; (#(#results,)*) = (#(#elements,)*); } else { #combine }
                    });
                }
            }
        }
        let loops = vars
            .iter()
            .zip(extents)
            .rev()
            .fold(round, |inner, (&var, &extent)| {
                let (var, extent) = (self.name(var), self.name(extent));
                quote!(for #var in 0..#extent { #inner })
            });
        quote!(#begin #loops)
    }

    fn op(&self, op: &Op) -> TokenStream {
        match op {
            Op::Constant(scalar) => constant(*scalar),
            Op::Unary(op, a) => unary(*op, self.leaf(*a), &self.name(*a)),
            Op::Binary(op, a, b) => binary(*op, self.leaf(*a), &self.name(*a), &self.name(*b)),
            Op::Select(condition, a, b) => {
                let (condition, a, b) = (self.name(*condition), self.name(*a), self.name(*b));
                quote!(if #condition { #a } else { #b })
            }
            Op::Cast(to, a) => cast(*to, self.leaf(*a), &self.name(*a)),
            Op::Bitcast(to, a) => bitcast(*to, self.leaf(*a), &self.name(*a)),
            Op::Math(function, arguments) => {
                let arguments = self.names_of(arguments.iter().copied());
                let function = match (function, &arguments[..]) {
                    (Math::Fmuladd, [a, b, c]) => return quote!((#a * #b + #c)),
                    (Math::FastDiv, [a, b]) => return quote!((#a / #b)),
                    (Math::Pow, _) => format_ident!("powf"),
                    _ => format_ident!("{}", function.name()),
                };
                quote!(::accelerate::rt::scalar::#function(#(#arguments),*))
            }
            // The host is no device: what the body says.
            Op::Foreign(_, values) => {
                let body = self.name(*values.last().expect("what the body says"));
                quote!(#body)
            }
        }
    }
}

/// Rust's name of a leaf type, as values are held.
pub(crate) fn leaf(leaf: Leaf) -> Ident {
    Ident::new(leaf.register().name(), Span::call_site())
}

/// A literal, exact to the bit.
pub(crate) fn constant(scalar: Scalar) -> TokenStream {
    let bits = scalar.bits;
    let signed = |value: i64, literal: Literal| {
        if value < 0 {
            quote!((#literal))
        } else {
            quote!(#literal)
        }
    };
    match scalar.leaf.register() {
        Leaf::Bool => {
            let value = bits != 0;
            quote!(#value)
        }
        Leaf::U8 => Literal::u8_suffixed(bits as u8).into_token_stream(),
        Leaf::U16 => Literal::u16_suffixed(bits as u16).into_token_stream(),
        Leaf::U32 => Literal::u32_suffixed(bits as u32).into_token_stream(),
        Leaf::U64 => Literal::u64_suffixed(bits).into_token_stream(),
        Leaf::I8 => signed(bits as i8 as i64, Literal::i8_suffixed(bits as i8)),
        Leaf::I16 => signed(bits as i16 as i64, Literal::i16_suffixed(bits as i16)),
        Leaf::I32 => signed(bits as i32 as i64, Literal::i32_suffixed(bits as i32)),
        Leaf::I64 => signed(bits as i64, Literal::i64_suffixed(bits as i64)),
        Leaf::F32 => {
            let value = f32::from_bits(bits as u32);
            if value.is_finite() && value.is_sign_positive() {
                Literal::f32_suffixed(value).into_token_stream()
            } else {
                let bits = Literal::u32_unsuffixed(bits as u32);
                quote!(f32::from_bits(#bits))
            }
        }
        Leaf::F64 => {
            let value = f64::from_bits(bits);
            if value.is_finite() && value.is_sign_positive() {
                Literal::f64_suffixed(value).into_token_stream()
            } else {
                let bits = Literal::u64_unsuffixed(bits);
                quote!(f64::from_bits(#bits))
            }
        }
        Leaf::F16 | Leaf::Bf16 => unreachable!("they are held as their bits"),
    }
}

fn unary(op: Unary, ty: Leaf, a: &Ident) -> TokenStream {
    let method = |name: &str| {
        let name = format_ident!("{name}");
        quote!(#a.#name())
    };
    match op {
        Unary::Neg if ty.is_float() => quote!(-#a),
        Unary::Neg => method("wrapping_neg"),
        Unary::Not => quote!(!#a),
        Unary::Abs if ty.is_float() => method("abs"),
        Unary::Abs if ty.is_signed() => method("wrapping_abs"),
        Unary::Abs => quote!(#a),
        Unary::Sqrt => method("sqrt"),
        Unary::Floor => method("floor"),
        Unary::Ceil => method("ceil"),
        Unary::Trunc => method("trunc"),
        Unary::Round => method("round"),
        Unary::RoundEven => method("round_ties_even"),
        Unary::CountOnes => method("count_ones"),
        Unary::LeadingZeros => method("leading_zeros"),
        Unary::TrailingZeros => method("trailing_zeros"),
        Unary::SwapBytes => method("swap_bytes"),
        Unary::ReverseBits => method("reverse_bits"),
    }
}

fn binary(op: Binary, ty: Leaf, a: &Ident, b: &Ident) -> TokenStream {
    let float = ty.is_float();
    let wrapping = |name: &str| {
        let name = format_ident!("{name}");
        quote!(#a.#name(#b))
    };
    match op {
        Binary::Add if float => quote!(#a + #b),
        Binary::Sub if float => quote!(#a - #b),
        Binary::Mul if float => quote!(#a * #b),
        Binary::Div if float => quote!(#a / #b),
        Binary::Rem if float => quote!(#a % #b),
        Binary::Add => wrapping("wrapping_add"),
        Binary::Sub => wrapping("wrapping_sub"),
        Binary::Mul => wrapping("wrapping_mul"),
        // A check has failed where the divisor is zero: any value will do, but no panic.
        Binary::Div => quote!(if #b == 0 { 0 } else { #a.wrapping_div(#b) }),
        Binary::Rem => quote!(if #b == 0 { 0 } else { #a.wrapping_rem(#b) }),
        Binary::Min if float => quote!(::accelerate::rt::scalar::min(#a, #b)),
        Binary::Max if float => quote!(::accelerate::rt::scalar::max(#a, #b)),
        Binary::Min => quote!(::core::cmp::Ord::min(#a, #b)),
        Binary::Max => quote!(::core::cmp::Ord::max(#a, #b)),
        Binary::And => quote!(#a & #b),
        Binary::Or => quote!(#a | #b),
        Binary::Xor => quote!(#a ^ #b),
        Binary::Shl => wrapping("wrapping_shl"),
        Binary::Shr => wrapping("wrapping_shr"),
        Binary::Eq => quote!(#a == #b),
        Binary::Ne => quote!(#a != #b),
        Binary::Lt => quote!(#a < #b),
        Binary::Le => quote!(#a <= #b),
        Binary::Copysign => quote!(#a.copysign(#b)),
        Binary::MulHigh => {
            let (own, bits) = (leaf(ty), ty.bits());
            let wide = format_ident!("{}", if ty.is_signed() { "i128" } else { "u128" });
            quote!(((#a as #wide * #b as #wide) >> #bits) as #own)
        }
    }
}

fn cast(to: Leaf, from: Leaf, a: &Ident) -> TokenStream {
    let target = leaf(to);
    match (from, to) {
        (from, to) if from == to => quote!(#a),
        (from, to) if from.is_half() || to.is_half() => {
            let function = format_ident!("{}", half_conversion(from, to));
            quote!(::accelerate::rt::scalar::#function(#a))
        }
        (Leaf::Bool, Leaf::F32 | Leaf::F64) => quote!(#a as u8 as #target),
        (Leaf::F32 | Leaf::F64, Leaf::Bool) => quote!(#a != 0.0),
        (_, Leaf::Bool) => quote!(#a != 0),
        _ => quote!(#a as #target),
    }
}

/// The function that converts a float of 16 bits to `f32`, or the other way round.
pub(crate) fn half_conversion(from: Leaf, to: Leaf) -> String {
    format!("{}_from_{}", to.name(), from.name())
}

fn bitcast(to: Leaf, from: Leaf, a: &Ident) -> TokenStream {
    let target = leaf(to);
    match (from.register().is_float(), to.register().is_float()) {
        (false, false) => quote!(#a as #target),
        (true, false) => quote!(#a.to_bits() as #target),
        (false, true) => quote!(#target::from_bits(#a as _)),
        (true, true) => quote!(#a),
    }
}
