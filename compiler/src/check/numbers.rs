//! Methods and constants of numbers, on known types.

use super::infer::{Kind, POISON, leaf};
use super::numbers_table::{Argument, LATER, METHODS, Meaning, Output, Row};
use super::suggest::did_you_mean;
use super::{Checker, expr};
use crate::scalar::{Leaf, Scalar};
use crate::typed::{Expr, ExprKind, Type};
use proc_macro2::Span;

impl Checker<'_> {
    /// `x.method(..)` with `x` of a scalar type.
    pub(super) fn number_method(
        &mut self,
        receiver: Expr,
        name: &str,
        args: &[&syn::Expr],
        at: Span,
    ) -> Expr {
        if let Some(compared) = self.comparison(&receiver, name, args, at) {
            return compared;
        }
        let ty = self.vars.shallow(&receiver.ty);
        if matches!(name, "clone" | "to_owned" | "copied" | "cloned") && args.is_empty() {
            return receiver;
        }
        let literal = match self.vars.kind(&ty) {
            Some(Kind::Integer) => Some(Leaf::I32),
            Some(Kind::Float) => Some(Leaf::F64),
            _ => None,
        };
        let Some(own) = leaf(&ty).or(literal) else {
            return self.poison(at);
        };
        let Some(row) = find(name, own) else {
            return self.unknown_number_method(&ty, own, name, args, at);
        };
        if literal.is_some() {
            // The result follows the literal's type, unless its width decides.
            if matches!(row.output, Output::Bits | Output::Unsigned) {
                let shown = self.show(&ty);
                return self.reject(
                    at,
                    format!("type annotations needed: `{name}` on a number of type {shown}"),
                    format!(
                        "write its type: `2.0_{0}`, or `let x: {0} = ..`",
                        own.name()
                    ),
                );
            }
            self.require(&ty, row.class, at, &format!("`{name}`"));
        }
        if args.len() != row.arguments.len() {
            return self.wrong_count_of_number(row, args.len(), at);
        }
        let mut operands = vec![receiver];
        for (arg, kind) in args.iter().zip(row.arguments) {
            let want = match kind {
                Argument::Own => ty.clone(),
                Argument::U32 => Type::Leaf(Leaf::U32),
                Argument::I32 => Type::Leaf(Leaf::I32),
            };
            operands.push(self.check(arg, &want));
        }
        method(row, operands, &ty, own, at)
    }

    fn unknown_number_method(
        &mut self,
        ty: &Type,
        own: Leaf,
        name: &str,
        args: &[&syn::Expr],
        at: Span,
    ) -> Expr {
        for arg in args {
            self.argument_for_errors(arg);
        }
        let shown = self.show(ty);
        if let Some((_, help)) = LATER.iter().find(|(later, _)| *later == name) {
            return self.reject(at, format!("`{name}` is not supported yet"), *help);
        }
        let help = if METHODS.iter().any(|row| row.name == name) {
            match own.is_float() {
                true => "it is a method of integers: convert with `as`".to_string(),
                false if own == Leaf::Bool => "it is a method of numbers".to_string(),
                false if find(name, Leaf::F32).is_some() && find(name, Leaf::I32).is_none() => {
                    "it is a method of floats: convert with `as f32`".to_string()
                }
                false => "it is a method of signed numbers".to_string(),
            }
        } else if own == Leaf::Bool && matches!(name, "then" | "then_some") {
            "write `if .. { Some(..) } else { None }`".to_string()
        } else if super::options::is_method(name) {
            "the value is no `Option`: an element that may be missing is `xs.get(i)`".to_string()
        } else if matches!(name, "replicate" | "broadcast_to") {
            "write `fill(shape, value)` to repeat one value".to_string()
        } else if super::operations_table::is_operation(name) {
            "it is an operation on arrays".to_string()
        } else {
            let names = METHODS.iter().filter(|row| row.class.has(own));
            did_you_mean(name, names.map(|row| row.name))
        };
        self.reject(at, format!("no method `{name}` on {shown}"), help)
    }

    /// `f32::max(a, b)`, `f32::from_bits(x)`, `f64::from(x)`.
    pub(super) fn number_function(
        &mut self,
        ty: &Type,
        name: &str,
        args: &[&syn::Expr],
        at: Span,
    ) -> Expr {
        let Some(own) = leaf(ty) else {
            for arg in args {
                self.argument_for_errors(arg);
            }
            let shown = self.show(ty);
            return self.reject(at, format!("no function `{name}` of {shown}"), "");
        };
        match (name, args) {
            ("from_bits", [bits]) if own.is_float() => {
                let bits = self.check(bits, &Type::Leaf(unsigned(own)));
                expr(ExprKind::Bitcast(Box::new(bits)), ty.clone(), at)
            }
            ("from", [value]) => {
                let value = self.infer(value);
                let value = self.operand(value);
                let from = self.vars.shallow(&value.ty);
                if self.vars.kind(&from).is_some() && self.vars.unify(&from, ty) {
                    return value;
                }
                match leaf(&from) {
                    Some(from) if lossless(from, own) => {
                        expr(ExprKind::Cast(Box::new(value)), ty.clone(), at)
                    }
                    None if from == POISON => self.poison(at),
                    _ => {
                        let (have, want) = (self.show(&from), self.show(ty));
                        self.reject(
                            at,
                            format!("{want} cannot hold every {have}"),
                            format!("convert with `as {}`", own.name()),
                        )
                    }
                }
            }
            (name, [receiver, rest @ ..]) => {
                let receiver = self.check(receiver, ty);
                if self.is_poison(&receiver.ty) {
                    return receiver;
                }
                self.number_method(receiver, name, rest, at)
            }
            (name, []) => {
                let shown = self.show(ty);
                self.reject(
                    at,
                    format!("no function `{name}` of {shown} without arguments"),
                    "",
                )
            }
        }
    }
}

