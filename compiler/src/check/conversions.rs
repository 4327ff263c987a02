//! What to write where a value has another type than the place that it stands in.

use super::Checker;
use super::infer::{Kind, leaf};
use crate::scalar::Leaf;
use crate::typed::Type;

impl Checker<'_> {
    /// The help of "expected .., found ..".
    pub(super) fn conversion(&self, have: &Type, want: &Type) -> String {
        let number = |ty: &Type| leaf(ty).is_some_and(|leaf| leaf != Leaf::Bool);
        if let Some(help) = self.conversion_of_arrays(have, want) {
            return help;
        }
        match (have, want) {
            (Type::Array(..), want) if number(want) => {
                "reduce the array, e.g. with `sum()`, or all axes of a matrix with `sum_all()`, or read an element"
                    .to_string()
            }
            (Type::Option(inner), _) if **inner == *want => {
                "use `unwrap_or(..)` or `if let Some(x)`".to_string()
            }
            (have, Type::Option(inner)) if self.is_like(have, inner) => {
                "write `Some(..)`, or `None` where there is no value".to_string()
            }
            (_, Type::Ordering) => {
                "return an ordering: `a.cmp(&b)`, or `a.total_cmp(&b)` of floats".to_string()
            }
            (have, want) if number(have) && number(want) => {
                format!("convert with `as {}`", self.show(want).trim_matches('`'))
            }
            (_, Type::Leaf(leaf))
                if leaf.is_float() && self.vars.kind(have) == Some(Kind::Integer) =>
            {
                "write the number with a point: `1.0`".to_string()
            }
            (Type::Tuple(fields), _) if fields.is_empty() => {
                "is there a semicolon after the last expression?".to_string()
            }
            (Type::Leaf(_), Type::Leaf(Leaf::Bool)) => "compare it, e.g. `x != 0`".to_string(),
            _ => String::new(),
        }
    }

    /// The same where one of the two is an array, or a tuple of arrays.
    fn conversion_of_arrays(&self, have: &Type, want: &Type) -> Option<String> {
        let is_tuple = |ty: &Type| matches!(self.vars.shallow(ty), Type::Tuple(_));
        Some(match (have, want) {
            (Type::Array(a, p), Type::Array(b, q)) if p != q && self.is_like(a, b) => {
                match (p, q) {
                    (_, 1) => "use `flatten()`, or a reduction such as `sum()`".to_string(),
                    (1, 2) => "use `reshape((rows, columns))`".to_string(),
                    _ => "use `reshape(..)`".to_string(),
                }
            }
            (Type::Array(a, p), Type::Array(b, q))
                if p == q
                    && matches!(self.vars.shallow(a), Type::Option(a) if self.is_like(&a, b)) =>
            {
                "write `filter_map(..)` to leave out what is `None`, or `unwrap_or(..)` for each"
                    .to_string()
            }
            (Type::Nested { .. }, Type::Array(..)) => {
                "write `.map(|part| part)`: an array of all of them".to_string()
            }
            (Type::Segmented(_), Type::Array(..)) => {
                "write `values()`: the elements of all segments".to_string()
            }
            (Type::Array(element, _), Type::Tuple(parts))
                if is_tuple(element) && parts.iter().any(Type::has_array) =>
            {
                "write `unzip()`: an array of each field".to_string()
            }
            (Type::Tuple(parts), Type::Array(element, _))
                if is_tuple(element) && parts.iter().all(Type::has_array) =>
            {
                "write `zip((xs, ys))`: an array of tuples".to_string()
            }
            (Type::Tuple(parts), Type::Array(_, rank))
                if *rank > 0 && parts.iter().any(Type::has_array) =>
            {
                match parts.iter().position(|part| self.is_like(part, want)) {
                    Some(k) => format!("it is one of several results: write `.{k}`"),
                    None => "it is one of several results: name the one that is meant".to_string(),
                }
            }
            (Type::Fixed(_, n), Type::Array(_, 1)) => {
                format!("make a vector of it: `let a = [..]; generate({n}, |i| a[i])`")
            }
            (have, Type::Array(_, rank)) if self.is_scalar(have) && *rank > 0 => {
                "use `fill(shape, value)`".to_string()
            }
            _ => return None,
        })
    }

    /// Whether two types are equal as far as they are known.
    fn is_like(&self, a: &Type, b: &Type) -> bool {
        let (a, b) = (self.vars.shallow(a), self.vars.shallow(b));
        match (&a, &b) {
            (Type::Array(a, p), Type::Array(b, q)) => p == q && self.is_like(a, b),
            (Type::Tuple(a), Type::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.is_like(a, b))
            }
            (Type::Unknown(_), other) | (other, Type::Unknown(_)) => {
                let unknown = match a {
                    Type::Unknown(_) => &a,
                    _ => &b,
                };
                match self.vars.kind(unknown) {
                    Some(Kind::Integer) => leaf(other).is_some_and(Leaf::is_integer),
                    Some(Kind::Float) => leaf(other).is_some_and(Leaf::is_float),
                    Some(Kind::Any) | None => true,
                }
            }
            (a, b) => a == b,
        }
    }
}
