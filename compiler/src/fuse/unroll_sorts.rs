//! Sorts of a few elements become networks of comparisons, where single elements of them are read: medians of windows.
//!
//! In: a program in which sorts are read anywhere. Out: the same function, where `sort(n, ..)[2]` has become the third output of a
//! network of `n` inputs, if n is a small constant and all reads of the sort are at constants. What no output needs of the
//! network is not computed. Elements that are their keys go through Batcher's merge exchange (Knuth, The Art of Computer
//! Programming 3, 5.2.2, algorithm M), others through an odd-even transposition sort, which keeps the order of equal ones
//! (5.3.4, exercise 37).

use crate::fuse::rewrite::replaced;
use crate::ir::walk::{fallible, inside, reachable};
use crate::ir::{Id, Node, Program, QuickMap, QuickSet, Var};
use crate::scalar::{Binary, Leaf};

/// The most elements of one leaf, and of others.
const MOST: u64 = 25;
const MOST_OTHERS: u64 = 9;
/// The most nodes of an element.
const SHORT: usize = 40;

/// A read of a component of a sort at a constant.
struct Read {
    id: Id,
    bundle: Id,
    component: u32,
    rows: Vec<Id>,
    place: usize,
}

/// See the module.
pub(super) fn run(mut program: Program) -> Program {
    let live = reachable(&program, program.roots());
    let is_sort = |id: &Id| matches!(program.node(*id), Node::Sort { .. });
    if !live.iter().any(is_sort) {
        return program;
    }
    let (reads, others) = reads(&program, &live);
    let mut networks: QuickMap<Id, Option<Vec<Vec<Id>>>> = QuickMap::default();
    let mut outputs: QuickMap<(Id, u32, usize), Id> = QuickMap::default();
    let mut found = QuickMap::default();
    for read in reads {
        let bundle = read.bundle;
        if others.contains(&bundle) {
            continue;
        }
        let network = networks
            .entry(bundle)
            .or_insert_with(|| network(&mut program, bundle));
        // What is out of bounds is not read.
        let Some(output) = network.as_ref().and_then(|all| all.get(read.place)) else {
            continue;
        };
        let value = output[read.component as usize];
        let to = match read.rows.is_empty() {
            true => value,
            false => {
                let output = outputs.entry((bundle, read.component, read.place));
                let array = *output.or_insert_with(|| over_rows(&mut program, bundle, value));
                program.add(Node::Index {
                    array,
                    indices: read.rows,
                })
            }
        };
        program.keep_labels(read.id, to);
        found.insert(read.id, to);
    }
    match found.is_empty() {
        true => program,
        false => replaced(program, found),
    }
}

/// The reads of sorts at constants, and the sorts that are used in other ways.
fn reads(program: &Program, live: &[Id]) -> (Vec<Read>, QuickSet<Id>) {
    let sorted = |array: Id| match *program.node(array) {
        Node::Project(bundle, component) => {
            let sort = matches!(program.node(bundle), Node::Sort { .. });
            sort.then_some((bundle, component))
        }
        _ => None,
    };
    let (mut reads, mut others) = (Vec::new(), QuickSet::default());
    let mut other = |id: Id| others.extend(sorted(id).map(|(bundle, _)| bundle));
    program.roots().into_iter().for_each(&mut other);
    for &id in live {
        let Node::Index { array, indices } = program.node(id) else {
            program.node(id).operands(&mut other);
            continue;
        };
        let Some((bundle, component)) = sorted(*array) else {
            continue;
        };
        let (at, rows) = indices.split_last().expect("an axis to sort along");
        match program.node(*at) {
            Node::Constant(place) => reads.push(Read {
                id,
                bundle,
                component,
                rows: rows.to_vec(),
                place: place.bits as usize,
            }),
            _ => other(*array),
        }
    }
    (reads, others)
}

