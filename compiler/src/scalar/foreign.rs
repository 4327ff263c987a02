//! Device functions that users have written in CUDA C.

use super::Leaf;
use std::hash::{Hash, Hasher};

/// A function of a file. Equal ones have one [`Foreign::id`].
#[derive(Clone, Debug)]
pub struct Foreign {
    /// Its name, in the file too.
    pub name: String,
    /// The path of the file from the root of the package.
    pub file: String,
    /// What stands in the file.
    pub text: String,
    /// The types of its parameters.
    pub parameters: Vec<Leaf>,
    /// The type of its result.
    pub result: Leaf,
    id: u64,
}

impl Foreign {
    /// The function of this name in a file with this text.
    pub fn new(
        name: &str,
        (file, text): (&str, &str),
        parameters: Vec<Leaf>,
        result: Leaf,
    ) -> Foreign {
        let mut id = fnv(0, name.bytes().chain([0]));
        id = fnv(id, file.bytes().chain([0]).chain(text.bytes()));
        id = fnv(id, parameters.iter().map(|&leaf| leaf as u8));
        id = fnv(id, [result as u8]);
        Foreign {
            name: name.to_owned(),
            file: file.to_owned(),
            text: text.to_owned(),
            parameters,
            result,
            id,
        }
    }

    /// A number that no other function has: of its name, its types and the file.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The namespace of the file: one of its own for each text, named after the file.
    pub fn namespace(&self) -> String {
        let stem = self.file.rsplit('/').next().unwrap_or_default();
        let stem = stem.split('.').next().unwrap_or_default();
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let stem: String = stem.chars().map(plain).collect();
        let hash = fnv(0, self.file.bytes().chain([0]).chain(self.text.bytes()));
        format!("foreign_{stem}_{hash:016x}").replace("__", "_")
    }
}

/// FNV-1a of some bytes, after those that gave `hash`.
fn fnv(hash: u64, bytes: impl IntoIterator<Item = u8>) -> u64 {
    let basis = 0xcbf2_9ce4_8422_2325 ^ hash;
    bytes.into_iter().fold(basis, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

impl PartialEq for Foreign {
    fn eq(&self, other: &Foreign) -> bool {
        self.id == other.id
    }
}

impl Eq for Foreign {}

impl Hash for Foreign {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}
