//! The procedural macro `accelerate!`: the compiler's expansion, with the PTX that the build script left, if it did.

use accelerate_compiler::package::{Crate, Package};
use accelerate_compiler::{Options, Sources, compile};
use proc_macro::{Span, TokenStream};
use std::path::PathBuf;

/// Compiles array programs: a block of items, or `accelerate!(device, |xs: &Vector<f32>| -> f32 { .. })`.
///
/// Each public function becomes an ordinary Rust function of the same name, with a `&Device` in front and its result in
/// `accelerate::Result`. See the documentation of the crate `accelerate`.
#[proc_macro]
pub fn accelerate(tokens: TokenStream) -> TokenStream {
    // Set for packages with a build script only; editors may lack it. Without it the CUDA C is compiled at run time,
    // or the program runs on the CPU.
    let built = std::env::var_os("OUT_DIR").map(|out| PathBuf::from(out).join("accelerate"));
    let exists = |artifact: &str| {
        let built = built.as_ref();
        built.is_some_and(|directory| directory.join(artifact).is_file())
    };
    let tokens = tokens.into();
    let package = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let here = Crate::Named {
        name: std::env::var("CARGO_CRATE_NAME").unwrap_or_default(),
        program: std::env::var_os("CARGO_BIN_NAME").is_some(),
        file: Span::call_site().local_file(),
    };
    let options = Options {
        sources: Sources::read(&tokens, &Package::new(package).reader(here)),
        // The compiler's tests do, for bugs of its own: the programs of users need not pay for it.
        verify: false,
        ..Options::default()
    };
    compile(tokens, &options).expand(exists).into()
}
