//! Comparison of results: bit for bit wherever the language promises it, else within what its freedom explains.
//!
//! Bits are promised for everything but mathematical functions and float sums and products in reductions. What those may
//! do to a result is measured, not guessed: the oracle runs again a few times with another bracketing of each reduction,
//! each of its sums off by up to one unit in the last place, and each function's result off by up to four, the documented
//! bound ([`eval::eval_perturbed`]), and more often before a result is called wrong. So a tolerance knows of cancellation, of
//! the number of operands, and of what the program makes of a sum afterwards. Whole inputs need none of this where sums of
//! them are exact in every order.

use accelerate_compiler::ir::eval::{self, Output};
use accelerate_compiler::ir::{Id, Node, Program, Var};
use accelerate_compiler::scalar::{Binary, Leaf, Math, Scalar, Unary};
use accelerate_compiler::sorted::SortedSet;
use harness::value::Column;
use std::collections::BTreeMap;

/// How close results must be.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Closeness {
    /// All bits, NaNs being one value.
    Exact,
    /// Floats within these distances, by leaf and element; all else exact.
    Within(Vec<Vec<f64>>),
}

/// Perturbed runs of the oracle.
pub(crate) const SAMPLES: u64 = 4;
/// Perturbed runs before a result that is further off than the few explain counts as wrong: of an element that moves only
/// where a sum is rounded to the other side, they may show nothing.
pub(crate) const MORE_SAMPLES: u64 = 64;
/// A back end may be off by so many times the largest distance in the samples: they are few, each function may be off on
/// both sides, and a strided sum rounds in another pattern.
const FACTOR: f64 = 8.0;

/// Whether a back end may give other bits than the oracle. With `whole` inputs sums of whole numbers are exact.
pub(crate) fn may_differ(program: &Program, whole: bool) -> bool {
    let inexact = |id| match program.node(id) {
        Node::Math(f, _) => *f != Math::MulAdd,
        Node::Binary(..) => program.fast_math && program.leaf(id).is_float(),
        _ => false,
    };
    program
        .ids()
        .any(|id| inexact(id) || rounds(program, id, whole))
}

/// Whether a GPU may give other bits on every run: what meets in a scatter is combined in any order.
pub(crate) fn any_order(program: &Program, whole: bool) -> bool {
    let scatter = |id| matches!(program.node(id), Node::Scatter { .. });
    (program.ids()).any(|id| scatter(id) && rounds(program, id, whole))
}

/// Whether a float reduction rounds: infinities and NaN then depend on the order.
pub(crate) fn sums_floats(program: &Program) -> bool {
    program.ids().any(|id| rounds(program, id, false))
}

/// Whether this is a reduction, a scan or a scatter whose operator does float arithmetic (one that only selects, such as `min`, does not).
fn rounds(program: &Program, id: Id, whole: bool) -> bool {
    let (Node::Reduce { combined, .. }
    | Node::Scan { combined, .. }
    | Node::Scatter { combined, .. }) = program.node(id)
    else {
        return false;
    };
    let arithmetic = reachable(program, combined).into_iter().any(|id| {
        use Binary::{Add, Div, Mul, Rem, Sub};
        matches!(
            program.node(id),
            Node::Binary(Add | Sub | Mul | Div | Rem, ..)
                | Node::Unary(Unary::Sqrt, _)
                | Node::Math(..)
        ) && program.leaf(id).is_float()
    });
    arithmetic && !(whole && stays_whole(program, id))
}

/// What these need; of a loop's state, what it begins with and what follows.
fn reachable(program: &Program, roots: &[Id]) -> SortedSet<Id> {
    let mut states: BTreeMap<Var, [Id; 2]> = BTreeMap::new();
    for id in program.ids() {
        if let Node::Loop {
            state,
            initial,
            next,
            ..
        } = program.node(id)
        {
            let values = initial.iter().zip(next).map(|(&a, &b)| [a, b]);
            states.extend(state.iter().copied().zip(values));
        }
    }
    let (mut seen, mut left) = (SortedSet::new(), roots.to_vec());
    while let Some(id) = left.pop() {
        if !seen.insert(id) {
            continue;
        }
        match program.node(id) {
            Node::Variable(var) => left.extend(states.get(var).into_iter().flatten()),
            node => node.operands(|operand| left.push(operand)),
        }
    }
    seen
}

/// Whether whole inputs give whole numbers here, so that sums of them are exact in every order: nothing divides, takes
/// a root, multiplies with a fraction, or makes a number of bits.
fn stays_whole(program: &Program, root: Id) -> bool {
    reachable(program, &[root])
        .into_iter()
        .all(|id| match program.node(id) {
            Node::Binary(Binary::Div, ..) => !program.leaf(id).is_float(),
            Node::Unary(Unary::Sqrt, _) | Node::Math(..) => false,
            Node::Bitcast(..) => !program.leaf(id).is_float(),
            Node::Constant(constant) => !constant.leaf.is_float() || float(constant).fract() == 0.0,
            // Of a few digits: where a sum of them is rounded, the order shows.
            Node::Cast(leaf, _) if leaf.is_half() => false,
            Node::Cast(leaf, of) if leaf.is_float() => !is_wide(program, *of),
            _ => true,
        })
}

/// Whether this may be a whole number with more digits than a float has: inputs of such types are any numbers.
fn is_wide(program: &Program, root: Id) -> bool {
    let wide = |leaf: Leaf| !leaf.is_float() && leaf.bits() > 16;
    !program.leaf(root).is_float()
        && reachable(program, &[root])
            .into_iter()
            .any(|id| match program.node(id) {
                Node::Constant(constant) => {
                    wide(constant.leaf) && constant.as_i64().unsigned_abs() >> 16 != 0
                }
                Node::Parameter(_) => wide(program.leaf(id)),
                Node::Index { array, .. } => {
                    matches!(program.node(*array), Node::Input { .. }) && wide(program.leaf(id))
                }
                _ => false,
            })
}

