//! Functions: signatures, instances of generic helpers, and the order in which all are checked.

use super::consts;
use super::infer::POISON;
use super::{Checker, Context, Generics, HALVES};
use crate::diag::Diagnostic;
use crate::syntax::{self, span};
use crate::typed::{self, Expr, ExprKind, Host, Parameter, Stmt, Type};
use proc_macro2::Span;

/// Functions with their types, each once; calls name them by position.
#[derive(Default)]
pub(super) struct Instances {
    list: Vec<Instance>,
}

struct Instance {
    template: usize,
    generics: Generics,
    /// How many calls lead here from a function without generics.
    nesting: usize,
    function: Option<typed::Function>,
    calls: Vec<(usize, Span)>,
    /// Whether only the host may want it: there is none if it has errors.
    for_host: bool,
}

/// Generic helpers that instantiate each other deeper than this never end.
const DEEPEST: usize = 64;

impl Instances {
    fn request(&mut self, template: usize, generics: Generics, nesting: usize) -> usize {
        let known = |i: &Instance| i.template == template && i.generics == generics;
        if let Some(position) = self.list.iter().position(known) {
            return position;
        }
        self.list.push(Instance {
            template,
            generics,
            nesting,
            function: None,
            calls: Vec::new(),
            for_host: false,
        });
        self.list.len() - 1
    }
}

/// Checks every function; gives the whole ones, and the public ones with errors.
pub(super) fn check_all(cx: &Context) -> (Vec<typed::Function>, Vec<Host>) {
    consts::check_all(&mut Checker::new(cx, Generics::default()));
    for (position, function) in cx.syntax.functions.iter().enumerate() {
        if !function.instance.is_empty() {
            let mut checker = Checker::new(cx, Generics::default());
            let generics = checker.instance(function);
            let at = function
                .instance
                .first()
                .map_or(function.name.span(), |(_, ty)| span(ty));
            if !checker.failed && checker.check_bounds(function, &generics, at) {
                cx.instances.borrow_mut().request(position, generics, 0);
            }
        } else if is_generic(function) {
            let mut checker = Checker::new(cx, Generics::default());
            let helper = matches!(function.host, Host::Helper);
            checker.attributes(&function.attributes, helper);
            checker.check_generics(function);
        } else {
            let mut instances = cx.instances.borrow_mut();
            instances.request(position, Generics::default(), 0);
        }
    }
    let mut next = 0;
    loop {
        let count = cx.instances.borrow().list.len();
        if next == count {
            request_methods(cx);
            if cx.instances.borrow().list.len() == count {
                break;
            }
        }
        let instances = cx.instances.borrow();
        let instance = &instances.list[next];
        let (template, generics) = (instance.template, instance.generics.clone());
        let (nesting, for_host) = (instance.nesting, instance.for_host);
        drop(instances);
        let reported = cx.diagnostics.borrow().len();
        let mut checker = Checker::new(cx, generics);
        let (function, calls) = checker.function(&cx.syntax.functions[template], nesting);
        if for_host && function.is_none() {
            cx.diagnostics.borrow_mut().truncate(reported);
        }
        let mut instances = cx.instances.borrow_mut();
        instances.list[next].function = function;
        instances.list[next].calls = calls;
        next += 1;
    }
    let mut list = std::mem::take(&mut cx.instances.borrow_mut().list);
    refuse_recursion(cx, &mut list);
    whole(cx, list)
}

/// Asks for the methods of generic types with the arguments that public signatures name.
fn request_methods(cx: &Context) {
    let mut instances = cx.instances.borrow_mut();
    let functions = instances
        .list
        .iter()
        .filter_map(|one| one.function.as_ref());
    let public = functions.filter(|function| !matches!(function.host, Host::Helper));
    let types = public.flat_map(|function| {
        let parameters = function.parameters.iter().map(|parameter| &parameter.ty);
        parameters.chain([&function.result])
    });
    let types: Vec<Type> = types.cloned().collect();
    for (position, generics) in cx.methods_of(&types) {
        let before = instances.list.len();
        let at = instances.request(position, generics, 0);
        instances.list[at].for_host |= at == before;
    }
}

/// Reports calls that lead back to their caller.
fn refuse_recursion(cx: &Context, list: &mut [Instance]) {
    let reach = |from: usize, to: usize| {
        let mut seen = vec![false; list.len()];
        let mut stack = vec![from];
        while let Some(at) = stack.pop() {
            if at == to {
                return true;
            }
            if !std::mem::replace(&mut seen[at], true) {
                stack.extend(list[at].calls.iter().map(|(callee, _)| *callee));
            }
        }
        false
    };
    let mut circular = Vec::new();
    for (caller, instance) in list.iter().enumerate() {
        for (callee, at) in &instance.calls {
            if reach(*callee, caller) {
                circular.push((caller, *at));
            }
        }
    }
    for (caller, at) in circular {
        cx.report(recursion(at));
        list[caller].function = None;
    }
}

