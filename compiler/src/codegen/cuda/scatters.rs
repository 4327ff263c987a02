//! Scatters: a grid-stride loop over the points, each of which changes its target atomically.
//!
//! If the operator has an identity, each block can combine its points in a table of its own in shared memory, and what
//! comes of that with the targets. Few targets have several copies in it, so that threads that want the same one seldom
//! wait for each other; of many, a block has one range, and goes through all points for it (Henriksen et al., Compiling
//! Generalized Histograms for GPU, SC'20).

use super::body::Code;
use super::fold::{self, identity};
use super::scalar::{self, Expr, Repr};
use super::vector::{Starts, Streams, Walk};
use super::{Entry, Regime, Variants};
use crate::plan::{Fold, Meeting, Statement, Value};
use crate::scalar::{Binary, Leaf};

/// Threads per block.
const THREADS: u32 = 256;
/// The same of blocks with tables, which several warps should share.
const THREADS_OF_TABLES: u32 = 512;

/// The parts of the skeleton.
pub(super) struct Scatter<'k> {
    pub(super) extents: &'k [Value],
    pub(super) vars: &'k [Value],
    pub(super) body: &'k [Statement],
    pub(super) condition: Value,
    pub(super) index: Value,
    pub(super) fold: &'k Fold,
    pub(super) size: Value,
    pub(super) targets: &'k [usize],
    pub(super) meeting: &'k Meeting,
}

impl Scatter<'_> {
    /// Whether there are entries that combine points in tables before they meet the targets.
    fn has_tables(&self) -> bool {
        self.fold.known.is_some() && *self.meeting == Meeting::Apart
    }
}

/// Writes the kernel's function and its entries.
pub(super) fn write(mut code: Code<'_>, scatter: &Scatter<'_>) -> (String, Vec<Entry>) {
    let kernel = code.kernel;
    let variants = Variants::of(&code);
    let function = format!("{}_points", code.symbol);
    let tables = scatter.has_tables();
    let mut parameters = variants.parameters(&code, true);
    match tables {
        true => {
            code.line("template <class Index, class Reached>");
            parameters += ", const Reached reached";
        }
        false => code.line("template <class Index>"),
    }
    let parameters = Variants::broken(&parameters);
    code.open(format!("INLINE void {function}({parameters})\n{{"));
    let index = code.domain_index(scatter.extents, scatter.vars);
    let streams = Streams::find(
        &mut code,
        scatter.body,
        scatter.extents,
        scatter.vars,
        Starts::Domain,
    );
    let size = code.domain_size(scatter.extents, "size");
    code.open(format!(
        "const auto element = [&](const {} {}{}) {{",
        index.repr,
        index.name,
        streams.parameters()
    ));
    code.point(&index, scatter.extents, scatter.vars);
    code.declare_failed();
    code.list(scatter.body);
    let condition = code.expr(scatter.condition);
    if condition.text == "true" {
        arrive(&mut code, scatter);
    } else {
        code.open(format!("if ({}) {{", condition.text));
        arrive(&mut code, scatter);
        code.close("}");
    }
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

    let items_per_thread = (streams.width * streams.unroll) as u32;
    let mut entries = Vec::new();
    for table in [false, true] {
        if table && !tables {
            continue;
        }
        for wide in [false, true] {
            let suffix = match (table, wide) {
                (false, false) => "",
                (false, true) => "_wide",
                (true, false) => "_tables",
                (true, true) => "_tables_wide",
            };
            let (regime, threads) = match table {
                true => (Regime::Tables, THREADS_OF_TABLES),
                false => (Regime::Elementwise, THREADS),
            };
            let leaves = (scatter.targets.iter()).map(|&at| kernel.buffers[at].leaf.bytes() as u32);
            let entry = Entry {
                items_per_thread,
                shared_bytes: if table { leaves.sum() } else { 0 },
                ..variants.entry(
                    &code,
                    regime,
                    &format!("{}{suffix}", code.symbol),
                    threads,
                    wide,
                )
            };
            variants.open_entry(&mut code, &entry);
            let call = |arguments: String| {
                let index = if wide { "u64" } else { "u32" };
                format!("{function}<{index}>({arguments});")
            };
            match table {
                false => {
                    let mut arguments = variants.arguments(&code);
                    if tables {
                        arguments += ", EveryTarget{}";
                    }
                    code.line(call(arguments));
                }
                true => in_table(&mut code, scatter, &variants, call),
            }
            code.close("}");
            entries.push(entry);
        }
    }
    (code.finish(), entries)
}

