//! What is written in the parentheses of a call: for the help where the number of arguments is wrong.

use super::numbers_table::Argument;
use super::operations_table::find;
use super::spacing::tidy;
use super::{Checker, numbers_table};
use crate::syntax;
use crate::typed::{Axes, Expr};
use proc_macro2::Span;

/// The arguments of the operations that have some, after the array.
const ARGUMENTS: &[(&str, &str)] = &[
    ("map", "|x| .."),
    ("map_indexed", "|ix, x| .."),
    ("map_segments", "|segment| .."),
    ("flat_map", "|x| .."),
    ("repeat_each", "&counts"),
    ("zip", "ys"),
    ("zip_with", "ys, |x, y| .."),
    ("fold", "init, |acc, x| .."),
    ("fold1", "|a, b| .."),
    ("dot", "ys"),
    ("scan", "init, |acc, x| .."),
    ("scan1", "|a, b| .."),
    ("scan_exclusive", "init, |acc, x| .."),
    ("rscan", "init, |x, acc| .."),
    ("rscan1", "|a, b| .."),
    ("rscan_exclusive", "init, |x, acc| .."),
    ("scatter", "op, src, |ix, x| Some(to)"),
    ("scatter_unique", "src, |ix, x| Some(to)"),
    ("scatter_unique_unchecked", "src, |ix, x| Some(to)"),
    ("histogram", "bins"),
    ("reduce_by_index", "&values, bins, init, |acc, x| .."),
    ("filter", "|x| .."),
    ("filter_map", "|x| .."),
    ("partition", "|x| .."),
    ("indices_of", "|x| .."),
    ("sort_by_key", "|x| .."),
    ("sort_by", "|a, b| a.cmp(&b)"),
    ("argsort_by", "|a, b| a.cmp(&b)"),
    ("is_sorted_by", "|a, b| a <= b"),
    ("is_sorted_by_key", "|x| .."),
    ("top_k", "k"),
    ("argtop_k", "k"),
    ("binary_search", "x"),
    ("partition_point", "|x| .."),
    ("gather", "shape, |ix| from"),
    ("select", "&indices"),
    ("take", "n"),
    ("skip", "n"),
    ("slice", "s![a..b, ..]"),
    ("row", "i"),
    ("column", "j"),
    ("reshape", "shape"),
    ("rotate_left", "k"),
    ("rotate_right", "k"),
    ("broadcast_to", "shape"),
    ("expand_axis", "axis"),
    ("concat", "ys"),
    ("concat_axis", "axis, ys"),
    ("interleave", "ys"),
    ("replicate", "n"),
    ("split", "n"),
    ("slide", "size, step"),
    ("pad", "before, after, boundary"),
    ("windows", "size"),
    ("chunks", "n"),
    ("chunks_exact", "n"),
    ("stencil", "boundary, |w| .."),
    ("stencil2", "boundary, &ys, boundary, |w, v| .."),
    ("matmul", "&n"),
    ("matvec", "&x"),
    ("outer_product", "&ys"),
    ("get", "i"),
    ("get_unchecked", "i"),
    ("axis", "k"),
    ("generate", "shape, |ix| .."),
    ("fill", "shape, value"),
    ("iota", "n"),
    ("linspace", "a, b, n"),
    ("Segmented::new", "values, &lengths"),
    ("Offsets::new", "&offsets"),
    ("Constant", "value"),
    ("Function", "|ix| .."),
];

