//! Rows whose elements lie next to those of their neighbours, several to a thread: an access takes an element of each. The
//! function of so many rows, which the regimes of columns call where all accesses are aligned.

use super::folds::{
    Empty, accumulate, combines_alone, write_combine, write_identity, write_results,
};
use super::single_fold::SingleFold;
use crate::codegen::cuda::Variants;
use crate::codegen::cuda::body::Code;
use crate::codegen::cuda::domain::Flat;
use crate::codegen::cuda::state::State;
use crate::codegen::cuda::vector::{Ahead, width_of};
use crate::plan::affine::Polynomial;
use crate::plan::{Fold, Phase, Statement, Value, uses};
use crate::scalar::Leaf;
use crate::sorted::SortedSet;

/// Rows of a thread, at most.
const MOST: usize = 4;
/// Bytes of all states of a thread: what it has in registers, at most.
const STATES: usize = 64;

/// The function of several rows.
pub(super) struct Several {
    /// Its name in C.
    pub(super) function: String,
    /// How many there are.
    pub(super) width: u32,
    /// Whether all accesses are aligned, in C.
    pub(super) aligned: String,
}

/// A fold of rows that are neighbours, element by element.
pub(super) struct Neighbours<'a> {
    extents: &'a [Value],
    vars: &'a [Value],
    fold: SingleFold<'a>,
    /// Rows of a thread.
    width: usize,
    /// What must be multiples of that, besides the number of rows.
    starts: SortedSet<(Vec<Value>, u64)>,
}

