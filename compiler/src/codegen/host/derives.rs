//! What types of a block derive beside what the user has written.

use quote::ToTokens;

/// What every element derives.
pub(super) const ELEMENT: [&str; 4] = ["Clone", "Copy", "Debug", "PartialEq"];

/// What of `derived` the user has not derived already.
pub(super) fn missing_derives(
    attributes: &[syn::Attribute],
    derived: &[&str],
) -> Vec<proc_macro2::Ident> {
    let written: String = attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("derive"))
        .map(|attribute| attribute.meta.to_token_stream().to_string())
        .collect();
    let words: Vec<&str> = written.split(|c: char| !c.is_alphanumeric()).collect();
    let missing = derived.iter().filter(|name| !words.contains(*name));
    missing.map(|name| quote::format_ident!("{name}")).collect()
}
