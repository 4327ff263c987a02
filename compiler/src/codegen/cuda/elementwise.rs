//! Elementwise kernels: a grid-stride loop over packs of neighbours, and one over what is left.

use super::body::Code;
use super::vector::{Streams, Walk};
use super::{Entry, Regime, Variants};
use crate::plan::{Statement, Value};

/// Threads per block.
const THREADS: u32 = 256;

/// Writes the kernel's function and its entries.
pub(super) fn write(
    mut code: Code<'_>,
    extents: &[Value],
    vars: &[Value],
    body: &[Statement],
) -> (String, Vec<Entry>) {
    let kernel = code.kernel;
    let variants = Variants::of(&code);
    let function = format!("{}_elements", kernel.name);
    code.line("template <class Index>");
    let parameters = Variants::broken(&variants.parameters(&code, true));
    code.open(format!("INLINE void {function}({parameters})\n{{"));
    let index = code.domain_index(extents, vars);
    let streams = Streams::find(&mut code, body, extents, vars, false);
    let size = code.domain_size(extents, "size");

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
    let walk = Walk {
        i: &index.name,
        repr,
        size: &size,
        first: &format!("thread_of_grid<{repr}>()"),
        step: &format!("threads_of_grid<{repr}>()"),
    };
    streams.run(&mut code, &walk, &|i, _, arguments| {
        format!("element({i}{arguments});")
    });
    code.close("}");

    let mut entries = Vec::new();
    for wide in [false, true] {
        let suffix = if wide { "_wide" } else { "" };
        let entry = Entry {
            items_per_thread: (streams.width * streams.unroll) as u32,
            ..variants.entry(
                &code,
                Regime::Elementwise,
                &format!("{}{suffix}", kernel.name),
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
