//! What follows the fold: of neighbouring columns together, so that what is read and stored along them is in one access.

use super::Domain;
use super::steps::bind_results;
use crate::codegen::cuda::body::Code;
use crate::codegen::cuda::state::State;
use crate::codegen::names::singular;
use crate::plan::affine::Polynomial;
use crate::plan::tiles::Tiles;
use crate::plan::{Statement, Value};
use crate::sorted::SortedSet;

/// Columns of a thread that are neighbours (the prelude's `tile_line`), at most.
pub(super) const PIECE: u32 = 4;

/// A load or store that goes along the columns.
struct Stream {
    /// The buffer in C.
    buffer: String,
    leaf: &'static str,
    /// The first element, in terms of the coordinates.
    start: String,
    /// The parameter of what follows the fold.
    name: String,
    writes: bool,
}

/// Where the elements of a thread are.
pub(super) struct Places<'a> {
    /// Their declarations as parameters.
    pub(super) row: &'a str,
    pub(super) column: &'a str,
    /// The lines in C, in terms of `r` and `c`.
    pub(super) row_line: &'a str,
    pub(super) column_line: &'a str,
    /// Columns that are neighbours, in any tile.
    pub(super) piece: u32,
}

/// Writes what is done with `parts`, a thread's results of the folds.
pub(super) fn write_results(
    code: &mut Code<'_>,
    domain: &Domain<'_>,
    tiles: &Tiles,
    state: &State,
    places: &Places<'_>,
) {
    let piece = places.piece;
    let streams = match piece {
        1 => Vec::new(),
        _ => streams(code, domain, tiles),
    };
    let (ty, row_place, column_place) = (&state.name, places.row, places.column);
    let parameters: String = streams.iter().map(Stream::parameter).collect();
    code.open(format!(
        "const auto finish = [&](const {ty}& total, {row_place}, {column_place}{parameters}) {{"
    ));
    bind_results(code, domain.inner.folds, state);
    code.list(&tiles.after);
    code.close("};");
    for stream in &streams {
        let (name, start) = (&stream.name, &stream.start);
        code.line(format!(
            "const auto {name}_at = [&]({row_place}, {column_place}) {{ return Index({start}); }};"
        ));
    }
    code.pragma("#pragma unroll");
    code.open("for (u32 r = 0; r < Tile::each_row; ++r) {");
    code.pragma("#pragma unroll");
    let step = match streams.is_empty() {
        true => "++c".to_owned(),
        false => format!("c += {piece}"),
    };
    code.open(format!("for (u32 c = 0; c < Tile::each_column; {step}) {{"));
    code.line(format!("const Index row = {};", places.row_line));
    code.line(format!("const Index column = {};", places.column_line));
    match streams.is_empty() {
        true => {
            code.line("if (row < row_end && column < column_end) finish(parts[r][c], row, column);")
        }
        false => write_piece(code, &streams, piece),
    }
    code.close("}");
    code.close("}");
}

/// Neighbouring columns: what is read and stored along them goes by packs where all are there and every access is aligned.
fn write_piece(code: &mut Code<'_>, streams: &[Stream], piece: u32) {
    code.line("if (row >= row_end || column >= column_end) continue;");
    let mut tests = vec![format!("column + {piece} <= column_end")];
    for stream in streams {
        let name = &stream.name;
        code.line(format!(
            "const Index {name}_start = {name}_at(row, column);"
        ));
        tests.push(format!("{name}_start % {piece} == 0"));
    }
    code.line(format!("const bool whole = {};", tests.join(" && ")));
    let each = |code: &mut Code<'_>, line: String| {
        code.pragma("#pragma unroll");
        code.open(format!("for (u32 next = 0; next < {piece}; ++next) {{"));
        code.line(format!("if (column + next < column_end) {line}"));
        code.close("}");
    };
    for stream in streams {
        let Stream {
            buffer, leaf, name, ..
        } = stream;
        code.line(format!("pack<{leaf}, {piece}> {name}_pack;"));
        if !stream.writes {
            code.open("if (whole) {");
            code.line(format!(
                "{name}_pack = load_pack<{piece}>({buffer} + {name}_start);"
            ));
            code.close("} else {");
            code.deeper();
            each(
                code,
                format!("{name}_pack[next] = {buffer}[{name}_start + next];"),
            );
            code.close("}");
        }
    }
    let packs = |stream: &Stream| format!(", {}_pack[next]", stream.name);
    let packs: String = streams.iter().map(packs).collect();
    each(
        code,
        format!("finish(parts[r][c + next], row, column + next{packs});"),
    );
    for Stream { buffer, name, .. } in streams.iter().filter(|stream| stream.writes) {
        code.open("if (whole) {");
        code.line(format!(
            "store_pack<{piece}>({buffer} + {name}_start, {name}_pack);"
        ));
        code.close("} else {");
        code.deeper();
        each(
            code,
            format!("{buffer}[{name}_start + next] = {name}_pack[next];"),
        );
        code.close("}");
    }
}

impl Stream {
    fn parameter(&self) -> String {
        let Stream { leaf, name, .. } = self;
        match self.writes {
            true => format!(", {leaf}& {name}"),
            false => format!(", const {leaf} {name}"),
        }
    }
}

/// The loads and stores of what follows the fold that neighbouring columns make next to each other. From now on their
/// statements are about the parameters.
fn streams(code: &mut Code<'_>, domain: &Domain<'_>, tiles: &Tiles) -> Vec<Stream> {
    let column = domain.vars[tiles.column];
    let scalars = &code.kernel.scalars;
    let known: SortedSet<Value> = (scalars.iter().chain(domain.vars))
        .chain(&tiles.batch.values)
        .copied()
        .collect();
    let mut found: Vec<Stream> = Vec::new();
    for statement in &tiles.after {
        let (buffer, index, loaded) = match statement {
            Statement::Load {
                value,
                buffer,
                index,
                guard: None,
            } if !code.facts.unused(*value) => (*buffer, *index, Some(*value)),
            Statement::Store { buffer, index, .. } => (*buffer, *index, None),
            _ => continue,
        };
        let place = Polynomial::of(code.facts, index);
        if !place.is_unit_in(column) || !place.values().all(|value| known.contains(&value)) {
            continue;
        }
        let c_buffer = code.buffers[buffer].clone();
        let wanted = match loaded {
            Some(value) => code.wanted(value),
            None => singular(&c_buffer),
        };
        let name = code.names.fresh(&wanted);
        found.push(Stream {
            leaf: code.kernel.buffers[buffer].leaf.name(),
            buffer: c_buffer,
            start: code.polynomial(&place),
            name: name.clone(),
            writes: loaded.is_none(),
        });
        match loaded {
            Some(value) => _ = code.loaded.insert(value, name),
            None => _ = code.stored.insert((buffer, index), name),
        }
    }
    found
}
