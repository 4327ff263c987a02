//! Names of the block and of the language in what the host gets to see.
//!
//! In: written signatures and structs, which may use aliases and constants of the block and exported types without an import. Out:
//! the same without them: the host knows neither. And the other way round: what the host has imported for the block's sake
//! counts as used.

use crate::sorted::{SortedMap, SortedSet};
use crate::syntax::{self, Block, Home, Scope};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;
use syn::visit_mut::{self, VisitMut};

/// The language's types that the crate exports.
const ARRAYS: [&str; 6] = ["Array", "Scalar", "Vector", "Matrix", "Cube", "Segmented"];

/// Its scalars that the crate exports: Rust has none of these names.
const SCALARS: [&str; 2] = ["f16", "bf16"];

/// What a block calls by a name of its own.
pub(crate) struct Names {
    /// By their names in the program, with what they see.
    aliases: SortedMap<String, (syn::Type, Scope)>,
    constants: SortedMap<String, (syn::Expr, Scope)>,
    bundles: SortedSet<String>,
    /// The paths of types of other blocks.
    paths: SortedMap<String, String>,
    /// What the block imports.
    imports: Scope,
    /// Those of [`SCALARS`] that are no types of the block.
    scalars: Vec<&'static str>,
    /// The exported types that occur in it.
    mentioned: SortedSet<&'static str>,
}

impl Names {
    /// Of a block with these tokens.
    pub(crate) fn new(tokens: TokenStream, block: &Block) -> Names {
        let scope = |known: &str| block.scopes.get(known).unwrap_or(&block.imports).clone();
        let aliases = block.aliases.iter();
        let aliases =
            aliases.map(|item| (item.known.clone(), ((*item.ty).clone(), scope(&item.known))));
        let constants = block.constants.iter();
        let constants = constants.map(|item| {
            (
                item.known.clone(),
                ((*item.expr).clone(), scope(&item.known)),
            )
        });
        let mut scalars = SCALARS.to_vec();
        scalars.retain(|name| block.structs.iter().all(|item| item.known != **name));
        let homes = (block.structs.iter().map(|item| (&item.known, &item.home)))
            .chain(block.enums.iter().map(|item| (&item.known, &item.home)));
        let paths = homes.filter_map(|(known, home)| match home {
            Home::Other(path) => Some((known.clone(), path.clone())),
            Home::Block | Home::Function => None,
        });
        let bundles = block.structs.iter().zip(syntax::bundles(block));
        let bundles = bundles.filter(|(_, bundle)| *bundle);
        let mut mentioned = SortedSet::new();
        collect(tokens, &mut mentioned);
        Names {
            aliases: aliases.collect(),
            constants: constants.collect(),
            scalars,
            bundles: bundles.map(|(item, _)| item.known.clone()).collect(),
            paths: paths.collect(),
            imports: block.imports.clone(),
            mentioned,
        }
    }

    /// A signature as the host can read it, and whether there is an array in it.
    pub(super) fn signature(&self, signature: &syn::Signature) -> (syn::Signature, bool) {
        let mut signature = signature.clone();
        let mut resolve = Resolve::new(self);
        resolve.visit_signature_mut(&mut signature);
        (signature, resolve.array)
    }

    /// Whether a struct is a bundle, by its name in the program.
    pub(super) fn is_bundle(&self, known: &str) -> bool {
        self.bundles.contains(known)
    }

    /// A struct as the host can read it.
    pub(super) fn strukt(&self, item: &syn::ItemStruct) -> syn::ItemStruct {
        let mut item = item.clone();
        Resolve::new(self).visit_item_struct_mut(&mut item);
        item
    }

    /// An enum as the host can read it.
    pub(super) fn enumeration(&self, item: &syn::ItemEnum) -> syn::ItemEnum {
        let mut item = item.clone();
        Resolve::new(self).visit_item_enum_mut(&mut item);
        item
    }

    /// Items that use the exported types' names as the host knows them, and mean nothing: the expansion has full paths only, so
    /// rustc would call `use accelerate::Matrix` beside a block unused.
    ///
    /// The crate exports a macro beside each type of the same name. In `mentioned`, a name is looked for in the host's
    /// module first, and then in the crate's; macros, since a type of that name need not be the crate's.
    pub(crate) fn mention(&self) -> TokenStream {
        if self.mentioned.is_empty() {
            return TokenStream::new();
        }
        let names = self
            .mentioned
            .iter()
            .map(|name| Ident::new(name, Span::call_site()));
        quote! {
            const _: () = {
                mod names {
                    #[allow(unused_imports, reason = "the host may have imported them itself")]
                    use ::accelerate::rt::names::*;
                    #[allow(unused_imports, dead_code, reason = "for what it names only")]
                    fn mentioned() {
                        use super::*;
                        #(#names!();)*
                    }
                }
            };
        }
    }
}

