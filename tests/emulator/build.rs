//! Builds the emulated CUDA device into `OUT_DIR/emulator`.

mod library;

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=native");
    println!("cargo::rerun-if-changed=library.rs");
    println!("cargo::rerun-if-env-changed=CXX");
    let out = std::env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    // Without g++ the suites that need the device are skipped, with this text as the reason.
    match library::build(Path::new("native"), &Path::new(&out).join("emulator"), &[]) {
        Ok(library) => {
            println!(
                "cargo::rustc-env=ACCELERATE_EMULATOR_LIBRARY={}",
                library.display()
            );
            println!("cargo::rustc-env=ACCELERATE_EMULATOR_PROBLEM=");
        }
        Err(problem) => {
            let line = problem.lines().take(3).collect::<Vec<_>>().join(" ");
            println!("cargo::warning=no emulated CUDA device: {line}");
            println!("cargo::rustc-env=ACCELERATE_EMULATOR_LIBRARY=");
            println!("cargo::rustc-env=ACCELERATE_EMULATOR_PROBLEM={line}");
        }
    }
}
