//! Points of a domain: the flat index that a loop counts, its size, and the coordinates it stands for.

use super::body::Code;
use super::scalar::ATOM;
use crate::plan::Value;

/// The variable that runs over a domain.
pub(super) struct Flat {
    pub(super) name: String,
    /// Its type in C.
    pub(super) repr: &'static str,
}

impl Code<'_> {
    /// The variable for a domain: its only coordinate, or a flat index.
    pub(super) fn domain_index(&mut self, extents: &[Value], vars: &[Value]) -> Flat {
        if let [var] = vars {
            return Flat {
                repr: self.repr(*var).name(),
                name: self.name(*var),
            };
        }
        let narrow = self.narrow.is_index_domain(self.kernel, extents);
        Flat {
            repr: if narrow { "Index" } else { "u64" },
            name: self.names.fresh("point"),
        }
    }

    /// The number of points, as a name or literal; written here if it is a product.
    pub(super) fn domain_size(&mut self, extents: &[Value], name: &str) -> String {
        let factor = |code: &Self, extent: &Value| code.expr(*extent).at(ATOM);
        match extents {
            [] => "1".to_owned(),
            [extent] => factor(self, extent),
            _ => {
                let repr = if self.narrow.is_index_domain(self.kernel, extents) {
                    "Index"
                } else {
                    "u64"
                };
                let name = self.names.fresh(name);
                let product: Vec<String> = extents
                    .iter()
                    .map(|extent| format!("{repr}({})", self.expr(*extent).text))
                    .collect();
                self.line(format!("const {repr} {name} = {};", product.join(" * ")));
                name
            }
        }
    }

    /// Writes the coordinates of the point; nothing if there is one only.
    pub(super) fn point(&mut self, flat: &Flat, extents: &[Value], vars: &[Value]) {
        if vars.len() < 2 {
            return;
        }
        let mut rest = flat.name.clone();
        for (axis, var) in vars.iter().enumerate().rev() {
            let repr = self.repr(*var).name();
            if axis == 0 {
                let name = self.name(*var);
                self.line(format!("const {repr} {name} = {rest};"));
            } else {
                let extent = self.expr(extents[axis]).at(ATOM);
                let name = self.name(*var);
                self.line(format!("const {repr} {name} = {rest} % {extent};"));
                let outer = if axis == 1 {
                    None
                } else {
                    Some(self.names.fresh("outer"))
                };
                match outer {
                    None => rest = format!("{rest} / {extent}"),
                    Some(outer) => {
                        self.line(format!("const {} {outer} = {rest} / {extent};", flat.repr));
                        rest = outer;
                    }
                }
            }
        }
    }

    /// The flag that makes a thread leave its loops, where there are such loops.
    pub(super) fn declare_failed(&mut self) {
        if self.facts.loops && self.facts.checks {
            self.line("bool failed = false;");
        }
    }
}
