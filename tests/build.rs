//! Compiles the corpus as any user's crate would, and writes a driver for each of its functions.

mod drivers;

use std::path::Path;

fn main() {
    accelerate_build::compile();
    println!("cargo::rerun-if-changed=drivers.rs");
    let [root, out] =
        ["CARGO_MANIFEST_DIR", "OUT_DIR"].map(|name| std::env::var(name).expect("cargo sets it"));
    drivers::write(Path::new(&root), Path::new(&out));
}
