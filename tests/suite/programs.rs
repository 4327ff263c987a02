//! The programs of both crates, as one list.

use harness::corpus::Driver;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

/// Every public function of the corpus, by name.
pub(crate) static DRIVERS: LazyLock<Vec<Driver>> = LazyLock::new(|| {
    let mut drivers = [lane::DRIVERS, versions::DRIVERS].concat();
    drivers.sort_by_key(|driver| driver.program);
    drivers
});

/// Where the build scripts left PTX and CUDA C.
pub(crate) fn artifacts() -> BTreeSet<&'static Path> {
    let folders = DRIVERS.iter().map(|driver| Path::new(driver.artifacts));
    folders.collect()
}

/// Whether there was an nvcc for the build scripts.
pub(crate) fn has_ptx() -> bool {
    let entries = artifacts().into_iter().flat_map(fs::read_dir).flatten();
    let mut files = entries.flatten().map(|entry| entry.path());
    files.any(|path| path.extension().is_some_and(|end| end == "images"))
}
