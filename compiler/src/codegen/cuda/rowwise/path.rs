//! Folds of rows whose lengths are those of segments of an axis, shared evenly by blocks whatever the lengths: the entry and
//! what the prelude's `fold_path` asks of a kernel. It wants to know of any row, and without its checks, where it begins and
//! ends; and of any element of it what a fold takes: so the statements that say so are written once more for each.

use super::folds::{combines_alone, write_combine, write_given};
use super::room;
use super::scans;
use super::single_fold::SingleFold;
use crate::codegen::cuda::body::Code;
use crate::codegen::cuda::domain::Flat;
use crate::codegen::cuda::state::State;
use crate::codegen::cuda::walk::Definition;
use crate::codegen::cuda::{Entry, Regime, Variants};
use crate::plan::{Fold, Op, Phase, Statement, Value, uses};
use crate::scalar::{Binary, Leaf};
use crate::sorted::SortedSet;

/// Operations of operators that cost no more than a branch around them.
const CHEAP: u64 = 4;

/// A fold of segments: what its rows are.
pub(super) struct Path<'a> {
    extents: &'a [Value],
    vars: &'a [Value],
    fold: SingleFold<'a>,
    /// The element of a row.
    element: Value,
    /// Where a row begins and ends on the axis, and whether it lies on it.
    from: Value,
    to: Value,
    within: Value,
    /// The axis: a scalar of the kernel.
    axis: Value,
    /// Whether there is one for all rows, else there is one for each row of segments.
    one_axis: bool,
}

/// Whether the operators are cheap, and find nothing wrong.
fn is_cheap(folds: &[Fold]) -> bool {
    let combines = || folds.iter().map(|fold| &fold.combine);
    let mut statements = combines().flatten();
    let operations: u64 = combines().map(|combine| uses::cost(combine)).sum();
    operations <= CHEAP && statements.all(|statement| matches!(statement, Statement::Let { .. }))
}

