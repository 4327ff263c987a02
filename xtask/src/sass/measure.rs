//! Rows of the table: programs assembled, entries counted, and what of them breaks a budget.

use super::budgets::{BUDGETS, Budget};
use super::count::{self, Round};
use super::table::Row;
use super::tools::{Assembled, Tools};
use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::thread;

/// Rows of budgets, and what is wrong with some.
pub(super) struct Measured {
    pub(super) rows: Vec<Row<'static>>,
    broken: Vec<String>,
}

impl Measured {
    /// Of the budgets that have this in a name.
    pub(super) fn named(filter: &str, tools: &Tools) -> Result<Measured> {
        let wanted =
            |budget: &&Budget| budget.kernel.contains(filter) || budget.entry.contains(filter);
        let budgets: Vec<&'static Budget> = BUDGETS.iter().filter(wanted).collect();
        if budgets.is_empty() {
            bail!("no kernel has `{filter}` in its name");
        }
        Ok(Measured::of(budgets, tools))
    }

    pub(super) fn of(budgets: Vec<&'static Budget>, tools: &Tools) -> Measured {
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
        Measured { rows, broken }
    }

    /// Fails if a budget is broken.
    pub(super) fn judged(&self) -> Result<()> {
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

/// Assembles the programs.
fn assemble(tools: &Tools, budgets: &[&Budget]) -> BTreeMap<&'static str, Result<Assembled>> {
    let programs = budgets.iter().map(|budget| budget.program);
    each(programs.collect(), |program| tools.assemble(program))
}

/// Does the same for several names, each once, as many at a time as there are processors.
pub(super) fn each<T: Send>(
    names: BTreeSet<&'static str>,
    make: impl Fn(&'static str) -> T + Sync,
) -> BTreeMap<&'static str, T> {
    let (open, done) = (Mutex::new(names), Mutex::new(BTreeMap::new()));
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let next = open.lock().expect("nobody panics").pop_first();
                    let Some(name) = next else {
                        return;
                    };
                    let made = make(name);
                    done.lock().expect("nobody panics").insert(name, made);
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
        path: None,
    };
    let cost = count::count(&assembled.functions, budget.entry, &round)?;
    Ok(Row {
        budget,
        resources: resources.clone(),
        cost,
    })
}
