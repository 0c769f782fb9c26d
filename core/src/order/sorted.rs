//! A map and a set that are kept in order. The library's B-trees do the same with three times the code for every type
//! they hold; these are lists of short sorted lists.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::ops::Index;

/// How many entries lie together at most: one that comes in between moves no more than these.
const FULL: usize = 64;

/// A map in the order of its keys.
#[derive(Clone)]
pub struct SortedMap<K, V> {
    /// None of them is empty.
    parts: Vec<Vec<(K, V)>>,
}

impl<K: Ord, V> SortedMap<K, V> {
    /// Returns an empty map.
    pub const fn new() -> Self {
        Self { parts: Vec::new() }
    }

    /// Says where a key is, or where it would be.
    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> (usize, Result<usize, usize>)
    where
        K: Borrow<Q>,
    {
        let first = |part: usize| self.parts[part][0].0.borrow().cmp(key);
        let part = search(self.parts.len(), &first).unwrap_or_else(|after| after.saturating_sub(1));
        let items = self.parts.get(part).map_or(&[][..], Vec::as_slice);
        (part, search(items.len(), &|at| items[at].0.borrow().cmp(key)))
    }

    /// Returns what a key stands for.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let (part, at) = self.find(key);
        self.parts.get(part)?.get(at.ok()?).map(|(_, value)| value)
    }

    /// Returns what a key stands for, to be changed.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let (part, at) = self.find(key);
        self.parts.get_mut(part)?.get_mut(at.ok()?).map(|(_, value)| value)
    }

    /// Says whether a key is there.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).1.is_ok()
    }

    /// Puts a value in a key's place, and returns the one that was there.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.find(&key) {
            (part, Ok(at)) => Some(std::mem::replace(&mut self.parts[part][at].1, value)),
            (part, Err(at)) => {
                self.put(part, at, (key, value));
                None
            }
        }
    }

    /// Puts an entry where its key is to be, and cuts a part in two that has too many.
    #[inline(never)]
    fn put(&mut self, mut part: usize, mut at: usize, item: (K, V)) -> &mut V {
        if self.parts.is_empty() {
            self.parts.push(Vec::new());
        }
        self.parts[part].insert(at, item);
        if self.parts[part].len() > FULL {
            let second = self.parts[part].split_off(FULL / 2);
            self.parts.insert(part + 1, second);
            if at >= FULL / 2 {
                (part, at) = (part + 1, at - FULL / 2);
            }
        }
        &mut self.parts[part][at].1
    }

    /// Returns a key's place, taken or not.
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        Entry { map: self, key }
    }

    /// Takes a key out, with what it stands for.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let (part, at) = self.find(key);
        let at = at.ok()?;
        let (_, value) = self.parts[part].remove(at);
        if self.parts[part].is_empty() {
            self.parts.remove(part);
        }
        Some(value)
    }
}

impl<K, V> SortedMap<K, V> {
    /// Returns how many entries there are.
    pub fn len(&self) -> usize {
        self.parts.iter().map(Vec::len).sum()
    }

    /// Says whether there are none.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Goes over all entries in order.
    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter { parts: &self.parts, at: 0 }
    }

    /// Goes over all keys in order.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.iter().map(|(key, _)| key)
    }

    /// Goes over all values in the order of their keys.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.iter().map(|(_, value)| value)
    }

    /// Goes over all values, to change them.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.parts.iter_mut().flatten().map(|(_, value)| value)
    }

    /// Gives all values in the order of their keys.
    pub fn into_values(self) -> impl Iterator<Item = V> {
        self.into_iter().map(|(_, value)| value)
    }

    /// Keeps the entries that are wanted.
    pub fn retain(&mut self, mut wanted: impl FnMut(&K, &mut V) -> bool) {
        for part in &mut self.parts {
            part.retain_mut(|(key, value)| wanted(key, value));
        }
        self.parts.retain(|part| !part.is_empty());
    }
}

/// A key's place in a map.
pub struct Entry<'a, K, V> {
    map: &'a mut SortedMap<K, V>,
    key: K,
}

impl<'a, K: Ord, V> Entry<'a, K, V> {
    /// Returns what is there, or puts there what is made now.
    pub fn or_insert_with(self, make: impl FnOnce() -> V) -> &'a mut V {
        match self.map.find(&self.key) {
            (part, Ok(at)) => &mut self.map.parts[part][at].1,
            (part, Err(at)) => self.map.put(part, at, (self.key, make())),
        }
    }

    /// Returns what is there, or puts something there.
    pub fn or_insert(self, value: V) -> &'a mut V {
        self.or_insert_with(|| value)
    }

    /// Returns what is there, or puts there what there is at first.
    pub fn or_default(self) -> &'a mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }
}

/// Goes over the entries of a map.
#[derive(Debug)]
pub struct Iter<'a, K, V> {
    parts: &'a [Vec<(K, V)>],
    at: usize,
}

impl<K, V> Clone for Iter<'_, K, V> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<'a, K, V> Iterator for Iter<'a, K, V> {
    type Item = (&'a K, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        let (first, others) = self.parts.split_first()?;
        let (key, value) = &first[self.at];
        self.at += 1;
        if self.at == first.len() {
            (self.parts, self.at) = (others, 0);
        }
        Some((key, value))
    }
}

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        Self { parts: Vec::new() }
    }
}

