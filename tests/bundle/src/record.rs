//! What was found, written after each step.

use crate::driver::Found;
use crate::steps::Plan;
use anyhow::{Context, Result};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// What came of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    Passed,
    Failed(String),
    /// What the machine lacks for it.
    Skipped(String),
    /// No time was left.
    NotRun,
}

impl Outcome {
    fn word(&self) -> &'static str {
        match self {
            Outcome::Passed => "passed",
            Outcome::Failed(_) => "failed",
            Outcome::Skipped(_) => "skipped",
            Outcome::NotRun => "not run",
        }
    }

    fn reason(&self) -> &str {
        match self {
            Outcome::Failed(reason) | Outcome::Skipped(reason) => reason,
            Outcome::Passed => "",
            Outcome::NotRun => "no time left",
        }
    }
}

/// A step that is done.
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) outcome: Outcome,
    pub(crate) seconds: f64,
    /// Lines of tables and totals that it printed.
    pub(crate) told: Vec<String>,
}

impl Line {
    pub(crate) fn of(name: &str, outcome: Outcome) -> Line {
        Line {
            name: name.to_owned(),
            outcome,
            seconds: 0.0,
            told: Vec::new(),
        }
    }
}

/// The files.
pub(crate) struct Record {
    folder: PathBuf,
    plan: Plan,
    found: Option<(i32, String)>,
    lines: Vec<Line>,
    log: File,
}

impl Record {
    pub(crate) fn new(folder: &Path, plan: Plan) -> Result<Record> {
        let path = folder.join(format!("{}-log.txt", plan.name()));
        let log = File::create(&path).with_context(|| path.display().to_string())?;
        Ok(Record {
            folder: folder.to_owned(),
            plan,
            found: None,
            lines: Vec::new(),
            log,
        })
    }

    pub(crate) fn device(&mut self, found: &Found) -> Result<()> {
        let Found { version, device } = found;
        self.log(&format!("driver {version}, {device}"))?;
        self.found = Some((*version, device.clone()));
        self.write()
    }

    /// A line of the log, which whoever looks on sees, too.
    pub(crate) fn log(&mut self, line: &str) -> Result<()> {
        println!("{line}");
        writeln!(self.log, "{line}")?;
        Ok(())
    }

    pub(crate) fn add(&mut self, line: Line) -> Result<()> {
        let (word, reason) = (line.outcome.word(), line.outcome.reason());
        let colon = if reason.is_empty() { "" } else { ": " };
        self.log(&format!("== {}: {word}{colon}{reason}", line.name))?;
        self.lines.push(line);
        self.write()
    }

    /// Whether nothing has failed.
    pub(crate) fn finish(self) -> Result<bool> {
        let failed = |line: &Line| matches!(line.outcome, Outcome::Failed(_));
        Ok(!self.lines.iter().any(failed))
    }

    fn write(&self) -> Result<()> {
        let name = self.plan.name();
        for (file, text) in [
            (format!("{name}-results.json"), self.json()),
            (format!("{name}-table.md"), self.table()),
        ] {
            let path = self.folder.join(file);
            // Whole or not at all, whenever this process ends.
            let part = path.with_extension("part");
            fs::write(&part, text).with_context(|| part.display().to_string())?;
            fs::rename(&part, &path)?;
        }
        Ok(())
    }

    fn json(&self) -> String {
        let (version, device) = self.found.clone().unwrap_or_default();
        let mut text = format!(
            "{{\n  \"command\": {},\n  \"driver\": {version},\n  \"device\": {},\n  \"steps\": [",
            quoted(self.plan.name()),
            quoted(&device)
        );
        for (k, line) in self.lines.iter().enumerate() {
            let told: Vec<String> = line.told.iter().map(|line| quoted(line)).collect();
            let _ = write!(
                text,
                "{}\n    {{\"name\": {}, \"outcome\": {}, \"reason\": {}, \"seconds\": {:.1}, \"told\": [{}]}}",
                if k == 0 { "" } else { "," },
                quoted(&line.name),
                quoted(line.outcome.word()),
                quoted(line.outcome.reason()),
                line.seconds,
                told.join(", ")
            );
        }
        text + "\n  ]\n}\n"
    }

    fn table(&self) -> String {
        let (version, device) = self.found.clone().unwrap_or_default();
        let mut text = format!(
            "{device}, driver {version}\n\n| step | outcome | seconds | |\n|---|---|---|---|\n"
        );
        for line in &self.lines {
            let first = line.outcome.reason().lines().next().unwrap_or_default();
            let (name, word, seconds) = (&line.name, line.outcome.word(), line.seconds);
            let _ = writeln!(text, "| {name} | {word} | {seconds:.1} | {first} |");
        }
        for line in self.lines.iter().filter(|line| !line.told.is_empty()) {
            let _ = write!(text, "\n{}:\n\n{}\n", line.name, line.told.join("\n"));
        }
        text
    }
}

/// A text of JSON.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    #[test]
    fn texts_are_quoted() {
        assert_eq!(super::quoted("a \"b\"\\\n"), r#""a \"b\"\\\u000a""#);
    }
}
