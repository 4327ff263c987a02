//! What may become a stream: the loads and stores that run along with a domain.

use crate::codegen::affine::alternating;
use crate::codegen::cuda::body::Code;
use crate::plan::affine::Polynomial;
use crate::plan::{Statement, Value};
use crate::sorted::SortedMap;

/// Where streams may start.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::codegen::cuda) enum Starts<'a> {
    /// Where the domain does.
    Domain,
    /// Anywhere that depends only on what is known before the domain.
    Known,
    /// The same; and stores also where they are never aligned: then all is done one by one, so that a warp's elements are
    /// neighbours.
    Parts,
    /// Where the domain does, or at one of these, which have been written.
    Of(&'a [(Polynomial, String)]),
}

/// What may become a stream.
pub(in crate::codegen::cuda) struct Candidate {
    pub(in crate::codegen::cuda) buffer: usize,
    pub(in crate::codegen::cuda) index: Value,
    /// Of a load.
    pub(in crate::codegen::cuda) loaded: Option<Value>,
    pub(in crate::codegen::cuda) start: Polynomial,
    /// Which of how many neighbours a point stores.
    pub(in crate::codegen::cuda) place: (usize, usize),
}

/// The loads and stores of a body that run along with a domain.
pub(in crate::codegen::cuda) fn candidates(
    code: &Code<'_>,
    body: &[Statement],
    extents: &[Value],
    vars: &[Value],
    starts: Starts<'_>,
) -> Vec<Candidate> {
    if extents.is_empty() || body.iter().any(is_long) {
        return Vec::new();
    }
    let flat = Polynomial::flat(code.facts, extents, vars);
    let alternating = match starts {
        Starts::Parts => alternating(code.facts, body, &flat),
        Starts::Domain | Starts::Known | Starts::Of(_) => SortedMap::new(),
    };
    let mut found = Vec::new();
    for statement in body {
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
        let place = match loaded {
            None => alternating.get(&(buffer, index)).copied().unwrap_or((0, 1)),
            Some(_) => (0, 1),
        };
        let start = Polynomial::of(code.facts, index)
            .minus(&flat.scaled(place.1 as u64))
            .minus(&Polynomial::constant(place.0 as u64));
        let known = |value| code.is_bound(value) && !vars.contains(&value);
        let known = start.values().all(known);
        // A constant offset would spoil the alignment of all streams together.
        let whole = start.terms().all(|(product, _)| !product.is_empty());
        let whole = whole || (starts == Starts::Parts && loaded.is_none());
        let allowed = match starts {
            Starts::Domain => start.is_zero(),
            Starts::Known | Starts::Parts => true,
            Starts::Of(all) => start.is_zero() || all.iter().any(|(other, _)| *other == start),
        };
        if known && whole && allowed {
            found.push(Candidate {
                buffer,
                index,
                loaded,
                start,
                place,
            });
        }
    }
    found
}

/// Whether a point takes so long that what matters is to have many threads.
pub(super) fn is_long(statement: &Statement) -> bool {
    match statement {
        Statement::Loop { .. } | Statement::Fold { .. } => true,
        Statement::If {
            then, otherwise, ..
        } => then.iter().chain(otherwise).any(is_long),
        Statement::Let { .. }
        | Statement::Load { .. }
        | Statement::Store { .. }
        | Statement::Check { .. } => false,
    }
}
