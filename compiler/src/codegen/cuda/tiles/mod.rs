//! Contractions: the entries of a row-wise kernel in which a block works on a tile of rows and columns.
//!
//! The prelude's `contract` moves the two sides of a tile through shared memory and gives each thread its elements; what
//! stands here is what the kernel computes: an element of each side (the fold's prologue, once per staged element), a
//! step of the fold, and what follows it. Elements run in order, so any fold is right.

mod results;
mod sides;
mod steps;

use super::body::Code;
use super::scalar::Expr;
use super::state::State;
use super::{Entry, Regime, Variants};
use crate::plan::tiles::{Inner, Tiles};
use crate::plan::{Value, uses};
use crate::sorted::SortedSet;
use results::{PIECE, Places, write_results};
use sides::{Side, element, held, side, write_side};
use steps::{start, write_step};

/// Operations of a step beyond which few steps are unrolled.
const LONG: u64 = 16;
/// Operations that a thread's steps are unrolled to, at most: of short steps, and of long ones.
const UNROLLED: [u64; 2] = [2048, 256];
/// Registers of a multiprocessor.
const REGISTERS: u32 = 65_536;
/// Operations of an element of a side, its index and load included, that need few registers.
const FEW: u64 = 6;

/// Elements of a thread in the smallest tiles.
const SMALL: u32 = 16;
/// Registers that are enough for these, where they and those of both sides have 4 bytes and need little arithmetic. Left alone
/// ptxas may take a few more, with which fewer blocks are resident.
const ENOUGH: u32 = 64;

