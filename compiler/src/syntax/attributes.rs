//! Attributes: those that mean something to this compiler, and those of Rust.

/// The attributes that mean nothing to this compiler.
pub(super) fn of_rust(attributes: &[syn::Attribute]) -> Vec<syn::Attribute> {
    let kept = |attribute: &&syn::Attribute| !is_ours(attribute);
    attributes.iter().filter(kept).cloned().collect()
}

/// Attributes that mean something to this compiler.
fn is_ours(attribute: &syn::Attribute) -> bool {
    [
        "export",
        "fused",
        "associative",
        "deterministic",
        "fast_math",
        "foreign",
        "instances",
    ]
    .iter()
    .any(|name| attribute.path().is_ident(name))
}
