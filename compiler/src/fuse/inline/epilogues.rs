//! What a scan stores for an array that could be its epilogue.
//!
//! In: a program and the reads of its arrays. Out: bytes of scan results an element that are in memory only because a map of them
//! is inlined into its readers. A map that is stored is an epilogue of the scan, and the results stay in registers.

use crate::fuse::scans::epilogue::{epilogue_of, read};
use crate::ir::walk::inside;
use crate::ir::{Id, Node, Program};
use crate::sorted::{SortedMap, SortedSet};

/// The bytes of the scans' elements that an array reads, at its own index and alone.
pub(in crate::fuse) fn scanned_bytes(
    program: &Program,
    readers: &SortedMap<Id, SortedSet<Id>>,
    whole: &SortedSet<Id>,
    array: Id,
) -> f64 {
    let Node::Generate {
        extents,
        vars,
        element,
    } = program.node(array)
    else {
        return 0.0;
    };
    let own: SortedSet<Id> = inside(program, *element).collect();
    let scanned = own.iter().filter(|&&id| read(program, id).is_some());
    let scanned: SortedSet<Id> = scanned
        .filter_map(|&id| match program.node(id) {
            Node::Index { array, .. } => Some(*array),
            _ => None,
        })
        .collect();
    let alone = |id: &Id| {
        let of_own = |readers: &SortedSet<Id>| readers.is_subset(&own);
        !whole.contains(id) && readers.get(id).is_some_and(of_own)
    };
    let is_epilogue = !scanned.is_empty()
        && scanned.iter().all(alone)
        && epilogue_of(program, vars, extents, *element).is_some();
    match is_epilogue {
        true => {
            let bytes = scanned.iter().map(|&id| program.leaf(id).bytes() as f64);
            bytes.sum()
        }
        false => 0.0,
    }
}
