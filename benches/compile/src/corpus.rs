//! The corpus: time of each function and pass.

use crate::{listing, measure};
use std::collections::BTreeMap;

/// Times of all functions of the corpus.
pub struct Report {
    /// Seconds and the function, the fastest first; without the writing of Rust, which the build script does not do.
    pub functions: Vec<(f64, String)>,
    /// Of each stage, seconds and the function, the fastest first.
    pub stages: BTreeMap<&'static str, Vec<(f64, String)>>,
}

/// The value that so much of the list is below.
fn quantile(sorted: &[(f64, String)], share: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * share) as usize].0
}

/// Compiles each file of the corpus so many times and takes the shortest.
///
/// # Panics
/// If the corpus is not there or has errors.
pub fn corpus(runs: usize) -> Report {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/programs");
    let mut report = Report {
        functions: Vec::new(),
        stages: BTreeMap::new(),
    };
    for (stem, path) in listing::programs(folder.as_ref()) {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let file = syn::parse_file(&text).expect("Rust");
        for item in file.items {
            let syn::Item::Macro(item) = item else {
                continue;
            };
            let source = item.mac.tokens.to_string();
            let all = (0..runs).map(|_| measure(&source));
            let shortest = all.min_by(|a, b| a.total().total_cmp(&b.total()));
            let times = shortest.expect("a run");
            // What belongs to no function is shared by all.
            let count = times.functions.len().max(2) - 1;
            let mut shared = BTreeMap::new();
            for (function, stages) in &times.functions {
                match &**function {
                    "" => shared = stages.iter().map(|(k, v)| (*k, v / count as f64)).collect(),
                    name => {
                        let name = format!("{stem}::{name}");
                        let all = || stages.iter().chain(&shared);
                        let compiled = all().filter(|(stage, _)| **stage != "expand");
                        let seconds = compiled.map(|(_, seconds)| seconds).sum();
                        report.functions.push((seconds, name.clone()));
                        for (&stage, &seconds) in all() {
                            let list = report.stages.entry(stage).or_default();
                            list.push((seconds, name.clone()));
                        }
                    }
                }
            }
        }
    }
    report.functions.sort_by(|a, b| a.0.total_cmp(&b.0));
    for list in report.stages.values_mut() {
        list.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    report
}

impl Report {
    /// A table of the middle, the 95th percentile and the longest, in microseconds.
    pub fn table(&self) -> String {
        let mut text =
            "| stage | p50, us | p95, us | max, us | of |\n|---|---|---|---|---|\n".to_owned();
        let whole = ("all but expand", &self.functions);
        let mut stages: Vec<_> = self
            .stages
            .iter()
            .map(|(&name, list)| (name, list))
            .collect();
        let sum = |list: &[(f64, String)]| -> f64 { list.iter().map(|(t, _)| t).sum() };
        stages.sort_by(|a, b| sum(b.1).total_cmp(&sum(a.1)));
        for (name, list) in std::iter::once(whole).chain(stages) {
            let Some((longest, whose)) = list.last() else {
                continue;
            };
            text += &format!(
                "| {name} | {:.0} | {:.0} | {:.0} | {whose} |\n",
                quantile(list, 0.5) * 1e6,
                quantile(list, 0.95) * 1e6,
                longest * 1e6,
            );
        }
        text
    }

    /// A table of the functions that take longest, in microseconds, with the longest stages of each.
    pub fn longest(&self, count: usize) -> String {
        let mut text = "| function | us | longest stages |\n|---|---|---|\n".to_owned();
        for (seconds, function) in self.functions.iter().rev().take(count) {
            let of = |(stage, list): (&&'static str, &Vec<(f64, String)>)| {
                let (seconds, _) = list.iter().find(|(_, of)| of == function)?;
                Some((*seconds, *stage))
            };
            let mut stages: Vec<_> = self.stages.iter().filter_map(of).collect();
            stages.sort_by(|a, b| b.0.total_cmp(&a.0));
            let stages = stages.iter().take(5);
            let stages = stages.map(|(seconds, stage)| format!("{stage} {:.0}", seconds * 1e6));
            let stages = stages.collect::<Vec<_>>().join(", ");
            text += &format!("| {function} | {:.0} | {stages} |\n", seconds * 1e6);
        }
        text
    }
}
