//! The table of a run, as it is kept.

use super::libraries::Libraries;
use crate::command::command;
use anyhow::{Context, Result};
use std::fmt::Write;
use std::fs;
use std::thread::available_parallelism;

/// A program against a rival.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Row {
    pub(super) program: String,
    /// In milliseconds.
    pub(super) ours: f64,
    pub(super) rival: String,
    pub(super) theirs: f64,
    pub(super) ratio: f64,
    pub(super) aim: f64,
}

impl Row {
    /// A line of the benches, if it has both times.
    pub(super) fn read(line: &str) -> Option<Row> {
        let inner = line.strip_prefix('|')?.strip_suffix('|')?;
        let cells: Vec<&str> = inner.split('|').map(str::trim).collect();
        let [program, ours, rival, theirs, ratio, aim] = cells[..] else {
            return None;
        };
        let number = |text: &str| text.parse::<f64>().ok();
        Some(Row {
            program: program.to_owned(),
            ours: number(ours)?,
            rival: rival.to_owned(),
            theirs: number(theirs)?,
            ratio: number(ratio)?,
            aim: number(aim)?,
        })
    }
}

/// On what machine, with what, and when.
pub(super) struct How {
    processor: String,
    cores: usize,
    date: String,
    pub(super) rustc: String,
    libraries: String,
}

impl How {
    pub(super) fn now(libraries: Option<&Libraries>) -> Result<How> {
        let said = |program: &str, arguments: &[&str]| -> Result<String> {
            let output = command(program).args(arguments).output();
            let output = output.with_context(|| program.to_owned())?;
            Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
        };
        let described = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = described
            .lines()
            .find_map(|line| line.strip_prefix("model name"));
        let model = model.map(|rest| rest.trim_start_matches([' ', '\t', ':']).to_owned());
        Ok(How {
            processor: model.unwrap_or_else(|| std::env::consts::ARCH.to_owned()),
            cores: available_parallelism().map_or(1, usize::from),
            date: said("date", &["-u", "+%F"])?,
            rustc: said("rustc", &["--version"])?,
            libraries: libraries.map_or_else(|| "none".to_owned(), |all| all.versions.clone()),
        })
    }

    /// The first lines of a page.
    pub(super) fn title(&self) -> String {
        format!(
            "# {}, {} cores, {}\n\n",
            self.processor, self.cores, self.date
        )
    }
}

/// A page with all rows, and what share of them is how fast.
pub(super) fn write(how: &How, rows: &[Row]) -> String {
    let mut text = format!(
        "{}`cargo xtask bench`: shortest times of interleaved runs of a release build; {}.\n\
         Libraries of Python: {}. A ratio below 1 is faster than the rival;\n\
         `rayon` is by hand (`benches/src`). The aim is what the project holds itself to.\n\n\
         ![ratios](cpu.svg)\n\n\
         | program | ours, ms | rival | rival, ms | ratio | aim |\n|---|---|---|---|---|---|\n",
        how.title(),
        how.rustc,
        how.libraries
    );
    for row in rows {
        let Row {
            program,
            ours,
            rival,
            theirs,
            ratio,
            aim,
        } = row;
        let _ = writeln!(
            text,
            "| {program} | {ours:.3} | {rival} | {theirs:.3} | {ratio:.3} | {aim} |"
        );
    }
    let at_most = |most: f64| rows.iter().filter(|row| row.ratio <= most).count();
    let missed = rows.iter().filter(|row| row.ratio > row.aim).count();
    let (all, half, one) = (rows.len(), at_most(0.5), at_most(1.0));
    let _ = writeln!(
        text,
        "\nOf {all} rows {half} take at most half of the rival's time, {one} at most all of it; {missed} miss their aim."
    );
    text
}

#[cfg(test)]
mod tests {
    use super::Row;

    #[test]
    fn rows_have_both_times() {
        let row = Row::read("| dot 32 | 8.735 | rayon | 10.773 | 0.811 | 1.15 |").unwrap();
        assert_eq!((row.program.as_str(), row.ratio), ("dot 32", 0.811));
        assert_eq!(
            Row::read("| program | ours, ms | rival | rival, ms | ratio | aim |"),
            None
        );
        assert_eq!(
            Row::read("| dot 32 | | numba | skipped: not available | | 0.3 |"),
            None
        );
        assert_eq!(Row::read("device: cpu"), None);
    }
}
