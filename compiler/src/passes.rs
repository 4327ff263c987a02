//! The middle end: every pass on programs in one list, and the names by which parts of it are switched off.

use crate::fuse;
use crate::options::Options;
use crate::pass::{self, Pass};

/// All passes on programs, in order, in groups: those of the first run in rounds until nothing changes, those of the second
/// once, before kernels are made.
pub const PASSES: [&[Pass]; 2] = [pass::SIMPLIFY, fuse::PREPARE];

/// A part of the planner that may be left out.
type Part = (&'static str, fn(&mut Options) -> &mut bool);

/// What may be switched off besides passes.
const PARTS: [Part; 5] = [
    ("vertical", |options| &mut options.vertical),
    ("horizontal", |options| &mut options.horizontal),
    ("hoist", |options| &mut options.hoist),
    ("collapse", |options| &mut options.collapse),
    ("split", |options| &mut options.split),
];

impl Options {
    /// The names that [`Options::switch_off`] knows.
    pub fn switches() -> impl Iterator<Item = &'static str> {
        let optional = PASSES.into_iter().flatten().filter(|pass| pass.optional);
        (optional.map(|pass| pass.name)).chain(PARTS.iter().map(|(name, _)| *name))
    }

    /// Leaves out a pass or a part of the planner.
    ///
    /// # Errors
    /// There is none of this name, or programs are not right without it.
    pub fn switch_off(&mut self, name: &str) -> Result<(), String> {
        if let Some((_, part)) = PARTS.iter().find(|(part, _)| *part == name) {
            *part(self) = false;
            return Ok(());
        }
        let pass = PASSES.into_iter().flatten().find(|pass| pass.name == name);
        match pass {
            Some(pass) if pass.optional => {
                self.disabled.insert(pass.name);
                Ok(())
            }
            Some(_) => Err(format!("the pass `{name}` cannot be left out")),
            None => Err(format!("there is no pass `{name}`")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sorted::SortedSet;

    #[test]
    fn switches_have_names_of_their_own() {
        let mut names = SortedSet::new();
        let passes = PASSES.into_iter().flatten().map(|pass| pass.name);
        for name in passes.chain(PARTS.iter().map(|(name, _)| *name)) {
            assert!(names.insert(name), "{name}");
        }
        for name in Options::switches() {
            assert_eq!(Options::default().switch_off(name), Ok(()));
        }
        assert!(Options::default().switch_off("inline").is_err());
        assert!(Options::default().switch_off("nothing").is_err());
    }
}
