//! Contractions: the entries of a row-wise kernel in which a block works on a tile of rows and columns.
//!
//! The prelude's `contract` moves the two sides of a tile through shared memory and gives each thread its elements; what
//! stands here is what the kernel computes: an element of each side (the fold's prologue, once per staged element), a
//! step of the fold, and what follows it. Elements run in order, so any fold is right.

use super::affine::Polynomial;
use super::body::Code;
use super::fold;
use super::rowwise::State;
use super::scalar::{self, Expr};
use super::{Entry, Regime, Variants};
use crate::plan::tiles::{Inner, Part, Tiles};
use crate::plan::{Fold, Statement, Value, uses};
use crate::scalar::Leaf;
use std::collections::BTreeSet;

/// Neighbours that are asked for together, at most.
const WIDEST: usize = 4;
/// Bytes of an access.
const ACCESS: usize = 16;
/// Operations of a step beyond which the steps of a part stay a loop.
const LONG: u64 = 16;
/// Operations that a thread's steps are unrolled to, at most.
const UNROLLED: u64 = 2048;

/// The domain.
pub(super) struct Domain<'a> {
    pub(super) extents: &'a [Value],
    pub(super) vars: &'a [Value],
    pub(super) inner: Inner<'a>,
}

/// A part of the tile: what a line, or an element of a side, is made of.
struct Held<'a> {
    part: &'a Part,
    state: State,
    /// The variable in C.
    name: String,
}

/// One side: which loads are made several at a time.
struct Side<'a> {
    held: Held<'a>,
    /// The values, the buffers in C and the indices.
    streams: Vec<(Value, String, Polynomial)>,
    /// Neighbours along the fold, not across lines.
    along: bool,
    width: usize,
}