fn recursion(at: Span) -> Diagnostic {
    Diagnostic::new(at, "recursion is not supported in `accelerate!`").help("write a `while` loop")
}

/// Leaves out functions with errors and those that call them, and numbers the rest anew.
fn whole(cx: &Context, mut list: Vec<Instance>) -> (Vec<typed::Function>, Vec<Host>) {
    let mut good: Vec<bool> = list.iter().map(|i| i.function.is_some()).collect();
    loop {
        let before = good.clone();
        for (position, instance) in list.iter().enumerate() {
            good[position] &= instance.calls.iter().all(|(callee, _)| before[*callee]);
        }
        if good == before {
            break;
        }
    }
    let mut numbers = vec![0; list.len()];
    let mut count = 0;
    for (position, good) in good.iter().enumerate() {
        numbers[position] = count;
        count += usize::from(*good);
    }
    let mut functions = Vec::new();
    let mut failed: Vec<Host> = cx.syntax.failed.to_vec();
    let mut seen = vec![false; cx.syntax.functions.len()];
    for (position, instance) in list.iter_mut().enumerate() {
        seen[instance.template] = true;
        match instance.function.take() {
            Some(mut function) if good[position] => {
                renumber(&mut function.body, &numbers);
                functions.push(function);
            }
            _ => failed.push(cx.syntax.functions[instance.template].host.clone()),
        }
    }
    for (function, seen) in cx.syntax.functions.iter().zip(seen) {
        if !seen {
            failed.push(function.host.clone());
        }
    }
    failed.retain(|host| !matches!(host, Host::Helper));
    (functions, failed)
}

fn renumber(body: &mut Expr, numbers: &[usize]) {
    if let ExprKind::Call(callee, _) = &mut body.kind {
        *callee = numbers[*callee];
    }
    body.for_each_child(&mut |child| renumber(child, numbers));
}

/// Whether it stands for functions of any types.
fn is_generic(function: &syntax::Function) -> bool {
    let lifetime = |p: &syn::GenericParam| matches!(p, syn::GenericParam::Lifetime(_));
    !function.generics.params.iter().all(lifetime)
}

