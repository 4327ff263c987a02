//! Which structs are bundles: those with an array among their fields, or with a bundle.

use super::{Block, words};
use crate::sorted::SortedMap;
use proc_macro2::TokenStream;
use quote::ToTokens;

/// The names of arrays' types.
const ARRAYS: [&str; 6] = ["Array", "Scalar", "Vector", "Matrix", "Cube", "Segmented"];

/// For each struct whether it is a bundle. Names decide, before any type is known, so that a type can be told from its name.
pub(crate) fn bundles(block: &Block) -> Vec<bool> {
    // As the program knows what stands around the item.
    let text = |known: &str, tokens: TokenStream| {
        let scope = block.scopes.get(known).unwrap_or(&block.imports);
        let words = words(tokens).into_iter();
        let known = words.map(|word| scope.get(&word).cloned().unwrap_or(word));
        known.collect::<Vec<String>>()
    };
    let structs: Vec<Vec<String>> = (block.structs.iter())
        .map(|item| {
            let types = item.fields.iter().map(|field| field.ty.to_token_stream());
            text(&item.known, types.collect())
        })
        .collect();
    let aliases: SortedMap<&String, Vec<String>> = (block.aliases.iter())
        .map(|item| (&item.known, text(&item.known, item.ty.to_token_stream())))
        .collect();
    let names: Vec<&String> = block.structs.iter().map(|item| &item.known).collect();
    let mut found = vec![false; structs.len()];
    let mut held: Vec<&str> = ARRAYS.to_vec();
    // What the block calls so itself is no array.
    held.retain(|array| !names.iter().any(|name| *name == array));
    loop {
        let before = held.len();
        let holds =
            |words: &[String], held: &[&str]| words.iter().any(|word| held.contains(&&**word));
        for (name, words) in &aliases {
            if !held.contains(&&***name) && holds(words, &held) {
                held.push(name);
            }
        }
        for ((found, words), name) in found.iter_mut().zip(&structs).zip(&names) {
            if !*found && holds(words, &held) {
                *found = true;
                held.push(name);
            }
        }
        if held.len() == before {
            return found;
        }
    }
}
