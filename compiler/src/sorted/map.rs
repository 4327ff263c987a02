//! A map as a sorted vector of its keys and a vector of its values.

use super::SortedSet;
use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::ops::Index;

/// An ordered map: see [`std::collections::BTreeMap`] for what the methods do.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct SortedMap<K, V> {
    keys: SortedSet<K>,
    /// A value for each key.
    values: Vec<V>,
}

/// A key's place in a map.
pub enum Entry<'a, K, V> {
    /// The map has it.
    Occupied(&'a mut V),
    /// It belongs at this position.
    Vacant(Vacant<'a, K, V>),
}

/// A place for a key that a map does not have.
pub struct Vacant<'a, K, V> {
    map: &'a mut SortedMap<K, V>,
    at: usize,
    key: K,
}

impl<'a, K, V> Vacant<'a, K, V> {
    /// Puts a value there.
    pub fn insert(self, value: V) -> &'a mut V {
        self.map.keys.put_at(self.at, self.key);
        self.map.values.insert(self.at, value);
        &mut self.map.values[self.at]
    }
}

impl<'a, K, V> Entry<'a, K, V> {
    /// The value, which is `value` if there was none.
    pub fn or_insert(self, value: V) -> &'a mut V {
        self.or_insert_with(|| value)
    }

    /// The value, which is made if there was none.
    pub fn or_insert_with(self, value: impl FnOnce() -> V) -> &'a mut V {
        match self {
            Entry::Occupied(value) => value,
            Entry::Vacant(place) => place.insert(value()),
        }
    }

    /// The value, which is the default if there was none.
    pub fn or_default(self) -> &'a mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }
}

impl<K, V> SortedMap<K, V> {
    /// Nothing.
    pub const fn new() -> Self {
        SortedMap {
            keys: SortedSet::new(),
            values: Vec::new(),
        }
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// All of it, in the order of the keys.
    pub fn iter(&self) -> Iter<'_, K, V> {
        self.keys.iter().zip(self.values.iter())
    }

    /// All of it, in the order of the keys.
    pub fn iter_mut(&mut self) -> IterMut<'_, K, V> {
        self.keys.iter().zip(self.values.iter_mut())
    }

    /// The keys, in order.
    pub fn keys(&self) -> std::slice::Iter<'_, K> {
        self.keys.iter()
    }

    /// The keys, in order.
    pub fn into_keys(self) -> std::vec::IntoIter<K> {
        self.keys.into_iter()
    }

    /// The values, in the order of the keys.
    pub fn values(&self) -> std::slice::Iter<'_, V> {
        self.values.iter()
    }

    /// The values, in the order of the keys.
    pub fn values_mut(&mut self) -> std::slice::IterMut<'_, V> {
        self.values.iter_mut()
    }

    /// The values, in the order of the keys.
    pub fn into_values(self) -> std::vec::IntoIter<V> {
        self.values.into_iter()
    }

    /// Keeps that of which `keep` holds.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        let pairs = self.keys.iter().zip(&mut self.values);
        let kept: Vec<bool> = pairs.map(|(key, value)| keep(key, value)).collect();
        let (mut of_keys, mut of_values) = (kept.iter(), kept.iter());
        self.keys.retain(|_| of_keys.next() == Some(&true));
        self.values.retain(|_| of_values.next() == Some(&true));
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    /// Whether it has the key.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.keys.contains(key)
    }

    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let at = self.keys.find(key).ok()?;
        self.values.get(at)
    }

    /// The value of a key.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let at = self.keys.find(key).ok()?;
        self.values.get_mut(at)
    }

    /// Gives a key its value, and gives back the one that it had.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.keys.find(&key) {
            Ok(at) => Some(std::mem::replace(&mut self.values[at], value)),
            Err(at) => {
                self.keys.put_at(at, key);
                self.values.insert(at, value);
                None
            }
        }
    }

    /// Takes a key out.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let at = self.keys.find(key).ok()?;
        self.keys.take_at(at);
        Some(self.values.remove(at))
    }

    /// A key's place.
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        match self.keys.find(&key) {
            Ok(at) => Entry::Occupied(&mut self.values[at]),
            Err(at) => Entry::Vacant(Vacant { map: self, at, key }),
        }
    }
}

type Iter<'a, K, V> = std::iter::Zip<std::slice::Iter<'a, K>, std::slice::Iter<'a, V>>;
type IterMut<'a, K, V> = std::iter::Zip<std::slice::Iter<'a, K>, std::slice::IterMut<'a, V>>;

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for SortedMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

/// By the pairs in order, as the library's maps are.
impl<K: Ord, V: Ord> Ord for SortedMap<K, V> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.iter().cmp(other.iter())
    }
}

impl<K: Ord, V: Ord> PartialOrd for SortedMap<K, V> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        SortedMap::new()
    }
}

impl<K: Ord, V> Extend<(K, V)> for SortedMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, items: I) {
        items.into_iter().for_each(|(key, value)| {
            self.insert(key, value);
        });
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for SortedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(items: I) -> Self {
        let mut map = SortedMap::new();
        map.extend(items);
        map
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for SortedMap<K, V> {
    fn from(items: [(K, V); N]) -> Self {
        items.into_iter().collect()
    }
}

impl<K, V> IntoIterator for SortedMap<K, V> {
    type Item = (K, V);
    type IntoIter = std::iter::Zip<std::vec::IntoIter<K>, std::vec::IntoIter<V>>;

    fn into_iter(self) -> Self::IntoIter {
        self.keys.into_iter().zip(self.values)
    }
}

impl<'a, K, V> IntoIterator for &'a SortedMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, K, V> IntoIterator for &'a mut SortedMap<K, V> {
    type Item = (&'a K, &'a mut V);
    type IntoIter = IterMut<'a, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl<K: Ord + Borrow<Q>, Q: Ord + ?Sized, V> Index<&Q> for SortedMap<K, V> {
    type Output = V;

    fn index(&self, key: &Q) -> &V {
        self.get(key).expect("a key of the map")
    }
}
