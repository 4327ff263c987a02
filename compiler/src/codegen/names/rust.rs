//! Identifiers of emitted Rust, which their form keeps apart.
//!
//! | form | of |
//! |---|---|
//! | `stem_7` | value 7, called so by the user or not |
//! | `p3_stem` | the pointer to memory 3 of a kernel |
//! | `word_7` | something of ours of which there are several; no value has such a `word` for its stem |
//! | `word_t7` | a temporary of ours |
//! | `word` | all else of ours |
//!
//! Parameters keep the user's names, for documentation. An expanded macro tells them from ours by hygiene; in an expansion that
//! is text, [`parameters`] does.

use super::{numbered, unraw};
use crate::plan::Plan;
use crate::sorted::SortedSet;
use proc_macro2::{Ident, Span};
use quote::format_ident;

/// What we number: see [`several`].
pub(super) const SEVERAL: [&str; 6] = ["buffer", "field", "first", "gathered", "leaf", "state"];
/// Variables of host functions that no number tells apart.
pub(super) const LOCALS: [&str; 10] = [
    "call", "device", "done", "epoch", "failures", "inputs", "on", "routine", "some", "stream",
];
/// Statics in them.
const STATICS: [&str; 2] = ["PROGRAM", "SITES"];

/// A variable of a host function.
pub(crate) fn local(name: &'static str) -> Ident {
    debug_assert!(LOCALS.contains(&name), "{name}");
    ours(name.to_owned())
}

/// A variable beside a call of a host function, which may have that name itself.
pub(crate) fn beside(function: &Ident, name: &'static str) -> Ident {
    match function == name {
        true => ours(format!("{name}_")),
        false => local(name),
    }
}

/// One of several things.
pub(crate) fn several(word: &'static str, number: usize) -> Ident {
    debug_assert!(SEVERAL.contains(&word), "{word}");
    ours(format!("{word}_{number}"))
}

/// A temporary.
pub(crate) fn temporary(word: &str, number: u32) -> Ident {
    ours(format!("{word}_t{number}"))
}

/// The variable of a value with this name, if it has one.
pub(crate) fn value(name: Option<&str>, number: u32) -> Ident {
    ours(value_text(name, number))
}

fn value_text(name: Option<&str>, number: u32) -> String {
    let stem = name.map(readable);
    match stem.filter(|stem| stem.starts_with(|c: char| c.is_ascii_alphabetic())) {
        None => format!("v_{number}"),
        Some(stem) if is_pointer(&stem) || SEVERAL.contains(&&*stem) => {
            format!("v_{stem}_{number}")
        }
        Some(stem) => format!("{stem}_{number}"),
    }
}

/// The pointer to a memory of this name.
pub(crate) fn pointer(name: &str, number: usize) -> Ident {
    ours(format!("p{number}_{}", readable(name)))
}

/// Whether a pointer's name begins with this stem, or may.
fn is_pointer(stem: &str) -> bool {
    stem.strip_prefix('p')
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// What the structs of kernels begin with in a block that has these types.
pub(crate) fn structs<'a>(types: impl Iterator<Item = &'a str> + Clone) -> String {
    numbered("Kernel", |name| {
        types
            .clone()
            .all(|ty| !unraw(ty).starts_with(&format!("{name}_")))
    })
}

/// The struct of a kernel.
pub(crate) fn strukt(begin: &str, kernel: &str) -> Ident {
    ours(format!("{begin}_{}", readable(kernel)))
}

/// Parameters of the host's function of a plan as its text may call them.
pub(crate) fn parameters<'a>(
    written: impl Iterator<Item = (&'a str, Span)>,
    plan: &Plan,
) -> Vec<Ident> {
    let ours = LOCALS.iter().chain(&STATICS);
    let mut taken: SortedSet<String> = ours.map(|&name| name.to_owned()).collect();
    let name = |k: usize| plan.names.get(k).and_then(Option::as_deref);
    taken.extend((0..plan.types.len()).map(|k| value_text(name(k), k as u32)));
    taken.extend((0..plan.buffers.len()).map(|k| several("buffer", k).to_string()));
    let parameter = |(name, span): (&str, Span)| {
        let free = numbered(unraw(name), |name| !taken.contains(name));
        let name = match free == unraw(name) {
            true => name.to_owned(),
            false => free,
        };
        let mut ident = identifier(&name);
        taken.insert(name);
        ident.set_span(span);
        ident
    };
    written.map(parameter).collect()
}

/// An identifier, raw if it must be.
pub(crate) fn identifier(name: &str) -> Ident {
    syn::parse_str(name)
        .or_else(|_| syn::parse_str(&format!("r#{name}")))
        .unwrap_or_else(|_| format_ident!("parameter"))
}

/// Hygiene keeps it from what the user calls so.
fn ours(name: String) -> Ident {
    Ident::new(&name, Span::mixed_site())
}

/// A name with what is no letter or digit of ASCII replaced.
fn readable(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    unraw(name).chars().map(letter).collect()
}
