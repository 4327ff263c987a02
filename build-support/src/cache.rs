//! PTX and cubins by content: an unchanged kernel is never compiled twice, whichever profile or package asks.

use anyhow::{Context, Result};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// A directory of files named by a hash of what they were made from.
pub(crate) struct Cache {
    directory: PathBuf,
}

/// What something is made from.
pub(crate) struct Key(String);

impl Key {
    /// A key of 128 bits of the parts.
    pub(crate) fn new(parts: &[&str]) -> Key {
        let hash = |seed: u8| {
            let mut hasher = DefaultHasher::new();
            (seed, parts).hash(&mut hasher);
            hasher.finish()
        };
        Key(format!("{:016x}{:016x}", hash(1), hash(2)))
    }
}

impl Cache {
    pub(crate) fn new(directory: PathBuf) -> Cache {
        Cache { directory }
    }

    fn path(&self, key: &Key) -> PathBuf {
        self.directory.join(&key.0)
    }

    /// What was stored under the key.
    pub(crate) fn get(&self, key: &Key) -> Option<Vec<u8>> {
        std::fs::read(self.path(key)).ok()
    }

    /// The same, if it is text.
    pub(crate) fn text(&self, key: &Key) -> Option<String> {
        String::from_utf8(self.get(key)?).ok()
    }

    /// Stores. Several build scripts may do so at once: a file appears whole or not at all.
    pub(crate) fn put(&self, key: &Key, content: &[u8]) -> Result<()> {
        let path = self.path(key);
        let whole = || {
            std::fs::create_dir_all(&self.directory)?;
            let part = path.with_extension(std::process::id().to_string());
            std::fs::write(&part, content)?;
            std::fs::rename(&part, &path)
        };
        whole().with_context(|| format!("cannot write {}", path.display()))
    }

    /// Makes something in a directory of its own.
    pub(crate) fn in_scratch<T>(
        &self,
        key: &Key,
        make: impl FnOnce(&Path) -> Result<T>,
    ) -> Result<T> {
        let scratch = self.scratch(key)?;
        let outcome = make(&scratch);
        // The outcome does not depend on whether the temporary directory can be removed.
        let _ = std::fs::remove_dir_all(&scratch);
        outcome
    }

    /// A directory for the files of one compilation.
    fn scratch(&self, key: &Key) -> Result<PathBuf> {
        let path = self
            .directory
            .join(format!("{}.{}.tmp", key.0, std::process::id()));
        std::fs::create_dir_all(&path)
            .with_context(|| format!("cannot make {}", path.display()))?;
        Ok(path)
    }
}
