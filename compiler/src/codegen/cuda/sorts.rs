//! Sorts by keys: what an element is, what its digits are and where its leaves lie. Who moves what when is `sort.cuh`'s.
//!
//! One entry sorts rows that fit a tile; the other one is launched once to count digits and once for each of them.

use super::body::Code;
use super::{Entry, Regime, Variants};
use crate::codegen::names::Names;
use crate::plan::{Comparison, Sorted, Statement, Value, sorts};
use crate::scalar::Leaf;

/// Warps of a block: `sort_warps` of the prelude.
const WARPS: u32 = 12;
/// Threads per block.
const THREADS: u32 = 32 * WARPS;
/// Blocks of a multiprocessor that sort words which are read as they are. What computes elements, or has more of them in its
/// registers, would spill.
const RESIDENT: u32 = 2;

/// The parts of the skeleton.
pub(super) struct Sort<'k> {
    pub(super) extents: &'k [Value],
    pub(super) vars: &'k [Value],
    pub(super) body: &'k [Statement],
    pub(super) length: Value,
    pub(super) parts: &'k [Sorted],
    pub(super) keys: usize,
    pub(super) by: Option<&'k Comparison>,
    pub(super) items: u32,
}

/// Names of the function's own variables.
struct Locals {
    item: String,
    less: String,
    digit: String,
    leaves: String,
    each: String,
    space: String,
    scratch: String,
    launch: String,
    whole: String,
}

impl Locals {
    fn new(code: &mut Code<'_>) -> Locals {
        let mut fresh = |name: &str| code.names.fresh(name);
        Locals {
            item: fresh("item"),
            less: fresh("less"),
            digit: fresh("digit"),
            leaves: fresh("leaves"),
            each: fresh("each"),
            space: fresh("space"),
            scratch: fresh("scratch"),
            launch: fresh("launch"),
            whole: fresh("whole"),
        }
    }
}

/// Writes the kernel's function and its entries.
pub(super) fn write(mut code: Code<'_>, sort: &Sort<'_>) -> (String, Vec<Entry>) {
    let leaves: Vec<Leaf> = (sort.parts.iter())
        .map(|part| code.leaf(part.element))
        .collect();
    let passes = sorts::digits(&leaves[..sort.keys]).len() as u32;
    let variants = Variants::of(&code);
    let function = format!("{}_elements", code.symbol);
    write_function(&mut code, sort, &leaves, &function, &variants);

    let items = sort.items;
    let words = matches!(&leaves[..], [leaf] if leaf.bytes() <= 4)
        && matches!(sort.body, [Statement::Load { .. }]);
    let widest = leaves.iter().map(|leaf| leaf.bytes() as u32).max();
    // Counts and lanes of each digit for each warp, and later a leaf.
    let room = (THREADS * items * widest.unwrap_or(1)).max(2 * 256 * 4 * WARPS);
    // Type, name and length, in the order of the fields of `sort_space`.
    let shared = [
        ("u64", "room", room.div_ceil(8)),
        ("u32", "totals", 256),
        ("u32", "starts", 256),
        ("u64", "shifts", 256),
        (
            "u8",
            "digits",
            if leaves.len() > 1 { THREADS * items } else { 1 },
        ),
        ("u64", "handed", 2),
    ];
    let shared = shared.map(|(ty, name, length)| (ty, code.names.fresh(name), length));
    let space = code.names.fresh("space");
    let mut entries = Vec::new();
    for whole in [true, false] {
        for wide in [false, true] {
            let (regime, suffix) = match whole {
                true => (Regime::SortRows, "_rows"),
                false => (Regime::Sort { passes }, ""),
            };
            let name = format!("{}{suffix}{}", code.symbol, if wide { "_wide" } else { "" });
            let index = if wide { "u64" } else { "u32" };
            let entry = Entry {
                items_per_thread: items,
                partial_bytes: match (whole, wide) {
                    (true, _) => 0,
                    (false, false) => 4,
                    (false, true) => 8,
                },
                ..variants.entry(&code, regime, &name, THREADS, wide)
            };
            let variants = Variants {
                resident: match words && !whole && !wide {
                    true => RESIDENT,
                    false => 0,
                },
                ..variants
            };
            variants.open_entry(&mut code, &entry);
            for (ty, name, length) in &shared {
                code.line(format!("SHARED({ty}, {name}, {length});"));
            }
            let fields: Vec<&str> = shared.iter().map(|(_, name, _)| name.as_str()).collect();
            code.line(format!(
                "const sort_space {space} = {{{}}};",
                fields.join(", ")
            ));
            let scratch = match whole {
                true => format!("({index}*)nullptr, 0"),
                false => format!("reinterpret_cast<{index}*>(partials), accelerate_launch"),
            };
            let arguments = variants.arguments(&code);
            code.line(format!(
                "{function}<{index}, {whole}>({space}, {scratch}, {arguments});"
            ));
            code.close("}");
            entries.push(entry);
        }
    }
    (code.finish(), entries)
}

