//! What the suite has assembled already: its tier `nvcc+ptxas` keeps what ptxas says of the programs that it measures.

use crate::command::root;
use std::fs;
use std::path::PathBuf;

/// Where build scripts leave CUDA C with its PTX, and the suite what ptxas says.
const BUILT: &str = "target/debug/build";
const SAID: &str = "target/tmp/ptxas";
/// Packages of the corpus.
const CORPUS: [&str; 2] = ["accelerate-rs-lane-", "accelerate-rs-versions-"];

/// What ptxas said of the PTX of this source, and that, if the suite has come to it.
pub(super) fn assembled(source: &str) -> Option<(String, String)> {
    let same = |path: &PathBuf| {
        path.extension().is_some_and(|end| end == "cu")
            && fs::read_to_string(path).is_ok_and(|text| text.trim_end() == source.trim_end())
    };
    let source = folders().flat_map(files).find(same)?;
    let said = root()
        .join(SAID)
        .join(source.with_extension("txt").file_name()?);
    let messages = fs::read_to_string(said).ok()?;
    Some((
        messages,
        fs::read_to_string(source.with_extension("images")).ok()?,
    ))
}

fn folders() -> impl Iterator<Item = PathBuf> {
    let of_corpus = |folder: &PathBuf| {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        CORPUS.iter().any(|package| name.starts_with(package))
    };
    let folders = files(root().join(BUILT)).filter(of_corpus);
    folders.map(|folder| folder.join("out/accelerate"))
}

fn files(folder: PathBuf) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path())
}
