//! Stencils: finds what neighbouring points of an elementwise kernel share, and decides whether they work in tiles.
//!
//! In: the kernel's statements. Out: those of its tiles (see `plan::windows`), if tiles are expected to pay. Nothing is
//! known here of stencils as such: reads of one array at several distances from the kernel's own point are found
//! wherever they come from, and so are values computed from such reads, be they a producer that was fused into the
//! window or one that the user has written out.

mod draft;
mod edges;
mod interior;
mod register_blocking;
mod rounds;
mod shifts;
mod write;

use crate::fuse::Tiling;
use crate::fuse::body::Body;
use crate::ir::{Id, Node};
use crate::plan::affine::Polynomial;
use crate::plan::{Points, Statement, Value};
use crate::scalar::{Binary, Leaf};
use crate::sorted::SortedMap;
use draft::{Choice, Weights};
use edges::{Axis, compare};
use interior::{Interior, Known};
use shifts::Shifts;

/// Distances from an edge that are tried.
const MARGINS: [u64; 9] = [0, 1, 2, 3, 4, 8, 16, 40, 64];

/// The body far from the edges.
struct Inside {
    statements: Vec<Statement>,
    polynomials: SortedMap<Value, Polynomial>,
    /// Tests of coordinates that are left.
    undecided: u32,
    /// Conditions of scalars that are checked first: here they hold.
    given: Vec<Value>,
}

/// Adds a kernel's tiles, if tiles are of use; why not, if there is a window but no use.
pub(super) fn find(body: &mut Body, points: &mut Points) -> Option<String> {
    let Points {
        extents,
        vars,
        body: statements,
        windows,
    } = points;
    let weights = match body.tiling {
        Tiling::Off => return None,
        Tiling::Small => Weights::of_tests(),
        Tiling::Large => Weights::of_devices(),
    };
    let stores = |statement: &Statement| matches!(statement, Statement::Store { .. });
    if vars.is_empty() || !statements.iter().any(stores) || loads(statements) < 2 {
        return None;
    }
    let mut known = scalars(body, extents);
    known.extend(vars.iter().map(|&var| (var, Polynomial::atom(var))));
    let mut axes: Vec<Axis> = vars
        .iter()
        .zip(&*extents)
        .map(|(&var, &extent)| Axis {
            var,
            extent,
            size: known.get(&extent).and_then(Polynomial::as_number),
            margins: [0; 2],
        })
        .collect();
    let all = body.values.count();
    let mut inner = inside(body, &axes, &known, statements);
    let at_edges = inner.undecided;
    // Without tests of coordinates it is all the same.
    if at_edges > 0 {
        let wanted = margins(body, &mut axes, &known, statements, at_edges);
        for (axis, margin) in axes.iter_mut().zip(wanted) {
            axis.margins = [margin; 2];
        }
        inner = inside(body, &axes, &known, statements);
    }
    let inside = inner;
    let scalars: Vec<Value> = body.scalars.iter().map(|(value, _)| *value).collect();
    let shifts = Shifts::of(&inside.statements, vars, &scalars, &inside.polynomials);
    let tests = at_edges.saturating_sub(inside.undecided);
    let choice = Choice::new(&body.values.types, &axes, &inside, &shifts, &weights, tests);
    let (best, pays) = choice.best();
    if let (Some(best), true) = (best.clone(), pays) {
        let mut tiles = write::write(body, &axes, &inside, &shifts, best);
        register_blocking::run(&mut body.values, &axes, &mut tiles);
        *windows = Some(Box::new(tiles));
        return None;
    }
    let [alone, tiled] = best.map_or([0.0; 2], |best| best.cost);
    let note = choice.is_window().then(|| {
        format!("a point costs about {alone:.0} by itself, and {tiled:.0} as one of a tile")
    });
    body.values.truncate(all);
    note.filter(|_| tiled > 0.0)
}

/// As near to the edges as it goes with the fewest tests: all axes together, then each by itself. There are `at_edges`
/// tests without any margin.
fn margins(
    body: &mut Body,
    axes: &mut [Axis],
    known: &SortedMap<Value, Polynomial>,
    statements: &[Statement],
    at_edges: u32,
) -> [u64; 8] {
    let count = axes.len();
    let mut found = SortedMap::from([(vec![MARGINS[0]; count], at_edges)]);
    let mut tests = |margins: &[u64; 8]| {
        let margins = margins[..count].to_vec();
        let count = || with_margins(body, axes, known, statements, &margins);
        *(found.entry(margins.clone())).or_insert_with(count)
    };
    let mut wanted = [MARGINS[8]; 8];
    let least = tests(&wanted);
    for own in std::iter::once(None).chain((0..count).map(Some)) {
        for margin in MARGINS {
            let mut tried = wanted;
            match own {
                None => tried = [margin; 8],
                Some(axis) => tried[axis] = margin,
            }
            if tests(&tried) <= least {
                wanted = tried;
                break;
            }
        }
    }
    wanted
}