/// The domain.
pub(super) struct Domain<'a> {
    pub(super) extents: &'a [Value],
    pub(super) vars: &'a [Value],
    pub(super) inner: Inner<'a>,
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
    let name = format!("{}_tiles", code.symbol);
    let held = |code: &mut Code<'_>, part, suffix: &str, name: &str| {
        held(code, part, format!("{}_{suffix}", code.symbol), name)
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
    let known: SortedSet<Value> = (kernel.scalars.iter().chain(domain.vars))
        .chain(&tiles.batch.values)
        .chain([&k])
        .copied()
        .collect();
    let left = side(&code, left, row, k, &known);
    let right = side(&code, right, Some(column), k, &known);
    for (side, lines, each) in [
        (&left, "rows", "each_row"),
        (&right, "columns", "each_column"),
    ] {
        let (symbol, which) = (&code.symbol, side.name());
        let (ty, width, along) = (&side.held.state.name, side.width, side.along);
        let side = match side.is_empty() {
            true => format!("no_side<Tile::{each}>"),
            false => format!(
                "tile_side<{ty}, Tile::threads, Tile::{lines}, Tile::depth, {width}, {along}, Tile::{each}>"
            ),
        };
        code.line(format!(
            "template <class Tile> using {symbol}_{which}_side = {side};"
        ));
    }
    let [left_side, right_side] =
        ["left", "right"].map(|which| format!("{}_{which}_side<Tile>", code.symbol));
    code.line("template <class Index, class Tile>");
    let all = format!(
        "{parameters}, typename {left_side}::slot* left_room, typename {right_side}::slot* right_room"
    );
    code.open(format!(
        "INLINE void {name}({})\n{{",
        Variants::broken(&all)
    ));
    code.line(
        "const u32 thread_row = threadIdx.x / Tile::thread_columns, thread_column = threadIdx.x % Tile::thread_columns;",
    );
    let index = |code: &Code<'_>, extent: Value| format!("Index({})", code.text(extent));
    let row_end = tiles.row.map_or_else(
        || "Index(1)".to_owned(),
        |row| index(&code, domain.extents[row]),
    );
    let column_end = index(&code, domain.extents[tiles.column]);
    code.line(format!(
        "const Index row_end = {row_end}, column_end = {column_end};"
    ));
    for (side, lines) in [("row", "rows"), ("column", "columns")] {
        code.line(format!(
            "const Index {side}_tiles = ({side}_end + (Tile::{lines} - 1)) / Tile::{lines};"
        ));
    }
    let mut count = vec!["row_tiles * column_tiles".to_owned()];
    count.extend(batch_extents.iter().map(|&extent| index(&code, extent)));
    code.line(format!("const Index tiles = {};", count.join(" * ")));
    code.line("u32 turn = 0;");
    code.open("for (Index tile = blockIdx.x; tile < tiles; tile += gridDim.x) {");
    code.line("const Index first_column = tile % column_tiles * Tile::columns;");
    code.line("const Index first_row = tile / column_tiles % row_tiles * Tile::rows;");
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
    let line = |side: &str, at: &str| {
        format!("first_{side} + tile_line<Tile::{side}s, Tile::each_{side}>(thread_{side}, {at})")
    };
    let row_line = line("row", "r");
    let column_line = line("column", "c");
    for (held, place, side, line, at) in [
        (&of_row, &row_place, "row", &row_line, "r"),
        (&of_column, &column_place, "column", &column_line, "c"),
    ] {
        if held.part.values.is_empty() {
            continue;
        }
        let (ty, name) = (&held.state.name, &held.name);
        code.open(format!("const auto {name}_at = [&]({place}) -> {ty} {{"));
        element(&mut code, held);
        code.close("};");
        code.line(format!("{ty} {name}[Tile::each_{side}];"));
        code.pragma("#pragma unroll");
        code.open(format!(
            "for (u32 {at} = 0; {at} < Tile::each_{side}; ++{at}) {{"
        ));
        code.line(format!("const Index at = {line};"));
        code.line(format!(
            "{name}[{at}] = at < {side}_end ? {name}_at(at) : {ty}();"
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
        let (line, line_name) = match which {
            "left" => (row, row.map(|_| row_name.as_str())),
            _ => (Some(column), Some(column_name.as_str())),
        };
        write_side(&mut code, side, place, &k_place, line_name, &k_name);
        let aligned = side.aligned(&code, line, k);
        code.line(format!("const bool {which}_aligned = {aligned};"));
        asked.push(format!(
            "{which}.fetch({first}, {end}, start, k_end, {which}_aligned, {which}_one, {which}_packs);"
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
    let items =
        format!("const typename {left_side}::item& left, const typename {right_side}::item& right");
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
    code.line(format!("{ty} parts[Tile::each_row][Tile::each_column];"));
    code.pragma("#pragma unroll");
    code.open("for (u32 r = 0; r < Tile::each_row; ++r) {");
    code.pragma("#pragma unroll");
    code.line("for (u32 c = 0; c < Tile::each_column; ++c) parts[r][c] = from;");
    code.close("}");
    let work: u64 = uses::cost(&tiles.body)
        + domain
            .inner
            .folds
            .iter()
            .map(|fold| uses::cost(&fold.combine))
            .sum::<u64>();
    code.line(format!(
        "contract<Tile, Index>(parts, {left_side}(), {right_side}(), left_room, right_room, turn, thread_row, thread_column, k_end, ask, step);"
    ));
    let pieces = tiles.schedules.iter().map(|schedule| schedule.each[1]);
    let places = Places {
        row: &row_place,
        column: &column_place,
        row_line: &row_line,
        column_line: &column_line,
        piece: pieces.min().unwrap_or(1).min(PIECE),
    };
    write_results(&mut code, domain, tiles, state, &places);
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
    let few = |side: &Side<'_>| uses::cost(&side.held.part.statements) <= FEW;
    let slim = [state, &left.held.state, &right.held.state]
        .iter()
        .all(|state| state.bytes() <= 4)
        && [&of_row, &of_column]
            .iter()
            .all(|held| held.state.bytes() == 0)
        && few(&left)
        && few(&right);
    let mut entries = Vec::new();
    for (at, schedule) in tiles.schedules.iter().enumerate() {
        let ([rows, columns, depth], [each_row, each_column]) = (schedule.tile, schedule.each);
        let [thread_rows, thread_columns] = schedule.threads();
        let size = match at {
            0 => String::new(),
            _ => format!("_{columns}"),
        };
        let tile = format!("{}_tile{size}", code.symbol);
        let (operations, most) = match work {
            ..=LONG => (UNROLLED[0], 16),
            _ => (UNROLLED[1], 4),
        };
        let of_step = work.max(1) * u64::from(each_row * each_column);
        let unroll = (operations / of_step).clamp(1, most);
        code.line(format!(
            "typedef tile_schedule<{rows}, {columns}, {depth}, {each_row}, {each_column}, {unroll}> {tile};"
        ));
        // Small tiles are for small results.
        for wide in [false, true].into_iter().take(if at == 0 { 2 } else { 1 }) {
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
                    &format!("{}_tiled{size}{suffix}", code.symbol),
                    thread_rows * thread_columns,
                    wide,
                )
            };
            let resident = match slim && !wide && each_row * each_column == SMALL {
                true => REGISTERS / (ENOUGH * entry.threads),
                false => 0,
            };
            let variants = Variants {
                resident,
                ..variants
            };
            variants.open_entry(&mut code, &entry);
            let mut rooms = Vec::new();
            for side in [&left, &right] {
                let which = side.name();
                let ty = format!("{}_{which}_side<{tile}>", code.symbol);
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
            code.line(format!("{name}<{index}, {tile}>({arguments}, {rooms});"));
            code.close("}");
            entries.push(entry);
        }
    }
    (code.finish(), entries)
}