/// The distances that the freedom of back ends explains, around the oracle's answer on these arguments, as so many runs
/// show them.
pub(crate) fn tolerances(
    program: &Program,
    scalars: &[Scalar],
    arrays: &[eval::Array],
    answer: &[Column],
    samples: u64,
) -> Closeness {
    let samples: Vec<Vec<Column>> = (1..=samples)
        .filter_map(|seed| eval::eval_perturbed(program, scalars, arrays, seed).ok())
        .map(|outputs| columns(&outputs))
        .collect();
    let column = |(leaf, expected): (usize, &Column)| {
        let fitting = samples
            .iter()
            .filter_map(|sample| sample.get(leaf))
            .filter(|sample| sample.shape == expected.shape);
        let mut moved = vec![0.0f64; expected.values.len()];
        for sample in fitting {
            for (moved, (a, b)) in moved
                .iter_mut()
                .zip(sample.values.iter().zip(&expected.values))
            {
                if a.leaf.is_float() {
                    let (x, y) = (float(a), float(b));
                    let distance = match (x - y).abs() {
                        // The sign of a zero is open.
                        0.0 if a != b => f64::MIN_POSITIVE,
                        distance if distance.is_finite() => distance,
                        _ if x == y || x.is_nan() && y.is_nan() => 0.0,
                        // Where one overflows and another does not, it may be anything.
                        _ => f64::INFINITY,
                    };
                    *moved = moved.max(distance);
                }
            }
        }
        let finite = moved.iter().filter(|moved| moved.is_finite());
        let mean = finite.sum::<f64>() / moved.len().max(1) as f64;
        moved
            .iter()
            .zip(&expected.values)
            .map(|(moved, value)| FACTOR * moved.max(mean) + 2.0 * unit(value))
            .collect()
    };
    Closeness::Within(answer.iter().enumerate().map(column).collect())
}

/// Whether the freedom of back ends changes the oracle's answer on these arguments.
pub(crate) fn moves(
    program: &Program,
    scalars: &[Scalar],
    arrays: &[eval::Array],
    answer: &[Column],
) -> bool {
    (1..=SAMPLES).any(|seed| {
        let sample = eval::eval_perturbed(program, scalars, arrays, seed);
        sample.is_ok_and(|outputs| columns(&outputs)[..] != *answer)
    })
}

/// A unit in the last place of a float, as far as it has one.
fn unit(scalar: &Scalar) -> f64 {
    let epsilon = match scalar.leaf {
        Leaf::F16 => f64::powi(2.0, -10),
        Leaf::Bf16 => f64::powi(2.0, -7),
        Leaf::F32 => f64::from(f32::EPSILON),
        Leaf::F64 => f64::EPSILON,
        _ => return 0.0,
    };
    let magnitude = float(scalar).abs();
    if magnitude.is_finite() {
        epsilon * magnitude
    } else {
        0.0
    }
}

/// The results of the oracle as columns.
pub(crate) fn columns(outputs: &[Output]) -> Vec<Column> {
    outputs
        .iter()
        .flat_map(|output| match output {
            Output::Scalar(leaves) => leaves
                .iter()
                .map(|&leaf| Column {
                    shape: None,
                    values: vec![leaf],
                })
                .collect::<Vec<_>>(),
            Output::Array { extents, leaves } => leaves
                .iter()
                .map(|values| Column {
                    shape: Some(extents.clone()),
                    values: values.clone(),
                })
                .collect(),
        })
        .collect()
}

/// Where two results differ, in words.
pub(crate) fn difference(
    found: &[Column],
    expected: &[Column],
    closeness: &Closeness,
) -> Option<String> {
    if found.len() != expected.len() {
        return Some(format!(
            "{} leaves instead of {}",
            found.len(),
            expected.len()
        ));
    }
    for (leaf, (found, expected)) in found.iter().zip(expected).enumerate() {
        if found.shape != expected.shape {
            return Some(format!(
                "leaf {leaf}: shape {:?} instead of {:?}",
                found.shape, expected.shape
            ));
        }
        for (k, (a, b)) in found.values.iter().zip(&expected.values).enumerate() {
            let allowed = match closeness {
                Closeness::Exact => 0.0,
                Closeness::Within(allowed) => allowed[leaf][k],
            };
            if !close(a, b, allowed) {
                return Some(format!(
                    "leaf {leaf}, element {k}: {} instead of {} (allowed: {allowed:e})",
                    show(a),
                    show(b)
                ));
            }
        }
    }
    None
}

fn close(a: &Scalar, b: &Scalar, allowed: f64) -> bool {
    if a == b {
        return true;
    }
    if a.leaf != b.leaf || !a.leaf.is_float() {
        return false;
    }
    let (x, y) = (float(a), float(b));
    (x.is_nan() && y.is_nan())
        || allowed == f64::INFINITY
        || (allowed > 0.0 && (x == y || (x - y).abs() <= allowed))
}

fn float(scalar: &Scalar) -> f64 {
    match scalar.leaf.is_float() {
        true => scalar.as_f64(),
        false => f64::from_bits(scalar.bits),
    }
}

fn show(scalar: &Scalar) -> String {
    if scalar.leaf.is_float() {
        format!("{:?} ({:#x})", float(scalar), scalar.bits)
    } else {
        format!("{:#x}{}", scalar.bits, scalar.leaf.name())
    }
}
