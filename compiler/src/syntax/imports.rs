//! `use std::..`: read over, since a block knows what the language has of Rust's library; but its constants of floats are
//! names from then on.

use super::Scope;

/// The names that an import of Rust's library gives to constants of floats, with their paths: `PI` is `f32::consts::PI`, and
/// `*` what all others are in. `None` if it imports anything else.
pub(super) fn of_std(item: &syn::ItemUse) -> Option<Scope> {
    let mut names = Scope::new();
    collect(&item.tree, &mut Vec::new(), &mut names).then_some(names)
}

/// Collects the names of a tree under a path; `false` if one is not of Rust's library.
fn collect(tree: &syn::UseTree, path: &mut Vec<String>, names: &mut Scope) -> bool {
    let (name, known) = match tree {
        syn::UseTree::Path(part) => {
            path.push(part.ident.to_string());
            let ok = collect(&part.tree, path, names);
            path.pop();
            return ok;
        }
        syn::UseTree::Group(group) => {
            return group.items.iter().all(|tree| collect(tree, path, names));
        }
        syn::UseTree::Name(name) => (name.ident.to_string(), Some(name.ident.to_string())),
        syn::UseTree::Rename(name) => (name.rename.to_string(), Some(name.ident.to_string())),
        syn::UseTree::Glob(_) => ("*".to_string(), None),
    };
    let whole: Vec<String> = path.iter().cloned().chain(known).collect();
    let Some((root, whole)) = whole.split_first() else {
        return false;
    };
    if whole.get(1).is_some_and(|module| module == "consts") {
        names.insert(name, whole.join("::"));
    }
    matches!(&**root, "std" | "core")
}
