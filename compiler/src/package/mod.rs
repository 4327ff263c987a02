//! The sources of a package, for drivers: which `accelerate!` blocks it has, and what a block imports from others. No stage of
//! the compiler reads a file; this does.

mod scan;
mod targets;

use crate::sorted::SortedSet;
use crate::sources::Reader;
use proc_macro2::TokenStream;
use scan::Scan;
use std::path::{Path, PathBuf};
use targets::{Kind, Target};

/// A package by its directory, in which its `Cargo.toml` lies.
#[derive(Clone, Debug)]
pub struct Package {
    directory: PathBuf,
}

/// The `accelerate!` blocks of a package.
#[derive(Default)]
pub struct Found {
    /// Each block once.
    pub blocks: Vec<Block>,
    /// Files and directories whose change means to look again.
    pub watched: SortedSet<PathBuf>,
}

/// A block of a package.
pub struct Block {
    /// What stands in it.
    pub tokens: TokenStream,
    /// The file in which it stands.
    pub file: PathBuf,
    /// The root file of the target in which it was found first.
    pub root: PathBuf,
    /// The names of the modules around it, from the root; nothing inside of a function, or of another macro.
    module: Option<Vec<String>>,
}

/// The crate in which a block stands.
#[derive(Clone, Debug)]
pub enum Crate {
    /// By its root file.
    Root(PathBuf),
    /// By what cargo tells a compiler.
    Named {
        /// `CARGO_CRATE_NAME`
        name: String,
        /// Whether it is a program or an example: whether there is a `CARGO_BIN_NAME`.
        program: bool,
        /// The file of the block, if it is known.
        file: Option<PathBuf>,
    },
}

impl Package {
    /// The package of a directory.
    pub fn new(directory: impl Into<PathBuf>) -> Package {
        Package {
            directory: directory.into(),
        }
    }

    /// Every block, of all targets.
    pub fn blocks(&self) -> Found {
        let mut scan = Scan::default();
        // A directory is watched with all its files: new targets are seen, too.
        for name in [
            "src",
            "examples",
            "tests",
            "benches",
            "build.rs",
            "Cargo.toml",
        ] {
            let path = self.directory.join(name);
            if path.exists() {
                scan.found.watched.insert(path);
            }
        }
        let roots: SortedSet<PathBuf> = (targets::all(&self.directory).into_iter())
            .map(|target| target.root)
            .collect();
        for root in &roots {
            scan.target(root, &self.directory);
        }
        scan.found
    }

    /// Reads what blocks of a crate of the package need.
    pub fn reader(&self, of: Crate) -> impl Reader + use<> {
        Sources {
            package: self.clone(),
            of,
        }
    }

    /// The blocks that stand in a module of a target; `None` if there is no such module.
    fn module(&self, root: &Path, module: &[String]) -> Option<Vec<String>> {
        let mut scan = Scan::default();
        scan.wanted = Some(module.to_vec());
        scan.target(root, &self.directory);
        let here = |block: &&Block| block.module.as_deref() == Some(module);
        let blocks = scan.found.blocks.iter().filter(here);
        let texts = blocks.map(|block| block.tokens.to_string()).collect();
        scan.reached.then_some(texts)
    }

    /// The root file of a crate.
    fn root(&self, of: &Crate, targets: &[Target]) -> Option<PathBuf> {
        let (name, program, file) = match of {
            Crate::Root(root) => return Some(root.clone()),
            Crate::Named {
                name,
                program,
                file,
            } => (name, *program, file),
        };
        let fits = |target: &&Target| {
            let of_program = matches!(target.kind, Kind::Program | Kind::Example);
            target.name == *name && of_program == program
        };
        let fitting: Vec<&Target> = targets.iter().filter(fits).collect();
        let holds = |target: &&&Target| {
            let mut scan = Scan::default();
            scan.target(&target.root, &self.directory);
            let file = file.as_ref().and_then(|file| file.canonicalize().ok());
            file.is_some_and(|file| scan.visited.contains(&file))
        };
        let found = match fitting.len() {
            0 | 1 => fitting.first(),
            _ => fitting.iter().find(holds).or(fitting.first()),
        };
        found.map(|target| target.root.clone())
    }
}

/// See [`Package::reader`].
struct Sources {
    package: Package,
    of: Crate,
}

impl Reader for Sources {
    fn module(&self, path: &str) -> Result<Vec<String>, String> {
        let mut words = path.split("::").map(str::to_owned);
        let first = words.next().unwrap_or_default();
        let module: Vec<String> = words.collect();
        let targets = targets::all(&self.package.directory);
        let of_library = |target: &&Target| target.kind == Kind::Library && target.name == first;
        let root = match &*first {
            "crate" => self.package.root(&self.of, &targets),
            _ => (targets.iter().find(of_library)).map(|target| target.root.clone()),
        };
        let Some(root) = root else {
            return Err(match &*first {
                "crate" => "the file of this crate is not known".to_owned(),
                _ => format!("`{first}` is another package"),
            });
        };
        let found = self.package.module(&root, &module);
        found.ok_or_else(|| format!("there is no module `{path}`"))
    }

    fn file(&self, path: &str) -> Result<String, String> {
        let path = self.package.directory.join(path);
        std::fs::read_to_string(path).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests;