/// Writes the function of the tiles and its entries.
pub(super) fn write(
    mut code: Code<'_>,
    domain: &Domain<'_>,
    tiles: &Tiles,
    state: &State,
) -> (String, Vec<Entry>) {
    let kernel = code.kernel;
    let variants = Variants::of(&code);
    let schedule = &tiles.schedule;
    let ([rows, columns, depth], [each_row, each_column]) = (schedule.tile, schedule.each);
    let [thread_rows, thread_columns] = schedule.threads();
    let threads = thread_rows * thread_columns;
    let name = format!("{}_tiles", kernel.name);
    let held = |code: &mut Code<'_>, part, suffix: &str, name: &str| {
        held(code, part, format!("{}_{suffix}", kernel.name), name)
    };
    let of_row = held(&mut code, &tiles.of_row, "row_values", "of_row");
    let of_column = held(&mut code, &tiles.of_column, "column_values", "of_column");
    let left = held(&mut code, &tiles.left, "left", "left");
    let right = held(&mut code, &tiles.right, "right", "right");

    // Coordinates get their names before anything is said of indices.
    let parameters = variants.parameters(&code, true);
    let (batches, row, column) = tiles.coordinates(domain.vars);
    let batch_extents: Vec<Value> = (0..domain.vars.len())
        .filter(|&axis| Some(axis) != tiles.row && axis != tiles.column)
        .map(|axis| domain.extents[axis])
        .collect();
    let row_name = row.map_or_else(|| "line".to_owned(), |row| code.name(row));
    let column_name = code.name(column);
    let k = domain.inner.var;
    let k_name = code.name(k);
    let flat = (!batches.is_empty()).then(|| code.domain_index(&batch_extents, &batches));
    let known: BTreeSet<Value> = (kernel.scalars.iter().chain(domain.vars))
        .chain(&tiles.batch.values)
        .chain([&k])
        .copied()
        .collect();
    let left = side(&code, left, row, k, &known);
    let right = side(&code, right, Some(column), k, &known);
    for (side, lines, each) in [(&left, rows, each_row), (&right, columns, each_column)] {
        let which = side.name();
        let (ty, width, along) = (&side.held.state.name, side.width, side.along);
        code.line(match side.is_empty() {
            true => format!("typedef no_side<{each}> {}_{which}_side;", kernel.name),
            false => format!(
                "typedef tile_side<{ty}, {threads}, {lines}, {depth}, {width}, {along}, {each}> {}_{which}_side;",
                kernel.name
            ),
        });
    }
    let [left_side, right_side] =
        ["left", "right"].map(|which| format!("{}_{which}_side", kernel.name));
    code.line("template <class Index>");
    let all = format!("{parameters}, {left_side}::slot* left_room, {right_side}::slot* right_room");
    code.open(format!(
        "INLINE void {name}({})\n{{",
        Variants::broken(&all)
    ));
    code.line(format!(
        "const u32 thread_row = threadIdx.x / {thread_columns}, thread_column = threadIdx.x % {thread_columns};"
    ));
    let index = |code: &Code<'_>, extent: Value| format!("Index({})", code.text(extent));
    let row_end = tiles.row.map_or_else(
        || "Index(1)".to_owned(),
        |row| index(&code, domain.extents[row]),
    );
    let column_end = index(&code, domain.extents[tiles.column]);
    code.line(format!(
        "const Index row_end = {row_end}, column_end = {column_end};"
    ));
    code.line(format!(
        "const Index row_tiles = (row_end + {}) / {rows};",
        rows - 1
    ));
    code.line(format!(
        "const Index column_tiles = (column_end + {}) / {columns};",
        columns - 1
    ));
    let mut count = vec!["row_tiles * column_tiles".to_owned()];
    count.extend(batch_extents.iter().map(|&extent| index(&code, extent)));
    code.line(format!("const Index tiles = {};", count.join(" * ")));
    code.line("u32 turn = 0;");
    code.open("for (Index tile = blockIdx.x; tile < tiles; tile += gridDim.x) {");
    code.line(format!(
        "const Index first_column = tile % column_tiles * {columns};"
    ));
    code.line(format!(
        "const Index first_row = tile / column_tiles % row_tiles * {rows};"
    ));
    if let Some(flat) = &flat {
        code.line(format!(
            "const {} {} = tile / column_tiles / row_tiles;",
            flat.repr, flat.name
        ));
        if let [batch] = batches.as_slice() {
            code.bind(*batch, Expr::atom(flat.name.clone()));
        }
        code.point(flat, &batch_extents, &batches);
    }
    code.declare_failed();
    code.list(&tiles.batch.statements);

    let row_place = row.map_or_else(
        || "const Index".to_owned(),
        |row| format!("const {} {row_name}", code.repr(row).name()),
    );
    let column_place = format!("const {} {column_name}", code.repr(column).name());
    let k_place = format!("const {} {k_name}", code.repr(k).name());
    let line = |side: &str, each: u32, lines: u32, at: &str| {
        format!("first_{side} + tile_line<{lines}, {each}>(thread_{side}, {at})")
    };
    let row_line = line("row", each_row, rows, "r");
    let column_line = line("column", each_column, columns, "c");
    for (held, place, end, line, each, at) in [
        (&of_row, &row_place, "row_end", &row_line, each_row, "r"),
        (
            &of_column,
            &column_place,
            "column_end",
            &column_line,
            each_column,
            "c",
        ),
    ] {
        if held.part.values.is_empty() {
            continue;
        }
        let (ty, name) = (&held.state.name, &held.name);
        code.open(format!("const auto {name}_at = [&]({place}) -> {ty} {{"));
        element(&mut code, held);
        code.close("};");
        code.line(format!("{ty} {name}[{each}];"));
        code.pragma("#pragma unroll");
        code.open(format!("for (u32 {at} = 0; {at} < {each}; ++{at}) {{"));
        code.line(format!("const Index at = {line};"));
        code.line(format!(
            "{name}[{at}] = at < {end} ? {name}_at(at) : {ty}();"
        ));
        code.close("}");
    }
    let mut asked = Vec::new();
    for (side, place, end, first) in [
        (&left, &row_place, "row_end", "first_row"),
        (&right, &column_place, "column_end", "first_column"),
    ] {
        if side.is_empty() {
            continue;
        }
        let which = side.name();
        let line = match which {
            "left" => row.map(|_| row_name.as_str()),
            _ => Some(column_name.as_str()),
        };
        write_side(&mut code, side, place, &k_place, line, &k_name);
        asked.push(format!(
            "{which}.fetch({first}, {end}, start, k_end, {which}_one, {which}_several);"
        ));
    }
    code.line(format!(
        "const Index k_end = {};",
        index(&code, domain.inner.extent)
    ));
    code.open(format!(
        "const auto ask = [&]({left_side}& left, {right_side}& right, const Index start) {{"
    ));
    for line in asked {
        code.line(line);
    }
    code.close("};");
    let declared = |code: &Code<'_>, value: Value, name: &str, line: &str| {
        let line = format!("const {} {name} = {line};", code.repr(value).name());
        (value, line)
    };
    let mut coordinates = vec![declared(&code, column, &column_name, &column_line)];
    coordinates.extend(row.map(|row| declared(&code, row, &row_name, &row_line)));
    let items = format!("const {left_side}::item& left, const {right_side}::item& right");
    let parameters = format!(
        "{}& part, {items}, const u32 r, const u32 c, {k_place}",
        state.name
    );
    code.open(format!("const auto step = [&]({parameters}) {{"));
    let held = [&of_row, &of_column, &left.held, &right.held];
    write_step(&mut code, tiles, domain.inner, state, held, &coordinates);
    code.close("};");
    let ty = &state.name;
    code.line(format!(
        "const {ty} from = {};",
        start(&code, domain.inner.folds, state)
    ));
    code.line(format!("{ty} parts[{each_row}][{each_column}];"));
    code.pragma("#pragma unroll");
    code.open(format!("for (u32 r = 0; r < {each_row}; ++r) {{"));
    code.pragma("#pragma unroll");
    code.line(format!(
        "for (u32 c = 0; c < {each_column}; ++c) parts[r][c] = from;"
    ));
    code.close("}");
    let work: u64 = uses::cost(&tiles.body)
        + domain
            .inner
            .folds
            .iter()
            .map(|fold| uses::cost(&fold.combine))
            .sum::<u64>();
    let unroll = match work {
        ..=LONG => (UNROLLED / (work.max(1) * u64::from(each_row * each_column))).clamp(1, 16),
        _ => 1,
    };
    code.line(format!(
        "contract<{each_row}, {each_column}, {depth}, {unroll}, Index>(parts, {left_side}(), {right_side}(), left_room, right_room, turn, thread_row, thread_column, k_end, ask, step);"
    ));
    code.open(format!(
        "const auto finish = [&](const {ty}& total, {row_place}, {column_place}) {{"
    ));
    for (at, fold) in domain.inner.folds.iter().enumerate() {
        for (leaf, result) in fold.results.iter().enumerate() {
            bind(&mut code, *result, state.field("total", at, leaf));
        }
    }
    code.list(&tiles.after);
    code.close("};");
    code.pragma("#pragma unroll");
    code.open(format!("for (u32 r = 0; r < {each_row}; ++r) {{"));
    code.pragma("#pragma unroll");
    code.open(format!("for (u32 c = 0; c < {each_column}; ++c) {{"));
    code.line(format!("const Index row = {row_line};"));
    code.line(format!("const Index column = {column_line};"));
    code.line("if (row < row_end && column < column_end) finish(parts[r][c], row, column);");
    code.close("}");
    code.close("}");
    code.close("}");
    code.close("}");

    let position = |axis: usize| {
        let scalar = |scalar: &Value| *scalar == domain.extents[axis];
        kernel
            .scalars
            .iter()
            .position(scalar)
            .expect("the launch passes the domain")
    };
    let mut entries = Vec::new();
    for wide in [false, true] {
        let suffix = if wide { "_wide" } else { "" };
        let regime = Regime::Tiled {
            tile: [rows, columns],
            extents: (tiles.row.map(position), position(tiles.column)),
        };
        let entry = Entry {
            items_per_thread: each_row * each_column,
            ..variants.entry(
                &code,
                regime,
                &format!("{}_tiled{suffix}", kernel.name),
                threads,
                wide,
            )
        };
        variants.open_entry(&mut code, &entry);
        let mut rooms = Vec::new();
        for side in [&left, &right] {
            let (which, ty) = (side.name(), format!("{}_{}_side", kernel.name, side.name()));
            rooms.push(match side.is_empty() {
                true => "nullptr".to_owned(),
                false => {
                    code.line(format!("SHARED({ty}::slot, {which}_room, {ty}::slots);"));
                    format!("{which}_room")
                }
            });
        }
        let (arguments, rooms) = (variants.arguments(&code), rooms.join(", "));
        let index = if wide { "u64" } else { "u32" };
        code.line(format!("{name}<{index}>({arguments}, {rooms});"));
        code.close("}");
        entries.push(entry);
    }
    (code.finish(), entries)
}