impl<'a> Path<'a> {
    /// Of rows of one fold whose extent is `select(from <= to & to <= axis, to - from, 0)`. That each begins where the one before
    /// ends, or behind that, is found out by the kernel: here are left out those that are known not to.
    pub(super) fn of(
        code: &Code<'_>,
        extents: &'a [Value],
        vars: &'a [Value],
        phases: &'a [Phase],
    ) -> Option<Path<'a>> {
        let fold = SingleFold::of(phases)?;
        let op = |value: Value| match code.facts.definition(value) {
            Some(Definition::Op(op)) => Some(op),
            _ => None,
        };
        let binary = |value: Value, wanted: Binary| match op(value)? {
            Op::Binary(op, a, b) if *op == wanted => Some((*a, *b)),
            _ => None,
        };
        let (&[length], &[element]) = (fold.extents, fold.vars) else {
            return None;
        };
        let (&segments, &number) = (extents.last()?, vars.last()?);
        let Op::Select(within, difference, none) = op(length)? else {
            return None;
        };
        let (to, from) = binary(*difference, Binary::Sub)?;
        let (forwards, ends) = binary(*within, Binary::And)?;
        let (last, axis) = binary(ends, Binary::Le)?;
        let zero = matches!(op(*none)?, Op::Constant(zero) if zero.bits == 0);
        let scalars = &code.kernel.scalars;
        if !zero
            || last != to
            || binary(forwards, Binary::Le)? != (from, to)
            || ![axis, segments].iter().all(|value| scalars.contains(value))
        {
            return None;
        }
        // What is written more than once must store nothing.
        let stores = |statement: &&Statement| {
            let list = std::slice::from_ref(*statement);
            uses::stores(list) && !matches!(statement, Statement::Store { .. })
        };
        let path = Path {
            extents,
            vars,
            fold,
            element,
            from,
            to,
            within: *within,
            axis,
            one_axis: extents.len() == 1,
        };
        let mut numbered = Numbered {
            indices: SortedSet::from([number]),
            others: SortedSet::new(),
        };
        let ends = path.fold.needed([from, to].into());
        let fits = path
            .fold
            .folds
            .iter()
            .all(|fold| combines_alone(code, fold))
            && !path.fold.before.iter().any(stores)
            && numbered.only_indices(&ends);
        let one_axis = path.one_axis
            || ends
                .iter()
                .all(|statement| path.loads_at_flat_index(code, statement));
        fits.then_some(Path { one_axis, ..path })
    }

    /// Whether a statement loads at the flat index of the row, or next to it, or at a constant.
    fn loads_at_flat_index(&self, code: &Code<'_>, statement: &Statement) -> bool {
        let op = |value: Value| match code.facts.definition(value) {
            Some(Definition::Op(op)) => Some(op),
            _ => None,
        };
        let constant = |value: Value| matches!(op(value), Some(Op::Constant(_)));
        match statement {
            Statement::Load { index, .. } => match op(*index) {
                Some(&Op::Binary(Binary::Add, a, b)) if constant(b) => {
                    is_flat(code, a, self.extents, self.vars)
                }
                Some(Op::Constant(_)) => true,
                _ => is_flat(code, *index, self.extents, self.vars),
            },
            Statement::Let { .. } => true,
            _ => false,
        }
    }

    /// Positions of the axis' extent and of the number of segments in the kernel's scalars.
    pub(super) fn regime(&self, code: &Code<'_>) -> Regime {
        let position = |value: Value| {
            let mut scalars = code.kernel.scalars.iter();
            scalars
                .position(|scalar| *scalar == value)
                .expect("passed at launch")
        };
        Regime::Balanced {
            axis: position(self.axis),
            segments: match self.one_axis {
                true => None,
                false => Some(position(self.extents[self.extents.len() - 1])),
            },
        }
    }

    /// Writes the function and its entries; `row` is the function of a row.
    pub(super) fn write(
        &self,
        mut code: Code<'_>,
        variants: &Variants,
        row: &str,
        state: &State,
    ) -> (String, Vec<Entry>) {
        let function = format!("{}_path", code.symbol);
        let parameters = variants.parameters(&code, true);
        let parameters = Variants::broken(&format!("path_team& team, {parameters}"));
        code.line("template <class Index>");
        code.open(format!("INLINE bool {function}({parameters})\n{{"));
        // Of the operators.
        code.declare_failed();
        self.write_span(&mut code);
        self.write_element(&mut code, state);
        write_combine(&mut code, self.fold.folds, state);
        self.write_finish(&mut code, state);
        let (name, cheap) = (&state.name, is_cheap(self.fold.folds));
        let items = match self.one_axis {
            true => format!("u64({})", code.text(self.axis)),
            false => self.product(&code, Some(self.axis)),
        };
        let rows = self.product(&code, None);
        code.line(format!(
            "return fold_path<{name}, {cheap}>(team, {rows}, {items}, span, element, combine, finish);"
        ));
        code.close("}");
        let bytes = self.stretch_bytes(&code);
        let threads = room::of_block(bytes, scans::items(bytes) * bytes);
        let entries = threads.map_or_else(Vec::new, |threads| {
            let callees = [&function[..], row];
            let mut entry = |wide| self.write_entry(&mut code, variants, callees, threads, wide);
            vec![entry(false), entry(true)]
        });
        (code.finish(), entries)
    }

    /// The product of the rows' extents, with another one for the last.
    fn product(&self, code: &Code<'_>, last: Option<Value>) -> String {
        let (segments, around) = self.extents.split_last().expect("rows have an axis");
        let factors = around.iter().copied().chain([last.unwrap_or(*segments)]);
        let factors: Vec<String> = factors
            .map(|extent| format!("u64({})", code.text(extent)))
            .collect();
        factors.join(" * ")
    }

    /// Begins a function of a row and more.
    fn open(&self, code: &mut Code<'_>, name: &str, result: &str, more: &str) -> Flat {
        let row = code.domain_index(self.extents, self.vars);
        let (repr, at) = (row.repr, &row.name);
        code.open(format!(
            "const auto {name} = [&](const {repr} {at}{more}) -> {result} {{"
        ));
        code.point(&row, self.extents, self.vars);
        code.declare_failed();
        row
    }

    fn write_span(&self, code: &mut Code<'_>) {
        let row = self.open(code, "span", "row_span", "");
        code.list(&self.fold.needed([self.from, self.to, self.within].into()));
        // The axes of all rows lie one after the other.
        let start = match self.extents {
            [.., segments] if !self.one_axis => {
                let (axis, segments) = (code.text(self.axis), code.text(*segments));
                format!("u64({}) / u64({segments}) * u64({axis}) + ", row.name)
            }
            _ => String::new(),
        };
        let [from, to] = [self.from, self.to].map(|end| format!("{start}{}", code.full(end).text));
        let within = code.text(self.within);
        code.line(format!("return {{{from}, {to}, {within}}};"));
        code.close("};");
    }

    fn write_element(&self, code: &mut Code<'_>, state: &State) {
        let element = code.name(self.element);
        let more = format!(", const {} {element}", code.repr(self.element).name());
        self.open(code, "element", &state.name, &more);
        code.list(&self.fold.needed(self.fold.wanted()));
        code.list(self.fold.body);
        let fields: Vec<String> = (self.fold.folds.iter().flat_map(|fold| &fold.elements))
            .map(|element| code.full(*element).text)
            .collect();
        code.line(format!("return {};", state.made(&fields)));
        code.close("};");
    }

    /// The rest of a row, and its checks.
    fn write_finish(&self, code: &mut Code<'_>, state: &State) {
        let more = format!(", const bool some, const {} given", state.name);
        self.open(code, "finish", "void", &more);
        for statement in &self.fold.before {
            code.list(std::slice::from_ref(*statement));
        }
        write_given(code, self.fold.folds, state);
        for statement in &self.fold.after {
            code.list(std::slice::from_ref(*statement));
        }
        code.close("};");
    }

    fn write_entry(
        &self,
        code: &mut Code<'_>,
        variants: &Variants,
        [path, row]: [&str; 2],
        threads: u32,
        wide: bool,
    ) -> Entry {
        let suffix = if wide { "_wide" } else { "" };
        let name = format!("{}_balanced{suffix}", code.symbol);
        let bytes = self.stretch_bytes(code);
        let items = scans::items(bytes);
        let entry = Entry {
            items_per_thread: items,
            partial_bytes: 8 * bytes.div_ceil(4),
            leaves: true,
            ..variants.entry(code, self.regime(code), &name, threads, wide)
        };
        variants.open_entry(code, &entry);
        let words = bytes.div_ceil(8);
        code.line("if (blockIdx.y > 0) return;");
        code.line("// Nothing was left.");
        code.line("if (left != nullptr && *left == 0) return;");
        let room = room::slots_and_tile(code, threads, items * bytes, bytes);
        code.line(format!("SHARED(u64, handed, {});", 1 + words));
        code.line("SHARED(u64, found, 2);");
        code.line(format!(
            "path_team team({room}, handed, found, left == nullptr ? 0 : most + 1);"
        ));
        code.line("team.start(tickets, 0);");
        let index = if wide { "u64" } else { "u32" };
        let arguments = variants.arguments(code);
        code.line(format!(
            "const bool disorder = {path}<{index}>(team, {arguments});"
        ));
        code.line("if (!team.leaves_last) return;");
        code.line("if (left != nullptr && threadIdx.x == 0) *(volatile u32*)left = 0;");
        code.line("if (!disorder) return;");
        let rows = self
            .product(code, None)
            .replace("u64(", &format!("{index}("));
        code.line(format!("const {index} row_count = {rows};"));
        code.line(format!(
            "for ({index} row = 0; row != row_count; ++row) {row}<{index}>(team.block, {arguments}, row);"
        ));
        code.close("}");
        entry
    }

    /// Bytes of a state and a word.
    fn stretch_bytes(&self, code: &Code<'_>) -> u32 {
        let results = self.fold.folds.iter().flat_map(|fold| &fold.results);
        let leaves = results.map(|result| code.leaf(*result));
        let state = Leaf::struct_bytes(leaves.clone());
        let align = leaves
            .map(|leaf| leaf.bytes() as u32)
            .max()
            .unwrap_or(1)
            .max(4);
        (state.next_multiple_of(4) + 4).next_multiple_of(align)
    }
}

