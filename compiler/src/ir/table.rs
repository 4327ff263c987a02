//! Which nodes there are already: ids in a table by the hashes of their nodes, which are kept where the nodes are.

use super::Id;

/// A hash table with open addressing. It holds no keys: whoever looks compares nodes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    /// Ids plus one; zero is an empty place. As many as a power of two.
    places: Vec<u32>,
    count: usize,
}

impl Table {
    /// The id with this hash for which `same` holds.
    pub(super) fn find(&self, hash: u64, mut same: impl FnMut(Id) -> bool) -> Option<Id> {
        let mask = self.places.len().checked_sub(1)?;
        let mut at = hash as usize & mask;
        loop {
            let id = Id(self.places[at].checked_sub(1)?);
            if same(id) {
                return Some(id);
            }
            at = (at + 1) & mask;
        }
    }

    /// Adds the id that comes after all that are there; `hashes` has theirs and its own, by id.
    pub(super) fn push(&mut self, hashes: &[u64]) {
        self.reserve(1, hashes);
        self.occupy(self.count, hashes[self.count]);
        self.count += 1;
    }

    /// Room for so many more.
    pub(super) fn reserve(&mut self, more: usize, hashes: &[u64]) {
        // At most half full.
        let places = ((self.count + more) * 2).next_power_of_two().max(64);
        if places > self.places.len() {
            self.places = vec![0; places];
            (0..self.count).for_each(|k| self.occupy(k, hashes[k]));
        }
    }

    fn occupy(&mut self, id: usize, hash: u64) {
        let mask = self.places.len() - 1;
        let mut at = hash as usize & mask;
        while self.places[at] != 0 {
            at = (at + 1) & mask;
        }
        self.places[at] = id as u32 + 1;
    }
}
