//! The targets of a package: where cargo looks by itself, and what the manifest names.

use std::path::{Path, PathBuf};

/// What cargo makes one crate of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Target {
    pub(super) kind: Kind,
    /// As crates are named: `my_crate`.
    pub(super) name: String,
    /// Its root file.
    pub(super) root: PathBuf,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Library,
    Program,
    Example,
    Test,
    Bench,
}

/// The sections of the manifest, and the folders of targets.
const KINDS: [(&str, Kind, &str); 5] = [
    ("[lib]", Kind::Library, ""),
    ("[[bin]]", Kind::Program, "src/bin"),
    ("[[example]]", Kind::Example, "examples"),
    ("[[test]]", Kind::Test, "tests"),
    ("[[bench]]", Kind::Bench, "benches"),
];

/// Every target whose root file is there.
pub(super) fn all(package: &Path) -> Vec<Target> {
    let manifest = std::fs::read_to_string(package.join("Cargo.toml")).unwrap_or_default();
    let sections = sections(&manifest);
    let named = |header: &'static str| {
        sections
            .iter()
            .filter(move |section| section.header == header)
    };
    let own = named("[package]").find_map(|section| section.name.clone());
    let own = own.unwrap_or_default();
    let mut targets = Vec::new();
    let mut add = |kind, name: &str, root: PathBuf| {
        let target = Target {
            kind,
            name: name.replace('-', "_"),
            root,
        };
        let known = |other: &Target| other.kind == kind && other.root == target.root;
        if target.root.is_file() && !targets.iter().any(known) {
            targets.push(target);
        }
    };
    for (header, kind, folder) in KINDS {
        for section in named(header) {
            let name = section.name.as_ref().unwrap_or(&own);
            match (&section.path, kind) {
                (Some(path), _) => add(kind, name, package.join(path)),
                (None, Kind::Library) => add(kind, name, package.join("src/lib.rs")),
                // Where cargo looks by itself.
                (None, _) => {}
            }
        }
        if folder.is_empty() {
            continue;
        }
        let entries = std::fs::read_dir(package.join(folder)).into_iter();
        let mut paths: Vec<PathBuf> = (entries.flatten().flatten())
            .map(|entry| entry.path())
            .collect();
        paths.sort();
        for path in paths {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            if path.is_dir() {
                add(kind, &name, path.join("main.rs"));
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                add(kind, &name, path.clone());
            }
        }
    }
    add(Kind::Library, &own, package.join("src/lib.rs"));
    add(Kind::Program, &own, package.join("src/main.rs"));
    targets
}

/// A part of a manifest.
struct Section {
    header: String,
    name: Option<String>,
    path: Option<String>,
}

fn sections(manifest: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            let end = line.rfind(']').map_or(line.len(), |end| end + 1);
            sections.push(Section {
                header: line[..end].to_owned(),
                name: None,
                path: None,
            });
        } else if let (Some(section), Some((key, value))) =
            (sections.last_mut(), line.split_once('='))
        {
            let value = value.trim().split(['"', '\'']).nth(1).map(str::to_owned);
            match key.trim() {
                "name" => section.name = value,
                "path" => section.path = value,
                _ => {}
            }
        }
    }
    sections
}
