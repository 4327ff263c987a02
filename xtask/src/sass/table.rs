//! The table of all kernels, and what of it breaks a budget.

use super::budgets::Budget;
use super::count::Cost;
use super::device::{GPUS, MUCH, resident};
use super::tools::Resources;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A kernel, measured.
pub(super) struct Row<'a> {
    pub(super) budget: &'a Budget,
    pub(super) resources: Resources,
    pub(super) cost: Cost,
}

/// Bytes that a thread may spill for the sake of occupancy, as in the suite.
const FEW: u32 = 32;

const HEAD: &str = "\
# Instructions of an element

What the generated kernels are to the hardware, counted in what `ptxas` makes of them for sm_90; nothing here was measured on a GPU.
`cargo xtask sass` writes this table, and fails where a kernel needs more than its budget (`xtask/src/sass/budgets.rs`).

An element costs the instructions of the loop that goes through the elements, each as often as a thread comes to it in a round, by
the elements of a round; what one warp of a block does alone counts as that. What is usually so is taken to be so (tiles are full, rows
are kept, a sort's digits differ, floats that are divided are neither huge nor tiny), and nobody waits.
Registers, spilled bytes and shared bytes are those of the ordinary build; threads are those that a multiprocessor has room for; loads
and stores are the bytes of each access of global memory in that loop; KiB are what a multiprocessor's threads have asked for before one of
them needs it. The last columns tell how many instructions a multiprocessor has to issue in a cycle so that memory is the limit:
above 2.4 (**bold**) it hardly will be.

";

impl Row<'_> {
    /// Threads that a multiprocessor has room for.
    pub(super) fn resident(&self) -> u32 {
        let Resources {
            threads,
            registers,
            shared,
            ..
        } = self.resources;
        resident(threads, registers, shared)
    }

    /// KiB that a multiprocessor's threads have asked for before one of them needs it.
    fn in_flight(&self) -> f64 {
        f64::from(self.cost.in_flight * self.resident()) / 1024.0
    }

    /// What the budget does not allow.
    pub(super) fn broken(&self) -> Vec<String> {
        let (budget, cost) = (self.budget, &self.cost);
        let mut broken = Vec::new();
        if cost.instructions > budget.most {
            broken.push(format!(
                "{:.1} instructions an element, more than {}",
                cost.instructions, budget.most
            ));
        }
        if self.resources.spilled > FEW {
            broken.push(format!("{} bytes spilled", self.resources.spilled));
        }
        if self.resident() < budget.resident {
            broken.push(format!(
                "{} threads of a multiprocessor, fewer than {}",
                self.resident(),
                budget.resident
            ));
        }
        if self.in_flight() < f64::from(budget.in_flight) {
            broken.push(format!(
                "{:.0} KiB of a multiprocessor are asked for at once, fewer than {}",
                self.in_flight(),
                budget.in_flight
            ));
        }
        if budget.unanswered && cost.atomics > 0 {
            broken.push(format!(
                "{} atomic operations return a value that is not used",
                cost.atomics
            ));
        }
        broken
    }

    fn line(&self) -> String {
        let Row {
            budget,
            resources,
            cost,
        } = self;
        let widths = |widths: &BTreeSet<u32>| {
            let widths: Vec<String> = widths.iter().map(u32::to_string).collect();
            widths.join(" ")
        };
        let share = match cost.products > 0.0 {
            true => format!("{:.0} %", 100.0 * cost.products),
            false => String::new(),
        };
        let atomics = match (cost.reductions, cost.atomics) {
            (0, 0) => String::new(),
            (reductions, 0) => format!("{reductions} RED"),
            (0, atomics) => format!("{atomics} ATOM"),
            (reductions, atomics) => format!("{reductions} RED, {atomics} ATOM"),
        };
        let number = |count: u32| match count {
            0 => String::new(),
            count => count.to_string(),
        };
        let needs = GPUS.map(|gpu| match budget.bytes {
            None => String::new(),
            Some(bytes) => match gpu.need(cost.instructions, bytes) {
                need if need > MUCH => format!("**{need:.1}**"),
                need => format!("{need:.1}"),
            },
        });
        let resident = self.resident();
        format!(
            "| {} | `{}` | {:.1} | {} | {share} | {} | {} | {} | {resident} | {} | {} | {:.0} | {atomics} | {} | {} |",
            budget.kernel,
            budget.entry,
            cost.instructions,
            budget.most,
            resources.registers,
            number(resources.spilled),
            number(resources.shared),
            widths(&cost.loads),
            widths(&cost.stores),
            self.in_flight(),
            number(cost.divisions),
            needs.join(" | "),
        )
    }
}

/// The table as a document.
pub(super) fn write(rows: &[Row<'_>]) -> String {
    let names = GPUS.map(|gpu| gpu.name).join(" | ");
    let heads = format!(
        "kernel | entry | instructions | budget | FFMA | registers | spilled | shared | threads | loads | stores | KiB | atomics | \
         divisions | {names}"
    );
    let mut text = format!(
        "{HEAD}| {heads} |\n|{}\n",
        "---|".repeat(heads.matches('|').count() + 1)
    );
    for row in rows {
        let _ = writeln!(text, "{}", row.line());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sass::budgets::BUDGETS;

    #[test]
    fn what_is_over_budget_is_told() {
        let budget = Budget {
            most: 20.0,
            resident: 1024,
            unanswered: true,
            ..BUDGETS[0]
        };
        let row = |instructions, atomics, spilled, registers| Row {
            budget: &budget,
            resources: Resources {
                threads: 256,
                registers,
                spilled,
                ..Resources::default()
            },
            cost: Cost {
                instructions,
                atomics,
                ..Cost::default()
            },
        };
        assert!(row(20.0, 0, 0, 32).broken().is_empty());
        let broken = [row(20.1, 0, 0, 32), row(1.0, 1, 0, 32), row(1.0, 0, 36, 32)];
        assert!(broken.iter().all(|row| row.broken().len() == 1));
        assert_eq!(row(1.0, 0, 0, 128).broken().len(), 1);
        let table = write(&broken);
        let columns = |line: &str| line.matches('|').count();
        let lines: Vec<&str> = table.lines().filter(|line| line.starts_with('|')).collect();
        assert!(lines.iter().all(|line| columns(line) == columns(lines[0])));
    }
}
