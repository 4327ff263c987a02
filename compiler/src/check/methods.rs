//! Methods and operators of the block's own structs and enums.

use super::comparisons::has_fields;
use super::infer::Kind;
use super::{CallSite, Checker, Context, expr};
use crate::scalar::{Binary, Unary};
use crate::typed::{ArrayOp, Closure, Elementwise, Expr, ExprKind, Pattern, Type};
use proc_macro2::Span;

impl Context<'_> {
    /// The operators with the types of their operands.
    pub(super) fn operator_types(&self) -> Vec<(String, Vec<Type>, usize)> {
        let list = self.syntax.operators.iter().map(|operator| {
            let function = &self.syntax.functions[operator.function];
            let names = function.generics.type_params();
            let names: Vec<String> = names.map(|name| name.ident.to_string()).collect();
            let mut checker = Checker::new(self, Context::placeholders(&names));
            checker.items.clone_from(&function.scope);
            let operands = operator.operands.iter();
            let types = operands.map(|ty| checker.written_type(ty)).collect();
            (operator.method.clone(), types, operator.function)
        });
        list.collect()
    }
}

impl Checker<'_> {
    /// The function `Owner::name`, also through an alias of the type.
    pub(super) fn associated(&mut self, owner: &str, name: &str) -> Option<usize> {
        let owner = match self.struct_of(owner) {
            Some(id) => self.cx.name(id).to_owned(),
            None => owner.to_string(),
        };
        let key = format!("{owner}::{name}");
        self.cx.functions.get(&key).copied()
    }

    /// `x.name(..)` of a struct or an enum.
    pub(super) fn own_method(
        &mut self,
        receiver: Expr,
        id: usize,
        name: &str,
        args: &[&syn::Expr],
        at: Span,
    ) -> Expr {
        let key = format!("{}::{name}", self.cx.name(id));
        if let Some(template) = self.cx.functions.get(&key).copied() {
            let first = &self.cx.syntax.functions[template].parameters.first();
            let takes_self = first.is_some_and(
                |first| matches!(&first.pattern, syn::Pat::Ident(p) if p.ident == "self"),
            );
            if takes_self {
                return self.call_function(template, Some(receiver), args, None, None, at);
            }
            return self.reject(
                at,
                format!("`{name}` takes no `self`"),
                format!("write `{key}(..)`"),
            );
        }
        // `a.add(b)`: the operator by its method.
        let operands = 1 + args.len();
        let methods = self.cx.operators.iter();
        let known = methods
            .filter(|(method, types, _)| {
                method == name && self.is_of(&types[0], id) && types.len() == operands
            })
            .map(|(_, _, function)| *function)
            .collect::<Vec<_>>();
        if let [template] = known[..] {
            return self.call_function(template, Some(receiver), args, None, None, at);
        }
        for arg in args {
            self.argument_for_errors(arg);
        }
        let own = format!("{}::", self.cx.name(id));
        let names: Vec<String> = self
            .cx
            .functions
            .keys()
            .filter_map(|key| key.strip_prefix(&own).map(str::to_owned))
            .collect();
        let mut help = super::suggest::did_you_mean(name, names.iter().map(String::as_str));
        if help.is_empty() {
            help = in_impl(self.cx.name(id));
        }
        let shown = self.show(&receiver.ty);
        self.reject(at, format!("no method `{name}` on {shown}"), help)
    }

    /// Whether a type is this struct, whatever its arguments are.
    fn is_of(&self, ty: &Type, id: usize) -> bool {
        match ty {
            Type::Struct(other) | Type::Bundle(other) => {
                self.cx.template(*other) == self.cx.template(id)
            }
            _ => false,
        }
    }

    /// The type of an operator on a type of the block; `None` if no operand is one.
    pub(super) fn own_operator(&mut self, op: Binary, left: &Type, right: &Type) -> Option<Type> {
        let method = binary_method(op)?;
        let (left, left_rank) = self.element_and_rank(left);
        let (right, right_rank) = self.element_and_rank(right);
        let (left, right) = (&left, &right);
        let rank = match (left_rank, right_rank) {
            (Some(a), Some(b)) if a != b => return None,
            (a, b) => a.or(b),
        };
        let own = |ty: &Type| matches!(ty, Type::Struct(_) | Type::Bundle(_));
        if !own(left) && !own(right) {
            return None;
        }
        let fits = |cx: &Self, have: &Type, want: &Type| match cx.vars.kind(have) {
            Some(Kind::Any) => true,
            Some(Kind::Integer) => super::infer::is_integer(want),
            Some(Kind::Float) => super::infer::leaf(want).is_some_and(|leaf| leaf.is_float()),
            None => have == want,
        };
        let mut found = Vec::new();
        for (name, types, function) in &self.cx.operators {
            let [first, second] = &types[..] else {
                continue;
            };
            let fits = match self.is_generic(*function) {
                true => self.unifies(types, *function, &[left, right]),
                false => fits(self, left, first) && fits(self, right, second),
            };
            if name == method && fits {
                found.push((types, *function));
            }
        }
        let [(types, function)] = found[..] else {
            return None;
        };
        let (types, generics) = self.opened(types, function);
        self.vars.unify(left, &types[0]);
        self.vars.unify(right, &types[1]);
        let result = self.output_of(function, generics);
        Some(match rank {
            Some(rank) => Type::Array(Box::new(result), rank),
            None => result,
        })
    }

    fn is_generic(&self, function: usize) -> bool {
        let generics = &self.cx.syntax.functions[function].generics;
        generics.type_params().next().is_some()
    }

    /// Whether operands can have the types of a generic operator. Nothing is decided by that.
    fn unifies(&mut self, types: &[Type], function: usize, operands: &[&Type]) -> bool {
        let before = self.vars.clone();
        let (types, _) = self.opened(types, function);
        let fits = types.len() == operands.len()
            && !types.iter().any(|ty| self.is_of_errors(ty))
            && (types.iter().zip(operands)).all(|(ty, operand)| self.vars.unify(ty, operand));
        self.vars = before;
        fits
    }

    fn output_of(&mut self, function: usize, generics: super::Generics) -> Type {
        let function = &self.cx.syntax.functions[function];
        self.callees_type(function, &generics, |cx| {
            cx.written_output(&function.output)
        })
    }

    /// An array's element type and rank; another type as it is.
    fn element_and_rank(&self, ty: &Type) -> (Type, Option<usize>) {
        match self.vars.shallow(ty) {
            Type::Array(element, rank) => (self.vars.shallow(&element), Some(rank)),
            ty => (ty, None),
        }
    }

    /// An operator on arrays of what has fields, as the `zip_with` or `map` that it abbreviates.
    pub(super) fn operator_on_arrays(
        &mut self,
        op: Elementwise,
        args: &[Expr],
        ty: &Type,
        at: Span,
    ) -> Option<ExprKind> {
        let elements: Vec<Type> = args
            .iter()
            .map(|arg| self.element_and_rank(&arg.ty).0)
            .collect();
        let method = match op {
            Elementwise::Unary(op) => unary_method(op),
            Elementwise::Binary { op, .. } => binary_method(op),
        };
        let function = match method {
            Some(method) => {
                Some(self.operator_function(method, &elements.iter().collect::<Vec<_>>())?)
            }
            // Comparisons of what has fields.
            None if elements.iter().all(|ty| has_fields(ty) && !ty.has_array()) => None,
            None => return None,
        };
        let (mut statements, mut arrays, mut operands) = (Vec::new(), Vec::new(), Vec::new());
        let mut parameters = Vec::new();
        for (arg, element) in args.iter().zip(elements) {
            let (statement, value) = self.saved(arg.clone());
            statements.push(statement);
            if !matches!(arg.ty, Type::Array(..)) {
                operands.push(value);
                continue;
            }
            arrays.push(value);
            let local = self.fresh_local("element", at);
            let pattern = Pattern::Bind {
                local,
                name: "element".to_string(),
                ty: element.clone(),
                inner: None,
            };
            parameters.push((pattern, element.clone()));
            operands.push(expr(ExprKind::Local(local), element, at));
        }
        let result = self.element_and_rank(ty).0;
        let call = match function {
            Some(function) => self.operator_site(function, operands, at),
            None => self.scalar_operator(op, operands, at),
        };
        let closure = Closure {
            parameters,
            body: expr(call, result, at),
            span: at,
        };
        let closure = ExprKind::Closure(Box::new(closure));
        let op = match arrays.len() {
            1 => ArrayOp::Map,
            _ => ArrayOp::ZipWith,
        };
        arrays.push(expr(closure, Type::Closure, at));
        let array = self.array(op, arrays, ty.clone(), at);
        Some(ExprKind::Block(statements, Some(Box::new(array))))
    }

    /// The call that an operator on finished operands is, if it is one.
    pub(super) fn operator_call(
        &mut self,
        op: Binary,
        left: &Expr,
        right: &Expr,
        at: Span,
    ) -> Option<ExprKind> {
        let method = binary_method(op)?;
        let function = self.operator_function(method, &[&left.ty, &right.ty])?;
        Some(self.operator_site(function, vec![left.clone(), right.clone()], at))
    }

    /// The same of one operand.
    pub(super) fn unary_call(&mut self, op: Unary, operand: &Expr, at: Span) -> Option<ExprKind> {
        let function = self.operator_function(unary_method(op)?, &[&operand.ty])?;
        Some(self.operator_site(function, vec![operand.clone()], at))
    }

    /// The result type of `-x` or `!x` of a type of the block.
    pub(super) fn own_unary(&mut self, op: Unary, operand: &Type) -> Option<Type> {
        let (function, generics) = self.operator_function(unary_method(op)?, &[operand])?;
        Some(self.output_of(function, generics))
    }

    /// The function of an operator on these types, and what its parameters stand for.
    fn operator_function(
        &mut self,
        method: &str,
        operands: &[&Type],
    ) -> Option<(usize, super::Generics)> {
        for (name, types, function) in &self.cx.operators {
            let fits = name == method
                && match self.is_generic(*function) {
                    true => self.unifies(types, *function, operands),
                    false => types.iter().eq(operands.iter().copied()),
                };
            if fits {
                let (types, generics) = self.opened(types, *function);
                for (ty, operand) in types.iter().zip(operands) {
                    self.vars.unify(ty, operand);
                }
                return Some((*function, generics));
            }
        }
        None
    }

    fn operator_site(
        &mut self,
        (template, generics): (usize, super::Generics),
        operands: Vec<Expr>,
        span: Span,
    ) -> ExprKind {
        self.calls.push(CallSite {
            template,
            generics,
            span,
        });
        ExprKind::Call(self.calls.len() - 1, operands)
    }

    /// `Point::new(..)`, `Shape::Circle(r)`, `f32::max(a, b)`.
    pub(super) fn call_path(
        &mut self,
        owner: &str,
        name: &str,
        names: &[String],
        args: &[&syn::Expr],
        path: &syn::ExprPath,
        at: Span,
    ) -> Expr {
        if let Some(variant) = self.variant_of(names) {
            return self.variant_call(variant, args, at);
        }
        if let Some(template) = self.associated(owner, name) {
            return self.call_function(template, None, args, Some(path), None, at);
        }
        if let Some(value) = self.operator_path(owner, name, args, at) {
            return value;
        }
        if let Some(id) = self.struct_of(owner) {
            for arg in args {
                self.argument_for_errors(arg);
            }
            let strukt = self.cx.name(id).to_owned();
            let help = match self.enum_of(names) {
                Some(id) => self.variant_help(id),
                None => in_impl(&strukt),
            };
            return self.reject(at, format!("no function `{name}` of `{strukt}`"), help);
        }
        if owner == "Ordering"
            && let [receiver, rest @ ..] = args
        {
            let receiver = self.check(receiver, &Type::Ordering);
            return self.ordering_method(receiver, name, rest, at);
        }
        if owner == "Segmented" {
            return self.new_segmented(name, args, at);
        }
        if owner == "Offsets" {
            return self.offsets(name, args, at);
        }
        match self.number_type(owner) {
            Some(ty) => self.number_function(&ty, name, args, at),
            None => self.unknown_path_call(names, args, at),
        }
    }

    /// `Point::add(a, b)`, `Add::add(a, b)`: the operator by its path; `None` if it is something else.
    fn operator_path(
        &mut self,
        owner: &str,
        name: &str,
        args: &[&syn::Expr],
        at: Span,
    ) -> Option<Expr> {
        let (op, of) = operator_named(name, at)?;
        let known = owner == of || self.has_operator(owner, name);
        let [left, right] = args else {
            return None;
        };
        if !known {
            return None;
        }
        let (a, b) = (self.infer(left), self.infer(right));
        Some(self.operator(&op, a, b, left, right))
    }

    /// Whether a type of the block has an operator, by the name of its method.
    fn has_operator(&mut self, owner: &str, name: &str) -> bool {
        let Some(id) = self.struct_of(owner) else {
            return false;
        };
        let mut operators = self.cx.operators.iter();
        operators.any(|(method, types, _)| method == name && self.is_of(&types[0], id))
    }

    /// `Shape::Empty`, `Point::ORIGIN`; `None` if the owner is no type of the block.
    pub(super) fn path_value(&mut self, names: &[String], at: Span) -> Option<Expr> {
        let [.., owner, name] = names else {
            return None;
        };
        let Some(id) = self.struct_of(owner) else {
            return self.ordering_value(owner, name, at);
        };
        if let Some((id, variant)) = self.variant_of(names) {
            if self.cx.variants_of(id)[variant].fields.is_empty() {
                let kind = ExprKind::Variant(variant, Vec::new());
                return Some(expr(kind, Type::Struct(id), at));
            }
            return Some(self.reject(
                at,
                format!("the variant `{name}` has fields"),
                "give them: `(..)` or `{ .. }`",
            ));
        }
        let strukt = self.cx.name(id).to_owned();
        if let Some(value) = self.constant(&format!("{strukt}::{name}"), at) {
            return Some(value);
        }
        let help = match self.enum_of(names) {
            Some(id) => self.variant_help(id),
            None => String::new(),
        };
        Some(self.reject(at, format!("no `{name}` in `{strukt}`"), help))
    }
}

