//! Compiles the kernels to PTX, and writes `target/accelerate/accelerate-rs-from-c/accelerate-rs-from-c.h`.

fn main() {
    accelerate_build::compile();
}
