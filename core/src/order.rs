//! Sorting and collecting in order, compiled once: the library's own are compiled anew for every type, and in the
//! component those copies would take a tenth of all code.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Sorts by a comparison; equals stay in the order they had.
pub fn sort_by<T>(items: &mut Vec<T>, compare: impl Fn(&T, &T) -> Ordering) {
    let mut order: Vec<usize> = (0..items.len()).collect();
    sort_numbers(&mut order, &|a, b| compare(&items[a], &items[b]));
    let mut slots: Vec<Option<T>> = items.drain(..).map(Some).collect();
    items.extend(order.into_iter().filter_map(|number| slots[number].take()));
}

/// Sorts by a key; equals stay in the order they had.
pub fn sort_by_key<T, K: Ord>(items: &mut Vec<T>, key: impl Fn(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

/// Sorts.
pub fn sort<T: Ord>(items: &mut Vec<T>) {
    sort_by(items, T::cmp);
}

/// The one sort that is compiled.
fn sort_numbers(order: &mut [usize], compare: &dyn Fn(usize, usize) -> Ordering) {
    order.sort_by(|a, b| compare(*a, *b));
}

/// Collects a set one by one: collecting at once would sort first.
pub fn set<T: Ord>(items: impl IntoIterator<Item = T>) -> BTreeSet<T> {
    let mut set = BTreeSet::new();
    set.extend(items);
    set
}

/// Collects a map one by one: collecting at once would sort first.
pub fn map<K: Ord, V>(items: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    map.extend(items);
    map
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_stay_in_order() {
        let mut words = vec!["bb", "a", "cc", "b", "", "aa"];
        sort_by_key(&mut words, |word| word.len());
        assert_eq!(words, ["", "a", "b", "bb", "cc", "aa"]);
        sort(&mut words);
        assert_eq!(words, ["", "a", "aa", "b", "bb", "cc"]);
    }

    #[test]
    fn collections_hold_what_they_were_given() {
        assert_eq!(set([3, 1, 3]), BTreeSet::from([1, 3]));
        assert_eq!(map([(1, 'a'), (1, 'b')]), BTreeMap::from([(1, 'b')]));
    }
}
