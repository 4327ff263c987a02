//! The compiler's modules form no cycles: of the modules of one folder, none is needed by what it needs itself.
//!
//! A module is its file and all below it. It needs another one of its folder if, outside of tests, it names that or something in it:
//! in a `use`, or in a path that begins with `crate`, `self`, `super`, a module or an imported name. What the folder's own file
//! passes on of a child (`pub use`) is that child's. What the folder's own file says itself is no need: it introduces its children,
//! and they may know it. Nor are methods: where they stand is no matter of whoever calls them.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::Path;
use syn::{Attribute, Item, UseTree};

/// A path of names.
type Names = Vec<String>;
/// For each module of a folder the others that it needs, and where it says so.
type Needs = BTreeMap<String, BTreeMap<String, String>>;

/// What a module's own file names.
#[derive(Default)]
struct Module {
    /// By the names under which they are imported.
    imports: BTreeMap<String, Names>,
    paths: BTreeSet<Names>,
}

/// The modules by their paths; that of the crate is empty.
#[derive(Default)]
struct Modules(BTreeMap<Names, Module>);

/// Looks for cycles.
pub(super) fn check(root: &Path) -> Result<(), String> {
    let mut modules = Modules::default();
    modules.read(Vec::new(), &root.join("compiler/src/lib.rs"))?;
    let mut wrong = Vec::new();
    for (folder, needs) in modules.needs() {
        let folder = folder.join("/");
        wrong.extend(cycles(&needs).iter().map(|cycle| {
            let around = told(&needs, cycle);
            format!("a cycle in `compiler/src/{folder}`: {around}")
        }));
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(wrong.join("\n")),
    }
}

/// The sets of modules that all need each other.
fn cycles(needs: &Needs) -> Vec<BTreeSet<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> = needs
        .keys()
        .map(|from| {
            let mut reached = BTreeSet::new();
            let mut open = vec![from];
            while let Some(at) = open.pop() {
                let next = needs.get(at).into_iter().flat_map(BTreeMap::keys);
                open.extend(next.filter(|next| reached.insert(*next)));
            }
            (from, reached)
        })
        .collect();
    let mut cycles = BTreeSet::new();
    for (from, to) in &reached {
        let back = |to: &&&String| reached.get(*to).is_some_and(|all| all.contains(from));
        let cycle: BTreeSet<String> = to.iter().filter(back).map(|&name| name.clone()).collect();
        if cycle.len() > 1 {
            cycles.insert(cycle);
        }
    }
    cycles.into_iter().collect()
}

/// The shortest way around.
fn told(needs: &Needs, cycle: &BTreeSet<String>) -> String {
    let around = |start: &String| {
        let mut before: BTreeMap<&String, &String> = BTreeMap::new();
        let mut open = VecDeque::from([start]);
        while let Some(at) = open.pop_front() {
            for next in needs.get(at).into_iter().flat_map(BTreeMap::keys) {
                if cycle.contains(next) && !before.contains_key(next) {
                    before.insert(next, at);
                    open.push_back(needs.get_key_value(next).map_or(next, |(key, _)| key));
                }
            }
        }
        let mut steps = VecDeque::new();
        let mut at = start;
        loop {
            let from = *before.get(at)?;
            steps.push_front(format!("`{from}` needs `{at}` ({})", needs[from][at]));
            at = from;
            if at == start {
                return Some(steps);
            }
        }
    };
    let shortest = cycle.iter().filter_map(around).min_by_key(VecDeque::len);
    Vec::from(shortest.unwrap_or_default()).join(", ")
}

impl Modules {
    /// Reads a module and those below it.
    fn read(&mut self, name: Names, file: &Path) -> Result<(), String> {
        let problem = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
        let text = fs::read_to_string(file).map_err(|error| problem(&error))?;
        let items = syn::parse_file(&text)
            .map_err(|error| problem(&error))?
            .items;
        let folder = match file.file_stem().and_then(|stem| stem.to_str()) {
            Some("mod" | "lib") => file.parent().unwrap_or(file).to_owned(),
            _ => file.with_extension(""),
        };
        let mut module = Module::default();
        for item in items {
            match item {
                Item::Mod(inner) if inner.content.is_none() => {
                    if !is_test(&inner.attrs) {
                        let child = inner.ident.to_string();
                        let beside = folder.join(format!("{child}.rs"));
                        let inside = folder.join(&child).join("mod.rs");
                        let file = if beside.exists() { beside } else { inside };
                        self.read([&name[..], &[child]].concat(), &file)?;
                    }
                }
                Item::Mod(inner) if is_test(&inner.attrs) => {}
                Item::Use(item) => imported(&item.tree, &[], &mut module.imports),
                item => named(item.to_token_stream(), &mut module.paths),
            }
        }
        module.paths.extend(module.imports.values().cloned());
        self.0.insert(name, module);
        Ok(())
    }

