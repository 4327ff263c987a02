//! Whether a `match` covers every value, and whether each arm can be reached.
//!
//! The usual algorithm on a matrix of patterns: a row is useful if some value fits it and no row above. Numbers are
//! intervals of integers (floats by their order), cut at every boundary that the column names.

use super::consts::{integer, limits};
use super::infer::leaf;
use super::orderings::VALUES;
use super::{Checker, Context};
use crate::diag::Diagnostic;
use crate::scalar::{Leaf, Scalar};
use crate::typed::{Arm, Expr, Pattern, Type};
use proc_macro2::Span;

/// Steps after which a match is taken to be in order: it is too large to be one that a person wrote.
const FUEL: u32 = 200_000;

struct Search<'a> {
    cx: &'a Context<'a>,
    fuel: u32,
}

/// A closed interval of values.
type Interval = (i128, i128);

impl Checker<'_> {
    /// Reports arms that are missing, and warns of arms that no value reaches.
    pub(super) fn check_arms(&mut self, scrutinee: &Expr, arms: &[Arm], at: Span) {
        let start = at.start();
        let Some(spans) = self.arm_spans.get(&(start.line, start.column)).cloned() else {
            // Made from `if let` and the like: the last arm takes the rest.
            return;
        };
        let types = [scrutinee.ty.clone()];
        let mut search = Search {
            cx: self.cx,
            fuel: FUEL,
        };
        let mut rows: Vec<Vec<Pattern>> = Vec::new();
        for (position, arm) in arms.iter().enumerate() {
            let row = vec![arm.pattern.clone()];
            if search.useful(&rows, &row, &types).is_none() {
                let span = spans.get(position).copied().unwrap_or(arm.body.span);
                self.cx.report(
                    Diagnostic::warning(span, "no value reaches this arm")
                        .help("the arms above cover what it names: remove it or move it up"),
                );
            }
            if arm.guard.is_none() {
                rows.push(row);
            }
        }
        if let Some(missing) = search.useful(&rows, &[Pattern::Wild], &types) {
            let missing = missing.join(", ");
            self.error(
                at,
                format!("this `match` does not cover every value: `{missing}` is missing"),
                "add an arm for it, or `_ => ..`",
            );
        }
    }
}

