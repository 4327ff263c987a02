//! Part of the build scripts of both crates of programs: writes a driver for each public function, one signature for all.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use std::fs;
use std::path::{Path, PathBuf};

/// Writes `drivers.rs` to `OUT_DIR`.
pub(crate) fn write() {
    println!("cargo::rerun-if-changed=../drivers.rs");
    let [root, out] = ["CARGO_MANIFEST_DIR", "OUT_DIR"].map(|name| {
        let folder = std::env::var_os(name).expect("cargo sets it");
        PathBuf::from(folder)
    });
    let drivers = programs(&root.join("src/lib.rs"))
        .into_iter()
        .flat_map(|(folder, name)| drivers(&root.join("../programs"), &folder, &name));
    let text = quote!(&[#(#drivers),*]).to_string();
    fs::write(out.join("drivers.rs"), text).expect("a writable OUT_DIR");
}

/// The modules of the crate's module `programs`, by folder.
fn programs(library: &Path) -> Vec<(String, String)> {
    let text = fs::read_to_string(library).expect("a readable library");
    let file = syn::parse_file(&text).expect("a library that is Rust");
    let mut all = modules(&file.items).into_iter();
    let list = all.find(|(name, _)| name == "programs");
    let (_, folders) = list.expect("the library is a list of programs");
    let list = modules(folders).into_iter().flat_map(|(folder, items)| {
        let names = modules(items).into_iter().map(|(name, _)| name);
        names.map(move |name| (folder.clone(), name))
    });
    list.collect()
}

/// The modules among items, with what they contain if that stands here.
fn modules(items: &[syn::Item]) -> Vec<(String, &[syn::Item])> {
    let found = items.iter().filter_map(|item| match item {
        syn::Item::Mod(module) => {
            let content = module.content.as_ref();
            Some((
                module.ident.to_string(),
                content.map_or(&[][..], |(_, items)| items),
            ))
        }
        _ => None,
    });
    found.collect()
}

/// Whether a type is one of the crate's arrays.
fn is_array(ty: &syn::Type) -> bool {
    let syn::Type::Path(path) = ty else {
        return false;
    };
    let last = &path
        .path
        .segments
        .last()
        .expect("a path has a segment")
        .ident;
    ["Array", "Scalar", "Vector", "Matrix", "Cube", "Segmented"]
        .iter()
        .any(|name| last == name)
}

/// The structs of a block.
struct Structs(Vec<syn::ItemStruct>);

impl Structs {
    /// The members of a tuple, or of a struct of the block, with their types.
    fn members(&self, ty: &syn::Type) -> Vec<(syn::Member, syn::Type)> {
        let named =
            |path: &syn::TypePath| self.0.iter().find(|item| path.path.is_ident(&item.ident));
        match ty {
            syn::Type::Tuple(tuple) => {
                let types = tuple.elems.iter().cloned().enumerate();
                types.map(|(k, ty)| (k.into(), ty)).collect()
            }
            syn::Type::Path(path) if let Some(item) = named(path) => {
                let types = item.fields.iter().map(|field| field.ty.clone());
                item.fields.members().zip(types).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether there is an array in a type.
    fn has_array(&self, ty: &syn::Type) -> bool {
        is_array(ty) || (self.members(ty).iter()).any(|(_, ty)| self.has_array(ty))
    }

    /// An argument: tuples and structs with arrays in them member by member, all else whole.
    fn take(&self, ty: &syn::Type) -> TokenStream {
        if is_array(ty) {
            return quote!(harness::value::Argument::take(device, arguments)?);
        }
        if !self.has_array(ty) {
            return quote!(harness::value::take_scalar(arguments));
        }
        let members = self.members(ty);
        let values = members.iter().map(|(_, ty)| self.take(ty));
        match ty {
            syn::Type::Tuple(_) => quote!((#(#values,)*)),
            ty => {
                let names = members.iter().map(|(name, _)| name);
                quote!(#ty { #(#names: #values),* })
            }
        }
    }

    /// Appends a result to `columns`, in the same way.
    fn put(&self, ty: &syn::Type, value: &TokenStream) -> TokenStream {
        if is_array(ty) {
            return quote!(harness::value::Argument::put(#value, &mut columns)?;);
        }
        if !self.has_array(ty) {
            return quote!(harness::value::put_scalar(#value, &mut columns););
        }
        let members = self.members(ty).into_iter();
        let members = members.map(|(name, ty)| self.put(&ty, &quote!(#value.#name)));
        members.collect()
    }
}

/// The structs of items; and of the programs that they import from, which lie in their folder.
fn structs(folder: &Path, items: &[syn::Item]) -> Vec<syn::ItemStruct> {
    let mut found = Vec::new();
    for item in items {
        match item {
            syn::Item::Struct(item) => found.push(item.clone()),
            syn::Item::Use(import) => {
                let mut tree = &import.tree;
                while let syn::UseTree::Path(path) = tree {
                    let program = folder.join(format!("{}.rs", path.ident));
                    if program.is_file() {
                        let own = block(&program);
                        let structs = own.into_iter().filter_map(|item| match item {
                            syn::Item::Struct(item) => Some(item),
                            _ => None,
                        });
                        found.extend(structs);
                    }
                    tree = &path.tree;
                }
            }
            _ => {}
        }
    }
    found
}

/// The items in the block of a program.
fn block(path: &Path) -> Vec<syn::Item> {
    let program = path.display();
    let text = fs::read_to_string(path).expect("a readable program");
    let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{program}: {error}"));
    let blocks = file.items.iter().filter_map(|item| match item {
        syn::Item::Macro(item) => Some(item.mac.parse_body::<syn::File>()),
        _ => None,
    });
    let items = blocks.flat_map(|block| {
        block
            .unwrap_or_else(|error| panic!("{program}: {error}"))
            .items
    });
    items.collect()
}

/// One entry of the table per public function of a program.
fn drivers(corpus: &Path, folder: &str, program: &str) -> Vec<TokenStream> {
    let home = corpus.join(folder);
    let items = block(&home.join(format!("{program}.rs")));
    let structs = Structs(structs(&home, &items));
    let [folder, module] = [folder, program].map(|name| format_ident!("{name}"));
    let list: Vec<_> = items
        .into_iter()
        .filter_map(|item| match item {
            syn::Item::Fn(function) if matches!(function.vis, syn::Visibility::Public(_)) => Some(function.sig),
            _ => None,
        })
        .map(|signature| {
            let (name, text) = (&signature.ident, signature.ident.to_string());
            let bind = signature.inputs.iter().enumerate().map(|(k, input)| {
                let syn::FnArg::Typed(input) = input else { panic!("{program}: a receiver") };
                let local = format_ident!("argument_{k}");
                let ty = match &*input.ty {
                    syn::Type::Reference(reference) => &reference.elem,
                    ty => ty,
                };
                let value = structs.take(ty);
                quote!(let #local: #ty = #value;)
            });
            let pass = signature.inputs.iter().enumerate().map(|(k, input)| {
                let local = format_ident!("argument_{k}");
                let borrowed =
                    matches!(input, syn::FnArg::Typed(input) if matches!(*input.ty, syn::Type::Reference(_)));
                if borrowed { quote!(&#local) } else { quote!(#local) }
            });
            let result = match &signature.output {
                syn::ReturnType::Type(_, ty) => structs.put(ty, &quote!(result)),
                syn::ReturnType::Default => panic!("{program}: no result"),
            };
            quote! {
                harness::corpus::Driver {
                    program: #program,
                    function: #text,
                    artifacts: concat!(env!("OUT_DIR"), "/accelerate"),
                    call: |device, arguments| {
                        #[expect(unused_imports, reason = "not every program has structs or every rank")]
                        use {crate::programs::#folder::#module::*, accelerate::{Array, Cube, Matrix, Scalar, Segmented, Vector, bf16, f16}};
                        #(#bind)*
                        let result = crate::programs::#folder::#module::#name(device, #(#pass),*)?;
                        let mut columns = Vec::new();
                        #result
                        Ok(columns)
                    },
                }
            }
        })
        .collect();
    assert!(
        list.len() <= 1,
        "{program}: snapshots bear the names of programs, so each has one public function"
    );
    list
}