    /// The innermost module that a path in a module leads to; none if it leads out of the crate.
    fn resolve(&self, at: &[String], path: &[String], depth: usize) -> Option<Names> {
        let mut to = at.to_vec();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => {
                to.clear();
                rest = &path[1..];
            }
            "self" => rest = &path[1..],
            "super" => {
                while let Some(("super", after)) =
                    rest.split_first().map(|(first, after)| (&**first, after))
                {
                    to.pop();
                    rest = after;
                }
            }
            first if self.has(at, first) => {}
            first => {
                let import = self.0[at].imports.get(first)?;
                // A name that is imported under itself, from another crate.
                if depth > 8 || import[0] == first {
                    return None;
                }
                let whole = [&import[..], &path[1..]].concat();
                return self.resolve(at, &whole, depth + 1);
            }
        }
        while let Some((first, after)) = rest.split_first() {
            if self.has(&to, first) {
                to.push(first.clone());
                rest = after;
                continue;
            }
            // What a module passes on is what it imports.
            let passed = self.0.get(&to)?.imports.get(first);
            if let Some(import) = passed.filter(|_| to != at && depth < 8) {
                let whole = [&import[..], after].concat();
                if let Some(found) = self.resolve(&to, &whole, depth + 1) {
                    return Some(found);
                }
            }
            break;
        }
        Some(to)
    }

    fn has(&self, module: &[String], child: &str) -> bool {
        self.0.contains_key(&[module, &[child.to_owned()]].concat())
    }

    /// What the modules of each folder need of each other.
    fn needs(&self) -> BTreeMap<Names, Needs> {
        let mut needs: BTreeMap<Names, Needs> = BTreeMap::new();
        for (from, module) in &self.0 {
            for path in &module.paths {
                let Some(to) = self.resolve(from, path, 0) else {
                    continue;
                };
                let pairs = from.iter().zip(&to);
                let common = pairs.take_while(|(from, to)| from == to).count();
                if let (Some(one), Some(other)) = (from.get(common), to.get(common)) {
                    let folder = needs.entry(from[..common].to_vec()).or_default();
                    folder.entry(other.clone()).or_default();
                    let others = folder.entry(one.clone()).or_default();
                    let place = format!("`{}` in `{}`", path.join("::"), from.join("/"));
                    others.entry(other.clone()).or_insert(place);
                }
            }
        }
        needs
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    let is = |attribute: &Attribute| {
        attribute.path().is_ident("cfg") && attribute.to_token_stream().to_string().contains("test")
    };
    attributes.iter().any(is)
}

/// The paths of a `use`, by the names that they get.
fn imported(tree: &UseTree, before: &[String], imports: &mut BTreeMap<String, Names>) {
    let with = |name: &dyn ToString| [before, &[name.to_string()]].concat();
    match tree {
        UseTree::Path(path) => imported(&path.tree, &with(&path.ident), imports),
        UseTree::Group(group) => {
            let each = |tree| imported(tree, before, imports);
            group.items.iter().for_each(each);
        }
        UseTree::Name(name) if name.ident == "self" => {
            imports.extend(before.last().map(|last| (last.clone(), before.to_vec())));
        }
        UseTree::Name(name) => {
            imports.insert(name.ident.to_string(), with(&name.ident));
        }
        UseTree::Rename(name) => {
            imports.insert(name.rename.to_string(), with(&name.ident));
        }
        // Whoever imports all needs the module itself.
        UseTree::Glob(_) => {
            imports.insert(format!("{}::*", before.join("::")), before.to_vec());
        }
    }
}

/// The paths in tokens, of two names or more.
fn named(tokens: TokenStream, paths: &mut BTreeSet<Names>) {
    let mut path = Names::new();
    // How many colons stand behind the path.
    let mut colons = 0;
    let mut end = |path: &mut Names| {
        let path = std::mem::take(path);
        if path.len() > 1 && !path[0].is_empty() {
            paths.insert(path);
        }
    };
    let mut groups = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Ident(name) => {
                match (colons, path.is_empty()) {
                    (2, false) => {}
                    // A path that begins outside of the crate.
                    (2, true) => path.push(String::new()),
                    _ => end(&mut path),
                }
                path.push(name.to_string());
                colons = 0;
            }
            TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
            token => {
                end(&mut path);
                colons = 0;
                if let TokenTree::Group(group) = token {
                    groups.push(group.stream());
                }
            }
        }
    }
    end(&mut path);
    groups.into_iter().for_each(|group| named(group, paths));
}
