//! Which entries of kernels a test compiles, and which of them may take what.

use crate::entries::digest;
use crate::questions::Question;
use accelerate_compiler::Compiled;
use accelerate_compiler::codegen::cuda;
use accelerate_compiler::plan::{KernelId, interpret};
use accelerate_compiler::scalar::Scalar;
use harness::inputs::Random;
use std::ops::Range;

pub(crate) fn is_narrow(entry: &cuda::Entry) -> bool {
    entry.index_bits == 32
}

/// Which entries are compiled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    All,
    /// Those of narrow indices: the others are the same text again.
    Narrow,
    /// Drawn by a seed: those of narrow indices or, for a quarter of all kernels, the others; three for kernels of rows,
    /// which have many.
    Drawn(u64),
}

impl Kept {
    pub(crate) fn of(self, entries: &[cuda::Entry]) -> Vec<&cuda::Entry> {
        let Kept::Drawn(seed) = self else {
            let kept = |entry: &&cuda::Entry| self == Kept::All || is_narrow(entry);
            return entries.iter().filter(kept).collect();
        };
        let mut random = Random(seed ^ digest(&entries[0].name));
        let wide = random.below(4) == 0 && !entries.iter().all(is_narrow);
        let kept = |entry: &&cuda::Entry| is_narrow(entry) != wide;
        let mut kept: Vec<_> = entries.iter().filter(kept).collect();
        loop {
            let of_rows = |at: &usize| {
                use cuda::Regime::*;
                matches!(
                    kept[*at].regime,
                    Thread | Warp { .. } | Block | Grid | Columns | ColumnsGrid
                )
            };
            let of_rows = Vec::from_iter((0..kept.len()).filter(of_rows));
            if of_rows.len() <= 3 {
                return kept;
            }
            kept.remove(of_rows[random.below(of_rows.len() as u64) as usize]);
        }
    }

    /// By kernel.
    pub(crate) fn entries(self, compiled: &Compiled) -> Vec<Vec<&cuda::Entry>> {
        let kernels = compiled.cuda.kernels.iter();
        kernels.map(|entries| self.of(entries)).collect()
    }

    /// A text without the other entries.
    pub(crate) fn text(self, compiled: &Compiled, text: &str) -> String {
        only(compiled, text, &self.entries(compiled))
    }
}

/// A text without the other entries.
pub(crate) fn only(compiled: &Compiled, text: &str, kept: &[Vec<&cuda::Entry>]) -> String {
    let mut text = text.to_owned();
    for entry in compiled.cuda.kernels.iter().flatten() {
        if (kept.iter().flatten()).any(|kept| kept.name == entry.name) {
            continue;
        }
        if let Some(place) = place(&text, entry) {
            text.replace_range(place, "");
        }
    }
    text
}

/// Where an entry stands in a text.
fn place(text: &str, entry: &cuda::Entry) -> Option<Range<usize>> {
    let at = text.find(&format!("\n{}(", entry.name))?;
    let begin = text[..at].rfind("extern \"C\"")?;
    Some(begin..at + text[at..].find("\n}\n")? + 3)
}

/// A digest of each kernel's text, its own name aside: what stands after the kernel before it, up to the end of its last entry.
pub(crate) fn digests(compiled: &Compiled) -> Vec<u64> {
    let own = compiled.cuda.own();
    let mut begin = 0;
    let kernels = compiled.cuda.kernels.iter().map(|entries| {
        let ends = entries
            .iter()
            .filter_map(|entry| Some(place(own, entry)?.end));
        let end = ends.max().unwrap_or(begin).max(begin);
        let text = &own[begin..end];
        begin = end;
        let names = entries.iter().map(|entry| entry.name.as_str());
        let name = names.min_by_key(|name| name.len()).unwrap_or("");
        let name = common(name, entries);
        digest(&text.replace(name, "kernel"))
    });
    kernels.collect()
}

/// What the names of all these entries begin with.
fn common<'n>(name: &'n str, entries: &[cuda::Entry]) -> &'n str {
    let mut lengths = (1..=name.len()).rev();
    let is_common = |length: &usize| {
        let begin = name.get(..*length);
        begin.is_some_and(|begin| entries.iter().all(|entry| entry.name.starts_with(begin)))
    };
    lengths
        .find(is_common)
        .map_or(name, |length| &name[..length])
}

/// What scalars must be below for narrow indices.
const SMALL: u64 = 1 << 31;

/// Whether these scalars may be passed to an entry.
pub(crate) fn takes(entry: &cuda::Entry, scalars: &[Scalar]) -> bool {
    !is_narrow(entry) || entry.small.iter().all(|&at| scalars[at].bits < SMALL)
}

/// Whether an answer takes entries of wide indices.
pub(crate) fn wide<'q>(
    compiled: &Compiled,
    questions: impl IntoIterator<Item = &'q Question>,
) -> bool {
    let mut wide = false;
    let mut launch =
        |kernel: KernelId, buffers: &[(interpret::Memory, bool)], scalars: &[Scalar]| {
            let k = kernel.0 as usize;
            let entries = &compiled.cuda.kernels[k];
            wide |= !entries.iter().all(|entry| takes(entry, scalars));
            interpret::launch(&compiled.plan.kernels[k], buffers, scalars)
        };
    for question in questions {
        let Question {
            scalars, arrays, ..
        } = question;
        // What it fails with is asked elsewhere.
        let _ = interpret::run_with(&compiled.plan, scalars, arrays, &mut launch);
    }
    wide
}
