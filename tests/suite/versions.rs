//! Which programs are compiled in versions for all instruction sets: enough of them that each operation of lanes is in
//! one. The others are compiled for a single lane, in half of the time.

use crate::programs::DRIVERS;
use crate::report::Report;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Asks it of the expansions, as the snapshots have them.
pub(crate) fn run(report: &mut Report) {
    if report.wants("structure") && report.selects("") {
        report.case("structure", "versions", check);
    }
}

fn check() -> Result<(), String> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let functions: BTreeSet<String> = ["cpu", "lanes", "math"]
        .into_iter()
        .flat_map(|folder| sources(&here.join("../../runtime/src").join(folder)))
        .flat_map(|text| words(&text, "fn ").map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let called = |program: &str| {
        let path = here.join(format!("../snapshots/{program}.rust.snap"));
        let text = fs::read_to_string(path).unwrap_or_default();
        let words: BTreeSet<&str> = words(&text, "::").chain(methods(&text)).collect();
        let called = words.into_iter().filter(|&word| functions.contains(word));
        called.map(str::to_owned).collect::<BTreeSet<String>>()
    };
    let covered: BTreeSet<String> = versions::DRIVERS
        .iter()
        .flat_map(|driver| called(driver.program))
        .collect();
    if covered.is_empty() {
        return Err("no program calls a function of the runtime".to_owned());
    }
    for driver in DRIVERS.iter() {
        if let Some(word) = called(driver.program).difference(&covered).next() {
            let program = driver.program;
            return Err(format!(
                "`{word}` of `{program}` is in no program of `tests/versions`: move it there"
            ));
        }
    }
    Ok(())
}

/// The texts of the Rust files of a folder.
fn sources(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| fs::read_to_string(entry.path()).ok())
        .collect()
}

/// The words that follow a text.
fn words<'t>(text: &'t str, after: &str) -> impl Iterator<Item = &'t str> {
    text.split(after).skip(1).map(|rest| {
        let end = rest.find(|symbol: char| !symbol.is_alphanumeric() && symbol != '_');
        &rest[..end.unwrap_or(rest.len())]
    })
}

/// The methods that a text calls; what else follows a point is a field.
fn methods(text: &str) -> impl Iterator<Item = &str> {
    text.split('.').skip(1).filter_map(|rest| {
        let end = rest.find(|symbol: char| !symbol.is_alphanumeric() && symbol != '_')?;
        let called = ["(", "::"]
            .iter()
            .any(|after| rest[end..].starts_with(after));
        called.then_some(&rest[..end])
    })
}
