//! The table of jobs that CUB does, too.

use crate::sass::count::Cost;
use crate::sass::device::resident;
use crate::sass::table::Row;
use crate::sass::tools::Resources;
use std::fmt::Write as _;

/// A job, done by both.
pub(super) struct Compared<'a> {
    pub(super) kernel: &'static str,
    /// None if there is no such kernel.
    pub(super) ours: Option<&'a Row<'static>>,
    /// Or why it was not counted.
    pub(super) theirs: Result<Counted, String>,
    /// What was counted of CUB.
    pub(super) note: &'static str,
}

/// A kernel of CUB.
pub(super) struct Counted {
    pub(super) cost: Cost,
    pub(super) resources: Resources,
}

const HEAD: &str = "\
# Instructions of an element, beside CUB's

The generated kernels of `sass.md`, and what NVIDIA's CUB VERSION (the wheel `nvidia-cuda-cccl`) does for the same jobs through its public
functions, with the policy that it has for sm_90: both compiled by the same nvcc, assembled for sm_90, and read by the same counter.
Nothing here was measured on a GPU, and fewer instructions are not less time where memory is the limit.
`cargo xtask sass --against cub` writes this table.

Ours are counted as in `sass.md`. Where a kernel of CUB has a loop that goes through the elements, that loop is counted the same way.
Most of its kernels have none: a block does one tile. Then the whole function is counted, by the elements that a thread has of a
tile, on one way through it. Of two sides of a branch that is the one with the widest or the most loads and stores without a
condition, which is the full tile and not the last one; the one that looks at the tiles before, and not that of the first tile; and
the longer one where sides access nothing, of which one is done. What else is chosen stands in `xtask/src/sass/cub/jobs.rs`. Loops count
as often as they go round, those that wait once, and what some of a block's warps do counts as their part of the block. A
kernel that this leaves ambiguous has no number.
Threads are those that a multiprocessor has room for. The ratio is ours to CUB's: below 1 the generated kernel needs fewer.

";

/// The table as a document.
pub(super) fn write(version: &str, compared: &[Compared<'_>]) -> String {
    let head = HEAD.replace("VERSION", version);
    let heads =
        "kernel | ours | registers | threads | CUB's | registers | threads | ratio | what of CUB";
    let mut text = format!(
        "{head}| {heads} |\n|{}\n",
        "---|".repeat(heads.matches('|').count() + 1)
    );
    for one in compared {
        let _ = writeln!(text, "{}", one.line());
    }
    text
}

impl Compared<'_> {
    fn line(&self) -> String {
        let number = |cost: &Cost| format!("{:.1}", cost.instructions);
        let ours = match self.ours {
            Some(row) => format!(
                "{} | {} | {}",
                number(&row.cost),
                row.resources.registers,
                row.resident()
            ),
            None => " |  | ".to_owned(),
        };
        let theirs = match &self.theirs {
            Ok(Counted { cost, resources }) => {
                let Resources {
                    threads,
                    registers,
                    shared,
                    ..
                } = *resources;
                let threads = resident(threads, registers, shared);
                format!("{} | {registers} | {threads}", number(cost))
            }
            Err(why) => format!("not counted: {} |  | ", why.replace(['\n', '|'], " ")),
        };
        let ratio = match (self.ours, &self.theirs) {
            (Some(row), Ok(theirs)) => {
                format!("{:.2}", row.cost.instructions / theirs.cost.instructions)
            }
            _ => String::new(),
        };
        format!(
            "| {} | {ours} | {theirs} | {ratio} | {} |",
            self.kernel, self.note
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_counted_says_why() {
        let counted = Counted {
            cost: Cost {
                instructions: 2.0,
                ..Cost::default()
            },
            resources: Resources {
                threads: 256,
                registers: 32,
                ..Resources::default()
            },
        };
        let one = |theirs| Compared {
            kernel: "a scan",
            ours: None,
            theirs,
            note: "a tile",
        };
        let text = write(
            "3.0.1",
            &[one(Ok(counted)), one(Err("ambiguous\npath".to_owned()))],
        );
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
        assert_eq!(
            lines[2],
            "| a scan |  |  |  | 2.0 | 32 | 2048 |  | a tile |"
        );
        let wanted = "| a scan |  |  |  | not counted: ambiguous path |  |  |  | a tile |";
        assert_eq!(lines[3], wanted);
    }
}
