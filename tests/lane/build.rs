//! Compiles the programs as any user's crate would, and writes a driver for each of their functions.

#[path = "../drivers.rs"]
mod drivers;

fn main() {
    accelerate_build::compile();
    drivers::write();
}