impl Checker<'_> {
    fn function(
        &mut self,
        function: &syntax::Function,
        nesting: usize,
    ) -> (Option<typed::Function>, Vec<(usize, Span)>) {
        self.items.clone_from(&function.scope);
        self.of_rust = function.of_rust;
        let helper = matches!(function.host, Host::Helper);
        let attributes = self.attributes(&function.attributes, helper);
        self.attributes_within(&function.body);
        let mut parameters = Vec::new();
        for parameter in &function.parameters {
            let host = !matches!(function.host, Host::Helper);
            parameters.extend(self.parameter(parameter, host));
        }
        self.unique_parameters(&parameters);
        let result = self.output(function);
        self.result = result.clone();
        let mut body = self.check(&function.body, &result);
        self.finish_function(&mut body);
        let own = parameters.iter().map(|parameter| &parameter.ty);
        let broken = own.chain([&result]).any(|ty| self.is_of_errors(ty));
        self.failed |= broken;
        if let (Some(at), false) = (attributes.export, self.failed) {
            self.exported(at, function, &parameters, &result);
        }
        if let (Some(foreign), false) = (&attributes.foreign, self.failed) {
            self.foreign_function(function, foreign, &parameters, &result);
        }
        self.check_moves(&mut body);
        self.bind_leaving(&mut body);
        let calls = self.instantiate(&mut body, nesting);
        let method = self.method_of_host(function, &parameters, &result);
        if self.failed {
            return (None, calls);
        }
        let function = typed::Function {
            name: function.name.clone(),
            host: function.host.clone(),
            method,
            fails_at_call: function.of_rust || function.imported,
            attributes,
            parameters,
            result,
            body,
            locals: self.locals.len() as u32,
        };
        (Some(function), calls)
    }

    fn output(&mut self, function: &syntax::Function) -> Type {
        let expression = matches!(function.host, Host::Expression { .. });
        if let (true, syn::ReturnType::Default) = (expression, &function.output) {
            self.error(
                span(&function.body),
                "the result type of the program is missing",
                "write it before the body: `|xs: &Vector<f32>| -> f32 { .. }`",
            );
            return POISON;
        }
        let result = match &function.output {
            syn::ReturnType::Default => super::unit(),
            syn::ReturnType::Type(_, ty) if matches!(**ty, syn::Type::Never(_)) => Type::Never,
            syn::ReturnType::Type(_, ty) => self.item_type(ty),
        };
        if let syn::ReturnType::Type(_, ty) = &function.output
            && let syn::Type::Reference(reference) = &**ty
        {
            self.error(
                reference.and_token.span,
                "a function cannot return a reference",
                "return the value",
            );
        }
        let host = !matches!(function.host, Host::Helper);
        if let (true, Some(wide)) = (host, self.cx.wide_in(&result)) {
            let shown = self.show(&wide);
            let at = match &function.output {
                syn::ReturnType::Type(_, ty) => span(&**ty),
                syn::ReturnType::Default => function.name.span(),
            };
            self.error(at, format!("a program cannot return {shown}"), HALVES);
        } else if host && !is_host_type(&result) {
            let shown = self.show(&result);
            self.error(
                span(&function.output),
                format!("a program cannot return {shown}"),
                "return an array, a scalar, or a tuple of these",
            );
        } else if host {
            self.readable_by_host(&result, span(&function.output));
        }
        result
    }

    fn parameter(&mut self, parameter: &syntax::Parameter, host: bool) -> Option<Parameter> {
        let syn::Pat::Ident(pattern) = &parameter.pattern else {
            self.error(
                span(&parameter.pattern),
                "a pattern as a parameter of a public function is not supported yet",
                "name the parameter and write `let` in the body",
            );
            self.pattern(&parameter.pattern, &POISON);
            return None;
        };
        let name = pattern.ident.to_string();
        let at = pattern.ident.span();
        let Some(written) = &parameter.ty else {
            self.error(
                at,
                format!("the parameter `{name}` needs its type here"),
                format!("write `|{name}: &Vector<f32>|`"),
            );
            self.bind(&name, POISON, pattern.mutability.is_some(), at);
            return None;
        };
        let ty = self.parameter_type(written);
        let local = self.bind(&name, ty.clone(), pattern.mutability.is_some(), at);
        if let (true, Some(wide)) = (host, self.cx.wide_in(&ty)) {
            let shown = self.show(&wide);
            self.error(
                span(written),
                format!("a program cannot take {shown}"),
                "take two `u64`, and put them together: `(high as u128) << 64 | low as u128`",
            );
        } else if host && !is_host_type(&ty) {
            let shown = self.show(&ty);
            let (message, help) = match ty {
                Type::Function(..) => (
                    "a public function cannot take a function".to_string(),
                    "leave out `pub`, and call it from a public function for each",
                ),
                _ => (
                    format!("a program cannot take {shown}"),
                    "take an array, a scalar, or a tuple of these",
                ),
            };
            self.error(span(written), message, help);
        } else if host {
            self.readable_by_host(&ty, span(written));
        }
        let by_reference = matches!(written, syn::Type::Reference(_));
        if let (true, Some(at)) = (host && ty.has_array(), inner_reference(written)) {
            self.error(
                at,
                "a reference inside a parameter's type is not supported",
                format!("write it before the type: `{name}: &(..)`"),
            );
        }
        Some(Parameter {
            name,
            local,
            consumed: !by_reference && ty.has_array(),
            ty,
            span: at,
        })
    }

    fn unique_parameters(&mut self, parameters: &[Parameter]) {
        for (position, parameter) in parameters.iter().enumerate() {
            if parameters[..position]
                .iter()
                .any(|p| p.name == parameter.name)
            {
                self.error(
                    parameter.span,
                    format!("the parameter `{}` is named twice", parameter.name),
                    "give it another name",
                );
            }
        }
    }

    /// Gives each call its instance. The instances' numbers replace those of the call sites.
    fn instantiate(&mut self, body: &mut Expr, nesting: usize) -> Vec<(usize, Span)> {
        let mut calls = Vec::new();
        self.instantiate_in(body, nesting, &mut calls);
        calls
    }

    fn instantiate_in(&mut self, at: &mut Expr, nesting: usize, calls: &mut Vec<(usize, Span)>) {
        self.wide_call(at);
        if let ExprKind::Call(site, _) = &mut at.kind
            && let Some(mut call) = self.calls.get(*site).cloned()
        {
            let mut known = true;
            for ty in call.generics.types.values_mut() {
                *ty = self.vars.resolve(ty);
                known &= !is_unknown(ty) && !self.has_unknown(ty);
            }
            self.wide_site(&mut call);
            let generics = call.generics;
            let function = &self.cx.syntax.functions[call.template];
            if known && self.check_bounds(function, &generics, call.span) {
                if nesting > DEEPEST {
                    self.cx.report(recursion(call.span));
                    self.failed = true;
                } else {
                    let nesting = if is_generic(function) { nesting + 1 } else { 0 };
                    let mut instances = self.cx.instances.borrow_mut();
                    *site = instances.request(call.template, generics, nesting);
                    calls.push((*site, call.span));
                }
            }
        }
        at.for_each_child(&mut |child| self.instantiate_in(child, nesting, calls));
    }
}

