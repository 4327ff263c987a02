//! Programs from text.

use accelerate_compiler::diag::Errors;
use accelerate_compiler::ir::Program;
use accelerate_compiler::typed::Host;
use accelerate_compiler::{check, lower, syntax};

/// The public function of a block, lowered.
pub(super) fn program(block: &str) -> Program {
    let mut errors = Errors::default();
    let tokens = block.parse().expect("tokens");
    let parsed = syntax::parse(tokens, &syntax::Modules::new(), &mut errors);
    let checked = check::check(&parsed, &mut errors);
    let errors: Vec<String> = errors.into_vec().into_iter().map(|e| e.message).collect();
    assert!(errors.is_empty(), "{block}\n{}", errors.join("; "));
    let mut functions = checked.functions.iter();
    let public = functions.position(|function| !matches!(function.host, Host::Helper));
    match lower::lower(&checked, public.expect("a public function")) {
        Ok((program, _)) => program,
        Err(errors) => {
            let errors: Vec<String> = errors.into_iter().map(|e| e.message).collect();
            panic!("{block}\n{}", errors.join("; "))
        }
    }
}