/// A block's own table, and its way to the targets.
fn in_table(
    code: &mut Code<'_>,
    scatter: &Scatter<'_>,
    variants: &Variants,
    call: impl Fn(String) -> String,
) {
    let size = code.text(scatter.size);
    let known = scatter.fold.known.as_ref().expect("a known operator");
    let [range, places, shared] = ["range", "places", "shared"].map(|name| code.names.fresh(name));
    code.line(format!(
        "const RangeOfTargets {range} = range_of_targets(u32({size}), accelerate_copies);"
    ));
    code.line(format!(
        "const u32 {places} = {range}.count * {range}.copies;"
    ));
    code.line(format!("DYNAMIC_SHARED(unsigned char, {shared});"));
    // The widest leaves first, so that each is aligned.
    let mut order: Vec<usize> = (0..scatter.targets.len()).collect();
    let leaf = |k: usize| code.kernel.buffers[scatter.targets[k]].leaf;
    let leaves: Vec<Leaf> = order.iter().map(|&k| leaf(k)).collect();
    order.sort_by_key(|&k| std::cmp::Reverse(leaves[k].bytes()));
    let mut tables = vec![String::new(); order.len()];
    let mut offset = 0;
    for &k in &order {
        let target = code.buffers[scatter.targets[k]].clone();
        let table = code.names.fresh(&format!("{target}_table"));
        let ty = leaves[k].name();
        let at = match offset {
            0 => shared.clone(),
            offset => format!("{shared} + {offset} * {places}"),
        };
        code.line(format!(
            "{ty}* const {table} = reinterpret_cast<{ty}*>({at});"
        ));
        offset += leaves[k].bytes();
        tables[k] = table;
    }
    let identities: Vec<String> = (known.iter().zip(&leaves))
        .map(|(&op, &leaf)| identity(op, leaf).text)
        .collect();
    for (k, table) in tables.iter().enumerate() {
        let (ty, identity) = (leaves[k].name(), &identities[k]);
        code.line(format!("clear_table<{ty}>({table}, {places}, {identity});"));
    }
    code.line("// Hazard: points are combined before the table is clear.");
    code.line("__syncthreads();");
    let targets = scatter.targets.iter().map(|&at| code.buffers[at].clone());
    let targets: Vec<String> = targets.collect();
    let arguments = variants.arguments(code);
    let renamed = arguments.split(", ").map(|argument| {
        let at = targets.iter().position(|target| target == argument);
        at.map_or(argument.to_owned(), |k| tables[k].clone())
    });
    let renamed: Vec<String> = renamed.chain([range.clone()]).collect();
    code.line(call(renamed.join(", ")));
    code.line("// Hazard: the table is read before all points are in it.");
    code.line("__syncthreads();");
    let at = code.names.fresh("at");
    code.open(format!(
        "for (u32 {at} = threadIdx.x; {at} < {range}.count; {at} += blockDim.x) {{"
    ));
    for (k, table) in tables.iter().enumerate() {
        let (op, leaf, ty) = (known[k], leaves[k], leaves[k].name());
        let [sum, one, other] = ["sum", "one", "other"].map(|name| code.names.fresh(name));
        let both = scalar::binary(
            op,
            Repr::Leaf(leaf),
            &Expr::atom(one.clone()),
            &Expr::atom(other.clone()),
        );
        code.line(format!(
            "const {ty} {sum} = sum_of_copies<{ty}>({table}, {range}.copies, {at}, \
             [](const {ty} {one}, const {ty} {other}) {{ return {}; }});",
            both.text
        ));
        code.open(format!(
            "if (is_changed<{ty}>({sum}, {})) {{",
            identities[k]
        ));
        let target = format!("{} + {range}.first + {at}", targets[k]);
        update_leaf(code, op, leaf, &target, &Expr::atom(sum));
        code.close("}");
    }
    code.close("}");
}