/// The outputs of a network that does what a sort of a few elements does, over its variables: leaves in order.
fn network(program: &mut Program, bundle: Id) -> Option<Vec<Vec<Id>>> {
    let Node::Sort {
        extents,
        vars,
        elements,
        keys,
        less: None,
        ..
    } = program.node(bundle).clone()
    else {
        return None;
    };
    let (extent, rows) = extents.split_last()?;
    let Node::Constant(length) = program.node(*extent) else {
        return None;
    };
    let (length, keys) = (length.bits, keys as usize);
    let most = match elements.len() {
        1 => MOST,
        _ => MOST_OTHERS,
    };
    // What is no row's is sorted once.
    let once = rows.is_empty() && program.free(bundle).is_empty();
    if once || length > most || !elements.iter().all(|&id| is_short(program, id)) {
        return None;
    }
    let leaves: Vec<Leaf> = elements.iter().map(|&id| program.leaf(id)).collect();
    let var = *vars.last()?;
    let mut all: Vec<Vec<Id>> = Vec::new();
    for place in 0..length {
        let place = program.usize(place);
        let mut element = program.substitute_all(&elements, &QuickMap::from_iter([(var, place)]));
        for key in &mut element[..keys] {
            *key = program.ordered(*key);
        }
        all.push(element);
    }
    let pairs = match keys == elements.len() {
        true => merge_exchange(all.len()),
        false => transpositions(all.len()),
    };
    for (a, b) in pairs {
        exchange(program, &mut all, [a, b], keys);
    }
    for element in &mut all {
        for (key, &leaf) in element[..keys].iter_mut().zip(&leaves) {
            *key = program.unordered(leaf, *key);
        }
    }
    Some(all)
}

/// Whether an element may be written out several times.
fn is_short(program: &Program, element: Id) -> bool {
    let mut count = 0;
    !fallible(program, element)
        && inside(program, element).all(|id| {
            count += 1;
            count <= SHORT
                && !matches!(
                    program.node(id),
                    Node::Reduce { .. } | Node::Scan { .. } | Node::Loop { .. }
                )
        })
}

/// An output of a network for each row.
fn over_rows(program: &mut Program, bundle: Id, value: Id) -> Id {
    let Node::Sort { extents, vars, .. } = program.node(bundle).clone() else {
        unreachable!("no sort: {:?}", program.node(bundle));
    };
    let rows: &[Var] = &vars[..vars.len() - 1];
    program.generate(extents[..rows.len()].to_vec(), |program, indices| {
        let map = rows.iter().copied().zip(indices.iter().copied()).collect();
        program.substitute(value, &map)
    })
}

/// Has the less one of two elements first; equal ones stay.
fn exchange(program: &mut Program, all: &mut [Vec<Id>], [a, b]: [usize; 2], keys: usize) {
    let (left, right) = (all[a].clone(), all[b].clone());
    if let ([x], [y]) = (&left[..], &right[..]) {
        let [least, greatest] = match program.leaf(*x) {
            Leaf::Bool => [Binary::And, Binary::Or],
            _ => [Binary::Min, Binary::Max],
        };
        all[a] = vec![program.binary(least, *x, *y)];
        all[b] = vec![program.binary(greatest, *x, *y)];
        return;
    }
    let mut later = None;
    for (&x, &y) in left[..keys].iter().zip(&right).rev() {
        let below = program.binary(Binary::Lt, y, x);
        later = Some(match later {
            None => below,
            Some(turns) => {
                let same = program.binary(Binary::Eq, y, x);
                let rest = program.binary(Binary::And, same, turns);
                program.binary(Binary::Or, below, rest)
            }
        });
    }
    let Some(turns) = later else {
        return;
    };
    for (k, (&x, &y)) in left.iter().zip(&right).enumerate() {
        all[a][k] = program.add(Node::Select(turns, y, x));
        all[b][k] = program.add(Node::Select(turns, x, y));
    }
}

/// The pairs of Batcher's merge exchange.
fn merge_exchange(length: usize) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let top = length.next_power_of_two() / 2;
    let mut p = top;
    while p > 0 {
        let (mut q, mut r, mut d) = (top, 0, p);
        loop {
            let first = (0..length.saturating_sub(d)).filter(|i| i & p == r);
            pairs.extend(first.map(|i| (i, i + d)));
            if q == p {
                break;
            }
            (d, q, r) = (q - p, q / 2, p);
        }
        p /= 2;
    }
    pairs
}

/// The pairs of a transposition sort.
fn transpositions(length: usize) -> Vec<(usize, usize)> {
    let pairs = |round: usize| (round % 2..length.saturating_sub(1)).step_by(2);
    let rounds = (0..length).flat_map(pairs);
    rounds.map(|i| (i, i + 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::{merge_exchange, transpositions};

    /// A network sorts all if it sorts all zeros and ones (Knuth, 5.3.4, theorem Z).
    #[test]
    fn networks_sort() {
        for length in 0..=12 {
            for pairs in [merge_exchange(length), transpositions(length)] {
                for bits in 0..1_u32 << length {
                    let mut all: Vec<u32> = (0..length).map(|k| bits >> k & 1).collect();
                    for &(a, b) in &pairs {
                        assert!(a < b);
                        (all[a], all[b]) = (all[a].min(all[b]), all[a].max(all[b]));
                    }
                    assert!(all.is_sorted(), "{length} elements, {bits:b}");
                }
            }
        }
        assert_eq!(merge_exchange(9).len(), 26);
    }
}
