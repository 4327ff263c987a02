//! Part of the build script: writes a driver for each public function of the corpus, one signature for all.

use quote::{format_ident, quote};
use std::fs;
use std::path::Path;

/// Writes `drivers.rs` to `OUT_DIR`.
pub(crate) fn write(root: &Path, out: &Path) {
    let folder = root.join("programs");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut names: Vec<String> = fs::read_dir(&folder)
        .expect("the corpus is there")
        .filter_map(|entry| {
            entry
                .expect("a readable folder")
                .file_name()
                .into_string()
                .ok()
        })
        .filter_map(|name| name.strip_suffix(".rs").map(str::to_owned))
        .filter(|name| name != "mod")
        .collect();
    names.sort();
    let drivers = names.iter().flat_map(|name| drivers(&folder, name));
    let text = quote!(&[#(#drivers),*]).to_string();
    fs::write(out.join("drivers.rs"), text).expect("a writable OUT_DIR");
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

/// Whether there is an array in a type.
fn has_array(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Tuple(tuple) => tuple.elems.iter().any(has_array),
        ty => is_array(ty),
    }
}

/// Appends a result to `columns`: tuples with arrays in them field by field, all else whole.
fn put(ty: &syn::Type, value: &proc_macro2::TokenStream) -> proc_macro2::TokenStream {
    match ty {
        syn::Type::Tuple(tuple) if has_array(ty) => {
            let fields = tuple.elems.iter().enumerate().map(|(k, ty)| {
                let k = syn::Index::from(k);
                put(ty, &quote!(#value.#k))
            });
            quote!(#(#fields)*)
        }
        ty if is_array(ty) => quote!(crate::value::Argument::put(#value, &mut columns)?;),
        _ => quote!(crate::value::put_scalar(#value, &mut columns);),
    }
}

/// One entry of the table per public function of a program.
fn drivers(folder: &Path, program: &str) -> Vec<proc_macro2::TokenStream> {
    let text =
        fs::read_to_string(folder.join(format!("{program}.rs"))).expect("a readable program");
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
    let module = format_ident!("{program}");
    let list: Vec<_> = items
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
                if is_array(ty) {
                    quote!(let #local: #ty = crate::value::Argument::take(device, arguments)?;)
                } else {
                    quote!(let #local: #ty = crate::value::take_scalar(arguments);)
                }
            });
            let pass = signature.inputs.iter().enumerate().map(|(k, input)| {
                let local = format_ident!("argument_{k}");
                let borrowed =
                    matches!(input, syn::FnArg::Typed(input) if matches!(*input.ty, syn::Type::Reference(_)));
                if borrowed { quote!(&#local) } else { quote!(#local) }
            });
            let result = match &signature.output {
                syn::ReturnType::Type(_, ty) => put(ty, &quote!(result)),
                syn::ReturnType::Default => panic!("{program}: no result"),
            };
            quote! {
                crate::corpus::Driver {
                    program: #program,
                    function: #text,
                    call: |device, arguments| {
                        #[expect(unused_imports, reason = "not every program has structs or every rank")]
                        use {crate::programs::#module::*, accelerate::{Array, Cube, Matrix, Scalar, Segmented, Vector}};
                        #(#bind)*
                        let result = crate::programs::#module::#name(device, #(#pass),*)?;
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
