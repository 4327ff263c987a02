//! Programs from text.

use accelerate_compiler::diag::{Diagnostic, Errors};
use accelerate_compiler::ir::Program;
use accelerate_compiler::lower::lower;
use accelerate_compiler::typed::Host;
use accelerate_compiler::{check, syntax};

/// Lowers the only public function of a block.
pub(crate) fn try_lower(source: &str) -> Result<Program, Vec<Diagnostic>> {
    let tokens = source.parse().expect("tokens");
    let mut errors = Errors::default();
    let parsed = syntax::parse(tokens, &syntax::Modules::new(), &mut errors);
    let block = check::check(&parsed, &mut errors);
    let errors = errors.into_vec();
    if !errors.is_empty() {
        let messages: Vec<String> = errors.into_iter().map(|error| error.message).collect();
        panic!("{source}\n{}", messages.join("\n"));
    }
    let public = block
        .functions
        .iter()
        .position(|function| !matches!(function.host, Host::Helper));
    lower(&block, public.expect("a public function")).map(|(program, _)| program)
}

/// The same of a block without errors.
pub(crate) fn program(source: &str) -> Program {
    match try_lower(source) {
        Ok(program) => program,
        Err(errors) => panic!("{source}\n{:?}", errors[0].message),
    }
}
