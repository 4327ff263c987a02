//! Compiles the programs as any user's crate would.

fn main() {
    accelerate_build::compile();
}