impl Search<'_> {
    /// A value that fits `row` and none of `rows`, as patterns; `None` if there is none.
    fn useful(
        &mut self,
        rows: &[Vec<Pattern>],
        row: &[Pattern],
        types: &[Type],
    ) -> Option<Vec<String>> {
        let (Some(ty), Some(head)) = (types.first(), row.first()) else {
            return rows.is_empty().then(Vec::new);
        };
        self.fuel = self.fuel.checked_sub(1)?;
        let head = bare(head);
        if let Pattern::Or(cases) = head {
            return cases.iter().find_map(|case| {
                let row: Vec<Pattern> = std::iter::once(case.clone())
                    .chain(row[1..].iter().cloned())
                    .collect();
                self.useful(rows, &row, types)
            });
        }
        let rows: Vec<Vec<Pattern>> = rows.iter().flat_map(|row| alternatives(row)).collect();
        if let Some(fields) = self.fields(ty) {
            return self.useful_tuple(&rows, row, types, &fields);
        }
        if let Type::Option(inner) = ty {
            return self.useful_option(&rows, row, types, inner);
        }
        if let Type::Struct(id) = ty {
            return self.useful_variant(&rows, row, types, *id);
        }
        match leaf(ty) {
            Some(leaf) => self.useful_number(&rows, row, types, domain(ty, leaf)),
            // Nothing can be told apart in a value of another type.
            None => {
                let rows: Vec<Vec<Pattern>> = rows.iter().map(|row| row[1..].to_vec()).collect();
                self.useful(&rows, &row[1..], &types[1..])
                    .map(|rest| prepend("_".to_string(), rest))
            }
        }
    }

    /// The types of the fields of a tuple or struct.
    fn fields(&self, ty: &Type) -> Option<Vec<Type>> {
        match ty {
            Type::Tuple(types) => Some(types.clone()),
            Type::Fixed(element, n) => Some(vec![(**element).clone(); *n]),
            Type::I128 | Type::U128 => ty.halves().map(|halves| halves.map(Type::clone).to_vec()),
            Type::Struct(id) | Type::Bundle(id) => {
                if !self.cx.variants_of(*id).is_empty() {
                    return None;
                }
                let fields = self.cx.fields(*id).into_iter();
                Some(fields.map(|(_, ty)| ty).collect())
            }
            _ => None,
        }
    }

    fn useful_tuple(
        &mut self,
        rows: &[Vec<Pattern>],
        row: &[Pattern],
        types: &[Type],
        fields: &[Type],
    ) -> Option<Vec<String>> {
        let open = |row: &[Pattern]| -> Vec<Pattern> {
            let mut parts = match bare(&row[0]) {
                Pattern::Tuple(parts) if parts.len() == fields.len() => parts.clone(),
                _ => vec![Pattern::Wild; fields.len()],
            };
            parts.extend_from_slice(&row[1..]);
            parts
        };
        let rows: Vec<Vec<Pattern>> = rows.iter().map(|row| open(row)).collect();
        let all: Vec<Type> = fields.iter().chain(&types[1..]).cloned().collect();
        let mut found = self.useful(&rows, &open(row), &all)?;
        let rest = found.split_off(fields.len().min(found.len()));
        let text = match &types[0] {
            Type::Struct(id) | Type::Bundle(id) => {
                let fields = self.cx.fields(*id);
                let parts: Vec<String> = fields
                    .iter()
                    .zip(&found)
                    .map(|((name, _), part)| format!("{name}: {part}"))
                    .collect();
                format!("{} {{ {} }}", self.cx.name(*id), parts.join(", "))
            }
            ty if ty.is_wide() => whole(ty, &found),
            _ if found.len() == 1 => format!("({},)", found[0]),
            _ => format!("({})", found.join(", ")),
        };
        Some(prepend(text, rest))
    }

    fn useful_option(
        &mut self,
        rows: &[Vec<Pattern>],
        row: &[Pattern],
        types: &[Type],
        inner: &Type,
    ) -> Option<Vec<String>> {
        let some = |row: &[Pattern]| -> Option<Vec<Pattern>> {
            let head = match bare(&row[0]) {
                Pattern::Option(Some(inner)) => (**inner).clone(),
                Pattern::Option(None) => return None,
                _ => Pattern::Wild,
            };
            Some(
                std::iter::once(head)
                    .chain(row[1..].iter().cloned())
                    .collect(),
            )
        };
        let none = |row: &[Pattern]| -> Option<Vec<Pattern>> {
            match bare(&row[0]) {
                Pattern::Option(Some(_)) => None,
                _ => Some(row[1..].to_vec()),
            }
        };
        if let Some(row) = some(row) {
            let rows: Vec<_> = rows.iter().filter_map(|row| some(row)).collect();
            let all: Vec<Type> = std::iter::once(inner.clone())
                .chain(types[1..].iter().cloned())
                .collect();
            if let Some(mut found) = self.useful(&rows, &row, &all) {
                let rest = found.split_off(1.min(found.len()));
                let text = format!("Some({})", found.join(""));
                return Some(prepend(text, rest));
            }
        }
        let row = none(row)?;
        let rows: Vec<_> = rows.iter().filter_map(|row| none(row)).collect();
        self.useful(&rows, &row, &types[1..])
            .map(|rest| prepend("None".to_string(), rest))
    }

    /// Each variant that the row's pattern names, with its fields in place of the pattern.
    fn useful_variant(
        &mut self,
        rows: &[Vec<Pattern>],
        row: &[Pattern],
        types: &[Type],
        id: usize,
    ) -> Option<Vec<String>> {
        for (k, variant) in self.cx.variants_of(id).iter().enumerate() {
            let open = |row: &Vec<Pattern>| -> Option<Vec<Pattern>> {
                let mut fields = match bare(&row[0]) {
                    Pattern::Variant(_, other, fields) if *other == k => fields.clone(),
                    Pattern::Variant(..) => return None,
                    _ => vec![Pattern::Wild; variant.fields.len()],
                };
                fields.extend_from_slice(&row[1..]);
                Some(fields)
            };
            let Some(opened) = open(&row.to_vec()) else {
                continue;
            };
            let rows: Vec<Vec<Pattern>> = rows.iter().filter_map(open).collect();
            let fields = variant.fields.iter().map(|(_, ty)| ty);
            let all: Vec<Type> = fields.chain(&types[1..]).cloned().collect();
            if let Some(mut found) = self.useful(&rows, &opened, &all) {
                let rest = found.split_off(variant.fields.len().min(found.len()));
                let mut text = format!("{}::{}", self.cx.name(id), variant.name);
                if variant.fields.first().is_some_and(|(name, _)| name == "0") {
                    text += &format!("({})", found.join(", "));
                } else if !found.is_empty() {
                    text += " { .. }";
                }
                return Some(prepend(text, rest));
            }
        }
        None
    }

    fn useful_number(
        &mut self,
        rows: &[Vec<Pattern>],
        row: &[Pattern],
        types: &[Type],
        domain: Interval,
    ) -> Option<Vec<String>> {
        let leaf = leaf(&types[0])?;
        let own = interval(&row[0], leaf, domain);
        let mut cuts: Vec<i128> = vec![own.0, own.1 + 1];
        for (low, high) in rows.iter().map(|row| interval(&row[0], leaf, domain)) {
            cuts.extend([low, high + 1]);
        }
        cuts.retain(|cut| (own.0..=own.1 + 1).contains(cut));
        cuts.sort_unstable();
        cuts.dedup();
        for piece in cuts.windows(2) {
            let (low, high) = (piece[0], piece[1] - 1);
            let below: Vec<Vec<Pattern>> = rows
                .iter()
                .filter(|row| {
                    let (a, b) = interval(&row[0], leaf, domain);
                    a <= low && high <= b
                })
                .map(|row| row[1..].to_vec())
                .collect();
            if let Some(rest) = self.useful(&below, &row[1..], &types[1..]) {
                let text = match (low, high) {
                    _ if (low, high) == domain => "_".to_string(),
                    _ if types[0] == Type::Ordering => {
                        format!("Ordering::{}", VALUES[(low + 1) as usize])
                    }
                    _ if leaf == Leaf::Bool => (low == 1).to_string(),
                    _ if leaf.is_float() => "_".to_string(),
                    (low, high) if low == high => low.to_string(),
                    (low, high) if high == domain.1 => format!("{low}.."),
                    (low, high) if low == domain.0 => format!("..={high}"),
                    (low, high) => format!("{low}..={high}"),
                };
                return Some(prepend(text, rest));
            }
        }
        None
    }
}

