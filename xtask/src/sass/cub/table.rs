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

The generated kernels of `sass.md`, and what NVIDIA's CUB (the wheel `nvidia-cuda-cccl` 13.0) does for the same jobs through its
public functions, with the policy that it has for sm_90; both compiled by the same nvcc, assembled for sm_90, and read by the same
counter. Nothing here was measured on a GPU, and fewer instructions are not less time where memory is the limit.
`cargo xtask sass --against cub` writes this table.

Our numbers are those of `sass.md`. Where CUB's kernel has a loop that goes through the elements, its numbers are counted as ours. Most of
its kernels have none: a block does one tile. Then all of the function counts, by the elements that a thread has of a tile. Of the
two sides of a branch only one counts: of a full tile and the last one the full tile, whose accesses of global memory have no
conditions; of the first tile and the others the one that looks at the tiles before; otherwise the longer one. Loops count as often as
they go round, those that wait once, and what some of a block's warps do counts as their part of the block. A kernel of which that
does not decide the path has no number. Threads are those that a multiprocessor has room for; the ratio is ours to CUB's, and says how
many times as many instructions ours has.

";

/// The table as a document.
pub(super) fn write(compared: &[Compared<'_>]) -> String {
    let heads =
        "kernel | ours | registers | threads | CUB's | registers | threads | ratio | what of CUB";
    let mut text = format!(
        "{HEAD}| {heads} |\n|{}\n",
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
        let text = write(&[one(Ok(counted)), one(Err("ambiguous\npath".to_owned()))]);
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
        assert_eq!(
            lines[2],
            "| a scan |  |  |  | 2.0 | 32 | 2048 |  | a tile |"
        );
        let wanted = "| a scan |  |  |  | not counted: ambiguous path |  |  |  | a tile |";
        assert_eq!(lines[3], wanted);
    }
}