/// A point at its target.
fn arrive(code: &mut Code<'_>, scatter: &Scatter<'_>) {
    code.settle(scatter.index);
    let index = code.text(scatter.index);
    let targets: Vec<String> = (scatter.targets.iter())
        .map(|&at| code.buffers[at].clone())
        .collect();
    for &element in &scatter.fold.elements {
        code.settle(element);
    }
    let elements: Vec<Expr> = (scatter.fold.elements.iter())
        .map(|&element| code.full(element))
        .collect();
    let leaves: Vec<Leaf> = (scatter.fold.results.iter())
        .map(|&result| code.leaf(result))
        .collect();
    match (scatter.meeting, &scatter.fold.known) {
        (Meeting::Apart, Some(known)) => {
            let there = code.names.fresh("there");
            code.open(format!(
                "reached(Index({index}), [&](const Index {there}) {{"
            ));
            for (k, element) in elements.iter().enumerate() {
                let at = format!("{} + {there}", targets[k]);
                update_leaf(code, known[k], leaves[k], &at, element);
            }
            code.close("});");
        }
        (Meeting::Apart, None) => {
            let ty = leaves[0].name();
            let there = code.names.fresh("there");
            code.open(format!(
                "update({} + {index}, [&](const {ty} {there}) -> {ty} {{",
                targets[0]
            ));
            let combined = fold::combined(
                code,
                scatter.fold,
                &scatter.fold.combine,
                &[Expr::atom(there)],
                &elements,
            );
            code.line(format!("return {};", combined[0].text));
            code.close("});");
        }
        (Meeting::Locked { locks, count }, _) => {
            let (locks, count) = (code.buffers[*locks].clone(), code.text(*count));
            code.open(format!("with_lock({locks} + {index} % {count}, [&] {{"));
            let mut there = Vec::new();
            for (target, leaf) in targets.iter().zip(&leaves) {
                let name = code.names.fresh("there");
                let ty = leaf.name();
                code.line(format!(
                    "const {ty} {name} = load_shared<{ty}>({target} + {index});"
                ));
                there.push(Expr::atom(name));
            }
            let combined =
                fold::combined(code, scatter.fold, &scatter.fold.combine, &there, &elements);
            for ((target, leaf), value) in targets.iter().zip(&leaves).zip(combined) {
                let (ty, value) = (leaf.name(), value.text);
                code.line(format!("store_shared<{ty}>({target} + {index}, {value});"));
            }
            code.close("});");
        }
        (Meeting::Once { met, site }, _) => {
            let met = code.buffers[*met].clone();
            let site = site.0;
            code.line(format!(
                "if (arrives_again({met}, {index})) report(failure, epoch, {site}, i64({index}), 0);"
            ));
            store(code, &targets, &index, &elements);
        }
        (Meeting::Never, _) => store(code, &targets, &index, &elements),
    }
}

fn store(code: &mut Code<'_>, targets: &[String], index: &str, elements: &[Expr]) {
    for (target, element) in targets.iter().zip(elements) {
        code.line(format!("{target}[{index}] = {};", element.text));
    }
}

/// One leaf by a known operator.
fn update_leaf(code: &mut Code<'_>, op: Binary, leaf: Leaf, at: &str, element: &Expr) {
    let ty = leaf.name();
    if let Some(name) = native(op, leaf) {
        code.line(format!("update_{name}({at}, {ty}({}));", element.text));
        return;
    }
    let there = code.names.fresh("there");
    let both = scalar::binary(op, Repr::Leaf(leaf), &Expr::atom(there.clone()), element);
    code.line(format!(
        "update({at}, [&](const {ty} {there}) -> {ty} {{ return {}; }});",
        both.text
    ));
}

/// The operation of the device, if it has one.
fn native(op: Binary, leaf: Leaf) -> Option<&'static str> {
    let word = leaf.is_integer() && leaf.bits() >= 32;
    match op {
        Binary::Add if word || leaf.is_float() => Some("add"),
        Binary::Min if word => Some("min"),
        Binary::Max if word => Some("max"),
        Binary::And if word => Some("and"),
        Binary::Or if word => Some("or"),
        Binary::Xor if word => Some("xor"),
        _ => None,
    }
}
