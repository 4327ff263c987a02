//! Programs after each pass, for people to read: `ACCELERATE_DUMP` names the passes, or says `all`.
//!
//! In: what the compiler tells of its passes. Out: for each function and pass the program as the pass has last left it, below
//! the rules that it applied then.

use accelerate_compiler::ir::Program;
use accelerate_compiler::pass::Fired;
use accelerate_compiler::{Observer, PASSES};
use anyhow::{Result, bail};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What may be named besides passes: programs as lowered, and the Rust of the CPU and the host, which takes longer to write than
/// all else.
const LOWERED: &str = "lower";
pub(crate) const RUST: &str = "rust";

/// The passes to dump.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Wanted {
    #[default]
    Nothing,
    All,
    Passes(Vec<String>),
}

impl Wanted {
    /// As the variable has it.
    pub(crate) fn parse(text: &str) -> Result<Wanted> {
        let names: Vec<&str> = text.split(',').map(str::trim).collect();
        match names[..] {
            [""] => return Ok(Wanted::Nothing),
            ["all"] => return Ok(Wanted::All),
            _ => {}
        }
        let passes = PASSES.into_iter().flatten().map(|pass| pass.name);
        let known: Vec<&str> = [LOWERED, RUST].into_iter().chain(passes).collect();
        if let Some(name) = names.iter().find(|name| !known.contains(name)) {
            let known = known.join("`, `");
            bail!("ACCELERATE_DUMP names `{name}`: expected `all`, or some of `{known}`");
        }
        Ok(Wanted::Passes(
            names.into_iter().map(str::to_owned).collect(),
        ))
    }

    /// Whether this is to be written.
    pub(crate) fn holds(&self, pass: &str) -> bool {
        match self {
            Wanted::Nothing => false,
            Wanted::All => true,
            Wanted::Passes(names) => names.iter().any(|name| name == pass),
        }
    }
}

/// Texts by function and pass.
pub(crate) type Texts = BTreeMap<String, BTreeMap<&'static str, String>>;

/// Keeps the texts that are wanted, and passes all else on.
pub(crate) struct Dump<'a, O> {
    pub(crate) wanted: &'a Wanted,
    pub(crate) texts: Texts,
    pub(crate) observer: O,
}

impl<O: Observer> Observer for Dump<'_, O> {
    fn begin(&mut self, function: Option<&str>, stage: &'static str) {
        self.observer.begin(function, stage);
    }

    fn after(&mut self, function: &str, pass: &'static str, program: &Program, fired: &Fired) {
        if self.wanted.holds(pass) {
            let mut text = format!("// after `{pass}`\n");
            for (rule, count) in fired.rules() {
                writeln!(text, "// {count} times {rule}").expect("a string takes all");
            }
            write!(text, "{program}").expect("a string takes all");
            let texts = self.texts.entry(function.to_owned()).or_default();
            texts.insert(pass, text);
        }
        self.observer.after(function, pass, program, fired);
    }

    fn end(&mut self) {
        self.observer.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use accelerate_compiler::{Options, compile_observed};

    fn dumped(wanted: &str) -> Texts {
        let mut dump = Dump {
            wanted: &Wanted::parse(wanted).expect("names"),
            texts: Texts::new(),
            observer: (),
        };
        let text = "pub fn f(xs: &Vector<f32>) -> f32 { xs.map(|x| x - 0.0).sum() }";
        let tokens = text.parse().expect("tokens");
        compile_observed(tokens, &Options::default(), &mut dump);
        dump.texts
    }

    #[test]
    fn passes_leave_their_programs() {
        assert!(dumped("").is_empty());
        let texts = dumped("simplify, inline");
        let names: Vec<&str> = texts["f"].keys().copied().collect();
        assert_eq!(names, ["inline", "simplify"]);
        let all = &dumped("all")["f"];
        assert_eq!(all.len(), 1 + PASSES.into_iter().flatten().count());
        assert!(all["lower"].contains("- 0.0_f32"), "{}", all["lower"]);
        assert!(
            !all["simplify"].contains("- 0.0_f32"),
            "{}",
            all["simplify"]
        );
        let error = Wanted::parse("inlining").expect_err("no pass").to_string();
        assert!(error.contains("`inline`"), "{error}");
    }
}
