//! Items of other blocks of the package: those that a block imports, and what they need, become items of it under names of their
//! own, `crate::shapes::Point`. Each sees what its own block has.
//!
//! In a block they are helpers, and types that the host names by their paths. What is wrong in them is reported where they stand;
//! what fails in them fails at their calls, since their tokens have the place of the `use`.

use super::imports::{Modules, Target, targets_of, uses, words_of};
use super::instances::replaced;
use super::{Block, Home, Host, Scope, items};
use crate::diag::Errors;
use crate::sorted::{SortedMap, SortedSet};
use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::ToTokens;

/// Where the items of a block come from.
pub(super) struct Origin {
    /// `crate::shapes`
    module: String,
    /// Its items, with their names in the program.
    items: Scope,
}

impl Block {
    /// What `crate` is.
    pub(super) fn root(&self) -> String {
        let module = self.origin.as_ref().map(|origin| origin.module.as_str());
        root(module.unwrap_or("crate")).to_owned()
    }

    /// The name of an item in the program.
    pub(super) fn known(&self, name: &str) -> String {
        let origin = self.origin.as_ref();
        let known = origin.and_then(|origin| origin.items.get(name));
        known.map_or(name, String::as_str).to_owned()
    }

    /// The name in the program of the type of an `impl`, which another block may have.
    pub(super) fn owner(&self, ty: &syn::Type) -> String {
        let name = super::base(ty).to_string();
        let imported = self.imports.get(&name).cloned();
        imported.unwrap_or_else(|| self.known(&name))
    }

    /// Where the items stand that stand in no function.
    pub(super) fn home(&self, name: &syn::Ident) -> Home {
        match &self.origin {
            None => Home::Block,
            Some(origin) => Home::Other(format!("{}::{name}", origin.module)),
        }
    }
}

/// The first word of a path.
fn root(module: &str) -> &str {
    module.split("::").next().unwrap_or(module)
}

/// Adds the items that a block imports, and gives their tokens.
pub(super) fn add(block: &mut Block, modules: &Modules, errors: &mut Errors) -> TokenStream {
    let requests = std::mem::take(&mut block.requests);
    let mut library = Library {
        modules,
        blocks: SortedMap::new(),
        needed: SortedMap::new(),
    };
    let own = own_names(block);
    // A module that is not there is one mistake, however many names are imported from it.
    let mut unknown = SortedSet::new();
    for request in requests {
        let name = request.name.to_string();
        let Target { module, item } = &request.target;
        let outcome = match library.find(&request.target) {
            _ if own.contains(&name) && block.imports.contains_key(&name) => Err((
                request.name.span(),
                format!("an item of this block has the name `{name}`, too"),
                format!("write `use {module}::{item} as ..`"),
            )),
            Ok(position) => {
                library.need(module, position, item, request.name.span());
                Ok(())
            }
            Err(Missing::Module(_)) if !unknown.insert(place(request.root)) => {
                block.refused.extend([name, request.target.known()]);
                continue;
            }
            Err(Missing::Module(reason)) => Err((
                request.root,
                reason,
                "a block imports items of other blocks of its package: `use crate::shapes::Point;`"
                    .to_owned(),
            )),
            Err(Missing::Private) => Err((
                request.name.span(),
                format!("`{item}` of `{module}` is private"),
                "write `pub` before it".to_owned(),
            )),
            Err(Missing::Item(names)) => {
                let items: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                let help = match items.is_empty() {
                    true => "nothing in its blocks is `pub`".to_owned(),
                    false => format!("it has {}", items.join(", ")),
                };
                let message = format!("no block in `{module}` has an item `{item}`");
                Err((request.name.span(), message, help))
            }
        };
        if let Err((at, message, help)) = outcome {
            errors.error(at, message, help);
            block.refused.extend([name, request.target.known()]);
        }
    }
    let mut tokens = TokenStream::new();
    for ((module, position), needed) in &library.needed {
        let other = &library.blocks[module][*position];
        let (items, mut read) = other.read(module, needed);
        tokens.extend(items);
        merge(&mut read, block);
    }
    tokens
}

fn place(span: Span) -> (usize, usize) {
    (span.start().line, span.start().column)
}

/// The names of the items of a block.
fn own_names(block: &Block) -> SortedSet<String> {
    let functions = block.functions.iter().filter(|function| function.named);
    let types = (block.structs.iter().map(|item| &item.known))
        .chain(block.enums.iter().map(|item| &item.known))
        .chain(block.aliases.iter().map(|item| &item.known));
    (functions.map(|function| &function.known))
        .chain(types)
        .chain(block.constants.iter().map(|item| &item.known))
        .cloned()
        .collect()
}