/// One of the integers of 128 bits that have such halves.
fn whole(ty: &Type, halves: &[String]) -> String {
    // The first, or the last, of a range; any number is as good as another otherwise.
    let half = |text: &String| {
        let mut ends = text.split("..").map(|end| end.trim_start_matches('='));
        ends.find_map(|end| end.parse::<i128>().ok()).unwrap_or(0)
    };
    let bits = halves
        .iter()
        .map(half)
        .fold(0, |high, low| high << 64 | low);
    match ty {
        Type::I128 => bits.to_string(),
        _ => (bits as u128).to_string(),
    }
}

fn prepend(text: String, rest: Vec<String>) -> Vec<String> {
    std::iter::once(text).chain(rest).collect()
}

/// Without names.
fn bare(pattern: &Pattern) -> &Pattern {
    match pattern {
        Pattern::Bind { inner: None, .. } => &Pattern::Wild,
        Pattern::Bind {
            inner: Some(inner), ..
        } => bare(inner),
        pattern => pattern,
    }
}

/// A row for each alternative of its first pattern.
fn alternatives(row: &[Pattern]) -> Vec<Vec<Pattern>> {
    match row.first().map(bare) {
        Some(Pattern::Or(cases)) => cases
            .iter()
            .flat_map(|case| {
                let row: Vec<Pattern> = std::iter::once(case.clone())
                    .chain(row[1..].iter().cloned())
                    .collect();
                alternatives(&row)
            })
            .collect(),
        _ => vec![row.to_vec()],
    }
}

/// Every value of a type. Floats have one more, NaN, which no pattern but a name or `_` fits.
fn domain(ty: &Type, leaf: Leaf) -> Interval {
    match leaf {
        _ if *ty == Type::Ordering => (-1, 1),
        Leaf::Bool => (0, 1),
        leaf if leaf.is_float() => (i128::from(i64::MIN), i128::from(i64::MAX) + 1),
        leaf => limits(leaf),
    }
}

/// The values that a pattern for numbers fits.
fn interval(pattern: &Pattern, leaf: Leaf, (least, greatest): Interval) -> Interval {
    match bare(pattern) {
        Pattern::Literal(value) => (ordinal(*value), ordinal(*value)),
        Pattern::Range(low, high) => {
            let greatest = greatest - i128::from(leaf.is_float());
            (low.map_or(least, ordinal), high.map_or(greatest, ordinal))
        }
        _ => (least, greatest),
    }
}

/// The place of a value in the order of its type.
fn ordinal(value: Scalar) -> i128 {
    if !value.leaf.is_float() {
        return integer(value);
    }
    let float = value.as_f64();
    // Both zeros are one value; negative floats count down.
    let magnitude = i128::from(float.abs().to_bits());
    if float < 0.0 { -magnitude } else { magnitude }
}