/// The call of an operation as it should be; nothing of a name that is none.
fn operation(name: &str) -> Option<String> {
    let own = |name: &str| ARGUMENTS.iter().find(|(known, _)| *known == name);
    if let Some((_, arguments)) = own(name) {
        return Some(format!("write `{name}({arguments})`"));
    }
    // Each array but the first has its boundary, and each its window.
    if name.starts_with("stencil") {
        let each = "boundary, &ys, boundary, ..";
        return Some(format!("write `{name}({each}, |w, v, ..| ..)`"));
    }
    let (row, axes) = find(name)?;
    let first = match axes {
        Axes::Axis(_) => "axis",
        Axes::Segments => "&lengths",
        Axes::Last | Axes::All => "",
    };
    let rest = own(row.name).map_or("", |(_, arguments)| arguments);
    let both: Vec<&str> = [first, rest]
        .into_iter()
        .filter(|s| !s.is_empty())
        .collect();
    Some(format!("write `{name}({})`", both.join(", ")))
}

/// Any other call, by the names of its arguments.
fn call(name: &str, arguments: &[String]) -> String {
    format!("write `{name}({})`", arguments.join(", "))
}

impl Checker<'_> {
    /// A call of an operation, or of what has no names for its arguments.
    pub(super) fn wrong_count(&mut self, name: &str, want: usize, have: usize, at: Span) -> Expr {
        let instead = super::unsupported::without_argument(name).filter(|_| want == 0 && have == 1);
        let instead = instead.map(str::to_string);
        let help = instead.or_else(|| operation(name)).unwrap_or_else(|| {
            // `Wrap`
            if want == 0 && name.starts_with(char::is_uppercase) {
                return format!("write `{name}`");
            }
            let blanks = vec!["..".to_string(); want];
            call(name, &blanks)
        });
        self.wrong_count_of(name, want, have, at, help)
    }

    pub(super) fn wrong_count_of(
        &mut self,
        name: &str,
        want: usize,
        have: usize,
        at: Span,
        help: String,
    ) -> Expr {
        let arguments = if want == 1 { "argument" } else { "arguments" };
        let message = format!("`{name}` takes {want} {arguments}, found {have}");
        self.reject(at, message, help)
    }

    /// A call of a function of the block; `received`: of a method, whose receiver is not among the arguments.
    pub(super) fn wrong_count_of_function(
        &mut self,
        function: &syntax::Function,
        received: usize,
        have: usize,
        at: Span,
    ) -> Expr {
        let parameters = function.parameters.iter().skip(received);
        let names: Vec<String> = parameters.map(|p| pattern_text(&p.pattern)).collect();
        let name = function.name.to_string();
        let help = call(&name, &names);
        self.wrong_count_of(&name, names.len(), have, at, help)
    }

    /// A call of a closure that is bound to a name.
    pub(super) fn wrong_count_of_closure<'p>(
        &mut self,
        name: &str,
        inputs: impl Iterator<Item = &'p syn::Pat>,
        have: usize,
        at: Span,
    ) -> Expr {
        let names: Vec<String> = inputs.map(pattern_text).collect();
        let help = call(name, &names);
        self.wrong_count_of(name, names.len(), have, at, help)
    }

    /// A call of a method of numbers.
    pub(super) fn wrong_count_of_number(
        &mut self,
        row: &numbers_table::Row,
        have: usize,
        at: Span,
    ) -> Expr {
        let own = ["a", "b", "c"];
        let arguments = row.arguments.iter().zip(own);
        let names: Vec<String> = arguments
            .map(|(kind, own)| match kind {
                Argument::Own | Argument::Other | Argument::F32 | Argument::F64 => own.to_string(),
                Argument::U32 | Argument::I32 => "n".to_string(),
                Argument::Bool => "carry".to_string(),
                Argument::Bits | Argument::Bytes => "bits".to_string(),
            })
            .collect();
        let help = call(&format!("x.{}", row.name), &names);
        self.wrong_count_of(row.name, names.len(), have, at, help)
    }
}

/// A parameter without its type.
fn pattern_text(pattern: &syn::Pat) -> String {
    match pattern {
        syn::Pat::Type(typed) => pattern_text(&typed.pat),
        syn::Pat::Ident(name) => name.ident.to_string(),
        syn::Pat::Wild(_) => "..".to_string(),
        pattern => tidy(&quote::quote!(#pattern).to_string()),
    }
}
