//! Which programs are compiled in versions for all instruction sets: enough of them that each operation of lanes is in
//! one. The others are compiled for a single lane, in half of the time.

use crate::programs::DRIVERS;
use crate::report::Report;
use crate::stages;
use std::collections::BTreeSet;

/// Asks it of the expansions.
pub(crate) fn run(report: &mut Report) {
    if report.wants("structure") && report.selects("") {
        report.case("structure", "versions", check);
    }
}

fn check() -> Result<(), String> {
    let mut covered = BTreeSet::new();
    for driver in versions::DRIVERS {
        covered.extend(&stages::of(driver)?.calls);
    }
    if covered.is_empty() {
        return Err("no program calls a function of the runtime".to_owned());
    }
    for driver in DRIVERS.iter() {
        let calls = &stages::of(driver)?.calls;
        if let Some(word) = calls.iter().find(|word| !covered.contains(word)) {
            let program = driver.program;
            return Err(format!(
                "`{word}` of `{program}` is in no program of `tests/versions`: move it there"
            ));
        }
    }
    Ok(())
}
