//! The sides of a tile, and what a line of it holds: what is computed once for many elements.

use crate::codegen::cuda::body::Code;
use crate::codegen::cuda::scalar::{self, Expr};
use crate::codegen::cuda::state::State;
use crate::plan::affine::Polynomial;
use crate::plan::tiles::Part;
use crate::plan::{Statement, Value, uses};
use crate::sorted::{SortedMap, SortedSet};

/// Neighbours that are asked for together, at most.
const WIDEST: usize = 4;
/// Bytes of an access.
const ACCESS: usize = 16;

/// A part of the tile: what a line, or an element of a side, is made of.
pub(super) struct Held<'a> {
    pub(super) part: &'a Part,
    pub(super) state: State,
    /// The variable in C.
    pub(super) name: String,
}

/// One side: which loads are made several at a time.
pub(super) struct Side<'a> {
    pub(super) held: Held<'a>,
    /// The values, the buffers in C and the indices.
    streams: Vec<(Value, String, Polynomial)>,
    /// Neighbours along the fold, not across lines.
    pub(super) along: bool,
    pub(super) width: usize,
}

pub(super) fn held<'a>(code: &mut Code<'_>, part: &'a Part, ty: String, name: &str) -> Held<'a> {
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
pub(super) fn bind(code: &mut Code<'_>, value: Value, field: String) {
    let expr = Expr::atom(field);
    let expr = if code.narrow.is_index(value) {
        scalar::convert("Index", &expr)
    } else {
        expr
    };
    code.bind(value, expr);
}

/// The statements of a part, and its values returned.
pub(super) fn element(code: &mut Code<'_>, held: &Held<'_>) {
    code.declare_failed();
    // What only the index of a load needs that is made elsewhere is left out.
    let mut wanted: SortedSet<Value> = held.part.values.iter().copied().collect();
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
    pub(super) fn name(&self) -> &str {
        &self.held.name
    }

    pub(super) fn is_empty(&self) -> bool {
        self.held.part.values.is_empty()
    }

    /// Whether all groups of neighbours begin at multiples of their width, in C: the strides of the other axis do, and so does
    /// what is the same in the whole tile.
    pub(super) fn aligned(&self, code: &Code<'_>, line: Option<Value>, k: Value) -> String {
        let (unit, other) = match self.along {
            true => (Some(k), line),
            false => (line, Some(k)),
        };
        let mut strides = SortedSet::new();
        for (.., place) in &self.streams {
            let mut by_power: SortedMap<usize, Polynomial> = SortedMap::new();
            for (product, factor) in place.terms() {
                let (turns, rest): (Vec<Value>, Vec<Value>) =
                    product.iter().partition(|value| other == Some(**value));
                if unit.is_none_or(|unit| !rest.contains(&unit)) {
                    let stride = by_power.entry(turns.len()).or_default();
                    stride.add_term(rest, factor);
                }
            }
            strides.extend(by_power.into_values());
        }
        let width = self.width as u64;
        strides.retain(|stride| stride.terms().any(|(_, factor)| factor % width != 0));
        let tests: Vec<String> = (strides.iter())
            .map(|stride| format!("Index({}) % {width} == 0", code.polynomial(stride)))
            .collect();
        match tests.is_empty() {
            true => "true".to_owned(),
            false => tests.join(" && "),
        }
    }
}

/// Finds the loads that neighbours of the fold or of the lines make next to each other.
pub(super) fn side<'a>(
    code: &Code<'_>,
    held: Held<'a>,
    line: Option<Value>,
    k: Value,
    known: &SortedSet<Value>,
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
pub(super) fn write_side(
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
    let all = match side.along {
        true => format!("{line}, {k} + at"),
        false => format!("{line} + at, {k}"),
    };
    code.open(format!(
        "const auto {which}_packs = [&]({line_place}, {k_place}, {ty} (&to)[{width}]) {{"
    ));
    if width == 1 {
        code.line(format!("to[0] = {which}_one({line}, {k});"));
    } else {
        let mut loads = String::new();
        for (name, buffer, place) in &names {
            code.line(format!(
                "const auto {name}_pack = load_pack<{width}>({buffer} + Index({place}));"
            ));
            loads += &format!(", {name}_pack[at]");
        }
        code.pragma("#pragma unroll");
        code.line(format!(
            "for (u32 at = 0; at < {width}; ++at) to[at] = {which}_at({all}{loads});"
        ));
    }
    code.close("};");
}
