//! Compiles the programs as any user's crate would, and writes a driver for each of their functions.

#[path = "../drivers.rs"]
mod drivers;

fn main() {
    let mut config = accelerate_build::Config::new();
    // No GPU runs what tests are compiled to: `cargo xtask bundle`, for machines that have one, makes a release build.
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "debug") {
        config = config.nvcc_args(["-Xcicc", "-O0"]);
    }
    config.compile();
    drivers::write();
}