fn held<'a>(code: &mut Code<'_>, part: &'a Part, ty: String, name: &str) -> Held<'a> {
    let state = match part.values.is_empty() {
        true => State::none(),
        false => State::define(code, ty, &[&part.values]),
    };
    Held {
        part,
        state,
        name: name.to_owned(),
    }
}

/// From now on the value is what a field of its own type says.
fn bind(code: &mut Code<'_>, value: Value, field: String) {
    let expr = Expr::atom(field);
    let expr = if code.narrow.is_index(value) {
        scalar::convert("Index", &expr)
    } else {
        expr
    };
    code.bind(value, expr);
}

/// The statements of a part, and its values returned.
fn element(code: &mut Code<'_>, held: &Held<'_>) {
    code.declare_failed();
    // What only the index of a load needs that is made elsewhere is left out.
    let mut wanted: BTreeSet<Value> = held.part.values.iter().copied().collect();
    let mut statements = Vec::new();
    for statement in held.part.statements.iter().rev() {
        let one = std::slice::from_ref(statement);
        let loaded = uses::defined(one)
            .iter()
            .any(|value| code.loaded.contains_key(value));
        if uses::checks(one)
            || uses::defined(one)
                .iter()
                .any(|value| wanted.contains(value))
        {
            if !loaded {
                wanted.extend(uses::free(one));
            }
            statements.push(statement.clone());
        }
    }
    statements.reverse();
    code.list(&statements);
    let fields: Vec<String> = held
        .part
        .values
        .iter()
        .map(|value| code.full(*value).text)
        .collect();
    code.line(format!("return {};", held.state.made(&fields)));
}

