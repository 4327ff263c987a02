//! Elementwise kernels: a grid-stride loop over packs of neighbours, and one over what is left; for each domain in turn.

use super::body::Code;
use super::vector::{Starts, Streams, Walk};
use super::{Entry, Regime, Variants};
use crate::plan::{Points, Statement};
use std::collections::BTreeSet;

/// Threads per block.
const THREADS: u32 = 256;

/// Writes the kernel's function and its entries.
pub(super) fn write(mut code: Code<'_>, parts: &[Points]) -> (String, Vec<Entry>) {
    let variants = Variants::of(&code);
    let function = format!("{}_elements", code.symbol);
    code.line("template <class Index>");
    let parameters = Variants::broken(&variants.parameters(&code, true));
    code.open(format!("INLINE void {function}({parameters})\n{{"));
    let mut items = u32::MAX;
    let mut before: Vec<String> = Vec::new();
    for part in parts {
        let (packs, own) = write_part(&mut code, part, &before, parts.len() > 1);
        before.push(packs);
        items = items.min(own);
    }
    code.close("}");

    let mut entries = Vec::new();
    for wide in [false, true] {
        let suffix = if wide { "_wide" } else { "" };
        let entry = Entry {
            items_per_thread: items,
            ..variants.entry(
                &code,
                Regime::Elementwise,
                &format!("{}{suffix}", code.symbol),
                THREADS,
                wide,
            )
        };
        variants.open_entry(&mut code, &entry);
        let arguments = variants.arguments(&code);
        code.line(format!(
            "{function}<{}>({arguments});",
            if wide { "u64" } else { "u32" }
        ));
        code.close("}");
        entries.push(entry);
    }
    (code.finish(), entries)
}

/// Writes the loops of one domain, where others of so many packs have gone before: gives its packs, and how many points a
/// thread works on at once.
fn write_part(
    code: &mut Code<'_>,
    part: &Points,
    before: &[String],
    several: bool,
) -> (String, u32) {
    let Points {
        extents,
        vars,
        body,
        windows: _,
    } = part;
    let index = code.domain_index(extents, vars);
    let size = code.domain_size(extents, "size");
    if several {
        code.open("{");
    }
    let starts = match several || stores_again(body) {
        true => Starts::Parts,
        false => Starts::Domain,
    };
    let streams = Streams::find(code, body, extents, vars, starts);

    code.open(format!(
        "const auto element = [&](const {} {}{}) {{",
        index.repr,
        index.name,
        streams.parameters()
    ));
    code.point(&index, extents, vars);
    code.declare_failed();
    code.list(body);
    code.close("};");

    let repr = index.repr;
    // Blocks that found nothing in the domains before begin this one: small domains are worked on side by side, and a
    // warp is in one domain.
    let first = match before {
        [] => format!("thread_of_grid<{repr}>()"),
        _ => {
            let blocks: Vec<String> = (before.iter())
                .map(|packs| format!("blocks_for<Index>({packs})"))
                .collect();
            let first = code.names.fresh("first");
            let blocks = blocks.join(" + ");
            code.line(format!(
                "const {repr} {first} = thread_from_block<{repr}>({blocks});"
            ));
            first
        }
    };
    let walk = Walk {
        i: &index.name,
        repr,
        size: &size,
        first: &first,
        step: &format!("threads_of_grid<{repr}>()"),
    };
    streams.run(code, &walk, &|i, _, arguments| {
        format!("element({i}{arguments});")
    });
    if several {
        code.close("}");
    }
    let packs = match streams.width {
        1 => size,
        width => format!("{size} / {width}"),
    };
    (packs, (streams.width * streams.unroll) as u32)
}

/// Whether points store several elements of a buffer.
fn stores_again(body: &[Statement]) -> bool {
    let mut buffers = BTreeSet::new();
    body.iter().any(|statement| match statement {
        Statement::Store { buffer, .. } => !buffers.insert(*buffer),
        _ => false,
    })
}
