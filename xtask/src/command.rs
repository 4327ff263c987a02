//! Starting other programs: told on standard error, with the workspace as their folder.

use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent()
        .expect("xtask lies in the workspace")
        .to_owned()
}

/// A program to be run in the workspace.
pub(crate) fn command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root());
    command
}

/// `cargo` with arguments.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut cargo = command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(arguments);
    cargo
}

/// The command as one would type it.
pub(crate) fn text(command: &Command) -> String {
    let program = Path::new(command.get_program())
        .file_name()
        .unwrap_or_default();
    let mut text = program.to_string_lossy().into_owned();
    for argument in command.get_args() {
        text.push(' ');
        text.push_str(&argument.to_string_lossy());
    }
    text
}

/// Runs a command to its end; whether it succeeded.
pub(crate) fn succeeds(command: &mut Command) -> Result<bool> {
    eprintln!("$ {}", text(command));
    let status = command
        .status()
        .with_context(|| format!("cannot start {}", text(command)))?;
    Ok(status.success())
}

/// Runs a command that must succeed.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    if !succeeds(command)? {
        bail!("`{}` failed", text(command));
    }
    Ok(())
}

/// Runs a command, passing its standard output on, line by line, to `each`; whether it succeeded.
pub(crate) fn watch(command: &mut Command, mut each: impl FnMut(&str)) -> Result<bool> {
    eprintln!("$ {}", text(command));
    let name = text(command);
    let child = command.stdout(Stdio::piped()).spawn();
    let mut child = child.with_context(|| format!("cannot start {name}"))?;
    let output = child.stdout.take().context("its output is piped")?;
    for line in BufReader::new(output).lines() {
        each(&line.context("the output of a command is not UTF-8")?);
    }
    Ok(child.wait()?.success())
}

/// What a build made, told by cargo's messages.
#[derive(Default)]
pub(crate) struct Built {
    /// Programs and examples, by the name of their target.
    pub(crate) executables: Vec<(String, PathBuf)>,
    /// Tests, likewise.
    pub(crate) tests: Vec<(String, PathBuf)>,
    /// Output folders of build scripts.
    pub(crate) outputs: Vec<PathBuf>,
}

/// Builds with cargo; `arguments` without a message format.
pub(crate) fn build(arguments: &[&str]) -> Result<Built> {
    run_build(cargo(arguments))
}

/// Runs a build of cargo's.
pub(crate) fn run_build(mut cargo: Command) -> Result<Built> {
    cargo.arg("--message-format=json-render-diagnostics");
    let mut built = Built::default();
    let succeeded = watch(&mut cargo, |line| {
        let reason = field(line, "reason").unwrap_or_default();
        if reason == "compiler-artifact" {
            // `target` comes before `executable`; its name is the first after it.
            let target = line.split_once("\"target\":").map_or("", |(_, rest)| rest);
            if let (Some(name), Some(path)) = (field(target, "name"), field(line, "executable")) {
                // So is `profile`, of whose fields this is one; there is one in `target`, too.
                let profile = line.split_once("\"profile\":").map_or("", |(_, rest)| rest);
                let found = match profile.contains("\"test\":true") {
                    true => &mut built.tests,
                    false => &mut built.executables,
                };
                found.push((name, path.into()));
            }
        } else if reason == "build-script-executed" {
            built
                .outputs
                .extend(field(line, "out_dir").map(PathBuf::from));
        }
    })?;
    if !succeeded {
        bail!("`{}` failed", text(&cargo));
    }
    Ok(built)
}

impl Built {
    /// The executable of a target.
    pub(crate) fn executable(&self, name: &str) -> Result<&Path> {
        let found = self
            .executables
            .iter()
            .rev()
            .find(|(target, _)| target == name);
        let (_, path) = found.with_context(|| format!("cargo built no `{name}`"))?;
        Ok(path)
    }
}

/// The first text field of this name in a line of JSON. Enough for cargo's messages, whose paths and names need no escapes
/// other than `\\` and `\"`.
fn field(line: &str, name: &str) -> Option<String> {
    let (_, rest) = line.split_once(&format!("\"{name}\":\""))?;
    let mut value = String::new();
    let mut characters = rest.chars();
    loop {
        match characters.next()? {
            '"' => return Some(value),
            '\\' => value.push(characters.next()?),
            character => value.push(character),
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn fields_are_read_from_messages() {
        let line = r#"{"reason":"compiler-artifact","target":{"name":"photo"},"executable":"/a \"b\"/photo"}"#;
        assert_eq!(super::field(line, "name").as_deref(), Some("photo"));
        assert_eq!(
            super::field(line, "executable").as_deref(),
            Some("/a \"b\"/photo")
        );
        assert_eq!(super::field(line, "out_dir"), None);
    }
}