fn find(name: &str, leaf: Leaf) -> Option<&'static Row> {
    METHODS
        .iter()
        .find(|row| row.name == name && row.class.has(leaf))
}

fn method(row: &'static Row, mut operands: Vec<Expr>, ty: &Type, own: Leaf, at: Span) -> Expr {
    let result = match row.output {
        Output::Own => ty.clone(),
        Output::Bool => Type::Leaf(Leaf::Bool),
        Output::U32 => Type::Leaf(Leaf::U32),
        Output::Unsigned if matches!(ty, Type::Usize | Type::Isize) => Type::Usize,
        Output::Unsigned | Output::Bits => Type::Leaf(unsigned(own)),
        Output::Option => Type::Option(Box::new(ty.clone())),
        Output::Pair => Type::Tuple(vec![ty.clone(), Type::Leaf(Leaf::Bool)]),
        Output::Twice => Type::Tuple(vec![ty.clone(), ty.clone()]),
    };
    let kind = match row.meaning {
        Meaning::Unary(op) => ExprKind::Unary(op, Box::new(operands.remove(0))),
        Meaning::Binary(op) => {
            let right = Box::new(operands.remove(1));
            ExprKind::Binary(op, Box::new(operands.remove(0)), right)
        }
        Meaning::Math(math) => ExprKind::Math(math, operands),
        Meaning::Composed => ExprKind::Number(row.name, operands),
        Meaning::Bitcast => ExprKind::Bitcast(Box::new(operands.remove(0))),
    };
    expr(kind, result, at)
}

fn unsigned(leaf: Leaf) -> Leaf {
    match leaf.bytes() {
        1 => Leaf::U8,
        2 => Leaf::U16,
        4 => Leaf::U32,
        _ => Leaf::U64,
    }
}