impl Side<'_> {
    fn name(&self) -> &str {
        &self.held.name
    }

    fn is_empty(&self) -> bool {
        self.held.part.values.is_empty()
    }
}

/// Finds the loads that neighbours of the fold or of the lines make next to each other.
fn side<'a>(
    code: &Code<'_>,
    held: Held<'a>,
    line: Option<Value>,
    k: Value,
    known: &BTreeSet<Value>,
) -> Side<'a> {
    let mut found: [Vec<(Value, String, Polynomial)>; 2] = Default::default();
    for statement in &held.part.statements {
        let Statement::Load {
            value,
            buffer,
            index,
            guard: None,
        } = statement
        else {
            continue;
        };
        let place = Polynomial::of(code.facts, *index);
        if !place.values().all(|value| known.contains(&value)) {
            continue;
        }
        let across = line.is_some_and(|line| place.is_unit_in(line));
        let along = place.is_unit_in(k);
        if along || across {
            found[usize::from(along)].push((*value, code.buffers[*buffer].clone(), place));
        }
    }
    let [across, along] = found;
    let is_along = across.is_empty() || !along.is_empty();
    let streams = if is_along { along } else { across };
    let bytes = streams
        .iter()
        .map(|(value, ..)| code.leaf(*value).bytes())
        .min();
    Side {
        held,
        along: is_along,
        width: bytes.map_or(1, |bytes| (ACCESS / bytes).clamp(2, WIDEST)),
        streams,
    }
}

/// An element of a side, by itself and several at a time.
fn write_side(
    code: &mut Code<'_>,
    side: &Side<'_>,
    line_place: &str,
    k_place: &str,
    line: Option<&str>,
    k: &str,
) {
    let (which, ty, width) = (side.name(), side.held.state.name.clone(), side.width);
    let mut parameters = String::new();
    let mut names = Vec::new();
    for (value, buffer, place) in &side.streams {
        let name = code.names.fresh(&code.wanted(*value));
        parameters += &format!(", const {} {name}", code.leaf(*value).name());
        code.loaded.insert(*value, name.clone());
        names.push((name, buffer, code.polynomial(place)));
    }
    code.open(format!(
        "const auto {which}_at = [&]({line_place}, {k_place}{parameters}) -> {ty} {{"
    ));
    element(code, &side.held);
    code.close("};");
    let line = line.unwrap_or("0");
    code.open(format!(
        "const auto {which}_one = [&]({line_place}, {k_place}) -> {ty} {{"
    ));
    let loads: String = names
        .iter()
        .map(|(_, buffer, place)| format!(", {buffer}[{place}]"))
        .collect();
    code.line(format!("return {which}_at({line}, {k}{loads});"));
    code.close("};");
    code.open(format!(
        "const auto {which}_several = [&]({line_place}, {k_place}, {ty} (&to)[{width}]) {{"
    ));
    let next = |at: &str| match side.along {
        true => format!("{line}, {k} + {at}"),
        false => format!("{line} + {at}, {k}"),
    };
    if width == 1 {
        code.line(format!("to[0] = {which}_one({line}, {k});"));
    } else {
        let mut aligned = Vec::new();
        for (name, _, place) in &names {
            code.line(format!("const Index {name}_start = {place};"));
            aligned.push(format!("{name}_start % {width} == 0"));
        }
        code.open(format!("if ({}) {{", aligned.join(" && ")));
        let mut loads = String::new();
        for (name, buffer, _) in &names {
            code.line(format!(
                "const auto {name}_pack = load_pack<{width}>({buffer} + {name}_start);"
            ));
            loads += &format!(", {name}_pack[at]");
        }
        code.pragma("#pragma unroll");
        let all = next("at");
        code.line(format!(
            "for (u32 at = 0; at < {width}; ++at) to[at] = {which}_at({all}{loads});"
        ));
        code.close("} else {");
        code.deeper();
        let loads: String = names
            .iter()
            .map(|(name, buffer, _)| format!(", {buffer}[{name}_start + at]"))
            .collect();
        code.pragma("#pragma unroll");
        code.line(format!(
            "for (u32 at = 0; at < {width}; ++at) to[at] = {which}_at({all}{loads});"
        ));
        code.close("}");
    }
    code.close("};");
}