/// The tests that are left with these margins.
fn with_margins(
    body: &mut Body,
    axes: &mut [Axis],
    known: &SortedMap<Value, Polynomial>,
    statements: &[Statement],
    margins: &[u64],
) -> u32 {
    for (axis, &margin) in axes.iter_mut().zip(margins) {
        axis.margins = [margin; 2];
    }
    let all = body.values.count();
    let inside = inside(body, axes, known, statements);
    body.values.truncate(all);
    inside.undecided
}

fn inside(
    body: &mut Body,
    axes: &[Axis],
    known: &SortedMap<Value, Polynomial>,
    statements: &[Statement],
) -> Inside {
    let known = Known {
        polynomials: known.clone(),
        truths: truths(body, axes, known),
        scalars: body.scalars.iter().map(|(value, _)| *value).collect(),
    };
    let mut interior = Interior::new(&mut body.values, axes, known);
    interior.list(statements);
    interior.finish()
}

/// What the host passes, in terms of each other and, where that is possible, of the domain's extents.
fn scalars(body: &Body, extents: &[Value]) -> SortedMap<Value, Polynomial> {
    let passed = body.scalars.iter();
    let lengths = passed.filter(|(_, id)| body.program.leaf(*id) == Leaf::U64);
    let of = |&(value, id): &(Value, Id)| {
        let found = of_host(body, id);
        (value, found.unwrap_or_else(|| Polynomial::atom(value)))
    };
    let mut known: SortedMap<Value, Polynomial> = lengths.map(of).collect();
    for extent in extents {
        let Some(own) = known.get(extent).cloned() else {
            continue;
        };
        // With an extent of n - 1, n is one more than the extent.
        let values: Vec<Value> = own
            .values()
            .filter(|value| own.is_unit_in(*value))
            .collect();
        if let [value] = values[..]
            && value != *extent
            && !extents.contains(&value)
            && own.values().count() == 1
        {
            let rest = own.minus(&Polynomial::atom(value));
            let instead = Polynomial::atom(*extent).minus(&rest);
            for polynomial in known.values_mut() {
                *polynomial = polynomial.replaced(value, &instead);
            }
        }
    }
    known
}

/// Comparisons that the host passes, where coordinates this far from the edges say what they are.
fn truths(
    body: &Body,
    axes: &[Axis],
    known: &SortedMap<Value, Polynomial>,
) -> SortedMap<Value, bool> {
    let index = |id: Id| {
        let polynomial = of_host(body, id).filter(|_| body.program.leaf(id) == Leaf::U64)?;
        let passed: Vec<Value> = polynomial.values().collect();
        let replaced = |polynomial: Polynomial, value| match known.get(&value) {
            Some(by) => polynomial.replaced(value, by),
            None => polynomial,
        };
        Some(passed.into_iter().fold(polynomial, replaced))
    };
    let truth = |&(value, id): &(Value, Id)| match *body.program.node(id) {
        Node::Binary(op, a, b) if body.program.leaf(id) == Leaf::Bool => {
            Some((value, compare(axes, op, &index(a)?, &index(b)?)?))
        }
        _ => None,
    };
    body.scalars.iter().filter_map(truth).collect()
}

/// A value of the host by those that are passed and are no arithmetic themselves.
fn of_host(body: &Body, id: Id) -> Option<Polynomial> {
    match body.program.node(id) {
        Node::Constant(constant) => Some(Polynomial::constant(constant.bits)),
        Node::Binary(Binary::Add, a, b) => Some(of_host(body, *a)?.plus(&of_host(body, *b)?, 1)),
        Node::Binary(Binary::Sub, a, b) => Some(of_host(body, *a)?.minus(&of_host(body, *b)?)),
        Node::Binary(Binary::Mul, a, b) => Some(of_host(body, *a)?.times(&of_host(body, *b)?)),
        _ => {
            let passed = body.scalars.iter().find(|(_, other)| *other == id);
            passed.map(|(value, _)| Polynomial::atom(*value))
        }
    }
}

/// How often memory is read, at least where a loop does it.
fn loads(statements: &[Statement]) -> usize {
    let of = |statement: &Statement| match statement {
        Statement::Load { .. } => 1,
        Statement::If {
            then, otherwise, ..
        } => loads(then) + loads(otherwise),
        Statement::Loop { test, body, .. } => 2 * (loads(test) + loads(body)),
        Statement::Fold { body, .. } => 2 * loads(body),
        Statement::Let { .. } | Statement::Store { .. } | Statement::Check { .. } => 0,
    };
    statements.iter().map(of).sum()
}
