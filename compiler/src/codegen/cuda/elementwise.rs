//! Elementwise kernels: a grid-stride loop over packs of neighbours, and one over what is left; or one over tiles, where
//! loads run along another axis than the stores; for each domain in turn.

use super::body::Code;
use super::transposed::Tiles;
use super::vector::{Starts, Streams, Walk};
use super::{Entry, Regime, Variants};
use crate::options::Tiling;
use crate::plan::{Points, Statement};
use crate::sorted::SortedSet;

/// Threads per block.
const THREADS: u32 = 256;

/// Writes the kernel's function and its entries.
pub(super) fn write(mut code: Code<'_>, parts: &[Points], tiling: Tiling) -> (String, Vec<Entry>) {
    let variants = Variants::of(&code);
    let function = format!("{}_elements", code.symbol);
    let tiles: Vec<Option<Tiles>> = (parts.iter())
        .map(|part| Tiles::find(&mut code, part, tiling))
        .collect();
    let tiled = || tiles.iter().flatten();
    code.line("template <class Index>");
    let mut parameters = vec![variants.parameters(&code, true)];
    parameters.extend(tiled().flat_map(Tiles::parameters));
    let parameters = Variants::broken(&parameters.join(", "));
    code.open(format!("INLINE void {function}({parameters})\n{{"));
    let mut items = u32::MAX;
    let mut before: Vec<String> = Vec::new();
    for (part, tiles) in parts.iter().zip(&tiles) {
        let several = parts.len() > 1;
        let (packs, own) = match tiles {
            Some(tiles) => write_tiles(&mut code, part, tiles, &before, several),
            None => write_part(&mut code, part, &before, several),
        };
        before.push(packs);
        items = items.min(own);
    }
    code.close("}");

    let threads = tiled().map(Tiles::threads).min().unwrap_or(THREADS);
    let mut entries = Vec::new();
    for wide in [false, true] {
        let suffix = if wide { "_wide" } else { "" };
        let entry = Entry {
            items_per_thread: items,
            ..variants.entry(
                &code,
                Regime::Elementwise,
                &format!("{}{suffix}", code.symbol),
                threads,
                wide,
            )
        };
        variants.open_entry(&mut code, &entry);
        let mut arguments = vec![variants.arguments(&code)];
        for tiles in tiled() {
            tiles.declare(&mut code);
            arguments.extend(tiles.arguments());
        }
        code.line(format!(
            "{function}<{}>({});",
            if wide { "u64" } else { "u32" },
            arguments.join(", ")
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
    let first = first(code, before, repr).unwrap_or(format!("thread_of_grid<{repr}>()"));
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

/// The same for a domain in tiles.
fn write_tiles(
    code: &mut Code<'_>,
    part: &Points,
    tiles: &Tiles,
    before: &[String],
    several: bool,
) -> (String, u32) {
    let repr = code.domain_index(&part.extents, &part.vars).repr;
    let mut packs = String::new();
    if several {
        let size = code.domain_size(&part.extents, "size");
        packs = format!("{size} / {}", tiles.items());
        code.open("{");
    }
    let first = match first(code, before, repr) {
        Some(first) => format!("{first} / blockDim.x"),
        None => "blockIdx.x".to_owned(),
    };
    tiles.write(code, part, repr, &first);
    if several {
        code.close("}");
    }
    (packs, tiles.items())
}

/// Where a thread begins with a domain that is not the first. Blocks that found nothing in the domains before begin it:
/// small domains are worked on side by side, and a warp is in one domain.
fn first(code: &mut Code<'_>, before: &[String], repr: &str) -> Option<String> {
    if before.is_empty() {
        return None;
    }
    let blocks: Vec<String> = (before.iter())
        .map(|packs| format!("blocks_for<Index>({packs})"))
        .collect();
    let (first, blocks) = (code.names.fresh("first"), blocks.join(" + "));
    code.line(format!(
        "const {repr} {first} = thread_from_block<{repr}>({blocks});"
    ));
    Some(first)
}

/// Whether points store several elements of a buffer.
fn stores_again(body: &[Statement]) -> bool {
    let mut buffers = SortedSet::new();
    body.iter().any(|statement| match statement {
        Statement::Store { buffer, .. } => !buffers.insert(*buffer),
        _ => false,
    })
}
