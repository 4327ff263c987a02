//! `cargo xtask sass [FILTER]`: what kernels of the corpus cost an element, read in the machine code that ptxas makes of them.
//! Without a filter the table is written to `benches/results/sass.md`.

mod budgets;
mod count;
mod device;
mod flow;
mod json;
mod listing;
mod suite;
mod table;
mod tools;

use crate::command::{cargo, root};
use anyhow::{Context, Result, bail};
use budgets::{BUDGETS, Budget};
use count::Round;
use std::collections::BTreeMap;
use std::process::Command;
use std::sync::Mutex;
use std::thread;
use table::Row;
use tools::{Assembled, Tools};

/// What cargo builds for it: the compiler's example that shows stages.
const STAGES: [&str; 5] = [
    "build",
    "--package",
    "accelerate-rs-compiler",
    "--example",
    "stages",
];

/// Counts, prints, and fails if a budget is broken.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let filter = match arguments {
        [] => "",
        [filter] if !filter.starts_with('-') => filter,
        _ => bail!("usage: cargo xtask sass [FILTER]"),
    };
    let measured = Measured::of(filter, &Tools::find(cargo(&STAGES))?)?;
    let text = table::write(&measured.rows);
    print!("{text}");
    if filter.is_empty() {
        let path = root().join("benches/results/sass.md");
        std::fs::write(&path, &text).with_context(|| path.display().to_string())?;
    }
    measured.judged()
}

/// Counts, for the tests: fails if a budget is broken. `builder` makes cargo's commands. Why it cannot, if it cannot.
pub(crate) fn check(builder: impl Fn(&[&str]) -> Command) -> Result<(), Unchecked> {
    let tools = Tools::find(builder(&STAGES)).map_err(Unchecked::NoTools)?;
    let measured = Measured::of("", &tools).map_err(Unchecked::Broken)?;
    measured.judged().map_err(Unchecked::Broken)
}

/// Why budgets do not hold, or are not known to.
pub(crate) enum Unchecked {
    NoTools(anyhow::Error),
    Broken(anyhow::Error),
}

/// Rows of budgets, and what is wrong with some.
struct Measured {
    rows: Vec<Row<'static>>,
    broken: Vec<String>,
}

impl Measured {
    fn of(filter: &str, tools: &Tools) -> Result<Measured> {
        let wanted =
            |budget: &&Budget| budget.kernel.contains(filter) || budget.entry.contains(filter);
        let budgets: Vec<&'static Budget> = BUDGETS.iter().filter(wanted).collect();
        if budgets.is_empty() {
            bail!("no kernel has `{filter}` in its name");
        }
        let assembled = assemble(tools, &budgets);
        let (mut rows, mut broken) = (Vec::new(), Vec::new());
        for budget in budgets {
            let row = match &assembled[budget.program] {
                Ok(assembled) => measure(budget, assembled),
                Err(error) => Err(anyhow::anyhow!("{error:#}")),
            };
            match row {
                Ok(row) => {
                    let problems = row.broken();
                    let problems = problems.iter();
                    broken.extend(problems.map(|why| format!("{}: {why}", budget.kernel)));
                    rows.push(row);
                }
                Err(error) => broken.push(format!("{}: {error:#}", budget.kernel)),
            }
        }
        Ok(Measured { rows, broken })
    }

    fn judged(&self) -> Result<()> {
        let Measured { broken, .. } = self;
        match broken.is_empty() {
            true => Ok(()),
            false => bail!(
                "{} of {} kernels:\n{}",
                broken.len(),
                BUDGETS.len(),
                broken.join("\n")
            ),
        }
    }
}

/// Assembles the programs, several at a time.
fn assemble(tools: &Tools, budgets: &[&Budget]) -> BTreeMap<&'static str, Result<Assembled>> {
    let mut programs: Vec<&'static str> = budgets.iter().map(|budget| budget.program).collect();
    programs.sort_unstable();
    programs.dedup();
    let (open, done) = (Mutex::new(programs), Mutex::new(BTreeMap::new()));
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let next = open.lock().expect("nobody panics").pop();
                    let Some(program) = next else {
                        return;
                    };
                    let assembled = tools.assemble(program);
                    done.lock()
                        .expect("nobody panics")
                        .insert(program, assembled);
                }
            });
        }
    });
    done.into_inner().expect("nobody panics")
}

fn measure(budget: &'static Budget, assembled: &Assembled) -> Result<Row<'static>> {
    let mut all = assembled.resources.iter();
    let resources = all.find(|one| one.entry == budget.entry);
    let resources = resources.with_context(|| {
        let names = assembled.resources.iter().map(|one| &*one.entry);
        let names: Vec<&str> = names.collect();
        format!("no entry `{}` in {}", budget.entry, names.join(", "))
    })?;
    let round = Round {
        anchor: budget.anchor,
        elements: budget.elements,
        items: assembled.items.get(budget.entry).copied().unwrap_or(0),
        trips: budget.trips,
        warps: f64::from(resources.threads) / 32.0,
    };
    let cost = count::count(&assembled.functions, budget.entry, &round)?;
    Ok(Row {
        budget,
        resources: resources.clone(),
        cost,
    })
}