/// What a program can take from the host and give to it.
pub(super) fn is_host_type(ty: &Type) -> bool {
    match ty {
        ty if Checker::has_ordering(ty) => false,
        Type::Range(_)
        | Type::Never
        | Type::Closure
        | Type::Function(..)
        | Type::Window(..)
        | Type::Offsets(_)
        | Type::Nested { .. } => false,
        Type::Tuple(types) => types.iter().all(is_host_type),
        Type::Option(inner) => is_host_type(inner),
        Type::Leaf(_)
        | Type::Char
        | Type::Ordering
        | Type::Fixed(..)
        | Type::Usize
        | Type::Isize
        | Type::Struct(_)
        | Type::Bundle(_)
        | Type::Array(..)
        | Type::Segmented(_)
        | Type::Unknown(_) => true,
        // Reported with what to write instead.
        Type::I128 | Type::U128 => true,
    }
}

/// A `&` that does not stand before the whole type.
fn inner_reference(written: &syn::Type) -> Option<Span> {
    match written {
        syn::Type::Reference(reference) => inner_reference(&reference.elem),
        syn::Type::Tuple(tuple) => tuple.elems.iter().find_map(|ty| match ty {
            syn::Type::Reference(reference) => Some(reference.and_token.span),
            ty => inner_reference(ty),
        }),
        _ => None,
    }
}

fn is_unknown(ty: &Type) -> bool {
    match ty {
        Type::Unknown(_) => true,
        Type::Tuple(types) => types.iter().any(is_unknown),
        Type::Option(inner)
        | Type::Range(inner)
        | Type::Array(inner, _)
        | Type::Fixed(inner, _)
        | Type::Segmented(inner)
        | Type::Offsets(inner)
        | Type::Window(inner, _) => is_unknown(inner),
        Type::Nested { inner, .. } => is_unknown(inner),
        Type::Function(arguments, result) => arguments.iter().any(is_unknown) || is_unknown(result),
        _ => false,
    }
}

impl Expr {
    /// Calls `f` on each direct part, in order of evaluation.
    pub fn for_each_child(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        match &mut self.kind {
            ExprKind::Constant(_)
            | ExprKind::Local(_)
            | ExprKind::Option(None)
            | ExprKind::Break(_)
            | ExprKind::Continue(_)
            | ExprKind::Return(None) => {}
            ExprKind::Tuple(list)
            | ExprKind::Variant(_, list)
            | ExprKind::Math(_, list)
            | ExprKind::Number(_, list)
            | ExprKind::Call(_, list)
            | ExprKind::CallClosure(_, list)
            | ExprKind::Array(_, list)
            | ExprKind::Elementwise(_, list) => list.iter_mut().for_each(f),
            ExprKind::Field(one, _)
            | ExprKind::Option(Some(one))
            | ExprKind::Unary(_, one)
            | ExprKind::Cast(one)
            | ExprKind::Bitcast(one)
            | ExprKind::Return(Some(one))
            | ExprKind::Labelled(_, one)
            | ExprKind::Assign(_, one)
            | ExprKind::Assert(one, _) => f(one),
            ExprKind::Range(a, b)
            | ExprKind::Binary(_, a, b)
            | ExprKind::Lazy {
                left: a, right: b, ..
            }
            | ExprKind::Index(a, b)
            | ExprKind::While {
                condition: a,
                body: b,
                ..
            } => {
                f(a);
                f(b);
            }
            ExprKind::If(a, b, c) => {
                f(a);
                f(b);
                f(c);
            }
            ExprKind::Closure(closure) => f(&mut closure.body),
            ExprKind::Block(statements, tail) => {
                for statement in statements {
                    match statement {
                        Stmt::Let { value, .. } => value.iter_mut().for_each(&mut *f),
                        Stmt::Expr(value) => f(value),
                    }
                }
                tail.iter_mut().for_each(|tail| f(tail));
            }
            ExprKind::Match(scrutinee, arms) => {
                f(scrutinee);
                for arm in arms {
                    arm.guard.iter_mut().for_each(&mut *f);
                    f(&mut arm.body);
                }
            }
            ExprKind::For(it) => {
                f(&mut it.range.start);
                f(&mut it.range.end);
                it.range.steps.iter_mut().for_each(|step| f(&mut step.by));
                f(&mut it.body);
            }
        }
    }
}