/// One element of the fold for one element of the domain.
fn write_step(
    code: &mut Code<'_>,
    tiles: &Tiles,
    inner: Inner<'_>,
    state: &State,
    parts: [&Held<'_>; 4],
    coordinates: &[(Value, String)],
) {
    let mut used = uses::free(&tiles.body);
    for fold in inner.folds {
        used.extend(&fold.elements);
        used.extend(uses::free(&fold.combine));
    }
    for (value, line) in coordinates {
        if used.contains(value) {
            code.line(line);
        }
    }
    for (held, variable) in parts
        .iter()
        .zip(["of_row[r]", "of_column[c]", "left", "right"])
    {
        for (at, value) in held.part.values.iter().enumerate() {
            bind(code, *value, held.state.field(variable, 0, at));
        }
    }
    code.list(&tiles.body);
    for fold in inner.folds {
        for element in &fold.elements {
            if fold.known.is_none() {
                code.settle(*element);
            }
        }
    }
    if inner.folds.iter().all(starts) {
        let next = next(code, inner.folds, state, false);
        code.line(format!("part = {next};"));
    } else {
        let k = code.text(inner.var);
        code.open(format!("if ({k} == 0) {{"));
        let first = next(code, inner.folds, state, true);
        code.line(format!("part = {first};"));
        code.close("} else {");
        code.deeper();
        let next = next(code, inner.folds, state, false);
        code.line(format!("part = {next};"));
        code.close("}");
    }
}

/// Whether a fold has something to start from.
fn starts(fold: &Fold) -> bool {
    fold.initial.is_some() || fold.known.is_some()
}

/// The states after the `first` or another element.
fn next(code: &mut Code<'_>, folds: &[Fold], state: &State, first: bool) -> String {
    let mut fields = Vec::new();
    for (at, fold) in folds.iter().enumerate() {
        let before: Vec<Expr> = (0..fold.results.len())
            .map(|leaf| Expr::atom(state.field("part", at, leaf)))
            .collect();
        if fold.known.is_some() {
            fields.extend(
                (0..before.len())
                    .map(|leaf| fold::accumulate(code, fold, leaf, &before[leaf]).text),
            );
            continue;
        }
        let elements: Vec<Expr> = fold
            .elements
            .iter()
            .map(|element| code.full(*element))
            .collect();
        let next = match first && !starts(fold) {
            true => elements,
            false => fold::combined(code, fold, &before, &elements),
        };
        fields.extend(next.into_iter().map(|expr| expr.text));
    }
    state.made(&fields)
}

/// The states before the first element.
fn start(code: &Code<'_>, folds: &[Fold], state: &State) -> String {
    let mut fields = Vec::new();
    for fold in folds {
        for (leaf, result) in fold.results.iter().enumerate() {
            let ty: Leaf = code.leaf(*result);
            fields.push(match (&fold.initial, &fold.known) {
                (Some(initial), _) => code.full(initial[leaf]).text,
                (None, Some(known)) => fold::identity(known[leaf], ty).text,
                (None, None) => format!("{}(0)", ty.name()),
            });
        }
    }
    state.made(&fields)
}
