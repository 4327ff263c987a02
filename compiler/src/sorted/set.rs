//! A set as a sorted vector.

use std::borrow::Borrow;
use std::fmt;
use std::ops::{BitAnd, BitOr, Bound, RangeBounds, Sub};

/// An ordered set: see [`std::collections::BTreeSet`] for what the methods do.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SortedSet<T> {
    items: Vec<T>,
}

impl<T> SortedSet<T> {
    /// Nothing.
    pub const fn new() -> Self {
        SortedSet { items: Vec::new() }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Takes all out.
    pub fn clear(&mut self) {
        self.items.clear();
    }

    /// All of them, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// All of them, in order.
    pub fn as_slice(&self) -> &[T] {
        &self.items
    }

    /// The least.
    pub fn first(&self) -> Option<&T> {
        self.items.first()
    }

    /// The greatest.
    pub fn last(&self) -> Option<&T> {
        self.items.last()
    }

    /// Takes out the greatest.
    pub fn pop_last(&mut self) -> Option<T> {
        self.items.pop()
    }

    /// Takes out the least.
    pub fn pop_first(&mut self) -> Option<T> {
        (!self.items.is_empty()).then(|| self.items.remove(0))
    }

    /// Keeps those of which `keep` holds.
    pub fn retain(&mut self, keep: impl FnMut(&T) -> bool) {
        self.items.retain(keep);
    }

    /// The one at a position of the order.
    pub(super) fn take_at(&mut self, at: usize) -> T {
        self.items.remove(at)
    }

    /// Puts one where it belongs.
    pub(super) fn put_at(&mut self, at: usize, item: T) {
        self.items.insert(at, item);
    }
}

impl<T: Ord> SortedSet<T> {
    /// Where it is, or where it belongs.
    pub(super) fn find<Q: Ord + ?Sized>(&self, item: &Q) -> Result<usize, usize>
    where
        T: Borrow<Q>,
    {
        match self.items.last() {
            None => Err(0),
            Some(last) if last.borrow() < item => Err(self.items.len()),
            Some(_) => self.items.binary_search_by(|own| own.borrow().cmp(item)),
        }
    }

    /// Whether it is in there.
    pub fn contains<Q: Ord + ?Sized>(&self, item: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.find(item).is_ok()
    }

    /// Adds it: whether it was not there.
    pub fn insert(&mut self, item: T) -> bool {
        let at = self.find(&item);
        if let Err(at) = at {
            self.items.insert(at, item);
        }
        at.is_err()
    }

    /// Takes it out: whether it was there.
    pub fn remove<Q: Ord + ?Sized>(&mut self, item: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        let at = self.find(item);
        if let Ok(at) = at {
            self.items.remove(at);
        }
        at.is_ok()
    }

    /// Moves all of `other` in.
    pub fn append(&mut self, other: &mut Self) {
        self.extend(std::mem::take(&mut other.items));
    }

    /// Those within bounds, in order.
    pub fn range(&self, bounds: impl RangeBounds<T>) -> std::slice::Iter<'_, T> {
        let after = |item: &T| self.find(item).map_or_else(|at| at, |at| at + 1);
        let before = |item: &T| self.find(item).unwrap_or_else(|at| at);
        let begin = match bounds.start_bound() {
            Bound::Included(item) => before(item),
            Bound::Excluded(item) => after(item),
            Bound::Unbounded => 0,
        };
        let end = match bounds.end_bound() {
            Bound::Included(item) => after(item),
            Bound::Excluded(item) => before(item),
            Bound::Unbounded => self.items.len(),
        };
        self.items[begin..end.max(begin)].iter()
    }

    /// Those of both.
    pub fn intersection<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a T> + Clone {
        self.iter().filter(|item| other.contains(*item))
    }

    /// Those that `other` does not have.
    pub fn difference<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a T> + Clone {
        self.iter().filter(|item| !other.contains(*item))
    }

    /// Whether `other` has all.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.len() <= other.len() && self.iter().all(|item| other.contains(item))
    }

    /// Whether `other` has none of them.
    pub fn is_disjoint(&self, other: &Self) -> bool {
        let (few, many) = if self.len() < other.len() {
            (self, other)
        } else {
            (other, self)
        };
        !few.iter().any(|item| many.contains(item))
    }
}

impl<T: fmt::Debug> fmt::Debug for SortedSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self).finish()
    }
}

impl<T> Default for SortedSet<T> {
    fn default() -> Self {
        SortedSet::new()
    }
}

impl<T: Ord> Extend<T> for SortedSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        items.into_iter().for_each(|item| {
            self.insert(item);
        });
    }
}

impl<'a, T: Ord + Copy + 'a> Extend<&'a T> for SortedSet<T> {
    fn extend<I: IntoIterator<Item = &'a T>>(&mut self, items: I) {
        items.into_iter().for_each(|item| {
            self.insert(*item);
        });
    }
}

impl<T: Ord> FromIterator<T> for SortedSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut set = SortedSet::new();
        set.extend(items);
        set
    }
}

impl<T: Ord, const N: usize> From<[T; N]> for SortedSet<T> {
    fn from(items: [T; N]) -> Self {
        items.into_iter().collect()
    }
}

impl<T> IntoIterator for SortedSet<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a SortedSet<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

impl<T: Ord + Clone> BitOr for &SortedSet<T> {
    type Output = SortedSet<T>;

    fn bitor(self, other: Self) -> SortedSet<T> {
        let mut all = self.clone();
        all.extend(other.iter().cloned());
        all
    }
}

impl<T: Ord + Clone> BitAnd for &SortedSet<T> {
    type Output = SortedSet<T>;

    fn bitand(self, other: Self) -> SortedSet<T> {
        let mut both = self.clone();
        both.retain(|item| other.contains(item));
        both
    }
}

impl<T: Ord + Clone> Sub for &SortedSet<T> {
    type Output = SortedSet<T>;

    fn sub(self, other: Self) -> SortedSet<T> {
        let mut rest = self.clone();
        rest.retain(|item| !other.contains(item));
        rest
    }
}
