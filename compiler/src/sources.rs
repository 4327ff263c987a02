//! What a block is made of besides its tokens: blocks that it imports from, and files of foreign functions. The compiler reads no
//! file: a driver does, and brings the texts.

use crate::foreign::{Files, foreign_files};
use crate::syntax::{Module, Modules, imported_modules};
use proc_macro2::TokenStream;

/// The texts that a block needs.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The blocks of the modules that it imports from, and those that these import from.
    pub modules: Modules,
    /// The files that foreign functions name, from the root of the package.
    pub files: Files,
}

/// Reads for the compiler.
pub trait Reader {
    /// The blocks of a module, or why there are none: `crate::shapes`, or `my_crate::shapes` of the library of the package.
    fn module(&self, path: &str) -> Module;

    /// A file of the package, or why it cannot be read.
    fn file(&self, path: &str) -> Result<String, String>;
}

impl Sources {
    /// All that the tokens of a block need.
    pub fn read(tokens: &TokenStream, reader: &dyn Reader) -> Sources {
        let mut sources = Sources::default();
        sources.files_of(tokens, reader);
        let mut open = imported_modules(tokens, "crate");
        while let Some(path) = open.pop_first() {
            if sources.modules.contains_key(&path) {
                continue;
            }
            let module = reader.module(&path);
            let root = path.split("::").next().unwrap_or(&path);
            for text in module.iter().flatten() {
                let tokens = text.parse::<TokenStream>().unwrap_or_default();
                open.extend(imported_modules(&tokens, root));
                sources.files_of(&tokens, reader);
            }
            sources.modules.insert(path, module);
        }
        sources
    }

    fn files_of(&mut self, tokens: &TokenStream, reader: &dyn Reader) {
        for file in foreign_files(tokens) {
            let text = reader.file(&file);
            self.files.insert(file, text);
        }
    }
}