fn binary_method(op: Binary) -> Option<&'static str> {
    Some(match op {
        Binary::Add => "add",
        Binary::Sub => "sub",
        Binary::Mul => "mul",
        Binary::Div => "div",
        Binary::Rem => "rem",
        Binary::And => "bitand",
        Binary::Or => "bitor",
        Binary::Xor => "bitxor",
        Binary::Shl => "shl",
        Binary::Shr => "shr",
        _ => return None,
    })
}

/// The operator of a trait's method, and the trait.
fn operator_named(method: &str, at: Span) -> Option<(syn::BinOp, &'static str)> {
    use syn::BinOp as B;
    macro_rules! token {
        ($token:tt) => {
            syn::Token![$token](at)
        };
    }
    Some(match method {
        "add" => (B::Add(token!(+)), "Add"),
        "sub" => (B::Sub(token!(-)), "Sub"),
        "mul" => (B::Mul(token!(*)), "Mul"),
        "div" => (B::Div(token!(/)), "Div"),
        "rem" => (B::Rem(token!(%)), "Rem"),
        _ => return None,
    })
}

fn unary_method(op: Unary) -> Option<&'static str> {
    match op {
        Unary::Neg => Some("neg"),
        Unary::Not => Some("not"),
        _ => None,
    }
}

/// Where functions of a type stand that it does not have: in the block that it is of.
fn in_impl(name: &str) -> String {
    match name.rsplit_once("::") {
        Some((module, name)) if module.starts_with("crate") => {
            format!("write it in an `impl` of `{name}`, in the block of `{module}`")
        }
        _ => format!("write it in an `impl` of `{name}`"),
    }
}
