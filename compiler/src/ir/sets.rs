//! Sets of nodes, a bit each: where an analysis goes through many nodes of a program.

use super::Id;

/// A set of ids. Its size is that of the largest one in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct IdSet {
    words: Vec<u64>,
}

impl IdSet {
    /// Adds an id; whether it was not there.
    pub(crate) fn insert(&mut self, id: Id) -> bool {
        let (word, bit) = (id.0 as usize / 64, 1 << (id.0 % 64));
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        new
    }

    /// Adds all of another set.
    pub(crate) fn extend(&mut self, other: &IdSet) {
        let count = self.words.len().max(other.words.len());
        self.words.resize(count, 0);
        for (own, more) in self.words.iter_mut().zip(&other.words) {
            *own |= more;
        }
    }

    /// All of it, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Id> {
        let words = self.words.iter().enumerate();
        words.flat_map(|(k, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(Id(k as u32 * 64 + bit))
            })
        })
    }

    /// What is in both, in order.
    pub(crate) fn common(&self, other: &IdSet) -> IdSet {
        let words = self.words.iter().zip(&other.words);
        IdSet {
            words: words.map(|(a, b)| a & b).collect(),
        }
    }

    /// Whether all of it is in another set.
    pub(crate) fn is_subset(&self, other: &IdSet) -> bool {
        let (both, more) = self.words.split_at(self.words.len().min(other.words.len()));
        let inside = both.iter().zip(&other.words).all(|(a, b)| a & !b == 0);
        inside && more.iter().all(|&word| word == 0)
    }

    /// Whether nothing is in it.
    pub(crate) fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Whether an id is in it.
    pub(crate) fn contains(&self, id: Id) -> bool {
        let word = self.words.get(id.0 as usize / 64);
        word.is_some_and(|word| word & 1 << (id.0 % 64) != 0)
    }
}

impl FromIterator<Id> for IdSet {
    fn from_iter<T: IntoIterator<Item = Id>>(ids: T) -> IdSet {
        let mut set = IdSet::default();
        for id in ids {
            set.insert(id);
        }
        set
    }
}
