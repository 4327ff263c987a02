//! What nvcc is called with, but for files: for builds, and for whoever looks at what it makes of the same.

/// Floats must have the bits that Rust gives them: nothing is contracted or flushed to zero, divisions and roots are
/// rounded correctly.
const FIXED: [&str; 7] = [
    "-ptx",
    "-std=c++17",
    "-O3",
    "-fmad=false",
    "-ftz=false",
    "-prec-div=true",
    "-prec-sqrt=true",
];

/// The arguments for an architecture, `80` for example.
pub(crate) fn flags(arch: &str) -> Vec<String> {
    let arch = format!("-arch=compute_{arch}");
    let fixed = FIXED.iter().map(|&flag| flag.to_owned());
    std::iter::once(arch).chain(fixed).collect()
}