/// The blocks that have been asked for.
struct Library<'m> {
    modules: &'m Modules,
    /// Of each module.
    blocks: SortedMap<String, Vec<Other>>,
    /// What is needed of each block, by its position in its module.
    needed: SortedMap<(String, usize), Needed>,
}

/// Items that are needed, and where they are asked for.
type Needed = SortedMap<String, Span>;

enum Missing {
    Module(String),
    Private,
    /// The items that there are.
    Item(Vec<String>),
}

impl Library<'_> {
    /// Reads a module.
    fn open(&mut self, module: &str) -> Result<&[Other], Missing> {
        if !self.blocks.contains_key(module) {
            let texts = match self.modules.get(module) {
                Some(Ok(texts)) => texts,
                Some(Err(reason)) => return Err(Missing::Module(reason.clone())),
                None => return Err(Missing::Module(format!("`{module}` has not been read"))),
            };
            let read = |(position, text): (usize, &String)| Other::parse(text, module, position);
            let read = texts.iter().enumerate().map(read).collect();
            self.blocks.insert(module.to_owned(), read);
        }
        Ok(&self.blocks[module])
    }

    /// The position of the block in which an item stands.
    fn find(&mut self, target: &Target) -> Result<usize, Missing> {
        let blocks = self.open(&target.module)?;
        let public = |other: &Other| other.public.contains(&target.item);
        if let Some(position) = blocks.iter().position(public) {
            return Ok(position);
        }
        let private = blocks
            .iter()
            .any(|other| other.names.contains_key(&target.item));
        match private {
            true => Err(Missing::Private),
            false => {
                let names = blocks.iter().flat_map(|other| other.public.iter().cloned());
                Err(Missing::Item(names.collect()))
            }
        }
    }

    /// Marks an item as needed, and what it needs.
    fn need(&mut self, module: &str, position: usize, item: &str, at: Span) {
        let key = (module.to_owned(), position);
        let needed = self.needed.entry(key).or_default();
        if needed.contains_key(item) {
            return;
        }
        needed.insert(item.to_owned(), at);
        let other = &self.blocks[module][position];
        let (mut own, mut targets) = (SortedSet::new(), Vec::new());
        for entry in other.entries.iter().filter(|entry| entry.name == item) {
            for word in &entry.words {
                // An `impl` of a type of a third block is an entry, too.
                if other.entries.iter().any(|entry| entry.name == *word) {
                    own.insert(word.clone());
                }
                targets.extend(other.imports.get(word).cloned());
            }
            targets.extend(entry.targets.iter().cloned());
        }
        for name in own {
            self.need(module, position, &name, at);
        }
        // What cannot be found is reported where that block stands.
        for target in targets {
            if let Ok(position) = self.find(&target) {
                self.need(&target.module, position, &target.item, at);
            }
        }
    }
}

/// Another block.
struct Other {
    entries: Vec<Entry>,
    /// The names of its items, with those that the program knows them by.
    names: Scope,
    /// Those that others may import.
    public: SortedSet<String>,
    /// What it imports itself, by its names here.
    imports: SortedMap<String, Target>,
    /// Its `use`s.
    uses: Vec<syn::ItemUse>,
}

/// An item of it.
struct Entry {
    /// Of an `impl` the name of its type.
    name: String,
    item: syn::Item,
    words: SortedSet<String>,
    /// What is imported inside of it.
    targets: Vec<Target>,
}

impl Other {
    fn parse(text: &str, module: &str, position: usize) -> Other {
        let mut other = Other {
            entries: Vec::new(),
            names: Scope::new(),
            public: SortedSet::new(),
            imports: SortedMap::new(),
            uses: Vec::new(),
        };
        // What is no item is reported where it stands.
        let tokens: TokenStream = text.parse().unwrap_or_default();
        for tokens in items::split(tokens) {
            let Ok(item) = syn::parse2::<syn::Item>(tokens) else {
                continue;
            };
            let (name, visibility) = match &item {
                syn::Item::Fn(item) => (item.sig.ident.to_string(), Some(&item.vis)),
                syn::Item::Struct(item) => (item.ident.to_string(), Some(&item.vis)),
                syn::Item::Enum(item) => (item.ident.to_string(), Some(&item.vis)),
                syn::Item::Const(item) => (item.ident.to_string(), Some(&item.vis)),
                syn::Item::Type(item) => (item.ident.to_string(), Some(&item.vis)),
                syn::Item::Impl(item) => (super::base(&item.self_ty).to_string(), None),
                syn::Item::Use(import) => {
                    other.imports.extend(targets_of(import, root(module)));
                    other.uses.push(import.clone());
                    continue;
                }
                _ => continue,
            };
            if let Some(visibility) = visibility {
                let public = !matches!(visibility, syn::Visibility::Inherited);
                // Other blocks of the module may have private items of the same name.
                let known = match public || position == 0 {
                    true => format!("{module}::{name}"),
                    false => format!("{module}#{position}::{name}"),
                };
                other.names.insert(name.clone(), known);
                if public {
                    other.public.insert(name.clone());
                }
            }
            let targets = uses(item.to_token_stream()).into_iter();
            let targets = targets.flat_map(|import| targets_of(&import, root(module)));
            other.entries.push(Entry {
                name,
                words: words_of(&item),
                targets: targets.map(|(_, target)| target).collect(),
                item,
            });
        }
        other
    }

