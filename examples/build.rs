//! Compiles the kernels of every `accelerate!` block of this package to PTX.

fn main() {
    accelerate_build::compile();
}
