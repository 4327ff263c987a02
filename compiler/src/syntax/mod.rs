//! The language as written: the tokens of a block in, its items out.
//!
//! Bodies stay as syn's expressions, `check` reads them. Items outside the language are reported here, each at its
//! own token; what is left can be checked even if its neighbours could not be parsed.

mod attributes;
mod bundles;
mod declarations;
mod fields;
mod functions;
mod impls;
mod imports;
mod instances;
mod items;
pub(crate) mod locals;
mod methods;
mod others;
mod outside;
mod wide;

use crate::diag::Errors;
use crate::sorted::{SortedMap, SortedSet};
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use std::ops::Deref;
use syn::parse::Parser;

/// A block as written.
#[derive(Default)]
pub struct Block {
    /// Functions in source order.
    pub functions: Vec<Function>,
    /// Structs.
    pub structs: Vec<Declared<syn::ItemStruct>>,
    /// What items of functions and of other blocks see around them, by their names in the program.
    pub scopes: SortedMap<String, Scope>,
    /// What `use` names: see `imports`.
    pub imports: Scope,
    /// The items of other blocks among them, to be looked for.
    requests: Vec<imports::Request>,
    /// The places that items of other blocks have here: those of the `use`s.
    pub places: Vec<Span>,
    /// Of another block: where its items come from.
    origin: Option<others::Origin>,
    /// Enums.
    pub enums: Vec<Declared<syn::ItemEnum>>,
    /// Constants.
    pub constants: Vec<Declared<syn::ItemConst>>,
    /// The functions that operators stand for.
    pub operators: Vec<Operator>,
    /// The methods of Rust's numbers and characters among its functions, by their names.
    pub methods: SortedMap<String, usize>,
    /// Whether it mentions integers of 128 bits.
    pub wide: bool,
    /// Type aliases.
    pub aliases: Vec<Declared<syn::ItemType>>,
    /// Public functions whose body cannot be parsed.
    pub failed: Vec<Host>,
    /// The names of items that have been refused: their uses are no further errors.
    pub refused: SortedSet<String>,
}

/// Items of functions and of other blocks: their names as written, and as the program knows them.
pub type Scope = SortedMap<String, String>;

/// An item that is no function.
pub struct Declared<T> {
    /// Its name in the program: `Point`, in a function `f::Point`, in an `impl` `Point::ORIGIN`, of another block
    /// `crate::shapes::Point`.
    pub known: String,
    /// Where it stands.
    pub home: Home,
    /// As written.
    pub item: T,
}

impl<T> Deref for Declared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.item
    }
}

/// An operator of the block's own types: a function of an `impl` of Rust's trait.
pub struct Operator {
    /// The trait's method: `add`, `neg`.
    pub method: String,
    /// The types of its operands, one or two.
    pub operands: Vec<syn::Type>,
    /// Its position in [`Block::functions`].
    pub function: usize,
}

/// A function as written.
pub struct Function {
    /// Its name.
    pub name: syn::Ident,
    /// The type whose `impl` it stands in, or the function; `None` too for operators, which have no name to call.
    pub owner: Option<String>,
    /// Its name in the block: `f`, `Point::norm`, and of one in a function `f::g`.
    pub known: String,
    /// The items of functions around it.
    pub scope: Scope,
    /// Whether it is called by its name.
    pub named: bool,
    /// Whether it is a method of Rust's.
    pub of_rust: bool,
    /// Whether it stands in another block.
    pub imported: bool,
    /// What the host sees.
    pub host: Host,
    /// Of an `impl`, if the host may see it.
    pub method: Option<Method>,
    /// Every attribute.
    pub attributes: Vec<syn::Attribute>,
    /// Type and rank parameters.
    pub generics: syn::Generics,
    /// Of an instance for the host: what its type parameters are.
    pub instance: Vec<(String, syn::Type)>,
    /// Parameters with their types.
    pub parameters: Vec<Parameter>,
    /// The result type.
    pub output: syn::ReturnType,
    /// The body.
    pub body: syn::Expr,
}

/// A function of an `impl`, for the host.
#[derive(Clone)]
pub struct Method {
    /// The type whose `impl` it stands in.
    pub owner: syn::Type,
    /// The trait, if it is an operator: `Add`.
    pub operator: Option<&'static str>,
    /// As written; an operator has none.
    pub visibility: syn::Visibility,
    /// Documentation and the like.
    pub attributes: Vec<syn::Attribute>,
    /// As written, with the type in place of `Self`.
    pub signature: syn::Signature,
}

/// A parameter as written.
pub struct Parameter {
    /// Its pattern.
    pub pattern: syn::Pat,
    /// Its type, if written.
    pub ty: Option<syn::Type>,
}