fn collect(tokens: TokenStream, mentioned: &mut SortedSet<&'static str>) {
    for token in tokens {
        match token {
            TokenTree::Ident(word) => {
                let exported = ARRAYS.iter().chain(&SCALARS);
                mentioned.extend(exported.into_iter().find(|name| word == **name));
            }
            TokenTree::Group(group) => collect(group.stream(), mentioned),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Replaces aliases and constants by what they stand for, and gives exported types their full paths.
struct Resolve<'a> {
    names: &'a Names,
    /// What is seen where the text stands.
    scope: &'a Scope,
    array: bool,
    /// Aliases within aliases; those in a circle have been reported.
    depth: usize,
}

impl<'a> Resolve<'a> {
    fn new(names: &'a Names) -> Self {
        Resolve {
            names,
            scope: &names.imports,
            array: false,
            depth: 0,
        }
    }

    /// The name of an item in the program.
    fn known(&self, name: &Ident) -> String {
        let name = name.to_string();
        self.scope.get(&name).cloned().unwrap_or(name)
    }

    fn constant(&self, path: &syn::Path) -> Option<&'a (syn::Expr, Scope)> {
        self.names.constants.get(&self.known(path.get_ident()?))
    }

    /// Does this to what an alias or a constant stands for, which sees other items.
    fn within(&mut self, scope: &'a Scope, visit: impl FnOnce(&mut Self)) {
        let outside = std::mem::replace(&mut self.scope, scope);
        self.depth += 1;
        visit(self);
        self.depth -= 1;
        self.scope = outside;
    }
}

const DEEPEST: usize = 16;

impl VisitMut for Resolve<'_> {
    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        if let syn::Type::Path(path) = ty
            && path.qself.is_none()
            && let Some(name) = path.path.get_ident()
            && let Some((alias, scope)) = self.names.aliases.get(&self.known(name))
            && self.depth < DEEPEST
        {
            *ty = alias.clone();
            self.within(scope, |inside| inside.visit_type_mut(ty));
            return;
        }
        visit_mut::visit_type_mut(self, ty);
    }

    fn visit_type_path_mut(&mut self, path: &mut syn::TypePath) {
        visit_mut::visit_type_path_mut(self, path);
        if path.qself.is_none() && path.path.segments.len() == 1 {
            let segment = &path.path.segments[0];
            if self.names.scalars.iter().any(|name| segment.ident == name) {
                path.path = syn::parse_quote!(::accelerate::#segment);
                return;
            }
            let known = self.known(&segment.ident);
            self.array |= self.names.is_bundle(&known);
            if let Some(other) = self.names.paths.get(&known)
                && let Ok(mut other) = syn::parse_str::<syn::Path>(other)
            {
                if let Some(last) = other.segments.last_mut() {
                    last.arguments = segment.arguments.clone();
                }
                path.path = other;
                return;
            }
            if ARRAYS.iter().any(|name| segment.ident == name) {
                self.array = true;
                path.path = syn::parse_quote!(::accelerate::#segment);
            }
        }
    }

    fn visit_generic_argument_mut(&mut self, argument: &mut syn::GenericArgument) {
        // What may be a type or a constant is read as a type.
        if let syn::GenericArgument::Type(syn::Type::Path(path)) = argument
            && path.qself.is_none()
            && let Some((value, scope)) = self.constant(&path.path)
        {
            *argument = syn::GenericArgument::Const(syn::parse_quote!({ #value }));
            if self.depth < DEEPEST {
                self.within(scope, |inside| {
                    visit_mut::visit_generic_argument_mut(inside, argument);
                });
            }
            return;
        }
        visit_mut::visit_generic_argument_mut(self, argument);
    }

    fn visit_expr_mut(&mut self, expr: &mut syn::Expr) {
        if let syn::Expr::Path(path) = expr
            && let Some((value, scope)) = self.constant(&path.path)
            && self.depth < DEEPEST
        {
            *expr = syn::parse_quote!((#value));
            self.within(scope, |inside| visit_mut::visit_expr_mut(inside, expr));
            return;
        }
        visit_mut::visit_expr_mut(self, expr);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_signature_needs_nothing_of_its_block() {
        let tokens = quote! {
            type Grid = Array<Pair, RANK>;
            type Pair = (f32, f32);
            const RANK: usize = HALF * 2;
            const HALF: usize = 1;
        };
        let modules = syntax::Modules::new();
        let block = syntax::parse(tokens, &modules, &mut crate::diag::Errors::default());
        let names = Names::new(TokenStream::new(), &block);
        let written = syn::parse_quote!(fn f(grid: &Grid, k: f32) -> Pair);
        let expected: syn::Signature = syn::parse_quote! {
            fn f(grid: &::accelerate::Array<(f32, f32), { (1) * 2 }>, k: f32) -> (f32, f32)
        };
        let (found, array) = names.signature(&written);
        assert_eq!(
            quote!(#found).to_string().replace(' ', ""),
            quote!(#expected).to_string().replace(' ', "")
        );
        assert!(array);
    }
}