/// The function of all entries: what the elements are, and the call of the launch's part.
fn write_function(
    code: &mut Code<'_>,
    sort: &Sort<'_>,
    leaves: &[Leaf],
    function: &str,
    variants: &Variants,
) {
    let locals = Locals::new(code);
    let keys = &leaves[..sort.keys];
    let digits = sorts::digits(keys);
    let (item, fields) = define_item(code, sort, leaves);
    code.line(format!("template <class Index, bool {}>", locals.whole));
    let parameters = format!(
        "const sort_space& {}, Index* {}, const u32 {}, {}",
        locals.space,
        locals.scratch,
        locals.launch,
        variants.parameters(code, true)
    );
    let parameters = Variants::broken(&parameters);
    code.open(format!("INLINE void {function}({parameters})\n{{"));
    let size = write_element(code, sort, leaves, &item, &fields, &locals.item);
    write_less(code, &locals.less, &item, &fields[..sort.keys]);
    write_digit(code, &locals.digit, &item, &fields, &digits);
    code.open(format!(
        "const auto {} = [&](const auto {}) {{",
        locals.leaves, locals.each
    ));
    for (k, (part, field)) in sort.parts.iter().zip(&fields).enumerate() {
        let pointer = |at: Option<usize>| match at {
            Some(at) => code.buffers[at].clone(),
            None => "nullptr".to_owned(),
        };
        let [first, second] = part.buffers.map(pointer);
        let stored = sorts::passes(keys, k, part.wanted);
        let (each, ty, wanted) = (&locals.each, leaves[k].name(), part.wanted);
        code.line(format!(
            "{each}(sort_leaf<{item}, {ty}>{{&{item}::{field}, {first}, {second}, {stored}, {wanted}}});"
        ));
    }
    code.close("};");
    let Locals {
        less,
        digit,
        leaves,
        space,
        scratch,
        launch,
        whole,
        ..
    } = &locals;
    let (items, length, passes) = (sort.items, code.text(sort.length), digits.len());
    let rows = format!("Index({size}) / Index({length}), Index({length}), {passes}");
    code.open(format!("if constexpr ({whole}) {{"));
    code.line(format!(
        "sort_rows<{items}, {item}, Index>({space}, {rows}, element, {less}, {digit}, {leaves});"
    ));
    code.close(format!("}} else if ({launch} == 0) {{"));
    code.deeper();
    code.line(format!(
        "sort_count<{items}, {item}, Index>({space}, {rows}, {scratch}, element, {digit});"
    ));
    code.close("} else {");
    code.deeper();
    code.line(format!(
        "sort_pass<{items}, {item}, Index>({space}, {rows}, {launch} - 1, {scratch}, element, {digit}, {leaves});"
    ));
    code.close("}");
    code.close("}");
}

/// What the element at a point is; gives the number of points.
pub(super) fn write_element(
    code: &mut Code<'_>,
    sort: &Sort<'_>,
    leaves: &[Leaf],
    item: &str,
    fields: &[String],
    name: &str,
) -> String {
    let index = code.domain_index(sort.extents, sort.vars);
    let size = code.domain_size(sort.extents, "size");
    code.open(format!(
        "const auto element = [&](const {} {}) -> {item} {{",
        index.repr, index.name
    ));
    code.point(&index, sort.extents, sort.vars);
    code.declare_failed();
    code.list(sort.body);
    code.line(format!("{item} {name};"));
    for ((part, field), leaf) in sort.parts.iter().zip(fields).zip(leaves) {
        code.settle(part.element);
        let value = code.full(part.element).text;
        code.line(format!("{name}.{field} = {}({value});", leaf.name()));
    }
    code.line(format!("return {name};"));
    code.close("};");
    size
}

/// The struct of an element: its name, and those of its leaves.
pub(super) fn define_item(
    code: &mut Code<'_>,
    sort: &Sort<'_>,
    leaves: &[Leaf],
) -> (String, Vec<String>) {
    let item = format!("{}_item", code.symbol);
    code.open(format!("struct {item} {{"));
    let mut names = Names::default();
    let mut fields = Vec::new();
    for (part, leaf) in sort.parts.iter().zip(leaves) {
        let field = names.fresh(&code.wanted(part.element));
        code.line(format!("{} {field};", leaf.name()));
        fields.push(field);
    }
    code.close("};");
    code.line("");
    (item, fields)
}

/// Whether an element comes before another one, key by key.
fn write_less(code: &mut Code<'_>, less: &str, item: &str, keys: &[String]) {
    code.open(format!(
        "const auto {less} = [&](const {item}& a, const {item}& b) -> bool {{"
    ));
    for (at, key) in keys.iter().enumerate() {
        let [a, b] = ["a", "b"].map(|of| format!("order_bits({of}.{key})"));
        match at + 1 == keys.len() {
            true => code.line(format!("return {a} < {b};")),
            false => code.line(format!("if ({a} != {b}) return {a} < {b};")),
        }
    }
    code.close("};");
}

/// The digit of a pass, key by key.
fn write_digit(
    code: &mut Code<'_>,
    digit: &str,
    item: &str,
    fields: &[String],
    digits: &[(usize, u32)],
) {
    code.open(format!(
        "const auto {digit} = [&](const {item}& x, const u32 pass) -> u32 {{"
    ));
    let mut first = 0;
    for runs in digits.chunk_by(|a, b| a.0 == b.0) {
        let (key, end) = (&fields[runs[0].0], first + runs.len());
        let digit = match first {
            0 => format!("return sort_digit(x.{key}, pass);"),
            first => format!("return sort_digit(x.{key}, pass - {first});"),
        };
        match end == digits.len() {
            true => code.line(digit),
            false => code.line(format!("if (pass < {end}) {digit}")),
        }
        first = end;
    }
    code.close("};");
}