pub use crate::typed::{Home, Host};
pub(crate) use bundles::bundles;
pub(crate) use functions::function_type;
pub use imports::{Module, Modules, imported_modules};
pub(crate) use wide::PREFIX as WIDE;

/// Parses the tokens of `accelerate! { .. }` or `accelerate!(device, |..| ..)`; errors are added to `errors`. `modules`: what it
/// imports from.
pub fn parse(mut tokens: TokenStream, modules: &Modules, errors: &mut Errors) -> Block {
    let mut block = written(tokens.clone(), errors);
    // What items of functions are called hides what is imported.
    let functions = block
        .functions
        .iter_mut()
        .map(|function| &mut function.scope);
    for scope in functions.chain(block.scopes.values_mut()) {
        let inner = std::mem::replace(scope, block.imports.clone());
        scope.extend(inner);
    }
    tokens.extend(others::add(&mut block, modules, errors));
    methods::add(tokens, &mut block, errors);
    block
}

fn written(tokens: TokenStream, errors: &mut Errors) -> Block {
    match tokens.clone().into_iter().next() {
        None => Block::default(),
        Some(TokenTree::Punct(punct)) if punct.as_char() == '#' => items::parse(tokens, errors),
        Some(TokenTree::Ident(ident)) if items::starts_item(&ident.to_string()) => {
            items::parse(tokens, errors)
        }
        Some(first) => expression(tokens, first.span(), errors),
    }
}

/// `device, |xs: &Vector<f32>| -> f32 { .. }`
fn expression(tokens: TokenStream, first: Span, errors: &mut Errors) -> Block {
    let parser = |input: syn::parse::ParseStream| {
        let device: syn::Expr = input.parse()?;
        if input.is_empty() {
            return Err(syn::Error::new(
                first,
                "expected functions, or `device, |xs: &Vector<f32>| -> f32 { .. }`",
            ));
        }
        input.parse::<syn::Token![,]>()?;
        let closure: syn::Expr = input.parse()?;
        input.parse::<Option<syn::Token![,]>>()?;
        match closure {
            syn::Expr::Closure(closure) => Ok((device, closure)),
            other => Err(syn::Error::new(
                span(&other),
                "expected a closure over the variables that the program reads",
            )),
        }
    };
    let (device, closure) = match parser.parse2(tokens) {
        Ok(parts) => parts,
        Err(error) => {
            report(&error, errors);
            return Block::default();
        }
    };
    let parameters = closure.inputs.into_iter().map(|pattern| match pattern {
        syn::Pat::Type(typed) => Parameter {
            pattern: *typed.pat,
            ty: Some(*typed.ty),
        },
        pattern => Parameter { pattern, ty: None },
    });
    let mut block = Block::default();
    let mut body = *closure.body;
    if let syn::Expr::Block(body) = &mut body {
        let scope = Scope::new();
        declarations::add_locals(&mut body.block, "expression", &scope, &mut block, errors);
    }
    block.functions.push(Function {
        name: syn::Ident::new("expression", first),
        owner: None,
        known: "expression".to_owned(),
        scope: Scope::new(),
        named: true,
        of_rust: false,
        imported: false,
        host: Host::Expression {
            device: Box::new(device),
        },
        method: None,
        attributes: closure.attrs,
        generics: syn::Generics::default(),
        instance: Vec::new(),
        parameters: parameters.collect(),
        output: closure.output,
        body,
    });
    block
}

/// The name of a type without its arguments.
fn base(owner: &syn::Type) -> TokenStream {
    match owner {
        syn::Type::Path(path) => match path.path.segments.last() {
            Some(last) => last.ident.to_token_stream(),
            None => TokenStream::new(),
        },
        owner => owner.to_token_stream(),
    }
}

/// The identifiers in some tokens.
pub(crate) fn words(tokens: TokenStream) -> Vec<String> {
    fn take(tokens: TokenStream, out: &mut Vec<String>) {
        for token in tokens {
            match token {
                TokenTree::Ident(word) => out.push(word.to_string()),
                TokenTree::Group(group) => take(group.stream(), out),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
    let mut out = Vec::new();
    take(tokens, &mut out);
    out
}

/// Syn's errors in our words: lower case, no full stop.
pub(crate) fn report(error: &syn::Error, errors: &mut Errors) {
    for error in error.clone() {
        errors.error(error.span(), error.to_string(), "");
    }
}

/// The first token of a piece of syntax, joined with its last where the compiler allows it.
pub(crate) fn span(node: &impl quote::ToTokens) -> Span {
    let mut tokens = node.to_token_stream().into_iter();
    let Some(first) = tokens.next() else {
        return Span::call_site();
    };
    let first = first.span();
    match tokens.last() {
        Some(last) => first.join(last.span()).unwrap_or(first),
        None => first,
    }
}