/// Whether an index is the flat, row-major index of a domain's point.
fn is_flat(code: &Code<'_>, index: Value, extents: &[Value], vars: &[Value]) -> bool {
    let binary = |value: Value, wanted: Binary| match code.facts.definition(value) {
        Some(Definition::Op(Op::Binary(op, a, b))) if *op == wanted => Some([*a, *b]),
        _ => None,
    };
    let other = |pair: [Value; 2], one: Value| match pair {
        [a, b] if a == one => Some(b),
        [a, b] if b == one => Some(a),
        _ => None,
    };
    match (extents, vars) {
        ([_], [var]) => index == *var,
        ([around @ .., extent], [outer @ .., var]) => {
            let rows = binary(index, Binary::Add).and_then(|sum| other(sum, *var));
            let row = rows.and_then(|rows| other(binary(rows, Binary::Mul)?, *extent));
            row.is_some_and(|row| is_flat(code, row, around, outer))
        }
        _ => false,
    }
}

/// What depends on a row's number.
struct Numbered {
    /// It, and what it becomes by adding the same for all rows.
    indices: SortedSet<Value>,
    /// All else.
    others: SortedSet<Value>,
}

impl Numbered {
    /// Whether the number is used as an index and in comparisons only. Where it is not, as where every segment is asked for
    /// by two rows, neighbouring rows are no neighbours on the axis.
    fn only_indices(&mut self, list: &[Statement]) -> bool {
        list.iter().all(|statement| self.only_index(statement))
    }

    fn only_index(&mut self, statement: &Statement) -> bool {
        match statement {
            Statement::Let { value, op } => {
                let operands = op.operands();
                let indices = operands.iter().filter(|a| self.indices.contains(a)).count();
                let depends = operands.iter().any(|a| self.others.contains(a));
                match op {
                    Op::Binary(Binary::Add, ..) if indices == 1 && !depends => {
                        self.indices.insert(*value)
                    }
                    Op::Binary(Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le, ..)
                        if indices > 0 =>
                    {
                        self.others.insert(*value)
                    }
                    _ if indices > 0 => return false,
                    _ => depends && self.others.insert(*value),
                };
            }
            Statement::Load { value, index, .. } => {
                if self.others.contains(index) {
                    return false;
                }
                if self.indices.contains(index) {
                    self.others.insert(*value);
                }
            }
            Statement::If {
                condition,
                then,
                otherwise,
                results,
            } => {
                if !self.only_indices(then) || !self.only_indices(otherwise) {
                    return false;
                }
                for join in results {
                    let from = [*condition, join.then, join.otherwise];
                    if from[1..].iter().any(|value| self.indices.contains(value)) {
                        return false;
                    }
                    if from.iter().any(|value| self.others.contains(value)) {
                        self.others.insert(join.result);
                    }
                }
            }
            Statement::Loop { .. } | Statement::Fold { .. } => return false,
            Statement::Store { .. } | Statement::Check { .. } => {}
        }
        true
    }
}