    /// What is needed of it, as a block and as tokens.
    fn read(&self, module: &str, needed: &Needed) -> (TokenStream, Block) {
        let mut block = Block {
            origin: Some(Origin {
                module: module.to_owned(),
                items: self.names.clone(),
            }),
            ..Block::default()
        };
        let mut tokens = TokenStream::new();
        let mut reported_there = Errors::default();
        for import in &self.uses {
            let names = super::imports::add(import, &mut block, &mut reported_there);
            block.imports.extend(names);
        }
        for entry in &self.entries {
            let Some(&at) = needed.get(&entry.name) else {
                continue;
            };
            block.places.push(at);
            let moved = moved(entry.item.to_token_stream(), at);
            tokens.extend(moved.clone());
            if let Ok(mut item) = syn::parse2::<syn::Item>(moved) {
                make_helper(&mut item, root(module));
                items::add(item, &mut block, &mut reported_there);
            }
        }
        (tokens, block)
    }
}

/// The tokens at another place.
fn moved(tokens: TokenStream, at: Span) -> TokenStream {
    let moved = tokens.into_iter().map(|mut token| {
        if let TokenTree::Group(group) = &token {
            token = Group::new(group.delimiter(), moved(group.stream(), at)).into();
        }
        token.set_span(at);
        token
    });
    moved.collect()
}

/// Takes from an item what is for the host only.
fn make_helper(item: &mut syn::Item, root: &str) {
    let kept = |attribute: &syn::Attribute| {
        let path = attribute.path();
        path.is_ident("associative") || path.is_ident("foreign")
    };
    match item {
        syn::Item::Fn(item) => {
            item.vis = syn::Visibility::Inherited;
            item.attrs.retain(kept);
            // The path of a function of the host begins where the block stands.
            let root = syn::Ident::new(root, Span::call_site());
            let root = SortedMap::from([("crate".to_owned(), root.to_token_stream())]);
            for attribute in &mut item.attrs {
                if let syn::Meta::List(list) = &mut attribute.meta {
                    list.tokens = replaced(std::mem::take(&mut list.tokens), &root);
                }
            }
        }
        syn::Item::Const(item) => item.vis = syn::Visibility::Inherited,
        syn::Item::Impl(item) => {
            for inner in &mut item.items {
                match inner {
                    syn::ImplItem::Fn(item) => item.vis = syn::Visibility::Inherited,
                    syn::ImplItem::Const(item) => item.vis = syn::Visibility::Inherited,
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

/// Moves the items of another block into one.
fn merge(other: &mut Block, block: &mut Block) {
    let mut around = other.imports.clone();
    around.extend(other.origin.iter().flat_map(|origin| origin.items.clone()));
    let seen = |scope: &mut Scope| {
        let inner = std::mem::replace(scope, around.clone());
        scope.extend(inner);
    };
    let first = block.functions.len();
    for mut function in other.functions.drain(..) {
        seen(&mut function.scope);
        function.host = Host::Helper;
        function.imported = true;
        function.method = None;
        block.functions.push(function);
    }
    for mut operator in other.operators.drain(..) {
        operator.function += first;
        block.operators.push(operator);
    }
    other.scopes.values_mut().for_each(seen);
    let known = (other.structs.iter().map(|item| &item.known))
        .chain(other.enums.iter().map(|item| &item.known))
        .chain(other.aliases.iter().map(|item| &item.known))
        .chain(other.constants.iter().map(|item| &item.known));
    for known in known {
        let scope = other.scopes.entry(known.clone());
        scope.or_insert_with(|| around.clone());
    }
    block.scopes.extend(std::mem::take(&mut other.scopes));
    block.structs.append(&mut other.structs);
    block.enums.append(&mut other.enums);
    block.aliases.append(&mut other.aliases);
    block.constants.append(&mut other.constants);
    block.refused.append(&mut other.refused);
    block.places.append(&mut other.places);
}
