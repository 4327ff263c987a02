//! The header lines of each program, `kernels:`, `choices:` and `bytes:`, against the plan and its cost.

use crate::programs::DRIVERS;
use crate::report::Report;
use accelerate_compiler::Options;
use accelerate_compiler::plan::{Kernel, Phase, Plan, Polynomial, Skeleton};
use harness::corpus::{self, Driver, Header};
use std::collections::BTreeMap;

/// Checks what each program says of itself.
pub(crate) fn run(report: &mut Report) {
    if !report.wants("structure") {
        return;
    }
    for driver in DRIVERS.iter() {
        if report.selects(driver.program) {
            report.case("structure", driver.program, || check(driver));
        }
    }
}

fn check(driver: &Driver) -> Result<(), String> {
    let header = corpus::header(driver.program);
    let compiled = corpus::compile(driver, &Options::default())?;
    let plan = &compiled.plan;
    if let Some((count, kinds)) = &header.kernels {
        let found: Vec<&str> = plan.kernels.iter().map(kind).collect();
        if plan.cost.kernels != *count || (!kinds.is_empty() && found != *kinds) {
            let expected = kinds.join(", ");
            return Err(format!(
                "{} kernels ({}) instead of {count} ({expected}); {}",
                plan.cost.kernels,
                found.join(", "),
                notes(plan)
            ));
        }
    }
    if let Some(expected) = header.choices {
        let found = choices(plan);
        if found != expected {
            return Err(format!("{found} choices instead of {expected} in\n{plan}"));
        }
    }
    if let Some(bytes) = &header.bytes {
        let expected = polynomial(bytes)?;
        let mut found = in_symbols(&plan.cost.read, &header);
        for (term, factor) in in_symbols(&plan.cost.written, &header) {
            *found.entry(term).or_insert(0) += factor;
        }
        found.retain(|_, factor| *factor != 0);
        if found != expected {
            return Err(format!("{} bytes instead of {bytes}", text(&found)));
        }
    }
    Ok(())
}

fn notes(plan: &Plan) -> String {
    plan.notes
        .iter()
        .map(|note| note.text.as_str())
        .collect::<Vec<_>>()
        .join("; ")
}

/// Branches and selects in the kernels, as they are printed.
fn choices(plan: &Plan) -> usize {
    let text = plan.to_string();
    let kernels = text.split("\nkernel ").skip(1);
    let lines = kernels.flat_map(str::lines);
    lines
        .map(|line| {
            let branch = line.trim_start().starts_with("if ");
            usize::from(branch) + line.matches("select(").count()
        })
        .sum()
}

/// The words of the `kernels:` line.
pub(crate) fn kind(kernel: &Kernel) -> &'static str {
    match &kernel.skeleton {
        Skeleton::Elementwise(parts) if parts.iter().any(|part| part.windows.is_some()) => {
            "stencil"
        }
        Skeleton::Elementwise(_) => "elementwise",
        Skeleton::Scatter { .. } => "scatter",
        Skeleton::Sort { .. } => "sort",
        Skeleton::Staged { .. } => "staged",
        Skeleton::Rowwise { tiles: Some(_), .. } => "contraction",
        Skeleton::Rowwise { phases, .. } => {
            let any = |is: fn(&Phase) -> bool| phases.iter().any(is);
            if any(|phase| matches!(phase, Phase::Scan { .. })) {
                "scan"
            } else if any(|phase| matches!(phase, Phase::Each { .. })) {
                "rowwise"
            } else {
                "reduce"
            }
        }
    }
}

/// Sums of products: sorted symbols and their factor.
type Terms = BTreeMap<Vec<String>, i64>;

/// Reads `8m n + 4`.
fn polynomial(text: &str) -> Result<Terms, String> {
    let mut terms = Terms::new();
    for term in text.split('+').map(str::trim) {
        let digits = term
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(term.len());
        let factor = if digits == 0 {
            1
        } else {
            term[..digits]
                .parse()
                .map_err(|_| format!("bad bytes: `{text}`"))?
        };
        let mut symbols: Vec<String> = term[digits..]
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        symbols.sort();
        *terms.entry(symbols).or_insert(0) += factor;
    }
    terms.retain(|_, factor| *factor != 0);
    Ok(terms)
}

/// A cost with the header's symbols for the extents of parameters.
fn in_symbols(cost: &Polynomial, header: &Header) -> Terms {
    let mut names = BTreeMap::new();
    for (parameter, symbols) in &header.shapes {
        for (axis, symbol) in symbols.iter().enumerate() {
            names.insert(format!("{parameter}.shape().{axis}"), symbol.clone());
            if symbols.len() == 1 {
                names.insert(format!("{parameter}.len()"), symbol.clone());
                names.insert(format!("{parameter}.shape()"), symbol.clone());
            }
        }
    }
    let mut terms = Terms::new();
    for (factor, symbols) in &cost.terms {
        let named = symbols
            .iter()
            .map(|symbol| names.get(symbol).unwrap_or(symbol).clone());
        let mut named: Vec<String> = named.collect();
        named.sort();
        *terms.entry(named).or_insert(0) += factor;
    }
    terms
}

fn text(terms: &Terms) -> String {
    if terms.is_empty() {
        return String::from("0");
    }
    // Highest degree first, as people write it.
    let mut list: Vec<(&Vec<String>, &i64)> = terms.iter().collect();
    list.sort_by_key(|(symbols, _)| std::cmp::Reverse(symbols.len()));
    let shown = list
        .iter()
        .map(|(symbols, factor)| format!("{factor}{}", symbols.join(" ")));
    shown.collect::<Vec<_>>().join(" + ")
}
