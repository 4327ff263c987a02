//! What is worth keeping, and what is left to do for the points of which it is kept.

use super::keys::Keys;
use super::strided::Strided;
use super::{Array, Group, Keeping, Kept};
use crate::codegen::cuda::body::Code;
use crate::codegen::cuda::walk::operands;
use crate::ir::QuickSet;
use crate::plan::{Phase, Statement, Value};

/// Bytes of registers for what is kept at any time: half of those that a thread has where half of all threads are resident.
pub(super) const ROOM: usize = 128;
/// Statements that the points kept may come to, in each phase.
const LONG: usize = 512;

/// The statements that give the roots and store, where some values are given.
pub(super) fn needed(
    code: &Code<'_>,
    body: &[Statement],
    roots: &[Value],
    given: &[(Value, usize)],
) -> Vec<Statement> {
    let mut wanted: QuickSet<Value> = roots.iter().copied().collect();
    let is_given = |value: &Value| given.iter().any(|(other, _)| other == value);
    let mut list = Vec::new();
    for statement in body.iter().rev() {
        match statement {
            Statement::Let { value, .. } | Statement::Load { value, .. }
                if is_given(value) || !wanted.contains(value) =>
            {
                continue;
            }
            Statement::Let { op, .. } => wanted.extend(operands(op)),
            Statement::Load {
                value,
                index,
                guard,
                ..
            } => {
                wanted.extend(guard);
                // Nobody asks where a stream is.
                if !code.loaded.contains_key(value) {
                    wanted.insert(*index);
                }
            }
            Statement::Store {
                buffer,
                index,
                value,
            } => {
                wanted.insert(*value);
                if !code.stored.contains_key(&(*buffer, *index)) {
                    wanted.insert(*index);
                }
            }
            _ => unreachable!("simple statements"),
        }
        list.push(statement.clone());
    }
    list.reverse();
    list
}

impl Keeping {
    /// What the phases can keep, in a kernel whose rows no two blocks share.
    pub(in crate::codegen::cuda::rowwise) fn find(code: &Code<'_>, phases: &[Phase]) -> Keeping {
        let mut keeping = Keeping::none(phases.len());
        let mut rest: Vec<Strided<'_>> = (phases.iter().enumerate())
            .filter_map(|phase| Strided::of(code, phase))
            .collect();
        while let [first, ..] = rest.as_slice() {
            let extents = first.extents;
            let (group, others) = rest.into_iter().partition(|phase| phase.extents == extents);
            rest = others;
            keeping.group(code, group);
        }
        keeping
    }

    fn group(&mut self, code: &Code<'_>, phases: Vec<Strided<'_>>) {
        let mut keys = Keys::default();
        // By key: the first of its values, and the last phase that is given one.
        let mut arrays: Vec<(usize, (Value, usize), usize)> = Vec::new();
        let mut given_to = Vec::new();
        for phase in &phases {
            let own = keys.of(code, phase);
            let mut given: Vec<(Value, usize)> = Vec::new();
            phase.trace(&mut |value| {
                let Some(&key) = own.get(&value) else {
                    return false;
                };
                let (first, from) = keys.firsts[key];
                let alike = code.repr(first) == code.repr(value);
                if from == phase.position || !keys.costly[key] || !alike {
                    return true;
                }
                match arrays.iter_mut().find(|(other, ..)| *other == key) {
                    Some((.., last)) => *last = phase.position,
                    None => arrays.push((key, (first, from), phase.position)),
                }
                given.push((value, key));
                false
            });
            given_to.push(given);
        }
        arrays.sort_by_key(|(key, ..)| *key);
        // What is computed of what a phase has read is there beside that.
        let read_beside = |at: usize, value: Value| {
            let body = phases.iter().find(|phase| phase.position == at);
            let mut body = body.into_iter().flat_map(|phase| phase.body);
            let takes_a_place = arrays.iter().any(|(.., to)| *to == at);
            !takes_a_place
                && body.any(|one| matches!(one, Statement::Let { value: own, .. } if *own == value))
        };
        let bytes = |at: usize| -> usize {
            let alive = arrays
                .iter()
                .filter(|(_, (_, from), to)| (*from..*to).contains(&at));
            alive
                .map(|&(_, (value, from), _)| {
                    let bytes = code.leaf(value).bytes().max(4);
                    if from == at && read_beside(at, value) {
                        2 * bytes
                    } else {
                        bytes
                    }
                })
                .sum()
        };
        let most = phases.iter().map(|phase| bytes(phase.position)).max();
        let most = most.unwrap_or(0);
        let long = phases.iter().map(|phase| phase.body.len()).max();
        let long = long.unwrap_or(0);
        let fits = |points: &usize| points * most <= ROOM && points * long <= LONG;
        let Some(points) = [32, 16, 8, 4].into_iter().find(fits).filter(|_| most > 0) else {
            return;
        };
        let (number, before) = (self.groups.len(), self.arrays.len());
        for (phase, given) in phases.iter().zip(given_to) {
            let find = |key: &usize| arrays.iter().position(|(other, ..)| other == key);
            let given: Vec<(Value, usize)> = (given.iter())
                .map(|(value, key)| (*value, before + find(key).expect("an array")))
                .collect();
            let keeps: Vec<(Value, usize)> = (arrays.iter().enumerate())
                .filter(|(_, (_, (_, from), _))| *from == phase.position)
                .map(|(at, (_, (value, _), _))| (*value, before + at))
                .collect();
            if given.is_empty() && keeps.is_empty() {
                continue;
            }
            let mut roots = phase.roots.clone();
            roots.extend(keeps.iter().map(|(value, _)| *value));
            self.phases[phase.position] = Some(Kept {
                group: number,
                body: needed(code, phase.body, &roots, &given),
                keeps,
                given,
                roots,
            });
        }
        self.beside |= (arrays.iter()).any(|&(_, (value, from), _)| read_beside(from, value));
        let from = arrays.iter().map(|(_, (_, from), _)| *from).min();
        self.groups.push(Group::of(from.unwrap_or(0), points));
        let mut free: Vec<usize> = (0..arrays.len()).collect();
        for (at, &(_, (value, from), _)) in arrays.iter().enumerate() {
            // An array that is dead after the phase that defines this one gives it its registers.
            let fits = |other: &usize| {
                let (_, (last, _), to) = arrays[*other];
                to == from && code.repr(last) == code.repr(value)
            };
            let place = free.iter().position(fits).map(|place| free.remove(place));
            // Some phase may have a name for it.
            let others = (self.phases.iter().flatten().flat_map(|kept| &kept.given))
                .filter(|(_, array)| *array == before + at)
                .map(|(value, _)| *value);
            let name = [value]
                .into_iter()
                .chain(others)
                .find_map(|value| code.kernel.names[value.0 as usize].clone())
                .unwrap_or_else(|| code.wanted(value));
            self.arrays.push(Array {
                name,
                place: place.map(|place| before + place),
            });
        }
    }
}
