//! Part of whatever reads the corpus: where its programs lie.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The files of all programs in the folders of `corpus`, by name.
///
/// # Panics
/// If it cannot be read, or two programs have one name.
pub(crate) fn programs(corpus: &Path) -> BTreeMap<String, PathBuf> {
    let mut found = BTreeMap::new();
    let mut folders = vec![corpus.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder);
        let entries = entries.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for entry in entries {
            let path = entry.expect("an entry of a folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.file_stem().unwrap_or_default().to_string_lossy();
                let before = found.insert(name.into_owned(), path.clone());
                assert!(
                    before.is_none(),
                    "{} has the name of another",
                    path.display()
                );
            }
        }
    }
    found
}
