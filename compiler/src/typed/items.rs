//! Items of a block: types, constants, and how functions appear to the host.

use super::{Expr, Type};
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// A constant that the host sees.
pub struct Constant {
    /// Its name.
    pub name: syn::Ident,
    /// The type in whose `impl` it stands.
    pub owner: Option<usize>,
    /// As written.
    pub visibility: syn::Visibility,
    /// As written.
    pub attributes: Vec<syn::Attribute>,
    /// Evaluated: scalars, tuples, options and variants of these.
    pub value: Expr,
}

/// A struct or an enum of the block.
pub struct Struct {
    /// Its name.
    pub name: String,
    /// Where it stands.
    pub home: Home,
    /// Of a generic struct, what its parameters stand for.
    pub arguments: Vec<Type>,
    /// As written, to be emitted for the host too.
    pub item: TypeItem,
    /// Fields in order, of tuple structs `0`, `1`, ... An enum has its variant's number, then slots that variants share.
    pub fields: Vec<(String, Type)>,
    /// Of an enum.
    pub variants: Vec<Variant>,
}

/// Where an item stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Home {
    /// In the block itself.
    Block,
    /// In a function: the host does not know it.
    Function,
    /// In another block: the path by which the host knows it, if it is public.
    Other(String),
}

impl Struct {
    /// What the host calls it.
    pub fn path(&self) -> TokenStream {
        match &self.home {
            Home::Other(path) => path.parse().unwrap_or_default(),
            Home::Block | Home::Function => self.item.ident().to_token_stream(),
        }
    }
}

/// The item that defines a type.
#[derive(Clone)]
#[expect(missing_docs, reason = "see the type")]
pub enum TypeItem {
    Struct(syn::ItemStruct),
    Enum(syn::ItemEnum),
}

impl TypeItem {
    /// The type's name, with its place.
    pub fn ident(&self) -> &syn::Ident {
        match self {
            TypeItem::Struct(item) => &item.ident,
            TypeItem::Enum(item) => &item.ident,
        }
    }

    /// As written.
    pub fn visibility(&self) -> &syn::Visibility {
        match self {
            TypeItem::Struct(item) => &item.vis,
            TypeItem::Enum(item) => &item.vis,
        }
    }

    /// As written.
    pub fn attributes(&self) -> &[syn::Attribute] {
        match self {
            TypeItem::Struct(item) => &item.attrs,
            TypeItem::Enum(item) => &item.attrs,
        }
    }
}

/// A variant of an enum.
#[derive(Clone)]
pub struct Variant {
    /// Its name.
    pub name: String,
    /// As for structs.
    pub fields: Vec<(String, Type)>,
    /// For each leaf of the fields the position of its slot among the fields of the enum. The other slots are zero.
    pub slots: Vec<usize>,
    /// What `as` gives.
    pub discriminant: i64,
}

/// A function of an `impl` of a public type, for the host.
#[derive(Clone)]
pub struct Method {
    /// The type whose `impl` it stands in, with its arguments.
    pub owner: Type,
    /// The trait, if it is an operator: `Add`.
    pub operator: Option<&'static str>,
    /// As written.
    pub visibility: syn::Visibility,
    /// As written, but for those of the language.
    pub attributes: Vec<syn::Attribute>,
}

/// How a function appears to Rust.
#[derive(Clone)]
pub enum Host {
    /// A helper: not at all.
    Helper,
    /// An item: visibility, documentation and `cfg` attributes as written, and the written signature.
    Item {
        visibility: syn::Visibility,
        attributes: Vec<syn::Attribute>,
        signature: syn::Signature,
    },
    /// `accelerate!(device, |..| ..)`: an expression evaluated at once.
    Expression { device: Box<syn::Expr> },
}

/// What the user asked of the compiler for a function.
#[derive(Clone, Default)]
pub struct Attributes {
    /// `#[fused(kernels = n)]` and its like, with the places of the numbers.
    pub limits: Vec<(Limited, u32, Span)>,
    /// `#[fused(bytes = expression)]`: a polynomial in the parameters' shapes.
    pub bytes: Option<syn::Expr>,
    /// `#[associative]`: operators are taken as associative without the test.
    pub associative: bool,
    /// `#[fast_math]`.
    pub fast_math: bool,
    /// `#[foreign(..)]`: something else computes the function on CUDA devices.
    pub foreign: Option<Foreign>,
    /// `#[export(c)]`, with its place: there is a symbol for C.
    pub export: Option<Span>,
    /// `#[deterministic]`: scatters give the same bits on every run.
    pub deterministic: bool,
}

/// What a contract counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limited {
    /// Launches on the worst path, the body of a loop counted once: `kernels`, or `launches`.
    Launches,
    /// `checks` that kernels make.
    Checks,
    /// Arrays that points of a kernel combine into: `atomics`.
    Atomics,
}

/// What computes a function on CUDA devices.
#[derive(Clone)]
pub enum Foreign {
    /// `#[foreign(cuda = ..)]`: a function of its name in a file of CUDA C, of scalars.
    Cuda(File),
    /// `#[foreign(rust = ..)]`: a Rust function, of arrays.
    Rust(syn::Path),
}

/// A file with functions of CUDA C.
#[derive(Clone)]
pub struct File {
    /// From the root of the package.
    pub file: String,
    /// Where that is written.
    pub span: Span,
    /// What stands in it: empty until it is known.
    pub text: String,
}