impl<'a> Neighbours<'a> {
    /// Of rows of one fold of elements that are all read so, if a thread's rows find room.
    pub(super) fn of(
        code: &Code<'_>,
        extents: &'a [Value],
        vars: &'a [Value],
        phases: &'a [Phase],
    ) -> Option<Neighbours<'a>> {
        let mut found = Neighbours {
            extents,
            vars,
            fold: SingleFold::of(phases)?,
            width: 0,
            starts: SortedSet::new(),
        };
        let SingleFold {
            vars: elements,
            body,
            folds,
            ..
        } = found.fold;
        let of_rows = Polynomial::flat(code.facts, extents, vars);
        let mut smallest = None;
        for statement in body {
            let Statement::Load {
                index,
                buffer,
                guard,
                value,
            } = statement
            else {
                continue;
            };
            let index = Polynomial::of(code.facts, *index);
            if code.facts.unused(*value) || !index.values().any(|value| elements.contains(&value)) {
                continue;
            }
            if guard.is_some() {
                return None;
            }
            for (product, factor) in index.minus(&of_rows).terms() {
                let outer = product.iter().filter(|value| !elements.contains(value));
                found.starts.insert((outer.copied().collect(), factor));
            }
            let bytes = code.kernel.buffers[*buffer].leaf.bytes();
            smallest = Some(smallest.unwrap_or(bytes).min(bytes));
        }
        let results = folds.iter().flat_map(|fold| &fold.results);
        let state = Leaf::struct_bytes(results.map(|result| code.leaf(*result))) as usize;
        let room = (STATES / state.max(1)).max(1);
        found.width = width_of(smallest?).min(MOST).min(1 << room.ilog2());
        let width = found.width as u64;
        // The number of rows is demanded in any case.
        let mut rows = extents.to_vec();
        rows.sort_unstable();
        (found.starts).retain(|(product, factor)| factor % width != 0 && *product != rows);
        let aligned = found.starts.iter().all(|(product, _)| !product.is_empty());
        let repeated = found.fold.needed(found.fold.wanted());
        let simple = |statement: &Statement| {
            matches!(statement, Statement::Let { .. } | Statement::Load { .. })
        };
        let alone = |fold: &Fold| combines_alone(code, fold);
        let stores = |statement: &&Statement| uses::stores(std::slice::from_ref(*statement));
        let fits = width > 1
            && aligned
            && repeated.iter().all(simple)
            && folds.iter().all(alone)
            && !found.fold.before.iter().any(stores);
        fits.then_some(found)
    }

    /// What entries must know of it.
    pub(super) fn several(&self, code: &Code<'_>) -> Several {
        let width = self.width;
        let mut tests = vec![format!("row_count % {width} == 0")];
        for (product, factor) in &self.starts {
            let mut factors: Vec<String> = product.iter().map(|value| code.text(*value)).collect();
            if *factor != 1 {
                factors.push(factor.to_string());
            }
            tests.push(format!("{} % {width} == 0", factors.join(" * ")));
        }
        Several {
            function: Neighbours::function(code),
            width: width as u32,
            aligned: tests.join(" && "),
        }
    }

    /// Writes the function.
    pub(super) fn write(&self, mut code: Code<'_>, variants: &Variants, state: &State) -> String {
        let width = self.width;
        code.line("template <class Index, class Team>");
        let parameters = variants.parameters(&code, true);
        let parameters = Variants::broken(&format!("Team& team, {parameters}, const Index first"));
        code.open(format!(
            "INLINE void {}({parameters})\n{{",
            Neighbours::function(&code)
        ));
        // Of the operators.
        code.declare_failed();
        let name = &state.name;
        code.line(format!("struct states {{ {name} of[{width}]; }};"));
        write_combine(&mut code, self.fold.folds, state);
        code.open(
            "const auto combine_all = [&](const states& left, const states& right) -> states {",
        );
        code.line("states all;");
        code.pragma("#pragma unroll");
        code.line(format!(
            "for (u32 at = 0; at < {width}; ++at) all.of[at] = combine(left.of[at], right.of[at]);"
        ));
        code.line("return all;");
        code.close("};");
        let known = self.fold.folds.iter().all(|fold| fold.known.is_some());
        let size = match known {
            true => self.write_unordered(&mut code, state),
            false => self.write_ordered(&mut code, state),
        };
        code.line("if (!team.finishes()) return;");
        self.write_finish(&mut code, state, &Empty { known, size: &size });
        code.line("// Threads that lie together in memory finish a row each.");
        code.line(format!("if (!team.leads({width})) return;"));
        code.line("const u32 own = team.place();");
        code.line(format!("{name} total = totals.of[0];"));
        code.pragma("#pragma unroll");
        code.open(format!("for (u32 at = 1; at < {width}; ++at) {{"));
        code.line("if (own == at) total = totals.of[at];");
        code.close("}");
        code.line("finish(first + own, total);");
        code.close("}");
        code.finish()
    }

    fn function(code: &Code<'_>) -> String {
        format!("{}_neighbours", code.symbol)
    }

    /// Begins a function of a row and more.
    fn open(&self, code: &mut Code<'_>, head: &str, result: &str, more: &str) {
        let row = code.domain_index(self.extents, self.vars);
        let (repr, at) = (row.repr, &row.name);
        code.open(format!("{head}const {repr} {at}{more}) -> {result} {{"));
        code.point(&row, self.extents, self.vars);
        code.declare_failed();
    }

    /// The elements of a row, combined into a part or given: by their points and what has been read of them.
    fn open_point(&self, code: &mut Code<'_>, head: &str, result: &str, ahead: &Ahead) -> Flat {
        let (extents, vars) = (self.fold.extents, self.fold.vars);
        let index = code.domain_index(extents, vars);
        let more = format!(
            ", const {} {}{}",
            index.repr,
            index.name,
            ahead.parameters()
        );
        self.open(code, head, result, &more);
        code.point(&index, extents, vars);
        let needed = self.fold.needed(self.fold.wanted());
        code.list(&needed);
        code.list(self.fold.body);
        index
    }

    /// Known operators: partial results by stride, from the identity.
    fn write_unordered(&self, code: &mut Code<'_>, state: &State) -> String {
        let (width, name) = (self.width, &state.name);
        let ahead = self.ahead(code);
        let size = code.domain_size(self.fold.extents, "size");
        let head = format!("const auto step = [&]({name}& part, ");
        let index = self.open_point(code, &head, "void", &ahead);
        accumulate(code, self.fold.folds, state, "part");
        code.close("};");
        write_identity(code, self.fold.folds, state);
        let identities = vec!["identity"; width].join(", ");
        code.line(format!("states totals = {{{{{identities}}}}};"));
        ahead.run(
            code,
            &index,
            &size,
            (self.fold.extents, self.fold.vars),
            &|i, arguments| format!("step(totals.of[at], first + at, {i}{arguments});"),
        );
        code.line("totals = team.fold_chunks(totals, team.chunks(), combine_all);");
        size
    }

    /// Any associative operator.
    fn write_ordered(&self, code: &mut Code<'_>, state: &State) -> String {
        let ahead = self.ahead(code);
        let size = code.domain_size(self.fold.extents, "size");
        let index = self.open_point(code, "const auto element = [&](", &state.name, &ahead);
        let fields: Vec<String> = (self.fold.folds.iter().flat_map(|fold| &fold.elements))
            .map(|element| code.full(*element).text)
            .collect();
        code.line(format!("return {};", state.made(&fields)));
        code.close("};");
        let (repr, i) = (index.repr, &index.name);
        code.open(format!(
            "const auto elements = [&](const {repr} {i}) -> states {{"
        ));
        code.line("states all;");
        ahead.read(
            code,
            &index,
            (self.fold.extents, self.fold.vars),
            &|arguments| format!("all.of[at] = element(first + at, {i}{arguments});"),
        );
        code.line("return all;");
        code.close("};");
        code.line(format!(
            "const states totals = fold_in_order<{repr}>(team, {size}, elements, combine_all);"
        ));
        size
    }

    fn ahead(&self, code: &mut Code<'_>) -> Ahead {
        let of_rows = Polynomial::flat(code.facts, self.extents, self.vars);
        let rows = Some((self.width, &of_rows));
        Ahead::find(code, self.fold.body, self.fold.vars, rows).expect("elements are read")
    }

    /// The rest of a row.
    fn write_finish(&self, code: &mut Code<'_>, state: &State, empty: &Empty<'_>) {
        let more = format!(", const {} total", state.name);
        self.open(code, "const auto finish = [&](", "void", &more);
        for statement in &self.fold.before {
            code.list(std::slice::from_ref(*statement));
        }
        for (at, fold) in self.fold.folds.iter().enumerate() {
            write_results(code, fold, state, at, empty, false);
        }
        for statement in &self.fold.after {
            code.list(std::slice::from_ref(*statement));
        }
        code.close("};");
    }
}