/// How the parts are cut depends on the past, which does not matter.
impl<K: PartialEq, V: PartialEq> PartialEq for SortedMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other)
    }
}

impl<K: Eq, V: Eq> Eq for SortedMap<K, V> {}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for SortedMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<K: Ord, V> Extend<(K, V)> for SortedMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, items: I) {
        for (key, value) in items {
            self.insert(key, value);
        }
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for SortedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(items: I) -> Self {
        let mut map = Self::new();
        map.extend(items);
        map
    }
}

impl<K, V> IntoIterator for SortedMap<K, V> {
    type Item = (K, V);
    type IntoIter = std::iter::Flatten<std::vec::IntoIter<Vec<(K, V)>>>;

    fn into_iter(self) -> Self::IntoIter {
        self.parts.into_iter().flatten()
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for SortedMap<K, V> {
    fn from(items: [(K, V); N]) -> Self {
        items.into_iter().collect()
    }
}

impl<K: Ord + Borrow<Q>, Q: Ord + ?Sized, V> Index<&Q> for SortedMap<K, V> {
    type Output = V;

    /// Returns what a key stands for that is known to be there.
    fn index(&self, key: &Q) -> &V {
        let (part, at) = self.find(key);
        &self.parts[part][at.unwrap_or(usize::MAX)].1
    }
}

impl<'a, K, V> IntoIterator for &'a SortedMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// A set in order.
#[derive(Clone, PartialEq, Eq)]
pub struct SortedSet<T> {
    items: SortedMap<T, ()>,
}

impl<T: Ord> SortedSet<T> {
    /// Returns an empty set.
    pub const fn new() -> Self {
        Self { items: SortedMap::new() }
    }

    /// Puts an item in, and says whether it is new.
    pub fn insert(&mut self, item: T) -> bool {
        self.items.insert(item, ()).is_none()
    }

    /// Says whether an item is there.
    pub fn contains<Q: Ord + ?Sized>(&self, item: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.items.contains_key(item)
    }

    /// Takes an item out, and says whether it was there.
    pub fn remove<Q: Ord + ?Sized>(&mut self, item: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.items.remove(item).is_some()
    }
}

impl<T> SortedSet<T> {
    /// Returns how many items there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Says whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Goes over all items in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.items.keys()
    }
}

impl<T> Default for SortedSet<T> {
    fn default() -> Self {
        Self { items: SortedMap::default() }
    }
}

impl<T: fmt::Debug> fmt::Debug for SortedSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl<T: Ord> Extend<T> for SortedSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        for item in items {
            self.insert(item);
        }
    }
}

impl<T: Ord> FromIterator<T> for SortedSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut set = Self::new();
        set.extend(items);
        set
    }
}

impl<T> IntoIterator for SortedSet<T> {
    type Item = T;
    type IntoIter = std::iter::Map<<SortedMap<T, ()> as IntoIterator>::IntoIter, fn((T, ())) -> T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter().map(|(item, ())| item)
    }
}

impl<'a, T> IntoIterator for &'a SortedSet<T> {
    type Item = &'a T;
    type IntoIter = std::iter::Map<Iter<'a, T, ()>, fn((&'a T, &'a ())) -> &'a T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter().map(|(item, ())| item)
    }
}

/// The one binary search that is compiled; `compare` says how the item at a place stands to the one looked for.
fn search(len: usize, compare: &dyn Fn(usize) -> Ordering) -> Result<usize, usize> {
    let (mut low, mut high) = (0, len);
    while low < high {
        let middle = low.midpoint(high);
        match compare(middle) {
            Ordering::Less => low = middle + 1,
            Ordering::Equal => return Ok(middle),
            Ordering::Greater => high = middle,
        }
    }
    Err(low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn it_holds_what_a_tree_would_hold() {
        let (mut ours, mut theirs) = (SortedMap::new(), BTreeMap::new());
        let mut number = 7_u32;
        for step in 0..20_000 {
            // Numbers that repeat, in no order.
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let key = number >> 21;
            match step % 5 {
                0 => assert_eq!(ours.remove(&key), theirs.remove(&key)),
                1 => *ours.entry(key).or_default() += 1,
                _ => assert_eq!(ours.insert(key, step), theirs.insert(key, step)),
            }
            if step % 5 == 1 {
                *theirs.entry(key).or_default() += 1;
            }
            assert_eq!((ours.get(&key), ours.len()), (theirs.get(&key), theirs.len()));
        }
        assert!(ours.iter().eq(&theirs) && ours.len() > FULL * 4);
        ours.retain(|key, _| *key < 9);
        theirs.retain(|key, _| *key < 9);
        assert!(ours.clone().into_iter().eq(theirs.clone()) && ours.values().eq(theirs.values()));
        ours.retain(|_, _| false);
        assert!(ours.is_empty() && ours.get(&1).is_none() && ours.remove(&1).is_none());
    }

    #[test]
    fn a_set_has_each_item_once() {
        let mut set: SortedSet<String> = ["b", "a", "b"].map(str::to_owned).into_iter().collect();
        assert_eq!((set.len(), set.insert("a".to_owned()), set.contains("b")), (2, false, true));
        assert!(set.remove("a") && !set.remove("a"));
        assert_eq!(set.into_iter().collect::<Vec<_>>(), ["b"]);
    }
}
