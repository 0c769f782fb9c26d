//! A map for few entries, in the order of their keys.

use std::borrow::Borrow;
use std::ops::Index;

/// A map kept as a sorted list: for agents, kinds and the like, of which there are hundreds at most. It looks up as fast as a
/// tree does there, and is a tenth of a tree's code for each type that it is used with. What grows with the number of
/// messages does not belong here: putting something in moves all that comes after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Map<K, V>(Vec<(K, V)>);

impl<K: Ord, V> Map<K, V> {
    /// Makes an empty map.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    fn place<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.0.binary_search_by(|(other, _)| other.borrow().cmp(key))
    }

    /// Gives what a key leads to.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().map(|place| &self.0[place].1)
    }

    /// Gives what a key leads to, to be changed.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().map(|place| &mut self.0[place].1)
    }

    /// Says whether a key is there.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.place(key).is_ok()
    }

    /// Puts something in, and gives back what was there before.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.place(&key) {
            Ok(place) => Some(std::mem::replace(&mut self.0[place].1, value)),
            Err(place) => {
                self.0.insert(place, (key, value));
                None
            }
        }
    }

    /// Gives what a key leads to, after putting something there if there was nothing.
    pub fn at(&mut self, key: K, new: impl FnOnce() -> V) -> &mut V {
        let place = self.place(&key).unwrap_or_else(|place| {
            self.0.insert(place, (key, new()));
            place
        });
        &mut self.0[place].1
    }

    /// Takes something out.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().map(|place| self.0.remove(place).1)
    }

    /// Keeps what fits.
    pub fn retain(&mut self, mut fits: impl FnMut(&K, &mut V) -> bool) {
        self.0.retain_mut(|(key, value)| fits(key, value));
    }

    /// Counts the entries.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Says whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Goes over the entries, in the order of their keys.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &V)> + Clone {
        self.0.iter().map(|(key, value)| (key, value))
    }

    /// Goes over the keys.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + Clone {
        self.0.iter().map(|(key, _)| key)
    }

    /// Goes over the values.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + Clone {
        self.0.iter().map(|(_, value)| value)
    }

    /// Goes over the values, to be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.0.iter_mut().map(|(_, value)| value)
    }
}

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K: Ord, V> Extend<(K, V)> for Map<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for Map<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::default();
        map.extend(entries);
        map
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for Map<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        Self::from_iter(entries)
    }
}

impl<K: Ord, V, Q: Ord + ?Sized> Index<&Q> for Map<K, V>
where
    K: Borrow<Q>,
{
    type Output = V;

    /// # Panics
    /// When the key is not there.
    fn index(&self, key: &Q) -> &V {
        self.get(key).expect("the key is there")
    }
}

impl<K, V> IntoIterator for Map<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_stand_in_the_order_of_their_keys() {
        let mut map = Map::from([("b", 2), ("a", 1), ("c", 3)]);
        assert_eq!(map.insert("b", 20), Some(2));
        *map.at("d", || 0) += 4;
        *map.at("a", || 0) += 10;
        assert_eq!(map.iter().collect::<Vec<_>>(), [(&"a", &11), (&"b", &20), (&"c", &3), (&"d", &4)]);
        assert_eq!((map.get("c"), map.get("z"), map["d"], map.len()), (Some(&3), None, 4, 4));
        assert_eq!((map.remove("c"), map.remove("c"), map.contains_key("c")), (Some(3), None, false));
        map.retain(|_, value| *value > 10);
        assert_eq!(map.keys().copied().collect::<Vec<_>>(), ["a", "b"]);
    }
}
