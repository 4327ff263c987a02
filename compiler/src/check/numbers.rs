//! Methods and constants of numbers, on known types.

use super::infer::{Kind, POISON, leaf};
use super::numbers_table::{Argument, FUNCTIONS, METHODS, Meaning, OUTSIDE, Output, Row};
use super::operators::Class;
use super::suggest::did_you_mean;
use super::{CallSite, Checker, Generics, expr};
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
        if own == Leaf::Bool && super::options::is_of_bool(name) {
            return self.option_of_bool(receiver, name, args, at);
        }
        let Some(row) = find(METHODS, name, &ty, own) else {
            return self.unknown_number_method(&ty, own, name, args, at);
        };
        if literal.is_some() {
            // The result follows the literal's type, unless its width decides.
            if row.asks_for_width() {
                let shown = self.show(&ty);
                let number = if own.is_float() { "2.0" } else { "2" };
                return self.reject(
                    at,
                    format!("type annotations needed: `{name}` on a number of type {shown}"),
                    format!(
                        "write its type: `{number}_{0}`, or `let x: {0} = ..`",
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
        operands.extend(self.operands(row, args, &ty, own));
        self.number_call(row, operands, &ty, own, at)
    }

    fn operands(&mut self, row: &Row, args: &[&syn::Expr], ty: &Type, own: Leaf) -> Vec<Expr> {
        let operands = args.iter().zip(row.arguments).map(|(arg, kind)| {
            let want = match kind {
                Argument::Own => ty.clone(),
                Argument::Other => other(ty, own),
                Argument::U32 => Type::Leaf(Leaf::U32),
                Argument::I32 => Type::Leaf(Leaf::I32),
                Argument::F32 => Type::Leaf(Leaf::F32),
                Argument::F64 => Type::Leaf(Leaf::F64),
                Argument::Bool => Type::Leaf(Leaf::Bool),
                Argument::Bits => Type::Leaf(unsigned(own)),
                Argument::Bytes => bytes(ty, own),
            };
            self.check(arg, &want)
        });
        operands.collect()
    }

    /// A method, or a function of a type, of these operands.
    fn number_call(
        &mut self,
        row: &Row,
        mut operands: Vec<Expr>,
        ty: &Type,
        own: Leaf,
        at: Span,
    ) -> Expr {
        let option = |ty: Type| Type::Option(Box::new(ty));
        let result = match row.output {
            Output::Own => ty.clone(),
            Output::Bool => Type::Leaf(Leaf::Bool),
            Output::U32 => Type::Leaf(Leaf::U32),
            Output::F32 => Type::Leaf(Leaf::F32),
            Output::F64 => Type::Leaf(Leaf::F64),
            Output::Usize => Type::Usize,
            Output::Unsigned => unsigned_type(ty, own),
            Output::Bits => Type::Leaf(unsigned(own)),
            Output::Other => other(ty, own),
            Output::Option => option(ty.clone()),
            Output::OptionU32 => option(Type::Leaf(Leaf::U32)),
            Output::OptionOther => option(other(ty, own)),
            Output::Pair => Type::Tuple(vec![ty.clone(), Type::Leaf(Leaf::Bool)]),
            Output::Twice => Type::Tuple(vec![ty.clone(), ty.clone()]),
            Output::Bytes => bytes(ty, own),
        };
        let kind = match row.meaning {
            Meaning::Unary(op) => ExprKind::Unary(op, Box::new(operands.remove(0))),
            Meaning::Binary(op) => {
                let right = Box::new(operands.remove(1));
                ExprKind::Binary(op, Box::new(operands.remove(0)), right)
            }
            Meaning::Math(math) => ExprKind::Math(math, operands),
            Meaning::Composed => ExprKind::Number(row.name, operands),
            Meaning::Written => self.written_method(row.name, operands, ty, own, at),
            Meaning::Cast => ExprKind::Cast(Box::new(operands.remove(0))),
            Meaning::Bitcast => ExprKind::Bitcast(Box::new(operands.remove(0))),
        };
        expr(kind, result, at)
    }

    /// A call of a method that is written in the language: `T` is the own type, `S` the one of the other sign, `U`
    /// the unsigned one.
    fn written_method(
        &mut self,
        name: &str,
        operands: Vec<Expr>,
        ty: &Type,
        own: Leaf,
        span: Span,
    ) -> ExprKind {
        let template = self.cx.syntax.methods[name];
        let generics = self.generics_of(template, ty, own);
        self.calls.push(CallSite {
            template,
            generics,
            span,
        });
        ExprKind::Call(self.calls.len() - 1, operands)
    }

    /// What the type parameters of a method stand for that is written in the language.
    pub(super) fn generics_of(&self, template: usize, ty: &Type, own: Leaf) -> Generics {
        let mut generics = Generics::default();
        for parameter in self.cx.syntax.functions[template].generics.type_params() {
            let name = parameter.ident.to_string();
            let ty = match &*name {
                "S" => other(ty, own),
                "U" => unsigned_type(ty, own),
                _ => ty.clone(),
            };
            generics.types.insert(name, ty);
        }
        generics
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
        if let Some((_, help)) = OUTSIDE.iter().find(|(outside, _)| *outside == name) {
            return self.reject(at, format!("`{name}` is not supported"), *help);
        }
        let help = if let Some(row) = METHODS.iter().find(|row| row.name == name) {
            let words = row.class.words();
            match row.class {
                Class::Float if *ty != Type::Char && own != Leaf::Bool => {
                    "it is a method of floats: convert with `as f32`".to_string()
                }
                Class::Half => format!("it is a method of {words}: convert with `as`"),
                _ if own.is_float() => "it is a method of integers: convert with `as`".to_string(),
                _ if *ty == Type::Char => {
                    format!("it is a method of {words}: convert with `as u32`")
                }
                _ => format!("it is a method of {words}"),
            }
        } else if super::options::is_method(name) {
            "the value is no `Option`: an element that may be missing is `xs.get(i)`".to_string()
        } else if name == "relu" {
            "write `max(0.0)`".to_string()
        } else if matches!(name, "replicate" | "broadcast_to") {
            "write `fill(shape, value)` to repeat one value".to_string()
        } else if super::operations_table::is_operation(name) {
            "it is an operation on arrays".to_string()
        } else {
            let names = METHODS.iter().filter(|row| has(row.class, ty, own));
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
        if let Some(row) = find(FUNCTIONS, name, ty, own) {
            if args.len() != row.arguments.len() {
                return self.wrong_count(name, row.arguments.len(), args.len(), at);
            }
            if row.name.ends_with("_unchecked") && !self.in_unsafe {
                return self.reject(
                    at,
                    format!("`{name}` is unsafe"),
                    "write it in `unsafe { .. }`, or use `char::from_u32`",
                );
            }
            let operands = self.operands(row, args, ty, own);
            return self.number_call(row, operands, ty, own, at);
        }
        match (name, args) {
            ("from", [value]) => {
                let value = self.infer(value);
                let value = self.operand(value);
                let from = self.vars.shallow(&value.ty);
                if self.vars.kind(&from).is_some() && self.vars.unify(&from, ty) {
                    return value;
                }
                let fits = |leaf: Leaf| match (&from, ty) {
                    (Type::Char, Type::Char) => true,
                    (from, ty) if from.is_wide() => from == ty,
                    (Type::Char, Type::I128) => false,
                    (_, Type::I128) => !leaf.is_float(),
                    (Type::Char, _) => matches!(own, Leaf::U32 | Leaf::U64),
                    (_, Type::Char) => leaf == Leaf::U8,
                    _ => lossless(leaf, own),
                };
                match leaf(&from) {
                    Some(leaf) if fits(leaf) => {
                        expr(ExprKind::Cast(Box::new(value)), ty.clone(), at)
                    }
                    None if from == POISON => self.poison(at),
                    _ => {
                        let (have, want) = (self.show(&from), self.show(ty));
                        self.reject(
                            at,
                            format!("{want} cannot hold every {have}"),
                            format!("convert with `as {}`", want.trim_matches('`')),
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

impl Row {
    /// Whether its types depend on the width of the receiver's, which a literal's default does not tell.
    fn asks_for_width(&self) -> bool {
        let sized = |argument: &Argument| {
            !matches!(
                argument,
                Argument::Own | Argument::U32 | Argument::I32 | Argument::Bool
            )
        };
        matches!(
            self.output,
            Output::Bits | Output::Unsigned | Output::Other | Output::OptionOther | Output::Bytes
        ) || self.arguments.iter().any(sized)
    }
}

fn has(class: Class, ty: &Type, own: Leaf) -> bool {
    match ty {
        Type::Char => matches!(class, Class::Char | Class::Ascii),
        _ => class.has(own),
    }
}

fn find(rows: &'static [Row], name: &str, ty: &Type, own: Leaf) -> Option<&'static Row> {
    (rows.iter()).find(|row| row.name == name && has(row.class, ty, own))
}

/// The integer of the same width and the other sign.
fn other(ty: &Type, own: Leaf) -> Type {
    match ty {
        Type::Usize => Type::Isize,
        Type::Isize => Type::Usize,
        Type::U128 => Type::I128,
        Type::I128 => Type::U128,
        _ => Type::Leaf(match own {
            Leaf::U8 => Leaf::I8,
            Leaf::U16 => Leaf::I16,
            Leaf::U32 => Leaf::I32,
            Leaf::U64 => Leaf::I64,
            signed => unsigned(signed),
        }),
    }
}

/// The unsigned integer of the same width.
fn unsigned_type(ty: &Type, own: Leaf) -> Type {
    match ty {
        Type::Usize | Type::Isize => Type::Usize,
        Type::U128 | Type::I128 => Type::U128,
        _ => Type::Leaf(unsigned(own)),
    }
}

/// The bytes of a number.
fn bytes(ty: &Type, own: Leaf) -> Type {
    let count = if ty.is_wide() { 16 } else { own.bytes() };
    Type::Fixed(Box::new(Type::Leaf(Leaf::U8)), count)
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
        Leaf::Bf16 => 8,
        Leaf::F16 => 11,
        Leaf::F32 => 24,
        Leaf::F64 => 53,
        leaf => leaf.bits() - u32::from(leaf.is_signed()),
    };
    if from == to {
        return true;
    }
    match (from.is_float(), to.is_float()) {
        (true, false) => false,
        // Its exponents reach further.
        (true, true) if from == Leaf::Bf16 => to != Leaf::F16,
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
    "RADIX",
    "MAX_EXP",
    "MIN_EXP",
    "MAX_10_EXP",
    "MIN_10_EXP",
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

/// The value of a constant of `char`.
pub(super) fn constant_of_char(name: &str) -> Option<Scalar> {
    let value = match name {
        "MIN" => '\0',
        "MAX" => char::MAX,
        "REPLACEMENT_CHARACTER" => char::REPLACEMENT_CHARACTER,
        _ => return None,
    };
    Some(Scalar::wrapped(Leaf::U32, u64::from(u32::from(value))))
}

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
            "INFINITY" => (f32::INFINITY, f64::INFINITY),
            "NEG_INFINITY" => (f32::NEG_INFINITY, f64::NEG_INFINITY),
            "NAN" => (f32::NAN, f64::NAN),
            "RADIX" => return u32_value(f64::RADIX),
            "ZERO" if leaf.is_half() => (0.0, 0.0),
            "ONE" if leaf.is_half() => (1.0, 1.0),
            "NEG_ZERO" if leaf.is_half() => (-0.0, -0.0),
            "NEG_ONE" if leaf.is_half() => (-1.0, -1.0),
            name => return Limits::of(leaf).constant(leaf, name),
        }
    };
    Some(match leaf {
        Leaf::F32 => Scalar::f32(single),
        leaf => Scalar::float(leaf, double),
    })
}

/// What Rust's constants say of a format of floats.
struct Limits {
    /// In the order of the values that they are: `MIN_POSITIVE`, `EPSILON`, `MAX`.
    values: [f64; 3],
    digits: [u32; 2],
    /// `MIN_EXP`, `MAX_EXP`, and as powers of ten.
    exponents: [i32; 4],
}

impl Limits {
    fn of(leaf: Leaf) -> Limits {
        macro_rules! limits {
            ($ty:ident) => {
                Limits {
                    values: [$ty::MIN_POSITIVE, $ty::EPSILON, $ty::MAX].map(f64::from),
                    digits: [$ty::DIGITS, $ty::MANTISSA_DIGITS],
                    exponents: [$ty::MIN_EXP, $ty::MAX_EXP, $ty::MIN_10_EXP, $ty::MAX_10_EXP],
                }
            };
        }
        // As the crate `half` has them.
        match leaf {
            Leaf::F16 => Limits {
                values: [f64::powi(2.0, -14), f64::powi(2.0, -10), 65504.0],
                digits: [3, 11],
                exponents: [-13, 16, -4, 4],
            },
            Leaf::Bf16 => Limits {
                values: [
                    f64::from(f32::MIN_POSITIVE),
                    f64::powi(2.0, -7),
                    f64::from(f32::from_bits(0x7f7f_0000)),
                ],
                digits: [2, 8],
                exponents: [-125, 128, -37, 38],
            },
            Leaf::F32 => limits!(f32),
            _ => limits!(f64),
        }
    }

    fn constant(&self, leaf: Leaf, name: &str) -> Option<Scalar> {
        let [least, epsilon, most] = self.values;
        let digits = |k: usize| Some(Scalar::number(Leaf::U32, self.digits[k].into()));
        let exponent = |k: usize| Some(Scalar::number(Leaf::I32, self.exponents[k].into()));
        match name {
            "MAX" => Some(Scalar::float(leaf, most)),
            "MIN" => Some(Scalar::float(leaf, -most)),
            "EPSILON" => Some(Scalar::float(leaf, epsilon)),
            "MIN_POSITIVE" => Some(Scalar::float(leaf, least)),
            "DIGITS" => digits(0),
            "MANTISSA_DIGITS" => digits(1),
            "MIN_EXP" => exponent(0),
            "MAX_EXP" => exponent(1),
            "MIN_10_EXP" => exponent(2),
            "MAX_10_EXP" => exponent(3),
            _ => None,
        }
    }
}