/// Whether `to` holds every value of `from`, as `From` asks.
fn lossless(from: Leaf, to: Leaf) -> bool {
    let digits = |leaf: Leaf| match leaf {
        Leaf::F32 => 24,
        Leaf::F64 => 53,
        leaf => leaf.bits() - u32::from(leaf.is_signed()),
    };
    if from == to {
        return true;
    }
    match (from.is_float(), to.is_float()) {
        (true, false) => false,
        (_, true) => digits(from) <= digits(to),
        (false, false) => {
            digits(from) <= digits(to) && (to.is_signed() || !from.is_signed()) && to != Leaf::Bool
        }
    }
}

/// Names of constants, for suggestions.
pub(super) const CONSTANTS: &[&str] = &[
    "MAX",
    "MIN",
    "BITS",
    "EPSILON",
    "INFINITY",
    "NEG_INFINITY",
    "NAN",
    "MIN_POSITIVE",
    "DIGITS",
    "MANTISSA_DIGITS",
    "PI",
    "TAU",
    "E",
    "SQRT_2",
    "LN_2",
    "LN_10",
    "LOG2_E",
    "LOG10_E",
    "LOG2_10",
    "LOG10_2",
    "FRAC_PI_2",
    "FRAC_PI_3",
    "FRAC_PI_4",
    "FRAC_PI_6",
    "FRAC_PI_8",
    "FRAC_1_PI",
    "FRAC_2_PI",
    "FRAC_2_SQRT_PI",
    "FRAC_1_SQRT_2",
];

/// The value of a constant of a type of numbers; `consts`: of its module `consts`.
pub(super) fn constant(leaf: Leaf, name: &str, consts: bool) -> Option<Scalar> {
    let u32_value = |bits: u32| {
        Some(Scalar {
            leaf: Leaf::U32,
            bits: u64::from(bits),
        })
    };
    if leaf.is_integer() && !consts {
        let (low, high) = super::consts::limits(leaf);
        return match name {
            "MAX" => Some(super::consts::from_integer(leaf, high)),
            "MIN" => Some(super::consts::from_integer(leaf, low)),
            "BITS" => u32_value(leaf.bits()),
            _ => None,
        };
    }
    if !leaf.is_float() {
        return None;
    }
    macro_rules! values {
        ($($name:ident)*) => {
            match name {
                $(stringify!($name) => (std::f32::consts::$name, std::f64::consts::$name),)*
                _ => return None,
            }
        };
    }
    let (single, double) = if consts {
        values!(PI TAU E SQRT_2 LN_2 LN_10 LOG2_E LOG10_E LOG2_10 LOG10_2 FRAC_PI_2 FRAC_PI_3
            FRAC_PI_4 FRAC_PI_6 FRAC_PI_8 FRAC_1_PI FRAC_2_PI FRAC_2_SQRT_PI FRAC_1_SQRT_2)
    } else {
        match name {
            "MAX" => (f32::MAX, f64::MAX),
            "MIN" => (f32::MIN, f64::MIN),
            "EPSILON" => (f32::EPSILON, f64::EPSILON),
            "INFINITY" => (f32::INFINITY, f64::INFINITY),
            "NEG_INFINITY" => (f32::NEG_INFINITY, f64::NEG_INFINITY),
            "NAN" => (f32::NAN, f64::NAN),
            "MIN_POSITIVE" => (f32::MIN_POSITIVE, f64::MIN_POSITIVE),
            "DIGITS" if leaf == Leaf::F32 => return u32_value(f32::DIGITS),
            "DIGITS" => return u32_value(f64::DIGITS),
            "MANTISSA_DIGITS" if leaf == Leaf::F32 => return u32_value(f32::MANTISSA_DIGITS),
            "MANTISSA_DIGITS" => return u32_value(f64::MANTISSA_DIGITS),
            _ => return None,
        }
    };
    let bits = match leaf {
        Leaf::F32 => u64::from(single.to_bits()),
        _ => double.to_bits(),
    };
    Some(Scalar { leaf, bits })
}
