//! Sorts by a comparison: what an element is, which of two comes first and where the leaves lie. Who merges what when is
//! `merge.cuh`'s.
//!
//! The entry is launched once for the tiles, and twice for each round of merges.

use super::body::Code;
use super::scalar::Expr;
use super::sorts::{Sort, define_item, write_element};
use super::{Entry, Regime, Variants};
use crate::plan::Comparison;
use crate::scalar::Leaf;

/// Bytes of shared memory, at most.
const SHARED: u32 = 40 << 10;

/// Writes the kernel's function and its entries.
pub(super) fn write(mut code: Code<'_>, sort: &Sort<'_>, by: &Comparison) -> (String, Vec<Entry>) {
    let leaves: Vec<Leaf> = (sort.parts.iter())
        .map(|part| code.leaf(part.element))
        .collect();
    let variants = Variants::of(&code);
    let function = format!("{}_elements", code.symbol);
    let (item, fields) = define_item(&mut code, sort, &leaves);
    write_function(&mut code, sort, by, &leaves, (&item, &fields), &variants);

    let items = sort.items;
    let bytes = Leaf::struct_bytes(leaves.iter().copied());
    let fits = |threads: &u32| threads * (items * bytes + 4) <= SHARED;
    let threads = [256, 128, 64].into_iter().find(fits).unwrap_or(32);
    let [room, cuts, space] = ["room", "cuts", "space"].map(|name| code.names.fresh(name));
    let mut entries = Vec::new();
    for wide in [false, true] {
        let index = if wide { "u64" } else { "u32" };
        let name = format!("{}{}", code.symbol, if wide { "_wide" } else { "" });
        let entry = Entry {
            items_per_thread: items,
            partial_bytes: if wide { 8 } else { 4 },
            ..variants.entry(&code, Regime::Merge, &name, threads, wide)
        };
        variants.open_entry(&mut code, &entry);
        code.line(format!("SHARED({item}, {room}, {});", threads * items));
        code.line(format!("SHARED(u32, {cuts}, {threads});"));
        code.line(format!(
            "const merge_space<{item}> {space} = {{{room}, {cuts}}};"
        ));
        let arguments = variants.arguments(&code);
        code.line(format!(
            "{function}<{index}>({space}, reinterpret_cast<{index}*>(partials), accelerate_launch, {arguments});"
        ));
        code.close("}");
        entries.push(entry);
    }
    (code.finish(), entries)
}

/// The function of all entries: elements, the comparison, and the call of the launch's part.
fn write_function(
    code: &mut Code<'_>,
    sort: &Sort<'_>,
    by: &Comparison,
    leaves: &[Leaf],
    (item, fields): (&str, &[String]),
    variants: &Variants,
) {
    let [one, less, all, each] =
        ["item", "less", "leaves", "each"].map(|name| code.names.fresh(name));
    let [space, scratch, launch, round] =
        ["space", "scratch", "launch", "round"].map(|name| code.names.fresh(name));
    code.line("template <class Index>");
    let parameters = format!(
        "const merge_space<{item}>& {space}, Index* {scratch}, const u32 {launch}, {}",
        variants.parameters(code, true)
    );
    let parameters = Variants::broken(&parameters);
    code.open(format!(
        "INLINE void {}_elements({parameters})\n{{",
        code.symbol
    ));
    let size = write_element(code, sort, leaves, item, fields, &one);
    let [left, right] = ["left", "right"];
    code.open(format!(
        "const auto {less} = [&](const {item}& {left}, const {item}& {right}) -> bool {{"
    ));
    for (keys, operand) in [(&by.left, left), (&by.right, right)] {
        for (&key, field) in keys.iter().zip(fields) {
            code.bind(key, Expr::atom(format!("{operand}.{field}")));
        }
    }
    code.declare_failed();
    code.list(&by.body);
    let result = code.full(by.less).text;
    code.line(format!("return {result};"));
    code.close("};");
    code.open(format!("const auto {all} = [&](const auto {each}) {{"));
    for (k, (part, field)) in sort.parts.iter().zip(fields).enumerate() {
        let [first, second] =
            (part.buffers).map(|at| code.buffers[at.expect("both buffers")].clone());
        let (ty, key) = (leaves[k].name(), k < sort.keys);
        code.line(format!(
            "{each}(merge_leaf<{item}, {ty}>{{&{item}::{field}, {first}, {second}, {key}}});"
        ));
    }
    code.close("};");
    let (items, length) = (sort.items, code.text(sort.length));
    let rows = code.names.fresh("rows");
    code.line(format!(
        "const Index {rows} = Index({size}) / Index({length});"
    ));
    code.line(format!(
        "const merge_round<Index> {round}({rows}, Index({length}), {items} * blockDim.x, {launch}, {scratch});"
    ));
    let common = format!("{rows}, {round}");
    code.open(format!("if ({launch} == 0) {{"));
    code.line(format!(
        "merge_tiles<{items}, {item}>({space}, {common}, element, {less}, {all});"
    ));
    code.close(format!("}} else if ({launch} % 2 == 1) {{"));
    code.deeper();
    code.line(format!("merge_cuts<{item}>({common}, {less}, {all});"));
    code.close("} else {");
    code.deeper();
    code.line(format!(
        "merge_pairs<{items}, {item}>({space}, {common}, {less}, {all});"
    ));
    code.close("}");
    code.close("}");
}
